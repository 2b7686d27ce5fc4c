#!/usr/bin/env python3
"""Runs every case under real Slurm and stores what happened in answers.json.

    ask_slurm.py SLURM_RUN CLUSTER [CASE...]

SLURM_RUN runs a driver on the private cluster CLUSTER, waits for what it submits and prints JSON.
"""

import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from cases import CASES, DAGS, Case

ANSWERS = Path(__file__).with_name("answers.json")
# Notes the id and the dependency of each submission.
SHIM = """#!/bin/bash
dependency=
for ((i = 1; i <= $#; i++)); do
  case ${!i} in
    -d|--dependency) j=$((i + 1)); dependency=${!j} ;;
    -d?*) dependency=${!i#-d} ;;
    --dependency=*) dependency=${!i#*=} ;;
  esac
done
out=$(/usr/bin/sbatch "$@")
status=$?
echo "$out"
id=${out##* }
echo "$id $dependency" >> "$SHIM_LOG"
exit $status
"""


def ask(case: Case, fail: str, slurm_run: str, cluster: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder)
        work, tools = top / "work", top / "tools"
        tools.mkdir()
        (tools / "sbatch").write_text(SHIM)
        (tools / "sbatch").chmod(0o755)
        files = case.files()
        files["step.py"] = files["step.py"].replace(
            '"start " +',
            '"id " + os.environ.get("SLURM_ARRAY_JOB_ID", os.environ.get("SLURM_JOB_ID", "-"))'
            ' + "|" + " ".join(words) + "\\nstart " +',
        )
        files["go.sh"] = '#!/bin/bash\nsbatch submit.sh "$@"\n'
        (top / "shim").touch()
        copies = []
        for name in {name.split("/")[0] for name in files}:
            copies += ["--copy", str(top / "files" / name)]
        for name, text in files.items():
            path = top / "files" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        path_variable = f"PATH={tools}:/usr/local/bin:/usr/bin:/bin"
        variables = ["--env", path_variable, "--env", f"SHIM_LOG={top / 'shim'}"]
        variables += ["--env", f"FAIL={fail}"] if fail else []
        done = subprocess.run(
            [slurm_run, "--cluster", cluster, "--keep", str(work), *copies, *variables]
            + ["--driver", str(top / "files" / ("go.sh" if case.job else "submit.sh"))]
            + case.words(),
            capture_output=True,
            text=True,
            check=False,
        )
        answer = json.loads(done.stdout)
        log = work / "log.txt"
        lines = log.read_text().splitlines() if log.exists() else []
        line_of: dict[str, list[str]] = {}
        for line in lines:
            if line.startswith("id "):
                number, words = line[3:].split("|", 1)
                line_of.setdefault(number, []).append(words)
        edges = []
        for submitted in (top / "shim").read_text().splitlines():
            number, _, dependency = submitted.partition(" ")
            if "?" in dependency:  # one of them is enough
                continue
            # The elements of two arrays: the case says which waits for which.
            plain = dependency.replace("aftercorr:", "after:").split(",")
            parts = [each for each in plain if "after:" not in each]
            ids = ":".join(parts).split(":")
            for before in [each for each in ids if each.isdigit()]:
                edges += [
                    [first, second]
                    for first in line_of.get(before, [])
                    for second in line_of.get(number, [])
                ]
        return {
            "ran": sorted(line[6:] for line in lines if line.startswith("start ")),
            "order": sorted(edges),
            "failed": answer["submit"]["rc"] != 0
            or any(job["state"] == "FAILED" for job in answer["jobs"]),
            "never": sum(job["state"] == "PENDING" for job in answer["jobs"]),
        }


def main() -> None:
    slurm_run, cluster, *only = sys.argv[1:]
    cases = CASES | DAGS
    answers = json.loads(ANSWERS.read_text()) if ANSWERS.exists() else {}
    wanted = [
        (name, fail)
        for name, case in cases.items()
        for fail in case.runs()
        if not only or name in only
    ]
    # singleton waits for whatever has the name, of other cases too: each of them runs alone.
    alone = [one for one in wanted if "singleton" in cases[one[0]].text()]
    beside = [one for one in wanted if one not in alone]
    for workers, some in ((4, beside), (1, alone)):
        with ThreadPoolExecutor(workers) as pool:
            asked = pool.map(
                lambda one: ask(cases[one[0]], one[1], slurm_run, cluster), some
            )
            for (name, fail), answer in zip(some, asked, strict=True):
                answers[f"{name}|{fail}"] = answer
    kept = {f"{name}|{fail}" for name, case in cases.items() for fail in case.runs()}
    text = ",\n".join(
        f" {json.dumps(key)}: {json.dumps(answers[key])}"
        for key in sorted(kept & answers.keys())
    )
    ANSWERS.write_text("{\n" + text + "\n}\n")


if __name__ == "__main__":
    main()
