"""What file systems do to a conversion: nothing outside, nothing half written, a message, status 2."""

from __future__ import annotations

import hashlib
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(os.environ.get("S2F_SOURCE_DIR") or Path(__file__).resolve().parents[2])
BINARY = os.environ.get("S2F_BINARY") or str(ROOT / "build" / "dev" / "slurm2flyte")
JOB = "#!/bin/bash\n#SBATCH --job-name=train\npython train.py --lr 0.1\n"
LAST = re.compile(r"# slurm2flyte: generated from .*: ([0-9a-f]{12})\n\Z")


def run(folder: Path, *arguments: str, **options) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [BINARY, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=60,
        check=False,
        **options,
    )


def tree(folder: Path) -> dict[str, bytes | None]:
    """Every path below a folder with its bytes, or None for a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


def whole(module: Path) -> bool:
    """Whether the last line of a module is the hash of all above it."""
    text = module.read_text()
    last = LAST.search(text)
    if not last:
        return False
    above = text[: text.rfind("\n", 0, -1) + 1]
    return hashlib.sha256(above.encode()).hexdigest()[:12] == last.group(1)


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A folder within another, so that what is written beside it is seen."""
    folder = tmp_path / "a" / "b" / "work"
    folder.mkdir(parents=True)
    (folder / "job.sh").write_text(JOB)
    return folder


NAMES = [
    "--job-name=../../x",
    "--job-name=/tmp/slurm2flyte-x",
    "--job-name=..",
    "--job-name=.",
    "--job-name='a/../../b'",
    "--job-name=$'x\\ny'",
    "--job-name='; rm -rf x'",
    "--job-name=",
    "--job-name=flyte",
    "--chdir=/tmp",
    "--chdir=../..",
    "--output=../../../out.log",
    "--error=/etc/passwd",
]


@pytest.mark.parametrize("option", NAMES)
def test_the_script_does_not_choose_where(option: str, work: Path) -> None:
    top = work.parents[1]
    (work / "job.sh").write_text(f"#!/bin/bash\n#SBATCH {option}\npython train.py\n")
    done = run(work, "convert", "-q", "--keep-going", "job.sh")
    assert done.returncode in (0, 1), done.stderr
    assert set(tree(top)) == {
        "b",
        "b/work",
        "b/work/job.sh",
        "b/work/job_flyte.py",
        "b/work/job_flyte.review.md",
    }


@pytest.mark.parametrize(
    "target", ["../../j.sh", "/etc/passwd", "~/x.sh", "$X/../y.sh"]
)
def test_a_driver_does_not_choose_where(target: str, work: Path) -> None:
    top = work.parents[1]
    (top / "j.sh").write_text(JOB)
    (work / "job.sh").write_text(f"#!/bin/bash\nsbatch {target}\n")
    run(work, "convert", "-q", "--keep-going", "job.sh")
    outside = {name for name in tree(top) if not name.startswith("b/work/")}
    assert outside == {"b", "b/work", "j.sh"}


def test_names_of_files_do_not_choose_where(work: Path) -> None:
    out = work / "out"
    (work.parent / "job.sh").write_text(JOB)
    done = run(work, "convert", "-q", "../job.sh", "--out-dir", "out")
    assert done.returncode == 0, done.stderr
    assert set(tree(out)) == {"job_flyte.py", "job_flyte.review.md"}
    assert not list(work.parent.glob("*_flyte*"))


def test_a_link_is_replaced_and_not_followed(work: Path) -> None:
    victim = work.parent / "victim"
    victim.write_text("precious")
    (work / "job_flyte.py").symlink_to(victim)
    done = run(work, "convert", "-q", "job.sh")
    assert done.returncode == 2
    assert "was not written by slurm2flyte" in done.stderr.replace("\n", " ")
    assert victim.read_text() == "precious"
    run(work, "convert", "-q", "--force", "job.sh")
    assert victim.read_text() == "precious"
    assert whole(work / "job_flyte.py")


def test_a_link_that_leads_nowhere_makes_nothing(work: Path) -> None:
    (work / "job_flyte.py").symlink_to(work.parent / "new")
    run(work, "convert", "-q", "job.sh")
    assert not (work.parent / "new").exists()


def test_a_loop_of_links_ends(work: Path) -> None:
    (work / "loop").symlink_to(".")
    (work / "round.sh").symlink_to("round.sh")
    done = run(work, "convert", "-q", ".")
    assert done.returncode in (0, 2)
    assert whole(work / "job_flyte.py")
    done = run(work, "convert", "-q", "round.sh")
    assert done.returncode == 2 and "round.sh" in done.stderr


@pytest.mark.parametrize("name", ["job_flyte.py", "job_flyte.review.md"])
def test_a_folder_in_the_way(name: str, work: Path) -> None:
    (work / name).mkdir()
    before = tree(work)
    done = run(work, "convert", "-q", "--force", "job.sh")
    assert done.returncode == 2
    assert "this is a directory" in done.stderr.replace("\n ", "")
    assert set(tree(work)) - set(before) <= {"job_flyte.py"}
    assert not list(work.glob(".slurm2flyte*"))


def test_a_file_where_a_folder_should_be(work: Path) -> None:
    (work / "out").write_text("x")
    done = run(work, "convert", "-q", "job.sh", "--out-dir", "out")
    assert done.returncode == 2 and "out" in done.stderr
    assert (work / "out").read_text() == "x"


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_a_pipe_in_the_way(force: list[str], work: Path) -> None:
    os.mkfifo(work / "o.py")
    done = run(work, "convert", "-q", *force, "job.sh", "-o", "o.py")
    assert done.returncode == 2
    assert "not a regular file" in done.stderr.replace("\n ", "")
    assert (work / "o.py").is_fifo()


