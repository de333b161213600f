"""Where in a user's code an error was raised, for the message that reports it."""

from __future__ import annotations

import inspect
import traceback
from typing import Any


def raised_at(error: BaseException, called: Any) -> str:
    """Return ``" (file, line N)"`` of an error that a call of ``called`` raised.

    It is the last line in the file of the called function that ran before the error: the user's
    code, not that of a library. An error of the call itself, such as a wrong number of arguments,
    is at the function's definition.
    """
    frames = traceback.extract_tb(error.__traceback__)[1:]
    if not frames:
        return defined_at(called)
    file = frames[0].filename
    line = [frame.lineno for frame in frames if frame.filename == file][-1]
    return f" ({file}, line {line})"


def defined_at(function: Any) -> str:
    """Return ``" (file, line N)"`` of a function's or class's definition, or nothing."""
    code = getattr(inspect.unwrap(function), "__code__", None) if callable(function) else None
    if code is not None:
        return f" ({code.co_filename}, line {code.co_firstlineno})"
    try:
        return f" ({inspect.getsourcefile(function)}, line {inspect.getsourcelines(function)[1]})"
    except (TypeError, OSError, IndexError, SyntaxError):
        return ""


def import_place(error: BaseException, module: str) -> str:
    """Return ``" (file, line N)"`` of an error that importing a module or file raised, or nothing.

    A module that does not exist has no line.
    """
    if isinstance(error, SyntaxError) and error.filename:
        return f" ({error.filename}, line {error.lineno})"
    ending = module if module.endswith(".py") else f"{module.replace('.', '/')}.py"
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename.endswith(ending)]
    return f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""
