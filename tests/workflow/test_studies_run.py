"""A small study, run by the workflow beside the paper's configuration, which it leaves alone."""

import json

import pytest
import yaml

STUDY = {
    "instances": {
        "judge": {"class": "fast", "first": 3000, "count": 2},
        "tune": {"class": "fast", "first": 2000, "count": 1},
    },
    "policies": {
        "eps-greedy": {"tuned": {"c": [1, 10]}},
        "eps-greedy-epochs": {"policy": "epoch-greedy", "tuned": {"c": [1, 10]}},
    },
    "experiments": {
        "tuning": {"instances": ["tune"], "policies": ["eps-greedy", "eps-greedy-epochs"],
                   "epochs": 20, "seeds": 1},
        "judging": {"instances": ["judge"], "tuned_on": "tuning", "epochs": 20, "seeds": 2,
                    "policies": ["epoch-ucb", "ucb", "ucb-epochs", "eps-greedy",
                                 "eps-greedy-epochs"],
                    "sampling": ["marginal", "trajectory"]},
    },
    "figures": {"study2_any_policy": {"source": "judging"}},
}  # fmt: skip


@pytest.fixture(scope="module")
def studied(make_project):
    project = make_project("studied")
    folder = project.folder / "config" / "studies"
    for path in folder.glob("study*.yaml"):
        path.unlink()
    base = folder / "base.yaml"
    shared = yaml.safe_load(base.read_text(encoding="utf-8"))
    changed = {"policies_per_job": 9, "claims": {"assess": False}}
    base.write_text(yaml.safe_dump(shared | changed))
    (folder / "study2_any_policy.yaml").write_text(yaml.safe_dump(STUDY))
    project.snakemake("studies")
    return project


def test_the_study_is_drawn_and_shown(studied):
    figures = studied.folder / "figures" / "studies"
    about = json.loads((figures / "study2_any_policy.json").read_text(encoding="utf-8"))
    assert about["configuration"]["run"] == "studies"
    page = (figures / "index.html").read_text(encoding="utf-8")
    assert "Study 2" in page
    assert "data:image/svg+xml" in page


def test_nothing_of_the_paper_run_is_made(studied):
    data = studied.folder / "data"
    runs = {path.relative_to(data).parts[0] for path in data.glob("*/[!.]*")}
    assert runs == {"studies"}


def test_a_second_run_has_nothing_to_do(studied):
    assert studied.jobs("studies") == {}


def test_a_wrong_study_stops_everything_before_any_job(studied):
    path = studied.folder / "config" / "studies" / "study2_any_policy.yaml"
    right = path.read_text(encoding="utf-8")
    path.write_text(right.replace("tuned_on: tuning", "tuned_on: tunning"), encoding="utf-8")
    output = studied.snakemake("studies", ok=False)
    path.write_text(right, encoding="utf-8")
    assert "Invalid configuration of a study:" in output
    assert "tuned_on: tuning" in output
