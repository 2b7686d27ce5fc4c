"""What a conversion says grows with the script, not with its square."""

import json
import os
import resource
import subprocess
from pathlib import Path

import pytest

ROOT = Path(os.environ.get("S2F_SOURCE_DIR") or Path(__file__).resolve().parents[2])
BINARY = os.environ.get("S2F_BINARY") or str(ROOT / "build" / "dev" / "slurm2flyte")


def places(folder: Path, count: int) -> int:
    """How often a line of the module is named, for a job of `count` programs with an output each."""
    lines = [f"python step{i}.py > out{i}.txt\n" for i in range(count)]
    (folder / "long.sh").write_text("#!/bin/bash\n" + "".join(lines))
    subprocess.run(
        [
            BINARY,
            "convert",
            "-q",
            "long.sh",
            "-o",
            "-",
            "--report",
            "r.json",
            "--force",
        ],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        timeout=60,
        check=True,
    )
    job = json.loads((folder / "r.json").read_text())["inputs"][0]
    parts = [*job["items"], *job["findings"]]
    return sum(len(part["output_lines"]) for part in parts)


def test_lines_that_came_from_many_do_not_multiply(tmp_path: Path) -> None:
    few, many = places(tmp_path, 40), places(tmp_path, 160)
    assert many < 6 * few, (few, many)


# Forms that took the square of their number, or worse.
FORMS = {
    "loops that stay Bash": "while read line; do\n  echo $line\ndone < in{i}\n",
    "words of one command": "python a.py {i} {i} {i}\n",
    "functions": "f{i}() {{\n  echo {i}\n}}\nf{i}\n",
    "modules": "module load m{i}\n",
    "evaluated": 'eval "x{i}=1"\n',
    "here documents": "cat > out{i} <<E\na $HOME {i}\nE\n",
    "paths": "cp /data/a{i} /scratch/b{i}\n",
    "unknown options": "#SBATCH --nosuch{i}=1\n",
    "jobs in a chain": "id=$(sbatch --parsable --dependency=afterok:$id job.sh)\n",
}
# And those of which that shows only in many.
FORMS_OF_MANY = {
    "jobs": "sbatch --mem={i}G job{i}.sh\n",
    "a value that grows": 'all="$all x{i}"\n',
    "variables of the submitting shell": "python a.py $P{i}\n",
}


def seconds(folder: Path, form: str, count: int) -> float:
    """Of the processor, for a script with so many of them, with every report."""
    (folder / "long.sh").write_text(
        "#!/bin/bash\n" + "".join(form.format(i=i) for i in range(count))
    )
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [BINARY, "convert", "-q", "--keep-going", "--force", "long.sh", "-o", "o.py"]
        + ["--report", "r.json", "--report", "r.html", "--report", "r.sarif"],
        cwd=folder,
        capture_output=True,
        timeout=120,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode in (0, 1), done.stderr
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.parametrize(
    ("form", "count"),
    [
        *((form, 100) for form in FORMS.values()),
        *((form, 400) for form in FORMS_OF_MANY.values()),
    ],
    ids=[*FORMS, *FORMS_OF_MANY],
)
def test_time_does_not_explode(form: str, count: int, tmp_path: Path) -> None:
    # On a busy machine a second of a processor is worth less, now more, now less: what counts is
    # the best that was seen of each, and a ratio that is too large is looked at again.
    few, many = [], []
    for _ in range(6):
        few.append(seconds(tmp_path, form, count))
        many.append(seconds(tmp_path, form, 4 * count))
        # Four times as many: four times the time, and less than the square of it.
        if min(many) < 0.5 or min(many) < 9 * min(few):
            return
    pytest.fail(f"{few} for {count}, {many} for {4 * count}")
