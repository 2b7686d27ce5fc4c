"""Random bodies that compute, list, match files and pad: what values can be."""

import random

INPUTS = {
    "a1.txt": "one\n",
    "a2.txt": "2\n",
    "b c.txt": "x\n",
    "data/x.csv": "",
    "data/y z.csv": "",
    ".hidden.txt": "",
    "[k].log": "",
    "say": '#!/bin/sh\nfor each; do printf "<%s>" "$each"; done\necho\n',
}
NAMES = ["i", "N", "count", "M"]
LISTS = ["names", "A", "Files"]


class Bodies:
    def __init__(self, seed: int) -> None:
        self.pick = random.Random(seed)
        self.numbers: list[str] = []
        self.lists: dict[str, int] = {}
        self.texts: list[str] = []

    def body(self) -> str:
        self.numbers, self.lists, self.texts = [], {}, []
        start = ["set -e"] if self.pick.random() < 0.2 else []
        lines = [f"{name}={self.pick.randint(-3, 12)}" for name in NAMES[:2]]
        self.numbers = NAMES[:2]
        for _ in range(self.pick.randint(4, 12)):
            lines += self.statement(0)
        return "\n".join([*start, *lines, "true"]) + "\n"

    def sum(self, depth: int = 0) -> str:
        pick = self.pick
        name = pick.choice(self.numbers)
        atoms = [
            name,
            f"${name}",
            str(pick.randint(0, 20)),
            "010",
            "0x1f",
            f"${{{name}}}",
        ]
        if self.lists:
            atoms.append(f"${{#{pick.choice(list(self.lists))}[@]}}")
        atoms += ["unset_name", "RANDOM % 1"]
        if depth > 1 or pick.random() < 0.3:
            return pick.choice(atoms)
        left, right = self.sum(depth + 1), self.sum(depth + 1)
        return pick.choice(
            [
                f"{left} + {right}",
                f"{left} - {right}",
                f"({left}) * {pick.randint(-3, 5)}",
                f"({left}) / {pick.choice([2, 3, -4])}",
                f"({left}) % {pick.choice([2, 5, -3])}",
                f"-({left})",
                f"{pick.randint(1, 9)} ** 2 - {right}",
                f"1 << {pick.randint(0, 4)}",
                f"{pick.randint(0, 3)} > 1 ? {pick.randint(0, 9)} : {right}",
            ]
        )

    def pattern(self) -> str:
        return self.pick.choice(
            [
                "*.txt",
                "a?.txt",
                "a[12].txt",
                "a[!1].txt",
                "data/*.csv",
                "*/",
                "*.none",
                '"b c"*',
                "[[]k].log",
                "x{1,2}.txt",
                "{a,b}*.txt",
                "n{08..11}",
                "{c..a}",
                '"*.txt"',
                ".h*",
                "x=[1,2]",
            ]
        )

    def word(self) -> str:
        pick = self.pick
        words = [f"$(({self.sum()}))", f'"$(({self.sum()}))"', self.pattern()]
        words += [f'"${pick.choice(self.numbers)}"', f"n${pick.choice(self.numbers)}.x"]
        if self.lists:
            name = pick.choice(list(self.lists))
            at = pick.randint(0, self.lists[name])
            words += [
                f'"${{{name}[@]}}"',
                f'"${{{name}[*]}}"',
                f'"${{{name}[{at}]}}"',
                f"${{#{name}[@]}}",
                f'"${name}"',
                f'"${{{name}[-1]}}"' if self.lists[name] else "none",
            ]
        if self.texts:
            words += [f'"${pick.choice(self.texts)}"']
        return pick.choice(words)

    def words(self, least: int = 0) -> str:
        return " ".join(self.word() for _ in range(self.pick.randint(least, 3)))

    def statement(self, depth: int) -> list[str]:
        pick = self.pick
        forms = [self.say, self.assign, self.count, self.echo]
        if depth == 0:
            forms += [
                self.new_list,
                self.append,
                self.pad,
                self.loop,
                self.loop,
                self.test,
                self.more,
            ]
        return pick.choice(forms)(depth)

    def say(self, _: int) -> list[str]:
        return [f"sh ./say {self.words()}"]

    def echo(self, _: int) -> list[str]:
        return [f"echo x {self.words()}"]

    def assign(self, depth: int) -> list[str]:
        name = self.pick.choice(NAMES if depth == 0 else self.numbers)
        line = f"{name}=$(({self.sum()}))"
        if name not in self.numbers:
            self.numbers.append(name)
        return [line]

    def count(self, _: int) -> list[str]:
        name = self.pick.choice(self.numbers)
        number = self.pick.randint(1, 4)
        form = self.pick.choice(
            [
                "(({0}++))",
                "((++{0}))",
                "(({0} += {1}))",
                "let {0}={0}+{1}",
                "let {0}=${0}+{1}",
                'let "{0} = ${{{0}}} + {1}"',
                "let {0}=$(({0} + {1}))",
                "(({0} -= {1}))",
            ]
        )
        return [form.format(name, number), f"sh ./say ${name}"]

    def new_list(self, _: int) -> list[str]:
        name = self.pick.choice(LISTS)
        items = [
            self.pick.choice(["x", "'y z'", "3", f"$(({self.sum()}))"])
            for _ in range(3)
        ]
        self.lists[name] = len(items)
        declared = (
            self.pick.choice(["", "", "declare -a "]) if name not in self.lists else ""
        )
        return [f"{declared}{name}=({' '.join(items)})"]

    def append(self, _: int) -> list[str]:
        if not self.lists:
            return self.new_list(0)
        name = self.pick.choice(list(self.lists))
        self.lists[name] += 1
        return [f"{name}+=({self.pick.choice(['new', chr(34) + 'n w' + chr(34)])})"]

    def pad(self, _: int) -> list[str]:
        if "T" not in self.texts:
            self.texts.append("T")
        return [f"T=$(printf 'run_%03d.x' {self.pick.randint(0, 2000)})"]

    def more(self, _: int) -> list[str]:
        first = [] if "S" in self.texts else ['S="s"']
        if first:
            self.texts.append("S")
        return [*first, f"S+=' {self.pick.choice(['t', 'u v'])}'"]

    def loop(self, depth: int) -> list[str]:
        pick = self.pick
        over = pick.choice(
            [
                "1 2 3",
                "{1..4}",
                "$(seq 2)",
                "$(seq 6 -2 1)",
                "{08..10}",
                "*.txt",
                "data/*.csv",
            ]
        )
        if self.lists and pick.random() < 0.5:
            over = f'"${{{pick.choice(list(self.lists))}[@]}}"'
        inside = [line for _ in range(2) for line in self.statement(depth + 1)]
        digits = over[0] in "1{$" and not over.startswith(("{08", '"'))
        if digits:
            inside.append(
                f'sh ./say "$k" $((k * 2)) $(({pick.choice(self.numbers)} + k))'
            )
            inside.append('[ "$k" -gt 2 ] && echo big')
            inside.append('T2=$(printf "%02d" $k); sh ./say "$T2"')
        if self.lists and pick.random() < 0.4:
            inside.append(f'{pick.choice(list(self.lists))}+=("$k")')
        return [
            f"for k in {over}; do",
            '  sh ./say "$k"',
            *(f"  {x}" for x in inside),
            "done",
        ]

    def test(self, depth: int) -> list[str]:
        name = self.pick.choice(self.numbers)
        asked = self.pick.choice(
            [
                f"(( {name} > 3 ))",
                f"[ ${name} -le 4 ]",
                f'[ "${name}" = 5 ]',
                f"[[ ${name} -ne 2 && $(({self.sum()})) -lt 9 ]]",
                f"(( {name} % 2 == 0 || {name} < 0 ))",
                f"(( {name} ))",
            ]
        )
        return [f"if {asked}; then", "  sh ./say yes", *self.statement(depth + 1), "fi"]
