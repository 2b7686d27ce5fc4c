"""Run train.sh, submit.sh:14 and submit.sh:22.

Migrated from submit.sh, which submits train.sh, submit.sh:14 and submit.sh:22. What
used to be "bash submit.sh" is now:

    flyte run --local submit_flyte.py main     # this machine, no cluster
    flyte run submit_flyte.py main             # the cluster
    flyte deploy submit_flyte.py               # register the tasks
"""

import asyncio
import dataclasses
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Mapping,
    Sequence,
)
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import flyte

HERE = Path(__file__).resolve().parent  # the directory the jobs were submitted from

image = flyte.Image.from_debian_base(python_version=(3, 12))  # default: none named

submit_env = flyte.TaskEnvironment(
    name="submit",
    image=image,
    include=("train.sh", "say.py"),
)

train_env = flyte.TaskEnvironment(
    name="train",
    image=image,
    include=("say.py",),
)

job_env = flyte.TaskEnvironment(
    name="job",
    image=image,
    include=("say.py",),
)

wrap_env = flyte.TaskEnvironment(
    name="wrap",
    image=image,
    include=("say.py",),
)

main_env = flyte.TaskEnvironment(
    name="driver",
    image=image,
    resources=flyte.Resources(cpu=1, memory="1Gi"),
    depends_on=[submit_env, train_env, job_env, wrap_env],
)

# submit.sh:3-22, as it was; `submit` notes what sbatch would have submitted
SUBMIT = r"""
if [ $# -gt 1 ]; then
  echo "usage: submit.sh [PATTERN], which runs submit for every file"
  exit 2
fi
export LR=0.1
load_tools=:
ids=""
for f in $(ls data_* | grep -v old | grep "${1:-.}"); do
  id=$(submit 11 --parsable train.sh "$f")
  ids="$ids:$id"
  look="look_$(basename "$f" .txt).sh"
  submit 14 --to "$look" --value "f=$f"
  submit 20 --dependency=afternotok:$id "$look"
done
submit 22 --value "VALUE2=$(ls | wc -l | xargs expr 0 '*')" --dependency=afterany$ids 
"""


@submit_env.task
async def submit(arguments: list[str] | None = None) -> str:
    """Run the driver for what it submits (submit.sh:3-22); arguments was $@."""
    # Train on every data set that is not old; then look at each, and report.
    return await submissions(SUBMIT, "submit.sh", *(arguments or ()), wanted=("LR",))


@train_env.task(timeout=timedelta(minutes=10))  # --time=10
async def train(arg1: str, lr: str) -> None:
    """Run say.py (train.sh:3); arg1 was $1, lr was $LR."""
    await run(sys.executable, "say.py", "train", arg1, lr)


@job_env.task
async def job(f: str) -> None:
    """Run say.py (submit.sh:18); f was $f."""
    await run(sys.executable, "say.py", f"look at {f}")


@wrap_env.task
async def wrap(value2: str) -> None:
    """Run say.py (submit.sh:22); value2 was $VALUE2."""
    await run(sys.executable, "say.py", "report", "of", *split_words(value2), "files")


@main_env.task(entrypoint=True)
async def main(arguments: list[str] | None = None) -> None:
    """Run the jobs in their order (submit.sh)."""
    running = Jobs()
    for each in submitted(await submit(arguments=arguments)):
        if each.place == "11":
            call = partial(train, **each.given(arg1=1, lr="LR"))
        elif each.place == "20" and each.text == "14":
            call = partial(job, **each.given(f="f"))
        elif each.place == "22":
            call = partial(wrap, **each.given(value2="VALUE2"))
        else:
            call = each.missing
        running.start(each, call)
    await running.end()


async def run(*command: str | float | Path) -> None:
    """Run one command of the job script; if it fails, the task fails."""
    argv = [str(part) for part in command]
    process = await asyncio.create_subprocess_exec(
        *argv, cwd=HERE, stdin=subprocess.DEVNULL
    )
    if code := await process.wait():
        raise subprocess.CalledProcessError(code, argv)


def split_words(text: str, cwd: Path = HERE) -> list[str]:
    """Split a text, and expand its patterns, as a shell does without quotes."""
    parts = [part for part in re.split(r"[ \t\n]+", text) if part]
    return [name for part in parts for name in expand(part, cwd)]


def expand(pattern: str, cwd: Path = HERE) -> list[str]:
    """Find the files that a shell's pattern means; the pattern itself if there are none."""
    return sorted(glob.glob(pattern, root_dir=cwd)) or [pattern]


