"""Whatever an input file contains, its reader accepts it or raises `InputError`.

Examples are the same in every run (`derandomize`), and few enough for all tests here to take
seconds.
"""

import copy
import hashlib
import json
import tempfile
from contextlib import suppress
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from epochbandits import Instance
from epochbandits.config import load, load_files, read_yaml
from epochbandits.io import opening, parquet
from epochbandits.io.tables import TYPES, Column, Table
from epochbandits.planning.loading import check_figures
from epochbandits.validation import InputError

ROOT = Path(__file__).parents[1]
PAPER = read_yaml(ROOT / "config" / "paper.yaml")
QUICK = (ROOT / "config" / "quick.yaml").read_bytes()
INSTANCE = {
    "name": "two",
    "transition": [[[0.9, 0.1], [0.2, 0.8]], [[0.5, 0.5], [0.4, 0.6]]],
    "rewards": [
        [{"law": "bernoulli", "p": 0.9}, {"law": "beta", "a": 2.0, "b": 3.0}],
        [{"law": "uniform", "low": 0.1, "high": 0.3}, {"law": "constant", "value": 0.25}],
    ],
    "initial": [1.0, 0.0],
}
KIND = Table(
    "sample",
    (Column("name", "text", "1", "a name"), Column("n", "int", "1", "a count")),
    ("name", "n"),
)

few = settings(max_examples=60, deadline=None, derandomize=True, database=None)


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


odd = st.one_of(
    st.sampled_from([
        None, True, 0, -1, 10**30, 10**400, 2**64, 1e308, -0.0, float("nan"), float("inf"), "",
        "../x", "/etc/passwd", "a\0b", "\ud800", "é" * 100, "x" * 10_000, [], {}, [[]], ["a", "a"],
        {"a": 1}, [None], nested(40), nested(300), [0] * 3000, "os:system", "1e5", 100_001,
        {"files": ["x"]}, {"class": "failure"}, {"law": "beta"},
    ]),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=5,
    ),
)  # fmt: skip
keys = st.one_of(
    st.sampled_from(["code", "files", "class", "policy", "law", "run", "x]", "[key]", "drawn"]),
    st.text(max_size=5),
)


def places(value, path=()):
    """Yield the path of every node but the root."""
    entries = value.items() if isinstance(value, dict) else enumerate(value)
    for key, entry in entries:
        yield (*path, key)
        if isinstance(entry, dict | list):
            yield from places(entry, (*path, key))


@st.composite
def mutations(draw, value):
    """Replace, remove, add or repeat some nodes of a value."""
    value = copy.deepcopy(value)
    for _ in range(draw(st.integers(1, 3))):
        paths = list(places(value))
        if not paths:
            break
        *outer, last = draw(st.sampled_from(paths))
        at = value
        for key in outer:
            at = at[key]
        how = draw(st.sampled_from(["replace", "replace", "replace", "remove", "add"]))
        if how == "replace":
            at[last] = copy.deepcopy(draw(odd))
        elif how == "remove":
            del at[last]
        elif isinstance(at, dict):
            at[draw(keys)] = copy.deepcopy(draw(odd))
        else:
            at.append(copy.deepcopy(at[last]))
    return value


@st.composite
def damaged(draw, content, insertions=(b"\0",)):
    """Change, remove, insert and truncate bytes."""
    content = bytearray(content)
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, max(0, len(content) - 1)))
        how = draw(st.sampled_from(["alter", "alter", "cut", "put", "end"]))
        if how == "alter" and content:
            content[place] = draw(st.sampled_from([0, 127, 128, 255]) | st.integers(0, 255))
        elif how == "cut":
            del content[place : place + draw(st.sampled_from([1, 4, 50]))]
        elif how == "put":
            content[place:place] = draw(st.sampled_from(insertions))
        elif draw(st.booleans()):
            del content[place:]
    return bytes(content)


@pytest.fixture(scope="module")
def path():
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "file"


def read_or_refuse(read):
    """Call a reader, which may refuse its input with a short message that can be printed."""
    message = ""
    try:
        read()
    except InputError as error:
        message = str(error)
    assert len(message.encode()) < 25_000  # the corrected YAML may contain a long value


# --- instances ------------------------------------------------------------------------------------


