"""What the review of a driver says of its lines, and what it asks."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

BINARY = os.environ.get(
    "S2F_BINARY", str(Path(__file__).parents[2] / "build" / "dev" / "slurm2flyte")
)


def review(folder: Path, driver: str) -> tuple[dict[str, Any], str]:
    (folder / "submit.sh").write_text("#!/bin/bash\n" + driver)
    command = [BINARY, "convert", "-q", "submit.sh", "--report", "review.json"]
    subprocess.run(command, cwd=folder, capture_output=True, check=False)
    found = json.loads((folder / "review.json").read_text())["inputs"][0]
    return found, (folder / "submit_flyte.py").read_text()


def rules(found: dict[str, Any]) -> dict[str, str]:
    return {each["rule"]: each["message"] for each in found["findings"]}


def test_lines_of_a_job_are_not_dropped(tmp_path: Path) -> None:
    found, _ = review(
        tmp_path,
        'echo "#!/bin/bash" >> job.sh\necho "#SBATCH --mem=1G" >> job.sh\n'
        'echo "python3 step.py" >> job.sh\nsbatch job.sh\necho kept > note.txt\n',
    )
    became = {item["line"]: item["disposition"] for item in found["items"]}
    assert [became[line] for line in (2, 3, 4)] == ["converted"] * 3
    assert became[6] == "dropped"


def test_what_its_shell_gave_it_is_asked_for(tmp_path: Path) -> None:
    found, module = review(tmp_path, 'sbatch --wrap "python3 step.py $SIZE"\n')
    assert "$SIZE" in rules(found)["S2F403"]
    assert "async def main(size: str)" in module
    found, _ = review(tmp_path, 'sbatch --wrap "python3 step.py ${SIZE:-1}"\n')
    assert "S2F403" not in rules(found)


def test_files_of_the_cluster_that_it_reads(tmp_path: Path) -> None:
    for loop in (
        "while read -r x; do sbatch --wrap \"python3 a.py '$x'\"; done < /data/list.txt\n",
        'for x in $(cat /data/list.txt); do sbatch --wrap "python3 a.py $x"; done\n',
        (
            "n=$(wc -l < /data/list.txt)\n"
            'for i in $(seq $n); do sbatch --wrap "python3 a.py $i"; done\n'
        ),
    ):
        found, _ = review(tmp_path, loop)
        assert "/data/list.txt" in rules(found)["S2F601"], loop


def test_a_driver_is_no_job(tmp_path: Path) -> None:
    found, module = review(
        tmp_path,
        "n=$(ls | wc -l)\nfor i in $(seq $n); do sbatch --mem=1G -t 5 --array=1-$n"
        ' --wrap "python3 a.py $i"; done\n',
    )
    assert "S2F325" in rules(found)
    assert not {"S2F203", "S2F205"} & set(rules(found))
    assert "a call of one task for each index" in rules(found)["S2F301"]
    assert 'used to be "bash submit.sh"' in " ".join(module.split())


def test_a_job_that_submits_was_given_to_sbatch(tmp_path: Path) -> None:
    _, module = review(
        tmp_path,
        "#SBATCH --mem=1G\npython3 a.py\n"
        'sbatch -d afterany:$SLURM_JOB_ID --wrap "python3 b.py"\n',
    )
    assert 'used to be "sbatch submit.sh"' in " ".join(module.split())


def test_a_job_that_submits_itself(tmp_path: Path) -> None:
    _, module = review(tmp_path, "#SBATCH --mem=1G\npython3 a.py || sbatch submit.sh\n")
    text = " ".join(module.split())
    assert '"""Run submit.sh.' in text
    assert "which submits itself." in text


def test_srun_in_a_driver_that_runs_as_it_was(tmp_path: Path) -> None:
    found, _ = review(
        tmp_path,
        "nohup srun --mem=9G python3 a.py &\nwait\nsbatch --mem=1G --wrap 'python3 b.py'\n",
    )
    assert "S2F325" in rules(found)
    assert "srun" in rules(found)["S2F324"]
