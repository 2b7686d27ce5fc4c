"""Run evaluate.py.

Migrated from nightly.sh and crontab:3, crontab:4. What used to be "sbatch nightly.sh"
is now:

    flyte run --local nightly_flyte.py nightly_eval     # this machine, no cluster
    flyte run nightly_flyte.py nightly_eval             # the cluster
    flyte deploy nightly_flyte.py                       # the cluster, at its times
"""

import asyncio
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

import flyte
from flyte import notify
from flyte.models import ActionPhase

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

# REVIEW S2F103: sent for runs of the trigger, and for one that `python` on this file
# starts; `flyte run` sends none.
MAIL = notify.Email(
    on_phase=(ActionPhase.FAILED, ActionPhase.TIMED_OUT),  # --mail-type
    recipients=("oncall@example.com",),  # --mail-user
)

# REVIEW S2F310: cron went by the cluster's local time; name its zone.
ZONE = "UTC"

nightly_eval_env = flyte.TaskEnvironment(
    name="nightly_eval",  # --job-name=nightly_eval
    image=flyte.Image.from_debian_base(python_version=(3, 12)),  # default: none named
    resources=flyte.Resources(memory="4Gi"),  # --mem=4G
    include=("evaluate.py",),
)

nightly = flyte.Trigger(
    name="nightly",
    automation=flyte.Cron("0 2 * * 1-5", timezone=ZONE),  # crontab:3
    notifications=MAIL,
)

nightly_trigger = flyte.Trigger(
    name="nightly_trigger",
    automation=flyte.Cron("30 6 * * 0", timezone=ZONE),  # crontab:4
    inputs={"scope": "weekly"},
    notifications=MAIL,
)


@nightly_eval_env.task(
    timeout=timedelta(minutes=45),  # --time=00:45:00
    triggers=(nightly, nightly_trigger),
)
async def nightly_eval(scope: str = "nightly") -> None:
    """Run evaluate.py (nightly.sh:7); scope was ${1:-nightly}."""
    await run(
        sys.executable,
        "evaluate.py",
        "--date",
        time.strftime("%F"),
        "--scope",
        scope,
    )


async def run(*command: str | float | Path) -> None:
    """Run one command of the job script; if it fails, the task fails."""
    argv = [str(part) for part in command]
    process = await asyncio.create_subprocess_exec(
        *argv, cwd=HERE, stdin=subprocess.DEVNULL
    )
    if code := await process.wait():
        raise subprocess.CalledProcessError(code, argv)


if __name__ == "__main__":
    flyte.init_from_config()
    runner = flyte.with_runcontext(notifications=MAIL)
    print(runner.run(nightly_eval).url)
# slurm2flyte: generated from nightly.sh, sha256 of the text above: 1ca8f73cfacc