def test_a_device_in_the_way(work: Path) -> None:
    done = run(work, "convert", "-q", "--force", "job.sh", "-o", "/dev/full")
    assert done.returncode == 2, done.stderr
    assert Path("/dev/full").is_char_device()


needs_user = pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")


@needs_user
def test_a_folder_that_may_not_be_written(work: Path) -> None:
    work.chmod(0o555)
    done = run(work, "convert", "-q", "job.sh")
    work.chmod(0o755)
    assert done.returncode == 2 and "Permission denied" in done.stderr


@needs_user
def test_a_script_that_may_not_be_read(work: Path) -> None:
    (work / "job.sh").chmod(0)
    done = run(work, "convert", "-q", "job.sh")
    assert done.returncode == 2 and "cannot be read" in done.stderr


def limited(size: int) -> None:
    """No file may become larger, as on a disk that is full."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.parametrize("size", [0, 1, 100, 1000])
def test_a_full_disk(size: int, work: Path) -> None:
    old = {"job_flyte.py": b"", "job_flyte.review.md": b""}
    assert run(work, "convert", "-q", "job.sh").returncode == 0
    old = {name: (work / name).read_bytes() for name in old}
    (work / "job.sh").write_text(JOB + "python more.py\n")
    done = run(work, "convert", "-q", "job.sh", preexec_fn=lambda: limited(size))
    assert done.returncode == 2
    assert "cannot write job_flyte.py" in done.stderr.replace("\n ", "")
    assert {name: (work / name).read_bytes() for name in old} == old
    assert not list(work.glob(".slurm2flyte*"))


def test_a_batch_goes_on_where_one_cannot_be_written(work: Path) -> None:
    (work / "other.sh").write_text(JOB)
    (work / "job_flyte.py").mkdir()
    done = run(work, "convert", "-q", "job.sh", "missing.sh", "other.sh")
    assert done.returncode == 2
    assert whole(work / "other_flyte.py")
    assert "missing.sh" in done.stderr


CHANGER = """
import sys
while True:
    for text in sys.argv[2:]:
        open(sys.argv[1], "w").write(text)
"""


def test_a_script_that_changes_while_it_is_read(work: Path) -> None:
    """Whatever was read, the module is whole and of one reading."""
    texts = [JOB, JOB * 400, "#!/bin/bash\n" + "echo x\n" * 3000]
    changer = subprocess.Popen(
        [
            sys.executable,
            "-c",
            CHANGER,
            str(work / "job.sh"),
            *texts,
        ]
    )
    try:
        for _ in range(8):
            done = run(work, "convert", "-q", "--keep-going", "job.sh")
            # It may have been empty just then, or cut off in the middle.
            assert done.returncode in (0, 1, 2), done.stderr
            assert "internal error" not in done.stderr
            assert not (work / "job_flyte.py").exists() or whole(work / "job_flyte.py")
    finally:
        changer.kill()
        changer.wait()


def test_killed_at_any_moment(work: Path) -> None:
    """What stands there is the old module or the new one."""
    (work / "job.sh").write_text("#!/bin/bash\n" + "python a.py > out.txt\n" * 300)
    begin = time.monotonic()
    assert run(work, "convert", "-q", "job.sh").returncode == 0
    whole_run = time.monotonic() - begin
    for step in range(12):
        text = "#!/bin/bash\n" + f"python a{step}.py > out.txt\n" * 300
        (work / "job.sh").write_text(text)
        process = subprocess.Popen(
            [BINARY, "convert", "-q", "job.sh"],
            cwd=work,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(whole_run * step / 10)
        process.kill()
        process.wait()
        assert whole(work / "job_flyte.py")
        names = {path.name for path in work.iterdir()}
        left = {name for name in names if not name.startswith(".slurm2flyte-")}
        assert left == {"job.sh", "job_flyte.py", "job_flyte.review.md"}
    # What was left of a run that was killed is in nobody's way.
    assert run(work, "convert", "-q", "job.sh").returncode == 0


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
@pytest.mark.parametrize("call", ["write", "rename"])
def test_any_call_may_fail(call: str, work: Path) -> None:
    """Each call of a kind fails in its turn; what stands there stays whole."""
    assert run(work, "convert", "-q", "job.sh").returncode == 0
    (work / "job.sh").write_text(JOB + "python more.py\n")
    for turn in (1, 2, 3):
        inject = f"--inject={call}:error=EIO:when={turn}"
        command = ["strace", "-f", "-o", "/dev/null", inject, BINARY, "convert", "-q"]
        subprocess.run(
            [*command, "job.sh"], cwd=work, capture_output=True, timeout=60, check=False
        )
        assert whole(work / "job_flyte.py")
        assert not list(work.glob(".slurm2flyte*"))


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
@pytest.mark.parametrize("call", ["write", "fsync", "rename"])
def test_a_sign_off_survives_a_disk_that_fails(call: str, work: Path) -> None:
    """What a person has said is on the disk before it takes the place of what was there."""
    accept = ["signoff", "accept", "job.sh", "--all", "--who"]
    assert run(work, *accept, "ada").returncode == 0
    signed = next(work.rglob("*signoff*"))
    before = signed.read_text()
    for turn in (1, 2):
        inject = f"--inject={call}:error=EIO:when={turn}"
        command = ["strace", "-f", "-o", "/dev/null", inject, BINARY, *accept, "bob"]
        subprocess.run(command, cwd=work, capture_output=True, timeout=60, check=False)
        assert signed.read_text() in (before, before.replace("ada", "bob"))
        assert not list(work.glob(".slurm2flyte-*"))
