"""Run python.

Migrated from venv.sh. What used to be "sbatch venv.sh" is now:

    flyte run --local venv_flyte.py venv     # this machine, no cluster
    flyte run venv_flyte.py venv             # the cluster
    flyte deploy venv_flyte.py               # register the task

Not carried over:

- venv.sh:11 pip freeze: only shows what is installed
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

# venv.sh:8 pip install --no-index torch==2.1.0 'numpy<2'
# REVIEW S2F501: venv.sh:9 python -m pip install --user -q -r requirements.txt -r
# missing.txt: missing.txt was not found, so what it lists is not known.
# venv.sh:10 pip install jax -f https://example.org/jax.html
# --extra-index-url=https://example.org/simple
# REVIEW S2F507: venv.sh:13 added /home/me/tools/bin to PATH: the programs that the job
# took from there must be in the image.
# REVIEW S2F507: venv.sh:14 added $HOME/lib to LD_LIBRARY_PATH: the libraries that the
# job took from there must be in the image.
image = (
    flyte.Image.from_debian_base(
        python_version=(3, 12)  # default: none named
    )
    .with_pip_packages("torch==2.1.0", "numpy<2")
    .with_requirements(HERE / "requirements.txt")
    .with_pip_packages(
        "jax",
        extra_index_urls="https://example.org/simple",
        extra_args="--find-links https://example.org/jax.html",
    )
)

venv_env = flyte.TaskEnvironment(
    name="venv",  # --job-name=venv
    image=image,
    include=("pkg",),
)


@venv_env.task
async def venv() -> None:
    """Run python (venv.sh:12-15)."""
    exported = {"PYTHONPATH": f"{HERE}/pkg"}  # venv.sh:12
    # REVIEW S2F410: no `set -e`: when this fails (venv.sh:15), the job goes on, and its
    # last command decides. check=True would end it here.
    await run(
        sys.executable,
        "-c",
        'import os; print(os.environ["PYTHONPATH"].split(os.sep)[-1])',
        env=exported,
        check=False,
    )


async def run(
    *command: str | float | Path, env: Mapping[str, str], check: bool = True
) -> int:
    """Run one command of the job script; return its status, or fail with it."""
    argv = [str(part) for part in command]
    try:
        process = await asyncio.create_subprocess_exec(
            *argv, cwd=HERE, stdin=subprocess.DEVNULL, env={**os.environ, **env}
        )
        code = await process.wait()
    except OSError as error:
        print(f"{argv[0]}: {error.strerror}", file=sys.stderr)
        code = 127 if isinstance(error, FileNotFoundError) else 126
    if code < 0:  # ended by a signal, which a shell counts from 128 on
        code = 128 - code
    if check and code:
        raise subprocess.CalledProcessError(code, argv)
    return code


if __name__ == "__main__":
    flyte.init_from_config()
    print(flyte.run(venv).url)
# slurm2flyte: generated from venv.sh, sha256 of the text above: 243a7f4764ad
