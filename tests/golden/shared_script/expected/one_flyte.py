"""Run job.sh and arr.sh.

Migrated from one.sh, which submits job.sh and arr.sh. What used to be "bash one.sh" is
now:

    flyte run --local one_flyte.py main     # this machine, no cluster
    flyte run one_flyte.py main             # the cluster
    flyte deploy one_flyte.py               # register the tasks
"""

from collections.abc import Sequence
from typing import TypeVar

import flyte

# isort: split
from arr_flyte import arr, arr_env
from job_flyte import job, job_env

T = TypeVar("T")

main_env = flyte.TaskEnvironment(
    name="one",
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
    resources=flyte.Resources(cpu=1, memory="1Gi"),
    depends_on=[job_env, arr_env],
)


@main_env.task(entrypoint=True)
async def main() -> None:
    """Run the jobs in their order (one.sh)."""
    await job(name="x")
    # -d afterok:$a
    results = flyte.map.aio(
        arr,
        range(3),  # --array=0-2
    )
    all_ok([r async for r in results])


def all_ok(results: Sequence[T | BaseException]) -> list[T]:
    """Return what the jobs returned; if one of them failed, fail."""
    failures = [r for r in results if isinstance(r, BaseException)]
    if failures:
        message = f"{len(failures)} of {len(results)} jobs failed"
        raise RuntimeError(message) from failures[0]
    return [r for r in results if not isinstance(r, BaseException)]


if __name__ == "__main__":
    flyte.init_from_config()
    print(flyte.run(main).url)
# slurm2flyte: generated from one.sh, sha256 of the text above: c716053b70cf
