"""Jobs that a driver asks for and waits for, and jobs that submit what follows them."""

from case import Case

STEP_OF = "python3 step.py"

ALLOCATIONS = {
    "allocated_salloc": Case(
        f"salloc -N1 --mem=100M {STEP_OF} first\nsbatch a.sh\n",
        "a",
        fails=("first",),
        order=(("first", "a"),),
    ),
    "allocated_srun": Case(
        f"srun -n1 --mem=100M {STEP_OF} first 'x y'\nsbatch a.sh\n",
        "a",
        fails=("first",),
        order=(("first x y", "a"),),
    ),
    "allocated_errexit": Case(
        f"set -e\nsrun -n1 {STEP_OF} first\nsbatch a.sh\n", "a", fails=("first",)
    ),
    "allocated_two": Case(
        f"W=second\nsrun -n1 {STEP_OF} first\nsalloc -n1 {STEP_OF} $W\nsbatch a.sh\n",
        "a",
        order=(("first", "second"), ("second", "a")),
    ),
    "allocated_beside": Case(
        f"srun -n1 {STEP_OF} one &\nsrun -n1 {STEP_OF} two &\nwait\nsbatch a.sh\n",
        "a",
        fails=("one", "two"),
        order=(("one", "a"), ("two", "a")),
    ),
    "allocated_alone": Case(f"salloc -n1 --mem=100M {STEP_OF} only\n", fails=("only",)),
}


def job(text: str, jobs: str = "a", fails: tuple[str, ...] = ("first",)) -> Case:
    return Case("#SBATCH --job-name=first\n" + text, jobs, fails=fails, job=True)


FIRST = f"{STEP_OF} first\n"
FOLLOWING = {
    "follow_any": job(FIRST + "sbatch -d afterany:$SLURM_JOB_ID a.sh\n"),
    "follow_ok": job(FIRST + "sbatch --dependency=afterok:${SLURM_JOB_ID} a.sh x\n"),
    "follow_plain": job("echo begins\n" + FIRST + "sbatch a.sh\necho submitted\n"),
    "follow_ok_first": job("sbatch -d afterok:$SLURM_JOB_ID a.sh\n" + FIRST),
    "follow_not_ok_first": job("sbatch -d afternotok:$SLURM_JOBID a.sh\n" + FIRST),
    "follow_beside": job("sbatch a.sh\n" + FIRST),
    "follow_errexit": job("set -e\n" + FIRST + "sbatch a.sh\n"),
    "follow_errexit_any": job(
        "set -e\n" + FIRST + "sbatch -d afterany:$SLURM_JOB_ID a.sh\n"
    ),
    "follow_two": job(
        FIRST + "sbatch -d afterok:$SLURM_JOB_ID a.sh\nsbatch b.sh\n", "a b"
    ),
    # By what only the run knows: it notes what it submits.
    "follow_branch": job(f"if {STEP_OF} first; then\n  sbatch a.sh\nfi\n"),
    "follow_middle": job("sbatch a.sh\n" + FIRST + "sbatch b.sh\n", "a b"),
}
