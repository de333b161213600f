"""Wrong versions of functions, to show that a test notices them."""

import inspect
import sys
import textwrap


def mutate(monkeypatch, function, old, new):
    """Replace a piece of a function's source, which must be there exactly once.

    If the function is compiled, only calls that run as Python see the change. It keeps its
    identity, so that whoever imported it calls the mutant too.
    """
    python = getattr(function, "py_func", function)
    source = textwrap.dedent(inspect.getsource(python))
    assert source.count(old) == 1, f"{python.__name__} has {old!r} {source.count(old)} times"
    scope = {**vars(sys.modules[python.__module__])}
    scope["inlined"] = scope["kernel"] = lambda plain: plain
    exec(source.replace(old, new), scope)
    monkeypatch.setattr(python, "__code__", scope[python.__name__].__code__)
