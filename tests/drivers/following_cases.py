"""Jobs that a driver asks for and waits for, and jobs that submit what follows them."""

from case import STEP, Case

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

PREPARE = f"{STEP_OF} prepare"
# How what the driver waited for has ended.
ENDED = {
    "ended_or_exit": Case(
        "sbatch --wait a.sh || exit 3\nsbatch b.sh\n", "a b", fails=("a",)
    ),
    "ended_or_group": Case(
        "sbatch --wait a.sh || { echo no; exit 1; }\nsbatch b.sh\n",
        "a b",
        fails=("a",),
    ),
    "ended_or_true": Case(
        "set -e\nsbatch --wait a.sh || true\nsbatch b.sh\n", "a b", fails=("a",)
    ),
    "ended_and": Case(
        "sbatch --wait a.sh && sbatch b.sh\nsbatch c.sh\n",
        "a b c",
        fails=("a", "b"),
        order=(("a", "b"), ("a", "c")),
    ),
    "ended_and_or_exit": Case(
        "sbatch --wait a.sh && sbatch --wait b.sh || exit 1\nsbatch c.sh\n",
        "a b c",
        fails=("a", "b"),
        order=(("a", "b"), ("b", "c")),
    ),
    "ended_status": Case(
        "sbatch --wait a.sh\nif [ $? -ne 0 ]; then\n  echo failed\n  exit 1\nfi\n"
        "sbatch b.sh\n",
        "a b",
        fails=("a",),
    ),
    "ended_status_short": Case(
        "sbatch --wait a.sh\n[[ $? == 0 ]] || exit 1\nsbatch b.sh\n",
        "a b",
        fails=("a",),
    ),
    "ended_status_else": Case(
        "sbatch --wait a.sh\nif [ $? -eq 0 ]; then\n  sbatch b.sh\nelse\n"
        "  echo failed\nfi\nsbatch c.sh\n",
        "a b c",
        fails=("a",),
        order=(("a", "b"), ("a", "c")),
    ),
    "ended_status_late": Case(
        "sbatch --wait a.sh\necho it has ended\nif [ $? -ne 0 ]; then\n  exit 1\nfi\n"
        "sbatch b.sh\n",
        "a b",
        fails=("a",),
        order=(("a", "b"),),
    ),
    "ended_if_not": Case(
        "if ! sbatch --wait a.sh; then\n  echo failed\n  exit 1\nfi\nsbatch b.sh\n",
        "a b",
        fails=("a",),
    ),
    "ended_if": Case(
        f"if srun -n1 {PREPARE}; then\n  sbatch a.sh\nfi\nsbatch b.sh\n",
        "a b",
        fails=("prepare",),
        order=(("prepare", "a"), ("prepare", "b")),
    ),
    "ended_srun": Case(
        f"srun -n1 {PREPARE} || exit 1\nsbatch a.sh\n", "a", fails=("prepare",)
    ),
    "ended_pid": Case(
        "sbatch --wait a.sh &\npid=$!\nwait $pid || exit 1\nsbatch b.sh\n",
        "a b",
        fails=("a",),
    ),
    "ended_program": Case(
        f"{PREPARE} || exit 1\nsbatch a.sh\n", "a", fails=("prepare",)
    ),
    "ended_program_and": Case(
        f"{PREPARE} && sbatch a.sh\nsbatch b.sh\n",
        "a b",
        fails=("prepare",),
        order=(("prepare", "a"), ("prepare", "b")),
    ),
    "ended_program_status": Case(
        f"{PREPARE}\nif [ $? -ne 0 ]; then\n  exit 1\nfi\nsbatch a.sh\n",
        "a",
        fails=("prepare",),
    ),
}


