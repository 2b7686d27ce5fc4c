"""`slurm2flyte verify`: sound modules, broken ones, and no Python to ask."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("flyte")

ROOT = Path(os.environ.get("S2F_SOURCE_DIR") or Path(__file__).resolve().parents[2])
BINARY = os.environ.get("S2F_BINARY") or str(ROOT / "build" / "dev" / "slurm2flyte")
JOB = "#!/bin/bash\n#SBATCH --partition=gpu\n#SBATCH --mem=1G\necho {}\n"


def run(
    *arguments: str, cwd: Path, status: int = 0, **variables: str
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [BINARY, *arguments],
        cwd=cwd,
        env={"PATH": os.environ["PATH"], "HOME": str(cwd), **variables},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done


def verify(
    *arguments: str, cwd: Path, status: int = 0
) -> subprocess.CompletedProcess[str]:
    return run("verify", *arguments, "--python", sys.executable, cwd=cwd, status=status)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "train.sh").write_text(JOB.format("hello"))
    run("convert", "train.sh", "-q", cwd=tmp_path)
    return tmp_path


def test_a_sound_module(folder: Path) -> None:
    done = verify("train_flyte.py", cwd=folder)
    assert done.stdout.splitlines()[0] == "train_flyte.py: 1 task can be registered"
    assert "1 of 1 module verified with Flyte 2." in done.stdout
    review = (folder / "train_flyte.review.md").read_text()
    assert "**Verified** with Flyte 2." in review
    assert "it imports, and 1 task can be registered" in review
    # Twice is no other review, and converting again leaves what was said.
    verify(cwd=folder)
    assert (folder / "train_flyte.review.md").read_text() == review
    run("convert", "train.sh", "-q", cwd=folder)
    run("convert", "train.sh", "--check", cwd=folder)
    assert (folder / "train_flyte.review.md").read_text() == review
    # Another module: what was said of the one before is gone.
    (folder / "train.sh").write_text(JOB.format("other").replace("1G", "2G"))
    run("convert", "train.sh", "-q", cwd=folder)
    assert "Verified" not in (folder / "train_flyte.review.md").read_text()


def test_a_review_that_was_edited_is_left_alone(folder: Path) -> None:
    review = folder / "train_flyte.review.md"
    review.write_text(review.read_text().replace("# Review", "# My review"))
    before = review.read_text()
    verify(cwd=folder)
    assert review.read_text() == before


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("import flyte\n", "import flyte\nimport no_such_thing\n", "import: ModuleNot"),
        ('memory="1Gi"', 'memory="1.5 GB"', "no Kubernetes quantity"),
        ('memory="1Gi"', 'memory="1Gi", gpu="A100:1:2:3"', "import: "),
        ("import flyte\n", "import flyte\nraise SystemExit(3)\n", "import: SystemExit"),
        (
            "\n@",
            '\nextra = flyte.TaskEnvironment(name="train")\n\n\n@',
            "two environments named 'train'",
        ),
        ('name="train",', 'name="train", include=("gone.py",),', "matches nothing"),
    ],
)
def test_a_broken_module(old: str, new: str, says: str, folder: Path) -> None:
    module = folder / "train_flyte.py"
    text = module.read_text()
    assert old in text
    module.write_text(text.replace(old, new, 1))
    (folder / "ok.sh").write_text(JOB.format("ok"))
    run("convert", "ok.sh", "-q", cwd=folder)
    done = verify(cwd=folder, status=1)
    assert says in done.stdout.replace("\n    ", " ")
    assert "1 of 2 modules verified" in done.stdout
    assert "**Not verified**" in (folder / "train_flyte.review.md").read_text()
    report = json.loads(verify("--json", cwd=folder, status=1).stdout)
    assert [bool(one["errors"]) for one in report["results"]] == [False, True]


REPORTS = ("r.json", "r.sarif", "r.html")


def test_reports_tell_what_was_verified(folder: Path) -> None:
    flags = [word for name in REPORTS for word in ("--report", name)]
    (folder / "ok.sh").write_text(JOB.format("ok"))
    convert = ("convert", "train.sh", "ok.sh", "-q", *flags)
    run(*convert, cwd=folder)
    written = {name: (folder / name).read_text() for name in REPORTS}
    module = folder / "ok_flyte.py"
    sound = module.read_text()
    module.write_text(sound.replace('memory="1Gi"', 'memory="1.5 GB"'))
    verify(*flags, cwd=folder, status=1)

    inputs = json.loads((folder / "r.json").read_text())["inputs"]
    assert [len(each["verified"]["errors"]) for each in inputs] == [0, 1]
    assert inputs[0]["verified"]["flyte"].startswith("2.")
    assert "no Kubernetes quantity" in inputs[1]["verified"]["errors"][0]
    one = json.loads((folder / "r.sarif").read_text())["runs"][0]
    assert [each["file"] for each in one["properties"]["verified"]] == [
        "ok_flyte.py",
        "train_flyte.py",
    ]
    result = next(each for each in one["results"] if each["ruleId"] == "verify")
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "ok_flyte.py"
    page = (folder / "r.html").read_text()
    assert "<h2>Verified with Flyte 2." in page
    assert "no Kubernetes quantity" in page

    # Twice is no other report, and one that tells of a verification is not stale.
    told = {name: (folder / name).read_text() for name in REPORTS}
    verify(*flags, cwd=folder, status=1)
    assert told == {name: (folder / name).read_text() for name in REPORTS}
    module.write_text(sound)
    run(*convert, "--check", cwd=folder)
    run(*convert, cwd=folder)
    assert told == {name: (folder / name).read_text() for name in REPORTS}
    # All is well: nothing is left of what was not.
    verify(*flags, cwd=folder)
    assert "Kubernetes" not in (folder / "r.json").read_text()
    assert '"ruleId":"verify"' not in (folder / "r.sarif").read_text()
    # Another conversion begins anew.
    (folder / "ok.sh").write_text(JOB.format("ok").replace("1G", "2G"))
    run(*convert, cwd=folder)
    assert "verified" not in (folder / "r.json").read_text()
    (folder / "ok.sh").write_text(JOB.format("ok"))
    run(*convert, cwd=folder)
    assert written == {name: (folder / name).read_text() for name in REPORTS}


def test_a_report_without_findings_is_told_too(tmp_path: Path) -> None:
    (tmp_path / "a.sh").write_text("#!/bin/bash\n# nothing\n")
    (tmp_path / "plain_flyte.py").write_text("import no_such_thing\n")
    run("convert", "a.sh", "-q", "--report", "r.sarif", cwd=tmp_path)
    run(
        "verify",
        "plain_flyte.py",
        "--report",
        "r.sarif",
        "--python",
        sys.executable,
        cwd=tmp_path,
        status=1,
    )
    json.loads((tmp_path / "r.sarif").read_text())


def test_only_our_reports_are_told(folder: Path) -> None:
    (folder / "r.json").write_text("[]\n")
    done = verify("--report", "r.json", cwd=folder, status=2)
    assert "r.json is no report of slurm2flyte's" in done.stderr
    assert (folder / "r.json").read_text() == "[]\n"
    done = verify("--report", "r.md", cwd=folder, status=2)
    assert "can be told what is verified" in done.stderr
    done = verify("--report", "gone.json", cwd=folder, status=2)
    assert "gone.json" in done.stderr


def test_many_modules_take_one_process(tmp_path: Path) -> None:
    """A hundred modules take less than ten times what one takes: flyte is imported once."""
    for number in range(100):
        (tmp_path / f"job{number}.sh").write_text(JOB.format(number))
    run("convert", ".", "-q", cwd=tmp_path)
    begin = time.monotonic()
    verify("job0_flyte.py", cwd=tmp_path)
    one = time.monotonic() - begin
    begin = time.monotonic()
    assert "100 of 100 modules" in verify(cwd=tmp_path).stdout
    assert time.monotonic() - begin < 10 * one + 5


def test_no_python_with_flyte(folder: Path) -> None:
    done = run("verify", "--python", "/bin/false", cwd=folder, status=2)
    assert "no Python with flyte was found; asked: /bin/false" in done.stderr
    assert "pip install 'flyte>=2" in done.stderr.replace("\n  ", " ")
    done = run("verify", cwd=folder, status=2, PATH="/nowhere", S2F_PYTHON="/bin/false")
    assert "/bin/false" in done.stderr and "python3" in done.stderr


def test_no_module(tmp_path: Path) -> None:
    done = verify(cwd=tmp_path, status=2)
    assert "no module to verify" in done.stderr
    done = verify("gone_flyte.py", cwd=tmp_path, status=2)
    assert "there is no such file" in done.stderr
