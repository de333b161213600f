"""The command `epochbandits simulate`: what it writes, refuses, and leaves behind when stopped."""

import json
import os
import resource
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pandas as pd
import pytest

from epochbandits.cli.main import main
from patience import PATIENCE, wait_for  # tests/patience.py
from runs import INSTANCE, run


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    INSTANCE.to_json("i.json")
    Path("mine.py").write_text(
        "class Wild:\n"
        "    def reset(self, info, rng): pass\n"
        "    def choose(self, k): return 7 if k == 17 else 0\n"
        "    def update(self, arm, reward): pass\n"
    )
    return tmp_path


GOOD = "simulate i.json --policy epoch-ucb --epochs 20 --seeds 0:2 --out o.parquet"


def test_command_line_writes_what_the_function_returns(folder):
    assert main(GOOD.split()) == 0
    written = pd.read_parquet(folder / "o.parquet")
    pd.testing.assert_frame_equal(written, run(epochs=20, seeds=[0, 1]), check_exact=True)
    assert sorted(p.name for p in folder.iterdir()) == ["i.json", "mine.py", "o.parquet"]


def test_a_pipe_survives_a_failed_run(folder):
    """A pipe whose reader has gone: the run fails, and the pipe is still there."""
    os.mkfifo("pipe")
    command = f"{sys.executable} -m epochbandits {GOOD.replace('o.parquet', 'pipe')}"
    done = subprocess.run(
        ["bash", "-c", f"(exec 3<pipe; exec 3<&-) & {command}"], capture_output=True, text=True
    )
    assert Path("pipe").is_fifo()
    assert "Traceback" not in done.stderr


def test_metadata_says_what_was_run(folder):
    import pyarrow.parquet as pq

    assert main([*GOOD.split(), "--param", "variant=tight", "--gamma", "0.5"]) == 0
    metadata = pq.read_schema(folder / "o.parquet").metadata
    about = json.loads(metadata[b"about"])["configuration"]
    assert about["params"] == {"variant": "tight"}
    assert about["gamma"] == 0.5
    assert about["instance_digest"] == INSTANCE.digest


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("--policy epoch-ubc", "did you mean 'epoch-ucb'?"),
        ("--policy mine.py:Wild", "policy 'Wild', seed 0, epoch 17: choose returned 7"),
        ("--policy mine:Tame", "mine has no 'Tame'"),
        ("--policy mine.py", "policy 'mine.py': name its class too, such as mine.py:MyPolicy"),
        ("--policy none.py:Tame", "policy 'none.py:Tame': there is no file none.py"),
        ("--policy nowhere:Tame", "cannot be imported"),
        ("--param c=3", "policy 'epoch-ucb' has no parameter 'c'"),
        ("--param variant=min --param variant=min", "--param gives 'variant' twice"),
        ("--param c", "must be KEY=VALUE"),
        ("--seeds 5:5", "seeds must be A:B with A < B"),
        ("--epochs 0", "epochs must be a whole number from 1"),
        ("--out no/such/o.parquet", "the folder no/such does not exist"),
        ("--out .", "it is a folder"),
        ("--schedule weekly", "schedule must be linear"),
        ("--sampling both", "sampling must be one of"),
    ],
)
def test_command_line_refuses_in_one_sentence(folder, change, sentence, capsys):
    assert main([*GOOD.split(), *change.split()]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert sentence in err
    assert err.count("\n") == 1
    assert sorted(p.name for p in folder.iterdir() if p.suffix == ".parquet") == []


def test_interrupting_stops_at_once_and_leaves_nothing(folder):
    """While compiled code runs, which is not in the first thread."""
    command = [
        sys.executable, "-m", "epochbandits", "simulate", "i.json", "--policy", "epoch-ucb",
        "--epochs", "3000000", "--seeds", "0:1", "--out", "o.parquet",
    ]  # fmt: skip
    check_interrupt(command, folder, computes)
    assert sorted(p.name for p in folder.iterdir()) == ["i.json", "mine.py"]


def cpu_seconds(task: Path) -> float:
    """Return how long a process or thread has computed, by its folder in /proc."""
    numbers = (task / "stat").read_text().rpartition(")")[2].split()
    return (int(numbers[11]) + int(numbers[12])) / os.sysconf("SC_CLK_TCK")


def computes(process) -> bool:
    """Return whether a thread other than the first has computed, not just been loaded."""
    for task in Path(f"/proc/{process.pid}/task").glob("*"):
        with suppress(OSError):  # it ended meanwhile
            if task.name != str(process.pid) and cpu_seconds(task) > 2:
                return True
    return False


def check_interrupt(command, folder, ready):
    """Start a command, interrupt it when it is ready, and check that it ends at once.

    That is: before it has computed for three seconds more, however long a busy machine takes.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(
        command, cwd=folder, stderr=subprocess.PIPE, text=True,
        # A background job of a shell ignores SIGINT, and its children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    try:
        wait_for(lambda: ready(process), process)
        computed = cpu_seconds(Path(f"/proc/{process.pid}"))
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
        process.wait()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert process.returncode == 130
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime - computed < 3
    assert "interrupted; nothing was written" in err
    assert "Traceback" not in err


@pytest.mark.parametrize("threads", [1, 2])
def test_a_policy_that_hangs_can_be_interrupted(folder, threads):
    Path("hang.py").write_text(
        "class Hang:\n"
        "    def reset(self, info, rng): pass\n"
        "    def choose(self, k):\n"
        "        open('hangs', 'w').close()\n"
        "        while True: pass\n"
        "    def update(self, arm, reward): pass\n"
    )
    command = [*f"{sys.executable} -m epochbandits".split(), *GOOD.split()]
    command += ["--policy", "hang.py:Hang", "--threads", str(threads)]
    check_interrupt(command, folder, lambda _: Path("hangs").exists())
    assert not Path("o.parquet").exists()
