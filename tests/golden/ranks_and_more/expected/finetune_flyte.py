"""Run prepare.py, finetune.py and report.py on 2 nodes with 4 GPUs each.

Migrated from finetune.sh. What used to be "sbatch finetune.sh" is now:

    flyte run --local finetune_flyte.py finetune     # one process
    flyte run finetune_flyte.py finetune             # the cluster
    flyte deploy finetune_flyte.py                   # register the task

Not carried over:

- finetune.sh:19 source /opt/site/env.sh: the image is to have what it sets up
- finetune.sh:19 srun, torchrun: Flyte starts the ranks and lets them meet
- finetune.sh:19 || exit 1: a rank that fails ends the task
- finetune.sh:4 --ntasks-per-node=1: Flyte starts torchrun, once a node
- finetune.sh:10 MASTER_ADDR: Flyte sets it in every rank
"""

import asyncio
import fcntl
import os
import subprocess
import sys
import tempfile
from collections.abc import Coroutine
from datetime import timedelta
from pathlib import Path
from typing import Any

import flyte
from flyte.clustered import ClusteredTaskEnvironment
from flyte.io import File

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

finetune_env = ClusteredTaskEnvironment(
    name="finetune",  # --job-name=finetune
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
    resources=flyte.Resources(
        cpu=16,  # --cpus-per-task=16
        memory="128Gi",  # --mem=128G
        gpu=4,  # --gpus-per-node=4
        shm="auto",  # /dev/shm was the node's; a container's is 64 MB
    ),
    replicas=2,  # --nodes=2
    nproc_per_node=4,  # of torchrun, so 8 ranks
    include=("prepare.py", "finetune.py", "report.py"),
)


@finetune_env.task(timeout=timedelta(hours=4))  # --time=04:00:00
async def finetune(lr: float = 2e-5, run_: str = "run-1") -> list[File]:
    """Be one rank of prepare.py, finetune.py and report.py (finetune.sh:13-21).

    torchrun starts this task once a rank, with RANK, WORLD_SIZE, MASTER_ADDR, ... set:
    prepare.py, finetune.py and report.py are plain commands here. Flyte keeps what rank
    0 returns.
    """
    # once, for all nodes
    await once(
        "finetune.sh:13",
        run(sys.executable, "prepare.py", "--words", "100", "--out", "words.txt"),
    )
    await once(
        "finetune.sh:14",
        asyncio.to_thread((HERE / "settings.json").write_text, '{"dropout": 0.1}\n'),
    )
    # one launcher a node
    await run(sys.executable, "finetune.py", "--words", "words.txt", "--lr", lr)
    if os.environ.get("RANK", "0") == "0":
        await run(sys.executable, "report.py", "--run", run_)
    return await keep_all(HERE / "words.txt", HERE / "settings.json")


async def keep_all(*paths: Path) -> list[File]:
    """Hand over the files that the job wrote."""
    return [await File.from_local(str(path)) for path in paths if path.is_file()]


async def run(*command: str | float | Path) -> None:
    """Run one command of the job script; if it fails, the task fails."""
    argv = [str(part) for part in command]
    process = await asyncio.create_subprocess_exec(
        *argv, cwd=HERE, stdin=subprocess.DEVNULL
    )
    if code := await process.wait():
        raise subprocess.CalledProcessError(code, argv)


async def once(step: str, work: Coroutine[Any, Any, int | None]) -> int:
    """Do what the script did before its ranks: the first on a node, while others wait."""
    if "LOCAL_RANK" not in os.environ:  # a run of one process
        return await work or 0
    node = [os.environ.get(name, "") for name in ("TORCHELASTIC_RUN_ID", "GROUP_RANK")]
    name = "-".join(["once", *node, step]).replace("/", "_")
    note = Path(tempfile.gettempdir(), name)
    # outlives restarts of the ranks, as what was done on the node did
    with await asyncio.to_thread(note.open, "a+") as status:
        await asyncio.to_thread(fcntl.flock, status, fcntl.LOCK_EX)
        status.seek(0)
        if done := status.read():
            work.close()
            return int(done)
        code = await work or 0
        status.write(str(code))
        return code


if __name__ == "__main__":
    flyte.init_from_config()
    print(flyte.run(finetune).url)
# slurm2flyte: generated from finetune.sh, sha256 of the text above: 06b9a8bc58cf
