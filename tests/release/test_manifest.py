"""A publication that was forged: what its manifest and its ledger refuse."""

import json
import shutil
from pathlib import Path

import pytest

from epochbandits.cli.main import main
from epochbandits.io import parquet, tables
from epochbandits.release.manifest import check_manifest, write_manifest
from epochbandits.release.verdicts import compare_ledgers
from epochbandits.release.verify import Published, _compare_tables, compare_all
from epochbandits.validation import InputError

ROOT = Path(__file__).parents[2]
PUBLISHED = ROOT / "figures" / "published"
NAME = "fig2a_stationary"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "data").mkdir()
    for name in (f"{NAME}.svg", f"{NAME}.json", "claims.json", f"data/{NAME}.parquet"):
        shutil.copy(PUBLISHED / name, tmp_path / name)
    (tmp_path / "index.html").write_text("page")
    page = tmp_path / "index.html"
    write_manifest(tmp_path, page)
    return tmp_path


def test_the_published_folder_has_a_manifest_of_all_its_files():
    manifest = check_manifest(PUBLISHED)
    assert len(manifest["files"]) >= 5 * 21 + 1


def test_the_studies_are_a_publication_inside_another(folder):
    (folder / "studies").mkdir()
    shutil.copy(folder / "claims.json", folder / "studies")
    with pytest.raises(InputError, match=r"studies: lacks manifest\.json"):
        check_manifest(folder)
    write_manifest(folder / "studies")
    assert "studies/claims.json" not in check_manifest(folder)["files"]
    (folder / "studies" / "claims.json").write_text("{}")
    with pytest.raises(InputError, match=r"studies/claims\.json: was changed"):
        check_manifest(folder)


@pytest.mark.parametrize(
    "name", [f"{NAME}.svg", f"{NAME}.json", "claims.json", f"data/{NAME}.parquet", "index.html"]
)
def test_an_altered_file_is_refused(folder, name):
    assert check_manifest(folder)["page"]
    content = bytearray((folder / name).read_bytes())
    content[len(content) // 2] ^= 1
    (folder / name).write_bytes(content)
    with pytest.raises(InputError, match=f"{name}: was changed after it was published"):
        check_manifest(folder)
    assert main(["provenance", str(folder / name)]) == 2


def test_a_missing_an_additional_file_and_an_edited_manifest_are_refused(folder, capsys):
    (folder / "more.json").write_text("{}")
    with pytest.raises(InputError, match=r"more\.json: is not in manifest\.json"):
        check_manifest(folder)
    assert main(["provenance", str(folder / "more.json")]) == 2
    assert "was not published" in capsys.readouterr().err
    (folder / "more.json").unlink()
    (folder / "claims.json").unlink()
    with pytest.raises(InputError, match=r"claims\.json: is missing"):
        check_manifest(folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    del manifest["files"]["claims.json"]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(InputError, match=r"manifest\.json: was changed after it was written"):
        check_manifest(folder)
    (folder / "manifest.json").unlink()
    with pytest.raises(InputError, match=r"lacks manifest\.json; run 'make publish'"):
        check_manifest(folder)


def ledger():
    return json.loads((PUBLISHED / "claims.json").read_text(encoding="utf-8"))["claims"]


def test_a_ledger_equals_itself_up_to_the_last_of_its_digits():
    rounded = ledger()
    claim = next(claim for claim in rounded if claim["estimate"])
    claim["estimate"] *= 1 + 1e-6
    compare_ledgers(ledger(), rounded)


def test_any_altered_entry_of_a_ledger_is_named():
    for claim in ledger()[:5]:
        for key in claim:
            forged = ledger()
            (entry,) = [candidate for candidate in forged if candidate["id"] == claim["id"]]
            entry[key] = "forged"
            with pytest.raises(InputError, match=r"(is published as 'forged'|claims differ from)"):
                compare_ledgers(forged, ledger())


def test_cells_and_missing_claims_count():
    forged = ledger()
    cell = next(claim for claim in forged if claim["setting"] and claim["estimate"])["setting"][0]
    cell["verdict"] = "reproduced" if cell["verdict"] != "reproduced" else "undetermined"
    with pytest.raises(InputError, match="setting of "):
        compare_ledgers(forged, ledger())
    with pytest.raises(InputError, match="its claims differ from those"):
        compare_ledgers(ledger()[1:], ledger())


def test_all_needs_a_complete_run_of_this_code(monkeypatch, tmp_path):
    published = Published(PUBLISHED, ROOT / "config" / "paper.yaml")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="--all needs a complete run: 'make figures'"):
        next(compare_all(published, str(ROOT / "workflow" / "report")))


def test_all_compares_every_number_and_every_text(tmp_path):
    path = PUBLISHED / "data" / f"{NAME}.parquet"
    columns, about = parquet.read_any(path)
    kinds = {"i": "int", "f": "float", "O": "text"}
    table = tables.Table(
        f"figure {NAME}",
        tuple(tables.Column(n, kinds[c.dtype.kind], "1", "") for n, c in columns.items()),
        (),
    )

    def compared(**changed):
        parquet.write(tmp_path / "t.parquet", table, columns | changed, about)
        return _compare_tables("all", NAME, str(tmp_path / "t.parquet"), str(path)).difference

    assert compared() == 0
    off = columns["stationary"].copy()
    off[-1] += 1e-9
    assert 0 < compared(stationary=off) < 1e-8
    (text,) = [name for name, column in columns.items() if column.dtype.kind in "iO"][:1]
    other = columns[text].copy()
    other[0] = other[0] * 2 + 1 if columns[text].dtype.kind == "i" else "other"
    assert compared(**{text: other}) == float("inf")
