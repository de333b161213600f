"""The command ``epochbandits``.

Results go to standard output, errors to standard error as one sentence with exit code 2. What a
command needs is imported when it runs, so that `theory` and `check` start without numba, pandas or
matplotlib.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any, NoReturn

from epochbandits import __version__
from epochbandits.validation import InputError, shown, suggestion

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    try:
        options = _parser().parse_args(argv)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # a bad result is refused by _print
            options.run(options)
    except InputError as error:
        if sys.stderr is not None:
            print(f"epochbandits: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    except MemoryError:
        print("epochbandits: there is not enough memory; take a shorter horizon", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("epochbandits: interrupted; nothing was written", file=sys.stderr, flush=True)
        os._exit(130)  # not waiting for threads that may be stuck in a user's policy
    except BrokenPipeError:  # the reader, such as head, has had enough
        sys.stderr.close()
        return 0
    return 0


# --- commands ------------------------------------------------------------------------------------


def _theory(options: argparse.Namespace) -> None:
    from epochbandits.model.instance import Instance
    from epochbandits.model.setting import Setting
    from epochbandits.theory import summary

    epochs = Setting(options.tau0, options.zeta, options.gamma)
    instance = Instance.from_json(options.instance)
    result = summary(instance, epochs, options.epochs, options.variant, options.cprime)
    if options.format == "json":
        _print_json(result)
    else:
        from epochbandits.cli.tables import theory_table

        _print(theory_table(result))


def _check(options: argparse.Namespace) -> None:
    from epochbandits.cli.tables import check_table
    from epochbandits.model.instance import Instance

    result = Instance.from_json(options.instance).report()
    if options.format == "json":
        _print_json(result)
    else:
        _print(check_table(result))


def _generate(options: argparse.Namespace) -> None:
    from epochbandits.model import generators

    if options.name == "failure":
        if (
            options.knob
            or not {options.arms, options.states} <= {None, 2}
            or options.seed is not None
        ):
            raise InputError("the failure example has 2 arms, 2 states and --epsilon, nothing else")
        epsilon = 0.001 if options.epsilon is None else options.epsilon
        instance, how = generators.failure_example(epsilon), "not random"
        asked: dict[str, Any] = {"class": options.name, "epsilon": epsilon}
    elif options.name not in generators.CLASSES:
        known = ["failure", *generators.CLASSES]
        raise InputError(
            f"class must be one of {', '.join(known)}, not {options.name!r}"
            f"{suggestion(options.name, known)}"
        )
    elif options.epsilon is not None:
        raise InputError(f"--epsilon belongs to the failure example, not to {options.name!r}")
    else:
        arms, states, seed = (
            value if given is None else given
            for given, value in ((options.arms, 4), (options.states, 4), (options.seed, 0))
        )
        knobs = _once(options.knob, "--knob")
        instance, draws = generators.generate_counted(options.name, arms, states, seed, **knobs)
        how = f"accepted 1 of {draws} draws"
        asked = {"class": options.name, "arms": arms, "states": states, "seed": seed}
        asked["knobs"] = knobs
    instance.to_json(options.out)
    if os.path.isfile(options.out):  # no pipe
        from epochbandits.pipeline.records import write_about

        write_about(options.out, instance, asked, "epochbandits.model.generators")
    print(
        f"{options.out}: {instance.name}, {instance.arms} arms, {instance.states} states, {how}",
        file=sys.stderr,
    )


def _simulate(options: argparse.Namespace) -> None:
    from epochbandits.cli import progress as output
    from epochbandits.model.instance import Instance
    from epochbandits.model.setting import Setting

    setting = Setting(options.tau0, options.zeta, options.gamma)
    instance = Instance.from_json(options.instance)
    output.check_writable(options.out)

    from epochbandits.engine.simulation import Simulation, parse_seeds
    from epochbandits.io import parquet
    from epochbandits.io.schemas import RUNS
    from epochbandits.pipeline.policy_hash import policy_code
    from epochbandits.policies.loading import find_policy

    seeds = parse_seeds(options.seeds)
    run = Simulation(
        instance,
        find_policy(options.policy),
        _once(options.param, "--param"),
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
    with output.progress_bar(len(seeds), run.name) as bar:
        columns = run.columns(seeds, threads=options.threads, progress=lambda _: bar.update())
    about = {
        "configuration": run.description(),
        "root": run.root,
        "code": policy_code(options.policy),
    }
    parquet.write(options.out, RUNS, columns, about)


def _provenance(options: argparse.Namespace) -> None:
    from epochbandits.pipeline.records import record

    _print_json(record(options.file))


def _verify(options: argparse.Namespace) -> None:
    from epochbandits.release import verify

    tolerance = verify.TOLERANCE if options.tolerance is None else options.tolerance
    largest = 0.0
    for found in verify.compare(verify.Published(options.published, options.config)):
        _print(verify.report(found, tolerance))
        largest = max(largest, found.difference)
    _print(f"largest difference: {largest:.1e}, relative to the largest value of its line")
    if not largest <= tolerance:
        raise InputError(
            f"the published results are not those of this code: {largest:.1e} is more than "
            f"{tolerance:g}, which rounding on another machine may come to"
        )


def _print_json(result: dict[str, Any]) -> None:
    try:
        text = json.dumps(result, indent=2, allow_nan=False)
    except ValueError:
        raise InputError("a result is too large for a double; the chains mix too slowly") from None
    _print(text)


def _print(text: str) -> None:
    """Write to standard output, or say that it cannot be written to."""
    try:
        if sys.stdout is None:
            raise OSError("it is closed")
        if isinstance(sys.stdout, io.TextIOWrapper):  # a name in letters that the terminal lacks
            sys.stdout.reconfigure(errors="backslashreplace")
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        sys.stdout = None  # or Python would try once more when it ends
        raise InputError(f"standard output cannot be written: {error.strerror or error}") from None


# --- options -------------------------------------------------------------------------------------


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message} (see '{self.prog} --help')")


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a whole number, not {shown(text)}") from None


def _real(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a number, not {shown(text)}") from None


def _once(pairs: list[tuple[str, Any]], option: str) -> dict[str, Any]:
    for key, _ in pairs:
        if [k for k, _ in pairs].count(key) > 1:
            raise InputError(f"{option} gives {key!r} twice")
    return dict(pairs)


def _param(text: str) -> tuple[str, Any]:
    key, equals, value = text.partition("=")
    if not (key and equals):
        raise argparse.ArgumentTypeError(f"must be KEY=VALUE such as c=5, not {shown(text)}")
    try:
        return key, json.loads(value)
    except (ValueError, RecursionError):  # a word, or arms with commas between
        return key, value


def _knob(text: str) -> tuple[str, Any]:
    key, equals, value = text.partition("=")
    try:
        if equals:
            return key, json.loads(value)
    except (ValueError, RecursionError):
        pass
    raise argparse.ArgumentTypeError(
        f"must be NAME=VALUE such as min_gap=0.1 or stick_optimal=[0.9,0.95], not {shown(text)}"
    )


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="epochbandits",
        description="Bandits in correlated Markovian environments with smoothed reward feedback.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"epochbandits {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser)

    theory = _command(commands, "theory", _theory, "print the paper's constants and bounds")
    _instance_and_format(theory)
    _setting(theory)
    theory.add_argument("--epochs", type=_whole, default=1000, help="horizon n")
    theory.add_argument("--variant", default="paper", help="form of L and rho: paper, tight or min")
    theory.add_argument(
        "--cprime", type=_real, help="EpochGreedy's c' > 8 (default: the one with the least bound)"
    )

    check = _command(commands, "check", _check, "validate an instance, print its assumptions")
    _instance_and_format(check)

    simulate = _command(commands, "simulate", _simulate, "run a policy, write a Parquet table")
    simulate.add_argument("instance", metavar="INSTANCE.json")
    simulate.add_argument(
        "--policy", required=True, metavar="NAME", help="a built-in policy, or module:Class"
    )
    simulate.add_argument(
        "--param",
        type=_param,
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a parameter of the policy; repeatable",
    )
    simulate.add_argument("--epochs", type=_whole, help="horizon in epochs")
    simulate.add_argument(
        "--iterations", type=_whole, help="horizon of a policy that decides each iteration"
    )
    simulate.add_argument("--seeds", required=True, metavar="A:B", help="seeds A to B-1")
    _setting(simulate)
    simulate.add_argument("--schedule", help="linear, fixed:TAU or geometric:ALPHA")
    simulate.add_argument("--sampling", default="marginal", help="marginal or trajectory")
    simulate.add_argument("--engine", default="fast", help="fast or reference")
    simulate.add_argument("--trace", default="thin", help="thin (about 400 epochs) or full")
    simulate.add_argument("--threads", type=_whole, default=1)
    simulate.add_argument("--experiment", default="", help="names the random streams")
    simulate.add_argument("--root", type=_whole, default=0, help="root seed of all streams")
    simulate.add_argument("--out", required=True, metavar="FILE.parquet")

    generate = _command(commands, "generate", _generate, "write a problem instance")
    generate.add_argument(
        "name",
        metavar="CLASS",
        help="failure, anticorrelated, slow_suboptimal, inverted, fast or literal",
    )
    generate.add_argument("--arms", type=_whole, help="4 by default")
    generate.add_argument("--states", type=_whole, help="4 by default")
    generate.add_argument("--seed", type=_whole, help="0 by default")
    generate.add_argument("--epsilon", type=_real, help="of the failure example; 0.001 by default")
    generate.add_argument(
        "--knob",
        type=_knob,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="change one setting of the class, e.g. stick_optimal=[0.9,0.95]; repeatable",
    )
    generate.add_argument("--out", required=True, metavar="FILE.json")

    provenance = _command(
        commands, "provenance", _provenance, "print where an output of the project comes from"
    )
    provenance.add_argument(
        "file", metavar="FILE", help="a table, picture, sidecar, ledger, page, or instance"
    )

    verify = _command(
        commands, "verify", _verify, "compute a sample of the published results again"
    )
    verify.add_argument("--published", default="figures/published", metavar="FOLDER")
    verify.add_argument("--config", default="config/paper.yaml", metavar="FILE.yaml")
    verify.add_argument(
        "--tolerance", type=_real, help="largest relative difference that is put down to rounding"
    )
    return parser


def _command(commands: Any, name: str, run: Any, text: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=text, description=text.capitalize() + ".", allow_abbrev=False
    )
    parser.set_defaults(run=run)
    return parser


def _setting(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tau0", type=_whole, default=40, help="length of an arm's first epoch")
    parser.add_argument("--zeta", type=_whole, default=1, help="growth of an arm's epochs")
    parser.add_argument("--gamma", type=_real, default=1.0, help="discount, 1 for time averages")


def _instance_and_format(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("instance", metavar="INSTANCE.json")
    parser.add_argument("--format", choices=("json", "table"), default="json")
