"""Run python.

Migrated from conda_block.sh. What used to be "sbatch conda_block.sh" is now:

    flyte run --local conda_block_flyte.py conda_block     # this machine, no cluster
    flyte run conda_block_flyte.py conda_block             # the cluster
    flyte deploy conda_block_flyte.py                      # register the task
"""

import asyncio
import subprocess
import sys
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

# conda_block.sh:11 export PATH="/opt/conda/bin:$PATH"
# REVIEW S2F502: base was not there to be read; requirements.txt stands for it.
# conda_block.sh:17 conda activate "$ENV"
# REVIEW S2F502: fold was not there to be read; requirements.txt stands for it.
# REVIEW S2F509: conda_block.sh:18 conda install -y -c conda-forge numpy=1.26
# "pytorch>=2" cudatoolkit some-tool: some-tool must be in the image.
image = (
    flyte.Image.from_debian_base(
        python_version=(3, 12)  # default: none named
    )
    .with_requirements(HERE / "requirements.txt")
    .with_pip_packages("numpy==1.26.*", "torch>=2")
)

conda_block_env = flyte.TaskEnvironment(
    name="conda-block",  # --job-name=conda-block
    image=image,
)


@conda_block_env.task
async def conda_block() -> None:
    """Run python (conda_block.sh:16-19)."""
    # <<< conda initialize <<<
    # REVIEW S2F410: no `set -e`: when this fails (conda_block.sh:19), the job goes on,
    # and its last command decides. check=True would end it here.
    await run(sys.executable, "-c", "print(1)", check=False)


async def run(*command: str | float | Path, check: bool = True) -> int:
    """Run one command of the job script; return its status, or fail with it."""
    argv = [str(part) for part in command]
    try:
        process = await asyncio.create_subprocess_exec(
            *argv, cwd=HERE, stdin=subprocess.DEVNULL
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
    print(flyte.run(conda_block).url)
# slurm2flyte: generated from conda_block.sh, sha256 of the text above: 8d799be16cfd
