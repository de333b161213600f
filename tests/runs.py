"""Short runs on one instance, for the engine's tests."""

from epochbandits.engine.simulation import simulate
from epochbandits.model.generators import generate

INSTANCE = generate("anticorrelated", 4, 4, 1)


def run(policy="epoch-ucb", instance=INSTANCE, **options):
    """Return the table of a run; 60 epochs of seed 0 unless the options say otherwise."""
    options = {"seeds": [0]} | options
    if "iterations" not in options:
        options.setdefault("epochs", 60)
    return simulate(instance, policy, **options)
