"""The files that bring the program into the CI of others: run as far as one machine can."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(os.environ.get("S2F_SOURCE_DIR") or Path(__file__).resolve().parents[2])
BINARY = os.environ.get("S2F_BINARY") or str(ROOT / "build" / "dev" / "slurm2flyte")


def run(
    *command: str | Path, cwd: Path, status: int = 0, **variables: str
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
        env={**os.environ, **variables},
    )
    assert done.returncode == status, done.stdout
    return done


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Scripts of somebody, in Git: a job with a question, one without, and a script that is no job."""
    folder = tmp_path / "scripts"
    folder.mkdir()
    (folder / "asks.sh").write_text("#!/bin/bash\n#SBATCH --partition=gpu\nhostname\n")
    (folder / "plain.sh").write_text("#!/bin/bash\n#SBATCH --mem=1G\nhostname\n")
    (folder / "tool.sh").write_text("#!/bin/bash\nrm -rf build\n")
    run("git", "init", "-q", "-b", "main", cwd=folder)
    run("git", "add", ".", cwd=folder)
    return folder


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is in Git of our own files, as a repository with one commit."""
    folder = tmp_path_factory.mktemp("checkout") / "slurm2flyte"
    listed = run(
        "git", "ls-files", "--cached", "--others", "--exclude-standard", cwd=ROOT
    )
    for name in listed.stdout.splitlines():
        if name.startswith(("tests/", "examples/")) or not (ROOT / name).is_file():
            continue
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    run("git", "init", "-q", "-b", "main", cwd=folder)
    run("git", "add", ".", cwd=folder)
    run("git", *identity, "commit", "-qm", "all", cwd=folder)
    return folder


def test_the_hooks_of_pre_commit(
    checkout: Path, repository: Path, tmp_path: Path
) -> None:
    def try_repo(hook: str, status: int) -> str:
        return run(
            sys.executable,
            "-m",
            "pre_commit",
            "try-repo",
            checkout,
            hook,
            "--all-files",
            "--verbose",
            "--color=never",
            cwd=repository,
            status=status,
            PRE_COMMIT_HOME=str(tmp_path / "cache"),
            S2F_PREBUILT=BINARY,
        ).stdout

    said = try_repo("slurm2flyte-check", 1)
    assert "1 decision open" in said, said
    assert "asks.sh" in said and "tool.sh" not in said
    run(BINARY, "signoff", "accept", "asks.sh", "--all", "--who", "ada", cwd=repository)
    assert "Passed" in try_repo("slurm2flyte-check", 0)
    try_repo("slurm2flyte-stale", 1)
    assert not (repository / "asks_flyte.py").exists()
    try_repo("slurm2flyte-convert", 0)
    assert "Passed" in try_repo("slurm2flyte-stale", 0)
    assert (repository / "asks_flyte.py").exists()
    assert not (repository / "tool_flyte.py").exists()


def steps() -> list[dict[str, Any]]:
    return yaml.safe_load((ROOT / "action.yml").read_text())["runs"]["steps"]


def in_runner(text: str, inputs: dict[str, str], temp: Path) -> str:
    """Expressions as a runner would put them in."""
    text = re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda match: inputs[match[1]], text)
    return text.replace("${{ runner.temp }}", str(temp))


def test_the_action(repository: Path, checkout: Path, tmp_path: Path) -> None:
    declared = yaml.safe_load((ROOT / "action.yml").read_text())["inputs"]
    inputs = {name: str(each["default"]) for name, each in declared.items()}
    temp = tmp_path / "temp"
    temp.mkdir()
    files = {
        name: temp / name
        for name in ("GITHUB_PATH", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")
    }
    path = os.environ["PATH"]
    for step in steps():
        if "run" not in step:
            continue
        assert "${{" not in step["run"], (
            "an expression in a script lets others write into it"
        )
        variables = {
            key: in_runner(value, inputs, temp)
            for key, value in step.get("env", {}).items()
        }
        run(
            "bash",
            "--noprofile",
            "--norc",
            "-eo",
            "pipefail",
            "-c",
            step["run"],
            cwd=repository,
            status=1 if step.get("id") == "check" else 0,
            PATH=path,
            RUNNER_TEMP=str(temp),
            GITHUB_ACTION_PATH=str(checkout),
            GITHUB_ACTIONS="true",
            S2F_PREBUILT=BINARY,
            **{name: str(file) for name, file in files.items()},
            **variables,
        )
        if files["GITHUB_PATH"].exists():
            path = f"{files['GITHUB_PATH'].read_text().strip()}:{os.environ['PATH']}"
    assert "# Review of" in files["GITHUB_STEP_SUMMARY"].read_text()
    outputs = dict(
        line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines()
    )
    assert '"2.1.0"' in Path(outputs["sarif"]).read_text()
    assert not (repository / "asks_flyte.py").exists(), (
        "the action writes into the repository"
    )


def test_every_expression_of_the_action_names_something() -> None:
    text = (ROOT / "action.yml").read_text()
    declared = yaml.safe_load(text)["inputs"]
    for name in re.findall(r"inputs\.([\w-]+)", text):
        assert name in declared
    for step in re.findall(r"steps\.(\w+)\.", text):
        assert any(each.get("id") == step for each in steps())


def test_stale_modules_fail_the_check(repository: Path, tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "slurm2flyte").symlink_to(BINARY)
    given = {
        "PATH": f"{programs}:{os.environ['PATH']}",
        "S2F_FAIL_ON": "never",
        "S2F_MODULES": "true",
        "S2F_REPORTS": str(tmp_path / "reports"),
    }
    check = ROOT / "ci" / "check"
    run(check, "plain.sh", cwd=repository, status=1, **given)
    run(BINARY, "convert", "plain.sh", cwd=repository)
    run(check, "plain.sh", cwd=repository, **given)


def test_the_gitlab_template(repository: Path, tmp_path: Path) -> None:
    job = yaml.safe_load((ROOT / "ci" / "gitlab.yml").read_text())["slurm2flyte"]
    assert (
        f"slurm2flyte VERSION {job['variables']['S2F_VERSION']} "
        in (ROOT / "CMakeLists.txt").read_text()
    )
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "slurm2flyte").symlink_to(BINARY)
    variables = {**job["variables"], "S2F_FAIL_ON": "decision"}
    # That version is not published while it is tested; what installs it is left out.
    script = "\n".join(job["script"])
    path = f"{programs}:{os.environ['PATH']}"
    run(
        "bash",
        "-eo",
        "pipefail",
        "-c",
        script,
        cwd=repository,
        status=1,
        PATH=path,
        **variables,
    )
    reports = repository / variables["S2F_REPORTS"]
    assert {path.name for path in reports.iterdir()} >= {
        "review.sarif",
        "review.html",
        "review.md",
    }
    assert f"{variables['S2F_REPORTS']}/" in job["artifacts"]["paths"]
    variables["S2F_FAIL_ON"] = "error"
    variables["S2F_MODULES"] = "true"
    run(
        "bash",
        "-eo",
        "pipefail",
        "-c",
        script,
        cwd=repository,
        status=1,
        PATH=path,
        **variables,
    )
    variables["S2F_MODULES"] = "false"
    run("bash", "-eo", "pipefail", "-c", script, cwd=repository, PATH=path, **variables)


def test_the_container_file_knows_what_the_build_needs() -> None:
    text = (ROOT / "Containerfile").read_text()
    mentioned = set(
        re.search(r"recommends \\\n(.*?)\nWORKDIR", text, re.DOTALL)[1].split()
    ) - {"\\"}
    setup = (ROOT / "dev").read_text()
    needed = set(
        re.search(r"packages g\+\+ (.*?)\n    say", setup, re.DOTALL)[1].split()
    ) - {"\\"}
    unused = {"ccache", "git", "catch2", "python3-venv"}
    assert needed - unused <= mentioned, needed - unused - mentioned
    presets = (ROOT / "CMakePresets.json").read_text()
    for preset in re.findall(r"--preset (\w+)", text):
        assert f'"name": "{preset}"' in presets
