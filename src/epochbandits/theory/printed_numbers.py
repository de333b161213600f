"""Numbers that the paper prints, in one place for figures and claims."""

from __future__ import annotations

EIGENVALUES = {"uniform": (0.32, 0.38), "normal": (0.70, 0.83)}
"""Section 3.3: mean and 95th percentile of λ₂(M(P)), by the law of the rows."""
