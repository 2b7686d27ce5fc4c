"""The same behaviour: job scripts run by real Slurm, and their modules run by Flyte.

A case is a folder of cases/: `job.sh` with the files that it needs, `expected.json` with what real
Slurm did, and, where there is something to say, `case.json`:

    arguments   the job's $1, $2, ...
    variables   set in the shell that submits
    secrets     variables that the cluster's secrets give to the task
    hidden      text of the script that must not stand in the module
    needs       a program without which the case is skipped
    flyte       parameters of the task by name, where arguments and variables do not give them
    flyte_arguments  the task's arguments, where they are not the job's: its options are parameters
    unordered   what runs side by side may print in any order
    announced   differences that the review announces: [{"rule", "what", "why"}], what being
                "stdout", "status", "files" or "stays on Slurm"; one that no longer occurs fails
    known       differences that nothing announces yet: {"what": [...], "why"}

Payloads that several cases use lie in payloads/; a case gets those that its files name.

    python tests/behaviour/behaviour.py record [CASE...]   asks real Slurm again, and rewrites
    python tests/behaviour/behaviour.py compare [CASE...]  prints what differs
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "judge"))

from golden_cases import ROOT, run_binary
from slurm_cluster import Cluster

FOLDER = ROOT / "tests" / "behaviour"
NOT_INPUT = ("case.json", "expected.json")
# Directories that clusters share; in a test they lie in the test's own folder.
SHARED = re.compile(rb"(?<![\w./])/(scratch|project)\b")
SECONDS = 60


@dataclass(frozen=True)
class Case:
    name: str
    about: dict[str, Any] = field(default_factory=dict, compare=False)

    @property
    def folder(self) -> Path:
        return FOLDER / "cases" / self.name

    @property
    def expected(self) -> dict[str, Any]:
        return json.loads((self.folder / "expected.json").read_text())

    @property
    def arguments(self) -> list[str]:
        return self.about.get("arguments", [])

    @property
    def script(self) -> str:
        return (self.folder / "job.sh").read_text()


def cases(names: list[str] | None = None) -> list[Case]:
    found = []
    for script in sorted((FOLDER / "cases").glob("*/job.sh")):
        about = script.parent / "case.json"
        text = about.read_text() if about.exists() else "{}"
        if not names or script.parent.name in names:
            found.append(Case(script.parent.name, json.loads(text)))
    return found


class Stage:
    """A directory for one run of a case: where it is submitted from, a home, shared directories."""

    def __init__(self, top: Path, case: Case) -> None:
        self.top, self.case = top, case
        self.work = top / "work"
        for name in ("home", "tmp", "log", "scratch/alice", "project"):
            (top / name).mkdir(parents=True)
        ignored = shutil.ignore_patterns(*NOT_INPUT)
        shutil.copytree(case.folder, self.work, ignore=ignored, symlinks=True)
        texts = b"".join(p.read_bytes() for p in self.work.rglob("*") if p.is_file())
        for payload in sorted((FOLDER / "payloads").iterdir()):
            if payload.name.encode() in texts and payload.is_file():
                shutil.copy(payload, self.work / payload.name)
        for path in self.work.rglob("*.sh"):
            text = SHARED.sub(
                lambda found: bytes(self.top) + b"/" + found[1], path.read_bytes()
            )
            path.write_bytes(text)
        if (self.work / "home").is_dir():
            (self.work / "home").rename(top / "home" / "x")
            for path in (top / "home" / "x").iterdir():
                path.rename(top / "home" / path.name)
            (top / "home" / "x").rmdir()
        self.before = self.files()

    def environment(self, variables: dict[str, str]) -> dict[str, str]:
        python = Path(sys.executable).parent
        return {
            "HOME": str(self.top / "home"),
            "USER": "alice",
            "LOGNAME": "alice",
            "SHELL": "/bin/bash",
            "TMPDIR": str(self.top / "tmp"),
            "PATH": f"{self.work / 'bin'}:{python}:/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "PYTHONDONTWRITEBYTECODE": "1",
            **variables,
        }

    def files(self) -> dict[str, str | None]:
        """Text by name; a directory has none."""
        found: dict[str, str | None] = {}
        for name in ("work", "home", "tmp", "scratch", "project"):
            for path in sorted((self.top / name).rglob("*")):
                inside = path.relative_to(self.top)
                if {"__pycache__", ".flyte", "flyte"} & set(inside.parts):
                    continue
                if re.match("tmp/flyte-cp-", str(inside)):  # the SDK's own checkpoints
                    continue
                key = str(inside).removeprefix("work/")
                if path.is_symlink():
                    found[key] = f"-> {path.readlink()}"
                elif path.is_dir():
                    found[key + "/"] = None
                elif path.is_file():
                    found[key] = path.read_text(errors="surrogateescape")
        return found

    def left(self) -> dict[str, str | None]:
        """What the run left, and what it took away."""
        after = self.files()
        made = {
            name: text and self.plain(text)
            for name, text in after.items()
            if name not in self.before or self.before[name] != text
        }
        gone = {f"{name} (gone)": None for name in self.before if name not in after}
        return {self.plain(name): text for name, text in (made | gone).items()}

    def plain(self, text: str) -> str:
        """Without what differs from run to run."""
        text = text.replace(str(self.work), "$PWD").replace(str(self.top), "$TOP")
        text = re.sub(r"(?<=tmp\.)\w{10}\b", "XXXXXXXXXX", text)
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


# ---- Slurm


def slurm_answers(wanted: list[Case]) -> dict[str, dict[str, Any]]:
    """What real Slurm does with each of them, all at once."""
    with (
        Cluster(gpus=True) as cluster,
        tempfile.TemporaryDirectory(prefix="behaviour-") as top,
    ):
        stages: dict[str, Stage] = {}
        for case in wanted:
            stage = Stage(Path(top).resolve() / case.name, case)
            variables = stage.environment(case.about.get("variables", {}))
            options = []
            if not re.search(
                r"^#SBATCH (--output|--error|-o|-e)\b", case.script, re.MULTILINE
            ):
                task = "%a" if "--array" in case.script else ""
                options = [
                    f"--output={stage.top}/log/out{task}",
                    f"--error={stage.top}/log/err{task}",
                ]
            done = cluster.client(
                "sbatch",
                "--parsable",
                *options,
                "job.sh",
                *case.arguments,
                env=variables,
                cwd=stage.work,
            )
            if done.returncode != 0:
                raise RuntimeError(f"{case.name}: {done.stderr}")
            stages[done.stdout.strip()] = stage
        records = cluster.wait(set(stages), SECONDS)
        answers = {}
        for job, stage in stages.items():
            mine = [r for r in records if job in (r["JobId"], r.get("ArrayJobId"))]
            answers[stage.case.name] = slurm_answer(stage, mine)
    return answers


def slurm_answer(stage: Stage, records: list[dict[str, str]]) -> dict[str, Any]:
    records.sort(key=lambda record: int(record.get("ArrayTaskId", 0)))
    printed, statuses = "", []
    for record in records:
        path = Path(record["StdOut"])
        text = path.read_text(errors="surrogateescape") if path.exists() else ""
        job = record.get("ArrayJobId", record["JobId"])
        printed += stage.plain(text).replace(job, "<JOB>")
        code, _, number = record["ExitCode"].partition(":")
        statuses.append(int(code) or (128 + int(number) if int(number) else 0))
    job = records[0].get("ArrayJobId", records[0]["JobId"])
    files = {
        name.replace(job, "<JOB>"): text and text.replace(job, "<JOB>")
        for name, text in stage.left().items()
    }
    status = statuses[0] if len(statuses) == 1 else int(any(statuses))
    return {"status": status, "stdout": printed, "files": files}


# ---- Flyte


class Server:
    """A process that runs modules (flyte_server.py); use it with `with`."""

    def __enter__(self) -> Self:
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("SLURM", "SBATCH", "FLYTE"))
        }
        self._process = subprocess.Popen(
            [sys.executable, FOLDER / "flyte_server.py"],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(timeout=10)

    def run(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())


@dataclass(frozen=True)
class Outcome:
    answer: dict[str, Any] | None  # nothing where the job stays on Slurm
    rules: set[str]
    log: str
    module: str


def flyte_outcome(case: Case, top: Path, server: Server) -> Outcome:
    stage = Stage(top, case)
    done = run_binary("convert", "job.sh", "--report", "review.json", cwd=stage.work)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{case.name}: {done.stderr}")
    review = json.loads((stage.work / "review.json").read_text())
    (stage.work / "review.json").unlink()
    (stage.work / "job_flyte.review.md").unlink()
    one = next(one for one in review["inputs"] if one["path"] == "job.sh")
    rules = {finding["rule"] for finding in one["findings"]}
    module = (stage.work / "job_flyte.py").read_text()
    if one["body"] == "on_slurm":
        return Outcome(None, rules, "", module)
    stage.before = stage.files()
    variables = case.about.get("variables", {})
    parameters = set(re.findall(r"^    (\w+): ", module, re.MULTILINE))
    parameters |= set(re.findall(r"[(,] ?(\w+): ", module))
    given = {n.lower(): v for n, v in variables.items() if n.lower() in parameters}
    said = server.run(
        {
            "module": str(stage.work / "job_flyte.py"),
            "entry": "main" if "--array" in case.script else one["entry"],
            "positional": case.about.get("flyte_arguments", case.arguments),
            "named": given | case.about.get("flyte", {}),
            "environment": stage.environment(case.about.get("secrets", {})),
            "cwd": str(stage.work),
            "stdout": str(stage.top / "log" / "out"),
            "stderr": str(stage.top / "log" / "err"),
            "timeout": SECONDS,
        }
    )
    out, err = stage.top / "log" / "out", stage.top / "log" / "err"
    printed = out.read_text(errors="surrogateescape") if out.exists() else ""
    log = err.read_text(errors="replace") if err.exists() else ""
    answer = {
        "status": said["status"],
        "stdout": stage.plain(printed),
        "files": stage.left(),
    }
    return Outcome(answer, rules, f"{log[-2000:]}\n{said['error']}", module)


# ---- Comparison


def same_answer(case: Case, answer: dict[str, Any]) -> bool:
    """Whether Slurm says again what it said; where chance orders the lines, in any order."""

    def told(one: dict[str, Any]) -> dict[str, Any]:
        lines = one["stdout"].splitlines()
        return one | {"stdout": sorted(lines) if case.about.get("unordered") else lines}

    return told(answer) == told(case.expected)


def differences(case: Case, outcome: Outcome) -> dict[str, str]:
    """What differs, and how."""
    slurm, flyte = case.expected, outcome.answer
    if flyte is None:
        return {"stays on Slurm": "the job is not run by Flyte"}
    found = {}
    if slurm["status"] != flyte["status"] and not (
        flyte["status"] == -1 and slurm["status"] in (1, 126, 127)
    ):
        found["status"] = f"Slurm {slurm['status']}, Flyte {flyte['status']}"
    a, b = slurm["stdout"].splitlines(), flyte["stdout"].splitlines()
    if case.about.get("unordered"):
        a, b = sorted(a), sorted(b)
    if a != b:
        found["stdout"] = f"Slurm {a}\n            Flyte {b}"
    if slurm["files"] != flyte["files"]:
        names = {
            name
            for name in slurm["files"] | flyte["files"]
            if slurm["files"].get(name, 0) != flyte["files"].get(name, 0)
        }
        found["files"] = "; ".join(
            f"{name}: Slurm {slurm['files'].get(name, 'none')!r}, "
            f"Flyte {flyte['files'].get(name, 'none')!r}"
            for name in sorted(names)
        )
    return found


def wrong(case: Case, outcome: Outcome) -> list[str]:
    """The differences that nothing announces, and announcements that nothing bears out."""
    found = differences(case, outcome)
    complaints = []
    for each in case.about.get("announced", []):
        if each["rule"] not in outcome.rules:
            complaints.append(f"{each['rule']} is not raised")
        if each["what"] not in found:
            complaints.append(f"{each['what']}: announced, but the same")
    for text in case.about.get("hidden", []):
        if text in outcome.module:
            complaints.append(f"hidden: {text} stands in the module")
    announced = {each["what"] for each in case.about.get("announced", [])}
    complaints += [f"{k}: {v}" for k, v in found.items() if k not in announced]
    return complaints


def record(names: list[str]) -> None:
    wanted = cases(names)
    answers = slurm_answers(wanted)
    for case in wanted:
        text = json.dumps(
            answers[case.name], indent=1, ensure_ascii=False, sort_keys=True
        )
        (case.folder / "expected.json").write_text(text + "\n")
    print(f"{len(wanted)} recorded")


def compare(names: list[str]) -> None:
    differ = 0
    with Server() as server, tempfile.TemporaryDirectory(prefix="behaviour-") as top:
        for case in cases(names):
            outcome = flyte_outcome(case, Path(top).resolve() / case.name, server)
            complaints = wrong(case, outcome)
            known = "(known) " if "known" in case.about else ""
            differ += bool(complaints)
            for complaint in complaints:
                print(f"{known}{case.name}: {complaint}")
            if names and complaints:
                print(outcome.log, outcome.module, sep="\n")
            if known and not complaints:
                print(f"{case.name}: known, but the same")
    print(f"{differ} of {len(cases(names))} differ")


if __name__ == "__main__":
    verb = {"record": record, "compare": compare}.get(" ".join(sys.argv[1:2]))
    if verb is None:
        sys.exit(__doc__)
    verb(sys.argv[2:])
