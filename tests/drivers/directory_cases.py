"""Drivers that submit from other directories than their own."""

from case import Case, script

NOTE = (
    "v=$(cat input.txt)\n"
    'echo "start run $1 $v $(basename "$PWD")" >> ../log.txt\n'
    'echo "$v of $(basename "$PWD")" > out.txt\n'
    'echo "end run $1 $v $(basename "$PWD")" >> ../log.txt\n'
)
RUN = script(NOTE)
INPUTS = {"run1/input.txt": "one\n", "run2/input.txt": "two\n"}
COMMON = INPUTS | {"common.sh": RUN}
OWN = INPUTS | {"run1/job.sh": RUN, "run2/job.sh": RUN}
LAST = script(
    'echo "start last $(cat out.txt)" >> ../log.txt\n'
    'echo "end last $(cat out.txt)" >> ../log.txt\n'
)
BACK = "cd ..\n"

DIRECTORIES = {
    "directory_cd": Case("cd run1\nsbatch job.sh x\n", scripts=OWN),
    "directory_cd_and": Case("cd run1 && sbatch job.sh\n", scripts=OWN),
    "directory_two": Case(
        f"cd run1\nsbatch job.sh a\n{BACK}cd run2\nsbatch job.sh b\n{BACK}", scripts=OWN
    ),
    "directory_subshell": Case(
        "for d in run1 run2; do\n  (cd $d; sbatch job.sh $d)\ndone\n", scripts=OWN
    ),
    "directory_loop_glob": Case(
        "for d in run*/; do\n  cd $d\n  sbatch job.sh\n  cd ..\ndone\n", scripts=OWN
    ),
    "directory_loop_ls": Case(
        "for d in $(ls -d run*); do\n  cd $d || exit 1\n  sbatch ../common.sh $d\n"
        "  cd ..\ndone\n",
        scripts=COMMON,
    ),
    "directory_pushd": Case(
        "for d in run1 run2; do\n  pushd $d > /dev/null\n  sbatch ../common.sh\n"
        "  popd > /dev/null\ndone\n",
        scripts=COMMON,
    ),
    "directory_chdir": Case("sbatch -D run1 common.sh y\n", scripts=COMMON),
    "directory_chdir_loop": Case(
        "for d in run1 run2; do sbatch --chdir=$d common.sh $d; done\n", scripts=COMMON
    ),
    "directory_dash": Case(
        "cd run1\nsbatch ../common.sh\ncd - > /dev/null\nsbatch -D run2 common.sh\n",
        scripts=COMMON,
    ),
    "directory_root": Case(
        'ROOT=$PWD\nfor d in run1 run2; do\n  cd "$ROOT/$d"\n  sbatch "$ROOT/common.sh"\n'
        '  cd "$ROOT"\ndone\n',
        scripts=COMMON,
    ),
    "directory_made": Case(
        "mkdir -p fresh\ncd fresh\nsbatch ../made.sh\n",
        scripts={
            "made.sh": script(
                "pwd > here.txt\n"
                'echo "start $(basename "$(cat here.txt)")" >> ../log.txt\n'
                'echo "end $(basename "$(cat here.txt)")" >> ../log.txt\n'
            )
        },
    ),
    "directory_scripts_differ": Case(
        "for d in run1 run2; do\n  cd $d\n  sbatch job.sh\n  cd ..\ndone\n",
        scripts=OWN | {"run2/job.sh": RUN.replace("run $1", "other $1")},
    ),
    "directory_chain": Case(
        "cd run1\na=$(sbatch --parsable job.sh)\nsbatch -d afterok:$a last.sh\ncd ..\n",
        scripts=OWN | {"run1/last.sh": LAST},
        order=(("run  one run1", "last one of run1"),),
    ),
    "directory_chain_in_a_loop": Case(
        "for d in run1 run2; do\n  cd $d\n  a=$(sbatch --parsable ../common.sh)\n"
        "  sbatch --dependency=afterok:$a ../last.sh\n  cd ..\ndone\n",
        scripts=COMMON | {"last.sh": LAST},
    ),
    "directory_function": Case(
        'go() {\n  cd "$1"\n  sbatch ../common.sh "$1"\n  cd ..\n}\ngo run1\ngo run2\n',
        scripts=COMMON,
    ),
    "directory_written": Case(
        "for d in run1 run2; do\n  cd $d\n  cat > written.sh <<EOF\n#!/bin/bash\n"
        + NOTE.replace("$(", "\\$(")
        .replace("$v", "\\$v")
        .replace("$1", "$d")
        .replace("$PWD", "\\$PWD")
        + "EOF\n  sbatch written.sh\n  cd ..\ndone\n",
        scripts=INPUTS,
    ),
    "directory_array": Case(
        "cd run1\nsbatch --array=0-2 ../elements.sh\n",
        scripts=COMMON
        | {
            "elements.sh": script(
                'v=$(cat input.txt)\nx="$SLURM_ARRAY_TASK_ID $v $(basename "$PWD")"\n'
                'echo "start $x" >> ../log.txt\necho "end $x" >> ../log.txt\n'
            )
        },
    ),
    "directory_submit_dir": Case(
        "cd run2\nsbatch ../back.sh\n",
        scripts=INPUTS
        | {
            "back.sh": script(
                "cd /tmp\ncd $SLURM_SUBMIT_DIR\nv=$(cat input.txt)\n"
                'echo "start $v" >> ../log.txt\necho "end $v" >> ../log.txt\n'
            )
        },
    ),
}
