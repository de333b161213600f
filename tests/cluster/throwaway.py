"""A Slurm of two nodes on this machine, for as long as a test needs it.

It needs root, and Debian's packages slurmctld, slurmd, slurm-client and munge. Its state is in a
temporary folder, its ports are free ones, and all that it started is ended by process number.
"""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import ExitStack, suppress
from pathlib import Path

from patience import PATIENCE, wait_for  # tests/patience.py

# Snakemake takes SLURM_CONF from its jobs, so that Slurm's commands in them look here.
CONF = Path("/etc/slurm/slurm.conf")
OURS = "# epochbandits: a test's throw-away cluster, of process "
MARK = "EPOCHBANDITS_THROWAWAY"
NODES = ("n1", "n2")
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "sinfo", "scancel")
PLACES = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"

# CPUs and memory are a fiction, so that jobs do not wait for each other. A node that does not
# answer for ten seconds is down, and its jobs have failed. JobCompLoc lists the jobs that ended.
TEMPLATE = """{ours}{pid}
ClusterName=throwaway
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n.log
JobCompType=jobcomp/filetxt
JobCompLoc={folder}/ended
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SlurmdParameters=config_overrides
SlurmdTimeout=10
ReturnToService=2
JobRequeue=0
MinJobAge=300
SchedulerParameters=sched_interval=2
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=32 RealMemory=64000
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=32 RealMemory=64000
PartitionName=main Nodes=n[1-2] Default=YES MaxTime=120 LLN=YES
PartitionName=lab Nodes=n[1-2] MaxTime=120 LLN=YES
"""


def why_not() -> str | None:
    """Return why no cluster can be started here, if so."""
    if missing := [name for name in PROGRAMS if shutil.which(name, path=PLACES) is None]:
        return f"no {', '.join(missing)}: install slurmctld, slurmd, slurm-client and munge"
    if os.geteuid() != 0:
        return "Slurm's daemons need root"
    if CONF.exists():
        first = CONF.read_text(encoding="utf-8").partition("\n")[0]
        if not first.startswith(OURS):
            return f"{CONF} is a real cluster's, which is left alone"
        if Path("/proc", first.removeprefix(OURS)).exists():
            return f"another test's cluster is running (process {first.removeprefix(OURS)})"
    return None


