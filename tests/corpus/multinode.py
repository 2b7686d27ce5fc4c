#!/usr/bin/env python3
"""What becomes of the scripts below a directory that ask for several nodes or tasks.

    multinode.py DIRECTORY [--binary FILE] [--limit N] [--show N]

A script counts whose `#SBATCH` lines, read here by themselves, ask for more than one node or more
than one task. Prints what each is taken for (its kind), how many are taken for nothing, the commonest
launch lines of these, for how many the ranks are known (Flyte starts them, or the reason to stay says
how many there are), and the scripts that became ordinary tasks without a finding that says so: none
may. Ends with status 1 where there is one. The scripts are only read.
"""

import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
GIVE_UP = 20.0
SHAPES = {
    "nodes": re.compile(r"(?:--nodes(?:=|\s+)|(?<![\w-])-N\s*)(\d+)"),
    "tasks": re.compile(r"(?:--ntasks(?:=|\s+)|(?<![\w-])-n\s*)(\d+)"),
    "tasks a node": re.compile(
        r"(?:--ntasks-per-node(?:=|\s+)|--tasks-per-node(?:=|\s+))(\d+)"
    ),
}
# The findings that say that nodes or tasks are not what they were.
ANNOUNCE = {"S2F112", "S2F201", "S2F455", "S2F456", "S2F703", "S2F704"}
LAUNCH = re.compile(
    r"\b(srun|torchrun|accelerate launch|deepspeed|ray start|torch\.distributed\.\w+|horovodrun"
    r"|scontrol show hostnames?|dask\S*|pdsh|ssh)\b"
)
SHAPE = re.compile(r"\d+ nodes? with \d+ process(es)? each")
STARTED = {"ranks that Flyte starts", "a Ray cluster", "a Dask cluster"}


# What the reason to stay takes the job for: the first that is found in it.
KINDS = {
    "a Python program under srun, which is not there to be read": re.compile(
        r"\.py\S* is not beside the script, so nothing tells"
    ),
    "NOT RECOGNISED: a program that nothing tells of": re.compile(
        r"nothing tells whether|so nothing tells"
    ),
    "a program that is not there, of a job that loads MPI": re.compile(
        r"which may start MPI ranks"
    ),
    "MPI": re.compile(
        r"MPI|mpirun|mpiexec|ibrun|aprun|jsrun|orterun|prun|mpi4py starts it"
    ),
    "a launcher in a variable, for another program or set elsewhere": re.compile(
        r"by its name starts ranks|which the programs of the job are given"
    ),
    "ranks of torch": re.compile(
        r"starts ranks on|ranks of a torch|are ranks of torch"
    ),
    "ranks of TensorFlow, Horovod, JAX or Dask": re.compile(r"are no ranks of torch"),
    "workers of Ray, Dask, Spark or IPython": re.compile(r"by hand"),
    "a program that reaches the other nodes by itself": re.compile(
        r"other nodes|another node"
    ),
    "copies that do not talk to each other": re.compile(
        r"srun starts \d+ copies of its program(, .*)?( \(.*)?$"
    ),
    "components that start together": re.compile("several components"),
    "licences, places or nodes that Flyte does not count": re.compile(
        "waits for licenses|asks for nodes|burst buffer|switches"
    ),
    "asks Slurm, or submits jobs": re.compile(
        r"calls (scontrol|salloc|sbatch|sbcast|squeue|sacct|scancel|sinfo)|submits jobs"
    ),
    "a step of one process, with streams or variables of its own": re.compile(
        r"srun changes the directory, the environment"
    ),
    "environment modules within what stays Bash": re.compile(r"calls? module"),
    "NOT RECOGNISED: known only when the job runs": re.compile("known only when"),
    "NOT RECOGNISED: srun in what stays Bash": re.compile("calls? srun"),
}


@dataclass
class Outcome:
    script: Path
    asked: dict[str, int]
    problem: str = ""
    verdict: str = ""
    module: str = ""
    findings: list[dict[str, Any]] = field(default_factory=list)

    @property
    def kind(self) -> str:
        """What the module starts."""
        if self.problem:
            return self.problem
        if "ClusteredTaskEnvironment(" in self.module:
            return "ranks that Flyte starts"
        if "RayJobConfig(" in self.module:
            return "a Ray cluster"
        if "plugin_config=Dask(" in self.module:
            return "a Dask cluster"
        if "SlurmScriptTask(" in self.module:
            return "a Slurm job"
        return "an ordinary task"

    @property
    def reason(self) -> str:
        """Why it stayed on Slurm."""
        starts = "The job stays on Slurm: "
        for finding in self.findings:
            if finding["message"].startswith(starts):
                return finding["message"][len(starts) :].rstrip(".")
        return ""

    @property
    def taken_for(self) -> str:
        """Its kind: what the module starts, or what the reason to stay takes it for."""
        if self.kind != "a Slurm job":
            return self.kind
        for kind, pattern in KINDS.items():
            if pattern.search(self.reason):
                return kind
        return "NOT RECOGNISED: another reason"

    @property
    def known(self) -> bool:
        """Whether its ranks are known."""
        return self.kind in STARTED or bool(SHAPE.search(self.reason))

    @property
    def silent(self) -> bool:
        """Whether an ordinary task stands for several nodes or tasks, and nothing says so."""
        return self.kind == "an ordinary task" and not any(
            finding["rule"] in ANNOUNCE and finding["output_does"]
            for finding in self.findings
        )


