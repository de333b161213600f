r"""How fast random chains mix: the second-largest eigenvalue of M(P) over random matrices.

Section 3.3 of the paper gives its mean and 95th percentile over 1000 matrices with 10 states, whose
rows are normalised draws of a uniform or a normal law, without saying how a normal draw, which can
be negative, was normalised. `model.random_matrices` has the usual ways. The table also has the
second singular value of P, whose numbers are nearest to the printed ones (errata D5).
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from epochbandits.io import parquet
from epochbandits.io.schemas import EIGENVALUES
from epochbandits.model import chains
from epochbandits.model.generators import MAX_SIZE
from epochbandits.model.random_matrices import ROW_LAWS
from epochbandits.model.setting import Setting
from epochbandits.theory.penalty import rho
from epochbandits.validation import choice, integer

Array = NDArray[np.float64]


def write_eigenvalues(
    out: str | Path, block: Mapping[str, Any], metadata: Mapping[str, Any]
) -> None:
    """Write the eigenvalues of a block of the configuration."""
    parquet.write(out, EIGENVALUES, eigenvalue_table(**block), metadata)


def eigenvalue_table(
    laws: Sequence[str], matrices: int, states: int, seed: int
) -> dict[str, NDArray[Any]]:
    """Return `EIGENVALUES` over random matrices of each law.

    A reducible chain, which max(N, 0) can give, is drawn again.
    """
    integer(matrices, "matrices", 1, 10**6)
    integer(states, "states", 2, MAX_SIZE)
    rows: list[tuple[Any, ...]] = []
    for law in laws:
        draw = ROW_LAWS[choice(law, "law", ROW_LAWS)]
        stream = np.random.SeedSequence(seed, spawn_key=(zlib.crc32(law.encode()),))
        rng = np.random.default_rng(stream)
        for index in range(matrices):
            P = draw(rng, states)
            while P.sum(axis=1).min() == 0 or not chains.is_irreducible(P):
                P = draw(rng, states)
            P /= P.sum(axis=1, keepdims=True)
            arm = chains.mixing(P, chains.stationary(P))
            singular = float(np.linalg.svd(P, compute_uv=False)[1])
            # M(P) of a sparse draw can be reducible (errata E3), with λ = 1 and no bound at all.
            constant = float(rho(1, [arm], Setting())[0]) if arm.log_lam < 0 else math.inf
            rows.append((law, index, arm.lam**2, arm.lam, singular, arm.C, constant))
    return {
        c.name: np.array(column, object if c.type == "text" else None)
        for c, column in zip(EIGENVALUES.columns, zip(*rows, strict=True), strict=True)
    }
