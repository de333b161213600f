"""The cache of compiled code: damaged files are made again, folders of others are refused."""

import importlib.util
import os
from pathlib import Path

import pytest

from epochbandits import jit
from epochbandits.validation import InputError

SOURCE = """
from epochbandits.jit import entry

@entry
def twice(x):
    return 2 * x
"""


@pytest.fixture
def load(tmp_path, monkeypatch):
    """Return a function that imports a compiled function, as a new process would."""
    (tmp_path / "cache").mkdir()
    monkeypatch.setattr(jit, "_cache_folder", lambda: tmp_path / "cache")
    (tmp_path / "compiled_here.py").write_text(SOURCE)

    def function():
        spec = importlib.util.spec_from_file_location(
            "compiled_here", tmp_path / "compiled_here.py"
        )
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.twice

    return function


@pytest.mark.parametrize("end", ["nbi", "nbc"])
@pytest.mark.parametrize("size", [0, 40])
def test_a_cache_file_that_was_cut_is_made_again(load, tmp_path, end, size):
    assert load()(3) == 6
    (file,) = (tmp_path / "cache").rglob(f"*.{end}")
    whole = file.read_bytes()
    file.write_bytes(whole[:size])
    again = load()
    assert again(3) == 6
    assert sum(again.stats.cache_hits.values()) == 0
    third = load()
    assert third(3) == 6
    assert sum(third.stats.cache_hits.values()) == 1
    assert len(file.read_bytes()) > 40


@pytest.fixture
def configured(tmp_path, monkeypatch):
    folder = tmp_path / "numba"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(folder))
    return folder


def test_a_private_folder_is_used(configured):
    found = jit._cache_folder.__wrapped__()
    assert found.parent == configured
    assert found.stat().st_mode & 0o777 == 0o700


def test_a_folder_that_everyone_may_write_to_is_refused(configured):
    configured.chmod(0o777)
    with pytest.raises(InputError, match=r"may write to; run 'chmod go-w "):
        jit._cache_folder.__wrapped__()
    configured.chmod(0o1777)  # like /tmp
    assert jit._cache_folder.__wrapped__().parent == configured


def test_compiled_code_that_the_group_may_write_is_refused(configured):
    jit._cache_folder.__wrapped__().chmod(0o770)
    with pytest.raises(InputError, match="which another user owns or may write to"):
        jit._cache_folder.__wrapped__()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
@pytest.mark.parametrize("outer", [True, False])
def test_a_folder_of_another_user_is_refused(configured, outer):
    inner = jit._cache_folder.__wrapped__()
    os.chown(configured if outer else inner, 12345, 12345)
    with pytest.raises(InputError, match="which another user owns"):
        jit._cache_folder.__wrapped__()


def test_without_a_configured_folder_an_open_one_is_passed_over(tmp_path, monkeypatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    is_private = jit._is_private
    package = Path(jit.__file__).parent
    monkeypatch.setattr(
        jit, "_is_private", lambda base, folder: package not in base.parents and
        is_private(base, folder),
    )  # fmt: skip
    assert jit._cache_folder.__wrapped__().parent == tmp_path / "epochbandits"
