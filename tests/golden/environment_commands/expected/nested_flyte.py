"""Run nested.sh.

Migrated from nested.sh. What used to be "sbatch nested.sh" is now:

    flyte run --local nested_flyte.py nested     # this machine, no cluster
    flyte run nested_flyte.py nested             # the cluster
    flyte deploy nested_flyte.py                 # register the task
"""

import asyncio
import subprocess
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

# REVIEW S2F503: nested.sh:4 module load gromacs: Debian's package, in Debian's version.
# nested.sh:5 source ~/venvs/$1/bin/activate
# REVIEW S2F502: ~/venvs/$1 was not there to be read; requirements.txt stands for it.
# REVIEW S2F503: nested.sh:9 module load "tool/$step": what it brings must be in the
# image.
# nested.sh:11 conda activate first
# REVIEW S2F502: first was not there to be read; requirements.txt stands for it.
# nested.sh:14 conda activate second
# REVIEW S2F502: second was not there to be read; requirements.txt stands for it.
# REVIEW S2F506: the job works in ~/venvs/$1, first, second: one image must have the
# packages of all, or each part becomes a task of its own.
image = (
    flyte.Image.from_debian_base(
        python_version=(3, 12)  # default: none named
    )
    .with_apt_packages("gromacs")
    .with_requirements(HERE / "requirements.txt")
)

nested_env = flyte.TaskEnvironment(
    name="nested",  # --job-name=nested
    image=image,
)

# nested.sh:8-15, as it was, after line 3-7, but for line 9, a module; line 10, an
# environment; line 11, an environment; line 14; line 4, a module; line 5, an
# environment
NESTED = r"""
prepare() {
  : > loaded.txt
  :
  echo "prepared $1"
}
for step in a b; do
  :
  if command -v nothing > /dev/null; then :; else echo "step $step"; fi
  : && echo "activated"
done
prepare x
echo end
"""


@nested_env.task
async def nested() -> None:
    """Run the job script (nested.sh:8-15)."""
    await bash(NESTED, "nested.sh")


async def bash(script: str, *argv: str) -> None:
    """Run a piece of the job script, argv as its $0, $1, ...; if it fails, fail."""
    process = await asyncio.create_subprocess_exec(
        "/bin/bash",
        "-c",
        script,
        *argv,
        cwd=HERE,
        stdin=subprocess.DEVNULL,
    )
    if code := await process.wait():
        raise subprocess.CalledProcessError(code, argv)


if __name__ == "__main__":
    flyte.init_from_config()
    print(flyte.run(nested).url)
# slurm2flyte: generated from nested.sh, sha256 of the text above: 5887e7dc8621
