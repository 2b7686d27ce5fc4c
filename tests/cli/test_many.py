"""Many scripts are forgotten one by one, and nobody can tell by the outputs."""

import json
import os
import re
import resource
import subprocess
from pathlib import Path

import pytest

ROOT = Path(os.environ.get("S2F_SOURCE_DIR") or Path(__file__).resolve().parents[2])
BINARY = os.environ.get("S2F_BINARY") or str(ROOT / "build" / "dev" / "slurm2flyte")

JOB = "#!/bin/bash\n#SBATCH --mem=1G\n#SBATCH --partition=gpu{i}\npython work.py --n {i}\n"
REFUSED = "#!/bin/bash\n#SBATCH --mem=lots\necho {i}\n"
SECRET = "#!/bin/bash\nexport API_TOKEN=ghp_abcdefghijklmnopqrstuvwxyz0123456789\npython x.py\n"


def scripts(folder: Path, count: int = 60) -> list[str]:
    """Jobs, some of which Slurm refuses; drivers that name others, before and behind them."""
    names = []
    for i in range(count):
        name = f"d{i % 7}/job{i}.sh"
        text = REFUSED if i % 11 == 5 else SECRET if i % 13 == 3 else JOB
        if i % 17 == 4:
            text = f"#!/bin/bash\nsbatch job{i + 7}.sh\nsbatch gone.sh\n"
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text.replace("{i}", str(i)))
        names.append(name)
    # Names the first, so that the first waits for nobody and this one for all.
    (folder / "d0" / "zz.sh").write_text(
        "#!/bin/bash\nsbatch job0.sh\nsbatch unlisted.sh\n"
    )
    (folder / "d0" / "unlisted.sh").write_text(JOB.replace("{i}", "1"))
    (folder / "empty.sh").write_text("")
    return [*names, "d0/zz.sh", "empty.sh", "none.sh"]


def convert(
    folder: Path, out: str, names: list[str], *options: str
) -> subprocess.CompletedProcess:
    return subprocess.run(
        [BINARY, "convert", "--out-dir", out, *options, "--", *names],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize("threads", ["1", "2", "5"])
def test_the_outputs_are_those_of_all_at_once(tmp_path: Path, threads: str) -> None:
    names = scripts(tmp_path)
    reports = ["--report", "out/r.json", "--report", "out/r.sarif"]
    one = convert(tmp_path, "out", names, *reports, "-j", threads)
    one_by_one = files(tmp_path / "out")
    subprocess.run(["rm", "-r", "out"], cwd=tmp_path, check=True)
    # A page for people needs all of them.
    all_at_once = convert(tmp_path, "out", names, *reports, "--report", "out/r.html")
    whole = files(tmp_path / "out")
    assert whole.pop("r.html")
    assert one_by_one == whole
    assert one.returncode == all_at_once.returncode == 2
    assert one.stdout == all_at_once.stdout
    assert sorted(one.stderr.splitlines()) == sorted(all_at_once.stderr.splitlines())
    report = json.loads(one_by_one["r.json"])
    assert report["summary"]["jobs"] == len(report["inputs"]) == len(names) - 1
    assert "ghp_abcdef" not in json.dumps(report)
    run = json.loads(one_by_one["r.sarif"])["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert all(rules[each["ruleIndex"]] == each["ruleId"] for each in run["results"])


def test_what_is_up_to_date_keeps_its_time(tmp_path: Path) -> None:
    names = scripts(tmp_path)[:-2]
    options = ["--report", "out/r.json", "--report", "out/r.sarif"]
    convert(tmp_path, "out", names, *options)
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*")}
    again = convert(tmp_path, "out", names, *options)
    after = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*")}
    kinds = {path for path in before if path.is_file()}
    assert {path: before[path] for path in kinds} == {
        path: after[path] for path in kinds
    }
    assert "error" not in re.sub(r"error\[S2F", "", again.stderr)


def test_what_others_wrote_is_left_alone(tmp_path: Path) -> None:
    names = scripts(tmp_path)[:-2]
    convert(tmp_path, "out", names)
    module = tmp_path / "out" / "d1" / "job1_flyte.py"
    module.write_text(module.read_text() + "# mine\n")
    (tmp_path / "r.json").write_text("[]\n")
    os.mkfifo(tmp_path / "r.sarif")
    again = convert(
        tmp_path, "out", names, "--report", "r.json", "--report", "r.sarif", "-q"
    )
    assert again.returncode == 2
    assert "job1_flyte.py was edited by hand" in again.stderr
    assert "r.json was not written by slurm2flyte" in again.stderr
    assert "r.sarif: this is not a regular file" in again.stderr
    assert module.read_text().endswith("# mine\n")
    assert (tmp_path / "r.json").read_text() == "[]\n"


def test_nothing_is_written_where_a_site_file_is_wrong(tmp_path: Path) -> None:
    names = scripts(tmp_path)[:-2]
    (tmp_path / "d6" / "slurm2flyte.toml").write_text('[partitions.gpu]\nquue = "x"\n')
    wrong = convert(tmp_path, "out", names, "--report", "r.json")
    assert wrong.returncode == 2
    assert "quue" in wrong.stderr
    assert not (tmp_path / "out").exists()
    assert not (tmp_path / "r.json").exists()


def peak(folder: Path, names: list[str]) -> int:
    """KiB at the most that a conversion holds."""
    reader, writer = os.pipe()
    if not os.fork():
        convert(folder, "out", names, "-q", "--report", "r.json", "--report", "r.sarif")
        os.write(
            writer, str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss).encode()
        )
        os._exit(0)
    os.wait()
    return int(os.read(reader, 64))


def test_memory_does_not_grow_with_the_scripts(tmp_path: Path) -> None:
    for i in range(1600):
        (tmp_path / f"job{i}.sh").write_text(JOB.replace("{i}", str(i % 40)))
    names = [f"job{i}.sh" for i in range(1600)]
    few, many = peak(tmp_path, names[:100]), peak(tmp_path, names)
    # Held at once the reports alone would be ten times as much.
    assert many - few < 12 * 1024, (few, many)
