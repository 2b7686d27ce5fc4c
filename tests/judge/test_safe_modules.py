"""Whatever stands in a script, its module holds only what the compiler means."""

from __future__ import annotations

import ast
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from golden_cases import ROOT, binary, cases
from hand_written import hand_written_cases
from safe_module import problems_of

sys.path += [str(ROOT / "tests" / "review"), str(ROOT / "tests" / "body")]
from bodies import Body
from hostile import HOSTILE
from proof import check

# Pieces that would end a string, a comment or a docstring, or hide what follows.
PIECES = [
    '"""',
    "'''",
    '\\"""',
    "\\",
    "\\\\",
    "\\N{BULLET}",
    "{x!r:{y}}",
    "}{",
    "%s",
    "\r",
    "\x0c",
    "\x1b[2J",
    "\x7f",
    "\x85",
    "\u2028",
    "\u2029",
    "\u202e",
    "\u2066",
    "\ufeff",
    "\ue000",
    "\U000e0041",
    "# type: ignore",
    "# fmt: off",
    "# noqa",
    "\nimport os",
    '"""\nimport os\nos.system("x")\n"""',
    "');__import__('os').system('x')#",
    '");exec("x")#',
    "$(x)",
    "日本",
]
# Where text of a script reaches the module: {x} is the piece on one line, {xs} as it is.
PLACES = {
    "comment": "# {x}\npython train.py\n",
    "trailing_comment": "python train.py  # {x}\n",
    "job_name": "#SBATCH --job-name='{x}'\npython train.py\n",
    "directive": "#SBATCH --partition='{x}' --comment='{x}'\npython train.py\n",
    "bare_directive": "#SBATCH --account={x}\npython train.py\n",
    "single_quoted": "python train.py '{xs}'\n",
    "double_quoted": 'echo "a{xs}b"\n',
    "value": "v='{xs}'\npython train.py --name \"$v\"\n",
    "export": "export NAME='{xs}'\npython train.py\n",
    "file": "python train.py > '{x}.log' 2>&1\n",
    "here_document": "cat > out.txt <<'E'\n{xs}\nE\n",
    "here_string": "cat <<< '{xs}'\n",
    "kept": "declare -A m; m[a]='{xs}'; echo \"${{m[a]}}\" {{1..3}}\n",
    "kept_bare": "for ((i=0; i<3; i++)); do echo {x} $i; done\n",
    "module": "module load '{x}'\npython train.py\n",
    "image": "docker run '{x}' python train.py\n",
    "path": "python train.py --data '/data/{x}/y' --out '/scratch/{x}'\n",
    "case": "case $1 in '{xs}') echo yes;; *) echo no;; esac\n",
    "default": 'python train.py "${{1:-{x}}}"\n',
    "loop": "for x in a '{xs}' c; do python train.py \"$x\"; done\n",
    "install": "pip install '{x}'\npython train.py\n",
    "changed_directory": "cd '{x}'\npython train.py\n",
    "function": "f() {{ echo '{xs}'; }}\nf '{x}'\n",
    "driver": "sbatch --job-name='{x}' --wrap 'echo {x}'\n",
    "written_script": "cat > j.sh <<E\n#!/bin/bash\n#SBATCH -J '{x}'\necho '{xs}'\nE\nsbatch j.sh\n",
}


def on_one_line(piece: str) -> str:
    return piece.replace("\n", " ").replace("\r", " ")


def hostile_scripts() -> Iterator[tuple[str, str]]:
    for place, form in PLACES.items():
        for number, piece in enumerate(PIECES):
            text = form.format(x=on_one_line(piece), xs=piece)
            yield f"{place}_{number}.sh", f"#!/bin/bash\n{text}"


def convert(folder: Path, *arguments: str) -> dict:
    """Converts what stands in a folder, there; its review."""
    done = subprocess.run(
        [binary(), "convert", "-q", "--keep-going", *arguments, "--report", "r.json"],
        cwd=folder,
        capture_output=True,
        check=False,
        timeout=300,
    )
    assert done.returncode in (0, 1), done.stderr.decode(errors="replace")
    return json.loads((folder / "r.json").read_text())


def judged(folder: Path, review: dict) -> list[str]:
    """What is wrong in the modules, and in what the review says of them."""
    found = [
        f"{module.name}: {problem}"
        for module in sorted(folder.rglob("*_flyte.py"))
        for problem in problems_of(module.read_text())
    ]
    return found + check(review, folder, folder)


@pytest.fixture(scope="module")
def converted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict]:
    folder = tmp_path_factory.mktemp("hostile")
    for name, text in [*hostile_scripts(), *HOSTILE.items()]:
        (folder / name).write_bytes(text.encode())
    return folder, convert(folder, *sorted(p.name for p in folder.iterdir()))


