"""Counts the instructions of fixed conversions, and compares them with the last recorded ones.

    python tests/bench/instructions.py BINARY [--record]

Times differ from run to run and from machine to machine; the instructions of one program on one
input hardly do. A rise of more than 5 % fails: it is mended, or recorded with the reason in the
commit. What the compiler and the C library are is part of what was recorded.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RECORDED = Path(__file__).with_name("instructions.json")
MOST = 1.05
# Of every kind: a plain job, a driver, what stays Bash, several nodes, an array, many lines.
CASES = {
    "train": ["examples/train.sh"],
    "goldens": ["tests/goldens"],
    "constructs": ["docs/constructs"],
}


def long_script(lines: int) -> str:
    body = "".join(f"python step{i}.py --seed {i} > out{i}.txt\n" for i in range(lines))
    return "#!/bin/bash\n#SBATCH --job-name=long\n#SBATCH --mem=1G\n" + body


def count(binary: Path, paths: list[Path], work: Path) -> int:
    """Instructions of a conversion with its reports, on one thread."""
    out = work / "out"
    shutil.rmtree(out, ignore_errors=True)
    done = subprocess.run(
        [
            "valgrind",
            "--tool=callgrind",
            f"--callgrind-out-file={work / 'counts'}",
            binary,
            "convert",
            "--quiet",
            "--fail-on",
            "never",
            "-j",
            "1",
            "--out-dir",
            out,
            "--report",
            work / "out.json",
            "--report",
            work / "out.sarif",
            "--force",
            "--",
            *paths,
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    found = re.search(r"Collected : (\d+)", done.stderr)
    if not found:
        raise SystemExit(done.stderr)
    return int(found.group(1))


def compiler(binary: Path) -> str:
    notes = subprocess.run(
        ["readelf", "-p", ".comment", binary],
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    return ", ".join(
        sorted(set(re.findall(r"(GCC: \(.*?\) \S+|clang version \S+)", notes)))
    )


def main() -> int:
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    binary = Path(sys.argv[1]).resolve()
    if not shutil.which("valgrind"):
        print("instructions: valgrind is not installed, so none were counted")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        (work / "long.sh").write_text(long_script(400))
        counts = {
            name: count(binary, [ROOT / path for path in paths], work)
            for name, paths in CASES.items()
        }
        counts["400 lines"] = count(binary, [work / "long.sh"], work)
    if "--record" in sys.argv:
        RECORDED.write_text(
            json.dumps({"compiler": compiler(binary), "counts": counts}, indent=2)
            + "\n"
        )
    recorded = json.loads(RECORDED.read_text())
    if recorded["compiler"] != compiler(binary):
        print(
            f"instructions: recorded of a program by {recorded['compiler']}; not compared"
        )
        recorded = {"counts": {}}
    risen = []
    for name, number in counts.items():
        before = recorded["counts"].get(name, number)
        print(
            f"instructions, {name}: {number / 1e6:.1f} million, "
            f"{number / before:.3f} of what was recorded"
        )
        if number > before * MOST:
            risen.append(name)
    if risen:
        print(
            f"instructions: {', '.join(risen)} rose by more than {MOST - 1:.0%}. Find out where "
            "(callgrind_annotate), or record it and say why in the commit: "
            "tests/bench/instructions.py BINARY --record"
        )
    return 1 if risen else 0


if __name__ == "__main__":
    sys.exit(main())