def asked(text: str) -> dict[str, int]:
    """The last number that the script's own directives give each."""
    shape: dict[str, int] = {}
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            break
        if line.startswith("#SBATCH"):
            said = re.split(r"\s#", line[len("#SBATCH") :])[0]
            for name, pattern in SHAPES.items():
                for match in pattern.finditer(said):
                    shape[name] = int(match.group(1))
    return {name: number for name, number in shape.items() if number > 1}


def scripts(directory: Path) -> Iterator[tuple[Path, dict[str, int]]]:
    index = directory / "index.tsv"
    if index.exists():
        names = [
            line.split("\t")[0]
            for line in index.read_text(errors="replace").splitlines()
        ]
        paths = [directory / name for name in names]
    else:
        paths = sorted(directory.rglob("*"))
    for path in paths:
        if path.is_file():
            shape = asked(path.read_text(errors="replace"))
            if shape:
                yield path, shape


def convert(binary: str, script: Path, shape: dict[str, int]) -> Outcome:
    outcome = Outcome(script, shape)
    with tempfile.TemporaryDirectory(prefix="slurm2flyte-nodes-") as folder:
        module, report = Path(folder, "script_flyte.py"), Path(folder, "review.json")
        command = [
            binary,
            "convert",
            "-q",
            str(script),
            "-o",
            str(module),
            "--report",
            str(report),
        ]
        try:
            subprocess.run(
                [*command, "--force"], capture_output=True, timeout=GIVE_UP, check=False
            )
            # A driver's script comes with the jobs that it submits.
            for entry in json.loads(report.read_text())["inputs"]:
                if Path(entry["path"]).name == script.name:
                    outcome.verdict, outcome.findings = (
                        entry["verdict"],
                        entry["findings"],
                    )
            outcome.module = module.read_text() if module.exists() else ""
            if not outcome.module:
                outcome.problem = "no module"
        except subprocess.TimeoutExpired:
            outcome.problem = "hang"
        except (OSError, ValueError, KeyError):
            outcome.problem = "no review"
    return outcome


def launch_lines(text: str) -> set[str]:
    """The commands that start something on nodes, with their own words made alike."""
    lines = set()
    for line in text.replace("\\\n", " ").splitlines():
        if line.lstrip().startswith("#") or not LAUNCH.search(line):
            continue
        line = re.sub(r"\s+", " ", line.strip())
        line = re.sub(r"\S+\.py\b.*", "PROGRAM.py", line)
        line = re.sub(r"\d+", "N", line)
        lines.add(line[:110])
    return lines


def show(title: str, counter: Counter[str], total: int, number: int) -> None:
    print(f"\n{title}")
    for text, count in counter.most_common(number):
        print(f"{count:6} {100 * count / max(1, total):5.1f}%  {text}")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("--binary", default=os.environ.get("S2F_BINARY"))
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--show", type=int, default=50)
    arguments = parser.parse_args()
    binary = arguments.binary or str(ROOT / "build" / "dev" / "slurm2flyte")
    found = list(scripts(arguments.directory))
    if arguments.limit:
        found = found[:: max(1, len(found) // arguments.limit)][: arguments.limit]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(lambda each: convert(binary, *each), found))
    for title, chosen in (
        ("more than one node", [o for o in outcomes if "nodes" in o.asked]),
        (
            "one node, more than one task",
            [o for o in outcomes if "nodes" not in o.asked],
        ),
    ):
        print(f"\n== {len(chosen)} scripts with {title}")
        kinds = Counter(outcome.taken_for for outcome in chosen)
        show("what each is taken for", kinds, len(chosen), 30)
        known = sum(outcome.known for outcome in chosen)
        share = 100 * known / max(1, len(chosen))
        print(f"\nranks known: {known} ({share:.1f}%)")
        unknown = [o for o in chosen if o.taken_for.startswith("NOT RECOGNISED")]
        share = 100 * len(unknown) / max(1, len(chosen))
        print(f"not recognised: {len(unknown)} ({share:.1f}%)")
        reasons = Counter(re.sub(r"\d+", "N", o.reason) for o in unknown)
        show("why not", reasons, len(unknown), arguments.show)
        lines: Counter[str] = Counter()
        for outcome in unknown:
            lines.update(launch_lines(outcome.script.read_text(errors="replace")))
        title_of_lines = f"launch lines of the {len(unknown)} that are not recognised"
        show(title_of_lines, lines, len(unknown), arguments.show)
        rules: defaultdict[str, list[Path]] = defaultdict(list)
        for outcome in chosen:
            if outcome.silent:
                rules[", ".join(f"{k}={v}" for k, v in outcome.asked.items())].append(
                    outcome.script
                )
        silent = sum(len(paths) for paths in rules.values())
        print(f"\nan ordinary task that nothing announces: {silent}")
        for asked_for, paths in sorted(rules.items(), key=lambda item: -len(item[1])):
            print(
                f"{len(paths):6}  {asked_for}: {', '.join(str(p) for p in paths[:3])}"
            )
    return 1 if any(o.silent or o.problem == "hang" for o in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
