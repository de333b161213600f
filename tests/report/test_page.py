"""The page as text: it is complete and escaped, and incomplete folders are refused."""

import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pytest
from sample_run import (
    FINDING,
    HOSTILE,
    LOCKED,
    PLOTTED,
    SHOWN,
    make_run,
)  # tests/report/sample_run.py

from epochbandits.claims.texts import amount, estimate
from epochbandits.claims.verdicts import VERDICTS
from epochbandits.figures.registry import FIGURES, SPECS
from epochbandits.model.generators import CLASSES, InstanceClass
from epochbandits.provenance.commit import Commit, commit
from epochbandits.release import publish
from epochbandits.report import build_page, key, write_page
from epochbandits.report.cards import references, slug
from epochbandits.report.headlines import headline
from epochbandits.report.numbers import Axis, size
from epochbandits.report.studies import (
    published_digest,
    published_files,
    studies,
)
from epochbandits.report.study_texts import STUDY_TEXTS
from epochbandits.report.svg import minified
from epochbandits.validation import InputError

ROOT = Path(__file__).parents[2]


class Elements(HTMLParser):
    """All start tags of a page, and its text."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.text = [], ""
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.text += data

    def having(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return make_run(tmp_path_factory.mktemp("run") / "made")


@pytest.fixture(scope="module")
def page(run):
    return build_page(run, code="abcdef")


@pytest.fixture(scope="module")
def elements(page):
    return Elements(page)


def test_texts_are_escaped(page, elements):
    assert HOSTILE not in page
    assert page.count("<script") == 2
    assert elements.text.count(HOSTILE) > 5
    assert not [tag for tag, attributes in elements.tags if any(a[:2] == "on" for a in attributes)]


def test_nothing_comes_from_elsewhere(elements):
    for tag, attributes in elements.tags:
        for name in ("src", "srcset", "data", "action"):
            assert attributes.get(name, "data:").startswith("data:"), (tag, attributes)
        if tag in ("link", "use"):
            assert attributes["href"].startswith(("data:", "#"))
    (policy,) = [a["content"] for a in elements.having("meta") if "http-equiv" in a]
    assert policy.startswith("default-src 'none'; img-src data:;")
    assert "script-src 'sha256-" in policy


def test_ids_are_unique_and_links_have_targets(elements):
    ids = [a["id"] for _, a in elements.tags if "id" in a]
    assert len(ids) == len(set(ids))
    for link in elements.having("a"):
        if link.get("href", "").startswith("#"):
            assert link["href"][1:] in ids


def test_every_figure_has_caption_files_configuration_and_code(elements):
    links = {a.get("href") for a in elements.having("a")}
    for name in SHOWN:
        anchor = name.replace("_", "-")
        assert f"The caption of {name}." in elements.text
        assert {f"{name}.{end}" for end in ("svg", "pdf", "png")} <= links
        assert f"data/{name}.parquet" in links
        assert any(a.get("id") == f"config-{anchor}" for a in elements.having("details"))
    assert "c0de" * 4 in elements.text
    assert "abcdef" in elements.text
    assert '"level": 0.95' in elements.text


def test_every_picture_is_embedded_and_the_wide_ones_twice(elements):
    pictures = [a for a in elements.having("img") if "src" in a]
    assert all(a["src"].startswith("data:image/svg+xml,") for a in pictures)
    kinds = [a["class"] for a in pictures]
    assert len(kinds) == len((*SHOWN, FINDING, LOCKED)) + 1
    assert (kinds.count("broad"), kinds.count("slim")) == (1, 1)
    (slim,) = (a for a in pictures if a["class"] == "slim")
    assert slim["width"] == "234"  # one column of 3.25 inches, in points


def test_a_page_without_narrow_drawings_has_each_picture_once(run):
    pictures = Elements(build_page(run, narrow=False)).having("img")
    assert not {"broad", "slim"} & {a.get("class") for a in pictures}
    both = Elements(build_page(run, narrow=True)).having("img")
    assert len(both) - len(pictures) == sum(a.get("class") == "slim" for a in both) > 0


def test_the_commit_and_its_date_are_recorded(run, elements):
    built = Commit("0123456789abcdef", "2024-05-06", True)
    text = Elements(build_page(run, figures=SHOWN[:1], built=built)).text
    assert "0123456789abcdef with local changes" in text
    assert "2024-05-06" in text
    assert "unknown" in elements.text


def test_the_first_screen_says_what_came_out(elements):
    text = " ".join(elements.text.split())
    assert "Of 16 claims that we judge in the paper’s setting, 4 are reproduced, 4 are not" in text
    table = pd.read_parquet(PLOTTED / f"{LOCKED}.parquet")
    cells = table[(table["panel"] == "failed") & (table["a_low"] == table["a_low"].max())]
    cell = cells[cells["delta_low"] == cells["delta_low"].max()].set_index("sampling")["mean"]
    shares = [f"{100 * cell[name]:g}%" for name in ("marginal", "trajectory")]
    assert f"UCB misses the best arm in {shares[0]} of runs" in text
    assert f"and in {shares[1]} on a path" in text


def test_headlines_state_numbers_of_the_tables():
    for name in (name for name in FIGURES if name.startswith("finding")):
        data = pd.read_parquet(PLOTTED / f"{name}.parquet")
        text = headline(name, data)
        assert re.search(r"\d", text)
        changed = data.assign(mean=data["mean"] ** 1.5)
        assert headline(name, changed) != text
        assert headline(name, data.iloc[:0].copy()) is None or name == "finding3_discount_classes"


def test_the_key_lists_a_class_without_words_of_its_own(monkeypatch):
    monkeypatch.setitem(CLASSES, "rare", InstanceClass(delta=(0.0002, 0.0005)))
    monkeypatch.setitem(CLASSES, "again", InstanceClass(stick_optimal=(0.0, 1.0)))
    words = dict(key.classes())
    assert words["rare"].startswith("anticorrelated with changes in delta (δ .0002–.0005, ")
    assert "stickiness 0–1 of the optimal arm, .3–.8 of the others" in words["again"]
    assert list(words) == list(CLASSES)


def test_the_number_of_studies_is_that_of_the_list(elements):
    text = " ".join(elements.text.split())
    assert f"The {len(STUDY_TEXTS)} studies below ask what the paper leaves open" in text


def test_the_same_run_gives_the_same_bytes(run, page, tmp_path, monkeypatch):
    monkeypatch.setattr("epochbandits.report.page.commit", lambda: None)
    write_page(tmp_path / "index.html", run, code="abcdef")
    written = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert written.rpartition("\n<!-- sha256 ")[0] == page


@pytest.mark.parametrize(
    ("place", "parts"),
    [
        ("Section 5.2.2, Fig. 4b", {("Section", "5.2.2"), ("Fig", "4b")}),
        ("Figs 3b and 3c", {("Fig", "3b"), ("Fig", "3c")}),
        ("Fig. 6, Algorithm 1", {("Fig", "6"), ("Algorithm", "1")}),
        ("Section 5.3, last paragraph", {("Section", "5.3")}),
        ("somewhere", set()),
    ],
)
def test_the_parts_of_the_paper_that_a_place_names(place, parts):
    assert references(place) == parts


def test_a_finding_is_linked_with_the_claims_on_the_same_part(page):
    card = page[page.index('id="finding2-decay"') : page.index('id="verdicts"')]
    assert card.count('class="mini"') == 9  # every other claim is on Fig. 4b
    assert page.count('href="#finding2-decay"') == 9
    assert "Finding 2" in card


def test_only_the_requested_figures_are_shown(run):
    text = Elements(build_page(run, figures=SHOWN[:1])).text
    assert f"The caption of {SHOWN[0]}." in text
    assert f"The caption of {SHOWN[1]}." not in text


def test_a_run_without_verdicts_says_so(tmp_path):
    text = " ".join(Elements(build_page(make_run(tmp_path / "quick", assessed=False))).text.split())
    assert "No claim is assessed in this run." in text
    assert "say nothing about the paper" in text


def test_the_number_of_claims_without_verdict_is_shown(elements):
    assert "1 of 17 claims are not assessed in this run." in " ".join(elements.text.split())
    for verdict in VERDICTS[:-1]:
        assert re.search(rf"4\s+{verdict}", elements.text)


@pytest.mark.parametrize("lacking", ["claims.json", f"{SHOWN[0]}.png", f"data/{SHOWN[1]}.parquet"])
def test_an_incomplete_folder_is_refused(tmp_path, lacking):
    folder = make_run(tmp_path / "made")
    (folder / lacking).unlink()
    with pytest.raises(InputError, match=f"lacks {lacking}; "):
        build_page(folder)


def test_a_requested_figure_must_exist(run):
    with pytest.raises(InputError, match=r"lacks fig2a_stationary\.json; make all figures first"):
        build_page(run, figures=["fig2a_stationary"])


def test_a_claim_shows_both_verdicts_in_words(elements):
    text = " ".join(elements.text.split())
    assert "In the paper’s setting" in text
    assert "Beyond it" in text
    assert "final regret at γ divided by that at 1: 1.00 (0.90 to 1.10) for condition 0" in text
    assert "final regret at γ divided by that at 1: 1.00 (0.90 to 1.10); claimed: below 1" in text
    assert "1 of 2 conditions" in text
    assert text.count("; undetermined with a threshold of 1.8") == 1
    assert "undetermined with linear = 1.8" in text
    assert "of 6 conditions" in text
    assert "the state is drawn afresh from its distribution at each iteration" in text
    assert "below 1; in all cases" in text
    assert "literal, 4×4, marginal, n = 16,000" in text
    assert "not vacuous from n = 9,000 (median over instances)" in text
    assert "a fixed arm is called linear" in text


def test_publishing_copies_figures_and_verdicts_of_a_whole_run(tmp_path):
    source = tmp_path / "paper"
    names = [f"{name}.{end}" for name in FIGURES for end in ("pdf", "png", "svg", "json")]
    names += [f"data/{name}.parquet" for name in FIGURES] + ["claims.json"]
    (source / "data").mkdir(parents=True)
    for name in names:
        (source / name).write_text(name)
    (source / "claims.json").unlink()
    with pytest.raises(InputError, match=r"lacks claims\.json"):
        publish.publish(source, tmp_path / "published")
    (source / "claims.json").write_text("verdicts")
    publish.publish(source, tmp_path / "published")
    for name in names:
        assert (tmp_path / "published" / name).read_text() == (source / name).read_text()


# --- numbers --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "interval", "shown"),
    [
        (0.32137, [0.32037, 0.32237], ("0.3214", "0.3204 to 0.3224")),
        (1234.5, [1100.0, 1400.0], ("1,234", "1,100 to 1,400")),
        (-0.5, [-0.61, -0.39], ("−0.50", "−0.61 to −0.39")),
        (2.5e-7, [2.1e-7, 2.9e-7], ("2.50 × 10⁻⁷", "2.10 × 10⁻⁷ to 2.90 × 10⁻⁷")),
        (0.0, [-0.01, 0.01], ("0.000", "−0.010 to 0.010")),
        (0.999712, [0.9997119, 0.9997121], ("0.999712", "0.999712 to 0.999712")),
        (2.0, [None, None], ("2", "−∞ to ∞")),
        (2.0, [1.5, None], ("2", "1.5 to ∞")),
        (0.3333, [0.3333, 0.3333], ("0.333", "± 0")),
        (None, None, ("–", "")),
    ],
)
def test_an_estimate_has_the_digits_that_its_interval_supports(value, interval, shown):
    assert estimate(value, interval) == shown


def test_amounts_and_sizes():
    assert [amount(x) for x in (None, 0.0, 0.6667, 12345.0, 3e6)] == [
        "–", "0", "0.667", "12,345", "3.00 × 10⁶"]  # fmt: skip
    assert [size(n) for n in (20, 5190, 1_250_000)] == ["0.1 kB", "5.19 kB", "1.2 MB"]


def test_positions_on_an_axis():
    axis = Axis([1.0, 3.0, None])
    assert (axis.position(1.0), axis.position(2.0), axis.position(3.0)) == (4.0, 50.0, 96.0)
    assert axis.bar({"estimate": 2.0, "interval": [None, 3.0]}) == {"at": 50, "low": 0, "high": 96}
    assert axis.bar({"condition": "none"}) is None
    decades = Axis([1e-4, 1.0])
    assert decades.log
    assert decades.position(1e-2) == 50.0
    assert not Axis([-1.0, 100.0]).log
    assert Axis([5.0]).position(5.0) == 50.0
    assert Axis([]).position(None, 7.0) == 7.0


# --- pictures and commits -------------------------------------------------------------------------


def test_a_smaller_picture_has_the_same_points():
    points = [(10.123 + 7.321 * i, 200 - 0.677 * i * (i % 3)) for i in range(40)]
    curve = "M " + " L ".join(f"{x:.4f} {y:.4f}" for x, y in points)
    svg = f'<?xml?>\n<svg viewBox="0 0 9 9">\n <path d="{curve}" id="a"/>\n <!-- no -->\n</svg>\n'
    text = minified(svg)
    assert text.startswith("<svg viewBox='0 0 9 9'><path d='M10.1 200l")
    assert "id=" not in text
    x = y = 0.0
    numbers = [float(n) for n in re.findall(r"-?\d*\.?\d+", text.split("d='")[1].split("'")[0])]
    for (dx, dy), point in zip(zip(numbers[::2], numbers[1::2], strict=True), points, strict=True):
        x, y = x + dx, y + dy
        assert (x, y) == pytest.approx(point, abs=0.0501)


def test_a_folder_without_git_has_no_commit(tmp_path):
    assert commit(tmp_path) is None
    (tmp_path / ".git").mkdir()
    assert commit(tmp_path) is None


def test_each_study_is_listed_with_its_question(elements):
    """The links lead to the page that `make studies` writes beside this one."""
    assert list(STUDY_TEXTS) == [name for name in SPECS if name.startswith("study")]
    links = {a.get("href") for a in elements.having("a")}
    assert {f"../studies/index.html#{slug(name)}" for name in STUDY_TEXTS} <= links
    assert all(text.question in elements.text for text in STUDY_TEXTS.values())
    assert "Figure of the published run" not in elements.text


def test_each_study_is_shown_with_its_published_figure_and_conclusion(run):
    page = build_page(run, figures=SHOWN[:1], studies=published_digest())
    elements = Elements(page)
    assert len(page) < 3_000_000
    lazy = [image for image in elements.having("img") if image.get("loading") == "lazy"]
    assert len(lazy) == len(STUDY_TEXTS)
    assert {slug(name) for name in STUDY_TEXTS} <= {a.get("id") for a in elements.having("details")}
    for text in STUDY_TEXTS.values():
        assert f"Takeaway: {text.conclusion}" in elements.text


@pytest.fixture
def repository(tmp_path):
    """Return a copy of the files behind the studies' part of a page."""
    for path in map(Path, published_files()):
        copy = tmp_path / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    return tmp_path


@pytest.mark.parametrize("name", ["study2_any_policy.svg", "data/study2_any_policy.parquet"])
def test_an_altered_file_of_a_published_study_is_refused(repository, name):
    path = repository / "figures" / "published" / "studies" / name
    before = published_digest(repository)
    path.write_bytes(path.read_bytes() + b" ")
    with pytest.raises(InputError, match="changed during the run"):
        studies(before, repository)
    with pytest.raises(InputError, match=f"{path.name}: does not match the checksum"):
        studies(published_digest(repository), repository)


def test_an_altered_sidecar_of_a_published_study_is_refused(repository):
    path = repository / "figures" / "published" / "studies" / "study2_any_policy.json"
    path.write_text(path.read_text(encoding="utf-8").replace("20", "21"), encoding="utf-8")
    with pytest.raises(InputError, match="was changed after it was written"):
        studies(published_digest(repository), repository)


def test_without_the_repository_a_study_has_no_picture(tmp_path):
    shown = studies(published_digest(tmp_path), tmp_path)
    assert [(study["question"], study["conclusion"]) for study in shown] == list(
        STUDY_TEXTS.values()
    )
    assert {study["figure"] for study in shown} == {None}