@few
@given(st.binary(max_size=60) | damaged(json.dumps(INSTANCE).encode(), (b"[", b"{", b"1e999")))
def test_bytes_as_an_instance(path, content):
    path.write_bytes(content)
    read_or_refuse(lambda: Instance.from_json(path).report())


@few
@given(mutations(INSTANCE) | odd)
def test_altered_instances(path, value):
    path.write_text(json.dumps(value))
    read_or_refuse(lambda: Instance.from_json(path).report())


# --- configurations -------------------------------------------------------------------------------

YAML_PARTS = (
    b"&a ", b"*a", b"<<: ", b"[", b"{", b"!!python/name:os.system ", b"!!binary ", b"!!set ",
    b"0x" + b"f" * 5000, b"2001-99-99", b"1:1:1", b"!!int x", b"? ", b": ", b"- ", b"\n", b"'",
)  # fmt: skip


@few
@given(st.binary(max_size=60) | damaged(QUICK, YAML_PARTS))
def test_bytes_as_a_configuration(path, content):
    path.write_bytes(content)
    read_or_refuse(lambda: load_files([path]))


@few
@given(mutations(PAPER))
def test_altered_configurations(path, config):
    path.write_text("run: x\n")
    read_or_refuse(lambda: check_figures(load(config, [path])))


@settings(few, max_examples=8)
@given(mutations({"run": "x", "policies": PAPER["policies"], "bounds": PAPER["bounds"]}))
def test_altered_configurations_from_a_file(path, config):
    try:
        text = yaml.safe_dump(config)
    except RecursionError:
        return
    path.write_bytes(text.encode(errors="surrogatepass"))
    read_or_refuse(lambda: load_files([ROOT / "config" / "paper.yaml", path]))


# --- tables ---------------------------------------------------------------------------------------


def table_bytes():
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "t.parquet"
        parquet.write(file, KIND, {"name": ["a", "b"], "n": [1, 2]}, {"code": "abc"})
        return file.read_bytes()


@settings(few, max_examples=150)
@given(st.binary(max_size=60) | damaged(table_bytes()))
def test_bytes_as_a_table(path, content):
    path.write_bytes(content)
    read_or_refuse(lambda: parquet.read(path, KIND))
    read_or_refuse(lambda: parquet.about(path))


COLUMNS = st.sampled_from([
    pa.array([1, 2]), pa.array([1, None]), pa.array([0.5, float("nan")]), pa.array(["a", None]),
    pa.array([None, None]), pa.array([[1], []]), pa.array([{"a": 1}, None]),
    pa.array([b"\xff", b""]),
    pa.array(["a", "b"]).dictionary_encode(), pa.array([1, 2], pa.uint8()), pa.array([True, False]),
    pa.array(np.array(["2020-01-01", "NaT"], dtype="datetime64[us]")), pa.array([[("a", 1)], []],
    pa.map_(pa.string(), pa.int64())), pa.array([1, 2], pa.decimal128(5, 2)),
])  # fmt: skip


def signature(path, table, about):
    """Return the digest that such a table would have if it were ours."""
    pq.write_table(table, path)
    texts = [field.name for field in table.schema if pa.types.is_string(field.type)]
    digest = hashlib.sha256(about)
    # Missing values have no digest.
    with suppress(InputError), opening.open_parquet(path, texts) as file:
        list(parquet._columns(path, file, table.schema, digest))
    return digest.hexdigest()


@few
@given(
    st.dictionaries(st.sampled_from(["name", "n", "x", ""]), COLUMNS, min_size=1),
    st.sampled_from([b"{}", b"[]", b"1", b"{", b"\xff", b"[" * 5000, b'{"table": "sample"}']),
    st.booleans(),
)
def test_foreign_tables(path, columns, about, signed):
    """Tables with other columns and metadata, with and without a valid digest."""
    table = pa.table(columns)
    digest = "0"
    ours = all(field.type in TYPES.values() for field in table.schema)
    if signed and ours and about != b"\xff":  # the types of others are refused before any value
        digest = signature(path, table, about)
    pq.write_table(table.replace_schema_metadata({"about": about, "digest": digest}), path)
    read_or_refuse(lambda: parquet.read(path, KIND))
    read_or_refuse(lambda: parquet.about(path))
