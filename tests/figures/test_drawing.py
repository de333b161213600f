"""Every figure, drawn from small data: texts are legible, lines distinct, and bytes repeat."""

from __future__ import annotations

import functools
import io
import itertools
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
import plotted
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text

from epochbandits.config import load_files
from epochbandits.figures import marks, render, style
from epochbandits.figures.registry import FIGURES
from epochbandits.pipeline.layout import FORMATS
from epochbandits.planning.plan import Plan
from epochbandits.validation import InputError

ROOT = Path(__file__).parents[2]
PAPER, QUICK = ROOT / "config" / "paper.yaml", ROOT / "config" / "quick.yaml"
CAPTIONS = ROOT / "workflow" / "report"
SMALLEST = 7
LAST = sorted({spec.module: name for name, spec in FIGURES.items()}.values())
"""A figure of each module; its other figures are written in the same way."""


def shown_texts(figure: Figure, monkeypatch: pytest.MonkeyPatch) -> list[Text]:
    """Return the texts that are drawn; a figure also holds the texts of ticks out of view."""
    seen: list[Text] = []
    draw = Text.draw

    def recorded(self: Text, renderer: object) -> None:
        if self.get_visible() and self.get_text().strip():
            seen.append(self)
        draw(self, renderer)

    with monkeypatch.context() as patch, style.applied():
        patch.setattr(Text, "draw", recorded)
        FigureCanvasAgg(figure).draw()
    return list(dict.fromkeys(seen))


def check_texts(figure: Figure, texts: list[Text]) -> None:
    """Check that texts are large enough, within the figure and apart from each other."""
    frame = figure.bbox
    boxes = []
    for text in texts:
        assert text.get_fontsize() >= SMALLEST, text
        box = text.get_window_extent()
        assert min(box.x0, box.y0) >= -0.5, f"cut off: {text}"
        assert max(box.x1 - frame.x1, box.y1 - frame.y1) <= 0.5, f"cut off: {text}"
        boxes.append((text, box))
    for (text_a, a), (text_b, b) in itertools.combinations(boxes, 2):
        width, height = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
        # Boxes include the room for descenders: lines may touch, texts side by side may not.
        assert width < -1.5 or height < 2, f"{text_a} overlaps {text_b}"


@functools.cache
def drawn_once(figure: str) -> Figure:
    return render.draw(figure, plotted.DATA[figure](), stamp="quick")


def words(texts: list[Text]) -> set[str]:
    return {text.get_text() for text in texts}


def mean_lines(figure: Figure) -> list[list[Line2D]]:
    """Return the lines of series, by panel."""
    return [[line for line in ax.get_lines() if line.get_gid()] for ax in figure.axes]


def lightness(color: object) -> float:
    """Return CIE lightness L*, 0 to 100: what a grey print leaves of a colour."""
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(color))
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    return 116 * y ** (1 / 3) - 16 if y > 0.008856 else 903.3 * y


def check_grey(pairs: list[tuple[object, object]]) -> None:
    """Check that of two series with the same dash one is visibly darker."""
    for (color, dash), (other, same) in itertools.combinations(pairs, 2):
        assert dash != same or abs(lightness(color) - lightness(other)) > 4, (color, other, dash)


