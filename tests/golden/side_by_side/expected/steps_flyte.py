"""Run sim.py, serve.py and ask.py.

Migrated from steps.sh. What used to be "sbatch steps.sh" is now:

    flyte run --local steps_flyte.py steps     # this machine, no cluster
    flyte run steps_flyte.py steps             # the cluster
    flyte deploy steps_flyte.py                # register the task
"""

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import IO

import flyte
from flyte.io import File

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

steps_env = flyte.TaskEnvironment(
    name="steps",  # --job-name=steps
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
    resources=flyte.Resources(cpu=3),  # --ntasks=3
    include=("sim.py", "serve.py", "ask.py"),
)


@steps_env.task
async def steps() -> list[File]:
    """Run sim.py, serve.py and ask.py (steps.sh:5-13)."""
    # three simulations at once
    # REVIEW S2F411: `wait` (steps.sh:8) succeeds whatever the commands returned.
    # check=True would end the job there.
    # steps.sh:5-8
    await asyncio.gather(
        *(
            run(sys.executable, "sim.py", "--seed", seed, check=False)
            for seed in range(1, 4)
        )
    )
    running: list[asyncio.Task[int]] = []
    with (HERE / "serve.log").open("wb") as stdout:
        server = await spawn(
            sys.executable, "serve.py", stdout=stdout, stderr=subprocess.STDOUT
        )
    running.append(server)
    with (HERE / "a.txt").open("wb") as stdout:
        running.append(await spawn(sys.executable, "ask.py", "a", stdout=stdout))
    # REVIEW S2F410: no `set -e`: when this fails (steps.sh:12), the job goes on, and
    # its last command decides. check=True would end it here.
    with (HERE / "b.txt").open("wb") as stdout:
        await run(sys.executable, "ask.py", "b", stdout=stdout, check=False)
    status = await server
    if status:
        raise subprocess.CalledProcessError(status, "steps.sh")
    return await keep_all(HERE / "serve.log", HERE / "a.txt", HERE / "b.txt")


async def keep_all(*paths: Path) -> list[File]:
    """Hand over the files that the job wrote."""
    return [await File.from_local(str(path)) for path in paths if path.is_file()]


async def run(
    *command: str | float | Path, stdout: IO[bytes] | None = None, check: bool = True
) -> int:
    """Run one command of the job script; return its status, or fail with it."""
    argv = [str(part) for part in command]
    try:
        process = await asyncio.create_subprocess_exec(
            *argv, cwd=HERE, stdin=subprocess.DEVNULL, stdout=stdout
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


async def spawn(
    *command: str | float | Path,
    stdout: IO[bytes],
    stderr: IO[bytes] | int | None = None,
) -> asyncio.Task[int]:
    """Start one command of the job script beside the others, as & does.

    Whoever awaits what is returned gets its status.
    """
    argv = [str(part) for part in command]
    try:
        process = await asyncio.create_subprocess_exec(
            *argv, cwd=HERE, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr
        )
    except OSError as error:
        print(f"{argv[0]}: {error.strerror}", file=sys.stderr)
        code = 127 if isinstance(error, FileNotFoundError) else 126
        return asyncio.create_task(asyncio.sleep(0, code))

    async def status() -> int:
        code = await process.wait()
        return 128 - code if code < 0 else code

    return asyncio.create_task(status())


if __name__ == "__main__":
    flyte.init_from_config()
    print(flyte.run(steps).url)
# slurm2flyte: generated from steps.sh, sha256 of the text above: 37d86c56eeeb
