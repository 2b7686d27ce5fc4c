"""Many scripts at once: finding them, several threads, what is stale, standard input."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(os.environ.get("S2F_SOURCE_DIR") or Path(__file__).resolve().parents[2])
BINARY = os.environ.get("S2F_BINARY") or str(ROOT / "build" / "dev" / "slurm2flyte")
JOB = "#!/bin/bash\n#SBATCH --partition=gpu\n#SBATCH --mem=1G\npython work.py {}\n"


def run(
    *arguments: str, cwd: Path, status: int = 0, standard_input: str = ""
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [BINARY, *arguments],
        cwd=cwd,
        input=standard_input,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done


def tree(folder: Path, count: int = 60) -> Path:
    """Jobs, and drivers that name some of them."""
    for number in range(count):
        place = folder / f"d{number % 4}" / f"job{number}.sh"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(JOB.format(number))
    (folder / "d0" / "submit.sh").write_text(
        "#!/bin/bash\nid=$(sbatch --parsable job0.sh)\n"
        "sbatch --dependency=afterok:$id job4.sh\n"
    )
    (folder / "submit_far.sh").write_text("#!/bin/bash\nsbatch d2/job2.sh\n")
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_any_number_of_threads_gives_the_same_bytes(tmp_path: Path) -> None:
    results = []
    for threads in ("1", "2", "7", "0"):
        folder = tree(tmp_path / threads)
        (folder / "d1" / "all.sh").write_text(
            '#!/bin/bash\nfor f in job*.sh; do sbatch "$f"; done\n'
        )
        done = run(
            *(
                "convert",
                ".",
                "-j",
                threads,
                "--report",
                "r.json",
                "--report",
                "r.sarif",
            ),
            cwd=folder,
        )
        results.append((contents(folder), done.stdout, done.stderr))
    assert all(result == results[0] for result in results)
    assert "job0_flyte.py" not in " ".join(
        results[0][0]
    )  # it stands in its driver's module
    review = json.loads(results[0][0]["r.json"])
    paths = [script["path"] for script in review["inputs"]]
    assert paths == [p for p in paths if p.endswith(".sh")] and len(paths) == 63
    assert review["summary"]["lines"] == review["summary"]["lines_accounted"]


def test_progress_is_plain_outside_a_terminal(tmp_path: Path) -> None:
    folder = tree(tmp_path)
    lines = run("convert", ".", cwd=folder).stderr.splitlines()
    assert lines[-1] == "62 of 62 scripts converted" and len(lines) == 10
    assert run("convert", ".", "-q", cwd=folder).stderr == ""
    assert run("convert", "d0/job8.sh", cwd=folder).stderr == ""


def test_one_bad_file_does_not_stop_the_rest(tmp_path: Path) -> None:
    folder = tree(tmp_path)
    (folder / "d0" / "bad.sh").write_bytes(b"#!/bin/bash\n#SBATCH --mem=1\n\0\0\n")
    (folder / "d0" / "refused.sh").write_text("#!/bin/bash\n#SBATCH --mem=1.5G\ntrue\n")
    done = run("convert", ".", cwd=folder, status=2)
    assert "bad.sh" in done.stderr
    assert (folder / "d3" / "job3_flyte.py").exists()
    assert "NEEDS DECISION" in done.stdout.splitlines()[-1] or "scripts:" in done.stdout


@pytest.mark.parametrize("outside", ["absolute", "above"])
def test_what_lies_elsewhere_is_mirrored_too(tmp_path: Path, outside: str) -> None:
    """Scripts of the same name in several directories do not meet in one place."""
    for name in ("a/x/job.sh", "a/y/job.sh", "b/job.sh"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(JOB.format(1))
    work = tmp_path / "work"
    work.mkdir()
    start = str(tmp_path) if outside == "absolute" else ".."

    def modules(*given: str) -> list[str]:
        out = work / f"out{len(list(work.iterdir()))}"
        paths = [f"{start}/{path}" for path in given]
        run("convert", "-q", *paths, "--out-dir", out.name, cwd=work)
        return sorted(str(path.relative_to(out)) for path in out.rglob("*.py"))

    assert modules("a") == ["x/job_flyte.py", "y/job_flyte.py"]
    assert modules("a/") == ["x/job_flyte.py", "y/job_flyte.py"]
    assert modules("a/x") == ["job_flyte.py"]
    assert modules("b/job.sh") == ["job_flyte.py"]
    assert modules("a/x/job.sh", "b/job.sh") == ["a/x/job_flyte.py", "b/job_flyte.py"]
    assert modules("a", "b") == [
        "a/x/job_flyte.py",
        "a/y/job_flyte.py",
        "b/job_flyte.py",
    ]


def test_many_scripts_get_a_summary(tmp_path: Path) -> None:
    folder = tree(tmp_path)
    (folder / "d0" / "refused.sh").write_text("#!/bin/bash\n#SBATCH --mem=1.5G\ntrue\n")
    done = run("convert", ".", cwd=folder, status=1)
    lines = done.stdout.splitlines()
    scripts = [line.split() for line in lines if line.endswith(".sh")]
    assert len(scripts) == 63
    assert ["1", "0", "0", "NOT", "CONVERTED", "d0/refused.sh"] in scripts
    # 60 jobs name a partition that only the site knows.
    answers = [line.split() for line in lines if "S2F210" in line]
    assert [row[:3] for row in answers] == [["60", "60", "S2F210"]], done.stdout
    assert "error[S2F110]" in done.stderr
    told = [line for line in lines if line.startswith("63 scripts:")]
    assert told and "1 NOT CONVERTED" in told[0]
    full = run("convert", ".", "--verbose", cwd=folder, status=1).stdout
    assert len(full.splitlines()) > 2 * len(lines)


def test_a_large_report_of_ours_is_written_again(tmp_path: Path) -> None:
    """Larger than a script may be; what is not ours is left alone."""
    (tmp_path / "a.sh").write_text(JOB.format(1))
    report, other = tmp_path / "r.json", tmp_path / "o.json"
    run("convert", "a.sh", "-q", "--report", "r.json", cwd=tmp_path)
    small = report.read_text()
    report.write_text(small + " " * (17 << 20))
    other.write_text(" " * (17 << 20))
    run("convert", "a.sh", "-q", "--report", "r.json", cwd=tmp_path)
    assert report.read_text() == small
    run("convert", "a.sh", "-q", "--report", "o.json", cwd=tmp_path, status=2)
    assert other.stat().st_size == 17 << 20


def test_unchanged_outputs_keep_their_time(tmp_path: Path) -> None:
    folder = tree(tmp_path, 8)
    reports = ("--report", "r.json", "--report", "r.html")
    run("convert", ".", *reports, cwd=folder)
    written = [p for p in folder.rglob("*") if p.is_file() and "_flyte" in p.name]
    written += [folder / "r.json", folder / "r.html"]
    for path in written:
        os.utime(path, (1, 1))
    (folder / "d3" / "job3.sh").write_text(JOB.format("other"))
    run("convert", ".", *reports, cwd=folder)
    changed = {p.name for p in written if p.stat().st_mtime > 1}
    assert changed >= {"job3_flyte.py", "r.json", "r.html"}
    assert not any("job7" in name or "submit" in name for name in changed)


def test_check_writes_nothing_and_tells_what_is_stale(tmp_path: Path) -> None:
    folder = tree(tmp_path, 8)
    before = contents(folder)
    done = run("convert", ".", "--check", cwd=folder, status=1)
    assert "stale: d3/job3_flyte.py" in done.stdout
    assert contents(folder) == before
    run("convert", ".", "-q", cwd=folder)
    done = run("convert", ".", "--check", cwd=folder)
    assert "up to date" in done.stdout and "stale" not in done.stdout
    # Edited by hand: not stale, and left alone, until the script changes.
    module = folder / "d3" / "job3_flyte.py"
    module.write_text(module.read_text().replace('memory="1Gi"', 'memory="2Gi"'))
    run("convert", ".", "--check", cwd=folder)
    (folder / "d3" / "job3.sh").write_text(JOB.format("other"))
    done = run("convert", ".", "--check", cwd=folder, status=1)
    assert "stale: d3/job3_flyte.py" in done.stdout
    assert "job7" not in done.stdout


def test_check_tells_signatures_that_are_stale(tmp_path: Path) -> None:
    (tmp_path / "a.sh").write_text(JOB.format(1))
    run("convert", "a.sh", cwd=tmp_path)
    run("signoff", "accept", "a.sh", "--rule", "S2F210", "--who", "ada", cwd=tmp_path)
    run("convert", "a.sh", "-q", cwd=tmp_path)
    run("convert", "a.sh", "--check", cwd=tmp_path)
    (tmp_path / "a.sh").write_text(JOB.format(1).replace("gpu", "cpu"))
    run("convert", "a.sh", "-q", cwd=tmp_path)
    done = run("convert", "a.sh", "--check", cwd=tmp_path, status=1)
    assert "stale: signatures of 1 script" in done.stdout


def test_diff_can_be_applied(tmp_path: Path) -> None:
    (tmp_path / "a.sh").write_text(JOB.format(1))
    run("convert", "a.sh", "-q", cwd=tmp_path)
    assert run("convert", "a.sh", "--diff", cwd=tmp_path).stdout == ""
    (tmp_path / "a.sh").write_text(
        JOB.format(1).replace("1G", "3G").replace("#SBATCH --partition=gpu\n", "")
        + "echo end\n"
    )
    before = contents(tmp_path)
    done = run("convert", "a.sh", "--diff", cwd=tmp_path, status=1)
    assert contents(tmp_path) == before
    assert "--- a_flyte.py\n+++ a_flyte.py\n@@ -" in done.stdout
    assert '+    resources=flyte.Resources(memory="3Gi"),  # --mem=3G' in done.stdout
    subprocess.run(
        ["patch", "-p0", "--quiet"],
        cwd=tmp_path,
        input=done.stdout,
        text=True,
        check=True,
    )
    patched = contents(tmp_path)
    run("convert", "a.sh", "-q", "--force", cwd=tmp_path)
    assert contents(tmp_path) == patched


def test_standard_input(tmp_path: Path) -> None:
    (tmp_path / "a.sh").write_text(JOB.format(1))
    done = run("convert", "-", cwd=tmp_path, standard_input=JOB.format(1))
    assert "import flyte" in done.stdout and "def stdin(" in done.stdout
    named = run(
        *("convert", "-", "--stdin-filename", "a.sh"),
        cwd=tmp_path,
        standard_input=JOB.format(1),
    ).stdout
    assert named == run("convert", "a.sh", "-o", "-", cwd=tmp_path).stdout
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.sh"]
    # What stands in the editor goes before what stands on the disk, for --check as well.
    run("convert", "a.sh", "-q", cwd=tmp_path)
    run(
        *("convert", "-", "--stdin-filename", "a.sh", "--check"),
        cwd=tmp_path,
        standard_input=JOB.format(2),
        status=1,
    )
    run("convert", "a.sh", "--stdin-filename", "a.sh", cwd=tmp_path, status=2)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((), {"a.sh", "keep/b.sh", "keep/no/d.sh", "deep/x/e.sh"}),
        (
            ("--no-ignore",),
            {
                "a.sh",
                "keep/b.sh",
                "keep/no/d.sh",
                "deep/x/e.sh",
                "build/c.sh",
                "keep/tmp_f.sh",
            },
        ),
        (("--include", "keep/**"), {"keep/b.sh", "keep/no/d.sh"}),
        (("--include", "a.sh", "--include", "e.sh"), {"a.sh", "deep/x/e.sh"}),
        (("--exclude", "keep"), {"a.sh", "deep/x/e.sh"}),
        (("--exclude", "**/no/**", "--exclude", "a*"), {"keep/b.sh", "deep/x/e.sh"}),
    ],
)
def test_which_scripts_are_found(
    arguments: tuple[str, ...], expected: set[str], tmp_path: Path
) -> None:
    for name in [
        "a.sh",
        "keep/b.sh",
        "build/c.sh",
        "keep/no/d.sh",
        "deep/x/e.sh",
        "keep/tmp_f.sh",
        ".hidden/g.sh",
    ]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(JOB.format(1))
    (tmp_path / ".gitignore").write_text("# built\n/build/\ntmp_*\nx\n")
    (tmp_path / "deep").joinpath(".gitignore").write_text("!x\n")
    run("convert", ".", "-q", *arguments, "--report", "r.json", cwd=tmp_path)
    review = json.loads((tmp_path / "r.json").read_text())
    assert {script["path"] for script in review["inputs"]} == expected
