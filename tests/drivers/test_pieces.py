"""Job scripts whose text only the run of the driver tells are not made up."""

import json
import os
import subprocess
from pathlib import Path

import pytest

BINARY = os.environ.get(
    "S2F_BINARY", str(Path(__file__).parents[2] / "build" / "dev" / "slurm2flyte")
)
DRIVERS = {
    # The same variable is another one the second time.
    "another value": """\
name=$(ls in_* | head -n 1)
echo "#!/bin/bash" > job.sh
echo "python3 step.py $name" >> job.sh
name=other
echo "python3 step.py $name" >> job.sh
sbatch job.sh
""",
    # An option that is there or not.
    "option": """\
f=$(ls in_* | head -n 1)
echo "#!/bin/bash" > job.sh
if [ -n "$f" ]; then echo "#SBATCH --time=5" >> job.sh; fi
echo "python3 step.py $f" >> job.sh
sbatch job.sh
""",
    # As many lines as there are files.
    "loop": """\
echo "#!/bin/bash" > job.sh
for f in $(ls in_* | sort); do echo "python3 step.py $f" >> job.sh; done
sbatch job.sh
""",
    # Whether it is there decides what the job's status is.
    "end": """\
f=$(ls in_* | head -n 1)
echo "#!/bin/bash" > job.sh
echo "python3 step.py $f" >> job.sh
[ -n "$f" ] && echo "python3 step.py more" >> job.sh
sbatch job.sh
""",
    # Behind a command sbatch reads no options.
    "options behind": """\
f=$(ls in_* | head -n 1)
echo "#!/bin/bash" > job.sh
if [ -n "$f" ]; then echo "export A=1" >> job.sh; fi
echo "#SBATCH --time=5" >> job.sh
echo "python3 step.py $f" >> job.sh
sbatch job.sh
""",
    # Half a statement.
    "half": """\
f=$(ls in_* | head -n 1)
echo "#!/bin/bash" > job.sh
if [ -n "$f" ]; then echo "if true; then" >> job.sh; fi
echo "python3 step.py $f" >> job.sh
if [ -n "$f" ]; then echo "fi" >> job.sh; fi
sbatch job.sh
""",
}
# The first line of a script for another interpreter, and a body for it.
OTHERS = {
    "/bin/tcsh": ("#!/bin/tcsh", "set x = 1\nsrun ./prog \\$x"),
    "python3": (
        "#!/usr/bin/env python3",
        "import os\nprint(os.environ['SLURM_JOB_ID'])",
    ),
    "Rscript": ("#!/usr/bin/env Rscript", "system('squeue')"),
}


# What writes on a job script otherwise than by echo, printf or a heredoc.
WRITERS = {
    "loop": 'for k in a b; do echo "python3 show.py $k"; done >> job.sh',
    "subshell": "(echo 'python3 show.py') >> job.sh",
    "choice": "if [ -d x ]; then echo 'python3 show.py'; fi >> job.sh",
    "function": "f() { echo 'python3 show.py'; }\nf q >> job.sh",
    "file": "cat train.sh >> job.sh",
    "date": "date >> job.sh",
    "names": "ls *.py >> job.sh",
    "program": "python3 -c 'print(1)' >> job.sh",
    "both streams": "echo 'python3 show.py' &>> job.sh",
}
DRIVERS |= {
    f"written by a {name}": f"echo '#!/bin/bash' > job.sh\n{line}\nsbatch job.sh\n"
    for name, line in WRITERS.items()
}


@pytest.mark.parametrize("name", DRIVERS)
def test_text_is_not_made_up(name: str, tmp_path: Path) -> None:
    (tmp_path / "submit.sh").write_text("#!/bin/bash\n" + DRIVERS[name])
    subprocess.run(
        [BINARY, "convert", "-q", "submit.sh", "--report", "review.json"],
        cwd=tmp_path,
        check=False,
        capture_output=True,
    )
    one = json.loads((tmp_path / "review.json").read_text())["inputs"][0]
    assert one["verdict"] == "not_converted"
    assert one["lines"] == one["lines_accounted"]


def test_a_name_is_not_made_up(tmp_path: Path) -> None:
    driver = """\
f=$(ls in_* | head -n 1)
cat > job.sh <<EOF
#!/bin/bash
#SBATCH --job-name=$f
python3 step.py \\$SLURM_JOB_NAME
EOF
sbatch job.sh
"""
    (tmp_path / "submit.sh").write_text(f"#!/bin/bash\n{driver}")
    subprocess.run(
        [BINARY, "convert", "-q", "submit.sh"],
        cwd=tmp_path,
        check=False,
        capture_output=True,
    )
    module = (tmp_path / "submit_flyte.py").read_text()
    assert 'run("python3", "step.py"' not in module
    assert "FileNotFoundError" in module


@pytest.mark.parametrize("fed", [False, True])
@pytest.mark.parametrize("name", OTHERS)
def test_no_task_runs_a_file_that_is_not_there(
    name: str, fed: bool, tmp_path: Path
) -> None:
    first, body = OTHERS[name]
    text = f"{first}\n#SBATCH --mem=1G\n{body}\nEOF\n"
    driver = f"sbatch <<EOF\n{text}" if fed else f"cat > job <<EOF\n{text}sbatch job\n"
    (tmp_path / "submit.sh").write_text(f"#!/bin/bash\n{driver}")
    subprocess.run(
        [BINARY, "convert", "-q", "submit.sh", "--report", "review.json"],
        cwd=tmp_path,
        check=False,
        capture_output=True,
    )
    one = json.loads((tmp_path / "review.json").read_text())["inputs"][0]
    assert one["lines"] == one["lines_accounted"]
    said = [each["message"] for each in one["findings"]]
    whys = (f"a job script for {name}", "has to stay Bash calls")
    assert any(why in each for each in said for why in whys)
    module = tmp_path / "submit_flyte.py"
    assert not module.exists() or "submit.sh:" not in "".join(
        line for line in module.read_text().splitlines() if "include" in line
    )
