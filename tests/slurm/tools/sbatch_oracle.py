"""What real sbatch makes of a header: `sbatch -v` with a configuration that no controller answers.

sbatch reads the script, lists the options that it set and then fails to reach a controller, which
means that it accepted the header; any other error is its own refusal. The wait for the controller
takes a second in which nothing is computed, so many run at once.

By hand: sbatch_oracle.py FILE [SBATCH_OPTION...] prints the answer as JSON.
"""

from __future__ import annotations

import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

CONFIGURATION = """\
ClusterName=offline
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=1
AuthType=auth/none
CredType=cred/none
PluginDir={plugins}
SlurmctldTimeout=2
MessageTimeout=2
SelectType=select/cons_tres
GresTypes=gpu,lscratch,shard,mps
NodeName=n1 CPUs=64 RealMemory=500000
PartitionName=debug Nodes=n1 Default=YES
"""
GRES_TYPES = ["gpu", "lscratch", "shard", "mps"]
AT_ONCE = 64
OPTION = re.compile(r"^sbatch: (\S+)\s+: (.*)$")
UNREACHABLE = re.compile(
    r"Batch job submission failed: |allocation failure: |[Pp]roblem talking to (?:the )?database|"
    r"it is an invalid entry for --cluster|No clusters can be reached now"
)
# What sbatch says of itself rather than of the script.
NOISE = re.compile(
    r"^sbatch: (?:debug|Consumable |select/|Linear |Cray/|topology |accounting_storage/|-{10})|"
    r"mpi/pmix"
)


def installed() -> str | None:
    """The version of sbatch, "22.05.8", or nothing."""
    if shutil.which("sbatch") is None:
        return None
    with Oracle() as oracle:  # without a configuration it does not even say its version
        environment = os.environ | {"SLURM_CONF": str(oracle.path / "slurm.conf")}
        said = subprocess.run(
            ["sbatch", "--version"],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
    found = re.search(r"(\d+\.\d+\.\d+)", said.stdout)
    return found[1] if found else None


class Oracle:
    """Runs sbatch in a directory of its own; use it with `with`."""

    def __enter__(self) -> Self:
        self._directory = tempfile.TemporaryDirectory(prefix="sbatch-")
        # sbatch writes paths as the system resolves them.
        self.path = Path(self._directory.name).resolve()
        plugins = glob.glob("/usr/lib/*/slurm-wlm") + glob.glob("/usr/lib*/slurm")
        (self.path / "slurm.conf").write_text(
            CONFIGURATION.format(plugins=plugins[0] if plugins else "/usr/lib/slurm")
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._directory.cleanup()

    def ask(self, requests: list[dict]) -> list[dict]:
        """Answers {"script", "argv", "env", "name"}, in order.

        With the name "sbatch" the script comes on standard input, with "wrap" it stands in argv.
        """
        with ThreadPoolExecutor(AT_ONCE) as pool:
            return list(pool.map(self._one, enumerate(requests)))

    def _one(self, numbered: tuple[int, dict]) -> dict:
        number, request = numbered
        work = self.path / str(number)
        work.mkdir()
        script = work / "script.sbatch"
        script.write_bytes(request["script"].encode("utf-8", "surrogateescape"))
        environment = {
            name: value
            for name, value in os.environ.items()
            if not re.match(r"(SLURM|SBATCH|SALLOC|SRUN)", name)
        }
        environment |= {
            "SLURM_CONF": str(self.path / "slurm.conf"),
            "TZ": "UTC",
            **request.get("env", {}),
        }
        command = ["sbatch", "-v", *request.get("argv", [])]
        name = request.get("name", script.name)
        if name == script.name:
            command.append(name)
        asked = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S")
        done = subprocess.run(
            command,
            cwd=work,
            env=environment,
            capture_output=True,
            input=script.read_bytes() if name == "sbatch" else b"",
            check=False,
        )
        shutil.rmtree(work)
        said = done.stderr.decode("utf-8", "surrogateescape")
        return {**self._read(said, done.returncode, str(work)), "asked": asked}

    def _read(self, said: str, status: int, work: str) -> dict:
        components: list[dict] = []
        messages: list[str] = []
        listing = False
        last = None
        for line in said.split("\n"):
            if line == "sbatch: defined options":
                components.append({})
                listing = True
            elif line == "sbatch: end of defined options":
                listing = False
            elif listing and (found := OPTION.match(line)):
                last = found[1]
                value = found[2].removeprefix(work + "/")
                # A variable can set half of an option; sbatch lists that without a name.
                if last != "(null)":
                    components[-1][last] = value
            elif listing and last and not line.startswith("sbatch: "):
                components[-1][last] += "\n" + line
            elif line and not NOISE.search(line):
                messages.append(line)
        for options in components:
            options.pop("verbose", None)  # ours
        accepted = status == 0 or any(UNREACHABLE.search(line) for line in messages)
        messages = [line for line in messages if not UNREACHABLE.search(line)]
        return {"accepted": accepted, "options": components, "messages": messages}


def main() -> int:
    if installed() is None:
        print("sbatch is not installed", file=sys.stderr)
        return 2
    with Oracle() as oracle:
        request = {"script": Path(sys.argv[1]).read_text(), "argv": sys.argv[2:]}
        print(json.dumps(oracle.ask([request])[0], indent=2, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
