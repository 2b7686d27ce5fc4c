"""The Python package: built, installed into a fresh environment, and used there.

The quick tests put the program that is being tested into a wheel; with S2F_SLOW_TESTS=1 the source
distribution is built, with no network, into a program of its own.
"""

import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(os.environ.get("S2F_SOURCE_DIR") or Path(__file__).resolve().parents[2])
BINARY = os.environ.get("S2F_BINARY") or str(ROOT / "build" / "dev" / "slurm2flyte")
SLOW = os.environ.get("S2F_SLOW_TESTS") == "1"

USE = """
import slurm2flyte
from slurm2flyte import Disposition, Finding, Module, Result

result: Result = slurm2flyte.convert(
    "#!/bin/bash\\n#SBATCH --partition=gpu\\n#SBATCH --cpus-per-task=4\\npython train.py --lr 0.1\\n",
    name="jobs/train.sh",
    files={"jobs/train.py": "import argparse\\n"},
)
module: Module = result.module
assert module.path == "jobs/train_flyte.py", module.path
assert module.entry == "train" and module.scripts == ("jobs/train.sh",)
compile(module.text, module.path, "exec")
finding: Finding = result.decisions[0]
assert finding.rule == "S2F210" and finding.line == 2, finding
assert finding.config_key == "partitions.gpu.queue"
script = result.scripts[0]
assert script.verdict == "needs_decision" and script.lines == script.lines_accounted == 4
became: dict[int, Disposition] = {item.line: item.disposition for item in script.items}
assert became[3] == "converted", became
assert any(number.asked == "--cpus-per-task=4" for number in script.numbers)

answered = slurm2flyte.convert(
    "#!/bin/bash\\n#SBATCH --partition=gpu\\nhostname\\n", site='[partitions.gpu]\\nqueue = "a"\\n'
)
assert not answered.decisions and 'queue="a"' in answered.module.text

refused = slurm2flyte.convert("#!/bin/bash\\n#SBATCH --time=tomorrow\\nhostname\\n")
assert refused.errors and not refused.modules
assert refused.scripts[0].verdict == "not_converted"
try:
    refused.module
except slurm2flyte.Slurm2flyteError as problem:
    assert "time" in str(problem), problem
else:
    raise AssertionError("no module, and no word of it")

driver = slurm2flyte.convert(
    "#!/bin/bash\\nfirst=$(sbatch --parsable a.sh)\\nsbatch -d afterok:$first b.sh\\n",
    name="submit.sh",
    files={"a.sh": "#!/bin/bash\\nhostname\\n", "b.sh": b"#!/bin/bash\\nhostname\\n"},
)
assert len(driver.modules) == 1 and len(driver.scripts) == 3
assert driver.module.scripts == ("submit.sh", "a.sh", "b.sh"), driver.module.scripts

for wrong in ("../x.sh", "/etc/x.sh", ""):
    try:
        slurm2flyte.convert("", name=wrong)
    except ValueError:
        pass
    else:
        raise AssertionError(wrong)
odd = slurm2flyte.convert(b"#!/bin/bash\\necho \\xff\\n", name="-x y.sh")
assert odd.module.path.endswith("_flyte.py"), odd.module.path
try:
    slurm2flyte.convert(b"\\0\\0")
except slurm2flyte.Slurm2flyteError as problem:
    assert "job.sh" in str(problem)
else:
    raise AssertionError("a binary file is no script")

import os
import pathlib
pathlib.Path("here.sh").write_text("#!/bin/bash\\nhostname\\n")
before = sorted(os.listdir("."))
for path in ("here.sh", os.path.abspath("here.sh")):
    there = slurm2flyte.convert_files([path])
    assert there.modules[0].text.count("hostname"), there
assert sorted(os.listdir(".")) == before
assert slurm2flyte.version().count(".") == 2
print("used")
"""


def run(*command: str | Path, **more: object) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [str(word) for word in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        **more,  # type: ignore[call-overload]
    )
    assert done.returncode == 0, done.stdout
    return done


def environment(**more: str) -> dict[str, str]:
    dropped = ("S2F_", "SLURM2FLYTE_", "PYTHON")
    kept = {
        key: value for key, value in os.environ.items() if not key.startswith(dropped)
    }
    # What would reach the network fails at once.
    return {**kept, "PIP_NO_INDEX": "1", **more}


