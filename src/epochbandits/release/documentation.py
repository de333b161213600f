"""Generate `config/README.md` and the JSON schema from the models of the configuration.

``python -m epochbandits.release.documentation`` (``make docs``) writes both; a test fails when they
are out of date.
"""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from epochbandits import limits
from epochbandits.config import instance_sets, models, thresholds
from epochbandits.figures.registry import FIGURES

_HEAD = f"""# Configuration

`paper.yaml` is the paper run (`make figures`). `quick.yaml` has only what the quick run
(`make quick`) changes of it; your own file works the same way:

    epochbandits run config/mine.yaml
    snakemake --cores 8 --configfile config/mine.yaml
    snakemake --cores 8 --configfile config/mine.yaml -- figures/mine/regret_lengths.svg

The first command checks the files before it starts Snakemake; `make figures` and `make quick` use
it. A target after
`--configfile` needs `--` before it. Mappings are merged key by key, lists and values are replaced,
and a block set to `null` is removed. Paths in a file are relative to that file.

A sweep, and a figure of it that needs no code:

    run: mine
    policies:
      lengths: {{policy: epoch-ucb, sweep: {{tau0: [10, 40, 160]}}}}
      variants: {{policy: epoch-ucb, sweep: {{variant: [tight, min]}}}}
    experiments:
      lengths: {{instances: [main_4x4], policies: [lengths, variants], epochs: 1000, seeds: 5}}
    figures: [regret_lengths]

The configuration is checked before any job starts: an error names file, line and key, says what is
allowed, and prints the corrected YAML where it can. Types are exact: `seeds: yes` and `seeds: "5"`
are refused. Only `policies.<name>.code` runs code.

A file has at most {limits.LARGEST_YAML >> 20} MB, {limits.MOST_VALUES:,} values (aliases counted in
full) and {limits.DEEPEST} levels; a run has at most {limits.MOST_JOBS:,} simulation jobs.

`workflow/schemas/config.schema.json` is the JSON schema, for editors. It and this page are
generated from `src/epochbandits/config/models.py` by `make docs`.
"""

_SECTIONS: tuple[tuple[str, type[BaseModel]], ...] = (
    ("A run", models.Config),
    ("`instances.<name>`: random instances of a class", instance_sets.Drawn),
    ("`instances.<name>`: the failure example", instance_sets.Failure),
    ("`instances.<name>`: a problem of another kind", instance_sets.Built),
    ("`instances.<name>`: your own", instance_sets.Files),
    ("`policies.<name>`", models.PolicyBlock),
    ("`experiments.<name>`", models.Experiment),
    ("`bounds.<name>`", models.Bounds),
    ("`eigenvalues.<name>`", models.Eigenvalues),
    ("`inequalities.<name>`", models.Inequalities),
    ("`claims`", thresholds.Thresholds),
    ("`figures.<id>`", models.FigureBlock),
)


_POLICIES = """## The policies

Each built-in policy has a file in `src/epochbandits/policies/`, with its schedule and its
parameters; a parameter whose default is `None` takes its value from theory or from the horizon.
"""


def schema() -> str:
    """Return the JSON schema of a configuration."""
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    content = {**head, **models.Config.model_json_schema()}
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def markdown() -> str:
    """Return the page that explains every key."""
    parts = [_HEAD, *(_section(title, model) for title, model in _SECTIONS), _figures(), _POLICIES]
    return "\n".join(parts)


def generated() -> dict[str, str]:
    """Return the generated files by their path in the project."""
    return {"config/README.md": markdown(), "workflow/schemas/config.schema.json": schema()}


def _section(title: str, model: type[BaseModel]) -> str:
    text = (model.__doc__ or "").strip().splitlines()[0]
    fields = sorted(model.model_fields.items(), key=lambda item: not item[1].is_required())
    rows = [_row(field.alias or name, field) for name, field in fields]
    return f"## {title}\n\n{text}\n\n| key | default | meaning |\n|---|---|---|\n" + "".join(rows)


def _row(key: str, field: FieldInfo) -> str:
    default = "required"
    if not field.is_required():
        default = f"`{json.dumps(field.get_default(), ensure_ascii=False)}`"
    cells = (f"`{key}`", default, field.description or "")
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def _figures() -> str:
    rows = [f"| `{name}` | {spec.paper} | `{spec.kind}` |\n" for name, spec in FIGURES.items()]
    return (
        "## The figures\n\n| id | in the paper | block of its source |\n|---|---|---|\n"
        + "".join(rows)
        + "| `regret_<experiment>` | none | `experiments`: the one in its name, or `source` |\n"
    )


if __name__ == "__main__":
    for path, text in generated().items():
        Path(path).write_text(text, encoding="utf-8")
