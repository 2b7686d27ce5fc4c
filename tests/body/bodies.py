"""Random bodies of job scripts, out of the forms that become Python."""

from __future__ import annotations

import random
from collections.abc import Callable

TEXTS = ["one", "a-b.c", "x_1", "data/in.txt", "two words", "", "tab\there", "ünï", "3"]
PLAIN = ["one", "a-b.c", "x_1", "data/in.txt", "run.tar.gz", "3"]
SAID = ["one", "'a b'", "a b  c", "'  lead'", "$'l1\\nl2'", "", "$'end\\n\\n'", "'x*y'"]


class Body:
    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)
        self.names: list[str] = []  # set so far
        self.plain: set[str] = set()  # hold one word without blanks
        self.exported: set[str] = set()
        self.depth = 0
        self.strict = self.random.random() < 0.15

    def text(self) -> str:
        head = "#!/bin/bash\n#SBATCH --job-name=body\n#SBATCH --cpus-per-task=3\n"
        count = self.random.randint(8, 20)
        lines = [line for _ in range(count) for line in self.statement()]
        return head + ("set -e\n" if self.strict else "") + "\n".join(lines) + "\n"

    def statement(self) -> list[str]:
        forms: list[tuple[int, Callable[[], list[str]]]] = [
            (5, self.assign),
            (4, self.show),
            (3, self.echo),
            (2, self.export),
            (1, self.redirect),
            (1, self.environment),
        ]
        if self.depth == 0:
            forms += [(1, self.loop), (1, self.branch), (1, self.directory)]
        weights = [weight for weight, _ in forms]
        return self.random.choices([form for _, form in forms], weights)[0]()

    def name(self) -> str:
        return self.random.choice(["A", "B", "OUT", "LOG", "Name", "path", "l", "DIR"])

    def set(self, name: str, plain: bool) -> None:
        if name not in self.names:
            self.names.append(name)
        self.plain.discard(name)
        if plain and self.depth == 0:
            self.plain.add(name)

    def quoted(self) -> str:
        pick = self.random.choice
        forms = [
            '"$1"',
            '"pre_$2.x"',
            '"$SLURM_JOB_ID"',
            '"$HOME/x"',
            '"$USER"',
            "'$A b'",
        ]
        forms += [
            '"$SLURM_SUBMIT_DIR/y"',
            '"$PWD"',
            '"$SLURM_CPUS_PER_TASK"',
            '"$NEVER"',
        ]
        if self.names:
            forms += [f'"${pick(self.names)}"', f'"a${{{pick(self.names)}}} b"'] * 3
        return pick(forms)

    def word(self) -> str:
        pick = self.random.choice
        forms = [
            self.quoted(),
            pick(PLAIN),
            "$SLURM_JOB_ID",
            "~/z",
            "$HOME",
            "$2",
            "$SLURM_NTASKS",
        ]
        forms += [
            f"$({self.said()})",
            f'"$({self.said()})"',
            "$(date +%Y-%m)",
            "$(pwd)",
        ]
        if self.names:
            forms += [f"${pick(self.names)}"] * 3
        if self.plain:
            forms += [f"a_${{{pick(sorted(self.plain))}}}.log"]
        return pick(forms)

    def said(self) -> str:
        pick = self.random.choice
        quoted = f'"${pick(self.names)}"' if self.names else "x"
        return pick(
            [
                f"./say {pick(SAID)}",
                f"./say {quoted}",
                "cat list.txt",
                "cat nothing.txt 2>/dev/null",
                "./fail 3",
                f"basename {quoted}",
                "basename data/in.txt .txt",
                "hostname",
                "echo a  b",
                "./say $(./say inner) outer",
            ]
        )

    def assign(self) -> list[str]:
        name, pick = self.name(), self.random.choice
        kind = self.random.randrange(5)
        if kind == 0:
            value, plain = pick(PLAIN), True
        elif kind == 1:
            value, plain = f"'{pick(TEXTS)}'", False
        elif kind == 2:
            tail = pick(["$2", "$SLURM_JOB_ID", "$(date +%Y)", "x"])
            value, plain = f"out_{tail}", True
        elif kind == 3:
            value, plain = f"$({self.said()})", False
        else:
            value, plain = pick([self.quoted(), "~/deep", "$PATH"]), False
        self.set(name, plain)
        return [f"{name}={value}"]

    def show(self) -> list[str]:
        words = [self.word() for _ in range(self.random.randint(0, 4))]
        return [" ".join(["./show", *words])]

    def echo(self) -> list[str]:
        words = [self.word() for _ in range(self.random.randint(0, 3))]
        option = self.random.choice(["", "", "", "-n "])
        return [f"echo {option}" + " ".join(["x", *words])]

    def export(self) -> list[str]:
        if self.names and self.random.random() < 0.4:
            return [f"export {self.random.choice(self.names)}"]
        (line,) = self.assign()
        return [f"export {line}"]

    def redirect(self) -> list[str]:
        arrow = self.random.choice([">", ">>", "&>"])
        name = self.random.choice(["f1", '"f_$2"', "f_$SLURM_JOB_ID"])
        return [f"./show {self.word()} {arrow} {name}"]

    def environment(self) -> list[str]:
        return [f"A={self.quoted()} B=$(./say b c) ./show {self.word()}"]

    def directory(self) -> list[str]:
        return ["cd sub", "../show $(pwd)", "cd ..", "cd $SLURM_SUBMIT_DIR"][0:1] + [
            '../show "$PWD" $(cat inner.txt)',
            "cd $SLURM_SUBMIT_DIR",
        ]

    def inside(self) -> list[str]:
        self.depth += 1
        lines = [line for _ in range(2) for line in self.statement()]
        self.depth -= 1
        return [f"  {line}" for line in lines] + ["  ./show end"]

    def loop(self) -> list[str]:
        words = " ".join(self.word() for _ in range(self.random.randint(1, 3)))
        self.set("item", False)
        return [f"for item in {words}; do", '  ./show "$item"', *self.inside(), "done"]

    def branch(self) -> list[str]:
        return [f'if [ {self.quoted()} = "one" ]; then', *self.inside(), "fi"]
