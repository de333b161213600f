"""Forged publications, with a manifest that fits: their files contradict one another."""

import os
import shutil
from pathlib import Path

import pytest

from epochbandits.io import files, parquet
from epochbandits.io.tables import Column, Table
from epochbandits.provenance.code_hash import file_digest
from epochbandits.release.bindings import check_bindings
from epochbandits.release.manifest import check_manifest, write_manifest
from epochbandits.release.verify import Published
from epochbandits.validation import InputError

ROOT = Path(__file__).parents[2]
CAPTIONS = str(ROOT / "workflow" / "report")
FIGURE = "fig4a_ucb_vs_greedy"
TABLE = f"data/{FIGURE}.parquet"
FINALS = "data/paper/aggregates/epochs/finals.parquet"


@pytest.fixture(scope="module")
def genuine():
    return Published(ROOT / "figures" / "published", ROOT / "config" / "paper.yaml")


def sealed(folder, name, change):
    content = files.read_sealed(folder / name)
    change(content)
    (folder / name).unlink()  # not the genuine file, of which it is a link
    files.write_sealed(folder / name, content)


def halved(folder, name):
    """Halve the regret in a table, with a checksum that fits."""
    columns, about = parquet.read_any(folder / name)
    kinds = {"i": "int", "f": "float", "O": "text"}
    entries = [Column(n, kinds[c.dtype.kind], "1", "") for n, c in columns.items()]
    columns["expected_regret"] = columns["expected_regret"] / 2
    (folder / name).unlink()
    parquet.write(folder / name, Table(about["table"], tuple(entries), ()), columns, about)


def other_picture(folder):
    (folder / f"{FIGURE}.svg").unlink()
    shutil.copy(folder / "fig1a_failure_arms.svg", folder / f"{FIGURE}.svg")


def other_table_and_sidecar(folder):
    halved(folder, FINALS)
    content = files.read_sealed(folder / f"{FIGURE}.json")["inputs"]
    content[FINALS] = file_digest(folder / FINALS)
    sealed(folder, f"{FIGURE}.json", lambda c: c.update(inputs=content))


FORGERIES = {
    "does not match the checksum": other_picture,
    "does not match the checksum in fig4a": lambda folder: halved(folder, TABLE),
    "is not the table that .* was drawn from": lambda folder: halved(folder, FINALS),
    "was not made from the inputs": other_table_and_sidecar,
    "its caption is not": lambda folder: sealed(
        folder, f"{FIGURE}.json", lambda c: c.update(caption="All claims hold.")
    ),
    "its configuration is not": lambda folder: sealed(
        folder,
        f"{FIGURE}.json",
        lambda c: c["configuration"]["experiments"]["epochs"].update(seeds=10**6),
    ),
    "its root is not": lambda folder: sealed(
        folder, "claims.json", lambda c: c["about"].update(root=2)
    ),
    "its thresholds are not": lambda folder: sealed(
        folder, "claims.json", lambda c: c["thresholds"].update(linear=1.0)
    ),
    "belongs to no figure": lambda folder: (folder / "fig7_new.svg").write_text("<svg/>"),
    "is missing": lambda folder: (folder / f"{FIGURE}.pdf").unlink(),
}


def test_the_publication_is_of_one_run(genuine):
    assert "45 tables and the ledger: all of one run" in check_bindings(genuine, CAPTIONS)


@pytest.mark.parametrize("sentence", FORGERIES)
def test_a_forgery_is_refused(genuine, sentence, tmp_path):
    folder = tmp_path / "forged"
    shutil.copytree(genuine.folder, folder, copy_function=os.symlink)
    FORGERIES[sentence](folder)
    (folder / "manifest.json").unlink()
    write_manifest(folder)
    forged = object.__new__(Published)
    forged.folder, forged.plan, forged.manifest = folder, genuine.plan, check_manifest(folder)
    with pytest.raises(InputError, match=sentence):
        check_bindings(forged, CAPTIONS)
