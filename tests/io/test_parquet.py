"""Tables on disk: what was written is read back, and anything else is refused."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from epochbandits import limits
from epochbandits.io import parquet
from epochbandits.io.parquet import scan
from epochbandits.io.tables import Column, Table
from epochbandits.validation import InputError
from patience import PATIENCE  # tests/patience.py

KIND = Table(
    "sample",
    (
        Column("name", "text", "name", "a name"),
        Column("n", "int", "epochs", "a count"),
        Column("x", "float", "reward", "a number"),
    ),
    ("name", "n"),
)
COLUMNS = {"name": ["b", "a", "a"], "n": [1, 2, 1], "x": [0.5, np.nan, -0.0]}


@pytest.fixture
def path(tmp_path):
    target = tmp_path / "t.parquet"
    parquet.write(target, KIND, COLUMNS, {"code": "abc", "seeds": np.int64(3)})
    return target


def test_rows_are_sorted_and_come_back(path):
    stored = parquet.read(path, KIND)
    assert stored.columns["name"].tolist() == ["a", "a", "b"]
    assert stored.columns["n"].tolist() == [1, 2, 1]
    np.testing.assert_array_equal(stored.columns["x"], [-0.0, np.nan, 0.5])
    assert np.signbit(stored.columns["x"][0])


def test_the_file_carries_metadata_and_units(path):
    about = parquet.about(path)
    assert about["table"] == "sample"
    assert about["code"] == "abc"
    assert about["seeds"] == 3
    assert {"epochbandits", "numpy", "numba", "pyarrow", "python"} <= set(about["versions"])
    schema = pq.read_schema(path)
    assert schema.field("n").metadata[b"unit"] == b"epochs"
    assert schema.field("x").type == pa.float64()


def test_same_content_gives_same_bytes(path, tmp_path):
    again = tmp_path / "again.parquet"
    backwards = {name: column[::-1] for name, column in COLUMNS.items()}
    parquet.write(again, KIND, backwards, {"seeds": 3, "code": "abc"})
    assert again.read_bytes() == path.read_bytes()


def test_the_checksum_of_a_table_is_what_it_was(path):
    """Published tables have it: another formula would refuse them all."""
    entries = pq.read_metadata(path).metadata
    digest = hashlib.sha256(entries[b"about"])
    columns = parquet.read_any(path).columns
    for field in pq.read_schema(path):
        values = columns[field.name]
        digest.update(f"{field.name}:{field.type}:{len(values)}".encode())
        is_text = pa.types.is_string(field.type)
        digest.update(json.dumps(values.tolist()).encode() if is_text else values.tobytes())
    assert digest.hexdigest() == entries[b"digest"].decode()


def test_empty_places_are_not_written(tmp_path):
    columns = {**COLUMNS, "name": ["b", None, "a"]}
    with pytest.raises(InputError, match="a sample table must not have missing values: name"):
        parquet.write(tmp_path / "t.parquet", KIND, columns, {})


def test_columns_must_be_those_of_the_schema(tmp_path):
    with pytest.raises(InputError, match="has the columns name, n, x, not name, n"):
        parquet.write(tmp_path / "t.parquet", KIND, {"name": ["a"], "n": [1]}, {})
    assert list(tmp_path.iterdir()) == []


def test_other_code_is_refused(path):
    assert list(scan(path, KIND, {"code": "abc"}))
    with pytest.raises(InputError, match=r"t\.parquet: its entry 'code' differs"):
        list(scan(path, KIND, {"code": "abd"}))
    with pytest.raises(InputError, match="its entry 'key' differs"):
        list(scan(path, KIND, {"key": "x", "code": "abc"}))


def test_another_kind_is_refused(path):
    other = KIND._replace(name="other")
    with pytest.raises(InputError, match="is not a other table"):
        parquet.read(path, other)
    fewer = KIND._replace(columns=KIND.columns[:2], order=())
    with pytest.raises(InputError, match="is not a sample table with the columns name, n"):
        parquet.read(path, fewer)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match=r"none\.parquet: does not exist"):
        parquet.read(tmp_path / "none.parquet", KIND)


def test_a_foreign_table_is_refused(tmp_path):
    pq.write_table(pa.table({"x": [1.0]}), tmp_path / "o.parquet")
    with pytest.raises(InputError, match="not written by epochbandits"):
        parquet.read(tmp_path / "o.parquet", KIND)


def test_altered_values_are_refused(path):
    table = pq.read_table(path)
    altered = table.set_column(2, table.schema.field("x"), pa.array([0.0, 0.0, 0.5]))
    pq.write_table(altered, path)
    with pytest.raises(InputError, match="checksum differs"):
        parquet.read(path, KIND)


def test_altered_metadata_is_refused(path):
    table = pq.read_table(path)
    metadata = dict(table.schema.metadata)
    metadata[b"about"] = json.dumps(json.loads(metadata[b"about"]) | {"code": "xyz"}).encode()
    pq.write_table(table.replace_schema_metadata(metadata), path)
    with pytest.raises(InputError, match="checksum differs"):
        parquet.read(path, KIND)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 0.99])
def test_a_truncated_file_is_refused(path, share):
    content = path.read_bytes()
    path.write_bytes(content[: int(share * len(content))])
    with pytest.raises(InputError, match=r"t\.parquet: it is damaged"):
        parquet.read(path, KIND)


def test_no_flipped_bit_changes_a_value(path):
    """Every bit of the file in turn: it is refused, or the values are as they were."""
    content = path.read_bytes()
    good = parquet.read(path, KIND)
    refused = 0
    for position in range(len(content)):
        bits = bytearray(content)
        bits[position] ^= 1 << (position % 8)
        path.write_bytes(bits)
        try:
            stored = parquet.read(path, KIND)
        except InputError:
            refused += 1
            continue
        assert stored.about == good.about
        for name in KIND.names:
            np.testing.assert_array_equal(stored.columns[name], good.columns[name])
    assert refused > len(content) / 2


def test_pieces_give_the_same_file(path, tmp_path, monkeypatch):
    """Groups of two rows, from pieces of one and two."""
    monkeypatch.setattr(parquet, "_GROUP", 2)
    about = {"code": "abc", "seeds": 3}
    parquet.write(path, KIND, COLUMNS, about)
    order = [[2], [1, 0]]
    pieces = [{name: [c[i] for i in rows] for name, c in COLUMNS.items()} for rows in order]
    parquet.write_pieces(tmp_path / "p.parquet", KIND, iter(pieces), about)
    assert (tmp_path / "p.parquet").read_bytes() == path.read_bytes()
    assert pq.ParquetFile(path).num_row_groups == 2
    assert parquet.read(path, KIND).columns["n"].tolist() == [1, 2, 1]


def test_a_large_table_is_refused_before_it_is_read(path, monkeypatch):
    monkeypatch.setattr(limits, "MAX_TABLE_BYTES", 60)
    monkeypatch.setattr(pq.ParquetFile, "read", lambda _: pytest.fail("it was read"))
    with pytest.raises(InputError, match="it claims 3 rows and"):
        parquet.about(path)


BOMB = """
import sys; sys.path.insert(0, sys.argv[1])
from peak import peak_memory
from epochbandits.io import parquet
from epochbandits.validation import InputError
try:
    parquet.read_any(sys.argv[2])
