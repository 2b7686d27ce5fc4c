"""Drivers and the jobs that they submit; what real Slurm did with them is in answers.json."""

import random

from case import STEP, Case, script
from directory_cases import DIRECTORIES
from folder_cases import FOLDERS
from following_cases import ALLOCATIONS, ENDED, FOLLOWING, TEXTS

ARRAY = script('#SBATCH --array=0-2\npython3 step.py arr "$SLURM_ARRAY_TASK_ID"\n')
LINES = script(
    "#SBATCH --array=1-3\n"
    'LINE=$(sed -n "${SLURM_ARRAY_TASK_ID}p" list.txt)\n'
    'python3 step.py arr "$SLURM_ARRAY_TASK_ID" "$LINE"\n'
)
ITEMS = script(
    "NAMES=(x y z)\nSIZES=(1 2)\n"
    'python3 step.py arr "${NAMES[$SLURM_ARRAY_TASK_ID]}" '
    '"${SIZES[$((SLURM_ARRAY_TASK_ID % 2))]}" "$@"\n'
)
AFTER = script('python3 step.py after "$SLURM_ARRAY_TASK_ID" "$@"\n')
# A program that looks at its environment.
ENV = STEP.replace(
    "words = sys.argv[1:]\n",
    'words = sys.argv[1:] + [f"{n}={os.environ.get(n)}" for n in ("LR", "MODEL")]\n',
)
ENVIRONMENT = {"e.sh": script("python3 env.py $1\n"), "env.py": ENV}
INDEX = script('python3 step.py arr "$SLURM_ARRAY_TASK_ID" "$@"\n')

WRITES_ONE = script(
    '#SBATCH --array=0-2\npython3 step.py arr "$SLURM_ARRAY_TASK_ID" || exit 3\n'
    'echo "v$SLURM_ARRAY_TASK_ID" > "out_$SLURM_ARRAY_TASK_ID.txt"\n'
)
READS_ONE = script(
    "#SBATCH --array=0-2\n"
    'python3 step.py read "$(cat "out_$SLURM_ARRAY_TASK_ID.txt")"\n'
)

# A program that goes on from its checkpoints; its third turn ends the work.
TURNS = """\
import argparse
import os
import pathlib
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--ckpt-dir")
parser.add_argument("--fail", default="no")
options = parser.parse_args()
directory = pathlib.Path(options.ckpt_dir)
directory.mkdir(exist_ok=True)
step = directory / "step.txt"
turn = int(step.read_text()) if step.exists() else 0
with open("log.txt", "a") as log:
    log.write(f"start turn {turn}\\n")
step.write_text(str(turn + 1))
if turn + 1 == 3:
    (directory / "DONE").touch()
with open("log.txt", "a") as log:
    log.write(f"end turn {turn}\\n")
sys.exit(3 if options.fail == "yes" and turn + 1 < 3 else 0)
"""
FAILING = script("python3 turns.py --ckpt-dir ck --fail yes\n")
RESTARTS = {
    "restart_itself": Case(
        """\
#SBATCH --job-name=again
python3 turns.py --ckpt-dir ck
if [ ! -f ck/DONE ]; then
  echo once more
  sbatch "$0"
fi
""",
        scripts={"turns.py": TURNS},
        job=True,
        entry="again",
    ),
    "restart_itself_by_name": Case(
        "python3 turns.py --ckpt-dir=./ck/\n[ -f ck/DONE ] || sbatch submit.sh\ndate\n",
        scripts={"turns.py": TURNS},
        job=True,
        entry="submit",
    ),
    "restart_behind_failure": Case(
        """\
sbatch --dependency=afternotok:$SLURM_JOB_ID submit.sh
python3 turns.py --ckpt-dir ck --fail yes
""",
        scripts={"turns.py": TURNS},
        job=True,
        entry="submit",
        tried_again=True,
    ),
    "restart_chain": Case(
        """\
jid=$(sbatch --parsable train.sh)
for i in $(seq 2 3); do
  jid=$(sbatch --parsable -d afterany:$jid train.sh)
done
sbatch -d afterok:$jid end.sh
""",
        "end",
        scripts={"train.sh": FAILING, "turns.py": TURNS},
        tried_again=True,
    ),
    "restart_chain_from_nothing": Case(
        """\
LAST=""
for ((i = 0; i < 5; i++)); do
  if [ -z "$LAST" ]; then
    LAST=$(sbatch --parsable train.sh)
  else
    LAST=$(sbatch --parsable -d afternotok:$LAST train.sh)
  fi
done
""",
        scripts={"train.sh": FAILING, "turns.py": TURNS},
        tried_again=True,
    ),
    "restart_chain_in_a_row": Case(
        """\
a=$(sbatch --parsable train.sh)
b=$(sbatch --parsable -d afternotok:$a train.sh)
c=$(sbatch --parsable -d afternotok:$b train.sh)
sbatch -d afterok:$c end.sh
""",
        "end",
        scripts={"train.sh": FAILING, "turns.py": TURNS},
        tried_again=True,
    ),
    # Nothing is kept from one run to the next: the loop stays (S2F369).
    "restart_loop_stays": Case(
        """\
jid=$(sbatch --parsable a.sh)
for i in 2 3; do
  jid=$(sbatch --parsable -d afterok:$jid a.sh)
done
""",
        "a",
    ),
}

