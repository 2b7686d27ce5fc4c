"""Random bodies in which some statements of branches and loops stay Bash."""

from control import Bodies


class Mixed(Bodies):
    def command(self) -> str:
        if self.pick.random() < 0.75:
            return super().command()
        self.count += 1
        number, word = self.count, self.word()
        name = self.pick.choice(self.variables) if self.variables else "LANG"
        return self.pick.choice(
            [
                f"cat <(echo {number} {word})",
                f"sort -r <(echo {number}) <(echo {word}) > p{number}.txt",
                f"cmp -s <(echo {word}) <(echo x)",
                f"[[ {word} < y ]] && echo {number}",
                f'printf "%s\\n" {number} {word} | while read -r z; do echo "$z"; done',
                f'echo "${{{name}^^}}" {number}',
                f"(exit {self.pick.choice([0, 6])}) | cat <(echo {number})",
                f'for z in 1 2; do [ $z = 2 ] && break; cat <(echo "$z" {word}); done',
                f"cat <(sh -c 'echo \"${{{name}-unset}}\" {number}')",
            ]
        )

    def assignment(self) -> str:
        text = super().assignment()
        if self.pick.random() < 0.5:
            return text
        name, value = text.split("=", 1)
        known = [each for each in self.variables if each != name] or ["LANG"]
        other = self.pick.choice(known)
        return self.pick.choice(
            [
                f"{name}={value}; {name}=${{{name}^}}",
                f"{name}=$(cat <(echo {value}) none 2> /dev/null)",
                f"{name}=$(echo {value}; echo end)",
                f'{name}={value}; {name}="${{{name}~~}}."',
                f'{name}={value}; {name}="${{{other}^}}$({{ echo {value}; exit 3; }})"',
            ]
        )
