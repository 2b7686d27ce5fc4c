#!/usr/bin/env python3
"""Builds the documentation site: docs/build_site.py pages OUT, or docs/build_site.py build OUT.

`pages` puts the pages of docs/ into OUT together with those that are made here: what becomes of each
construct, option, variable and command (from the tables of grammar/ and from what the program
prints), a page for each rule, and a gallery of the golden cases with their reports. Nothing of that
is written by hand, so nothing of it can be out of date. `build` makes a site of them in OUT/site and
fails on any link that leads nowhere.
"""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
GOLDEN = ROOT / "tests" / "golden"
FAMILIES = {
    "1": "The header",
    "2": "Resources",
    "3": "Arrays and dependencies",
    "4": "The body",
    "5": "The environment",
    "6": "Data",
    "7": "Several nodes and MPI",
    "8": "Security",
    "9": "The review itself",
}


def binary() -> str:
    return os.environ.get("S2F_BINARY") or str(ROOT / "build" / "dev" / "slurm2flyte")


def rows(table: str) -> list[dict[str, Any]]:
    return json.loads((ROOT / "grammar" / f"{table}.json").read_text())["rows"]


def printed(*arguments: str, folder: Path) -> str:
    """What the program prints, whatever its exit status; a crash is none of those."""
    done = subprocess.run(
        [binary(), *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
        check=False,
    )
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{arguments}: exit status {done.returncode}\n{done.stdout}")
    return done.stdout


def fenced(text: str, language: str) -> str:
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}\n"


def folded(title: str, text: str) -> str:
    """A block that is closed until somebody opens it."""
    inside = "\n".join(f"    {line}".rstrip() for line in text.splitlines())
    return f'??? note "{title}"\n\n{inside}\n'


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")


def table(heads: list[str], lines: list[list[str]]) -> str:
    out = f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}\n"
    return out + "".join(f"| {' | '.join(line)} |\n" for line in lines)


def rule_link(code: str) -> str:
    return f"[{code}](../rules/{code}.md)" if code else ""


def is_task(node: ast.stmt) -> bool:
    return isinstance(node, ast.AsyncFunctionDef | ast.FunctionDef) and any(
        "task" in ast.unparse(decorator) for decorator in node.decorator_list
    )


def shown_part(module: str) -> str:
    """The environments and tasks of a module: without imports, helpers and the way to start it."""
    tree = ast.parse(module)
    lines = module.splitlines()
    body = [
        node for node in tree.body if not isinstance(node, ast.Import | ast.ImportFrom)
    ]
    kept = []
    end = 0
    for node in body:
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if is_text or isinstance(node, ast.If):
            end = node.end_lineno or 0
            continue
        start = node.lineno
        if isinstance(node, ast.AsyncFunctionDef | ast.FunctionDef | ast.ClassDef):
            start = min([start, *(each.lineno for each in node.decorator_list)])
        while start > end + 1 and lines[start - 2].startswith("#"):
            start -= 1
        end = node.end_lineno or start
        is_helper = not is_task(node) and isinstance(
            node, ast.AsyncFunctionDef | ast.FunctionDef | ast.ClassDef
        )
        text = "\n".join(lines[start - 1 : end])
        if is_helper or re.match(r"(HERE|T) = ", text):
            continue
        gap = "\n\n\n" if is_task(node) else "\n\n"
        kept.append((gap if kept else "") + text)
    return "".join(kept)


def findings(printed_text: str) -> str:
    """What a conversion said, without how to run the result."""
    return printed_text.split("\nRun it:\n")[0].strip()


def constructs_page(work: Path) -> str:
    out = [
        "# What becomes of each construct\n",
        "Each script below was converted by the program itself. Of the modules the imports and the",
        "helper functions, which are the same everywhere, are folded away. Tables of everything:",
        "[options](options.md), [variables](variables.md), [commands](commands.md).\n",
    ]
    for group in json.loads((DOCS / "constructs" / "constructs.json").read_text()):
        out.append(f"## {group['group']}\n")
        for construct in group["constructs"]:
            folder = Path(tempfile.mkdtemp(dir=work))
            shutil.copytree(DOCS / "constructs", folder, dirs_exist_ok=True)
            script = construct["script"]
            said = printed("convert", script, folder=folder)
            out.append(f"### {construct['title']}\n\n{construct['text']}\n")
            for name in [script, *construct.get("others", [])]:
                text = (folder / name).read_text()
                out.append(fenced(text, f'bash title="{name}"'))
            module = folder / f"{Path(script).stem}_flyte.py"
            if module.exists():
                text = module.read_text()
                out.append(fenced(shown_part(text), f'python title="{module.name}"'))
                out.append(folded("The whole module", fenced(text, "python")))
            out.append(folded("What the program says", fenced(findings(said), "text")))
    return "\n".join(out)


