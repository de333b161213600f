"""What each command does with its options.

A command imports what it needs when it runs, so that `theory` and `check` start without Numba,
pandas or Matplotlib.
"""

from __future__ import annotations

import inspect
import io
import json
import os
import sys
from argparse import Namespace
from itertools import chain
from typing import Any

from epochbandits.cli.outputs import check_out, is_recorded_instance, is_table, policy_file
from epochbandits.validation import InputError, choice, printable


def theory(options: Namespace) -> None:
    """Print the paper's constants and bounds for an instance."""
    from epochbandits.cli.tables import theory_table
    from epochbandits.model.instance import Instance
    from epochbandits.model.setting import Setting
    from epochbandits.theory import summary

    setting = Setting(options.tau0, options.zeta, options.gamma)
    instance = Instance.from_json(options.instance)
    result = summary(instance, setting, options.epochs, options.variant, options.cprime)
    print_out(_json(result) if options.format == "json" else theory_table(result))


def check(options: Namespace) -> None:
    """Validate an instance against the paper's assumptions, and print its constants."""
    from epochbandits.cli.tables import check_table
    from epochbandits.model.instance import Instance

    result = Instance.from_json(options.instance).report()
    print_out(_json(result) if options.format == "json" else check_table(result))


def generate(options: Namespace) -> None:
    """Write an instance, and beside it the file that says how it was generated."""
    from epochbandits.model import generators

    choice(options.name, "class", ["failure", *generators.CLASSES])
    replaced = check_out(options.out, [".json"], [], is_recorded_instance, options.force)
    recipe: dict[str, Any] = {"class": options.name}
    if options.name == "failure":
        sizes = {options.arms, options.states}
        if options.knob or not sizes <= {None, 2} or options.seed is not None:
            raise InputError("the failure example has 2 arms and 2 states; set only --epsilon")
        recipe["epsilon"] = _default(options.epsilon, generators.EPSILON)
        instance, note = generators.failure_example(recipe["epsilon"]), "not random"
    else:
        if options.epsilon is not None:
            raise InputError(f"--epsilon belongs to the failure example, not to {options.name!r}")
        size = (
            _default(options.arms, generators.ARMS),
            _default(options.states, generators.STATES),
        )
        seed, knobs = _default(options.seed, 0), unique(options.knob, "--knob")
        recipe |= {"arms": size[0], "states": size[1], "seed": seed, "knobs": knobs}
        instance, draws = generators.generate_counted(options.name, *size, seed, **knobs)
        note = f"accepted 1 of {draws} draws"
    instance.to_json(options.out)
    if os.path.isfile(options.out):  # and not a pipe
        from epochbandits.release.records import write_instance_record

        write_instance_record(options.out, instance, recipe, "epochbandits.model.generators")
    size_note = f"{instance.arms} arms, {instance.states} states"
    text = f"{options.out}{replaced_note(replaced)}: {instance.name}, {size_note}, {note}"
    print(printable(text), file=sys.stderr)


def simulate(options: Namespace) -> None:
    """Run a policy over seeds, and write a table of the recorded epochs."""
    from epochbandits.cli import progress
    from epochbandits.model.instance import Instance
    from epochbandits.model.setting import Setting

    setting = Setting(options.tau0, options.zeta, options.gamma)
    instance = Instance.from_json(options.instance)
    inputs = [options.instance, policy_file(options.policy)]
    replaced = check_out(
        options.out, [".parquet"], inputs, lambda path: is_table(path, "runs"), options.force
    )

    from epochbandits.engine.selection import parse_seeds
    from epochbandits.engine.simulation import Simulation
    from epochbandits.io import parquet
    from epochbandits.io.schemas import RUNS
    from epochbandits.pipeline.policy_hash import policy_hash
    from epochbandits.policies.loading import find_policy, registered

    seeds = parse_seeds(options.seeds)
    run = Simulation(
        instance,
        find_policy(options.policy),
        unique(options.param, "--param"),
        epochs=options.epochs,
        iterations=options.iterations,
        setting=setting,
        schedule=options.schedule,
        sampling=options.sampling,
        engine=options.engine,
        trace=options.trace,
        experiment=options.experiment,
        root=options.root,
    )
    progress.announce([(run.name, run)], len(seeds))
    with progress.progress_bar(len(seeds), options.policy) as bar:
        columns = run.columns(seeds, threads=options.threads, progress=lambda _: bar.update())
    named = {"policy": options.policy} if options.policy in registered() else {}
    metadata = {
        "configuration": {**run.description(), **named},
        "root": options.root,
        "code": policy_hash(options.policy),
    }
    parquet.write(options.out, RUNS, columns, metadata)

    from epochbandits.cli.tables import run_summary

    rows = f"{printable(options.out)}{replaced_note(replaced)}: {len(columns['seed']):,} rows"
    counted = "epoch" if options.iterations is None else "iteration"
    summary = f"{run_summary(run.name, instance.name, columns, counted)}\n{rows}"
    if os.path.isfile(options.out):
        print_out(summary)
    else:  # the table itself may have gone to standard output
        print(summary, file=sys.stderr)