class Cluster:
    """A running Slurm; leaving the context ends it."""

    def __enter__(self) -> "Cluster":
        with ExitStack() as undo:  # what was started is ended if the rest fails, too
            self.folder = Path(tempfile.mkdtemp(prefix="throwaway-slurm-"))
            undo.callback(shutil.rmtree, self.folder, ignore_errors=True)
            self._started: list[subprocess.Popen] = []
            undo.callback(self._end_processes)
            for name in ("state", *NODES):
                (self.folder / name).mkdir()
            CONF.parent.mkdir(parents=True, exist_ok=True)
            undo.callback(CONF.unlink, missing_ok=True)
            CONF.write_text(
                TEMPLATE.format(
                    ours=OURS, pid=os.getpid(), host=socket.gethostname().partition(".")[0],
                    folder=self.folder, ports=_free_ports(3),
                ),
                encoding="utf-8",
            )  # fmt: skip
            self._start_munge()
            self._start("slurmctld", "-D", "-i")
            self.daemons = {node: self._start_node(node) for node in NODES}
            self._wait(lambda: self.states() == dict.fromkeys(NODES, "idle"), "two idle nodes")
            self._undo = undo.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._undo.close()

    def states(self) -> dict[str, str]:
        """Return each node's state."""
        return dict(_rows("sinfo", "--Node", "--noheader", "--format=%N %T"))

    def running(self) -> dict[str, tuple[str, str]]:
        """Return the jobs that run now: their node and, if known, what they are, by number."""
        rows = _rows("squeue", "--states=RUNNING", "--noheader", "--format=%i %N %k")
        return {number: (node, what) for number, node, what in rows}

    def ended(self) -> list[dict[str, str]]:
        """Return the jobs that ended, in order, as Slurm noted them."""
        path = self.folder / "ended"
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        return [dict(part.partition("=")[::2] for part in line.split()) for line in lines]

    def scancel(self, job: str) -> None:
        subprocess.run(["scancel", job], check=True, timeout=PATIENCE)

    def crash(self, node: str) -> None:
        """Kill a node's daemon and all that runs on the node, as a loss of power would."""
        self.daemons[node].kill()
        self.daemons[node].wait(PATIENCE)
        self._started.remove(self.daemons[node])
        for process in self._processes(node):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def revive(self, node: str) -> None:
        """Start a node's daemon again."""
        self.daemons[node] = self._start_node(node)
        self._wait(lambda: self.states()[node] == "idle", f"node {node} that came back")

    @property
    def environment(self) -> dict[str, str]:
        """What a command that submits jobs is started with, so that its jobs can be recognised."""
        return {**os.environ, MARK: str(self.folder)}

    def _start_munge(self) -> None:
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        places = {"socket": "socket", "pid-file": "pid", "log-file": "log", "seed-file": "seed"}
        options = [f"--{option}={self.folder}/munge.{end}" for option, end in places.items()]
        # Forced: a folder under /tmp is not where it would keep its key for good.
        self._start("munged", "--foreground", "--force", f"--key-file={key}", *options)
        self._wait(lambda: (self.folder / "munge.socket").exists(), "munged")

    def _start_node(self, node: str) -> subprocess.Popen:
        return self._start("slurmd", "-D", "-N", node, folder=self.folder / node)

    def _start(self, name: str, *arguments: str, folder: Path | None = None) -> subprocess.Popen:
        with (self.folder / f"{name}.out").open("a") as out:
            daemon = subprocess.Popen(
                [shutil.which(name, path=PLACES) or name, *arguments],
                cwd=folder or self.folder,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )
        self._started.append(daemon)
        return daemon

    def _wait(self, done, what: str) -> None:
        def is_done() -> bool:
            over = [daemon.args[0] for daemon in self._started if daemon.poll() is not None]
            assert not over, f"{over} ended\n{logs()}"
            with suppress(subprocess.CalledProcessError, KeyError):
                return done()
            return False

        def logs() -> str:
            files = sorted(self.folder.glob("*.[lo][ou][gt]"))
            ends = [f"{path.name}: {path.read_text(errors='replace')[-800:]}" for path in files]
            return "\n".join([f"no {what}", *ends])

        wait_for(is_done, output=logs)

    def _processes(self, node: str | None = None) -> list[int]:
        """Return the living processes of this cluster, or of one of its nodes.

        Daemons and their steps, which hide their environment, are recognised by their folder;
        jobs by the mark of the command that submitted them.
        """
        place = self.folder / node if node else self.folder
        marks = {f"{MARK}={self.folder}".encode()}
        if node:
            marks.add(f"SLURMD_NODENAME={node}".encode())
        numbers = []
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):  # it may have ended, or not be ours to look at
                environment = set((process / "environ").read_bytes().split(b"\0"))
                if (process / "cwd").readlink().is_relative_to(place) or marks <= environment:
                    numbers.append(int(process.name))
        return numbers

    def _end_processes(self) -> None:
        for number, seconds in ((signal.SIGTERM, 5), (signal.SIGKILL, PATIENCE)):
            end = time.monotonic() + seconds
            while (left := self._processes()) and time.monotonic() < end:
                for process in left:
                    with suppress(ProcessLookupError):
                        os.kill(process, number)
                time.sleep(0.2)
                for daemon in self._started:
                    daemon.poll()  # so that none is left a zombie


def _rows(*command: str) -> list[list[str]]:
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=PATIENCE)
    return [line.split(maxsplit=2) for line in done.stdout.splitlines()]


def _free_ports(count: int) -> list[int]:
    with ExitStack() as open_sockets:
        sockets = [open_sockets.enter_context(socket.socket()) for _ in range(count)]
        for server in sockets:
            server.bind(("127.0.0.1", 0))
        return [server.getsockname()[1] for server in sockets]
