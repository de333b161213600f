"""The plan of a run: what it asks for, and its ledger."""

from plans import CAPTIONS, PAPER, QUICK, paper_plan, quick_plan

from epochbandits.claims.ledger import ledger
from epochbandits.config import load_files
from epochbandits.figures.registry import FIGURES, spec_of
from epochbandits.pipeline.layout import FORMATS, Layout
from epochbandits.planning.theory import KINDS


def test_every_path_lies_in_the_run_s_folders_and_is_unique():
    layout = Layout("r")
    paths = [
        layout.instances("n"), layout.compiled, layout.tuned("e", "p"),
        layout.shard("e", "p", 0, 4), layout.curves("e"), layout.finals("e"),
        layout.theory("bounds", "n"), layout.theory("eigenvalues", "n"),
        layout.figures.picture("f", "svg"), layout.figures.sidecar("f"),
        layout.figures.plotted("f"), layout.figures.claims,
        layout.figures.page, layout.log("shards", "e", "p", "0-4"),
    ]  # fmt: skip
    assert len(set(paths)) == len(paths)
    assert all(path.startswith(("data/r/", "figures/r/")) for path in paths)


def test_what_is_asked_for():
    paper = paper_plan()
    config = paper.config
    theory = len(config.bounds) + len(config.eigenvalues) + len(config.inequalities)
    assert len(paper.tables) == len(set(paper.tables)) == 2 * len(config.experiments) + theory
    assert len(paper.pictures) == len(FIGURES) * len(FORMATS)


def test_a_quick_run_has_every_figure_and_what_figures_need():
    paper = paper_plan()
    config = load_files([PAPER, QUICK])
    assert list(config.figures) == list(paper.config.figures)
    needed: dict[str, set[str]] = {kind: set() for kind in ("instances", "experiments", *KINDS)}
    for name, block in config.figures.items():
        needed[spec_of(name).kind].update(block.source)
    tuning = [config.experiments[name].tuned_on for name in needed["experiments"]]
    needed["experiments"].update(name for name in tuning if name)
    for kind in ("experiments", "bounds", "inequalities"):
        for name in needed[kind]:
            sets = getattr(config, kind)[name].instances
            needed["instances"].update([sets] if isinstance(sets, str) else sets)
    for kind, names in needed.items():
        assert set(getattr(config, kind)) == names, kind


def test_only_the_page_of_a_full_run_has_drawings_for_phones():
    assert paper_plan().page(CAPTIONS)["narrow"] is True
    assert quick_plan().page(CAPTIONS)["narrow"] is False


def test_the_ledger_knows_where_every_condition_stands():
    """Its task has the blocks that name class, size and horizon of each condition."""
    paper = paper_plan()
    config = paper.ledger["config"]
    for claim in ledger(paper.config.claims):
        for condition in claim.conditions:
            assert set(condition.place(config)) == {"class", "sampling", "size", "horizon"}
