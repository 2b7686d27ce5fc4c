"""Measures the program as a process, as ratios within one run.

    python tests/bench/process_bench.py BINARY [PATH...]     scripts, or directories of them

Start-up against a program that does nothing, the peak of memory as files grow in number, and the
same files under ShellCheck and `bash -n`.
"""

import math
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENDINGS = {".sh", ".sbatch", ".slurm", ".job"}
USUAL = ("examples", "tests/golden", "tests/goldens", "docs/constructs")


def scripts_below(paths: list[str]) -> list[Path]:
    found = []
    for path in map(Path, paths):
        below = path.rglob("*") if path.is_dir() else [path]
        found += [each for each in below if each.suffix in ENDINGS and each.is_file()]
    return sorted(found)


def seconds(*command: str | Path, cwd: Path | None = None) -> float:
    begin = time.perf_counter()
    subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    return time.perf_counter() - begin


def start_up(binary: Path, work: Path) -> None:
    source = work / "empty.c"
    source.write_text("int main(void) { return 0; }\n")
    empty = work / "empty"
    subprocess.run(["cc", "-O2", "-static", source, "-o", empty], check=True)
    ours, nothing = [], []
    for _ in range(60):
        nothing.append(seconds(empty))
        ours.append(seconds(binary, "--version"))
    difference = (statistics.median(ours) - statistics.median(nothing)) * 1000
    print(f"start-up: {difference:.2f} ms more than a program that does nothing")


def peak(binary: Path, scripts: list[Path], work: Path) -> tuple[float, float]:
    """Seconds of processors, and MiB at the peak, of one conversion of all with reports."""
    out = work / "out"
    shutil.rmtree(out, ignore_errors=True)
    reader, writer = os.pipe()
    if not os.fork():
        with open(os.devnull, "w") as null:
            subprocess.run(
                [
                    binary,
                    "convert",
                    "--quiet",
                    "--fail-on",
                    "never",
                    "--out-dir",
                    out,
                    "--report",
                    out / "review.json",
                    "--report",
                    out / "review.sarif",
                    "--",
                    *scripts,
                ],
                stdout=null,
                stderr=null,
                check=False,
            )
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = used.ru_utime + used.ru_stime
        os.write(writer, f"{took} {used.ru_maxrss}".encode())
        os._exit(0)
    os.wait()
    took, memory = os.read(reader, 64).split()
    return float(took), int(memory) / 1024


def exponent(points: list[tuple[float, float]]) -> float:
    """The slope of a straight line through the logarithms."""
    x, y = (
        [math.log(value) for value in column] for column in zip(*points, strict=True)
    )
    return statistics.linear_regression(x, y).slope


def by_files(binary: Path, scripts: list[Path], work: Path) -> None:
    points = []
    for count in (10, 100, 1000, 12000):
        copies = work / f"copies{count}"
        copies.mkdir()
        many = []
        for i in range(count):
            target = copies / f"{i}.sh"
            shutil.copy(scripts[i % len(scripts)], target)
            many.append(Path(target.name))
        here = Path.cwd()
        os.chdir(copies)
        try:
            took, memory = peak(binary, many, work)
        finally:
            os.chdir(here)
        print(
            f"{count:>6} files: {took * 1000 / count:7.2f} ms a file, peak {memory:.0f} MiB"
        )
        sys.stdout.flush()
        shutil.rmtree(copies)
        points.append((float(count), took))
    print(f"time grows with files to the power of {exponent(points):.2f}")


def against_others(binary: Path, scripts: list[Path], work: Path) -> None:
    some = scripts[:200]
    ours = seconds(
        binary,
        "convert",
        "--quiet",
        "--fail-on",
        "never",
        "--out-dir",
        work / "one",
        "--",
        *some,
    )
    bash = sum(seconds("bash", "-n", script) for script in some)
    print(
        f"convert / bash -n = {ours / bash:.2f} ({len(some)} files; bash is started for each)"
    )
    if shutil.which("shellcheck"):
        print(f"convert / shellcheck = {ours / seconds('shellcheck', *some):.2f}")


def main() -> int:
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    binary = Path(sys.argv[1]).resolve()
    paths = sys.argv[2:] or [str(ROOT / each) for each in USUAL]
    scripts = [path.resolve() for path in scripts_below(paths)]
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        start_up(binary, work)
        against_others(binary, scripts, work)
        by_files(binary, scripts, work)
    return 0


if __name__ == "__main__":
    sys.exit(main())
