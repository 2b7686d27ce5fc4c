"""Random bodies in which words split, texts have escapes, and the directory changes."""

import random

INPUTS = {
    "a1.txt": "x\n",
    "a2.txt": "one\n",
    "run/b1.txt": "y\\tz \\\\n \\x41\n",
    "run/deep/c.txt": "",
    "say": '#!/bin/sh\nfor each; do printf "<%s>" "$each"; done\necho\n',
}
SEVERAL = ["", "u v", " lead", "tail ", "a*", "b? x", "plain", "-n q", "two  blanks"]
PLAIN = ["p", "q-1", "r_2"]
ESCAPES = ["\\t", "\\n", "\\\\", "\\x21", "\\0101", "\\q", "\\a", "tab", " ", "%s"]


class Bodies:
    def __init__(self, seed: int) -> None:
        self.pick = random.Random(seed)
        self.names: list[str] = []

    def body(self) -> str:
        pick = self.pick
        start = ["set -e"] if pick.random() < 0.2 else []
        lines = ['SAY="$PWD/say"', f'LIST="{pick.choice(SEVERAL)}"']
        lines += [
            f"ONE={pick.choice(PLAIN)}",
            "OUT=$(echo run)",
            "RAW=$(cat run/b1.txt)",
        ]
        self.names = ["LIST", "ONE", "OUT"]
        for _ in range(pick.randint(3, 10)):
            lines += self.statement(0)
        return "\n".join([*start, *lines, "true"]) + "\n"

    def statement(self, depth: int) -> list[str]:
        forms = [self.say, self.say, self.echo, self.shown, self.assign, self.go]
        if depth == 0:
            forms += [self.loop, self.branch, self.mask]
        return self.pick.choice(forms)(depth)

    def word(self) -> str:
        pick = self.pick
        name = pick.choice(self.names)
        return pick.choice(
            [
                f"${name}",
                f'"${name}"',
                f"x${{{name}}}",
                f"${{{name}}}_y",
                f"x_${{{name}}}/${{{pick.choice(self.names)}}}.txt",
                f'"$ONE"${name}',
                f'${name}"$ONE"',
                f'${name}"b c"',
                f"${name}*.txt",
                f"${{{name}}}${{{pick.choice(self.names)}}}",
                "${PWD##*/}",
                '"$(basename "$PWD")"',
            ]
        )

    def words(self) -> str:
        return " ".join(self.word() for _ in range(self.pick.randint(0, 3)))

    def say(self, _: int) -> list[str]:
        return [f'sh "$SAY" {self.words()}']

    def echo(self, _: int) -> list[str]:
        return [f"echo x {self.words()}"]

    def shown(self, _: int) -> list[str]:
        pick = self.pick
        text = ""
        for _ in range(pick.randint(1, 5)):
            name = pick.choice([*self.names, "RAW"])
            text += pick.choice([*ESCAPES, f"${{{name}}}"])
        option = pick.choice(["-e", "-e", "-ne", "-e -n"])
        return [f'echo {option} "x{text}" {self.words()}']

    def assign(self, _: int) -> list[str]:
        pick = self.pick
        name = pick.choice(["LIST", "ONE", "MORE", "HERE"])
        value = pick.choice(
            [
                f'"{pick.choice(SEVERAL)}"',
                pick.choice(PLAIN),
                f'"${pick.choice(self.names)} more"',
                "$(cat a2.txt)",
                "$(basename $PWD)",
            ]
        )
        if name == "ONE":
            value = pick.choice(PLAIN)
        if name == "HERE":
            value = "$(basename $(pwd))"
        if name not in self.names:
            self.names.append(name)
        return [f"{name}={value}"]

    def go(self, _: int) -> list[str]:
        target = self.pick.choice(
            [
                "run",
                "run/deep",
                "..",
                "../run",
                "none",
                "$OUT",
                "./deep/..",
                '"$OUT/deep"',
            ]
        )
        if target == "..":
            target = "deep/../.."  # never out of the body's own folders
            return ["cd run", f"cd {target}", "echo ${PWD##*/}"]
        return [f"cd {target} || true", "echo ${PWD##*/}"]

    def mask(self, _: int) -> list[str]:
        mask = self.pick.choice(["022", "027", "0077", "2"])
        return [f"umask {mask}", "touch made", "stat -c %a made", "rm made"]

    def loop(self, depth: int) -> list[str]:
        over = self.pick.choice(["$LIST", "$LIST z", "x$LIST", "1 2", '"$LIST"'])
        one = "" if over[0] == '"' else "k${k}k"
        inside = [line for _ in range(2) for line in self.statement(depth + 1)]
        return [
            f"for k in {over}; do",
            f'  sh "$SAY" $k "$k" {one}',
            *(f"  {line}" for line in inside),
            "done",
        ]

    def branch(self, depth: int) -> list[str]:
        asked = self.pick.choice(
            ['[ "$PWD" = "$OUT" ]', "[ -d run ]", '[ -n "$LIST" ]', "[ -f a2.txt ]"]
        )
        return [
            f"if {asked}; then",
            *(f"  {line}" for line in self.statement(depth + 1)),
            "else",
            *(f"  {line}" for line in self.statement(depth + 1)),
            "fi",
        ]