# What a driver puts into a job's text, which the job's shell parts into words.
COUNT = STEP.replace(
    "words = sys.argv[1:]\n",
    "words = [str(len(sys.argv) - 1), *sys.argv[1:]]\n",
)
COUNTS = {"count.py": COUNT}
SOME = "some=$(ls count.py step.py | wc -l)\n"  # only the run knows
TEXTS = {
    "text_words": Case(
        'for x in "--a 1" two ""; do\n  sbatch --wrap "python3 count.py w $x"\ndone\n',
        scripts=COUNTS,
    ),
    "text_part_of_a_word": Case(
        'for x in "1 2" 3; do\n  sbatch --wrap "python3 count.py --in=$x"\ndone\n',
        scripts=COUNTS,
    ),
    "text_argument": Case(
        'for x in "a b" c ""; do\n  sbatch job.sh "$x"\ndone\n',
        scripts=COUNTS | {"job.sh": "#!/bin/bash\npython3 count.py j $1\n"},
    ),
    "text_variable": Case(
        'for x in "a b" c; do\n  sbatch --export=ALL,WORDS_OF="$x" job.sh\ndone\n',
        scripts=COUNTS | {"job.sh": "#!/bin/bash\npython3 count.py j $WORDS_OF\n"},
    ),
    "text_command": Case(
        SOME
        + 'for i in $(seq $some); do\n  sbatch --wrap "$1"\n'
        + '  sbatch --wrap "python3 count.py $i $2"\ndone\n',
        scripts=COUNTS,
        arguments={"arguments": ["python3 count.py one two", "x y"]},
    ),
    "text_all_arguments": Case(
        SOME + 'shift $((some - 1))\nsbatch --wrap "python3 count.py $*"\n',
        scripts=COUNTS,
        arguments={"arguments": ["gone", "a", "b c"]},
    ),
    "text_all_in_a_plan": Case(
        "[ -d results ] || mkdir results\nsbatch <<END\n#!/bin/bash\n"
        "python3 count.py w $@\nEND\n",
        scripts=COUNTS,
        arguments={"arguments": ["a", "b c", "--lr"]},
    ),
    "text_all_in_a_heredoc": Case(
        "sbatch <<END\n#!/bin/bash\npython3 count.py w $@\nEND\n",
        scripts=COUNTS,
        arguments={"arguments": ["a", "b c", "--lr"]},
    ),
    "text_behind_a_source": Case(
        "for i in 1 2; do\n  cat > r.sl <<END\n#!/bin/bash\nsource env.sh\n"
        "python3 count.py w $i\nEND\n  sbatch r.sl\ndone\n",
        scripts=COUNTS,
    ),
    "text_no_words": Case(
        SOME
        + 'more=""\nif [ $some -gt 2 ]; then more="--more 1"; fi\n'
        + 'for i in $(seq $some); do\n  sbatch --wrap "python3 count.py $i $more"\ndone\n',
        scripts=COUNTS,
    ),
    "text_piped": Case(
        SOME
        + "for i in $(seq $some); do\ncat <<EOF | sbatch\n#!/bin/bash\n"
        + "python3 step.py piped $i\npython3 step.py again\nEOF\ndone\n"
        + "python3 step.py driver\n",
    ),
    # What the driver's own shell parts into the job's arguments.
    "parts_loop": Case(
        'for x in "a 1" b "" "c 3 d"; do\n  sbatch job.sh $x\ndone\n',
        scripts=COUNTS | {"job.sh": '#!/bin/bash\npython3 count.py j "$@"\n'},
    ),
    "parts_elements": Case(
        'A=("a 1" b)\nfor i in 0 1; do\n  sbatch job.sh ${A[$i]} "${A[$i]}"\ndone\n',
        scripts=COUNTS | {"job.sh": '#!/bin/bash\npython3 count.py j "$@"\n'},
    ),
    "parts_text": Case(
        'for x in 1 2; do\n  words="--lr $x  --name n$x"\n'
        "  sbatch job.sh $words end\n  sbatch job.sh a$words\ndone\n",
        scripts=COUNTS | {"job.sh": '#!/bin/bash\npython3 count.py j "$@"\n'},
    ),
    "parts_options": Case(
        'for o in "--mem=90M --time=5" "--time=6"; do\n  sbatch $o job.sh x\ndone\n',
        scripts=COUNTS | {"job.sh": '#!/bin/bash\npython3 count.py j "$@"\n'},
    ),
    "parts_lines": Case(
        "while read -r line; do\n  sbatch job.sh $line\ndone < list.txt\n",
        scripts=COUNTS
        | {
            "job.sh": '#!/bin/bash\npython3 count.py j "$1" "$2"\n',
            "list.txt": "a 1\nb\nc 3 x\n",
        },
    ),
    "lines_whole": Case(
        'while read -r line; do\n  sbatch job.sh "$line"\ndone < list.txt\n',
        scripts=COUNTS
        | {
            "job.sh": '#!/bin/bash\npython3 count.py j "$@"\n',
            "list.txt": "a 1\n  b\t\nback\\slash\nno end",
        },
    ),
    "lines_escaped": Case(
        'while read line; do\n  sbatch job.sh "$line"\ndone < list.txt\n',
        scripts=COUNTS
        | {
            "job.sh": '#!/bin/bash\npython3 count.py j "$@"\n',
            "list.txt": "a\\ 1\nback\\slash\n",
        },
    ),
    "lines_as_they_are": Case(
        'while IFS= read -r line; do\n  sbatch job.sh "$line"\ndone < list.txt\n',
        scripts=COUNTS
        | {
            "job.sh": '#!/bin/bash\npython3 count.py j "$@"\n',
            "list.txt": "  b \nc\n",
        },
    ),
    # What looks like a check of how the driver is called.
    "called_with_a_mode": Case(
        'if [ "$1" = dry ]; then\n  echo nothing\n  exit 0\nfi\nsbatch a.sh\n',
        "a",
        arguments={"arg1": "dry"},
    ),
    "called_with_a_file": Case(
        'if [ ! -f "$1" ]; then\n  echo "no $1"\n  exit 1\nfi\nsbatch a.sh\n',
        "a",
        arguments={"arg1": "none.txt"},
    ),
    "called_for_help": Case(
        'if [ $# -lt 1 ] || [ "$1" = "-h" ]; then\n  echo usage\n  exit 1\nfi\n'
        "sbatch a.sh $1\n",
        "a",
        arguments={"arg1": "x"},
    ),
    "text_slurm_variable": Case(
        SOME
        + "for i in $(seq $some); do\nsbatch --array=1-2 <<EOF\n#!/bin/bash\n"
        + "python3 count.py $i $SLURM_ARRAY_TASK_ID\n"
        + "python3 count.py $i of \\$SLURM_ARRAY_TASK_ID\nEOF\ndone\n",
        scripts=COUNTS,
    ),
}
