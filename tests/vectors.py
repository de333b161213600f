"""The reference values in data/vectors.json, as instances and cases."""

import json
from pathlib import Path

import pytest

from epochbandits import Instance
from epochbandits.model.setting import Setting

VECTORS = json.loads((Path(__file__).parent / "data" / "vectors.json").read_text())


def vector_instance(entry: dict) -> Instance:
    """Return an entry of vectors.json as an instance."""
    law = (
        (lambda r: {"law": "constant", "value": r})
        if entry["var"] is None
        else (lambda r: {"law": "bernoulli", "p": r})
    )
    return Instance.from_dict(
        {
            "name": entry["name"],
            "transition": entry["P"],
            "rewards": [[law(r) for r in row] for row in entry["r"]],
            "initial": entry["beta1"],
        }
    )


def vector_cases():
    """Yield (entry, values at γ, instance, epochs) for each instance and discount."""
    for entry in VECTORS["instances"]:
        instance = vector_instance(entry)
        for gamma, values in entry["gamma"].items():
            epochs = Setting(entry["tau0"], entry["zeta"], float(gamma))
            yield pytest.param(entry, values, instance, epochs, id=f"{entry['name']}-{gamma}")
