"""Random bodies in which statements that stay Bash leave something for Python to go on with."""

import random

INPUTS = {"a.txt": "one\ntwo\n", "sub/b.txt": "b\n", "sub/deep/c.txt": "c\n"}
NAMES = ["ALPHA", "BETA", "GAMMA", "DELTA"]


class Regions:
    def __init__(self, seed: int) -> None:
        self.pick = random.Random(seed)
        self.count = 0

    def body(self) -> str:
        self.count = 0
        start = ["set -e"] if self.pick.random() < 0.3 else []
        start += ["set -u"] if self.pick.random() < 0.15 else []
        for name in NAMES:  # what nothing sets is a parameter of the task
            export = self.pick.choice(["", "", "export "])
            start.append(f"{export}{name}={self.pick.choice(['first', '', 'f_1'])}")
        if self.pick.random() < 0.5:  # a variable that only kept statements read
            start += [
                "case x in",
                "x)",
                f"KEPT={self.word()}",
                ";;&",
                "y) true ;;",
                "esac",
            ]
        else:
            start += ["KEPT=begin"]
        start += ["if [ -f none ]; then LATER=1; fi"]
        lines = [
            line for _ in range(self.pick.randint(3, 9)) for line in self.statement()
        ]
        if any(line.endswith("&") for line in lines):  # as quick as they may be
            lines.append("wait")
            start = [line for line in start if line != "set -e"]
        return "\n".join([*start, "PID=", *lines]) + "\n"

    def statement(self) -> list[str]:
        kept = self.pick.random() < 0.45
        return self.kept() if kept else [self.plain()]

    def word(self) -> str:
        name = self.pick.choice(NAMES)
        return self.pick.choice(
            ["x", "'a b'", "3", f'"${name}"', f'"${name}"', f"${{{name}:-none}}"]
        )

    def value(self) -> str:
        return self.pick.choice(
            [self.word(), self.word(), '$(basename "$PWD")', "$(cat a.txt)"]
        )

    def seen(self) -> str:
        name = self.pick.choice([*NAMES, "OMP_NUM_THREADS"])
        self.count += 1
        return f"""sh -c 'echo {self.count} "${{{name}-unset}}"'"""

    def plain(self) -> str:
        name = self.pick.choice(NAMES)
        self.count += 1
        return self.pick.choice(
            [
                f"printf '%s\\n' {self.count} {self.word()} {self.word()}",
                self.seen(),
                self.seen(),
                f"printf '%s\\n' {self.count} ${{PWD##*/}}",
                """sh -c 'basename "$PWD"'""",
                f"{name}={self.value()}",
                f"export {name}={self.value()}",
                f"touch f{self.count}",
                f"sh -c 'exit {self.pick.choice([0, 0, 3])}'",
                f"cd {self.pick.choice(['sub', 'sub/deep', '..', 'none'])}",
                f"if [ -f a.txt ]; then {name}=there; fi",
                f"if [ -f {self.pick.choice(['a.txt', 'none'])} ]; then KEPT=python; fi",
                f"if [ -f {self.pick.choice(['a.txt', 'none'])} ]; then LATER={self.count}; fi",
            ]
        )

    def inner(self) -> str:
        name = self.pick.choice(NAMES)
        self.count += 1
        return self.pick.choice(
            [
                f"{name}={self.value()}",
                f"{name}={self.value()}",
                f"export {name}={self.value()}",
                f"unset {name}",
                f"cd {self.pick.choice(['sub', '..', 'none', '-'])} > /dev/null",
                self.seen(),
                f"echo {self.count} {self.word()}",
                f"OMP_NUM_THREADS=1{self.count}",
                f"export OMP_NUM_THREADS=2{self.count}",
                self.pick.choice(["exit 4", "exit 0", "exec false", "false"])
                if self.pick.random() < 0.25
                else "true",
                f"(cd sub; {name}=inside; exit 5) || true",
                f"KEPT={self.value()}",
                f'echo {self.count} "$KEPT" "$LATER"',
                self.pick.choice(
                    [
                        f'echo {self.count} "${{LATER-unset}}"',
                        f'echo {self.count} "${{LATER:-unset}}"',
                        f"[ -f none ] && LATER={self.count}",
                    ]
                ),
                f'{name}=$(cd sub; {name}=inside; export KEPT; basename "$PWD")',
                f"IFS=: read -r {name} KEPT <<< 'p q:r s'",
                f"{name}=only sh -c 'echo {self.count} \"${{{name}-unset}}\"'",
                "ulimit -a > /dev/null; umask > /dev/null",
                f"eval 'echo {self.count} $KEPT '\"${{{name}}}\"",
                f"(( SECONDS < 90 )) && echo {self.count} soon || echo late",
                f"echo {name} | while read -r line; do {name}=$line; done",
            ]
        )

    def kept(self) -> list[str]:
        inner = [self.inner() for _ in range(self.pick.randint(1, 3))]
        return self.pick.choice(
            [
                ["case x in", "x)", *inner, ";;&", "y) true ;;", "esac"],
                ["case x in", "x)", *inner, ";;&", "y) true ;;", "esac"],
                ["for ((;;)); do", *inner, "break", "done"],
                [f"export ALPHA BETA={self.word()}"],
                ["until [[ -z $(cat none 2>/dev/null) ]]; do false; done"],
                [f"declare -i NUMBER={self.pick.randint(1, 9)}*2", "echo $NUMBER"],
                ["cd sub", self.plain(), "cd - > /dev/null"],
                *[
                    [
                        "{",
                        *inner,
                        f"touch beside{self.count}",
                        f"}} > out{self.count}.txt &",
                        self.pick.choice(["wait", "wait $!", "PID=$!", ":"]),
                    ]
                    if self.pick.random() < 0.5
                    else ['[ -z "$PID" ] || wait $PID']
                ],
            ]
        )
