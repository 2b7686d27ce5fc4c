"""A private Slurm cluster of made-up nodes on this machine, and what it does with job scripts.

Every daemon talks to 127.0.0.1, keeps its files in one temporary directory, runs as the caller and
ends with the `with` block. Nothing is enforced: no cgroups, no memory limits.
"""

from __future__ import annotations

import getpass
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Self

PROGRAMS = ("slurmctld", "slurmd", "sbatch", "srun", "scontrol", "scancel")
CONFIGURATION = """\
ClusterName=behaviour
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={controller}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
PluginDir={plugins}
StateSaveLocation={top}/state
SlurmdSpoolDir={top}/spool/%n
SlurmctldPidFile={top}/slurmctld.pid
SlurmdPidFile={top}/slurmd.%n.pid
SlurmctldLogFile={top}/slurmctld.log
SlurmdLogFile={top}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
MailProg=/bin/true
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0,bf_interval=1
ReturnToService=2
KillWait=2
Waittime=0
CompleteWait=0
FirstJobId=700001
GresTypes=gpu
{nodes}
PartitionName=cpu Nodes=ALL Default=YES MaxTime=INFINITE
PartitionName=gpu Nodes=ALL MaxTime=INFINITE
"""
NODE = """\
NodeName={name} NodeHostname={name} NodeAddr=127.0.0.1 Port={port} CPUs=256 Boards=1 \
SocketsPerBoard=2 CoresPerSocket=128 ThreadsPerCore=1 RealMemory=1024000 TmpDisk=1000000"""
GPU_NODE = "g1"  # for jobs that ask for GPUs
GPUS = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random")  # stand for them
ENDED = {
    "COMPLETED",
    "FAILED",
    "CANCELLED",
    "TIMEOUT",
    "NODE_FAIL",
    "OUT_OF_MEMORY",
    "BOOT_FAIL",
    "DEADLINE",
}


def search_path() -> str:
    """Debian keeps daemons in sbin, which a plain user's PATH may lack."""
    return os.environ.get("PATH", "/usr/bin:/bin") + ":/usr/sbin:/usr/local/sbin"


def missing() -> list[str]:
    """The programs of Slurm that are not installed."""
    return [name for name in PROGRAMS if not shutil.which(name, path=search_path())]


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Cluster:
    """Use it with `with`. The nodes are c1, c2 and so on, and one with GPUs if asked for."""

    def __init__(self, nodes: int = 1, *, gpus: bool = False) -> None:
        self.nodes = [f"c{number}" for number in range(1, nodes + 1)]
        if gpus:
            self.nodes.append(GPU_NODE)

    def __enter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory(
            prefix="slurm-", ignore_cleanup_errors=True
        )
        self.top = Path(self._folder.name).resolve()
        for name in ("state", "spool"):
            (self.top / name).mkdir()
        if GPU_NODE in self.nodes:
            self._name_gpus()
        plugins = sorted(Path("/usr/lib").glob("*/slurm-wlm")) or [
            Path("/usr/lib/slurm")
        ]
        self.conf = self.top / "slurm.conf"
        self.conf.write_text(
            CONFIGURATION.format(
                controller=free_port(),
                nodes="\n".join(
                    NODE.format(name=name, port=free_port())
                    + (f" Gres=gpu:{len(GPUS)} Weight=10" if name == GPU_NODE else "")
                    for name in self.nodes
                ),
                user=getpass.getuser(),
                plugins=plugins[0],
                top=self.top,
            )
        )
        self._daemons: list[subprocess.Popen[bytes]] = []
        try:
            self._start("slurmctld", "-D", "-c")
            for name in self.nodes:
                (self.top / "spool" / name).mkdir()
                self._start("slurmd", "-D", "-N", name)
            self._wait_until_idle()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _name_gpus(self) -> None:
        (self.top / "gres.conf").write_text(
            "".join(f"NodeName={GPU_NODE} Name=gpu File={file}\n" for file in GPUS)
        )

    def __exit__(self, *_: object) -> None:
        if self._daemons:
            self.client("scancel", f"--user={getpass.getuser()}")
        for daemon in reversed(self._daemons):
            daemon.terminate()
        for daemon in self._daemons:
            try:
                daemon.wait(timeout=5)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        self._folder.cleanup()

    def _start(self, program: str, *arguments: str) -> None:
        path = shutil.which(program, path=search_path())
        assert path is not None, program
        with (self.top / f"{program}.out").open("ab") as log:
            self._daemons.append(
                subprocess.Popen(
                    [path, *arguments],
                    env=os.environ | {"SLURM_CONF": str(self.conf)},
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                )
            )

    def _wait_until_idle(self) -> None:
        for _ in range(300):
            said = self.client("scontrol", "show", "node").stdout
            if said.count("State=IDLE") == len(self.nodes):
                return
            time.sleep(0.1)
        logs = [path.read_text()[-2000:] for path in self.top.glob("*.log")]
        raise RuntimeError("the cluster did not become ready:\n" + "\n".join(logs))

    def client(
        self,
        *command: str,
        env: dict[str, str] | None = None,
        cwd: Path | None = None,
    ) -> subprocess.CompletedProcess[str]:
        environment = {
            name: value
            for name, value in (os.environ if env is None else env).items()
            if not name.startswith(("SLURM", "SBATCH"))
        }
        return subprocess.run(
            command,
            env=environment | {"SLURM_CONF": str(self.conf)},
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def jobs(self) -> list[dict[str, str]]:
        """Every job and array element that the controller knows."""
        said = self.client("scontrol", "--oneliner", "show", "job").stdout
        return [
            dict(re.findall(r"(?<!\S)([A-Za-z]+)=(\S*)", line))
            for line in said.splitlines()
            if line.startswith("JobId=")
        ]

    def wait(self, ids: set[str], seconds: float) -> list[dict[str, str]]:
        """The records of these jobs, array elements too, when all have ended."""
        until = time.monotonic() + seconds
        while True:
            mine = [
                job
                for job in self.jobs()
                if job["JobId"] in ids or job.get("ArrayJobId") in ids
            ]
            waiting = [job["JobName"] for job in mine if job["JobState"] not in ENDED]
            if not waiting:
                return mine
            if time.monotonic() > until:
                raise TimeoutError(f"still not done: {', '.join(waiting)}")
            time.sleep(0.2)
