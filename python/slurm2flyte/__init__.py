"""slurm2flyte from Python: Slurm job scripts in, Flyte 2 modules and their review out.

    from slurm2flyte import convert

    result = convert(open("train.sh").read())
    print(result.module.text)
    for finding in result.decisions:
        print(finding.rule, finding.line, finding.message)

Nothing of a script is ever run. The work is done by the program that this package brings, in a
directory of its own that is gone afterwards.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path, PurePosixPath
from typing import Any, Literal, TypeVar

__all__ = [
    "Disposition",
    "Finding",
    "Item",
    "Module",
    "Number",
    "Result",
    "Script",
    "Severity",
    "Slurm2flyteError",
    "Verdict",
    "binary",
    "convert",
    "convert_files",
    "version",
]

Severity = Literal["note", "warning", "decision", "error"]
Verdict = Literal[
    "ready", "ready_with_notes", "needs_decision", "keep_on_slurm", "not_converted"
]
Disposition = Literal[
    "converted",
    "adjusted",
    "decision",
    "platform",
    "kept",
    "dropped",
    "inert",
    "comment",
]
T = TypeVar("T")


class Slurm2flyteError(Exception):
    """The program could not do what it was asked; the text is its own message."""


@dataclass(frozen=True)
class Module:
    """A Flyte module."""

    path: str  # where it belongs, beside its script
    text: str
    scripts: tuple[str, ...]  # the scripts that it stands for
    entry: str | None  # the task to run: flyte run PATH ENTRY


@dataclass(frozen=True)
class Number:
    """One quantity: what was asked of Slurm, what Flyte is given, and the arithmetic between."""

    asked: str
    given: str
    how: str


@dataclass(frozen=True)
class Item:
    """One directive, option, statement or comment of a script, and what became of it."""

    line: int
    end_line: int
    column: int
    text: str
    disposition: Disposition
    why: str
    rule: str | None
    output_lines: tuple[int, ...]  # lines of the module that came from it


@dataclass(frozen=True)
class Finding:
    """What a person should know, or must decide."""

    id: str  # stays the same as long as the text it is about does
    rule: str  # "S2F210"
    severity: Severity
    line: int
    column: int
    end_line: int
    end_column: int
    message: str
    slurm_does: str
    output_does: str
    choices: tuple[str, ...]
    default: str | None  # the choice that was taken
    config_key: str | None  # of slurm2flyte.toml, where that can answer it
    output_lines: tuple[int, ...]


@dataclass(frozen=True)
class Script:
    """The review of one script."""

    path: str
    kind: Literal["job", "driver", "both", "template", "other"]
    verdict: Verdict
    output: str | None  # the path of its module
    entry: str | None
    lines: int  # with content
    lines_accounted: int
    numbers: tuple[Number, ...]
    items: tuple[Item, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class Result:
    """What became of the scripts of one conversion."""

    modules: tuple[Module, ...]
    scripts: tuple[Script, ...]
    review: Mapping[str, Any]  # the whole review, schema slurm2flyte-review/1

    @property
    def module(self) -> Module:
        """The module, where there is one; Slurm2flyteError where there is none or several."""
        if len(self.modules) != 1:
            reasons = "; ".join(finding.message for finding in self.errors)
            message = f"there are {len(self.modules)} modules, not one"
            raise Slurm2flyteError(f"{message}: {reasons}" if reasons else message)
        return self.modules[0]

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(finding for script in self.scripts for finding in script.findings)

    @property
    def decisions(self) -> tuple[Finding, ...]:
        """Questions that somebody has to answer."""
        return self._of("decision")

    @property
    def errors(self) -> tuple[Finding, ...]:
        """What sbatch itself refuses."""
        return self._of("error")

    def _of(self, severity: Severity) -> tuple[Finding, ...]:
        return tuple(each for each in self.findings if each.severity == severity)


def binary() -> str:
    """The path of the program: $SLURM2FLYTE_BINARY, the one of this installation, or that of PATH."""
    named = os.environ.get("SLURM2FLYTE_BINARY")
    if named:
        return named
    package = Path(__file__).resolve().parent
    places = [
        Path(sysconfig.get_path("scripts")),
        Path(sysconfig.get_path("scripts", f"{os.name}_user")),
        package.parent / "bin",  # pip install --target
    ]
    for place in places:
        program = place / "slurm2flyte"
        if program.is_file() and os.access(program, os.X_OK):
            return str(program)
    found = shutil.which("slurm2flyte")
    if found:
        return found
    raise Slurm2flyteError(
        "the program slurm2flyte was not found; install this package again, or name the program in "
        "SLURM2FLYTE_BINARY"
    )


def version() -> str:
    """Of the program: "0.1.0"."""
    return json.loads(_run(["--version", "--json"], Path.cwd()).stdout)["version"]


def convert(
    text: str | bytes,
    *,
    name: str = "job.sh",
    files: Mapping[str, str | bytes] | None = None,
    site: str | None = None,
    keep_going: bool = False,
) -> Result:
    """Converts one script.

    `name` is what it would be called, `files` what lies beside it (payloads, scripts that it
    submits, requirements.txt), and `site` the text of a slurm2flyte.toml. A script that sbatch
    refuses has no module unless `keep_going`; its findings say why. Paths in the result are
    relative to the directory that the script would lie in.
    """
    with tempfile.TemporaryDirectory(prefix="slurm2flyte-") as folder:
        root = Path(folder) / "scripts"
        root.mkdir()
        # The root of a repository: the search for a site file ends here.
        (root / ".git").mkdir()
        for path, content in {**(files or {}), name: text}.items():
            target = root / _inside(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(
                content if isinstance(content, bytes) else content.encode()
            )
        if site is not None:
            (root / "slurm2flyte.toml").write_text(site, encoding="utf-8")
        return _convert([name], root, Path(folder) / "out", keep_going)


def convert_files(
    paths: Iterable[str | os.PathLike[str]], *, keep_going: bool = False
) -> Result:
    """Converts scripts where they lie, with the site file that holds for them. Writes nothing there."""
    with tempfile.TemporaryDirectory(prefix="slurm2flyte-") as folder:
        names = [os.fspath(path) for path in paths]
        return _convert(names, Path.cwd(), Path(folder), keep_going)


def _inside(path: str) -> PurePosixPath:
    pure = PurePosixPath(path)
    if pure.is_absolute() or ".." in pure.parts or not pure.parts:
        raise ValueError(f"{path!r} does not lie beside the script")
    return pure


def _run(arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith("SLURM2FLYTE_")
    }
    done = subprocess.run(
        [binary(), *arguments],
        cwd=folder,
        env={**environment, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode not in (0, 1):
        raise Slurm2flyteError(done.stderr.strip() or f"exit status {done.returncode}")
    return done


def _convert(names: list[str], folder: Path, out: Path, keep_going: bool) -> Result:
    report = out / "review.json"
    options = [
        "--out-dir",
        str(out),
        "--report",
        str(report),
        "--fail-on",
        "never",
        "--quiet",
    ]
    if keep_going:
        options.append("--keep-going")
    out.mkdir(exist_ok=True)
    # What stands behind `--` is a path, whatever it begins with.
    _run(["convert", *options, "--", *names], folder)
    review = json.loads(report.read_text(encoding="utf-8"))
    scripts = tuple(_script(each) for each in review["inputs"])
    modules = []
    for path in dict.fromkeys(script.output for script in scripts if script.output):
        parts = [script for script in scripts if script.output == path]
        where = Path(path)
        text = (where if where.is_absolute() else folder / where).read_text(
            encoding="utf-8"
        )
        modules.append(
            Module(
                path=os.path.relpath(where, out) if where.is_absolute() else path,
                text=text,
                scripts=tuple(script.path for script in parts),
                entry=parts[0].entry,
            )
        )
    return Result(modules=tuple(modules), scripts=scripts, review=review)


def _typed(kind: type[T], values: Mapping[str, Any]) -> T:
    """A dataclass from JSON; fields that this version does not know are passed over."""
    known = {each.name for each in fields(kind)}  # type: ignore[arg-type]
    return kind(
        **{
            key: tuple(value) if isinstance(value, list) else value
            for key, value in values.items()
            if key in known
        }
    )


def _script(values: Mapping[str, Any]) -> Script:
    return _typed(
        Script,
        {
            **values,
            "numbers": tuple(_typed(Number, each) for each in values["numbers"]),
            "items": tuple(_typed(Item, each) for each in values["items"]),
            "findings": tuple(_typed(Finding, each) for each in values["findings"]),
        },
    )