def test_modules_of_hostile_scripts(converted: tuple[Path, dict]) -> None:
    folder, review = converted
    assert judged(folder, review) == []
    assert len(list(folder.glob("*_flyte.py"))) > len(PLACES) * len(PIECES) * 0.9


def test_each_place_is_reached(converted: tuple[Path, dict]) -> None:
    """The pieces do reach the modules, so that the test above is about them."""
    folder, _ = converted
    reached = {
        place
        for place in PLACES
        for module in folder.glob(f"{place}_*_flyte.py")
        if "日本" in module.read_text()
    }
    assert set(PLACES) - reached <= {"comment", "trailing_comment"}


def test_strings_round_trip(converted: tuple[Path, dict]) -> None:
    """What stands between single quotes is the value of a string of the module."""
    folder, _ = converted
    for number, piece in enumerate(PIECES):
        module = folder / f"single_quoted_{number}_flyte.py"
        tree = ast.parse(module.read_text())
        texts = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)]
        as_read = piece.encode().replace(b"\r\n", b"\n").decode()
        assert any(isinstance(t, str) and as_read in t for t in texts), (piece, module)


def test_modules_of_the_golden_cases(tmp_path: Path) -> None:
    for case in (*cases(), *hand_written_cases()):
        case.convert(tmp_path / case.name)
    found = {
        str(module.relative_to(tmp_path)): problems_of(module.read_text())
        for module in sorted(tmp_path.rglob("*_flyte.py"))
    }
    assert {name: problems for name, problems in found.items() if problems} == {}
    assert len(found) > 20


def test_modules_of_the_behaviour_cases(tmp_path: Path) -> None:
    folders = sorted((ROOT / "tests" / "behaviour" / "cases").iterdir())
    for folder in folders:
        if (folder / "job.sh").is_file():
            (tmp_path / f"{folder.name}.sh").write_bytes(
                (folder / "job.sh").read_bytes()
            )
    names = sorted(path.name for path in tmp_path.iterdir())
    assert judged(tmp_path, convert(tmp_path, *names)) == []


def test_modules_of_random_bodies(tmp_path: Path) -> None:
    for number in range(60):
        (tmp_path / f"body_{number}.sh").write_text(Body(f"safe {number}").text())
    # Lines of the project's own scripts in an order that nobody meant.
    lines = sorted(
        {
            line
            for script in (ROOT / "tests" / "golden").glob("*/*.sh")
            for line in script.read_text(errors="replace").splitlines()
        }
    )
    chooser = random.Random("safe")
    for number in range(150):
        text = "\n".join(chooser.choices(lines, k=chooser.randint(3, 25)))
        (tmp_path / f"mixed_{number}.sh").write_text(f"#!/bin/bash\n{text}\n")
    names = sorted(path.name for path in tmp_path.iterdir())
    assert judged(tmp_path, convert(tmp_path, *names)) == []


HEAD = '"""Doc."""\n\nimport flyte\n\ne = flyte.TaskEnvironment(name="e")\n\n\n'


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("import pickle\n", "imports pickle"),
        ("exec('x')\n", "calls exec"),
        ("global x\n", "a Global"),
        ("del e\n", "a Delete"),
        ("x = e.__class__\n", "__class__"),
        ("print('a\u202eb')\n", "U+202E"),
        ("import os\nx = os.system('x')\n", "calls os.system"),
        (
            "import subprocess\nx = subprocess.run('x', shell=True)\n",
            "calls subprocess.run",
        ),
        ("f = flyte.TaskEnvironment(name='e')\n", "two environments"),
        ("def f() -> None:\n    ...\n", "a body is missing"),
        ("def f() -> None:\n    pass\n", "f is not used"),
        ("@e.task(queue='x')\ndef f() -> None:\n    pass\n", "queue on the decorator"),
        (
            "@e.task\nasync def f() -> None:\n    await run('srun', 'x')\n",
            "run of srun",
        ),
        (
            "@e.task\nasync def f() -> None:\n    await run('mpirun', 'x')\n",
            "MPI stays",
        ),
        (
            "@e.task(entrypoint=True)\nasync def main() -> None:\n    await run('x')\n",
            "computes",
        ),
        (
            "K = 'x\\nsbatch y'\n\n\n@e.task\nasync def f() -> None:\n    await bash(K)\n",
            "sbatch",
        ),
        ("while True:\n    time.sleep(1)\n    p.exists()\n", "polls"),
        ("x = flyte.map(f, [1])\n", "flyte.map blocks"),
        ("x = flyte.PodTemplate()\n", "PodTemplate"),
        ("if True:\n    pass\nx = 1\n", "an `if` at the top"),
        ("x = 1)\n", "no Python"),
    ],
)
def test_what_does_not_belong_is_found(body: str, problem: str) -> None:
    assert any(problem in each for each in problems_of(HEAD + body)), problems_of(
        HEAD + body
    )