READ = script('python3 step.py read "$(cat out.txt)"\n')
CHAIN = "a=$(sbatch --parsable a.sh)\nsbatch -d afterok:$a b.sh\n"
# What one job writes another reads; the words of the log tell what it read.
DATA = {
    # What element i leaves goes to element i, which does not wait for the others.
    "corr_hands_on": Case(
        "a=$(sbatch --parsable a.sh)\nsbatch -d aftercorr:$a b.sh\n",
        scripts={"a.sh": WRITES_ONE, "b.sh": READS_ONE},
        fails=("1",),
        order=tuple((f"arr {i}", f"read v{i}") for i in range(3)),
        data=True,
    ),
    "corr_hands_on_to_all": Case(
        """\
a=$(sbatch --parsable a.sh)
b=$(sbatch --parsable --dependency=aftercorr:$a b.sh)
sbatch -d afterok:$a c.sh
sbatch -d afterok:${a}_2 d.sh
sbatch -d afterany:$b end.sh
""",
        "end",
        scripts={
            "a.sh": WRITES_ONE,
            "b.sh": READS_ONE,
            "c.sh": script(
                'python3 step.py all "$(cat out_*.txt | sort | tr "\\n" " ")"\n'
            ),
            "d.sh": script('python3 step.py two "$(cat out_2.txt)"\n'),
        },
        fails=("0",),
        data=True,
    ),
    "corr_hands_on_directories": Case(
        "a=$(sbatch --parsable a.sh)\nsbatch -d aftercorr:$a b.sh\n",
        scripts={
            "a.sh": script(
                "#SBATCH --array=1-2\n"
                "mkdir -p res/$SLURM_ARRAY_TASK_ID\ncd res/$SLURM_ARRAY_TASK_ID\n"
                'for k in x y; do echo "$k$SLURM_ARRAY_TASK_ID" > $k.txt; done\n'
            ),
            "b.sh": script(
                "#SBATCH --array=1-2\n"
                'python3 step.py read "$(cat res/$SLURM_ARRAY_TASK_ID/*.txt | tr "\\n" " ")"\n'
            ),
        },
        data=True,
    ),
    "corr_hands_on_lines": Case(
        "a=$(sbatch --parsable a.sh)\nb=$(sbatch --parsable -d aftercorr:$a b.sh)\n"
        "sbatch -d aftercorr:$b c.sh\n",
        scripts={
            "list.txt": "u\nv\nw\n",
            "a.sh": LINES + 'echo "$LINE" > first_$SLURM_ARRAY_TASK_ID.txt\n',
            "b.sh": script(
                "#SBATCH --array=1-3\n"
                'python3 step.py b "$(cat first_$SLURM_ARRAY_TASK_ID.txt)" && '
                "sed s/$/2/ first_$SLURM_ARRAY_TASK_ID.txt > second_$SLURM_ARRAY_TASK_ID.txt\n"
            ),
            "c.sh": script(
                "#SBATCH --array=1-3\n"
                'python3 step.py c "$(cat second_$SLURM_ARRAY_TASK_ID.txt)"\n'
            ),
        },
        fails=("v",),
        data=True,
    ),
    # The third job takes what the first left, and waits for the second alone.
    "corr_hands_on_further": Case(
        "a=$(sbatch --parsable a.sh)\nb=$(sbatch --parsable -d aftercorr:$a b.sh)\n"
        "sbatch -d aftercorr:$b c.sh\n",
        scripts={
            "a.sh": WRITES_ONE,
            "b.sh": AFTER.replace("python3", "#SBATCH --array=0-2\npython3", 1),
            "c.sh": READS_ONE,
        },
        data=True,
    ),
    "data_file": Case(
        CHAIN,
        scripts={
            "a.sh": script("python3 step.py a\necho hello > out.txt\n"),
            "b.sh": READ,
        },
        data=True,
    ),
    "data_submit_dir": Case(
        CHAIN,
        scripts={
            "a.sh": script(
                'python3 step.py a\necho "h i" > "$SLURM_SUBMIT_DIR/out.txt"\n'
            ),
            "b.sh": script('python3 step.py read "$(cat ./out.txt)"\n'),
        },
        data=True,
    ),
    "data_working_dir": Case(
        CHAIN,
        scripts={
            "a.sh": script("mkdir -p sub\necho hello > $PWD/sub/out.txt\n"),
            "b.sh": script('python3 step.py read "$(cat sub/out.txt)"\n'),
        },
        data=True,
    ),
    "data_directory": Case(
        CHAIN,
        scripts={
            "a.sh": script("mkdir -p res\npython3 step.py a > res/out.txt\n"),
            "b.sh": script('python3 step.py read "$(ls res)"\n'),
        },
        data=True,
    ),
    "data_argument": Case(
        'OUT=${1:-res.txt}\na=$(sbatch --parsable a.sh "$OUT")\n'
        'sbatch -d afterok:$a b.sh "$OUT"\n',
        scripts={
            "a.sh": script('echo hello > "$1"\n'),
            "b.sh": script('python3 step.py read "$(cat "$1")"\n'),
        },
        arguments={"out": "other.txt"},
        data=True,
    ),
    "data_variable": Case(
        "export OUT=res.txt\na=$(sbatch --parsable a.sh)\nsbatch -d afterok:$a b.sh\n",
        scripts={
            "a.sh": script('echo hello > "$OUT"\n'),
            "b.sh": script('python3 step.py read "$(cat "$OUT")"\n'),
        },
        data=True,
    ),
    "data_turns": Case(
        "for x in u v; do\n  a=$(sbatch --parsable a.sh $x)\n"
        "  sbatch -d afterok:$a b.sh $x\ndone\n",
        scripts={
            "a.sh": script('echo "of $1" > "out_$1.txt"\n'),
            "b.sh": script('python3 step.py read "$(cat "out_$1.txt")"\n'),
        },
        data=True,
    ),
    "data_array": Case(
        CHAIN,
        scripts={
            "a.sh": script(
                "#SBATCH --array=0-2\nmkdir -p parts\n"
                'echo "n$SLURM_ARRAY_TASK_ID" > "parts/p_$SLURM_ARRAY_TASK_ID.txt"\n'
            ),
            "b.sh": script("python3 step.py read $(cat parts/*.txt)\n"),
        },
        data=True,
    ),
    "data_array_here": Case(
        CHAIN,
        scripts={
            "a.sh": script(
                "#SBATCH --array=1-3\necho x > part_${SLURM_ARRAY_TASK_ID}.txt\n"
            ),
            "b.sh": script("python3 step.py read $(ls part_*.txt)\n"),
        },
        data=True,
    ),
    "data_loop": Case(
        "ids=()\nfor lr in 1 2; do for s in 0 1; do\n"
        "  ids+=($(sbatch --parsable a.sh $lr $s))\ndone; done\n"
        'sbatch -d afterok:$(IFS=:; echo "${ids[*]}") b.sh\n',
        scripts={
            "a.sh": script('mkdir -p results\necho x > "results/lr$1_s$2.txt"\n'),
            "b.sh": script("python3 step.py read $(ls results)\n"),
        },
        data=True,
    ),
    "data_loop_and_more": Case(
        "ids=()\nfor lr in 1 2; do\n  ids+=($(sbatch --parsable a.sh $lr))\ndone\n"
        'b=$(sbatch --parsable -d afterok:$(IFS=:; echo "${ids[*]}") b.sh)\n'
        "sbatch c.sh\nsbatch -d afterany:$b d.sh\n",
        "c d",
        scripts={
            "a.sh": script('mkdir -p results\necho x > "results/lr$1.txt"\n'),
            "b.sh": script("python3 step.py read $(ls results)\n"),
        },
        data=True,
    ),
    "data_kept": Case(
        CHAIN,
        scripts={
            "a.sh": script('for i in 1 2; do echo "line $i"; done > out.txt\n'),
            "b.sh": script(
                "shopt -s nullglob\nwhile IFS= read -r line; do\n"
                '  python3 step.py read "${line^^}"\ndone < out.txt\n'
            ),
        },
        data=True,
    ),
    "data_program": Case(
        CHAIN,
        scripts={
            "a.sh": script("echo hello > out.txt\n"),
            "b.sh": script("python3 show.py\n"),
            "show.py": "import subprocess, sys\n"
            "text = open('out.txt').read().strip()\n"
            "subprocess.run([sys.executable, 'step.py', 'read', text], check=True)\n",
        },
        data=True,
    ),
    "data_nothing": Case(
        CHAIN,
        scripts={
            "a.sh": script("if [ -f never.txt ]; then echo x > out.txt; fi\n"),
            "b.sh": script(
                "if [ -f out.txt ]; then python3 step.py there; "
                "else python3 step.py not_there; fi\n"
            ),
        },
        data=True,
    ),
    "data_diamond": Case(
        "a=$(sbatch --parsable a.sh)\nb=$(sbatch --parsable -d afterok:$a b.sh)\n"
        "c=$(sbatch --parsable -d afterok:$a c.sh)\nsbatch -d afterok:$b:$c d.sh\n",
        scripts={
            "a.sh": script("echo one > a.txt\n"),
            "b.sh": script("cat a.txt > b.txt\n"),
            "c.sh": script("cat a.txt a.txt > c.txt\n"),
            "d.sh": script("python3 step.py read $(cat b.txt c.txt)\n"),
        },
        data=True,
    ),
    "data_two_files": Case(
        CHAIN,
        scripts={
            "a.sh": script("echo one > a.txt\necho two > b.txt\n"),
            "b.sh": script("python3 step.py read $(cat a.txt b.txt)\n"),
        },
        data=True,
    ),
    "data_appended": Case(
        CHAIN,
        scripts={
            "a.sh": script("echo one > out.txt\n"),
            "b.sh": script(
                "echo two >> out.txt\npython3 step.py read $(cat out.txt)\n"
            ),
        },
        data=True,
    ),
    "data_written_again": Case(
        "a=$(sbatch --parsable a.sh)\nb=$(sbatch --parsable -d afterok:$a b.sh)\n"
        "sbatch -d afterok:$b c.sh\n",
        scripts={
            "a.sh": script("echo one > out.txt\n"),
            "b.sh": script("echo two > out.txt\n"),
            "c.sh": READ.replace("read", "last"),
        },
        data=True,
    ),
}

# What only a run knows the names of.
LEFT = {
    "left_directories": Case(
        CHAIN,
        scripts={
            "a.sh": script(
                "#SBATCH --array=1-3\nD=res/run_$SLURM_ARRAY_TASK_ID\nmkdir -p $D\ncd $D\n"
                'echo "s$SLURM_ARRAY_TASK_ID" > score.txt\n'
            ),
            "b.sh": script("python3 step.py read $(cat res/run_*/score.txt)\n"),
        },
        data=True,
    ),
    "left_split": Case(
        "a=$(sbatch --parsable a.sh)\nb=$(sbatch --parsable -d afterok:$a b.sh)\n"
        "sbatch -d afterok:$b c.sh\n",
        scripts={
            "list.txt": "one\ntwo\nthree\n",
            "a.sh": script("split -l 1 list.txt chunk_\nls chunk_* > chunks.lst\n"),
            "b.sh": script(
                "#SBATCH --array=1-3\n"
                'f=$(sed -n "${SLURM_ARRAY_TASK_ID}p" chunks.lst)\n'
                "tr a-z A-Z < $f > $f.up\n"
            ),
            "c.sh": script("python3 step.py read $(cat chunk_*.up)\n"),
        },
        data=True,
    ),
    "left_prefix": Case(
        CHAIN,
        scripts={
            "list.txt": "one\ntwo\n",
            "a.sh": script("split -l 1 list.txt part_\n"),
            "b.sh": script("python3 step.py read $(cat part_*)\n"),
        },
        data=True,
    ),
    "left_kept_loop": Case(
        CHAIN,
        scripts={
            "a.sh": script(
                'shopt -s extglob\nfor i in 1 2 3; do echo "v$i" > n_${i##+(0)}.dat; done\n'
            ),
            "b.sh": script("python3 step.py read $(cat n_*.dat)\n"),
        },
        data=True,
    ),
    "left_moved": Case(
        CHAIN,
        scripts={
            "a.sh": script(
                "mkdir -p results\nfor r in 1 2; do\n"
                '  echo "m$r" > tmp.$r && mv tmp.$r results/run_$r.txt\ndone\n'
            ),
            "b.sh": script("python3 step.py read $(cat results/run_*.txt)\n"),
        },
        data=True,
    ),
    "left_by_a_program": Case(
        CHAIN,
        scripts={
            "make.py": "import pathlib\nfor name in ('x', 'y'):\n"
            "    pathlib.Path(f'{name}.val').write_text(name)\n",
            "a.sh": script("mkdir -p vals\ncd vals\npython3 ../make.py\n"),
            "b.sh": script("python3 step.py read $(ls vals)\n"),
        },
        data=True,
    ),
    "left_nothing": Case(
        CHAIN,
        scripts={
            "a.sh": script("cd sub 2>/dev/null && echo x > y.txt\ntrue\n"),
            "b.sh": script("python3 step.py read $(ls sub/*.txt 2>/dev/null)\n"),
        },
        data=True,
    ),
    "left_array_in_loop": Case(
        "ids=\nfor x in u v; do\n"
        "  ids=$ids:$(sbatch --parsable --array=0-1 a.sh $x)\ndone\n"
        "sbatch -d afterok$ids b.sh\n",
        scripts={
            "a.sh": script(
                'echo "$1$SLURM_ARRAY_TASK_ID" > "out_$1_$SLURM_ARRAY_TASK_ID.txt"\n'
            ),
            "b.sh": script("python3 step.py read $(cat out_*.txt)\n"),
        },
        data=True,
    ),
    "left_in_a_graph": Case(
        "a=$(sbatch --parsable a.sh)\nb=$(sbatch --parsable -d afterok:$a b.sh)\n"
        "sbatch -d afterok:$a c.sh\nsbatch -d afternotok:$a alert.sh\n"
        "sbatch -d afterany:$b end.sh\n",
        "alert end",
        scripts={
            "a.sh": script("echo one > a.txt\necho two > b.txt\n"),
            "b.sh": script("python3 step.py read $(cat a.txt)\n"),
            "c.sh": script("python3 step.py read $(cat b.txt)\n"),
        },
        data=True,
    ),
    "left_by_an_array_in_a_graph": Case(
        "a=$(sbatch --parsable a.sh)\nsbatch -d afterok:$a b.sh\n"
        "sbatch -d afternotok:$a alert.sh\n",
        "alert",
        scripts={
            "a.sh": script(
                "#SBATCH --array=0-2\n"
                'echo "h$SLURM_ARRAY_TASK_ID" > head_$SLURM_ARRAY_TASK_ID.txt\n'
                "mkdir -p d_$SLURM_ARRAY_TASK_ID\ncd d_$SLURM_ARRAY_TASK_ID\n"
                'echo "t$SLURM_ARRAY_TASK_ID" > tail.txt\n'
            ),
            "b.sh": script(
                "python3 step.py read $(cat head_*.txt) $(cat d_*/tail.txt)\n"
            ),
        },
        data=True,
    ),
    "left_with_a_file": Case(
        CHAIN,
        scripts={
            "a.sh": script(
                "mkdir -p model\necho w > model/w.bin\n"
                "cd model\nfor n in 1 2; do echo l > layer_$n.bin; done\n"
            ),
            "b.sh": script("python3 step.py read $(cat model/w.bin) $(ls model)\n"),
        },
        data=True,
    ),
    "left_two_writers": Case(
        "a=$(sbatch --parsable a.sh)\nb=$(sbatch --parsable b.sh)\n"
        "sbatch -d afterok:$a:$b c.sh\n",
        scripts={
            "a.sh": script("mkdir -p all\ncd all\necho a > a_1.txt\n"),
            "b.sh": script("mkdir -p all\ncd all\necho b > b_1.txt\n"),
            "c.sh": script("python3 step.py read $(cat all/*.txt)\n"),
        },
        data=True,
    ),
}
DATA |= LEFT

