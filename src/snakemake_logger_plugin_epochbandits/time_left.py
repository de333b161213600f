"""Time left of a run, weighted by the expected cost of its jobs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

_MAX_SHARE = 0.95  # largest share of a running job that counts as done


class TimeLeft:
    """Costs of the jobs of a run: expected, done and left.

    Until a job has finished, each running job is assumed to do one unit of cost per second. Then
    the speed, of all cores together, is the units done over the seconds so far.

    Parameters
    ----------
    counts : Mapping[str, int]
        Jobs to run of each rule.
    mean : Callable[[str], float]
        Expected cost of a job of a rule.
    """

    def __init__(self, counts: Mapping[str, int], mean: Callable[[str], float]) -> None:
        self._mean = mean
        self._total = sum(count * mean(rule) for rule, count in counts.items())
        self._running: dict[int, tuple[float, float]] = {}
        self._finished = 0.0
        self._began: float | None = None

    def start(self, job: int, rule: str, cost: float, now: float) -> None:
        """Note that a job has started."""
        self._began = now if self._began is None else self._began
        self._total += cost - self._mean(rule)
        self._running[job] = cost, now

    def finish(self, job: int) -> None:
        """Note that a job has ended, successfully or not."""
        self._finished += self._running.pop(job, (0.0, 0.0))[0]

    def left(self, now: float) -> float | None:
        """Return the seconds left; None before the first job."""
        if self._began is None:
            return None
        elapsed = now - self._began
        speed = float(max(1, len(self._running)))
        if self._finished and elapsed > 0:
            speed = (self._finished + self._partial(now, 1.0)) / elapsed
        rest = max(0.0, self._total - self._finished)
        scale = speed / max(1, len(self._running)) if self._finished else 1.0
        return max(0.0, rest - self._partial(now, scale)) / speed

    def _partial(self, now: float, scale: float) -> float:
        """Return the cost done in running jobs, each at ``scale`` units per second."""
        return sum(
            min((now - began) * scale, _MAX_SHARE * cost) for cost, began in self._running.values()
        )


def in_words(seconds: float | None) -> str:
    """Return a time left as text."""
    if seconds is None:
        return ""
    if seconds < 90:
        return f"about {max(1, round(seconds))} s left"
    if seconds < 5400:
        return f"about {round(seconds / 60)} min left"
    return f"about {seconds / 3600:.1f} h left"
