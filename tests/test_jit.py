"""The cache of compiled code: its name, damaged files, and folders of others."""

import ast
import importlib.util
import inspect
import os
import pkgutil
import sys
from pathlib import Path

import pytest
from numba.core.registry import CPUDispatcher

from epochbandits import engine, failure_example, jit, policies, simulate
from epochbandits.engine import fast, iterations
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


def origins(module):
    """Return the modules that the names of a module are imported from."""
    modules = {}
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.ImportFrom) and node.module.startswith("epochbandits"):
            modules |= {alias.asname or alias.name: node.module for alias in node.names}
    return modules


def modules_of_functions():
    """Yield the modules of all compiled functions, and of what they use by name."""
    for package in (engine, policies):
        for info in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            for function in vars(importlib.import_module(info.name)).values():
                if isinstance(function, CPUDispatcher):
                    yield function.py_func.__module__
                    imported = origins(sys.modules[function.py_func.__module__])
                    names = inspect.getclosurevars(function.py_func).globals
                    yield from (imported[name] for name in names if name in imported)
    for policy in policies.POLICIES.values():  # a registration says what is compiled
        yield from (policy.build.__module__, policy.memory.__module__)


def modules_of_tuples(value):
    """Yield the modules of a NamedTuple and of those in it, which make the type of an argument."""
    if isinstance(value, tuple):
        yield from [type(value).__module__] if hasattr(value, "_fields") else []
        for part in value:
            yield from modules_of_tuples(part)


def test_every_file_that_compiled_code_uses_is_part_of_the_name(monkeypatch):
    calls = []
    for module in (fast, iterations):
        monkeypatch.setattr(module, "_enter_run", lambda *args: calls.append(args) or args[-1])
    simulate(failure_example(), "epoch-ucb", epochs=2, seeds=1)
    simulate(failure_example(), "ucb", iterations=2, seeds=1)
    assert len(calls) == 2
    used = {*modules_of_functions(), *modules_of_tuples(tuple(calls))}
    files = {Path(sys.modules[name].__file__) for name in used}
    assert {jit._PACKAGE / name for name in jit._USED} <= files <= set(jit._sources())
    plain = {"duration.py", "simulation.py", "error_locations.py"}
    assert not plain & {path.name for path in jit._sources()}


@pytest.fixture
def configured(tmp_path, monkeypatch):
    folder = tmp_path / "numba"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(folder))
    return folder


def test_a_private_folder_is_used(configured):
    folder = jit._cache_folder.__wrapped__()
    assert folder.parent == configured
    assert folder.stat().st_mode & 0o777 == 0o700


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