def policies(options: Namespace) -> None:
    """Print the policies with their parameters and defaults, those of other packages last."""
    from epochbandits.cli.tables import policy_table
    from epochbandits.policies import POLICIES
    from epochbandits.policies.base import default_schedule
    from epochbandits.policies.loading import find_policy, registered

    listed = [
        {"policy": name, "schedule": policy.schedule, "parameters": _defaults(policy.parameters)}
        for name, policy in sorted(POLICIES.items())
    ]
    for name, code in sorted(registered().items()):
        try:
            policy_class = find_policy(name)
        except InputError as error:  # the others still work
            print(printable(str(error)), file=sys.stderr)
            continue
        schedule = default_schedule(policy_class)
        parameters = _defaults(_signature(policy_class))
        listed.append(
            {"policy": name, "schedule": schedule, "parameters": parameters, "code": code}
        )
    print_out(_json({"policies": listed}) if options.format == "json" else policy_table(listed))


def provenance(options: Namespace) -> None:
    """Print where an output of the project comes from."""
    from epochbandits.release.records import record

    print_out(_json(record(options.file)))


def verify(options: Namespace) -> None:
    """Check a publication: files, verdicts, and a sample of its numbers, or with --all each one."""
    from epochbandits.pipeline.layout import CAPTIONS
    from epochbandits.release import verdicts, verify
    from epochbandits.release.bindings import check_bindings

    tolerance = _default(options.tolerance, verify.TOLERANCE)
    published = verify.Published(options.published, options.config)
    print_out(verdicts.manifest_line(published))
    print_out(check_bindings(published, CAPTIONS))
    print_out(verdicts.check(published))
    largest = 0.0
    compared = verify.compare_all(published, CAPTIONS) if options.all else ()
    for comparison in chain(verify.compare(published), compared):
        print_out(verify.report(comparison, tolerance))
        largest = max(largest, comparison.difference)
    print_out(f"largest difference: {largest:.1e}, relative to the largest value of its line")
    if not largest <= tolerance:
        raise InputError(
            f"the published results differ from what this code computes by {largest:.1e}, more "
            f"than {tolerance:g}, the tolerance for rounding on another machine"
        )
    print_out(verdicts.limits(options.all))


# --- shared ---------------------------------------------------------------------------------------


def _signature(policy: Any) -> dict[str, Any]:
    """Return the parameters of a class with their defaults, as text if they are not plain data."""
    try:
        parameters = inspect.signature(policy).parameters.values()
    except (TypeError, ValueError):  # a class that is not written in Python
        return {}
    plain = (bool, int, float, str, type(None), type)  # a type: no default
    return {
        parameter.name: parameter.default
        if isinstance(parameter.default, plain)
        else repr(parameter.default)
        for parameter in parameters
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    }


def _defaults(parameters: dict[str, Any]) -> dict[str, Any]:
    """Return the defaults of parameters; one without a default is "required"."""
    return {
        name: "required" if default is inspect.Parameter.empty else default
        for name, default in parameters.items()
    }


def replaced_note(replaced: bool) -> str:
    """Return what to print after the name of a file that was replaced."""
    return " (replaced)" if replaced else ""


def _default(value: Any, default: Any) -> Any:
    return default if value is None else value


def unique(pairs: list[tuple[str, Any]], option: str) -> dict[str, Any]:
    """Return the pairs of a repeatable option, none of which may be given twice."""
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"{option} gives {name!r} twice")
    return dict(pairs)


def _json(result: dict[str, Any]) -> str:
    try:
        return json.dumps(result, indent=2, allow_nan=False)
    except ValueError:
        raise InputError("a result is too large for a double; the chains mix too slowly") from None


def print_out(text: str) -> None:
    """Write to standard output, or raise an error that says why it cannot be written."""
    try:
        if sys.stdout is None:
            raise OSError("it is closed")
        if isinstance(sys.stdout, io.TextIOWrapper):  # a terminal may lack a name's characters
            sys.stdout.reconfigure(errors="backslashreplace")
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        sys.stdout = None  # or Python would try to flush it once more at exit
        raise InputError(f"standard output cannot be written: {error.strerror or error}") from None