def install(wheel: Path, folder: Path) -> Path:
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    run(
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "--quiet",
        "--no-deps",
        wheel,
        env=environment(),
    )
    return folder / "bin"


def check(programs: Path, work: Path) -> None:
    """The program by itself, and the functions."""
    work.mkdir()
    asked = run(programs / "slurm2flyte", "--version")
    assert asked.stdout.startswith("slurm2flyte ")
    used = run(
        programs / "python", "-c", USE, cwd=work, env=environment(PATH="/usr/bin:/bin")
    )
    assert used.stdout == "used\n"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel around the program that is tested."""
    out = tmp_path_factory.mktemp("wheel")
    run(
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--wheel-dir",
        out,
        ROOT,
        env=environment(S2F_PREBUILT=BINARY),
    )
    return next(out.glob("*.whl"))


def test_the_wheel_holds_what_it_should(wheel: Path) -> None:
    assert "-py3-none-linux" in wheel.name
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    tops = {name.split("/")[0].split("-")[0] for name in names}
    assert tops == {"slurm2flyte"}, names
    assert any(name.endswith(".data/scripts/slurm2flyte") for name in names)
    assert "slurm2flyte/py.typed" in names
    assert any(name.endswith("licenses/NOTICE") for name in names)


def test_the_wheel_works_in_a_fresh_environment(wheel: Path, tmp_path: Path) -> None:
    check(install(wheel, tmp_path / "venv"), tmp_path / "work")


def test_a_target_directory_works(wheel: Path, tmp_path: Path) -> None:
    target = tmp_path / "target"
    run(
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--target",
        target,
        wheel,
        env=environment(),
    )
    said = run(
        sys.executable,
        "-c",
        "import slurm2flyte; print(slurm2flyte.binary())",
        env=environment(PYTHONPATH=str(target), PATH="/usr/bin:/bin"),
    )
    assert said.stdout.strip() == str(target / "bin" / "slurm2flyte")


def test_the_functions_are_typed(wheel: Path, tmp_path: Path) -> None:
    (tmp_path / "use.py").write_text(USE)
    pyright = ROOT / ".venv" / "bin" / "pyright"
    if not pyright.exists():
        pytest.skip("no pyright")
    run(
        pyright,
        "--warnings",
        tmp_path / "use.py",
        env=environment(PYTHONPATH=str(ROOT / "python")),
        cwd=ROOT / "python",
    )


def test_without_a_program_it_says_what_to_do(tmp_path: Path) -> None:
    said = run(
        sys.executable,
        "-c",
        "import slurm2flyte\ntry:\n    slurm2flyte.convert('')\n"
        "except slurm2flyte.Slurm2flyteError as problem:\n    print(problem)",
        env=environment(PYTHONPATH=str(ROOT / "python"), PATH="/usr/bin:/bin"),
    )
    assert "SLURM2FLYTE_BINARY" in said.stdout


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("sdist")
    run(
        sys.executable,
        "-m",
        "build",
        "--sdist",
        "--no-isolation",
        "--outdir",
        out,
        ROOT,
        env=environment(),
    )
    return next(out.glob("*.tar.gz"))


def test_the_source_distribution_carries_the_grammars(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    for needed in (
        ".deps/grammars.stamp",
        ".deps/src/tree-sitter-bash/src/parser.c",
        ".deps/src/tree-sitter-python/src/scanner.c",
        "CMakeLists.txt",
        "grammar/grammars.lock",
        "docs/rules/S2F210.md",
        "python/slurm2flyte/__init__.py",
        "NOTICE",
    ):
        assert needed in names, needed
    unwanted = [
        name for name in names if name.startswith(("tests/", "build/", ".venv", ".ci"))
    ]
    assert not unwanted, unwanted[:5]


@pytest.mark.skipif(not SLOW, reason="builds the whole program: S2F_SLOW_TESTS=1")
def test_the_source_distribution_builds_without_a_network(
    sdist: Path, tmp_path: Path
) -> None:
    run(
        "nice",
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--wheel-dir",
        tmp_path,
        sdist,
        env=environment(),
    )
    check(install(next(tmp_path.glob("*.whl")), tmp_path / "venv"), tmp_path / "work")
