"""What is generated from the models: `config/README.md` and the JSON schema.

``python -m epochbandits.release.documentation`` (``make docs``) writes both; a test fails when they
are out of date.
"""

from __future__ import annotations

import json
from inspect import Parameter
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from epochbandits.config import models
from epochbandits.figures.registry import FIGURES
from epochbandits.policies import POLICIES

__all__ = ["generated", "markdown", "schema"]

_HEAD = """# Configuration

`paper.yaml` is the paper run (`make figures`). `quick.yaml` holds only what differs from it in the
quick run (`make quick`); a file of your own works the same way:

    snakemake --cores 8 --configfile config/mine.yaml

Mappings are merged key by key, lists and values are replaced, and a block that is set to `null`
is left out. Every key is checked before any job
starts: unknown ones are refused with the nearest known key. `workflow/schemas/config.schema.json`
is the same as a JSON schema, for editors. A file has at most 1 MB, 100,000 values (aliases written
out) and 50 levels, a run at most 100,000 simulation jobs. Only `policies.<name>.code` runs code.

This page and the schema are generated from the models in `src/epochbandits/config/models.py` by
`make docs`.
"""

_SECTIONS: tuple[tuple[str, type[BaseModel]], ...] = (
    ("A run", models.Config),
    ("`instances.<name>`: random instances of a class", models.Drawn),
    ("`instances.<name>`: the failure example", models.Failure),
    ("`instances.<name>`: your own", models.Files),
    ("`policies.<name>`", models.PolicyBlock),
    ("`experiments.<name>`", models.Experiment),
    ("`bounds.<name>`", models.Bounds),
    ("`eigenvalues.<name>`", models.Eigenvalues),
    ("`inequalities.<name>`", models.Inequalities),
    ("`claims`", models.Thresholds),
    ("`figures.<id>`", models.FigureBlock),
)


def schema() -> str:
    """Return the JSON schema of a whole configuration."""
    made = models.Config.model_json_schema()
    return (
        json.dumps(
            {"$schema": "https://json-schema.org/draft/2020-12/schema", **made},
            indent=1,
            ensure_ascii=False,
        )
        + "\n"
    )


def markdown() -> str:
    """Return the page that explains every key."""
    parts = [_HEAD]
    for title, model in _SECTIONS:
        text = (model.__doc__ or "").strip().splitlines()[0]
        rows = [_row(name, field) for name, field in model.model_fields.items()]
        table = ["| key | default | meaning |", "|---|---|---|", *rows]
        parts.append(f"## {title}\n\n{text}\n\n" + "\n".join(table) + "\n")
    parts.append(_figures())
    parts.append(_policies())
    return "\n".join(parts)


def generated() -> dict[str, str]:
    """Return the generated files by their path in the project."""
    return {"config/README.md": markdown(), "workflow/schemas/config.schema.json": schema()}


def _row(name: str, field: FieldInfo) -> str:
    default = "required" if field.is_required() else f"`{_shown(field.get_default())}`"
    text = (field.description or "").replace("|", "\\|")
    return f"| `{field.alias or name}` | {default} | {text} |"


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False).replace("|", "\\|")


def _figures() -> str:
    rows = [f"| `{name}` | {spec.paper} | `{spec.kind}` |" for name, spec in FIGURES.items()]
    head = "## The figures\n\n| id | in the paper | its source is one of |\n|---|---|---|\n"
    return head + "\n".join(rows) + "\n"


def _policies() -> str:
    rows = []
    for name, policy in sorted(POLICIES.items()):
        empty = [key for key, value in policy.parameters.items() if value is Parameter.empty]
        known = ", ".join(
            f"`{key}`" + (" (required)" if key in empty else f" ({_shown(value)})")
            for key, value in policy.parameters.items()
        )
        rows.append(f"| `{name}` | `{policy.schedule}` | {known or 'none'} |")
    head = (
        "## The built-in policies\n\nA default of null is a value from theory or the horizon; the "
        "policy's file in `src/epochbandits/policies/` says which.\n\n"
        "| policy | schedule | parameters (default) |\n|---|---|---|\n"
    )
    return head + "\n".join(rows) + "\n"


if __name__ == "__main__":
    for path, text in generated().items():
        Path(path).write_text(text, encoding="utf-8")
