"""The command line: output, errors and exit codes, in part of real processes."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from epochbandits import Instance
from epochbandits.cli.main import main
from vectors import VECTORS, vector_instance


@pytest.fixture
def instance_file(tmp_path):
    path = tmp_path / "instance.json"
    assert main(["generate", "anticorrelated", "--seed", "7", "--out", str(path)]) == 0
    return path


def run(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "-m", "epochbandits", *map(str, arguments)],
        capture_output=True,
        text=True,
        env=os.environ | environment,
        check=False,
    )


def test_theory_prints_the_contract(tmp_path):
    entry = next(e for e in VECTORS["instances"] if e["name"] == "random_4s4m_tau40")
    path = tmp_path / "v.json"
    vector_instance(entry).to_json(path)
    done = run(
        "theory", path, "--tau0", 40, "--zeta", 1, "--gamma", 0.9, "--epochs", 1000, "--cprime", 50
    )
    assert (done.returncode, done.stderr) == (0, "")
    result, values = json.loads(done.stdout), entry["gamma"]["0.9"]
    row = values["n"]["1000"]
    greedy = row["greedy"]["50"]
    for key, expected in {
        "pi": entry["pi"],
        "lam": entry["lam"],
        "C": entry["C_paper"],
        "mu": entry["mu"],
        "rho": values["rho_paper"],
        "L": row["L_paper"],
        "regret_bound": row["gap_dependent"],
        "regret_bound_gap_independent": row["gap_independent_const3"],
        "kappa": row["kappa"],
    }.items():
        np.testing.assert_allclose(result[key], expected, rtol=1e-9, err_msg=key)
    np.testing.assert_allclose(result["gap"], entry["gap"], rtol=1e-9, atol=1e-15)
    assert result["best_arm"] == entry["jstar"]
    for arm, plays in enumerate(result["plays_bound"]):
        assert (plays is None) == (arm == entry["jstar"])
        assert plays is None or plays == pytest.approx(row["ET_paper"][str(arm)], rel=1e-9)
    for key, expected in {
        "cprime": 50,
        "nu": greedy["nu"],
        "c": greedy["c"],
        "c2": greedy["cpp"],
        "d": greedy["d"],
        "regret_bound": greedy["regret_sum_corrected"],
        "regret_bound_paper": greedy["regret_sum_paper"],
    }.items():
        assert result["greedy"][key] == pytest.approx(expected, rel=1e-6), key


@pytest.mark.parametrize("variant", ["paper", "tight", "min"])
def test_the_variants_of_theory(instance_file, variant, capsys):
    assert main(["theory", str(instance_file), "--variant", variant, "--gamma", "0.99"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["variant"] == variant
    assert result["greedy"]["cprime"] > 8


def test_tables_are_readable(instance_file, capsys):
    assert main(["theory", str(instance_file), "--format", "table"]) == 0
    text = capsys.readouterr().out
    assert "EpochUCB, regret bound" in text
    assert max(len(line) for line in text.splitlines()) <= 100
    assert main(["check", str(instance_file), "--format", "table"]) == 0
    text = capsys.readouterr().out
    assert "Assumptions 1 and 2 hold" in text
    assert text.count("yes") == 12


def test_check_says_what_the_assumptions_say(instance_file, capsys):
    assert main(["check", str(instance_file)]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["assumption1"] is result["assumption2"] is True
    assert [row["arm"] for row in result["per_arm"]] == [0, 1, 2, 3]
    assert all(row["positive_diagonal"] for row in result["per_arm"])


def test_generate_reports_acceptance(tmp_path, capsys):
    path = tmp_path / "l.json"
    assert (
        main(
            [
                "generate",
                "literal",
                "--arms",
                "3",
                "--states",
                "5",
                "--seed",
                "1",
                "--out",
                str(path),
            ]
        )
        == 0
    )
    assert "accepted 1 of" in capsys.readouterr().err
    assert Instance.from_json(path).name == "literal-3x5-seed1"


def test_generate_failure_and_knobs(tmp_path):
    path = tmp_path / "f.json"
    assert main(["generate", "failure", "--epsilon", "0.01", "--out", str(path)]) == 0
    assert Instance.from_json(path).transition[0, 1, 0] == 0.01
    arguments = ["generate", "fast", "--knob", "stick_others=[0.9,0.9]", "--out", str(path)]
    assert main(arguments) == 0
    assert Instance.from_json(path).transition[:, 0, 0].max() >= 0.9


BAD = {
    "no file": (["theory", "none.json"], "none.json: cannot be read"),
    "gamma": (["theory", "FILE", "--gamma", "1.2"], "gamma must be a number in (0, 1], not 1.2"),
    "gamma 0": (["theory", "FILE", "--gamma", "0"], "gamma must be a number in (0, 1]"),
    "gamma text": (["theory", "FILE", "--gamma", "x"], "--gamma: must be a number, not 'x'"),
    "tau0": (["theory", "FILE", "--tau0", "0"], "tau0 must be a whole number from 1"),
    "tau0 real": (["theory", "FILE", "--tau0", "1.5"], "--tau0: must be a whole number, not '1.5'"),
    "zeta": (["theory", "FILE", "--zeta", "-3"], "zeta must be a whole number from 1"),
    "n < m": (
        ["theory", "FILE", "--epochs", "3"],
        "epochs (with 4 arms) must be a whole number from 4",
    ),
    "variant": (["theory", "FILE", "--variant", "tigth"], "did you mean 'tight'?"),
    "cprime": (["theory", "FILE", "--cprime", "8"], "cprime must be a number in (8"),
    "class": (["generate", "fats", "--out", "x.json"], "did you mean 'fast'?"),
    "no out": (["generate", "fast"], "--out"),
    "out": (["generate", "fast", "--out", "no/such/dir.json"], "cannot be written"),
    "knob": (["generate", "fast", "--knob", "min_gap", "--out", "x.json"], "must be NAME=VALUE"),
    "failure arms": (
        ["generate", "failure", "--arms", "3", "--out", "x.json"],
        "has 2 arms and 2 states",
    ),
    "command": (["thoery"], "invalid choice: 'thoery'"),
    "nothing": ([], "required"),
    "failure states": (["generate", "failure", "--states", "4", "--out", "x.json"], "2 states"),
    "epsilon": (
        ["generate", "fast", "--epsilon", "5", "--out", "x.json"],
        "belongs to the failure",
    ),
    "deep knob": (["generate", "fast", "--knob", "min_gap=" + "[" * 60000, "--out", "x"], "NAME=V"),
    "long knob": (["generate", "fast", "--knob", "min_gap=" + "9" * 5000, "--out", "x"], "NAME=V"),
    "option": (["check", "FILE", "--loud"], "unrecognized arguments: --loud"),
}


@pytest.mark.parametrize("case", BAD)
def test_errors_are_one_sentence_with_exit_2(case, instance_file, capsys, monkeypatch):
    arguments, sentence = BAD[case]
    capsys.readouterr()
    monkeypatch.chdir(instance_file.parent)
    code = main([str(instance_file) if a == "FILE" else a for a in arguments])
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert err.startswith("epochbandits: ")
    assert sentence in err
    assert err.count("\n") == 1


def test_errors_of_a_real_process_have_no_traceback(tmp_path):
    path = tmp_path / "bad.json"
    path.write_text("{]")
    done = run("check", path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "is not JSON" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["theory", "check"])
def test_theory_and_check_import_no_heavy_library(command, instance_file):
    code = (
        "import sys; from epochbandits.cli.main import main;"
        f"main(['{command}', {str(instance_file)!r}]);"
        "heavy = {'numba', 'matplotlib', 'pandas', 'scipy', 'snakemake'} & set(sys.modules);"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("redirect", "sentence"),
    [(">&-", "standard output cannot be written"), ("> /dev/full", "No space left")],
)
def test_output_that_cannot_be_written(instance_file, redirect, sentence):
    command = f"{sys.executable} -m epochbandits check {instance_file} {redirect}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


def test_names_that_the_terminal_cannot_show(instance_file):
    data = json.loads(instance_file.read_text()) | {"name": "ε"}
    instance_file.write_text(json.dumps(data))
    done = run("check", instance_file, "--format", "table", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "\\u03b5" in done.stdout


def test_the_table_of_check_has_the_values(instance_file, capsys):
    capsys.readouterr()
    assert main(["check", str(instance_file), "--format", "table"]) == 0
    lines = capsys.readouterr().out.splitlines()
    instance = Instance.from_json(instance_file)
    head, row = lines[2].split(), lines[4].split()
    assert head == [
        "arm",
        "irreducible",
        "aperiodic",
        "M(P)",
        "irreducible",
        "lambda2(M)",
        "C",
        "mu",
        "gap",
    ]
    values = [float(x) for x in row if x.replace(".", "").replace("e-", "").isdigit()][1:]
    mixing = instance.mixing[1]
    expected = [mixing.lam**2, mixing.C, instance.mu[1], instance.gap[1]]
    np.testing.assert_allclose(values, expected, rtol=1e-5)


def test_the_table_of_theory_has_the_values(instance_file, capsys):
    capsys.readouterr()
    assert main(["theory", str(instance_file)]) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["tau0"], result["zeta"], result["gamma"], result["epochs"]) == (40, 1, 1.0, 1000)
    assert main(["theory", str(instance_file), "--format", "table"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].split() == [
        "arm",
        "mu",
        "gap",
        "lambda",
        "C",
        "rho",
        "L(1000)",
        "E[T](1000)",
        "<=",
    ]
    columns = ("mu", "gap", "lam", "C", "rho", "L", "plays_bound")
    expected = [result[key][0] for key in columns]
    np.testing.assert_allclose([float(x) for x in lines[3].split()[1:]], expected, rtol=1e-5)


def test_a_closed_pipe_is_not_an_error(instance_file):
    command = f"{sys.executable} -m epochbandits theory {instance_file} | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("{\n", "")


@pytest.mark.parametrize(
    "content",
    [b"", b"[" * 10_000, b"\xff", b"NaN", b"9" * 5000, b'{"name": 1, "name": 2}', b"null", b"{}"],
)
@pytest.mark.parametrize("command", ["check", "theory"])
def test_bad_files_end_in_one_sentence(command, content, tmp_path, capsys):
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    assert main([command, str(path)]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith(f"epochbandits: {path}: ")
    assert output.err.count("\n") == 1
    assert len(output.err) < 1000


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--seeds", "0:1000000000000", "--epochs", "5"], "are more than 20000000"),
        (["--seeds", "0:1" + "0" * 5000, "--epochs", "5"], "seeds must be A:B"),
        (["--seeds", "0:2", "--epochs", "1" + "0" * 15], "epochs must be"),
        (["--seeds", "0:2", "--epochs", "1000000", "--trace", "full", "--tau0", "1",
          "--seeds", "0:21"], "more than 20000000 rows"),
        (["--seeds", "0:2", "--epochs", "9" * 5000], "must be a whole number"),
    ],
)  # fmt: skip
def test_large_runs_are_refused_at_once(arguments, sentence, instance_file, tmp_path, capsys):
    out = tmp_path / "o.parquet"
    command = ["simulate", str(instance_file), "--policy", "uniform", *arguments]
    capsys.readouterr()
    assert main([*command, "--out", str(out)]) == 2
    output = capsys.readouterr().err
    assert sentence in output
    assert len(output) < 1000
    assert not out.exists()


def test_large_instances_are_not_generated(tmp_path, capsys):
    for size in (["--arms", "1000000000"], ["--arms", "200", "--states", "200"]):
        assert main(["generate", "fast", *size, "--out", str(tmp_path / "x.json")]) == 2
    output = capsys.readouterr().err
    assert "arms must be" in output
    assert "200 arms and 200 states are too many" in output
