"""P̃ and M(P), which the library never builds: it takes λ from weights that do not cancel."""


def time_reversal(P, pi):
    """Return P̃(θ, θ') = π(θ') P(θ', θ) / π(θ)."""
    return P.T * pi / pi[:, None]


def reversiblization(P, pi):
    """Return M(P) = P P̃."""
    return P @ time_reversal(P, pi)
