"""Random bodies of the commands that hold others, from forms that are lifted."""

import random

FILES = ["a.txt", "b.txt", "data/x.txt"]
INPUTS = {
    "a.txt": "one\ntwo\n",
    "data/x.txt": "x\n",
    "empty": "",
    "pairs.txt": "a 1 x\n\n b\nc,d  2, 3 \n",
}


class Bodies:
    def __init__(self, seed: int) -> None:
        self.pick = random.Random(seed)
        self.variables: list[str] = []
        self.loops = 0
        self.count = 0

    def body(self) -> str:
        self.variables = []
        self.count = 0
        start = ["set -e"] if self.pick.random() < 0.3 else []
        start += ["set -o pipefail"] if self.pick.random() < 0.3 else []
        return "\n".join([*start, *self.block(0, self.pick.randint(1, 6))]) + "\n"

    def block(self, depth: int, count: int) -> list[str]:
        lines: list[str] = []
        for _ in range(count):
            lines += self.statement(depth)
        return lines

    def word(self) -> str:
        known = [f'"${name}"' for name in self.variables]
        plain = ["x", "yy", "'a b'", "3", "0"]
        return self.pick.choice(plain + known * 2)

    def command(self) -> str:
        self.count += 1
        number = self.count
        file = self.pick.choice([*FILES, f"f{number}.txt", "none"])
        return self.pick.choice(
            [
                f"echo {number} {self.word()}",
                f"printf '%s\\n' {number} {self.word()}",
                f"sh -c 'exit {self.pick.choice([0, 0, 1, 2, 7])}'",
                f"touch {file}" if "/" not in file else "true",
                f"rm -f {file}",
                f"cat {file}",
                f"mkdir d{number}",
                f"grep -q one {file}",
                "false",
                f"printf '{number}\\n' >> out.txt",
                f"no_such_program {number}",
                f"sh -c 'echo e{number} >&2; exit {self.pick.choice([0, 4])}' 2> /dev/null",
                f"cat {file} | grep one",
                f"sh -c 'echo {number}; echo e >&2; exit 3' 2>&1 | tee log{number}",
                f"cat a.txt | sort -r | head -n {self.pick.choice([1, 5])} > s{number}.txt",
                f"time printf '{number}\\n'",
                f"pwd | tail -c {self.pick.choice([2, 5])}",
            ]
        )

    def test(self) -> str:
        file = self.pick.choice([*FILES, "empty", "none", "data"])
        number = self.pick.randint(0, 3)
        choices = [
            f"[ -f {file} ]",
            f"[ -d {file} ]",
            f"[ -e {file} ]",
            f"[ -s {file} ]",
            f"[[ -f {file} ]]",
            f"[ ! -f {file} ]",
            f"test -e {file}",
            f"[ {number} -gt 1 ]",
        ]
        if self.variables:
            name = self.pick.choice(self.variables)
            choices += [
                f'[ "${name}" = {self.word()} ]',
                f'[ "${name}" != x ]',
                f'[ -n "${name}" ]',
                f"[[ -z ${name} ]]",
                f"[[ ${name} == x && -f {file} ]]",
                f"[[ ${name} != yy || ! -e {file} ]]",
                f'[ "${name}" = x -o "${name}" = yy ]',
            ]
        return self.pick.choice(choices)

    def condition(self) -> str:
        one = self.test() if self.pick.random() < 0.7 else self.command_test()
        if self.pick.random() < 0.15:
            one = f"! {one}"
        if self.pick.random() < 0.15:
            one = f"{one} {self.pick.choice(['&&', '||'])} {self.test()}"
        return one

    def command_test(self) -> str:
        return self.pick.choice(
            [
                "grep -q one a.txt",
                "sh -c 'exit 2'",
                "cat data/x.txt",
                "test -f a.txt",
                "false",
                "grep one none 2> /dev/null",
                "cat a.txt | grep -q one",
                "cat a.txt | grep -q three",
            ]
        )

    def assignment(self) -> str:
        name = self.pick.choice(["u", "v", "w"])
        text = f"{name}={self.pick.choice(['x', 'yy', 'zzz', '7'])}"
        if name not in self.variables:
            self.variables.append(name)
        return text

    def statement(self, depth: int) -> list[str]:
        roll = self.pick.random()
        if depth > 2 or roll < 0.42:
            return [self.command()]
        if roll < 0.48:
            return [self.assignment()]
        if roll < 0.52:
            return self.move()
        if roll < 0.64:
            return self.pick.choice(
                [
                    self.case,
                    self.beside,
                    self.given,
                    self.status,
                    self.while_,
                    self.counted,
                    self.lines,
                    self.and_back,
                ]
            )(depth)
        if roll < 0.74:
            return self.if_(depth)
        if roll < 0.82:
            return self.list_(depth)
        if roll < 0.94:
            return self.for_(depth)
        if self.loops and roll < 0.98:
            word = self.pick.choice(["break", "continue"])
            return [self.pick.choice([word, f"{self.test()} && {word}"])]
        if depth and self.pick.random() < 0.5:
            return [f"exit {self.pick.choice([0, 3, 9])}"]
        return [self.command()]

    def move(self) -> list[str]:
        """Back to where the files are at the end, often."""
        where = self.pick.choice(["data", "none", "sub", "data/.."])
        return self.pick.choice(
            [
                [f"cd {where}"],
                [f"cd {where} || echo not there"],
                [f"cd {where} && cat x.txt"],
                [f"mkdir -p {where} && cd {where}"],
                ["mkdir -p sub", "cd sub", "touch here.txt", "cd .."],
                [f"cd {where} || exit 6"],
                [f"cd {where}", "cat x.txt", "cd .."],
            ]
        )

    def case(self, depth: int) -> list[str]:
        lines = [f"case {self.word()} in"]
        patterns = ["x", "yy | 3", "a*", "*b", "[0-9]", '""', '"a b"', "?"]
        for pattern in self.pick.sample(patterns, self.pick.randint(1, 4)):
            lines += [f"{pattern})", *self.inner(depth), "  ;;"]
        if self.pick.random() < 0.5:
            lines += ["*)", *self.inner(depth), "  ;;"]
        return [*lines, "esac"]

    def beside(self, depth: int) -> list[str]:
        """Commands in the background, each with a file of its own."""
        lines = []
        for _ in range(self.pick.randint(1, 3)):
            self.count += 1
            number = self.count
            lines.append(
                self.pick.choice(
                    [
                        f"sh -c 'echo b{number}; exit 3' > bg{number}.txt &",
                        f"touch bg{number}.txt &",
                        f"no_such_program {number} &",
                        "(printf 'x\\n' | sort > /dev/null) &",
                    ]
                )
            )
        if self.pick.random() < 0.4:
            code = self.pick.choice([0, 4])
            lines += [f"sh -c 'exit {code}' &", "pid=$!"]
            lines += self.pick.choice([["wait $pid"], ["wait $pid", "echo waited $?"]])
        return [*lines, "wait"]

    def given(self, depth: int) -> list[str]:
        """What a command reads."""
        self.count += 1
        file, word = self.pick.choice([*FILES, "none"]), self.word()
        here = "<<EOF" if self.pick.random() < 0.7 else "<<'EOF'"
        body = [f'h {word} it is "q"', "\\$x `echo q`", "EOF"]
        number = self.count
        plain = [
            [f"wc -l < {file}"],
            [f"grep -q one < {file} && echo {number}"],
            [f"tr a-z A-Z <<< {word}"],
            [f"v{number}=$(wc -c < {file})", f'echo "$v{number}"'],
        ]
        if depth or self.pick.random() < 0.4:  # the text would be indented
            return self.pick.choice(plain)
        return self.pick.choice(
            [
                [f"cat {here}", *body],
                [f"cat > here{number}.txt {here}", *body],
                [f"cat {here} >> here.txt", *body],
                [f"tr a-z A-Z {here}", *body],
            ]
        )

    def status(self, depth: int) -> list[str]:
        code = self.pick.choice([0, 2])
        return self.pick.choice(
            [
                [self.command(), 'echo "$?"'],
                [self.command(), "rc=$?", 'echo "rc $rc"'],
                [
                    "rc=0",
                    f"sh -c 'exit {code}' || rc=$?",
                    '[ "$rc" -ne 0 ] && echo bad',
                ],
                [f"sh -c 'exit {code}'", "if [ $? -eq 0 ]; then", "  echo fine", "fi"],
                [f"sh -c 'exit {code}' || exit"],
                [*self.if_(depth), 'echo "if $?"'],
                [*self.for_(depth), 'echo "for $?"'],
            ]
        )

    def while_(self, depth: int) -> list[str]:
        self.count += 1
        mark = f"mark{self.count}"
        known = list(self.variables)
        if self.pick.random() < 0.5:
            option = self.pick.choice(["-r ", ""])
            head = f"while read {option}line; do"
            self.loops += 1
            lines = [head, '  echo "$line"', *self.inner(depth), "done < a.txt"]
            self.loops -= 1
            self.variables = known
            return lines
        word = self.pick.choice(["until [ -f", "while [ ! -f"])
        lines = [f"{word} {mark} ]; do", f"  touch {mark}", *self.inner(depth), "done"]
        self.variables = known
        return lines

    def counted(self, depth: int) -> list[str]:
        """for (( )) up to a number, a variable, the size of a list."""
        self.count += 1
        index, size = f"i{self.count}", f"n{self.count}"
        known = list(self.variables)
        before, end, show = self.pick.choice(
            [
                ([], "3", f'"${index}"'),
                ([f"{size}=$(echo 2)"], size, f"$(({index} * 2))"),
                (
                    [f"{size}=(x 'a b' '' '*')"],
                    f"${{#{size}[@]}}",
                    f'"${{{size}[${index}]}}"',
                ),
                ([f"{size}=()"], f"${{#{size}[@]}}", f'"${{{size}[{index}]}}"'),
            ]
        )
        step = self.pick.choice([f"{index}++", f"{index} += 2"])
        self.loops += 1
        lines = [
            *before,
            f"for (({index} = 0; {index} < {end}; {step})); do",
            f"  echo {show}",
            *self.inner(depth),
            "done",
        ]
        self.loops -= 1
        self.variables = known
        return lines

    def lines(self, depth: int) -> list[str]:
        """Loops over the lines of a file, of a text, of what programs print."""
        head, show = self.pick.choice(
            [
                ("while read -r line; do", '  echo "<$line>"'),
                ("while IFS= read -r line; do", '  echo "<$line>"'),
                ("while read -r p q; do", '  echo "<$p> <$q>"'),
                ("while IFS=, read -r p q r; do", '  echo "<$p> <$q> <$r>"'),
            ]
        )
        source, end = self.pick.choice(
            [
                ("", "done < pairs.txt"),
                ("", "done < <(sort pairs.txt)"),
                ("cat pairs.txt | ", "done"),
                ("sort pairs.txt | head -n 2 | ", "done"),
                ("", "done <<< 'one  two, three'"),
            ]
        )
        known = list(self.variables)
        self.loops += 1
        lines = [source + head, show, *self.inner(depth), end]
        self.loops -= 1
        self.variables = known
        return lines

    def and_back(self, depth: int) -> list[str]:
        """To a directory and back, and what the shell counts and matches."""
        where = self.pick.choice(["data", "none", "."])
        return self.pick.choice(
            [
                [
                    f"pushd {where} > /dev/null",
                    self.command(),
                    "popd > /dev/null; true",
                ],
                [f"cd {where}", "cat x.txt", "cd - > /dev/null; true"],
                ["SECONDS=0", 'echo "$((SECONDS / 100))"'],
                ["shopt -s nullglob; true", "echo *.none end"]
                if not depth
                else ["true"],
            ]
        )

    def inner(self, depth: int) -> list[str]:
        known = list(self.variables)
        lines = ["  " + line for line in self.block(depth + 1, self.pick.randint(1, 3))]
        self.variables = known  # what a branch sets may be unset behind it
        return lines

    def if_(self, depth: int) -> list[str]:
        lines = [f"if {self.condition()}; then", *self.inner(depth)]
        while self.pick.random() < 0.25:
            lines += [f"elif {self.condition()}; then", *self.inner(depth)]
        if self.pick.random() < 0.5:
            lines += ["else", *self.inner(depth)]
        return [*lines, "fi"]

    def list_(self, depth: int) -> list[str]:
        left = self.pick.choice([self.test, self.command_test, self.command])()
        if self.pick.random() < 0.25:
            left += f" {self.pick.choice(['&&', '||'])} {self.test()}"
        operator = self.pick.choice(["&&", "||"])
        roll = self.pick.random()
        if roll < 0.6:
            return [f"{left} {operator} {self.command()}"]
        if roll < 0.75:
            return [f"{left} {operator} exit {self.pick.choice([0, 5])}"]
        return [f"{left} {operator} {{", *self.inner(depth), "}"]

    def for_(self, depth: int) -> list[str]:
        name = self.pick.choice(["i", "j", "k"])
        items = self.pick.choice(
            ["1 2 3", "x yy", "{1..3}", "a 'b c'", "only", "$(seq 3)", "{9..1..4}"]
        )
        known = list(self.variables)
        if name not in self.variables:
            self.variables.append(name)
        self.loops += 1
        lines = [f"for {name} in {items}; do", *self.inner(depth), "done"]
        self.loops -= 1
        self.variables = known
        return lines
