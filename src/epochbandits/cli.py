"""The command ``epochbandits``.

Results go to standard output, errors to standard error as one sentence with exit code 2. What a
command needs is imported when it runs, so that `theory` and `check` start without numba, pandas or
matplotlib.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from epochbandits import __version__
from epochbandits.validation import InputError, suggestion

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    try:
        options = _parser().parse_args(argv)
        options.run(options)
        sys.stdout.flush()
    except InputError as error:
        print(f"epochbandits: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader, such as head, has had enough
        sys.stderr.close()
        return 0
    return 0


# --- commands ------------------------------------------------------------------------------------


def _theory(options: argparse.Namespace) -> None:
    from epochbandits.instance import Instance
    from epochbandits.theory import Epochs, summary

    epochs = Epochs(options.tau0, options.zeta, options.gamma)
    instance = Instance.from_json(options.instance)
    result = summary(instance, epochs, options.epochs, options.variant, options.cprime)
    if options.format == "json":
        print(json.dumps(result, indent=2, allow_nan=False))
    else:
        from epochbandits.tables import theory_table

        print(theory_table(result))


def _check(options: argparse.Namespace) -> None:
    from epochbandits.instance import Instance
    from epochbandits.tables import check_table

    result = Instance.from_json(options.instance).report()
    if options.format == "json":
        print(json.dumps(result, indent=2, allow_nan=False))
    else:
        print(check_table(result))


def _generate(options: argparse.Namespace) -> None:
    from epochbandits import generators

    if options.name == "failure":
        if options.knob or options.seed or (options.arms, options.states) not in ((4, 4), (2, 2)):
            raise InputError("the failure example has 2 arms and 2 states, and --epsilon alone")
        instance, how = generators.failure_example(options.epsilon), "not random"
    elif options.name not in generators.CLASSES:
        known = ["failure", *generators.CLASSES]
        raise InputError(
            f"class must be one of {', '.join(known)}, not {options.name!r}"
            f"{suggestion(options.name, known)}"
        )
    else:
        made = generators.generate(
            options.name, options.arms, options.states, options.seed, **dict(options.knob)
        )
        instance, how = made.instance, f"accepted 1 of {made.draws} draws"
    instance.to_json(options.out)
    print(
        f"{options.out}: {instance.name}, {instance.arms} arms, {instance.states} states, {how}",
        file=sys.stderr,
    )


# --- options -------------------------------------------------------------------------------------


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message} (see '{self.prog} --help')")


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a whole number, not {text!r}") from None


def _real(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a number, not {text!r}") from None


def _knob(text: str) -> tuple[str, Any]:
    key, equals, value = text.partition("=")
    try:
        if equals:
            return key, json.loads(value)
    except json.JSONDecodeError:
        pass
    raise argparse.ArgumentTypeError(
        f"must be NAME=VALUE such as min_gap=0.1 or stick_optimal=[0.9,0.95], not {text!r}"
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
    theory.add_argument("--tau0", type=_whole, default=40, help="length of an arm's first epoch")
    theory.add_argument("--zeta", type=_whole, default=1, help="growth of an arm's epochs")
    theory.add_argument("--gamma", type=_real, default=1.0, help="discount, 1 for time averages")
    theory.add_argument("--epochs", type=_whole, default=1000, help="horizon n")
    theory.add_argument("--variant", default="paper", help="form of L and rho: paper, tight or min")
    theory.add_argument(
        "--cprime", type=_real, help="EpochGreedy's c' > 8 (default: the one with the least bound)"
    )

    check = _command(commands, "check", _check, "validate an instance, print its assumptions")
    _instance_and_format(check)

    generate = _command(commands, "generate", _generate, "write a problem instance")
    generate.add_argument(
        "name",
        metavar="CLASS",
        help="failure, anticorrelated, slow_suboptimal, inverted, fast or literal",
    )
    generate.add_argument("--arms", type=_whole, default=4)
    generate.add_argument("--states", type=_whole, default=4)
    generate.add_argument("--seed", type=_whole, default=0)
    generate.add_argument("--epsilon", type=_real, default=0.001, help="of the failure example")
    generate.add_argument(
        "--knob",
        type=_knob,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="change one setting of the class, e.g. stick_optimal=[0.9,0.95]; repeatable",
    )
    generate.add_argument("--out", required=True, metavar="FILE.json")
    return parser


def _command(commands: Any, name: str, run: Any, text: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=text, description=text.capitalize() + ".", allow_abbrev=False
    )
    parser.set_defaults(run=run)
    return parser


def _instance_and_format(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("instance", metavar="INSTANCE.json")
    parser.add_argument("--format", choices=("json", "table"), default="json")
