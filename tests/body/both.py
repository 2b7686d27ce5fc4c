"""Runs bodies twice, by Bash and as the converted module, and says how they differ.

Modules run in forks of one process that has imported flyte, so that thousands take a minute.
"""

import asyncio
import contextlib
import importlib.util
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from flyte.io import File

ROOT = Path(os.environ.get("S2F_SOURCE_DIR") or Path(__file__).resolve().parents[2])
HEAD = "#!/bin/bash\n#SBATCH --ntasks=1\n"
SECONDS = 20


@dataclass(frozen=True)
class Outcome:
    status: int
    stdout: str
    files: dict[str, str]


@dataclass(frozen=True)
class Pair:
    script: str
    body: str  # what the review says: "lifted", "mixed", "kept", "on_slurm"
    why: list[str]  # of what was kept
    module: str
    bash: Outcome
    python: Outcome | None  # nothing where there is no task that could run
    log: str

    @property
    def same(self) -> bool:
        return self.python == self.bash

    def __str__(self) -> str:
        return (
            f"--- script\n{self.script}\n--- module\n{self.module}\n"
            f"--- bash\n{self.bash}\n--- python\n{self.python}\n--- log\n{self.log}"
        )


def binary() -> str:
    return os.environ.get("S2F_BINARY") or str(ROOT / "build" / "dev" / "slurm2flyte")


def environment(folder: Path) -> dict[str, str]:
    python = str(Path(sys.executable).parent)
    return {
        "PATH": f"{python}:/usr/local/bin:/usr/bin:/bin",
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def files_below(folder: Path) -> dict[str, str]:
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if name.endswith(("_flyte.py", "job.sh")):
            continue
        found[name] = path.read_text(errors="replace") if path.is_file() else ""
    return found


def by_bash(folder: Path) -> Outcome:
    done = subprocess.run(
        ["/bin/bash", "job.sh"],
        cwd=folder,
        env=environment(folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        timeout=SECONDS,
        check=False,
    )
    return Outcome(
        done.returncode, done.stdout.decode(errors="replace"), files_below(folder)
    )


async def as_it_is(path: str) -> str:
    """File.from_local needs a configured client."""
    return path


def run_task(module: Path, entry: str) -> int:
    File.from_local = as_it_is
    spec = importlib.util.spec_from_file_location("job_flyte", module)
    assert spec and spec.loader
    loaded = importlib.util.module_from_spec(spec)
    sys.modules["job_flyte"] = loaded
    spec.loader.exec_module(loaded)
    try:
        asyncio.run(asyncio.wait_for(getattr(loaded, entry).func(), SECONDS))
    except subprocess.CalledProcessError as error:
        # As a shell counts a signal.
        code = error.returncode
        return 128 - code if code < 0 else code
    except FileNotFoundError:
        return 127  # of a module in which no command may fail
    return 0


def by_python(folder: Path, entry: str) -> tuple[Outcome, str]:
    out, log = folder.with_suffix(".out"), folder.with_suffix(".log")
    child = os.fork()
    if child == 0:
        status = 250
        try:
            os.chdir(folder)
            os.environ.clear()
            os.environ.update(environment(folder))
            for number, path in ((1, out), (2, log)):
                with path.open("wb") as stream:
                    os.dup2(stream.fileno(), number)
            sys.stdout = os.fdopen(1, "w", closefd=False)
            sys.stderr = os.fdopen(2, "w", closefd=False)
            status = run_task(folder / "job_flyte.py", entry)
        except BaseException:  # noqa: BLE001 - the child reports it and ends
            import traceback

            traceback.print_exc()
        finally:
            with contextlib.suppress(Exception):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(status)
    _, ended = os.waitpid(child, 0)
    return (
        Outcome(
            os.waitstatus_to_exitcode(ended),
            out.read_bytes().decode(errors="replace"),
            files_below(folder),
        ),
        log.read_text(errors="replace"),
    )


def run_both(
    scripts: list[str], top: Path, inputs: dict[str, str] | None = None
) -> list[Pair]:
    """Each script in a folder of its own with the files `inputs`; all are converted at once."""
    folders = []
    for number, script in enumerate(scripts):
        # Deep down, so that `cd ..` finds the same on both sides.
        place = f"{number:05}/a/b/c/d/e"
        for side in ("bash", "python"):
            folder = top / side / "work" / place
            folder.mkdir(parents=True)
            for name, text in (inputs or {}).items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_text(text)
            (folder / "job.sh").write_text(script)
        folders.append(place)
    subprocess.run(
        [
            binary(),
            "convert",
            "-q",
            "--fail-on",
            "never",
            *[f"{folder}/job.sh" for folder in folders],
            "--report",
            str(top / "review.json"),
        ],
        cwd=top / "python" / "work",
        check=True,
        timeout=300,
    )
    review = {
        one["path"]: one
        for one in json.loads((top / "review.json").read_text())["inputs"]
    }
    pairs = []
    for folder, script in zip(folders, scripts, strict=True):
        one = review[f"{folder}/job.sh"]
        module = top / "python" / "work" / folder / "job_flyte.py"
        for report in (top / "python" / "work" / folder).glob("*.review.md"):
            report.unlink()
        python, log = None, ""
        if module.exists() and one["body"] != "on_slurm":
            python, log = by_python(module.parent, one["entry"])
        kept = [
            found["message"]
            for found in one["findings"]
            if found["rule"] in ("S2F405", "S2F406")
        ]
        pairs.append(
            Pair(
                script,
                one["body"] or "",
                kept,
                module.read_text() if module.exists() else "",
                by_bash(top / "bash" / "work" / folder),
                python,
                log,
            )
        )
    return pairs
