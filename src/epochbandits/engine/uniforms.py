"""A stream of random numbers whose uniform ones are drawn by inlined code.

NumPy's generators are called through a pointer, which costs more than the draw: the call itself,
and all registers that it may overwrite. `Stream` steps NumPy's SFC64 generator in compiled code
instead, from the state that NumPy seeded, and so gives the same numbers. Everything but uniform
numbers comes from an ordinary generator beside it. Compiled code uses either one as ``rng``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.extending import overload_method
from numpy.typing import NDArray

from epochbandits.jit import INLINED, inlined

_11, _3, _24, _40, _64, _ONE = (np.uint64(n) for n in (11, 3, 24, 40, 64, 1))


class Stream(NamedTuple):
    """Random numbers for compiled code; has the methods of a Generator that kernels call."""

    words: NDArray[np.uint64]
    """(4,): state of SFC64."""
    generator: np.random.Generator

    @classmethod
    def seeded(cls, seeds: np.random.SeedSequence, generator: np.random.Generator) -> Stream:
        """Return a stream whose uniform numbers are those of ``SFC64(seeds)``."""
        state: Any = np.random.SFC64(seeds).state
        return cls(state["state"]["state"].copy(), generator)


# --- loops with the state in registers ------------------------------------------------------------


@inlined
def _step(a, b, c, count):
    """Return 64 random bits, and the next state."""
    out = a + b + count
    return (
        out,
        b ^ (b >> _11),
        c + (c << _3),
        ((c << _24) | (c >> _40)) + out,
        count + _ONE,
    )


@inlined
def _fraction(word):
    """Return the number in [0, 1) that NumPy makes of 64 bits."""
    return (word >> _11) * 2.0**-53


@inlined
def load_words(rng):
    """Return the state of a stream, for the functions below."""
    w = rng.words
    return w[0], w[1], w[2], w[3]


@inlined
def store_words(rng, words):
    """Give a state back to its stream, before the stream is used again."""
    w = rng.words
    w[0], w[1], w[2], w[3] = words


@inlined
def next_bits(words):
    """Return a whole number k, and the next state; k/2^53 is uniform in [0, 1)."""
    word, a, b, c, count = _step(words[0], words[1], words[2], words[3])
    return word >> _11, (a, b, c, count)


@inlined
def next_uniform(words):
    """Return a uniform number in [0, 1), and the next state."""
    bits, words = next_bits(words)
    return bits * 2.0**-53, words


@inlined
def next_column(words, bits):
    """Return a uniform column of 2^bits, a uniform number in [0, 1), and the next state.

    The column comes from the leading bits of a word, and the number from the others.
    """
    word, a, b, c, count = _step(words[0], words[1], words[2], words[3])
    bits = np.uint64(bits)
    return word >> (_64 - bits), _fraction(word << bits), (a, b, c, count)


# --- the methods of a Generator ------------------------------------------------------------------


def _is_stream(rng: Any) -> bool:
    return getattr(rng, "instance_class", None) is Stream


@overload_method(types.NamedTuple, "random", jit_options=INLINED)  # type: ignore[call-arg]
def _stream_random(rng):
    if not _is_stream(rng):
        return None

    def random(rng):
        w = rng.words
        word, w[0], w[1], w[2], w[3] = _step(w[0], w[1], w[2], w[3])
        return _fraction(word)

    return random


@overload_method(types.NamedTuple, "standard_exponential", jit_options=INLINED)  # type: ignore[call-arg]
def _stream_exponential(rng):
    return (lambda rng: rng.generator.standard_exponential()) if _is_stream(rng) else None


@overload_method(types.NamedTuple, "binomial", jit_options=INLINED)  # type: ignore[call-arg]
def _stream_binomial(rng, n, p):  # noqa: ARG001
    return (lambda rng, n, p: rng.generator.binomial(n, p)) if _is_stream(rng) else None
