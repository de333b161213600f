"""The command line: options, dispatch, and errors.

Results go to standard output. An error is one sentence on standard error, with exit code 2.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from epochbandits import __version__
from epochbandits.cli import commands, comparing, running
from epochbandits.model.generators import ARMS, CLASSES, EPSILON, STATES
from epochbandits.model.schedules import SCHEDULES
from epochbandits.model.setting import TAU0, ZETA
from epochbandits.pipeline.layout import FORMATS, PAPER, PUBLISHED
from epochbandits.validation import InputError, printable, short_repr


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    try:
        options = _parser().parse_args(argv)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # infinities are rejected when printed
            options.run(options)
    except InputError as error:
        if sys.stderr is not None:
            print(f"epochbandits: {printable(' '.join(str(error).split()))}", file=sys.stderr)
        return 2
    except MemoryError:
        print("epochbandits: not enough memory; choose a shorter horizon", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("epochbandits: interrupted; nothing was written", file=sys.stderr, flush=True)
        os._exit(130)  # do not wait for threads that may be stuck in a user's policy
    except BrokenPipeError:  # the reader, such as head, has closed the pipe
        sys.stderr.close()
        return 0
    except OSError as error:  # a name that is too long, a folder without permission
        where = f"{printable(str(error.filename))}: " if error.filename else ""
        print(f"epochbandits: {where}{error.strerror or error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="epochbandits",
        description="Bandits in correlated Markovian environments with smoothed reward feedback.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"epochbandits {__version__}")
    group = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser)

    def command(
        name: str, run: Callable[[argparse.Namespace], None], text: str
    ) -> argparse.ArgumentParser:
        subparser = group.add_parser(
            name, help=text, description=text.capitalize() + ".", allow_abbrev=False
        )
        subparser.set_defaults(run=run)
        return subparser

    theory = command("theory", commands.theory, "print the paper's constants and bounds")
    _instance_and_format(theory)
    _setting(theory)
    theory.add_argument("--epochs", type=_whole, default=1000, help="horizon n")
    theory.add_argument("--variant", default="paper", help="form of L and rho: paper, tight or min")
    theory.add_argument(
        "--cprime", type=_real, help="EpochGreedy's c' > 8 (default: the one with the least bound)"
    )

    check = command("check", commands.check, "validate an instance and print its constants")
    _instance_and_format(check)

    _simulate(command("simulate", commands.simulate, "run a policy and write a Parquet table"))
    _compare(command("compare", comparing.compare, "rank policies with paired intervals"))
    _plot(command("plot", comparing.plot, "draw the regret of simulated runs"))
    _generate(command("generate", commands.generate, "write a problem instance"))

    policies = command(
        "policies", commands.policies, "list the policies, built-in and of installed packages"
    )
    policies.add_argument("--format", choices=("json", "table"), default="table")

    run = command("run", running.run, "check configuration files and run the workflow with them")
    run.add_argument(
        "files", nargs="*", metavar="FILE.yaml", help=f"override {PAPER}, in this order"
    )
    _pairs(
        run, "--config", _override, "KEY=VALUE", "override the files, as in Snakemake; repeatable"
    )
    run.add_argument("--cores", default="all", metavar="N", help="all by default")
    run.add_argument("--dry-run", action="store_true", help="show what would run, and stop")
    run.add_argument("--targets", nargs="+", default=[], metavar="FILE", help="only these files")

    provenance = command("provenance", commands.provenance, "print the origin of an output")
    provenance.add_argument(
        "file", metavar="FILE", help="a table, picture, sidecar, ledger, page or instance"
    )

    verify = command("verify", commands.verify, "recompute a sample of the published results")
    verify.add_argument(
        "--all", action="store_true", help="compare every number with a run of 'make figures'"
    )
    verify.add_argument("--published", default=PUBLISHED, metavar="FOLDER")
    verify.add_argument("--config", default=PAPER, metavar="FILE.yaml")
    verify.add_argument("--tolerance", type=_real, help="largest relative difference allowed")
    return parser


def _simulate(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("instance", metavar="INSTANCE.json")
    add("--policy", required=True, metavar="NAME", help="a built-in policy, or module:Class")
    _pairs(parser, "--param", _param, "KEY=VALUE", "a parameter of the policy; repeatable")
    _runs(parser)
    add("--trace", default="thin", help="thin (about 400 epochs) or full")
    add("--out", required=True, metavar="FILE.parquet")
    _force(parser)


def _compare(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("instances", nargs="+", metavar="INSTANCE.json")
    add("--policies", required=True, metavar="A,B,...", help="built-in policies, or module:Class")
    text = "a parameter of one of the policies, e.g. epoch-greedy.c=5; repeatable"
    _pairs(parser, "--param", _param, "POLICY.KEY=VALUE", text)
    _runs(parser)
    add("--out", metavar="FOLDER", help="also write comparison.parquet and comparison.svg")
    _force(parser)


def _plot(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("files", nargs="+", metavar="FILE.parquet", help="tables of epochbandits simulate")
    add("--out", required=True, metavar="FILE.svg", help=f"a picture: {', '.join(FORMATS)}")
    _force(parser)


def _runs(parser: argparse.ArgumentParser) -> None:
    """Add the options that describe runs, besides instance and policy."""
    add = parser.add_argument
    add("--epochs", type=_whole, help="horizon in epochs")
    add("--iterations", type=_whole, help="horizon of a policy that decides each iteration")
    add("--seeds", required=True, metavar="N or A:B", help="seeds 0 to N-1, or A to B-1")
    _setting(parser)
    add("--schedule", help=f"{SCHEDULES}; by default the policy's")
    add("--sampling", default="marginal", help="marginal or trajectory")
    add("--engine", default="fast", help="fast, plain (each decision by itself) or reference")
    add("--threads", type=_whole, default=1, help="seeds that run at the same time")
    add("--experiment", default="", help="part of the key of the random streams")
    add("--root", type=_whole, default=0, help="root seed of all streams")


def _force(parser: argparse.ArgumentParser) -> None:
    text = "replace an existing file that is not an earlier output of this command"
    parser.add_argument("--force", action="store_true", help=text)


def _generate(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    *classes, last = ("failure", *CLASSES)
    add("name", metavar="CLASS", help=f"{', '.join(classes)} or {last}")
    add("--arms", type=_whole, help=f"{ARMS} by default")
    add("--states", type=_whole, help=f"{STATES} by default")
    add("--seed", type=_whole, help="0 by default")
    add("--epsilon", type=_real, help=f"of the failure example; {EPSILON} by default")
    _pairs(
        parser, "--knob", _knob, "NAME=VALUE",
        "change one setting of the class, e.g. stick_optimal=[0.9,0.95]; repeatable",
    )  # fmt: skip
    add("--out", required=True, metavar="FILE.json")
    _force(parser)


def _instance_and_format(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("instance", metavar="INSTANCE.json")
    parser.add_argument("--format", choices=("json", "table"), default="json")


def _setting(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tau0", type=_whole, default=TAU0, help="length of an arm's first epoch")
    parser.add_argument("--zeta", type=_whole, default=ZETA, help="growth of an arm's epochs")
    parser.add_argument("--gamma", type=_real, default=1.0, help="discount, 1 for time averages")


def _pairs(
    parser: argparse.ArgumentParser, option: str, kind: Any, metavar: str, text: str
) -> None:
    parser.add_argument(option, type=kind, action="append", default=[], metavar=metavar, help=text)


# --- types of options -----------------------------------------------------------------------------


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message} (see '{self.prog} --help')")


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"must be a whole number, not {short_repr(text)}"
        ) from None


def _real(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a number, not {short_repr(text)}") from None


def _param(text: str) -> tuple[str, Any]:
    key, equals, value = text.partition("=")
    if not (key and equals):
        raise argparse.ArgumentTypeError(f"must be KEY=VALUE such as c=5, not {short_repr(text)}")
    try:
        return key, json.loads(value)
    except (ValueError, RecursionError):  # a word, or arms separated by commas
        return key, value


def _override(text: str) -> str:
    key, equals, _ = text.partition("=")
    if not (equals and key.isidentifier()):
        raise argparse.ArgumentTypeError(
            f"must be KEY=VALUE such as root=2, not {short_repr(text)}"
        )
    return text


def _knob(text: str) -> tuple[str, Any]:
    key, equals, value = text.partition("=")
    try:
        if equals:
            return key, json.loads(value)
    except (ValueError, RecursionError):
        pass
    raise argparse.ArgumentTypeError(
        "must be NAME=VALUE such as min_gap=0.1 or stick_optimal=[0.9,0.95], "
        f"not {short_repr(text)}"
    )
