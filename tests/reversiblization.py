"""M(P), which the library never builds: it takes λ from weights that do not cancel."""


def reversiblization(P, pi):
    """Return M(P) = P P̃ with the time reversal P̃(θ, θ') = π(θ') P(θ', θ) / π(θ)."""
    return P @ (P.T * pi / pi[:, None])
