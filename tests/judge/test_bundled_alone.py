"""A job whose module has no more around it than the SDK bundles prints what Bash prints.

Each case is a script beside the same small files, which it names in one way. The module runs in an empty
directory that gets only what the SDK's own code lists for it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HEAD = "#!/bin/bash\n#SBATCH --mem=1G --time=10\n"
ARRAY = "#SBATCH --array=1-3\n"
FILES = {
    "p.py": "import sys\nfor a in sys.argv[1:]:\n    print(open(a).read(), end='', flush=True)\n",
    "scripts/q.py": "import helper\nprint(helper.NAME)\n",
    "scripts/helper.py": "NAME = 'helped'\n",
    "src/own/__init__.py": "VALUE = 'own'\n",
    "uses_own.py": "import own\nprint(own.VALUE)\n",
    "pkg/__init__.py": "",
    "pkg/mod.py": "print('module')\n",
    "opens.py": "print(open('conf/d.yaml').read(), end='')\n",
    "bin/hello": "#!/bin/sh\necho hello\n",
    "conf/c.yaml": "c\n",
    "conf/d.yaml": "d\n",
    "data/part_1.csv": "1\n",
    "data/part_2.csv": "2\n",
    "data/part_3.csv": "3\n",
    "cases/one/in.dat": "one\n",
    "go.sh": "python scripts/q.py\nbash deeper.sh 2\n",
    "deeper.sh": "cat data/part_$1.csv\n",
    "start": "#!/bin/bash\npython p.py conf/d.yaml\n",
    "Makefile": "all:\n\t@cat conf/c.yaml\n",
}
CASES = {
    "loop over words": "for c in conf/c.yaml conf/d.yaml; do python p.py $c; done",
    "items of an array": "f=(data/part_1.csv data/part_2.csv)\npython p.py ${f[1]}",
    "an array of a pattern": "f=(data/*.csv)\npython p.py ${f[2]}",
    "a loop over a pattern": "for f in data/*.csv; do python p.py $f; done",
    "one of what ls prints": "f=$(ls data/*.csv | sed -n 2p)\npython p.py $f",
    "a word of case": 'case "${1:-b}" in a) X=conf/c.yaml;; *) X=conf/d.yaml;; esac\ncat $X',
    "a default": "python p.py conf/${1:-c}.yaml",
    "the index": ARRAY + "python p.py data/part_${SLURM_ARRAY_TASK_ID}.csv",
    "a directory of a name": "cat cases/${1:-one}/in.dat",
    "the submit directory": "python $SLURM_SUBMIT_DIR/p.py $PWD/conf/c.yaml",
    "pwd in a variable": "D=$(pwd)\npython $D/scripts/q.py\ncat $D/conf/d.yaml",
    "the text of a shell": 'bash -c "python scripts/q.py; cat conf/c.yaml"',
    "a step's shell": "srun bash -c 'python p.py data/part_3.csv'",
    "an own script": "bash go.sh",
    "a program of one": "./start",
    "a command in a variable": 'CMD="python p.py conf/c.yaml"\n$CMD',
    "a module of a package": "python -m pkg.mod",
    "python -c": "python -c 'import sys; sys.path.insert(0, \".\"); import pkg.mod'",
    "PYTHONPATH": "export PYTHONPATH=$PWD/src\npython uses_own.py",
    "a file that the program opens": "python opens.py",
    "PATH": "export PATH=$PWD/bin:$PATH\nhello",
    "make": "make all",
    "a directory to work in": "cd cases/one\nls",
    "up again": "cd scripts\npython ../p.py ../conf/c.yaml",
}


def tree(folder: Path) -> None:
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)


def environment() -> dict[str, str]:
    python = str(Path(sys.executable).parent)
    own = {k: v for k, v in os.environ.items() if not k.startswith(("SLURM", "FLYTE"))}
    return own | {
        "PATH": f"{python}:/usr/local/bin:/usr/bin:/bin",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def judge(folder: Path, *words: str) -> list[str]:
    script = Path(__file__).with_name("bundle_alone.py")
    done = subprocess.run(
        [sys.executable, str(script), *words],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def convert(folder: Path, text: str) -> dict[str, object]:
    binary = os.environ.get("S2F_BINARY")
    if not binary:
        pytest.skip("S2F_BINARY is not set")
    (folder / "job.sh").write_text(HEAD + text + "\n")
    done = subprocess.run(
        [binary, "convert", "job.sh", "--report", "review.json"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return json.loads((folder / "review.json").read_text())["inputs"][0]


@pytest.mark.parametrize("text", CASES.values(), ids=CASES.keys())
def test_what_is_bundled_is_enough(text: str, tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    alone = tmp_path / "alone"
    tree(whole)
    review = convert(whole, text)
    bash = (
        subprocess.run(
            ["/bin/bash", "job.sh"],
            cwd=whole,
            env=environment()
            | {"SLURM_SUBMIT_DIR": str(whole), "SLURM_ARRAY_TASK_ID": "2"}
            | {"PATH": f"{tmp_path / 'stub'}:{environment()['PATH']}"},
            capture_output=True,
            text=True,
            check=False,
        )
        if "srun" not in text
        else None
    )
    for name in judge(whole, "bundle", "job_flyte.py"):
        (alone / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(whole / name, alone / name)
    module = (alone / "job_flyte.py").read_text()
    task = module[module.index("async def ") + len("async def ") :].split("(")[0]
    printed = judge(alone, "run", "job_flyte.py", task)
    wanted = bash.stdout.splitlines() if bash is not None else ["3"]
    assert wanted
    assert printed == wanted
    raised = {finding["rule"] for finding in review["findings"]}
    assert not raised & {"S2F603", "S2F612", "S2F613", "S2F614", "S2F615"}


MISSING = {
    "python p.py conf/$1.ini": "S2F612",
    "for f in x.csv y.csv; do cat $f; done": "S2F612",
    "bash -c 'cat lost.csv'": "S2F612",
    "python -m nowhere.mod": "S2F603",
    'eval "$CMD"': "S2F615",
}


@pytest.mark.parametrize(("text", "rule"), MISSING.items())
def test_what_is_not_there_is_said(text: str, rule: str, tmp_path: Path) -> None:
    tree(tmp_path)
    assert rule in {each["rule"] for each in convert(tmp_path, text)["findings"]}


def test_many_files_are_asked_about(tmp_path: Path) -> None:
    tree(tmp_path)
    for number in range(500):
        (tmp_path / f"data/part_{number}.csv").touch()
    review = convert(tmp_path, ARRAY + CASES["the index"].removeprefix(ARRAY))
    assert "S2F614" in {each["rule"] for each in review["findings"]}
    assert (
        "part_"
        not in (tmp_path / "job_flyte.py")
        .read_text()
        .split("include=")[1]
        .split(")")[0]
    )