except InputError as error:
    print(error, peak_memory(), sep="|")
"""


@pytest.mark.parametrize(
    ("length", "rows", "reason"),
    [
        (60_000, 20_000, "its column name has over 1 GB of text"),
        (3 * 2**20, 500, "its column name has a string of over 65536 bytes"),
        (300 * 2**20, 1, "its column name has over 16 MB of text"),
        (3 * 2**20, 0, "was not written by"),
    ],
)
def test_long_texts_are_refused_before_they_are_copied(path, length, rows, reason):
    """A few kilobytes on disk name one text in many rows: 1.2 GB in memory, or more."""
    table = pq.read_table(path)
    long = pa.array(["a" * length]).dictionary_encode().dictionary
    texts = pa.DictionaryArray.from_arrays(pa.array([0] * (rows or 20)), long)
    count = len(texts)
    columns = {"name": texts, "n": pa.array(range(count)), "x": pa.array([0.5] * count)}
    fields = [f.with_type(texts.type) if f.name == "name" else f for f in table.schema]
    schema = pa.schema(fields, metadata=table.schema.metadata)
    bomb = pa.Table.from_arrays([columns[n] for n in schema.names], schema=schema)
    if rows:
        with pq.ParquetWriter(path, schema, compression="zstd", store_schema=False) as writer:
            writer.write_table(bomb)
            writer.add_key_value_metadata(schema.metadata)
    else:  # an encoding that says how much of the text before is repeated
        bomb = bomb.cast(table.schema)
        encoding = {"name": "DELTA_BYTE_ARRAY"}
        pq.write_table(bomb, path, use_dictionary=False, column_encoding=encoding)
    assert path.stat().st_size < 4e6
    here = str(Path(__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", BOMB, here, str(path)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    message, peak = done.stdout.split("|")
    assert reason in message, done.stderr
    assert int(peak) < 400e6