CASES = (
    DATA
    | FOLDERS
    | DIRECTORIES
    | ALLOCATIONS
    | FOLLOWING
    | ENDED
    | TEXTS
    | {
        "chain": Case(
            """\
a=$(sbatch --parsable a.sh)
b=$(sbatch --parsable -d afterok:$a b.sh)
sbatch -d afterok:$b c.sh
""",
            "a b c",
            fails=("a", "b"),
        ),
        "diamond": Case(
            """\
a=$(sbatch --parsable a.sh)
b=$(sbatch --parsable -d afterok:$a b.sh)
c=$(sbatch --parsable -d afterok:$a c.sh)
sbatch -d afterok:$b:$c d.sh
""",
            "a b c d",
            fails=("a", "b"),
        ),
        "not_ok": Case(
            """\
a=$(sbatch --parsable a.sh)
sbatch -d afternotok:$a alert.sh
sbatch -d afterany:$a clean.sh
""",
            "a alert clean",
            fails=("a",),
        ),
        "never_behind_never": Case(
            """\
a=$(sbatch --parsable a.sh)
b=$(sbatch --parsable -d afternotok:$a b.sh)
sbatch -d afterany:$b c.sh
sbatch d.sh
""",
            "a b c d",
            fails=("a", "b"),
        ),
        "loop_words": Case(
            "for lr in 0.1 0.2 1e-3; do sbatch a.sh $lr; done\n", "a", fails=("0.2",)
        ),
        "loop_range": Case(
            "for i in {1..4}; do sbatch a.sh $i; done\n", "a", fails=("3",)
        ),
        "loop_padded": Case("for i in {08..10}; do sbatch a.sh $i; done\n", "a"),
        "loop_letters": Case("for i in {a..c}; do sbatch a.sh x$i; done\n", "a"),
        "loop_seq": Case("for i in $(seq 2 2 6); do sbatch a.sh $i; done\n", "a"),
        "loop_seq_fraction": Case(
            "for i in `seq 0.5 0.5 1.5`; do sbatch a.sh $i; done\n", "a"
        ),
        "loop_down": Case("for i in $(seq 3 -1 1); do sbatch a.sh $i; done\n", "a"),
        "loop_nested": Case(
            "for x in 1 2; do\n  for y in u v; do\n    sbatch a.sh $x $y\n  done\ndone\n",
            "a",
            fails=("v",),
        ),
        "loop_inner_depends": Case(
            "for x in 1 2 3; do\n  for y in $(seq $x 3); do sbatch a.sh $x $y; done\ndone\n",
            "a",
        ),
        "loop_c": Case("N=3\nfor ((i=0; i<N; i++)); do sbatch a.sh $i; done\n", "a"),
        "loop_c_step": Case("for ((i=1; i<=7; i+=3)); do sbatch a.sh $i; done\n", "a"),
        "loop_c_down": Case("for ((i=3; i>0; i--)); do sbatch a.sh $i; done\n", "a"),
        "loop_while": Case(
            "i=1\nwhile [ $i -le 3 ]; do\n  sbatch a.sh $i\n  i=$((i+1))\ndone\n", "a"
        ),
        "loop_until": Case(
            "i=0\nuntil [ $i -ge 2 ]; do\n  sbatch a.sh $i\n  ((i++))\ndone\n", "a"
        ),
        "loop_array": Case(
            'names=(one "two words" three)\nfor n in "${names[@]}"; do sbatch a.sh "$n"; done\n',
            "a",
        ),
        "loop_array_indices": Case(
            """\
names=(one two)
sizes=(10 20)
for ((i=0; i<${#names[@]}; i++)); do
  sbatch a.sh ${names[$i]} ${sizes[$i]}
done
""",
            "a",
        ),
        "loop_text": Case(
            'LIST="x y z"\nfor n in $LIST; do sbatch a.sh $n; done\n', "a"
        ),
        "loop_lines": Case(
            "while read -r line; do\n  sbatch a.sh $line\ndone < list.txt\n",
            "a",
            {"list.txt": "one\ntwo\nthree\n"},
        ),
        "loop_cat": Case(
            "for n in $(cat list.txt); do sbatch a.sh $n; done\n",
            "a",
            {"list.txt": "one two\nthree\n"},
        ),
        "loop_glob": Case(
            "for f in data/*.txt; do\n  sbatch a.sh $f $(basename $f .txt) ${f##*/}\ndone\n",
            "a",
            {"data/u.txt": "", "data/v.txt": "", "data/w.csv": ""},
        ),
        "loop_scripts": Case("for s in a b; do sbatch $s.sh; done\n", "a b"),
        "loop_continue": Case(
            """\
for i in 1 2 3; do
  if [ $i -eq 2 ]; then
    continue
  fi
  sbatch a.sh $i
done
""",
            "a",
        ),
        "loop_break": Case(
            """\
for i in 1 2 3; do
  sbatch a.sh $i
  [ $i -eq 2 ] && break
done
""",
            "a",
        ),
        "counter": Case(
            "n=5\nfor x in u v w; do\n  sbatch a.sh $x $n\n  n=$((n * 2))\ndone\n", "a"
        ),
        "gathered_array": Case(
            """\
ids=()
for x in 1 2 3; do
  ids+=($(sbatch --parsable a.sh $x))
done
sbatch --dependency=afterok:$(IFS=:; echo "${ids[*]}") end.sh
""",
            "a end",
            fails=("2",),
        ),
        "gathered_text": Case(
            """\
deps=""
for x in 1 2; do
  id=$(sbatch --parsable a.sh $x)
  deps="$deps:$id"
done
sbatch --dependency=afterany$deps end.sh
""",
            "a end",
            fails=("2",),
        ),
        "gathered_head": Case(
            """\
deps=afterok
for x in 1 2; do
  deps=$deps:$(sbatch --parsable a.sh $x)
done
sbatch -d $deps end.sh
""",
            "a end",
            fails=("1",),
        ),
        "gathered_tail": Case(
            """\
for x in 1 2; do
  id=$(sbatch --parsable a.sh $x)
  deps+="$id:"
done
sbatch -d afterok:${deps%:} end.sh
""",
            "a end",
        ),
        "gathered_types": Case(
            """\
list=
for x in 1 2; do
  id=$(sbatch --parsable a.sh $x)
  list="$list,afterany:$id"
done
sbatch --dependency=${list#,} end.sh
""",
            "a end",
            fails=("1",),
        ),
        "gathered_tr": Case(
            """\
ids=""
for x in 1 2; do
  ids="$ids $(sbatch --parsable a.sh $x)"
done
sbatch --dependency=afterok:$(echo $ids | tr ' ' ':') end.sh
""",
            "a end",
        ),
        "gathered_option": Case(
            """\
a=$(sbatch --parsable a.sh 1)
dep="--dependency=afterok:$a"
sbatch $dep end.sh
""",
            "a end",
            fails=("a",),
        ),
        "loop_chain": Case(
            """\
prev=""
for i in 1 2 3; do
  if [ -z "$prev" ]; then
    prev=$(sbatch --parsable a.sh $i)
  else
    prev=$(sbatch --parsable --dependency=afterok:$prev a.sh $i)
  fi
done
""",
            "a",
            fails=("2",),
        ),
        "loop_chain_any": Case(
            """\
jid=$(sbatch --parsable a.sh 0)
for i in $(seq 1 3); do
  jid=$(sbatch --parsable --dependency=afterany:$jid a.sh $i)
done
""",
            "a",
            fails=("1",),
        ),
        "loop_chain_plus": Case(
            """\
prev=
for i in 1 2 3; do
  prev=$(sbatch --parsable ${prev:+--dependency=afterok:$prev} a.sh $i)
done
""",
            "a",
            fails=("1",),
        ),
        "loop_pairs": Case(
            """\
for x in u v; do
  first=$(sbatch --parsable a.sh $x)
  sbatch --dependency=afterok:$first b.sh $x
done
""",
            "a b",
            fails=("u",),
        ),
        "loop_map": Case(
            """\
for x in 0 1 2; do
  ids[$x]=$(sbatch --parsable a.sh $x)
done
for x in 0 1 2; do
  sbatch --dependency=afterok:${ids[$x]} b.sh $x
done
""",
            "a b",
            fails=("1",),
        ),
        "map_by_name": Case(
            """\
declare -A ids
for x in u v; do
  ids[$x]=$(sbatch --parsable a.sh $x)
done
sbatch -d afterok:${ids[u]} b.sh 1
sbatch -d afterok:${ids[v]} b.sh 2
""",
            "a b",
            fails=("v",),
        ),
        "id_awk": Case(
            "id=$(sbatch a.sh | awk '{print $4}')\nsbatch -d afterok:$id b.sh\n", "a b"
        ),
        "id_cut": Case(
            'id=$(sbatch a.sh | cut -d" " -f4)\nsbatch -d afterok:$id b.sh\n', "a b"
        ),
        "id_suffix": Case(
            "out=$(sbatch a.sh)\nid=${out##* }\nsbatch -d afterok:$id b.sh\n",
            "a b",
            fails=("a",),
        ),
        "id_inline_suffix": Case(
            "out=`sbatch a.sh`\nsbatch -d afterok:${out##* } b.sh\n", "a b"
        ),
        "id_grep": Case(
            "id=$(sbatch a.sh | grep -o '[0-9]*')\nsbatch -d afterok:$id b.sh\n", "a b"
        ),
        "id_echo": Case(
            "out=$(sbatch a.sh)\nid=$(echo $out | sed 's/[^0-9]*//')\nsbatch -d afterok:$id b.sh\n",
            "a b",
        ),
        "id_herestring": Case(
            "out=$(sbatch a.sh)\nid=$(awk '{print $NF}' <<< \"$out\")\nsbatch -d afterok:$id b.sh\n",
            "a b",
        ),
        "id_words": Case(
            "out=($(sbatch a.sh))\nsbatch -d afterok:${out[3]} b.sh\n", "a b"
        ),
        "id_tr": Case(
            "id=$(sbatch a.sh | tr -dc 0-9)\nsbatch -d afterok:$id b.sh\n", "a b"
        ),
        "function_plain": Case(
            'send() { sbatch a.sh "$1"; }\nsend 1\nfor x in 2 3; do send $x; done\n',
            "a",
        ),
        "function_id": Case(
            """\
send() {
  sbatch --parsable "$@"
}
first=$(send a.sh 1)
send -d afterok:$first b.sh
""",
            "a b",
            fails=("a",),
        ),
        "function_locals": Case(
            """\
run_pair() {
  local name=$1
  local id
  id=$(sbatch --parsable a.sh "$name")
  sbatch -d afterok:$id b.sh "$name"
}
run_pair u
run_pair v
""",
            "a b",
            fails=("u",),
        ),
        "if_constant": Case(
            'MODE=fast\nif [ "$MODE" = fast ]; then\n  sbatch a.sh\nelse\n  sbatch b.sh\nfi\n',
            "a b",
        ),
        "if_parameter": Case(
            'MODE=${1:-fast}\nif [ "$MODE" = fast ]; then\n  sbatch a.sh\nelse\n  sbatch b.sh $MODE\nfi\n',
            "a b",
            arguments={"mode": "slow"},
        ),
        "if_file": Case(
            "if [ -f list.txt ]; then sbatch a.sh; fi\nif [[ ! -e other.txt ]]; then sbatch b.sh; fi\n",
            "a b",
            {"list.txt": "x\n"},
        ),
        "if_in_loop": Case(
            """\
for n in 1 2 3 4; do
  if (( n % 2 == 0 )); then
    sbatch a.sh $n
  else
    sbatch b.sh $n
  fi
done
""",
            "a b",
        ),
        "if_sets": Case(
            """\
for n in small large; do
  if [ $n = small ]; then
    size=1
  else
    size=100
  fi
  sbatch a.sh $n $size
done
""",
            "a",
        ),
        "case_constant": Case(
            """\
for n in u v w; do
  case $n in
    u) sbatch a.sh $n ;;
    v|w) sbatch b.sh $n ;;
  esac
done
""",
            "a b",
        ),
        "parameters": Case(
            'if [ $# -lt 1 ]; then\n  echo "usage: $0 NAME"\n  exit 1\nfi\nNAME=$1\nN=${2:-2}\n'
            "for i in $(seq 1 $N); do sbatch a.sh $NAME $i; done\n",
            "a",
            arguments={"name": "x", "n": "3"},
        ),
        "export_list": Case(
            "for lr in 0.1 0.2; do sbatch --export=ALL,LR=$lr a.sh; done\n",
            scripts={"a.sh": script('python3 step.py a "$LR"\n')},
        ),
        "export_variable": Case(
            "export NAME=x\nsbatch a.sh\nexport NAME=y\nsbatch a.sh\n",
            scripts={"a.sh": script('python3 step.py a "$NAME"\n')},
        ),
        "export_prefix": Case(
            "LR=5 sbatch a.sh\n", scripts={"a.sh": script('python3 step.py a "$LR"\n')}
        ),
        "array_then": Case(
            "a=$(sbatch --parsable arr.sh)\nsbatch -d afterok:$a end.sh\n",
            "end",
            {"arr.sh": ARRAY},
            fails=("1",),
        ),
        "array_not_ok": Case(
            """\
a=$(sbatch --parsable arr.sh)
sbatch -d afternotok:$a alert.sh
sbatch -d afterany:$a end.sh
sbatch other.sh
""",
            "end alert other",
            {"arr.sh": ARRAY},
            fails=("1",),
        ),
        "array_command_line": Case(
            "sbatch --array=1-3 arr.sh u\n", scripts={"arr.sh": INDEX}
        ),
        "array_computed": Case(
            "N=$(wc -l < list.txt)\nsbatch --array=1-$N arr.sh u\n",
            scripts={"arr.sh": INDEX, "list.txt": "a\nb\nc\n"},
        ),
        "array_lines_then": Case(
            "A=$(sbatch --parsable arr.sh)\nsbatch --dependency=afterok:$A end.sh\n",
            jobs="end",
            scripts={"arr.sh": LINES, "list.txt": "u\nv\nw"},
            fails=("v",),
        ),
        "array_lines_computed": Case(
            "N=$(wc -l < list.txt)\nsbatch --array=1-$N arr.sh\n",
            scripts={"arr.sh": LINES, "list.txt": "u\nv\nw\n"},
            fails=("w",),
        ),
        "array_lines_beyond": Case(
            "sbatch --array=2-4 arr.sh\n",
            scripts={"arr.sh": LINES, "list.txt": "u\nv\nw\n"},
        ),
        "array_items_then": Case(
            "A=$(sbatch --parsable --array=0-3%2 arr.sh)\nsbatch -d afterany:$A end.sh\n",
            jobs="end",
            scripts={"arr.sh": ITEMS},
            fails=("y",),
        ),
        "array_items_computed": Case(
            "N=3\nsbatch --array=0-$((N - 1)) arr.sh u\nsbatch --array=1-$N arr.sh v\n",
            scripts={"arr.sh": ITEMS},
        ),
        "array_in_loop": Case(
            """\
for x in u v; do
  id=$(sbatch --parsable --array=0-1 arr.sh $x)
  sbatch -d afterok:$id end.sh $x
done
""",
            "end",
            {"arr.sh": INDEX},
            fails=("u",),
        ),
        "wrap": Case(
            "a=$(sbatch --parsable --wrap 'python3 step.py w 1')\n"
            'sbatch -d afterok:$a --wrap="python3 step.py w 2"\n',
            fails=("1",),
        ),
        "wrap_loop": Case(
            'for x in u v; do sbatch --wrap="python3 step.py w $x"; done\n'
        ),
        "heredoc": Case(
            "sbatch <<EOF\n#!/bin/bash\n#SBATCH -J doc\npython3 step.py doc 1\nEOF\n"
        ),
        "heredoc_loop": Case(
            """\
for x in u v; do
  sbatch <<EOF
#!/bin/bash
#SBATCH --job-name=run_$x
name=$x
python3 step.py doc \\$name $x
EOF
done
""",
            fails=("u",),
        ),
        "heredoc_quoted": Case(
            "X=outer sbatch <<'EOF'\n#!/bin/bash\nX=inner\npython3 step.py doc $X\nEOF\n"
        ),
        "file_cat": Case(
            """\
for x in u v; do
  cat > job_$x.sh <<EOF
#!/bin/bash
#SBATCH --job-name=job_$x
python3 step.py file $x
EOF
  sbatch job_$x.sh
done
"""
        ),
        "file_echo": Case(
            """\
for x in u v; do
  echo "#!/bin/bash" > job.sh
  echo "#SBATCH --time=5" >> job.sh
  echo "python3 step.py file $x" >> job.sh
  sbatch job.sh
  rm job.sh
done
"""
        ),
        "file_directive": Case(
            """\
for n in 1 2; do
  cat > job.sh <<EOF
#!/bin/bash
#SBATCH --cpus-per-task=$n
python3 step.py file $n
EOF
  sbatch job.sh
done
"""
        ),
        "echo_pipe": Case("printf '#!/bin/bash\\npython3 step.py pipe\\n' | sbatch\n"),
        "options_in_loop": Case("for n in 1 2; do sbatch -c $n a.sh $n; done\n", "a"),
        "options_text": Case('OPTS="-c 1 --time=5"\nsbatch $OPTS a.sh 1\n', "a"),
        "wait": Case("sbatch --wait a.sh\nsbatch b.sh\n", "a b", fails=("a",)),
        "prints": Case(
            'set -e\necho "submitting $(date)"\nid=$(sbatch --parsable a.sh)\n'
            'echo "job $id"\nsqueue -j $id || true\nsleep 0\nsbatch -d afterok:$id b.sh\nexit 0\n',
            "a b",
        ),
        "or_exit": Case(
            'a=$(sbatch --parsable a.sh) || { echo "failed"; exit 1; }\nsbatch -d afterok:$a b.sh\n',
            "a b",
        ),
        "program_between": Case(
            """\
N=2
python3 step.py before $N
a=$(sbatch --parsable a.sh)
python3 step.py middle
sbatch -d afterok:$a b.sh
""",
            "a b",
        ),
        "let": Case('n="4"\nlet m="$n"\nlet m+=1\nsbatch a.sh $m\n', "a"),
        "status_check": Case(
            "a=$(sbatch --parsable a.sh)\nif [ $? -ne 0 ]; then\n  echo no\n  exit 1\nfi\n"
            "sbatch -d afterok:$a b.sh\n",
            "a b",
        ),
        "mixed_order": Case(
            """\
a=$(sbatch --parsable a.sh)
b=$(sbatch --parsable b.sh)
c=$(sbatch --parsable -d afterok:$a c.sh)
sbatch -d afterok:$b,afternotok:$c d.sh
sbatch -d afterany:$a:$b e.sh
""",
            "a b c d e",
            fails=("a", "b", "c"),
        ),
        # Drivers that run as they were, in a task that notes what they submit.
        "plan_pipeline": Case(
            """\
for f in $(ls in_* | grep -v 2 | sort -r); do
  sbatch a.sh "$f"
done
""",
            "a",
            scripts={f"in_{n}.txt": "x\n" for n in (1, 2, 3)},
        ),
        "plan_chain": Case(
            """\
n=0
until [ "$(wc -l < list.txt)" -le "$n" ]; do
  n=$((n + 1))
  id=$(sbatch --parsable ${id:+-d afterok:$id} a.sh "$n")
done
sbatch -d afternotok:$id b.sh
""",
            "a b",
            scripts={"list.txt": "x\ny\nz\n"},
            fails=("1", "3"),
        ),
        "plan_heredoc": Case(
            """\
for f in $(ls -r in_*); do
  id=$(sbatch <<EOF | awk '{print $4}'
#!/bin/bash
#SBATCH --job-name=$(basename $f .txt)
#SBATCH --output=/dev/null
words="$(cat $f)"
python3 step.py here "\\$words" ${f%.txt} \\$((1 + 1))
EOF
)
  sbatch -d afterany:$id a.sh "$f"
done
""",
            "a",
            scripts={"in_1.txt": "one two\n", "in_2.txt": "three\n"},
            fails=("in_1",),
        ),
        "plan_written": Case(
            """\
mkdir -p jobs
for f in $(ls in_*); do
  job="jobs/$(basename "$f" .txt).sh"
  cat > "$job" <<EOF
#!/bin/bash
#SBATCH --job-name=x
python3 step.py written $(head -n 1 $f)
EOF
  chmod +x $job
  sbatch "$job"
  echo "#!/bin/bash" > echo.sh
  echo "#SBATCH --time=$(wc -l < $f)" >> echo.sh
  echo "python3 step.py echoed $f" >> echo.sh
  sbatch echo.sh
done
""",
            scripts={"in_1.txt": "one\n", "in_2.txt": "two\nmore\n"},
        ),
        "plan_wrap": Case(
            """\
for f in $(ls in_*); do
  sbatch --wrap="python3 step.py wrapped $f $(cat $f)" --job-name "$f"
done
""",
            scripts={"in_1.txt": "one\n", "in_2.txt": "two\n"},
        ),
        "plan_export": Case(
            """\
export A=$(cat in_1.txt)
B=$(hostname | wc -l) sbatch x.sh
sbatch --export=ALL,B=$(cat in_2.txt) x.sh
""",
            scripts={
                "in_1.txt": "one\n",
                "in_2.txt": "two\n",
                "x.sh": script('python3 step.py x "$A" "$B"\n'),
            },
        ),
        "plan_or": Case(
            """\
a=$(sbatch --parsable a.sh $(echo 1 | rev))
b=$(sbatch --parsable a.sh 2)
sbatch -d "afterok:$a?afterok:$b" b.sh
sbatch -d "afterok:$a,afternotok:$b" c.sh
sbatch -d "after:$a" d.sh
""",
            "a b c d",
            fails=("1", "2"),
        ),
        "plan_singleton": Case(
            """\
for i in $(seq 3 | sort -r); do
  sbatch -J same -d singleton a.sh "$i"
done
""",
            "a",
            fails=("2",),
        ),
        "plan_array": Case(
            """\
id=$(sbatch --parsable --array=1-$(cat in_* | wc -l) i.sh u)
sbatch -d afterok:$id a.sh
""",
            "a",
            scripts={"in_1.txt": "a\nb\n", "in_2.txt": "c\n", "i.sh": INDEX},
            fails=("2",),
        ),
        "plan_arguments": Case(
            """\
if [ $# -lt 1 ]; then
  set -- $(cat in_1.txt)
fi
while [ $# -gt 0 ]; do
  sbatch a.sh "$1"
  shift
done
""",
            "a",
            scripts={"in_1.txt": "one two\n"},
        ),
        "plan_given": Case(
            """\
while [ $# -gt 0 ]; do
  sbatch a.sh "$1" $#
  shift
done
""",
            "a",
            arguments={"arguments": ["x y", "z"]},
        ),
        "plan_ends": Case(
            """\
set -e
sbatch a.sh $(cat in_1.txt)
grep -q nothing in_1.txt
sbatch b.sh
""",
            "a b",
            scripts={"in_1.txt": "one\n"},
        ),
        "plan_directives": Case(
            """\
account=""
if ls | sort -r | grep -q step.py; then account="#SBATCH -A none"; fi
load="module load tools"
a=$(sbatch --parsable a.sh)
wait_a="#SBATCH -d afternotok:$a"
for n in $(ls *.sh | grep '^a' | wc -l); do
  jid=$(sbatch <<- EOF | grep -o -E '[0-9]+$'
	#!/bin/bash -l
	$account
	#SBATCH -J second
	#SBATCH --dependency=afterok:$a
	#SBATCH --array=0-$n%1
	$load
	python3 step.py second "\\$SLURM_ARRAY_TASK_ID" $n
EOF
)
  cat > third.sh <<EOF
#!/bin/bash
#SBATCH -d afterany:$jid -c $n
python3 step.py third
EOF
  sbatch third.sh
  sbatch <<EOF
#!/bin/bash
$wait_a
#SBATCH -c 1
python3 step.py fourth
EOF
done
""",
            "a",
            fails=("a", "second"),
        ),
        "plan_change": Case(
            """\
last=$(sbatch --parsable -H last.sh)
for f in $(ls a.sh b.sh | sort -r); do id=$(sbatch --parsable a.sh "${f%.sh}"); done
echo "see squeue -j $id"
scontrol update JobID=$last dependency=afterok:$id
scontrol release $last
""",
            "a b last",
            fails=("a", "b"),
        ),
        "plan_behind": Case(
            """\
for f in $(ls a.sh b.sh | sort -r); do nohup sbatch a.sh "$f"; done
command sbatch c.sh 2
env WORD=3 sbatch d.sh
exec sbatch e.sh
""",
            "a b c e",
            scripts={"d.sh": script('python3 step.py d "$WORD"\n')},
            fails=("c",),
        ),
        "behind_command": Case(
            "sbatch a.sh\ncommand sbatch b.sh\n", "a b", fails=("b",)
        ),
        "poll": Case(
            """\
a=$(sbatch --parsable a.sh)
while squeue -h -j $a 2>/dev/null | grep -q "$a"; do sleep 1; done
sbatch b.sh
sbatch c.sh
""",
            "a b c",
            fails=("a",),
            order=(("a", "b"), ("a", "c")),
        ),
        "poll_several": Case(
            """\
ids=""
for i in 1 2; do id=$(sbatch --parsable a.sh $i); ids="$ids,$id"; done
until [ -z "$(squeue -h -j ${ids#,} 2>/dev/null)" ]; do
  echo waiting
  sleep 1
done
sbatch b.sh
""",
            "a b",
            fails=("2",),
            order=(("a 1", "b"), ("a 2", "b")),
        ),
        "poll_in_loop": Case(
            """\
for i in 1 2 3; do
  id=$(sbatch --parsable a.sh $i)
  while [ -n "$(squeue -h -j $id)" ]; do sleep 1; done
done
sbatch b.sh
""",
            "a b",
            fails=("2",),
            order=(("a 1", "a 2"), ("a 2", "a 3"), ("a 3", "b")),
        ),
        "no_arguments": Case(
            """\
a=$(sbatch --parsable a.sh)
sbatch -d afterok:$a b.sh x
""",
            scripts={
                "a.sh": script(
                    'WORD=$1\npython3 step.py a $1 "$2" $WORD "${3:-three}" "<$1>"\n'
                ),
                "b.sh": script('python3 step.py b "$1" $2 "$WORD"\n').replace(
                    ' "$WORD"', ""
                ),
            },
            fails=("a",),
        ),
        "no_arguments_kept": Case(
            "sbatch a.sh\n",
            scripts={
                "a.sh": script(
                    'eval "x=1"\nif [[ -n $1 ]]; then python3 step.py given $1; fi\n'
                    'python3 step.py a $1 "$#"\n'
                )
            },
        ),
        "no_arguments_nounset": Case(
            "sbatch a.sh\n",
            scripts={"a.sh": script('set -u\npython3 step.py a "${1:-none}"\n')},
        ),
        "plan_functions": Case(
            """\
run() {
  local wait=$1 name=$2
  shift 2
  sbatch --parsable $wait --job-name="$name" a.sh "$name" "$@"
}
files=$(ls in_*)
first=$(run "" one $files)
second=$(run "-d afterany:$first" two $files | tail -n 1)
run "--dependency=afterok:$first:$second" three
""",
            "a",
            scripts={"in_1.txt": "one\n", "in_2.txt": "two\n"},
            fails=("one", "two"),
        ),
        # One task, overridden where the command line asks for more.
        "override_chain": Case(
            """\
a=$(sbatch --parsable a.sh 1)
b=$(sbatch --parsable -d afterok:$a --mem=200M -t 5 a.sh 2)
sbatch -d afterok:$b --mem=300M --cpus-per-task=1 a.sh 3
""",
            "a",
            fails=("1", "2"),
        ),
        "override_graph": Case(
            """\
a=$(sbatch --parsable --mem=200M a.sh 1)
b=$(sbatch --parsable -d afternotok:$a --mem=300M a.sh 2)
sbatch -d afterany:$a:$b a.sh 3
sbatch --time=7 a.sh 4
""",
            "a",
            fails=("1", "4"),
        ),
        "override_loops": Case(
            """\
ids=
for i in 1 2; do ids=$ids:$(sbatch --parsable --mem=200M a.sh small $i); done
for i in 3 4; do sbatch -d afterok$ids --mem=300M a.sh large $i; done
""",
            "a",
            fails=("2",),
        ),
        "override_in_plan": Case(
            """\
for f in $(ls in_* | grep -v old); do
  case $f in
    *_2.txt) sbatch --mem=300M --time=6 a.sh "$f" ;;
    *) sbatch a.sh "$f" ;;
  esac
done
""",
            "a",
            scripts={"in_1.txt": "", "in_2.txt": "", "in_old.txt": ""},
            fails=("in_2.txt",),
        ),
        # Job scripts that are written piece by piece, where the driver runs as it was.
        "pieces_apart": Case(
            """\
for f in $(ls in_* | grep -v old); do
  script=job_${f%.txt}.sh
  echo "#!/bin/bash" > $script
  echo "#SBATCH --job-name=${f%.txt}" >> $script
  part=${f#in_}
  # The command.
  echo "python3 step.py $f $part \\$1" >> $script
  chmod +x $script
  [ "$part" = 1.txt ] && more=first || more=other
  echo "python3 step.py $more" >> "$script"
  sbatch $script given
done
""",
            scripts={"in_1.txt": "", "in_2.txt": "", "in_old.txt": ""},
            fails=("first",),
        ),
        "pieces_by_tee": Case(
            """\
for f in $(ls in_* | sort -r); do
  [ -f run_$f.sh ] && rm run_$f.sh
  touch run_$f.sh
  tee -a run_$f.sh <<EOF
#!/bin/bash
#SBATCH --time=5
python3 step.py $f "\\$1"
EOF
  sbatch run_$f.sh with
done
""",
            scripts={"in_1.txt": "", "in_2.txt": ""},
            fails=("in_1.txt",),
        ),
        "pieces_in_a_loop": Case(
            """\
echo "#!/bin/bash" > all.sh
for word in one two; do
  echo "python3 step.py $word" >> all.sh
done
echo "python3 step.py last" >> all.sh
sbatch all.sh
""",
            fails=("last",),
        ),
        "pieces_that_may_be": Case(
            """\
for f in $(ls in_*); do
  echo "#!/bin/bash" > job_$f.sh
  echo "#SBATCH --time=5" >> job_$f.sh
  if [ "$f" = in_1.txt ]; then
    echo "# only for the first" >> job_$f.sh
    echo "python3 step.py before $f" >> job_$f.sh
  else
    echo "python3 step.py instead $f" >> job_$f.sh
  fi
  [ "$f" = in_2.txt ] && echo "python3 step.py between $f" >> job_$f.sh
  echo "python3 step.py $f" >> job_$f.sh
  sbatch job_$f.sh
done
""",
            scripts={"in_1.txt": "", "in_2.txt": "", "in_3.txt": ""},
            fails=("in_3.txt",),
        ),
        # Jobs that submit jobs.
        "job_next": Case(
            """\
#SBATCH --time=10
python3 step.py first "$1" || exit 1
for i in $(seq 2); do
  id=$(sbatch --parsable -d afterok:$SLURM_JOB_ID ${id:+,afterok:$id} a.sh "$i")
done
sbatch --dependency=afternotok:$SLURM_JOB_ID b.sh
""".replace(" ${id:+,", "${id:+,"),
            "a b",
            fails=("first", "1"),
            arguments={"arguments": ["x"]},
            job=True,
        ),
        "job_fails": Case(
            """\
#SBATCH --time=10
sbatch -d afternotok:$SLURM_JOB_ID a.sh again
sbatch -d afterany:$SLURM_JOB_ID a.sh ever
sbatch -d afterok:$SLURM_JOB_ID a.sh well
python3 step.py first
""",
            "a",
            fails=("first",),
            job=True,
        ),
        "job_itself": Case(
            """\
#SBATCH --time=10
n=${1:-1}
python3 step.py round "$n" || exit 3
if [ "$n" -lt 3 ]; then
  sbatch submit.sh $((n + 1))
else
  sbatch -d singleton a.sh done
fi
""",
            "a",
            fails=("2",),
            job=True,
        ),
        "job_itself_by_path": Case(
            """\
#SBATCH --time=10
#SBATCH --job-name=again
STEP=1
python3 step.py round "${1:-1}"
[ "${1:-1}" -ge 3 ] || sbatch --dependency=afterok:$SLURM_JOB_ID $0 $((${1:-1} + STEP))
""",
            fails=("2",),
            job=True,
        ),
        "job_from_input": Case(
            """\
#SBATCH --time=10
python3 step.py first
sbatch < a.sh
""",
            "a",
            job=True,
        ),
        "text_reads_its_name": Case(
            """\
for x in left right; do
  cat > job.sh <<EOF
#!/bin/bash
#SBATCH --job-name=$x
#SBATCH -J run_$x --time=10
python3 step.py "\\$SLURM_JOB_NAME"
EOF
  sbatch job.sh
done
""",
            fails=("run_right",),
        ),
        "text_name_and_memory": Case(
            """\
for x in 20 30; do
  cat > job.sh <<EOF
#!/bin/bash
#SBATCH -J memory --mem=${x}M
python3 step.py $x
EOF
  sbatch job.sh
done
""",
        ),
        "text_for_python": Case(
            """\
for x in 1 "two words" 'a"b'; do
  cat > job.py <<EOF
#!/usr/bin/env python3
#SBATCH --time=10
# of $x
import subprocess, sys
end = "\\\\n"
note = '''
#SBATCH --comment=$x
'''
sys.exit(subprocess.call(["python3", "step.py", 'py', '''$x''', "\\$HOME" + end[:0], note.strip(), *sys.argv[1:]]))
EOF
  sbatch job.py more
done
""",
            fails=("two words",),
        ),
        "text_for_perl": Case(
            """\
sbatch <<'EOF'
#!/usr/bin/perl -w
#SBATCH --time=10
my $word = 'it\\'s';
exit(system("python3", "step.py", "pl", $word, "\\$x", scalar(@ARGV)) >> 8);
EOF
""",
            fails=("pl",),
        ),
        # What a job inherits, though only its program looks.
        "env_prefix": Case(
            "LR=1 MODEL=x sbatch e.sh\nsbatch e.sh\n", scripts=ENVIRONMENT
        ),
        "env_loop": Case(
            "for m in u v; do sbatch --export=ALL,MODEL=$m e.sh; done\n",
            scripts=ENVIRONMENT,
        ),
        "env_export": Case(
            "export LR=0.1\nsbatch e.sh 1\nexport MODEL=m LR=2\nsbatch --mem=100M e.sh 2\n",
            scripts=ENVIRONMENT,
        ),
        "env_all": Case(
            """\
set -a
LR=7
set +a
MODEL=hidden
sbatch e.sh 1
LR=8
sbatch e.sh 2
export -n LR
sbatch e.sh 3
set -o allexport
MODEL=seen
set +o allexport
sbatch e.sh 4
""",
            scripts=ENVIRONMENT,
        ),
        "env_hidden": Case(
            """\
declare -x LR=1 MODEL=m
sbatch e.sh 1
typeset +x LR
sbatch e.sh 2
unset MODEL
sbatch e.sh 3
export LR
MODEL=again
sbatch e.sh 4
""",
            scripts=ENVIRONMENT,
        ),
        "env_body": Case(
            """\
export LR=1
sbatch e.sh 1
unset LR
sbatch e.sh 2
LR=3 sbatch e.sh 3
""",
            scripts={
                "e.sh": script('echo "$LR"\npython3 step.py "$1" "${LR:-none}"\n')
            },
        ),
        "env_subshell": Case(
            "export LR=1\n(export LR=2 MODEL=x; sbatch e.sh 1)\nsbatch e.sh 2\n",
            scripts=ENVIRONMENT,
        ),
        "env_written": Case(
            "export LR=1 MODEL=a\nsbatch e.sh 1\n",
            scripts={
                "e.sh": script("MODEL=b\nLR=${LR:-5}\npython3 env.py $1\n"),
                "env.py": ENV,
            },
        ),
        "env_array": Case(
            "for m in u v; do MODEL=$m sbatch e.sh $m; done\n",
            scripts={
                "e.sh": script(
                    "#SBATCH --array=0-1\npython3 env.py $1 $SLURM_ARRAY_TASK_ID\n"
                ),
                "env.py": ENV,
            },
        ),
        "env_plan": Case(
            """\
for f in $(ls in_* | sort -r); do
  MODEL=$f sbatch e.sh "$f"
done
export LR=$(cat in_1.txt)
sbatch e.sh last
""",
            scripts={**ENVIRONMENT, "in_1.txt": "one\n", "in_2.txt": ""},
        ),
        "array_throttle_computed": Case(
            "sbatch --array=1-$(cat list.txt | wc -l)%2 arr.sh u\n",
            scripts={"arr.sh": INDEX, "list.txt": "a\nb\nc\n"},
        ),
        "glob_of_nothing": Case("for f in *.none; do sbatch a.sh $f; done\n", "a"),
        "glob_null": Case(
            "shopt -s nullglob\nfor f in *.none *.txt; do sbatch a.sh $f; done\n",
            "a",
            {"x.txt": ""},
        ),
        "glob_ls": Case(
            "for f in $(ls *.none 2>/dev/null); do sbatch a.sh $f; done\nsbatch a.sh z\n",
            "a",
        ),
        "pieces_by_tee_in_a_line": Case(
            """\
echo '#!/bin/bash' | tee job.sh
echo "python3 step.py one" | tee -a job.sh > /dev/null
cat >> ./job.sh <<'E'
python3 step.py "$1"
E
echo "python3 step.py last" >> $PWD/job.sh
sbatch $PWD/job.sh two
""",
            fails=("last",),
        ),
        # Elements of arrays, one by one.
        "element_corr": Case(
            """\
a=$(sbatch --parsable arr.sh)
b=$(sbatch --parsable -d aftercorr:$a --array=0-2 after.sh)
sbatch -d afterany:$b end.sh
""",
            "end",
            {"arr.sh": ARRAY, "after.sh": AFTER},
            fails=("1",),
            order=tuple((f"arr {i}", f"after {i}") for i in range(3)),
        ),
        "element_corr_chain": Case(
            """\
a=$(sbatch --parsable --array=0-2 arr.sh x)
b=$(sbatch --parsable --dependency=aftercorr:$a --array=0-2 after.sh y)
sbatch --dependency=aftercorr:$b --array=0-2 third.sh z
sbatch --dependency=afterok:$a end.sh
""",
            "end",
            {
                "arr.sh": INDEX,
                "after.sh": AFTER,
                "third.sh": AFTER.replace("after", "third"),
            },
            fails=("1", "y"),
            order=tuple(
                (f"{a} {i} {x}", f"{b} {i} {y}")
                for a, x, b, y in (
                    ("arr", "x", "after", "y"),
                    ("after", "y", "third", "z"),
                )
                for i in range(3)
            ),
        ),
        "element_corr_items": Case(
            """\
a=$(sbatch --parsable arr.sh)
sbatch --dependency=aftercorr:$a --array=1-3 after.sh
""",
            "end",
            {"arr.sh": LINES, "after.sh": AFTER, "list.txt": "u\nv\nw\n"},
            fails=("v",),
            order=(
                ("arr 1 u", "after 1"),
                ("arr 2 v", "after 2"),
                ("arr 3 w", "after 3"),
            ),
        ),
        "element_corr_others": Case(
            """\
a=$(sbatch --parsable arr.sh)
sbatch --dependency=aftercorr:$a --array=0-2%1 after.sh
""",
            scripts={"arr.sh": ARRAY, "after.sh": AFTER},
            order=tuple((f"arr {i}", f"after {i}") for i in range(3)),
        ),
        "file_of_pieces": Case(
            """\
cat > head.txt <<EOF
#!/bin/bash
#SBATCH --time=5
#SBATCH --job-name=made
EOF
NAME=whole
cat > body.txt <<EOF
python3 step.py $NAME
EOF
cat head.txt body.txt > job.sh
id=$(sbatch --parsable job.sh)
NAME=other
{ cat head.txt; echo "python3 step.py $NAME"; } > next.sh
sbatch -d afterok:$id next.sh
""",
            fails=("whole",),
        ),
        "file_of_pieces_in_loop": Case(
            """\
echo '#!/bin/bash' > head.txt
echo '#SBATCH --time=5' >> head.txt
for n in 1 2; do
  echo "python3 step.py made $n" > body.txt
  cat head.txt body.txt > job_$n.sh
  sbatch job_$n.sh
done
""",
        ),
        "name_reference": Case(
            """\
run() { declare -n out=$1; out=$(sbatch --parsable "$2"); }
run first a.sh
sbatch -d afterok:$first b.sh
""",
            "a b",
            fails=("a",),
        ),
        "messages_name_slurm": Case(
            """\
for x in $(ls in_*); do
  id=$(sbatch --parsable a.sh "$x")
  echo watch it with: sacct -j $id, or squeue -j $id
done
""",
            "a",
            scripts={"in_1.txt": "", "in_2.txt": ""},
        ),
        "step_then_graph": Case(
            """\
python3 step.py made > list.txt
for size in small large; do
  id=$(sbatch --parsable a.sh $size)
  sbatch -d afterany:$id b.sh $size
done
""",
            "a b",
            fails=("made", "small"),
            order=(("made", "a small"), ("made", "a large")),
        ),
        "step_then_chain": Case(
            """\
set -e
python3 step.py made
id=$(sbatch --parsable a.sh)
sbatch -d afterok:$id b.sh
""",
            "a b",
            fails=("made", "a"),
            order=(("made", "a"),),
        ),
        "plan_wait": Case(
            """\
for f in $(ls in_* | sort -r); do
  sbatch --wait a.sh "$f"
  echo "next"
done
sbatch b.sh
""",
            "a b",
            scripts={"in_1.txt": "", "in_2.txt": ""},
            fails=("in_2.txt",),
            order=(("a in_2.txt", "a in_1.txt"), ("a in_1.txt", "b")),
        ),
        "plan_wait_strict": Case(
            """\
set -e
for f in $(ls in_* | sort); do
  id=$(sbatch -W --parsable a.sh "$f")
  sbatch -d "afterok:$id?afterany:$id" b.sh "$f"
done
""",
            "a b",
            scripts={"in_1.txt": "", "in_2.txt": ""},
            fails=("in_1.txt",),
            order=(("a in_1.txt", "a in_2.txt"),),
        ),
        "element_one": Case(
            """\
a=$(sbatch --parsable arr.sh)
sbatch -d afterok:${a}_2 end.sh
sbatch -d afternotok:${a}_1 alert.sh
""",
            "end alert",
            {"arr.sh": ARRAY},
            fails=("1", "2"),
            order=(("arr 2", "end"),),
        ),
        "element_loop": Case(
            """\
a=$(sbatch --parsable --array=1-3 arr.sh u)
for i in 1 2 3; do
  sbatch -d afterok:${a}_$i end.sh $i
done
""",
            "end",
            {"arr.sh": INDEX},
            fails=("u",),
            order=tuple((f"arr {i} u", f"end {i}") for i in (1, 2, 3)),
        ),
        "element_constant": Case(
            """\
a=$(sbatch --parsable --array=0-2 same.sh)
sbatch -d afterany:${a}_0 end.sh
sbatch -d afterok:$a alert.sh
""",
            "end alert",
            {"same.sh": script("python3 step.py same\n")},
            fails=("same",),
        ),
        # What a driver does besides sbatch.
        "wait_short": Case("sbatch -W a.sh\nsbatch b.sh\n", "a b", fails=("a",)),
        "wait_in_background": Case(
            "sbatch -W a.sh 1 &\nsbatch -W a.sh 2 &\nwait\nsbatch b.sh\n",
            "a b",
            fails=("2",),
        ),
        "wait_strict": Case(
            "set -e\nsbatch -W a.sh\nsbatch b.sh\n", "a b", fails=("a",)
        ),
        "restarts": Case(
            """\
id=$(sbatch --parsable a.sh 1)
for i in $(seq 2 4); do
  id=$(sbatch --parsable --dependency=afterany:$id a.sh $i)
done
sbatch --dependency=afterok:$id b.sh
""",
            "a b",
            fails=("2", "4"),
        ),
        "begin_now": Case(
            "sbatch --begin=now a.sh\nsbatch -b now b.sh\n",
            scripts={
                "a.sh": script("#SBATCH --begin=now\npython3 step.py a\n"),
                "b.sh": script("python3 step.py b\n"),
            },
        ),
        # Scripts that a driver which runs as it was names elsewhere.
        "plan_with_a_submit_of_its_own": Case(
            """\
submit() { echo "submitting $1" >&2; sbatch --parsable "$@"; }
for f in $(ls in_* | sort -r); do
  id=$(submit a.sh "$f")
  nohup sbatch -d afterok:$id b.sh "$f"
done
""",
            "a b",
            scripts={"in_1.txt": "", "in_2.txt": ""},
            fails=("in_1.txt",),
        ),
        "plan_named_by_arguments": Case(
            """\
run() { local n=$1; shift; sbatch --parsable -J "$n" "$@"; }
first=$(run one a.sh 1)
for f in $(ls in_* | sort -r); do
  run "$f" -d afterok:$first b.sh "$f"
done
""",
            "a b",
            scripts={"in_1.txt": "", "in_2.txt": ""},
            fails=("a", "in_1.txt"),
        ),
        "plan_named_by_a_variable": Case(
            """\
for f in $(ls in_* | grep -v old); do
  case $f in
    *_1.txt) script=a.sh ;;
    *) script=b.sh ;;
  esac
  sbatch $script "$f"
done
""",
            "a b",
            scripts={"in_1.txt": "", "in_2.txt": "", "in_old.txt": ""},
            fails=("b",),
        ),
        "plan_goes_below": Case(
            """\
n=$(ls list_* | wc -l)
mkdir -p sub
cd sub
for i in $(seq "$n"); do sbatch -D .. ../a.sh "$i"; done
""",
            "a",
            scripts={"list_1": "", "list_2": ""},
            fails=("2",),
        ),
        "plan_in_directories": Case(
            """\
D=$(dirname "$0")
for f in $(ls in_* | sort -r); do
  sbatch "$D/a.sh" "$f"
  sbatch ./jobs/b.sh "$f"
done
""",
            "a",
            scripts={
                "in_1.txt": "",
                "in_2.txt": "",
                "jobs/b.sh": script('python3 step.py b "$@"\n'),
            },
            fails=("b",),
        ),
        "scripts_in_directories": Case(
            """\
id=$(sbatch --parsable jobs/b.sh 1)
sbatch -d afterok:$id jobs/../a.sh 2
""",
            "a",
            scripts={"jobs/b.sh": script('python3 step.py b "$@"\n')},
            fails=("b",),
        ),
        "element_corr_and_end": Case(
            """\
a=$(sbatch --parsable arr.sh)
b=$(sbatch --parsable -d aftercorr:$a --array=0-2 after.sh)
sbatch -d afterok:${a}_0 end.sh
sbatch -d afternotok:$b alert.sh
""",
            "end alert",
            {"arr.sh": ARRAY, "after.sh": AFTER},
            fails=("arr", "after"),
        ),
        "srun_strict": Case(
            "set -e\nsrun -n1 --mem=100M python3 step.py direct\nsbatch b.sh\n",
            "b",
            fails=("direct",),
        ),
        "sentinel": Case(
            """\
rm -f done.flag
sbatch a.sh
while [ ! -f done.flag ]; do sleep 1; done
sbatch b.sh
""",
            "b",
            scripts={"a.sh": script("python3 step.py a\ntouch done.flag\n")},
            order=(("a", "b"),),
        ),
        "begin_later": Case(
            "a=$(sbatch --parsable --begin=now+1 a.sh)\nsbatch -d afterok:$a b.sh\n",
            "a b",
            fails=("a",),
        ),
        "kill_on_invalid_end": Case(
            """\
a=$(sbatch --parsable a.sh)
b=$(sbatch --parsable --kill-on-invalid-dep=yes -d afterok:$a b.sh)
sbatch -d afterok:$b c.sh
sbatch d.sh
""",
            "a b c d",
            fails=("a", "b"),
        ),
        "exported_for_the_program": Case(
            "export LR=0.1\nX=1 MODEL=m sbatch e.sh 1\nset -a\nMODEL=n\nset +a\nsbatch e.sh 2\n",
            scripts=ENVIRONMENT,
        ),
        "array_each_turn_collected": Case(
            "for x in u v; do\n  id=$(sbatch --parsable --array=0-1 a.sh $x)\n"
            "  sbatch -d afterok:$id b.sh $x\ndone\n",
            scripts={
                "a.sh": script(
                    "mkdir -p $1\ncd $1\n"
                    'echo "$1$SLURM_ARRAY_TASK_ID" > part_$SLURM_ARRAY_TASK_ID\n'
                ),
                "b.sh": script("python3 step.py read $(cat $1/part_*)\n"),
            },
        ),
        "kill_on_invalid": Case(
            """\
a=$(sbatch --parsable a.sh)
b=$(sbatch --parsable --kill-on-invalid-dep=yes -d afternotok:$a b.sh)
sbatch -d afterany:$b c.sh
""",
            "a b c",
        ),
    }
)
CASES |= RESTARTS


