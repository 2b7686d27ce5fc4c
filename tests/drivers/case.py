"""One driver, what it submits, and how it is run."""

from dataclasses import dataclass, field

STEP = """\
import os
import sys

words = sys.argv[1:]
with open("log.txt", "a") as log:
    log.write("start " + " ".join(words) + "\\n")
failed = os.environ.get("FAIL", "-") in words
with open("log.txt", "a") as log:
    log.write("end " + " ".join(words) + "\\n")
sys.exit(3 if failed else 0)
"""


@dataclass(frozen=True)
class Case:
    """A driver, the names of plain jobs, other scripts, and the jobs that fail."""

    driver: str
    jobs: str = ""
    scripts: dict[str, str] = field(default_factory=dict)
    fails: tuple[str, ...] = ()  # words that make a job fail, one run each
    job: bool = False  # submit.sh is itself submitted
    order: tuple[tuple[str, str], ...] = ()  # that no --dependency asks for
    # Of main, by name.
    arguments: dict[str, str | list[str]] = field(default_factory=dict)
    folders: tuple[str, ...] = ()  # those of them that are directories
    data: bool = False  # a job reads what an earlier one wrote
    entry: str = "main"  # the module's task
    tried_again: bool = False  # failed runs are attempts of one task, which ends well

    def words(self) -> list[str]:
        """The driver's own arguments."""
        return [
            word
            for value in self.arguments.values()
            for word in ([value] if isinstance(value, str) else value)
        ]

    def files(self) -> dict[str, str]:
        plain = {
            f"{name}.sh": "#!/bin/bash\n"
            f"#SBATCH --job-name={name}\n"
            f'python3 step.py {name} "$@"\n'
            for name in self.jobs.split()
        }
        driver = {"submit.sh": "#!/bin/bash\n" + self.driver}
        return plain | self.scripts | driver | {"step.py": STEP}

    def text(self) -> str:
        """All that it says to Slurm."""
        return self.driver + "".join(self.scripts.values())

    def runs(self) -> list[str]:
        return ["", *self.fails]


def script(text: str) -> str:
    return "#!/bin/bash\n" + text
