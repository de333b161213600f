"""The studies: all their files are one run, checked before any job like any other configuration."""

import shutil

import pytest
import yaml

from epochbandits.config import load_files
from epochbandits.figures.registry import STUDIES
from epochbandits.planning import load_plan, load_studies, study_plan
from epochbandits.planning.loading import FOLDER, study_files
from epochbandits.validation import InputError

SMALL = {
    "instances": {"mine": {"class": "fast", "count": 2}},
    "experiments": {
        "one": {"instances": ["mine"], "policies": ["ucb"], "epochs": 10, "seeds": 1,
                "schedule": "fixed:40"}
    },
    "figures": {"study1_epochs_or_mixing": {"source": ["one"]}},
}  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    shutil.copy(FOLDER / "base.yaml", tmp_path)
    return tmp_path


def write(folder, content, name="study1_epochs_or_mixing.yaml"):
    (folder / name).write_text(yaml.safe_dump(content, allow_unicode=True, sort_keys=False))


@pytest.fixture(scope="module")
def plan():
    return load_studies()


def test_every_study_is_planned_with_its_figure(plan):
    names = [path.stem for path in study_files()[1:]]
    assert set(names) <= set(plan.config.figures) == set(STUDIES)
    assert plan.layout.data == "data/studies"


def test_what_tunes_never_judges(plan):
    """The loader refuses an overlap with `tuned_on`; study 5 tunes by itself, by name."""
    sets = plan.config.instances
    for name, block in sets.items():
        if name.startswith("tune_"):
            assert name == f"tune_{block.cls}"  # by which study 5 knows it
            others = [other for other in sets if not other.startswith("tune_")]
            assert not [other for other in others if block.overlaps(sets[other])]


def test_both_samplings_everywhere(plan):
    for name, block in plan.config.experiments.items():
        assert sorted(block.sampling) == ["marginal", "trajectory"], name


@pytest.mark.parametrize(
    ("key", "wrong", "right"),
    [
        (("policies", ["ucbb"]), "'ucbb'", "policies: [ucb]"),
        (("schedule", "fxed:40"), "'fxed:40'", "schedule: 'fixed:40'"),
        (("epoch", 10), "epoch", "epochs: 10"),
    ],
)
def test_an_error_names_file_and_line_and_the_corrected_one(folder, key, wrong, right):
    content = {**SMALL, "experiments": {"one": {**SMALL["experiments"]["one"], key[0]: key[1]}}}
    write(folder, content)
    with pytest.raises(InputError) as error:
        load_studies(folder)
    message = str(error.value)
    for part in ("study1_epochs_or_mixing.yaml, line ", wrong, right):
        assert part in message


def test_a_misspelt_parameter_of_a_policy(folder):
    policies = {"mine-ucb": {"policy": "ucb", "params": {"constnt": 1}}}
    experiments = {"one": {**SMALL["experiments"]["one"], "policies": ["mine-ucb"]}}
    write(folder, {**SMALL, "policies": policies, "experiments": experiments})
    with pytest.raises(InputError, match=r"constnt(.|\n)*constant: 1"):
        load_studies(folder)


def test_a_study_adds_blocks_and_changes_none(folder):
    write(folder, {**SMALL, "policies": {"ucb": {"params": {"constant": 1}}}})
    with pytest.raises(InputError, match=r"policies\.ucb is also defined in .*base\.yaml"):
        load_studies(folder)


def test_a_study_has_the_figure_of_its_name(folder):
    write(folder, SMALL, "study99_none.yaml")
    with pytest.raises(InputError, match=r"study99_none: \{source"):
        load_studies(folder)


def test_without_the_shared_file(tmp_path):
    with pytest.raises(InputError, match=r"lacks base\.yaml"):
        load_studies(tmp_path)


def test_another_run_may_not_use_their_folder():
    content = yaml.safe_load((FOLDER.parent / "paper.yaml").read_text(encoding="utf-8"))
    with pytest.raises(InputError, match="is reserved for config/studies"):
        load_plan({**content, "run": "studies"})


def test_the_thresholds_are_those_of_the_paper_run():
    thresholds = load_files([FOLDER.parent / "paper.yaml"]).claims.model_dump()
    assert study_plan().config.claims.model_dump() == {**thresholds, "alternatives": {}}