class NeverRan(Exception):
    """The job that waited for others can no longer run."""


class Removed(NeverRan):
    """Slurm takes such a job out of its queue (--kill-on-invalid-dep): it has ended."""


@dataclasses.dataclass
class Submission:
    """What one sbatch of the driver would have submitted."""

    number: str  # the job's id, as the driver was told it
    place: str  # the line of the sbatch
    text: str = ""  # the line of the script's text, where the driver wrote it
    script: str = ""
    name: str = ""
    dependency: str = ""
    array: str = ""
    arguments: list[str] = dataclasses.field(default_factory=list)
    values: dict[str, str] = dataclasses.field(default_factory=dict)
    own: str = ""  # the id of the job that submits it
    failed: bool = False  # that job did
    run: int = 0  # which of several
    until: bool = False  # it is no job: the driver waits for what --dependency names
    changes: str = ""  # the id of the job whose dependency it changes
    kill: bool = False  # --kill-on-invalid-dep: it is removed where it can never run
    wait: str = ""  # --wait: how it has to end for the driver to go on
    behind: list[str] = dataclasses.field(default_factory=list)  # jobs it went on after

    def given(self, **origins: int | str) -> dict[str, Any]:
        """Arguments of a task: the N-th of the script, or the value of a variable."""
        found: dict[str, Any] = {}
        for name, origin in origins.items():
            if isinstance(origin, str) and origin in self.values:
                found[name] = self.values[origin]
            elif isinstance(origin, int) and origin <= len(self.arguments):
                found[name] = self.arguments[origin - 1]
        return found

    def indices(self) -> list[int]:
        """Return what --array asks for."""
        found: list[int] = []
        for part in self.array.strip("[]").partition("%")[0].split(","):
            bounds, _, step = part.partition(":")
            first, _, last = bounds.partition("-")
            found += range(int(first), int(last or first) + 1, int(step or 1))
        return found

    async def missing(self) -> None:
        """Stand for a script that was not there to be converted."""
        if not self.place:
            raise RuntimeError(self.script)
        raise FileNotFoundError(f"{self.script or 'the script'} was not converted")


class Jobs:
    """The jobs of a driver; each runs when its --dependency is met."""

    def __init__(self) -> None:
        """Begin with none."""
        self.tasks: dict[str, asyncio.Task[Any]] = {}
        self.began: dict[str, asyncio.Future[bool]] = {}
        self.names: dict[str, list[str]] = {}

    def start(self, each: Submission, job: Callable[[], Awaitable[Any]]) -> None:
        """Run a job as soon as it may."""
        alike = self.names.setdefault(each.name, [])
        met = self.met(each, [*alike])
        key = f"{each.run}:{each.number}"
        alike.append(key)
        self.began[key] = asyncio.get_running_loop().create_future()
        self.tasks[key] = asyncio.create_task(self.run(each, job, met))

    async def follow(self, notes: str) -> AsyncIterator[Submission]:
        """Give what was noted, and what the jobs that this starts note in turn."""
        found, seen, run = submitted(notes), set[asyncio.Task[Any]](), 0
        while True:
            for each in found:
                each.run = run
                yield each
            tasks = set(self.tasks.values()) - seen
            if not tasks:
                return
            ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            task = ended.pop()
            seen.add(task)
            result = None if task.exception() else task.result()
            found, run = submitted(result) if isinstance(result, str) else [], run + 1

    async def run(
        self,
        each: Submission,
        job: Callable[[], Awaitable[Any]],
        met: Coroutine[Any, Any, bool],
    ) -> Any:
        """Run a job, or find that it never can."""
        may = await met
        self.began[f"{each.run}:{each.number}"].set_result(may)
        if not may:
            message = f"the job of line {each.place} never runs: dependency not met"
            print(message, file=sys.stderr)
            raise (Removed if each.kill else NeverRan)(message)
        return await job()

    async def met(self, each: Submission, alike: list[str]) -> bool:
        """Whether a --dependency is met, once that is known."""
        for waited in each.behind:
            kind, _, job = waited.partition(":")
            if not await self.job(each, kind, job):
                return False
        checks: list[Coroutine[Any, Any, bool]] = []
        for part in re.split("[,?]", each.dependency):
            kind, _, ids = part.strip().partition(":")
            if kind == "singleton":
                checks += [self.holds("afterany", key) for key in alike]
            elif kind[:1].isdigit():
                checks += [self.job(each, "afterany", job) for job in part.split(":")]
            else:
                jobs = [job for job in ids.split(":") if job]
                checks += [self.job(each, kind.lower(), job) for job in jobs]
        if "?" not in each.dependency:
            return all(await asyncio.gather(*checks))
        return any([await check for check in asyncio.as_completed(checks)])

    async def job(self, each: Submission, kind: str, job: str) -> bool:
        """Whether a job that --dependency names did what this one waits for."""
        if job == each.own:  # it has ended
            met = kind in ("after", "afterany")
            return met or (kind == "afternotok") == each.failed
        number, _, delay = job.strip().partition("+")
        key = f"{each.run}:{number.partition('_')[0]}"
        if key not in self.tasks:
            raise LookupError(f"a dependency on {job}, which the driver did not submit")
        return await self.holds(kind, key, int(delay or 0))

    async def holds(self, kind: str, key: str, delay: int = 0) -> bool:
        """Whether one job did what another waits for."""
        if kind == "after":
            begins = await self.began[key]
            await asyncio.sleep(60 * delay)
            return begins
        await asyncio.wait([self.tasks[key]])
        error = self.tasks[key].exception()
        if isinstance(error, NeverRan):
            return isinstance(error, Removed) and kind != "afterok"
        return kind == "afterany" or (kind == "afternotok") == (error is not None)

    async def end(self) -> None:
        """Wait for all; if a job that ran failed, fail."""
        results = await asyncio.gather(*self.tasks.values(), return_exceptions=True)
        errors = [each for each in results if isinstance(each, BaseException)]
        failures = [each for each in errors if not isinstance(each, NeverRan)]
        if failures:
            message = f"{len(failures)} of {len(results)} jobs failed"
            raise RuntimeError(message) from failures[0]