def options_page() -> str:
    out = [
        "# Options of sbatch\n",
        "What becomes of every option, in a directive, in `SBATCH_*` or on a command line that a",
        "driver writes. `slurm2flyte options NAME` prints the same.\n",
    ]
    titles = {
        "sbatch": "sbatch",
        "plugin": "Plugins of sites (SPANK)",
        "srun": "Known to srun alone; sbatch refuses them",
        "salloc": "Known to salloc alone; sbatch refuses them",
        "pbs": "Of #PBS lines, taken and ignored",
    }
    options = rows("sbatch-options")
    for program, title in titles.items():
        lines = []
        for row in options:
            if row["program"] != program:
                continue
            names = [f"`--{row['name']}`"] + (
                [f"`-{row['short']}`"] if row["short"] else []
            )
            notes = [
                row.get("since") and f"since {row['since']}",
                row.get("until") and f"until {row['until']}",
                row.get("same_as") and f"now `--{row['same_as']}`",
                row.get("plugin"),
            ]
            said = "; ".join(note for note in notes if note)
            variable = row.get("environment") or ""
            lines.append(
                [
                    ", ".join(names),
                    f"`{variable}`" if variable else "",
                    row["disposition"],
                    cell(row["becomes"]) + (f" ({cell(said)})" if said else ""),
                    rule_link(row["rule"]),
                ]
            )
        out.append(f"## {title}\n")
        out.append(table(["Option", "Variable", "Is", "Becomes", "Rule"], lines))
    out.append("## #PBS and #BSUB\n")
    out.append(
        "Directives of two other systems that sbatch obeys, and the option each stands for.\n"
    )
    out.append(
        table(
            ["Directive", "Option"],
            [
                [
                    f"`#{row['dialect']} -{row['short'] or row['long']}`",
                    f"`--{row['option']}`" if row.get("option") else "nothing",
                ]
                for row in rows("foreign-directives")
            ],
        )
    )
    return "\n".join(out)


def variables_page() -> str:
    lines = [
        [
            f"`{row['name']}`",
            cell(row["meaning"]),
            cell(str(row["set_when"])),
            cell(row["counterpart"]) or "none",
        ]
        for row in rows("slurm-variables")
    ]
    return (
        "# Variables of Slurm\n\nWhat Slurm sets in the batch shell, and what stands for it in a task."
        " A variable without a counterpart that a script reads is a finding.\n\n"
        + table(["Variable", "Means", "Set when", "In Flyte"], lines)
    )


def commands_page() -> str:
    becomes = {
        "shows": "left out where nobody reads what it prints",
        "hostname": "`hostname`, on one node",
        "copy": "`cp`, on one node",
        "about_job": "left out with a question, where it is about this job",
        "stays": "the job stays on Slurm",
    }
    lines = [
        [f"`{row['name']}`", becomes[row["becomes"]], cell(row["instead"])]
        for row in rows("slurm-commands")
    ]
    kinds = {
        "mpi": "starts the ranks of an MPI program: the job stays on Slurm",
        "slurm": "talks to Slurm",
        "step": "a step",
        "submit": "submits a job",
    }
    launchers = [
        [f"`{row['name']}`", kinds.get(row["kind"], row["kind"])]
        for row in rows("launchers")
    ]
    return (
        "# Slurm's commands inside a job\n\nWhat becomes of them where a script calls them. What a"
        " person types instead is on [another page](../commands.md).\n\n"
        + table(["Command", "Becomes", "Instead"], lines)
        + "\n## Launchers\n\n"
        + table(["Command", "Is"], launchers)
    )


def example_head(fence: re.Match[str]) -> str:
    """Above an example of a rule's page, what the program says of it."""
    language, option, role = fence.groups()
    says = "Raises it" if role == "raises" else "Does not"
    return f"{says}{f', with `{option}`' if option else ''}:\n\n```{language}"


def rule_page(path: Path, rule: dict[str, Any]) -> str:
    text = path.read_text()
    text = re.sub(
        r"(?m)^```(\w+)(?: option=(\S+))? (raises|quiet).*$", example_head, text
    )
    text = re.sub(r"(?m)^```(\w+) file=(\S+)$", r'```\1 title="\2"', text)
    head, _, rest = text.partition("\n")
    return f"{head}\n\n*{rule['severity']}*: {rule['title']}.\n{rest}"


def rules_index(rules: list[dict[str, Any]]) -> str:
    out = [
        "# Rules\n",
        "Everything that a review can say. `slurm2flyte explain CODE` prints the same pages.\n",
    ]
    for digit, title in FAMILIES.items():
        lines = [
            [f"[{row['code']}]({row['code']}.md)", row["severity"], cell(row["title"])]
            for row in rules
            if row["code"][3] == digit
        ]
        if lines:
            out += [f"## {title}\n", table(["Rule", "Grade", "Says"], lines)]
    return "\n".join(out)


