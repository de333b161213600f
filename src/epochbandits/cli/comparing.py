"""The commands `compare` and `plot`: policies side by side, as a ranking and as a picture."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from epochbandits.cli.commands import print_out, replaced_note, unique
from epochbandits.cli.outputs import check_out, is_drawing, is_table, policy_file
from epochbandits.validation import InputError, choice, printable


def compare(options: Namespace) -> None:
    """Run policies on the same instances and seeds, and print their ranking."""
    from epochbandits.cli import progress
    from epochbandits.cli.tables import ranking_table
    from epochbandits.comparison import run_all, simulations
    from epochbandits.engine.selection import parse_seeds
    from epochbandits.model.instance import Instance
    from epochbandits.model.setting import Setting

    if options.out:
        table, picture, replaced = _files(options)
    names = [name for part in options.policies.split(",") if (name := part.strip())]
    runs = simulations(
        [Instance.from_json(path) for path in options.instances],
        {name: (name, params) for name, params in _params_of(names, options.param).items()},
        epochs=options.epochs, iterations=options.iterations,
        setting=Setting(options.tau0, options.zeta, options.gamma), schedule=options.schedule,
        sampling=options.sampling, engine=options.engine, experiment=options.experiment,
        root=options.root,
    )  # fmt: skip
    seeds = parse_seeds(options.seeds)
    progress.announce(((name, run) for (name, _), run in runs.items()), len(seeds))
    with progress.progress_bar(len(seeds) * len(runs), "compare") as bar:
        comparison = run_all(runs, seeds, options.threads, lambda _: bar.update())
    print_out(ranking_table(comparison))
    if options.out:
        from epochbandits.figures.runs import save_picture
        from epochbandits.io import files, parquet
        from epochbandits.io.schemas import COMPARISON
        from epochbandits.pipeline.policy_hash import policy_hash

        files.check_writable(options.out)
        columns = {name: comparison.table[name].to_numpy() for name in COMPARISON.names}
        metadata = {
            "configuration": {
                "runs": [run.description() for run in runs.values()],
                "seeds": seeds,
            },
            "root": options.root,
            "code": {name: policy_hash(name) for name in names},
        }
        parquet.write(table, COMPARISON, columns, metadata)
        save_picture(comparison.plot(), picture)
        note = replaced_note(replaced)
        print_out(printable(f"{table}{note}: {len(comparison.table)} pairs"))
        print_out(printable(f"{picture}{note}: regret over the epochs"))


def plot(options: Namespace) -> None:
    """Draw the regret of tables that `simulate` wrote."""
    import pandas as pd

    from epochbandits.figures.runs import draw_runs, save_picture
    from epochbandits.io import parquet
    from epochbandits.io.schemas import RUNS
    from epochbandits.pipeline.layout import FORMATS

    for path in options.files:
        if not path.endswith(".parquet"):
            raise InputError(
                f"{path}: is not a table of 'epochbandits simulate', whose name ends in .parquet"
            )
    endings = [".svg", *(f".{end}" for end in FORMATS if end != "svg")]
    replaced = check_out(options.out, endings, options.files, is_drawing, options.force)
    tables, names = [parquet.read(path, RUNS) for path in options.files], []
    policies = [stored.about["configuration"]["policy"] for stored in tables]
    for path, policy in zip(options.files, policies, strict=True):
        names.append(policy if policies.count(policy) == 1 else f"{policy}, {Path(path).stem}")
    parts = [
        pd.DataFrame(stored.columns).assign(policy=name)
        for stored, name in zip(tables, names, strict=True)
    ]
    runs = pd.concat(parts, ignore_index=True)
    save_picture(draw_runs(runs.assign(unit=runs["seed"]), "seeds"), options.out)
    print_out(printable(f"{options.out}{replaced_note(replaced)}: {', '.join(names)}"))


def _files(options: Namespace) -> tuple[str, str, bool]:
    """Return the paths of table and picture, and whether they replace existing files."""
    folder = Path(options.out)
    try:
        if folder.exists() and not folder.is_dir():
            raise InputError(f"{options.out}: --out must be a folder, and this is a file")
        if not folder.parent.is_dir():
            raise InputError(f"{options.out}: the folder {folder.parent} does not exist")
    except OSError as error:  # a name that is too long
        raise InputError(f"{options.out}: cannot be written: {error.strerror or error}") from None
    table, picture = str(folder / "comparison.parquet"), str(folder / "comparison.svg")
    if not folder.is_dir():
        return table, picture, False
    replaced = [
        check_out(table, [".parquet"], [], lambda p: is_table(p, "comparison"), options.force),
        check_out(picture, [".svg"], [], is_drawing, options.force),
    ]
    return table, picture, any(replaced)


def _params_of(names: list[str], pairs: list[tuple[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the parameters of each policy from ``POLICY.KEY=VALUE``."""
    for name in names:
        policy_file(name)  # which must exist
        if names.count(name) > 1:
            raise InputError(f"--policies names {name!r} twice")
    params: dict[str, dict[str, Any]] = {name: {} for name in names}
    for key, value in unique(pairs, "--param").items():
        policy, _, name = key.rpartition(".")
        choice(policy, "the policy of --param POLICY.KEY=VALUE", names)
        params[policy][name] = value
    return params