@pytest.mark.parametrize("figure", FIGURES)
def test_texts_are_legible_apart_and_whole(figure: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = drawn_once(figure)
    texts = shown_texts(drawn, monkeypatch)
    check_texts(drawn, texts)
    assert "quick" in words(texts)
    assert drawn.get_figwidth() in (style.COLUMN, style.PAGE)


@pytest.mark.parametrize("figure", LAST)
def test_bytes_repeat_whatever_the_users_settings(figure: str) -> None:
    first = saved(drawn_once(figure))
    with mpl.rc_context({"font.size": 20, "svg.hashsalt": None, "savefig.dpi": 50}):
        again = saved(render.draw(figure, plotted.DATA[figure](), stamp="quick"))
    assert first == again
    assert b"/Type3" not in first["pdf"], "fonts are embedded as they are, not as drawings"
    assert b"/FontFile2" in first["pdf"]


def saved(figure: Figure) -> dict[str, bytes]:
    pictures = {}
    for end in FORMATS:
        target = io.BytesIO()
        render.save(figure, target, end)
        pictures[end] = target.getvalue()
    return pictures


@pytest.mark.parametrize(
    ("figure", "expected"),
    [
        ("fig1a_failure_arms", {"Arm 1", "Arm 2", "1", "ε", "1 − ε", "reward 0", "reward 0.5"}),
        ("fig1b_failure_regret", {"EpochUCB", "EpochGreedy", "UCB", "ε-greedy", "95% over seeds"}),
        ("fig2a_stationary", {"arm 1", "arm 2 (best)", "arm 3"}),
        (
            "fig3a_bounds",
            {"EpochUCB", "EpochGreedy", "EpochGreedy (Thm. 2)", r"$n\,\Delta_{\max}$"},
        ),
        ("fig3b_ucb_bound_discount", {f"γ = {g:g}" for g in plotted.GAMMAS}),
        ("fig3c_greedy_bound_discount", {f"γ = {g:g}" for g in plotted.GAMMAS}),
        ("fig4a_ucb_vs_greedy", {"EpochUCB", "EpochGreedy", "95% t-interval over instances"}),
        ("fig4b_greedy_decay", {"EpochUCB", "c*", "c*/10", "c*/1,000", "c*/$10^{5}$"}),
        ("fig5a_ucb_discount", {f"γ = {g:g}" for g in plotted.GAMMAS}),
        ("fig5b_greedy_discount", {"EpochGreedy", "EpochGreedy (c*)", "γ = 0.99"}),
        ("fig6a_baselines_4x4", {*plotted.LABELS.values(), "mean of 3 instances"}),
        ("tab1_mixing", {"uniform", "normal: |N|", ".32", ".38", ".70", ".83"}),
        ("tab2_classes", {"anticorrelated", "uncorrelated", "0.96", "902"}),
        ("finding1_ucb_failure", {".02–.05", ".95–.98", "ε = 0.01", "path of the chain", ".67"}),
        ("finding7_window", {"EpochUCB", "UCB", "without L", "inverted", "uncorrelated"}),
    ],
)
def test_everything_is_labelled(
    figure: str, expected: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = shown_texts(drawn_once(figure), monkeypatch)
    assert expected <= words(texts)


@pytest.mark.parametrize(
    "figure",
    [
        "fig3a_bounds",
        "fig3b_ucb_bound_discount",
        "fig4b_greedy_decay",
        "fig5a_ucb_discount",
        "fig6a_baselines_4x4",
    ],
)
def test_series_are_told_apart_without_colour(figure: str) -> None:
    drawn = drawn_once(figure)
    panels = [panel for panel in mean_lines(drawn) if panel]
    assert panels
    for panel in panels:
        check_grey([(line.get_color(), line._unscaled_dash_pattern) for line in panel])


def test_no_policy_runs_out_of_looks() -> None:
    names = [*plotted.LABELS, *(f"user-{i}" for i in range(20)), "ucb"]
    looks = style.looks(names)
    assert len(set(looks)) == len(names)
    check_grey([tuple(look) for look in looks[:16]])
    assert style.looks(["ucb"]) == style.looks(list(plotted.LABELS))[2:3]
    for count in range(1, 12):
        check_grey([tuple(look) for look in style.ramp(count)])


@pytest.mark.parametrize(
    ("figure", "data"),
    [
        ("fig3a_bounds", plotted.bounds([1.0], ["paper"], instances=1)),
        ("fig4a_ucb_vs_greedy", plotted.curves({"epoch-ucb": "EpochUCB"}, instances=1)),
        (
            "fig4b_greedy_decay",
            plotted.curves({"g": "G", "epoch-ucb": "U"}, 1, values={"g": (1.0, 10.0)}),
        ),
        ("fig5a_ucb_discount", plotted.curves({"epoch-ucb": "EpochUCB"}, 1, gammas=(0.9, 0.5))),
    ],
)
def test_one_instance_has_no_band(
    figure: str, data: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = render.draw(figure, data)
    texts = shown_texts(drawn, monkeypatch)
    check_texts(drawn, texts)
    assert "one instance" in words(texts)
    assert not any("interval" in word for word in words(texts))
    assert not any(
        isinstance(child, PolyCollection) for ax in drawn.axes for child in ax.collections
    )


def test_policies_of_a_user_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    policies = {
        **plotted.LABELS,
        "user": "costs $5, not $6",
        **{f"user-{i}": f"User {i}" for i in range(5)},
    }
    drawn = render.draw("fig6a_baselines_4x4", plotted.curves(policies))
    texts = shown_texts(drawn, monkeypatch)
    check_texts(drawn, texts)
    assert {r"costs \$5, not \$6", "User 0", "User 4"} <= words(texts)


@pytest.mark.parametrize("gammas", [(1.0,), (0.99, 0.95)])
def test_discounts_may_be_few(gammas: tuple[float, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = render.draw("fig5a_ucb_discount", plotted.curves({"epoch-ucb": "U"}, 2, gammas=gammas))
    texts = shown_texts(drawn, monkeypatch)
    check_texts(drawn, texts)
    assert {f"γ = {g:g}" for g in gammas} <= words(texts)
    assert len(drawn.axes) == 2


def test_a_decay_needs_a_sweep() -> None:
    with pytest.raises(InputError, match="swept"):
        render.draw("fig4b_greedy_decay", plotted.curves({"epoch-ucb": "EpochUCB"}))


def test_labels_are_moved_apart_and_not_out() -> None:
    rng = np.random.default_rng(1)
    for count in (1, 2, 5, 9):
        targets = rng.random(count)
        positions = marks.spread(targets, 0.1)
        assert (np.diff(np.sort(positions)) >= 0.1 - 1e-12).all()
        assert (np.argsort(positions) == np.argsort(targets)).all()
        assert positions.min() >= 0
        assert positions.max() <= 1
    assert marks.spread(np.array([0.2, 0.8]), 0.1).tolist() == [0.2, 0.8]


@pytest.mark.parametrize("paths", [[PAPER], [PAPER, QUICK]], ids=["paper", "quick"])
def test_captions_read_the_configuration(paths: list[Path]) -> None:
    plan = Plan(load_files(paths))
    captions = {
        name: plan.figures.task(name, str(CAPTIONS))["metadata"]["caption"] for name in FIGURES
    }
    block = plan.config.experiments["epochs"]
    assert f"{block.epochs:,} epochs" in captions["fig4a_ucb_vs_greedy"]
    assert f"over {block.seeds} seeds" in captions["fig4b_greedy_decay"]
    assert f"{plan.config.eigenvalues['mixing'].matrices:,} random" in captions["tab1_mixing"]
    for caption in captions.values():
        assert len(caption) > 100
        assert "{" not in caption
