#!/usr/bin/env python3
"""How far one site file goes: what ten answers close of the open decisions of a repository.

    site_answers.py DIRECTORY [--binary FILE] [--least N] [--every N] [--show N]

DIRECTORY holds scripts with an index.tsv (file, origin, path) that says in which repository each
lay. For every repository with at least --least scripts, the ten answers that close most are written
into a slurm2flyte.toml and the repository is audited again with it: what is counted are the
decisions that are open no more. The answers are of two kinds, and counted apart as well: those that
say what a name of the site means, and `rules.ignore`, which takes the default of a rule everywhere.
"""

import argparse
import collections
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
# What a person would write, by the key's table and last part; * stands for every name.
ANSWERS = {
    "partitions": ("queue", '""'),
    "qos": ("queue", '""'),
    "accounts": ("project", '"lab"'),
    "constraints": ("ignore", "true"),
    "modules": ("ignore", "true"),
    "environments": ("image", '"ghcr.io/lab/base:1"'),
    "gpus": ("", '"any"'),
    "secrets": ("", '"key"'),
    "paths": ("as", '"volume"'),
    "requeue": ("retries", "3"),
    "mail": ("notify", "true"),
    "timeout": ("default", '"24h"'),
    "slurm": ("", ""),
    "errors": ("errexit", '"strict"'),
    "image": ("default", '"ghcr.io/lab/base:1"'),
}
SLURM = (
    'host = "login.example.org"\nusername = "flyte"\n'
    'ssh_key_secret = "key"\nsubmit_dir = "/home/lab"\n'
)
# Tables whose names a wildcard may stand for in one answer. A path says by its first part what it
# is, so a wildcard there stands for what lies below that.
WILD = ("partitions", "qos", "accounts", "constraints", "modules", "environments")
MOST = 10


def repositories(directory: Path, least: int, tree: Path) -> list[Path]:
    """Scripts where the index says that they lay; those with fewer are left out."""
    _, *rows = (directory / "index.tsv").read_text(errors="replace").splitlines()
    found = collections.defaultdict(list)
    for row in rows:
        file, origin, path = row.split("\t")[:3]
        if (directory / file).is_file() and ".." not in path:
            found[origin].append((directory / file, path.lstrip("/")))
    kept = []
    for origin, files in sorted(found.items()):
        if len(files) < least:
            continue
        for file, path in files:
            place = tree / origin / path
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, place)
        (tree / origin / ".git").mkdir()
        kept.append(tree / origin)
    return kept


def audit(binary: str, repository: Path, config: Path | None = None) -> dict[str, Any]:
    done = subprocess.run(
        [binary, "audit", ".", "--format", "json", "--top", "0"]
        + (["--config", str(config)] if config else []),
        cwd=repository,
        capture_output=True,
        text=True,
        check=False,
    )
    if "no job script was found" in done.stderr:
        return {"open_decisions": 0}
    if not done.stdout.startswith("{"):
        raise RuntimeError(f"{repository}: {done.stderr[:500]}")
    return json.loads(done.stdout)


def group_of(key: str, wild: bool) -> str:
    """The answer that a key belongs to: with a wildcard all names of a table have one."""
    table = key.split(".")[0]
    if table == "slurm" or (wild and table in WILD):
        return table
    return key


def text_of(answer: str, wild: bool) -> str:
    """The answer as lines of the site file, but for rules.ignore."""
    table, _, name = answer.partition(".")
    last, value = ANSWERS[table]
    if table == "slurm":
        return f"[slurm]\n{SLURM}"
    if wild and table in WILD and not name:
        return f'[{table}."*"]\n{last} = {value}\n'
    if table in ("gpus", "secrets"):
        return f"[{table}]\n{name} = {value}\n"
    if not last or "." not in answer or name == last or table in ("requeue", "mail"):
        return f"[{table}]\n{last} = {value}\n"
    name = name.removesuffix(f".{last}").removesuffix(".project").removesuffix(".queue")
    return f"[{table}.{name}]\n{last} = {value}\n"


def share(
    binary: str, repository: Path, before: dict[str, Any], wild: bool, names: bool
) -> float:
    """Of the open decisions, those that the ten answers which close most do close."""
    sums: collections.Counter[str] = collections.Counter()
    for row in before["answers"]:
        ignore = row["key"].startswith("rules.ignore")
        if not (names and ignore):
            sums[group_of(row["key"], wild)] += row["decisions"]
    best = [answer for answer, _ in sums.most_common(MOST)]
    rules = [a.split('"')[1] for a in best if a.startswith("rules.ignore")]
    tables: dict[str, str] = {}
    for answer in best:
        if not answer.startswith("rules.ignore"):
            head, _, body = text_of(answer, wild).partition("\n")
            tables[head] = tables.get(head, "") + body
    config = repository / "slurm2flyte.toml"
    text = "".join(f"{head}\n{body}" for head, body in tables.items())
    config.write_text(
        text + (f"[rules]\nignore = {json.dumps(rules)}\n" if rules else "")
    )
    try:
        after = audit(binary, repository)
    finally:
        config.unlink()
    return 1 - after["open_decisions"] / before["open_decisions"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("directory", type=Path)
    default = ROOT / "build" / "dev" / "slurm2flyte"
    parser.add_argument("--binary", default=os.environ.get("S2F_BINARY", str(default)))
    parser.add_argument("--least", type=int, default=8)
    parser.add_argument("--every", type=int, default=1, help="take each Nth repository")
    parser.add_argument("--show", type=int, default=15)
    options = parser.parse_args()
    shares: dict[str, list[float]] = collections.defaultdict(list)
    left: collections.Counter[str] = collections.Counter()
    with tempfile.TemporaryDirectory() as scratch:
        found = repositories(options.directory, options.least, Path(scratch))
        for repository in found[:: options.every]:
            before = audit(options.binary, repository)
            if not before["open_decisions"]:
                continue
            for wild in (False, True):
                for names in (False, True):
                    label = ("wildcards" if wild else "plain names") + (
                        ", names of the site alone" if names else ""
                    )
                    shares[label].append(
                        share(options.binary, repository, before, wild, names)
                    )
            for row in before["answers"]:
                left[
                    row["key"]
                    if "ignore" in row["key"]
                    else group_of(row["key"], True).split(".")[0]
                ] += row["decisions"]
            for row in before["single_decisions"]:
                left[f"no key: {row['what']}"] += row["count"]
    for label, values in shares.items():
        print(
            f"ten answers close {statistics.median(values):.0%} of the open decisions"
            f" (median of {len(values)} repositories, {label})"
        )
    print("decisions by the answer that they want:")
    for what, count in left.most_common(options.show):
        print(f"{count:8} {what}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
