"""Run fit.sh.

Migrated from fit.sh. What used to be "sbatch fit.sh" is now:

    flyte run --local fit_flyte.py fit     # this machine, no cluster
    flyte run fit_flyte.py fit             # the cluster
    flyte deploy fit_flyte.py              # register the task
"""

import asyncio
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import flyte

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

fit_env = flyte.TaskEnvironment(
    name="fit",  # --job-name=fit
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
    resources=flyte.Resources(memory="4Gi"),  # --mem=4G
    include=("fit.py",),
)

# fit.sh:19-23, as it was, after line 4
FIT = r"""
set -e
if [ -z "$DATA" ]; then
  echo "no data" >&2
  exit 1
fi
python fit.py --data "$DATA" --rate $RATE --output_dir fits/a ${DRY_RUN:+--dry-run}
"""


@fit_env.task
async def fit(data: str = "", rate: str = "0.1", dry_run: str = "") -> None:
    """Run the job script (fit.sh:19-23); data was $DATA, rate was $RATE, dry_run was
    $DRY_RUN.
    """
    variables = {"DATA": data, "RATE": rate, "DRY_RUN": dry_run}
    # What the caller says goes before the defaults.
    await bash(FIT, "fit.sh", env=variables)


async def bash(script: str, *argv: str, env: Mapping[str, str]) -> None:
    """Run a piece of the job script, argv as its $0, $1, ...; if it fails, fail."""
    process = await asyncio.create_subprocess_exec(
        "/bin/bash",
        "-c",
        script,
        *argv,
        cwd=HERE,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **env},
    )
    if code := await process.wait():
        raise subprocess.CalledProcessError(code, argv)


if __name__ == "__main__":
    flyte.init_from_config()
    print(flyte.run(fit).url)
# slurm2flyte: generated from fit.sh, sha256 of the text above: 87610850fdb3
