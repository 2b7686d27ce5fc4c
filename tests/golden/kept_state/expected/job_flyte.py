"""Run job.sh.

Migrated from job.sh. What used to be "sbatch job.sh" is now:

    flyte run --local job_flyte.py state     # this machine, no cluster
    flyte run job_flyte.py state             # the cluster
    flyte deploy job_flyte.py                # register the task
"""

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

state_env = flyte.TaskEnvironment(
    name="state",  # --job-name=state
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
    resources=flyte.Resources(cpu=1),  # --ntasks=1
    include=("show.py", "data", "conf.sh"),
)

# job.sh:5, as it was
STATE_1 = r"""
source conf.sh
"""

# job.sh:7-11, as it was, after line 4
STATE_2 = r"""
DATA=data
case $DATA in
set) export QUALITY=high ;;&
none) exit 2 ;;&
*) cd data ;;
esac
"""


@state_env.task
async def state() -> None:
    """Run the job script (job.sh:4-15)."""
    exported: dict[str, str] = {}
    held = await bash_state(
        STATE_1, "job.sh", check=False, returns=("MODEL",), exported=exported
    )
    if held is None:
        return  # it ended the script
    model = held[0]
    # REVIEW S2F410: no `set -e`: when this fails (job.sh:6), the job goes on, and its
    # last command decides. check=True would end it here.
    await run(
        sys.executable,
        "show.py",
        "--data",
        "data",
        "--model",
        model,
        env=exported,
        check=False,
    )
    held = await bash_state(
        STATE_2,
        "job.sh",
        env=exported,
        check=False,
        returns=("QUALITY", "PWD"),
        exported=exported,
    )
    if held is None:
        return  # it ended the script
    quality = held[0]
    cwd = Path(held[1])
    await run(sys.executable, "../show.py", quality, cwd=cwd, env=exported, check=False)
    await run("touch", "result.txt", cwd=cwd, env=exported, check=False)
    await run(sys.executable, "../show.py", model, cwd=cwd, env=exported)


async def run(
    *command: str | float | Path,
    cwd: Path = HERE,
    env: Mapping[str, str],
    check: bool = True,
) -> int:
    """Run one command of the job script; return its status, or fail with it."""
    argv = [str(part) for part in command]
    try:
        process = await asyncio.create_subprocess_exec(
            *argv, cwd=cwd, stdin=subprocess.DEVNULL, env={**os.environ, **env}
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


async def bash_state(
    script: str,
    *argv: str,
    returns: Sequence[str],
    env: Mapping[str, str] | None = None,
    exported: dict[str, str],
    check: bool = True,
) -> list[str] | None:
    """Run a piece of the job script; return what these hold after it, None if it ends there."""
    with tempfile.NamedTemporaryFile() as values:
        printed = " ".join('"${' + variable + '-}"' for variable in returns)
        shown = f"printf '%s\\0' {printed}; /usr/bin/env -0"
        tail = "\nset -- $?; { " + shown + "; } >" + values.name + "; exit $1"
        process = await asyncio.create_subprocess_exec(
            "/bin/bash",
            "-c",
            script + tail,
            *argv,
            cwd=HERE,
            stdin=subprocess.DEVNULL,
            env={**os.environ, **(env or {})},
        )
        code = await process.wait()
        held = os.fsdecode(values.read()).split("\0")[:-1]
    if code and (check or not held):
        raise subprocess.CalledProcessError(code, argv)
    if held:  # what programs see now
        seen = dict(each.split("=", 1) for each in held[len(returns) or 1 :])
        before = {**os.environ, **(env or {}), **exported}
        for name in (before.keys() | seen.keys()) - {"_", "PWD", "OLDPWD", "SHLVL"}:
            if name in seen and before.get(name) != seen[name]:
                exported[name] = seen[name]
            elif name not in seen and name.isidentifier():
                exported.pop(name, None)
                os.environ.pop(name, None)
    return held or None


if __name__ == "__main__":
    flyte.init_from_config()
    print(flyte.run(state).url)
# slurm2flyte: generated from job.sh, sha256 of the text above: 99a5a3404fd5
