"""Bodies out of lifted forms do in Python what they do in Bash."""

import json
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "judge"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from bodies import Body
from golden_cases import run_binary

SEED = os.environ.get("S2F_SEED", "1")
COUNT = int(os.environ.get("S2F_BODIES", "40"))
ARGUMENTS = ["one", "second"]
SHOW = """#!/bin/sh
printf '%s:' "$#"
for each; do printf '<%s>' "$each"; done
printf ' %s|%s|%s|%s\\n' "${A-unset}" "${B-unset}" "${OUT-unset}" "${Name-unset}"
"""


def stage(folder: Path, script: str) -> None:
    (folder / "sub").mkdir(parents=True)
    files = {
        "job.sh": script,
        "show": SHOW,
        "say": '#!/bin/sh\necho "$@"\n',
        "fail": '#!/bin/sh\necho failed\nexit "$1"\n',
        "list.txt": "l1 l2\n  l3\n",
        "sub/inner.txt": "in ner\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)


def environment(folder: Path) -> dict[str, str]:
    return {
        "HOME": "/home/alice",
        "USER": "alice",
        "LOGNAME": "alice",
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
    }


def in_bash(folder: Path) -> tuple[int, str, dict[str, str]]:
    slurm = {
        "SLURM_JOB_ID": "local",
        "SLURM_SUBMIT_DIR": str(folder),
        "SLURM_CPUS_PER_TASK": "3",
        "SLURMD_NODENAME": platform.node(),
    }
    done = subprocess.run(
        ["/bin/bash", "job.sh", *ARGUMENTS],
        cwd=folder,
        env=environment(folder) | slurm,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    return done.returncode, done.stdout.decode(errors="surrogateescape"), left(folder)


def left(folder: Path) -> dict[str, str]:
    return {
        path.name: path.read_text(errors="surrogateescape")
        for path in sorted(folder.rglob("f*"))
        if path.is_file() and path.name != "fail"
    }


def arguments_of(module: str) -> dict[str, str]:
    """The task's docstring says which parameter was which variable."""
    values = {"1": ARGUMENTS[0], "2": ARGUMENTS[1], "NEVER": ""}
    return {
        name: values.get(variable, "")
        for name, variable in re.findall(r"(\w+)\s+was\s+\$(\w+)", module)
    }


class Runner:
    def __init__(self) -> None:
        program = Path(__file__).with_name("run_modules.py")
        self.process = subprocess.Popen(
            [sys.executable, program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __call__(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps(request), file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    one = Runner()
    yield one
    one.process.kill()


def differs(folder: Path, runner: Runner) -> tuple[str, bool]:
    """What differs, and whether all of the body became Python."""
    ours = folder.with_name(folder.name + "-python")
    shutil.copytree(folder, ours)
    module = ours / "job_flyte.py"
    converted = run_binary("convert", "-q", "job.sh", "-o", module.name, cwd=ours)
    if not module.exists():
        return f"not converted: {converted.stderr}", False
    text = module.read_text()
    status, printed, files = in_bash(folder)
    log = ours / "log"
    answer = runner(
        {
            "module": str(module),
            "entry": "body",
            "arguments": arguments_of(text),
            "environment": environment(ours),
            "stdout": str(log),
        }
    )
    said = log.read_text(errors="surrogateescape").replace(str(ours), str(folder))
    theirs = {k: v.replace(str(ours), str(folder)) for k, v in left(ours).items()}
    lifted = "await bash(" not in text
    if (status, printed, files) == (answer["status"], said, theirs):
        return "", lifted
    task = text[text.index("@") : text.index("\nasync def run(")] if lifted else text
    return (
        f"{(folder / 'job.sh').read_text()}\n{task}\nBash {status} {files}\n{printed}\n"
        f"Python {answer} {theirs}\n{said}"
    ), lifted


def test_bodies(tmp_path: Path, runner: Runner) -> None:
    folders = [tmp_path.resolve() / str(i) for i in range(COUNT)]
    for i, folder in enumerate(folders):
        stage(folder, Body(f"{SEED}-{i}").text())
    with ThreadPoolExecutor(1) as pool:
        results = list(pool.map(lambda folder: differs(folder, runner), folders))
    wrong = [text for text, _ in results if text]
    print(f"{len(wrong)} of {len(results)} differ")
    assert not wrong, f"seed {SEED}: {len(wrong)} differ\n\n" + "\n\n".join(wrong[:3])
    whole = sum(lifted for _, lifted in results)
    assert whole > COUNT * 0.6, f"only {whole} of {COUNT} bodies became Python"
