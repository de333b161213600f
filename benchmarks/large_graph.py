"""CPU time and files of Snakemake for many tiny jobs: `python benchmarks/large_graph.py`.

Compares profiles/default with profiles/large on a graph of jobs that each create an empty file: a
dry run, a real run, and a real run whose Snakemake is killed in the middle and started again.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROFILES = Path(__file__).parents[1] / "profiles"
WORKFLOW = """
rule all:
    input:
        expand("out/{{i}}", i=range({jobs})),

rule one:
    output:
        "out/{{i}}",
    shell:
        "touch {{output}}"
"""


def start(folder: Path, profile: str, *options: str) -> subprocess.Popen[bytes]:
    command = ["snakemake", "--cores", "2", "--profile", str(PROFILES / profile), "--quiet", "all"]
    return subprocess.Popen(
        [sys.executable, "-m", *command, *options],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def measure(folder: Path, profile: str, *options: str) -> tuple[float, float, float]:
    """Return wall time, CPU time and peak memory (MB) of a run and its jobs."""
    begin = time.perf_counter()
    process = start(folder, profile, *options)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"Snakemake failed: {profile} {options}")
    return time.perf_counter() - begin, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def new_folder(name: str, jobs: int) -> Path:
    folder = Path(name)
    folder.mkdir()
    (folder / "Snakefile").write_text(WORKFLOW.format(jobs=jobs))
    return folder


def hidden_files(folder: Path) -> int:
    return sum(path.is_file() for path in (folder / ".snakemake").rglob("*"))


def killed(folder: Path, profile: str, jobs: int) -> str:
    """Kill Snakemake in the middle of a run, start it again, and report what it did.

    Its jobs outlive it for a moment, as they do after `kill -9`.
    """
    process = start(folder, profile)
    out = folder / "out"
    while not out.exists() or len(os.listdir(out)) < jobs // 2:
        if process.poll() is not None:
            raise SystemExit("the run ended before it was killed")
        time.sleep(0.05)
    process.kill()
    process.wait()
    done = len(os.listdir(out))
    unlocked = measure(folder, profile, "--unlock")[1]
    wall, cpu, peak = measure(folder, profile)
    if len(os.listdir(out)) != jobs:
        raise SystemExit(f"{profile}: {jobs - len(os.listdir(out))} jobs are missing")
    before = {path.name: path.stat().st_mtime_ns for path in out.iterdir()}
    measure(folder, profile)
    if before != {path.name: path.stat().st_mtime_ns for path in out.iterdir()}:
        raise SystemExit(f"{profile}: a third run recomputed results")
    return (
        f"killed after {done} of {jobs} jobs; after --unlock ({unlocked:.1f} s of CPU) the same "
        f"command made the rest: {wall:.0f} s, {peak:.0f} MB, {1000 * cpu / (jobs - done):.1f} ms "
        f"of CPU a job, {hidden_files(folder)} files in .snakemake; a third run did nothing"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profile", choices=("default", "large"), help="both if not given")
    parser.add_argument("--dry", type=int, default=100_000, help="jobs of the dry run; 0: none")
    parser.add_argument("--real", type=int, default=20_000, help="jobs of the real run; 0: none")
    parser.add_argument("--killed", type=int, default=2_000, help="jobs of the run that is killed")
    arguments = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        for profile in [arguments.profile] if arguments.profile else ["default", "large"]:
            for kind, jobs in (("dry", arguments.dry), ("real", arguments.real)):
                if jobs:
                    folder = new_folder(f"{kind}-{profile}", jobs)
                    options = ["--dry-run"] if kind == "dry" else []
                    wall, cpu, peak = measure(folder, profile, *options)
                    print(
                        f"{profile}, {kind} run of {jobs}: {wall:.0f} s, {peak:.0f} MB, "
                        f"{1000 * cpu / jobs:.1f} ms of CPU a job, "
                        f"{hidden_files(folder)} files in .snakemake",
                        flush=True,
                    )
            if jobs := arguments.killed:
                output = killed(new_folder(f"killed-{profile}", jobs), profile, jobs)
                print(f"{profile}: {output}", flush=True)


if __name__ == "__main__":
    main()
