"""The program as a process: streams, exit status and files that tests in memory cannot show."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(os.environ.get("S2F_SOURCE_DIR") or Path(__file__).resolve().parents[2])
BINARY = os.environ.get("S2F_BINARY") or str(ROOT / "build" / "dev" / "slurm2flyte")
SCRIPT = "#!/bin/bash\n#SBATCH --mem=1G\necho hello\n"


def run(
    *arguments: str,
    cwd: Path,
    variables: dict[str, str] | None = None,
    **streams: object,
) -> subprocess.CompletedProcess[str]:
    streams.setdefault("stdout", subprocess.PIPE)
    return subprocess.run(
        [BINARY, *arguments],
        cwd=cwd,
        env={"PATH": os.environ["PATH"], **(variables or {})},
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
        **streams,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "job.sh").write_text(SCRIPT)
    return tmp_path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_outputs_stand_beside_the_script(folder: Path) -> None:
    done = run("convert", "job.sh", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert names(folder) == ["job.sh", "job_flyte.py", "job_flyte.review.md"]


def test_variables_of_slurm_are_not_read(folder: Path) -> None:
    plain = run("convert", "job.sh", "-o", "-", cwd=folder).stdout
    variables = {
        "SBATCH_MEM_PER_NODE": "9G",
        "SBATCH_PARTITION": "x",
        "SLURM_JOB_ID": "1",
    }
    assert (
        run("convert", "job.sh", "-o", "-", cwd=folder, variables=variables).stdout
        == plain
    )
    inspected = run(
        "inspect", "job.sh", "--json", cwd=folder, variables=variables
    ).stdout
    assert inspected == run("inspect", "job.sh", "--json", cwd=folder).stdout


def test_no_colour_outside_a_terminal_unless_forced(folder: Path) -> None:
    assert "\x1b" not in run("convert", "job.sh", cwd=folder).stdout
    forced = run("convert", "job.sh", cwd=folder, variables={"CLICOLOR_FORCE": "1"})
    assert "\x1b[" in forced.stdout


def test_full_standard_output_is_a_failure(folder: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = run("rules", cwd=folder, stdout=full)
    assert done.returncode == 2
    assert "cannot write to standard output" in done.stderr


def test_directory_that_cannot_be_made(folder: Path) -> None:
    (folder / "taken").write_text("")
    done = run("convert", "job.sh", "--out-dir", "taken/out", cwd=folder)
    assert done.returncode == 2
    assert "cannot make the directory taken/out" in done.stderr
    assert names(folder) == ["job.sh", "taken"]


def test_devices_are_not_replaced(folder: Path) -> None:
    done = run("convert", "job.sh", "-o", "/dev/null", "--force", cwd=folder)
    assert done.returncode == 2
    assert Path("/dev/null").is_char_device()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable_script(folder: Path) -> None:
    (folder / "secret.sh").write_text(SCRIPT)
    (folder / "secret.sh").chmod(0)
    done = run("convert", "secret.sh", "job.sh", cwd=folder)
    assert done.returncode == 2
    assert "secret.sh: cannot be read" in done.stderr
    assert "job_flyte.py" in names(folder)


def test_inspect_reads_standard_input(folder: Path) -> None:
    done = run("inspect", "-", "--json", cwd=folder, input=SCRIPT)
    assert done.returncode == 0
    assert '"slurm2flyte-inspect/1"' in done.stdout