async def submissions(
    script: str,
    *argv: str,
    env: Mapping[str, str] | None = None,
    interpreter: Sequence[str] = ("/bin/bash",),
    wanted: Sequence[str] = (),
) -> str:
    """Run a driver whose `submit` only notes what it would submit; return the notes."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "notes").mkdir()
        (folder / "submit.py").write_text(NOTER)
        start = f'#!/bin/sh\nexec "{sys.executable}" -IS "{folder}/submit.py" "$@"\n'
        (folder / "submit").write_text(start)
        (folder / "submit").chmod(0o755)
        process = await asyncio.create_subprocess_exec(
            *interpreter,
            "-c",
            script,
            *argv,
            cwd=HERE,
            stdin=subprocess.DEVNULL,
            env={
                **os.environ,
                "PATH": f"{folder}:{os.environ.get('PATH', os.defpath)}",
                **(env or {}),
                "SUBMIT_NOTES": f"{folder}/notes",
                "SUBMIT_HERE": str(HERE),
                "SUBMIT_WANTED": " ".join(wanted),
            },
        )
        code = await process.wait()
        notes = sorted((folder / "notes").iterdir(), key=lambda path: int(path.name))
        if code and not notes:
            raise subprocess.CalledProcessError(code, argv)
        found = [json.loads(path.read_text()) for path in notes]
        stopped = [each["place"] for each in found if each.get("until")]
        if stopped:
            message = "the driver waits for jobs that run only when it has ended"
            raise RuntimeError(f"line {stopped[0]}: {message}")
        if code:
            end = f"the driver ended with status {code}"
            found.append({"number": "", "place": "", "script": end})
        return json.dumps(found)


def submitted(notes: str) -> list[Submission]:
    """Return what a driver noted."""
    noted = [Submission(**each) for each in json.loads(notes)]
    found = {each.number: each for each in noted if not each.changes}
    for each in noted:
        if each.changes and each.changes not in found:
            raise LookupError(f"line {each.place} changes {each.changes}: no such job")
        if each.changes:
            found[each.changes].dependency = each.dependency
    failed = any(not each.place for each in noted)
    return [dataclasses.replace(each, failed=failed) for each in found.values()]


NOTER = r'''"""submit PLACE [--value NAME=VALUE]... OPTIONS: note it, print an id."""
import json
import os
import re
import shlex
import sys

WITH_VALUE = "ABCDFGJLMNSabcdeimnopqtwx"
WITHOUT = """
  bcast compress contiguous container-readonly exclusive get-user-env help hold
  ignore-pbs kill-on-invalid-dep nice no-kill no-requeue overcommit oversubscribe
  parsable propagate quiet reboot requeue resv-ports segment share spread-job stepmgr
  test-only until update usage use-min-nodes verbose version wait x11
