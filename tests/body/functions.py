"""Random bodies with functions of their own and traps of EXIT, from forms that are lifted."""

from control import Bodies

NAMES = ["step", "check", "run", "log-it"]


class Functions(Bodies):
    def body(self) -> str:
        self.variables = []
        self.count = 0
        self.functions: list[str] = []
        self.argument = False
        start = ["set -e"] if self.pick.random() < 0.35 else []
        start += self.trap() if self.pick.random() < 0.3 else []
        for name in self.pick.sample(NAMES, self.pick.randint(1, 3)):
            start += self.function(name)
            self.functions.append(name)
        start += (
            self.trap()
            if len(start) % 3 == 0 and "trap" not in "\n".join(start)
            else []
        )
        lines = self.block(0, self.pick.randint(2, 6))
        for name in self.functions:  # each in several places
            lines += self.use(name)
        return "\n".join([*start, *lines]) + "\n"

    def move(self) -> list[str]:
        return [
            self.command()
        ]  # a function finds other files there, and stays what it was

    def word(self) -> str:
        if self.argument and self.pick.random() < 0.5:
            return self.pick.choice(['"$1"', '"$name"', '"${2:-none}"', "$name"])
        return super().word()

    def function(self, name: str) -> list[str]:
        lines = [f"{name}() {{", '  local name="$1"']
        known, self.variables = self.variables, []
        self.argument = True
        for _ in range(self.pick.randint(1, 4)):
            lines += ["  " + line for line in self.within()]
        roll = self.pick.random()
        if roll < 0.2:
            lines.append(f"  return {self.pick.choice([0, 3])}")
        elif roll < 0.3:
            lines += ["  local made", '  made=$(echo "made $name")', '  echo "$made"']
        elif roll < 0.4:
            lines += ["  shift", '  printf "%s\\n" "rest: $1"']
        self.argument = False
        self.variables = known
        return [*lines, "}"]

    def within(self) -> list[str]:
        roll = self.pick.random()
        if roll < 0.45:
            return [self.command()]
        if roll < 0.55:
            code = self.pick.choice([0, 1, 4])
            return [f'[ "$name" = {self.pick.choice(["x", "yy"])} ] && return {code}']
        if roll < 0.65:
            test = self.pick.choice([self.test, self.command_test])()
            return [
                f"if {test}; then",
                f"  {self.command()}",
                f"  return {self.pick.choice([0, 2])}",
                "fi",
            ]
        if roll < 0.75:
            return [f"{self.command()} || return {self.pick.choice([1, 5])}"]
        if roll < 0.8:
            return [f"{self.command_test()} || exit {self.pick.choice([1, 6])}"]
        if roll < 0.9 and self.functions:
            return self.use(self.pick.choice(self.functions))
        return ["for item in 1 2; do", f"  {self.command()}", "done"]

    def call(self, name: str) -> str:
        words = [
            name,
            self.word(),
            *([self.word()] if self.pick.random() < 0.4 else []),
        ]
        return " ".join(words)

    def use(self, name: str) -> list[str]:
        call = self.call(name)
        return self.pick.choice(
            [
                [call],
                [call, self.call(name)],
                [call, 'echo "status $?"'],
                [call, "rc=$?", 'echo "rc $rc"'],
                [f"{call} || echo failed"],
                [f"{call} && echo good"],
                [f"if {call}; then", "  echo yes", "fi"],
                [f"if ! {call}; then", "  echo no", "fi"],
                [f"{call} || exit {self.pick.choice([1, 8])}"],
                ["for one in x 'a b'; do", f'  {name} "$one"', "done"],
            ]
        )

    def trap(self) -> list[str]:
        return self.pick.choice(
            [
                ["trap 'rm -f a.txt; echo gone' EXIT"],
                ["trap 'echo \"end $u\"' EXIT"],
                ["trap 'echo one; false; echo two' EXIT"],
                [
                    "at_end() {",
                    '  echo "ends"',
                    "  rm -rf data",
                    "}",
                    "trap at_end EXIT",
                ],
                ["trap 'sh -c \"exit 3\"' EXIT TERM"],
            ]
        )

    def statement(self, depth: int) -> list[str]:
        if self.functions and self.pick.random() < 0.3:
            return self.use(self.pick.choice(self.functions))
        return super().statement(depth)
