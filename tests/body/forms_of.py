"""Random bodies of shells of their own, flags, lists by item, tests of patterns, words apart."""

import random

INPUTS = {
    "a1.txt": "one two\nthree *\n",
    "a2.txt": "2\n",
    "run/b1.txt": "y\n",
    "run/deep/c.txt": "",
    "many/x.csv": "",
    "many/y z.csv": "",
    "say": '#!/bin/sh\nfor each; do printf "<%s>" "$each"; done\necho\n',
}
TEXTS = ["p", "u v", "a*.txt", "", "two  blanks", "x[1", "run/*", "-n"]
PATTERNS = [
    "a*.txt",
    "a1*.txt",
    "many/*.csv",
    "none/*",
    "run/*.txt",
    "$W*.txt",
    "ru*n",
    "$W/*.csv",
]


class Bodies:
    def __init__(self, seed: int) -> None:
        self.pick = random.Random(seed)
        self.lists: dict[str, int] = {}
        self.flags: list[str] = []
        self.loops = 0

    def body(self) -> str:
        pick = self.pick
        self.lists, self.flags, self.loops = {}, [], 0
        start = ["set -e"] if pick.random() < 0.15 else []
        start += ["shopt -s nullglob"] if pick.random() < 0.1 else []
        lines = ['SAY="$PWD/say"', f"W={pick.choice(['a', 'run', 'many', 'none'])}"]
        lines += [f'T="{pick.choice(TEXTS)}"', "L=l"]
        for _ in range(pick.randint(4, 10)):
            lines += self.statement(0)
        return "\n".join([*start, *lines, "true"]) + "\n"

    def statement(self, depth: int) -> list[str]:
        forms = [self.say, self.say, self.where]
        if self.flags:
            forms += [self.asked, self.turned]
        if depth < 2:
            forms += [self.own, self.own, self.tested, self.loop, self.piped]
        if depth == 0:
            forms += [self.item, self.item, self.flag, self.keys, self.text]
        return self.pick.choice(forms)(depth)

    def word(self) -> str:
        words = ["$T", '"$T"', "$W", f"{self.pick.choice(PATTERNS)}", "x$T"]
        if self.lists:
            name = self.pick.choice(list(self.lists))
            at = self.pick.randint(0, self.lists[name])
            words += [
                f'"${{{name}[@]}}"',
                f"${{{name}[@]}}",
                f"${{{name}[*]}}",
                f'"${{{name}[{at}]}}"',
                f"${{#{name}[@]}}",
                f'"${{!{name}[@]}}"',
            ]
        return self.pick.choice(words)

    def words(self) -> str:
        return " ".join(self.word() for _ in range(self.pick.randint(0, 3)))

    def say(self, _: int) -> list[str]:
        return [f'sh "$SAY" {self.words()}']

    def where(self, _: int) -> list[str]:
        return ['sh "$SAY" "${PWD##*/}"']

    def text(self, _: int) -> list[str]:
        return [f'T="{self.pick.choice(TEXTS)}"']

    def own(self, depth: int) -> list[str]:
        pick = self.pick
        goes = pick.choice(["cd run", "cd none", "cd run/deep", "cd ..", "L=local"])
        inside = [line for _ in range(2) for line in self.statement(depth + 1)]
        inside += ['sh "$SAY" "$L"'] if goes == "L=local" else []
        after = ['sh "$SAY" back "${PWD##*/}"']
        return ["(", f"  {goes}", *(f"  {line}" for line in inside), ")", *after]

    def item(self, _: int) -> list[str]:
        name = self.pick.choice(["A", "names"])
        value = self.pick.choice(["x", '"y z"', '"$T"', "$W", "$(echo o p)", '""'])
        size = self.lists.get(name)
        self.lists[name] = (size or 0) + 1
        if size is None:
            return [f"{name}[0]={value}"]
        at = self.pick.choice([str(size), f"${{#{name}[@]}}"])
        return [f"{name}[{at}]={value}"]

    def keys(self, depth: int) -> list[str]:
        if not self.lists:
            return self.item(depth)
        name = self.pick.choice(list(self.lists))
        over = self.pick.choice([f'"${{!{name}[@]}}"', f"${{!{name}[@]}}"])
        return [
            f"for i in {over}; do",
            f'  sh "$SAY" $i "${{{name}[$i]}}" ${{{name}[i]}}',
            "done",
        ]

    def flag(self, _: int) -> list[str]:
        name = self.pick.choice(["F", "G"])
        if name not in self.flags:
            self.flags.append(name)
        return [f"{name}={self.pick.choice(['true', 'false'])}"]

    def turned(self, _: int) -> list[str]:
        name = self.pick.choice(self.flags)
        value = self.pick.choice(["true", "false"])
        return [f"if [ -d run ]; then {name}={value}; fi"]

    def asked(self, _: int) -> list[str]:
        name = self.pick.choice(self.flags)
        return self.pick.choice(
            [
                [f"if ${name}; then", '  sh "$SAY" on', "fi"],
                [f"if ! ${name}; then", '  sh "$SAY" off', "fi"],
                [f"if ${name} && [ -d run ]; then", '  sh "$SAY" both', "fi"],
                [f'${name} || sh "$SAY" not'],
            ]
        )

    def tested(self, depth: int) -> list[str]:
        pick = self.pick
        kind = pick.choice(["-f", "-e", "-d", "-s"])
        test = f"{pick.choice(['', '! '])}{kind} {pick.choice(PATTERNS)}"
        asked = pick.choice([f"[ {test} ]", f"! [ {test} ]", f"test {test}"])
        return [
            f"if {asked}; then",
            *(f"  {line}" for line in self.statement(depth + 1)),
            "else",
            '  sh "$SAY" other',
            "fi",
        ]

    def loop(self, depth: int) -> list[str]:
        over = " ".join(self.word() for _ in range(self.pick.randint(1, 2)))
        inside = self.statement(depth + 1)
        return [
            f"for k in {over}; do",
            '  sh "$SAY" "$k"',
            *(f"  {line}" for line in inside),
            "done",
        ]

    def piped(self, depth: int) -> list[str]:
        source = self.pick.choice(
            ["cat a1.txt", "ls run", "cat a1.txt a2.txt | sort", "echo run"]
        )
        self.loops += 1
        own = f"M{self.loops}"
        goes = self.pick.choice(["cd $line", "cd run", f"{own}=$line", "true"])
        shown = f'"${own}"' if goes.startswith("M") else "none"
        return [
            f"{source} | while read -r line; do",
            f"  {goes}",
            f'  sh "$SAY" "$line" "${{PWD##*/}}" {shown}',
            *(f"  {line}" for line in self.statement(depth + 1)),
            "done",
            'sh "$SAY" behind "${PWD##*/}"',
        ]