def dag(seed: int) -> Case:
    """Up to twelve jobs with dependencies of every kind; some of the jobs fail."""
    chance = random.Random(seed)
    lines = []
    for number in range(1, chance.randint(5, 12) + 1):
        name = chance.choice(["red", "green"])
        script = chance.choice(["a.sh", "a.sh", "f.sh"])
        before = chance.sample(range(1, number), min(number - 1, chance.randint(0, 3)))
        kinds = ["afterok", "afterany", "afternotok", "after", "afterok"]
        parts = [f"{chance.choice(kinds)}:$j{each}" for each in sorted(before)]
        if chance.random() < 0.15:
            parts.append("singleton")
        dependency = chance.choice(",,?").join(parts)
        words = f'-d "{dependency}" ' if parts else ""
        lines.append(
            f"j{number}=$(sbatch --parsable -J {name} {words}{script} {number})"
        )
    return Case(
        "\n".join(lines) + "\n",
        "a",
        scripts={"f.sh": script_that_fails()},
    )


def script_that_fails() -> str:
    return script('python3 step.py f "$@"\nexit 3\n')


def array_dag(seed: int) -> Case:
    """Jobs and arrays that wait for arrays, element by element, and for single elements."""
    chance = random.Random(1000 + seed)
    lines = []
    arrays: dict[int, bool] = {}
    for number in range(1, chance.randint(4, 8) + 1):
        arrays[number] = array = chance.random() < 0.5
        file = chance.choice(["a.sh", "a.sh", "f.sh"])
        if array:
            file = chance.choice(["arr.sh", "arr.sh", "one.sh"])
        before = chance.sample(range(1, number), min(number - 1, chance.randint(0, 2)))
        parts = []
        for each in sorted(before):
            kinds = ["afterok", "afterany", "afternotok", "afterok"]
            if arrays[each] and array and chance.random() < 0.6:
                parts.append(f"aftercorr:$j{each}")
            elif arrays[each] and not array and chance.random() < 0.5:
                parts.append(
                    f"{chance.choice(kinds)}:${{j{each}}}_{chance.randint(0, 2)}"
                )
            else:
                parts.append(f"{chance.choice(kinds)}:$j{each}")
        words = f'-d "{",".join(parts)}" ' if parts else ""
        if parts and chance.random() < 0.25:
            words = "--kill-on-invalid-dep=yes " + words
        lines.append(f"j{number}=$(sbatch --parsable {words}{file} {number})")
    each = 'python3 step.py arr "$SLURM_ARRAY_TASK_ID" "$@"\n'
    return Case(
        "\n".join(lines) + "\n",
        "a",
        scripts={
            "f.sh": script_that_fails(),
            "arr.sh": script("#SBATCH --array=0-2\n" + each),
            "one.sh": script(
                "#SBATCH --array=0-2\n" + each + '[ "$SLURM_ARRAY_TASK_ID" -ne 1 ]\n'
            ),
        },
    )


DAGS = {f"dag_{seed:02}": dag(seed) for seed in range(60)} | {
    f"array_dag_{seed:02}": array_dag(seed) for seed in range(40)
}
