"""A small invented run: all verdicts, figures with clashing ids, and texts that attack the page."""

import json
import shutil
from pathlib import Path

from epochbandits.claims.verdicts import NOT_ASSESSED, VERDICTS
from epochbandits.figures.registry import FIGURES

SHOWN = ("fig1a_failure_arms", "fig1b_failure_regret", "fig4a_ucb_vs_greedy")
FINDING = "finding2_decay"  # on Fig. 4b
LOCKED = "finding1_ucb_failure"  # the first screen's chart
PLOTTED = Path(__file__).parents[2] / "figures" / "published" / "data"

HOSTILE = (
    '<script>window.broken=1</script><img src="https://example.com/x.png" onerror=broken()>"\''
)
# Only what is wider than 300 points has a second drawing, which takes time.
WIDTHS = dict(zip((*SHOWN, FINDING, LOCKED), (230, 250, 480, 200, 200), strict=True))


def make_run(folder, assessed=True):
    """Write a run's files into a folder."""
    (folder / "data").mkdir(parents=True)
    for name in WIDTHS:
        picture = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTHS[name]} 200" '
            f'width="{WIDTHS[name]}pt" height="200pt"><defs><path id="p" d="M0 0L200 200"/></defs>'
            f'<use href="#p" stroke="black"/></svg>'
        )
        (folder / f"{name}.svg").write_text(picture)
        (folder / f"{name}.pdf").write_bytes(b"%PDF-1.4 " + name.encode())
        (folder / f"{name}.png").write_bytes(b"\x89PNG " + name.encode())
        shutil.copy(PLOTTED / f"{name}.parquet", folder / "data")
        about = {
            "id": name,
            "paper": FIGURES[name].paper,
            "inputs": {"data/made/" + "long_" * 20 + "name.parquet": "0" * 64},
            "caption": f"The caption of {name}. {HOSTILE}",
            "configuration": {"run": "made", "note": HOSTILE},
            "code": "c0de" * 4,
            "versions": {"python": "3.11.7", "numpy": "2.0"},
        }
        (folder / f"{name}.json").write_text(json.dumps(about))
    about = {"run": "made" if assessed else "quick", "root": 1, "code": "feed" * 4}
    ledger = {"about": about, "thresholds": {"level": 0.95}, "claims": _claims(assessed)}
    (folder / "claims.json").write_text(json.dumps(ledger))
    return folder


def _claims(assessed):
    verdicts = (*VERDICTS[:-1] * 4, NOT_ASSESSED)
    evidence = (*SHOWN, "inequalities")
    return [
        _claim(i, verdict if assessed else NOT_ASSESSED, evidence[i % 4])
        for i, verdict in enumerate(verdicts)
    ]


def _claim(i, verdict, evidence):
    none = verdict == NOT_ASSESSED
    cells = [_cell(i, j, NOT_ASSESSED if none else VERDICTS[(i + j) % 4]) for j in range(8)]
    return {
        "id": f"claim_{i}",
        "statement": HOSTILE if i == 0 else f"Statement number {i} about EpochUCB.",
        "where": ("Section 5.2.2, Fig. 4b", "Lemma 1")[i % 2],
        "quantifier": ("all", "some", "mean")[i % 3],
        "statistic": "final regret at γ divided by that at 1",
        "threshold": "below 1",
        "verdict": verdict,
        "condition": cells[0]["condition"],
        "estimate": None if none else 1.0,
        "interval": None if none else cells[0]["interval"],
        "vacuous": (None, True, False)[i % 3],
        "useful_from": (None, 9000.0)[i % 2],
        "evidence": evidence,
        "reason": "the run is too small" if none else "",
        "marks": [1.0],
        "controls": ["a fixed arm is called linear"] if i % 2 else [],
        "depends_on": [{"threshold": "linear", "value": 1.8, "verdict": "undetermined"}] * (i == 4),
        "setting": cells[:2],
        "beyond": cells[2:],
    }


def _cell(i, j, verdict):
    cell = {
        "condition": f"condition {j}, {HOSTILE if i == 0 else 'γ = .5'}",
        "class": ("anticorrelated", "literal")[j % 2],
        "sampling": (None, "marginal", "trajectory")[j % 3],
        "size": "4×4",
        "horizon": (None, 16000)[j % 2],
        "verdict": verdict,
        "estimate": None,
        "interval": None,
    }
    if verdict == NOT_ASSESSED:
        return cell
    low = None if j == 2 else 1.25e-7 if i == 1 else 0.9 * (j + 1)
    return cell | {
        "estimate": 1.0 * (j + 1),
        "interval": [low, 1.1 * (j + 1)],
        "vacuous": (None, True)[j % 2],
        "values": 50,
        "runs": 12500 * j,
    }