""".split()
SHORT = {"d": "dependency", "a": "array", "J": "job-name"}
MARK = "#submit "


def read(words):
    """Return options, values and directives, and the words behind them."""
    options, values, directives = {}, {}, []
    while words and words[0].startswith("-") and len(words[0]) > 1:
        word = words.pop(0)
        if word == "--":
            break
        if word.startswith("--"):
            name, equals, value = word[2:].partition("=")
            for full in ("array", "dependency"):
                name = full if len(name) > 2 and full.startswith(name) else name
            if not equals and name not in WITHOUT and words:
                value = words.pop(0)
        else:
            name, value = word[1], word[2:]
            if name in WITH_VALUE and not value and words:
                value = words.pop(0)
            elif name not in WITH_VALUE and value:
                words.insert(0, "-" + value)
            name = SHORT.get(name, name)
        if name == "value":
            name, _, value = value.partition("=")
            values[name] = value
        elif name == "directive":
            directives.append(value)
        else:
            options[name] = value
    return options, values, directives, words


def directed(lines):
    """Return what the #SBATCH lines before the first command ask for."""
    found = {}
    for line in "\n".join(lines).split("\n"):
        if line.startswith("#SBATCH"):
            try:
                asked = shlex.split(line[7:])
            except ValueError:
                continue
            found |= read(asked)[0]
        elif line.strip() and not line.startswith("#"):
            break
    return found


place, *words = sys.argv[1:]
if not place[:1].isdigit():  # a submission whose line is not known
    place, words = "?", [place, *words]
options, values, directives, words = read(words)
options = directed(directives) | options

if "to" in options:  # a script that is written here
    with open(options["to"], "w") as file:
        mark = [place, values, directives]
        file.write(MARK + json.dumps(mark) + "\n")
    sys.exit()

here = os.environ["SUBMIT_HERE"]
script = os.path.relpath(os.path.realpath(words[0]), here) if words else ""
note = {"place": place, "script": script, "arguments": words[1:]}
note["name"] = os.path.basename(note["script"]) or "wrap"
if "until" in options:
    note["until"] = True
elif "update" in options:
    pairs = [word.partition("=") for word in words]
    changed = {key.lower(): value for key, _, value in pairs}
    note["changes"] = changed.get("jobid") or changed.get("job", "")
    options["dependency"] = changed.get("dependency", "")
elif words and os.path.isfile(words[0]):
    with open(words[0], errors="replace") as file:
        text = file.read()
    lines = text.split("\n")
    if text.startswith(MARK):
        mark, *added = lines
        note["text"], values, lines = json.loads(mark[len(MARK) :])
        if "".join(added).strip():
            note["place"], note["script"] = "?", f"{script}, which the driver changes,"
    options = directed(lines) | options
note["name"] = options.get("job-name", note["name"])
note["dependency"] = options.get("dependency", "")
note["array"] = options.get("array", "")
note["kill"] = options.get("kill-on-invalid-dep", "").startswith("y")
note["own"] = os.environ.get("SLURM_JOB_ID", "")

export = options.get("export", "ALL").split(",")
upper = [each.upper() for each in export]
inherited = {} if upper in (["NONE"], ["NIL"]) else dict(os.environ)
if "ALL" not in upper:
    inherited = {name: inherited[name] for name in export if name in inherited}
for each in export:
    name, equals, value = each.partition("=")
    if equals:
        inherited[name] = value
wanted = os.environ["SUBMIT_WANTED"].split()
note["values"] = {name: inherited[name] for name in wanted if name in inherited}
note["values"].update(values)
for name, value in values.items():
    # The script's text holds a variable in its place, which the shell does not read again.
    if value.startswith("~") or re.search(r"""['"`$;|&<>{}\\\n]""", value):
        note["place"], note["script"] = "?", f"a script with {name}={value!r} in it"

folder = os.environ["SUBMIT_NOTES"]
note["wait"] = options.get("wait", "")
note["behind"] = []
for name in sorted(os.listdir(folder), key=int):
    with open(f"{folder}/{name}") as file:
        earlier = json.loads(file.read() or "{}")
    if earlier.get("wait"):
        note["behind"].append(f"after{earlier['wait']}:{name}")
number = len(os.listdir(folder)) + 1
while True:
    try:
        file = open(f"{folder}/{number}", "x")
        break
    except FileExistsError:
        number += 1
with file:
    note["number"] = str(number)
    json.dump(note, file)
if "until" not in options and "update" not in options:
    print(number if "parsable" in options else f"Submitted batch job {number}")
'''


if __name__ == "__main__":
    flyte.init_from_config()
    print(flyte.run(main).url)
# slurm2flyte: generated from submit.sh, sha256 of the text above: 825002ce6e91
