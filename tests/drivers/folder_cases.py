"""Drivers that go through the files of a directory that they are given."""

from case import Case, script

LINES = {
    "data/b 2.txt": "two\n",
    "data/a.txt": "one\n",
    "data/B.txt": "big\n",
    "data/.hidden.txt": "dot\n",
    "data/notes.md": "md\n",
    "data/sub/deep.txt": "deep\n",
}
# It says which file it was given, and what is in it.
SHOW = script(
    'v=$(cat "$1") || exit 3\npython3 step.py show "$(basename "$1" .txt)" "$v"\n'
)
PAIRS = {
    "data/s1_R1.txt": "left1\n",
    "data/s1_R2.txt": "right1\n",
    "data/s2_R1.txt": "left2\n",
    "data/s2_R2.txt": "right2\n",
}
FOLDER = ("data",)


def each(loop: str, body: str = 'sbatch show.sh "$f"') -> str:
    return f"DATA=$1\nfor f in {loop}; do\n  {body}\ndone\n"


def case(
    driver: str,
    scripts: dict[str, str] | None = None,
    name: str = "data",
    **more: object,
) -> Case:
    """A driver whose one argument is the directory."""
    return Case(
        driver,
        scripts=LINES | {"show.sh": SHOW} | (scripts or {}),
        arguments={name: "data"},
        folders=more.pop("folders", (name,)),  # type: ignore[arg-type]
        **more,  # type: ignore[arg-type]
    )


FOLDERS = {
    "folder_glob": case(each('"$DATA"/*.txt'), fails=("b 2", "one")),
    "folder_question": case(each("$DATA/?.txt")),
    "folder_class": case(each('"$DATA"/[!B]*.txt')),
    "folder_caret": case(each('"$DATA"/[^a]*.txt')),
    "folder_hidden": case(each('"$DATA"/.*.txt')),
    "folder_two_patterns": case(each('"$DATA"/*.txt "$DATA"/*.md')),
    "folder_braces": case(each('"$DATA"/*.{md,txt}')),
    "folder_first_argument": case(
        'for f in "$1"/*.txt; do sbatch show.sh "$f"; done\n', name="arg1"
    ),
    "folder_unmatched": case(each('"$DATA"/*.none')),
    "folder_unmatched_asked": case(
        each('"$DATA"/*.none', '[ -e "$f" ] || continue\n  sbatch show.sh "$f"')
    ),
    "folder_asked": case(
        each('"$DATA"/*.txt', 'if [ -f "$f" ]; then sbatch show.sh "$f"; fi'),
        fails=("a",),
    ),
    "folder_nullglob": case("shopt -s nullglob\n" + each('"$DATA"/*.none')),
    "folder_ls": case(each("$(ls $DATA/*.md)")),
    "folder_ls_sorted": case(each("$(ls $DATA/[aB].txt | sort)")),
    "folder_find": case(each("$(find $DATA -type f -name '*ee*.txt')")),
    "folder_find_flat": case(each("$(find $DATA -maxdepth 1 -name 'a.txt' | sort)")),
    "folder_list": case(
        'FILES=("$1"/*.txt)\nfor f in "${FILES[@]}"; do sbatch show.sh "$f"; done\n',
        name="arg1",
    ),
    "folder_name_too": case(
        each(
            '"$DATA"/*.txt',
            'name=$(basename "$f" .txt)\n  sbatch -J "j_$name" two.sh "$f" "out/$name"',
        ),
        {"two.sh": script('python3 step.py two "$(cat "$1")" "${1##*/}" "$2"\n')},
    ),
    "folder_chain": case(
        each(
            '"$DATA"/*.txt',
            'a=$(sbatch --parsable show.sh "$f")\n  sbatch -d afterok:$a last.sh "$f"',
        ),
        {"last.sh": script('python3 step.py last "$(basename "$1")"\n')},
        fails=("one", "big"),
    ),
    "folder_join": case(
        "DATA=$1\nids=()\n"
        'for f in "$DATA"/*.txt; do ids+=($(sbatch --parsable show.sh "$f")); done\n'
        'sbatch -d afterok:$(IFS=:; echo "${ids[*]}") end.sh\n',
        {"end.sh": script("python3 step.py end\n")},
        fails=("two",),
    ),
    "folder_exported": case(
        each('"$DATA"/*.txt', 'sbatch --export=ALL,IN="$f" in.sh'),
        {"in.sh": script('python3 step.py in "$(cat "$IN")" "${IN##*/}"\n')},
    ),
    "folder_prefix": case(
        each("$DATA/[aB].txt", "IN=$f sbatch in.sh"),
        {"in.sh": script('python3 step.py in "$(cat "$IN")"\n')},
    ),
    "folder_wrap": case(
        each("$DATA/[aB].txt", 'sbatch --wrap "python3 step.py wrap \\$(cat $f)"')
    ),
    "folder_text": case(
        each(
            "$DATA/[aB].txt",
            "sbatch <<EOF\n#!/bin/bash\npython3 step.py text \\$(cat $f)\nEOF",
        )
    ),
    "folder_neighbours": Case(
        each('"$DATA"/*_R1.txt', 'sbatch pair.sh "$f"'),
        scripts=PAIRS
        | {
            "pair.sh": script(
                'python3 step.py pair "$(cat "$1")" "$(cat "${1/_R1/_R2}")"\n'
            )
        },
        arguments={"data": "data"},
        folders=FOLDER,
        fails=("left2",),
    ),
    "folder_beside": case(
        each('"$DATA"/*.txt', 'sbatch up.sh "$f"'),
        {
            "up.sh": script(
                'out=${1%.txt}.up\ntr a-z A-Z < "$1" > "$out"\n'
                'python3 step.py up "$(cat "$out")"\n'
            )
        },
    ),
    "folder_kept": case(
        each('"$DATA"/*.txt', 'sbatch kept.sh "$f"'),
        {
            "kept.sh": script(
                'while IFS= read -r line; do\n  python3 step.py kept "${line^^}"\n'
                'done < "$1"\n'
            )
        },
    ),
    "folder_in_folder": case(
        'for x in 1 2; do for f in "$1"/[aB].txt; do sbatch more.sh "$f" $x; done; done\n',
        {"more.sh": script('python3 step.py more "$(cat "$1")" "$2"\n')},
        name="arg1",
    ),
    # Another value, too: the loop stays what it was.
    "folder_stays": case(
        each('"$DATA"/*.txt', 'sbatch show.sh "$f"') + "sbatch show.sh other.txt\n",
        {"other.txt": "other\n"},
        folders=(),
    ),
}
