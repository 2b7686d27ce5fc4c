"""A script that asks too much is refused with a sentence, and the others are converted."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(os.environ.get("S2F_SOURCE_DIR") or Path(__file__).resolve().parents[2])
BINARY = os.environ.get("S2F_BINARY") or str(ROOT / "build" / "dev" / "slurm2flyte")
SMALL = "#!/bin/bash\n#SBATCH --mem=1G\npython a.py\n"


def convert(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [BINARY, "convert", "-q", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def modules(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*_flyte*"))


@pytest.mark.parametrize(
    ("option", "limit", "says"),
    [
        ("--max-size", "1000", "has 1"),
        ("--max-findings", "20", "findings, more than --max-findings 20 allows"),
        ("--max-seconds", "0.000001", "seconds, more than --max-seconds 1e-06 allows"),
    ],
)
def test_one_is_refused_and_the_others_go_on(
    option: str, limit: str, says: str, tmp_path: Path
) -> None:
    (tmp_path / "small.sh").write_text(SMALL)
    lines = [f"#SBATCH --nosuch{i}=1\n" for i in range(60)]
    (tmp_path / "large.sh").write_text("#!/bin/bash\n" + "".join(lines))
    without = convert(tmp_path, "--keep-going", "small.sh", "large.sh")
    assert without.returncode == 1, without.stderr
    both = modules(tmp_path)
    for name in both:
        (tmp_path / name).unlink()
    done = convert(tmp_path, "--keep-going", option, limit, "small.sh", "large.sh")
    assert done.returncode == 2
    assert says in " ".join(done.stderr.split())
    assert "large.sh" in done.stderr
    left = modules(tmp_path)
    assert not any(name.startswith("large") for name in left)
    if option != "--max-seconds":  # nothing is done in no time
        assert left == [name for name in both if name.startswith("small")]
        assert "small.sh" not in done.stderr


def test_a_limit_that_is_not_reached_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "small.sh").write_text(SMALL)
    plain = convert(tmp_path, "small.sh", "-o", "-")
    limited = convert(
        tmp_path, "small.sh", "-o", "-", "--max-size", str(len(SMALL)),
        "--max-findings", "100", "--max-seconds", "60",
    )  # fmt: skip
    assert (plain.stdout, plain.returncode) == (limited.stdout, limited.returncode)
    assert convert(
        tmp_path, "small.sh", "--max-size", str(len(SMALL) - 1)
    ).stderr.startswith("slurm2flyte: error: small.sh has ")


def test_jobs_of_a_driver_go_with_it(tmp_path: Path) -> None:
    """One module for all of them: it is not written without one of its jobs."""
    (tmp_path / "submit.sh").write_text(
        "#!/bin/bash\nsbatch large.sh\nsbatch small.sh\n"
    )
    lines = [f"#SBATCH --nosuch{i}=1\n" for i in range(60)]
    (tmp_path / "large.sh").write_text(
        "#!/bin/bash\n" + "".join(lines) + "python b.py\n"
    )
    (tmp_path / "small.sh").write_text(SMALL)
    done = convert(tmp_path, "--keep-going", "--max-findings", "20", "submit.sh")
    assert done.returncode == 2
    assert "large.sh has" in done.stderr
    assert "submit.sh was not converted" in done.stderr
    assert modules(tmp_path) == []


@pytest.mark.parametrize(
    ("line", "depth"),
    [
        ("echo x", 0),
        ("if true; then for i in 1; do echo x; done; fi", 2),
        ("for i in 1; do case $i in 1) { echo x; } ;; esac; done", 3),
        ("( if true; then echo $(echo x); fi )", 3),
        ("while read x; do echo $(( $(echo 1) + 1 )); done", 3),
    ],
)
def test_how_deep_a_script_is(line: str, depth: int, tmp_path: Path) -> None:
    (tmp_path / "deep.sh").write_text(f"{SMALL}{line}\n")
    (tmp_path / "small.sh").write_text(SMALL)
    allowed = convert(tmp_path, "--max-depth", str(max(depth, 1)), "deep.sh")
    assert allowed.returncode == 0, allowed.stderr
    if depth > 1:
        limit = str(depth - 1)
        done = convert(tmp_path, "--force", "--max-depth", limit, "deep.sh", "small.sh")
        assert done.returncode == 2
        says = " ".join(done.stderr.split())
        assert f"deep.sh is nested {depth} deep, more than --max-depth {limit}" in says
        assert "small_flyte.py" in modules(tmp_path)


@pytest.mark.parametrize("value", ["-1", "x", ""])
def test_a_limit_is_a_number(value: str, tmp_path: Path) -> None:
    (tmp_path / "small.sh").write_text(SMALL)
    assert convert(tmp_path, "small.sh", f"--max-findings={value}").returncode == 2


def test_no_script_is_nested_without_end(tmp_path: Path) -> None:
    """Beyond 200 brackets text is kept as it is; nothing overflows."""
    deep = "$(echo " * 5000 + "x" + ")" * 5000
    (tmp_path / "deep.sh").write_text(f"#!/bin/bash\necho {deep}\n")
    assert convert(tmp_path, "deep.sh").returncode in (0, 1)
