"""What a run says when it starts and when it ends."""

import json
from pathlib import Path

from plans import quick_plan, quick_with

from epochbandits.pipeline.layout import FigureFolder
from epochbandits.planning import announcements, closing


def test_the_end_of_a_run_counts_verdicts_and_names_the_page(tmp_path):
    folder = FigureFolder(tmp_path)
    assert closing(folder) == "done"
    claims = [{"verdict": v} for v in ("reproduced", "not assessed", "reproduced")]
    Path(folder.claims).write_text(json.dumps({"claims": claims}))
    Path(folder.page).write_text("<html>")
    assert closing(folder) == f"3 claims: 2 reproduced, 1 not assessed\nopen {folder.page}"


def test_a_python_policy_that_takes_hours_is_announced(tmp_path):
    quick = quick_plan()
    file = tmp_path / "mine.py"
    file.write_text(
        "class A:\n    schedule = 'fixed:1'\n    def reset(self, info, rng): pass\n"
        "    def choose(self, k): return 0\n    def update(self, arm, reward): pass\n"
    )
    policies = {"mine": {"code": f"{file}:A"}}
    runs = {"baselines_4x4": {"policies": ["epoch-ucb", "mine"], "epochs": 5000}}
    none = dict.fromkeys(quick.config.figures)
    claims = {"assess": False}
    (text,) = announcements(
        quick_with(policies=policies, experiments=runs, figures=none, claims=claims)
    )
    assert text.startswith("mine in experiments.baselines_4x4 is plain Python: its runs may take")
    assert announcements(quick) == []