def gallery(pages: Path, work: Path) -> list[str]:
    """A page for each golden case, its review, and the page that a person signs."""
    sys.path.insert(0, str(ROOT / "tests" / "judge"))
    from golden_cases import cases

    index = [
        "# Gallery\n",
        "Small scripts, each with the modules that it became, its review, and the page on which a",
        "person signs. These are the project's own golden tests.\n",
    ]
    names = []
    for case in cases():
        inputs = work / f"gallery-{case.name}"
        inputs.mkdir()
        case.copy_inputs(inputs)
        files = sorted(path for path in inputs.rglob("*") if path.is_file())
        printed("convert", *case.arguments, "--report", "report.html", folder=inputs)
        folder = pages / "gallery" / case.name
        folder.mkdir(parents=True)
        title = case.name.replace("_", " ").capitalize()
        out = [f"# {title}\n"]
        reports = []
        if (inputs / "report.html").exists():
            shutil.copy(inputs / "report.html", folder / "report.html")
            reports.append("[the page to sign](report.html)")
        reviews = [name for name in case.expectation() if name.endswith(".review.md")]
        for name in reviews:
            target = f"{Path(name).stem.removesuffix('.review')}-review.md"
            (folder / target).write_text(case.expectation()[name])
            reports.append(
                f"[review of {Path(name).stem.removesuffix('.review')}]({target})"
            )
        out.append(
            f"Reports: {', '.join(reports)}\n" if reports else "No report: refused.\n"
        )
        asked = " ".join(case.arguments)
        out.append(f"`slurm2flyte convert {asked}`\n")
        for path in files:
            try:
                text = path.read_text()
            except UnicodeDecodeError:
                continue
            if text.strip():
                name = path.relative_to(inputs).as_posix()
                language = {".py": "python", ".toml": "toml", ".sh": "bash"}.get(
                    path.suffix, "text"
                )
                out.append(fenced(text, f'{language} title="{name}"'))
        out.append("## Becomes\n")
        for name, text in case.expectation().items():
            if name.endswith(".py"):
                out.append(fenced(text, f'python title="{name}"'))
        out.append("## What the program says\n")
        out.append(fenced(case.expectation()["terminal.txt"], "text"))
        (folder / "index.md").write_text("\n".join(out))
        verdicts = re.findall(r": ([A-Z ]+?) \(", case.expectation()["terminal.txt"])
        index.append(
            f"- [{title}]({case.name}/index.md): {', '.join(dict.fromkeys(verdicts))}"
        )
        names.append(case.name)
    (pages / "gallery" / "index.md").write_text("\n".join(index) + "\n")
    return names


def make_pages(pages: Path) -> None:
    shutil.rmtree(pages, ignore_errors=True)
    (pages / "rules").mkdir(parents=True)
    (pages / "mapping").mkdir()
    for path in sorted(DOCS.rglob("*")):
        inner = path.relative_to(DOCS)
        if inner.parts[0] in ("rules", "constructs") or path.suffix not in (
            ".md",
            ".json",
        ):
            continue
        target = pages / inner
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    shutil.copy(ROOT / "CHANGELOG.md", pages / "changelog.md")
    rules = rows("rules")
    for rule in rules:
        path = DOCS / "rules" / f"{rule['code']}.md"
        (pages / "rules" / path.name).write_text(rule_page(path, rule))
    (pages / "rules" / "index.md").write_text(rules_index(rules))
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(scratch)
        (pages / "mapping" / "index.md").write_text(constructs_page(work))
        gallery(pages, work)
    (pages / "mapping" / "options.md").write_text(options_page())
    (pages / "mapping" / "variables.md").write_text(variables_page())
    (pages / "mapping" / "commands.md").write_text(commands_page())


def build(out: Path) -> int:
    out.mkdir(parents=True, exist_ok=True)
    make_pages(out / "pages")
    settings = (DOCS / "mkdocs.yml").read_text()
    (out / "mkdocs.yml").write_text(settings + "docs_dir: pages\nsite_dir: site\n")
    done = subprocess.run(
        # Not --quiet: that would hide warnings from --strict, too.
        [sys.executable, "-m", "mkdocs", "build", "--strict"],
        cwd=out,
        check=False,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )
    return done.returncode


def main() -> int:
    if len(sys.argv) != 3 or sys.argv[1] not in ("pages", "build"):
        print(__doc__, file=sys.stderr)
        return 2
    out = Path(sys.argv[2]).resolve()
    if sys.argv[1] == "build":
        return build(out)
    make_pages(out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
