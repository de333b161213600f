"""Wrong versions of compiled functions, to show that a test notices them."""

import inspect
import sys


def mutate(monkeypatch, function, old, new):
    """Replace a piece of a compiled function's source, which must be there exactly once.

    Only calls that run as Python see the change, and nothing is compiled: the function keeps its
    identity, so that whoever imported it calls the mutant too.
    """
    python = function.py_func
    source = inspect.getsource(python)
    assert source.count(old) == 1, f"{python.__name__} has {old!r} {source.count(old)} times"
    scope = {**vars(sys.modules[python.__module__])}
    scope["inlined"] = scope["kernel"] = lambda plain: plain
    exec(source.replace(old, new), scope)
    monkeypatch.setattr(python, "__code__", scope[python.__name__].__code__)
