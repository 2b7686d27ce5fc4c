"""Run pretrain.py on 2 nodes with 8 H100 GPUs each.

Migrated from pretrain.sh. What used to be "sbatch pretrain.sh" is now:

    flyte run --local pretrain_flyte.py pretrain     # one process
    flyte run pretrain_flyte.py pretrain             # the cluster
    flyte deploy pretrain_flyte.py                   # register the task

Not carried over:

- pretrain.sh:22 srun, torchrun: Flyte starts the ranks and lets them meet
- pretrain.sh:4 --ntasks-per-node=1: Flyte starts torchrun, once a node
- pretrain.sh:12 nodes: only the launcher of the ranks reads it
- pretrain.sh:13 head_node: only the launcher of the ranks reads it
- pretrain.sh:14 MASTER_ADDR: Flyte sets it in every rank
- pretrain.sh:15 MASTER_PORT: Flyte sets it in every rank
- pretrain.sh:17 NCCL_SOCKET_IFNAME: hardware of the site
- pretrain.sh:18 GPUS_PER_NODE: only the launcher of the ranks reads it
- pretrain.sh:20 echo: every rank would print it
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

import flyte
from flyte.clustered import ClusteredTaskEnvironment, ClusterFailurePolicy, TorchRun

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

PRETRAIN_EXPORTED = {"NCCL_DEBUG": "WARN"}  # pretrain.sh:16

pretrain_env = ClusteredTaskEnvironment(
    name="pretrain",  # --job-name=pretrain
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
    resources=flyte.Resources(
        cpu=64,  # --cpus-per-task=64
        memory="512Gi",  # --mem=512G
        gpu="H100:8",  # --gpus-per-node=h100:8
        shm="auto",  # /dev/shm was the node's; a container's is 64 MB
    ),
    replicas=2,  # --nodes=2
    nproc_per_node=8,  # of torchrun, so 16 ranks
    runtime=TorchRun(rdzv_backend="c10d"),  # torchrun --rdzv_backend=c10d
    failure_policy=ClusterFailurePolicy(restart_on_host_maintenance=True),  # --requeue
    env_vars=PRETRAIN_EXPORTED,
    include=("pretrain.py",),
)


@pretrain_env.task(
    # REVIEW S2F220: Slurm requeues after a node failure; a retry also follows a failed
    # command.
    retries=3,  # --requeue
    timeout=timedelta(days=1),  # --time=1-00:00:00
)
async def pretrain(ckpt: str = "ckpt", steps: int = 1000) -> None:
    """Be one rank of pretrain.py (pretrain.sh:16-24).

    torchrun starts this task once a rank, with RANK, WORLD_SIZE, MASTER_ADDR, ... set:
    pretrain.py is a plain command here. Flyte keeps what rank 0 returns.
    """
    # REVIEW S2F410: no `set -e`: when this fails (pretrain.sh:21), the job goes on, and
    # its last command decides. check=True would end it here.
    await run(
        "mkdir",
        "-p",
        "ckpt",
        env=PRETRAIN_EXPORTED,  # a local run does not apply env_vars
        check=False,
    )
    await run(
        sys.executable,
        "pretrain.py",
        "--ckpt",
        ckpt,
        "--steps",
        steps,
        env=PRETRAIN_EXPORTED,  # a local run does not apply env_vars
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
    print(flyte.run(pretrain).url)
# slurm2flyte: generated from pretrain.sh, sha256 of the text above: 8839e3b92031
