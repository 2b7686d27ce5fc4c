"""Each row of the tables that say what a name means: a job that uses the name becomes what its row says.

A row that is lost, or that says something else, fails its own test.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from rows import Case, Converted, Row, convert, table

MAKERS: dict[str, Callable[[Row], Case | None]] = {}


def rows_of(
    name: str,
) -> Callable[[Callable[[Row], Case | None]], Callable[[Row], Case | None]]:
    def add(maker: Callable[[Row], Case | None]) -> Callable[[Row], Case | None]:
        MAKERS[name] = maker
        return maker

    return add


def packages(answer: Converted, layer: str) -> set[str]:
    found = re.findall(rf"\.with_{layer}_packages\((.*?)\)", answer.flat)
    return {word for text in found for word in re.findall(r'"([^"]+)"', text)}


# What stands in the image.


@rows_of("python-packages")
def _(row: Row) -> Case:
    module = row["module"]
    return Case(
        module,
        "python t.py",
        lambda it: row["distribution"] in packages(it, "pip"),
        {"t.py": f"import {module}\n"},
    )


@rows_of("python-stdlib")
def _(row: Row) -> Case:
    module = row["module"]
    source = (
        "from __future__ import annotations\n"
        if module == "__future__"
        else f"import {module}\n"
    )
    return Case(
        module,
        "python t.py",
        lambda it: (
            it.module != ""
            and not packages(it, "pip")
            and module not in it.said("S2F507")
        ),
        {"t.py": source},
    )


@rows_of("conda-packages")
def _(row: Row) -> Case:
    name, means = row["name"], row["means"]

    def check(it: Converted) -> bool:
        found = packages(it, "pip")
        if means == "none":
            return it.module != "" and not found and f" {name}" not in it.said("S2F509")
        if means == "wheels":  # they come with what needs them
            return it.module != "" and name not in found and not it.raised("S2F509")
        return set(row["brings"].split() or [name]) <= found

    return Case(name, f"conda install -y {name}\npython -c 'print(1)'", check)


@rows_of("modules")
def _(row: Row) -> Case:
    name, means = row["name"], row["means"]

    def check(it: Converted) -> bool:
        said = it.said("S2F502")
        if means == "apt":
            return set(row["brings"].split()) <= packages(it, "apt")
        return (
            it.module != ""
            and not packages(it, "apt")
            and not re.search(rf"\b{name}\b", said)
        )

    return Case(name, f"module load {name}\n./sim", check, {"sim": "#!/bin/sh\n"})


@rows_of("package-programs")
def _(row: Row) -> Case:
    return Case(
        row["name"],
        f"pip install {row['package']}\n{row['name']} x",
        lambda it: not it.raised("S2F511") and not it.raised("S2F507"),
    )


@rows_of("base-programs")
def _(row: Row) -> Case | None:
    name = row["name"]
    return Case(name, f"{name} date", lambda it: not it.raised("S2F511"))


@rows_of("gpus")
def _(row: Row) -> Case:
    return Case(
        row["name"],
        f"#SBATCH --gres=gpu:{row['name']}:1\n./sim",
        lambda it: f'"{row["flyte"]}' in it.flat,
        {"sim": "#!/bin/sh\n"},
    )


# What programs do.


@rows_of("container-options")
def _(row: Row) -> Case | None:
    program, option = row["option"].split(" ", 1)
    if program == "pyxis":
        return None
    argument = " x" if row["argument"] else ""
    command = {
        "apptainer": f"apptainer exec {option}{argument} docker://ubuntu:22.04 sim a",
        "docker": f"docker run {option}{argument} ubuntu:22.04 sim a",
        "shifter": f"shifter --image=ubuntu:22.04 {option}{argument} sim a",
        "ch-run": f"ch-run {option}{argument} ubuntu:22.04 -- sim a",
        "enroot": f"enroot start {option}{argument} ubuntu sim a",
    }[program]
    means = row["means"]

    def check(it: Converted) -> bool:
        if means == "image":
            return it.module != ""
        return re.search(r'\brun\( ?"sim", "a"', it.flat) is not None

    return Case(row["option"], command, check)


@rows_of("pip-options")
def _(row: Row) -> Case:
    option, means = row["option"], row["means"]
    argument = {
        "requirement": " r.txt",
        "find_links": " https://h/x",
        "index": " https://h/x",
    }.get(means, " https://h/x" if means == "extra_index" else " x")
    command = f"pip install {option}{argument if row['argument'] else ''} numpy\n./sim"

    def check(it: Converted) -> bool:
        layer = "numpy" in packages(it, "pip") or "with_requirements" in it.flat
        return layer == (means != "local") and it.module != ""

    return Case(option, command, check, {"sim": "#!/bin/sh\n", "r.txt": "scipy\n"})


@rows_of("wrappers")
def _(row: Row) -> Case:
    name = row["name"]
    first = [row["verbs"][0]] if row["verbs"] else []
    own = ["1"] * row["arguments"]
    inner = ["t.py"] if row["runs"] == "script" else ["python", "t.py"]
    start = ["python", "-m", name] if "." in name else [name]
    return Case(
        name,
        " ".join([*start, *first, *own, *inner]),
        lambda it: "numpy" in packages(it, "pip"),  # the payload was found
        {"t.py": "import numpy\n"},
    )


@rows_of("servers")
def _(row: Row) -> Case:
    name = row["name"]
    start = f"python -m {name}" if "." in name and not name.endswith(".sh") else name
    said = {
        "person": "serves a person",
        "service": "is a server",
        "tunnel": "carries a port",
        "waits": "only holds",
    }[row["kind"]]
    words = " ".join(row["words"][:1])
    return Case(name, f"{start} {words}", lambda it: said in it.said("S2F454"))


@rows_of("slurm-commands")
def _(row: Row) -> Case:
    name, becomes = row["name"], row["becomes"]

    def check(it: Converted) -> bool:
        stays = "SlurmScriptTask" in it.module
        if becomes == "stays":
            return stays
        return (
            not stays
            and name.split()[0] not in it.flat.replace(name, "", 0).split('"""')[-1]
        )

    tail = {"sbcast": "a /tmp/a"}.get(
        name, "" if "hostname" in name else "$SLURM_JOB_ID"
    )
    return Case(name, f"{name} {tail}\n./sim", check, {"sim": "#!/bin/sh\n"})


@rows_of("launchers")
def _(row: Row) -> Case | None:
    name, kind = row["name"], row["kind"]
    if kind == "mpi":
        return Case(
            name,
            f"#SBATCH -n 4\n{name} -n 4 ./sim",
            lambda it: "SlurmScriptTask" in it.module,
        )
    if kind == "query":
        return Case(
            name,
            f"{name}\n./sim",
            lambda it: f'"{name}"' not in it.flat and it.module != "",
        )
    return None


@rows_of("rank-programs")
def _(row: Row) -> Case:
    name, copies = row["name"], row["copies"]

    def check(it: Converted) -> bool:
        return ("SlurmScriptTask" in it.module) == (copies == "mpi") and it.module != ""

    tail = "" if name == "env" else " x"
    return Case(
        name,
        f"#SBATCH -N 2\n#SBATCH -n 4\nsrun {name}{tail}\n./sim",
        check,
        {"sim": "#!/bin/sh\n"},
    )


@rows_of("mpi-modules")
def _(row: Row) -> Case:
    return Case(
        row["name"],
        "#SBATCH -n 4\nsrun python t.py",
        lambda it: "SlurmScriptTask" in it.module,
        {"t.py": f"import {row['name']}\n"},
    )


@rows_of("workflow-managers")
def _(row: Row) -> Case:
    return Case(
        f"{row['name']} {row['words']}",
        f"{row['name']} {row['words']} x",
        lambda it: it.raised("S2F407"),
    )


@rows_of("quiet-programs")
def _(row: Row) -> Case:
    name = row["name"]
    filters = ("awk", "egrep", "fgrep", "grep", "sed")  # their text comes first
    words = {"[": "-f a.txt ]", "test": "-f a.txt", "env": ""} | dict.fromkeys(
        filters, "x a.txt"
    )
    words = words.get(name, "a.txt")
    script = (
        f"if {name} {words}; then sim; fi"
        if name in ("[", "test")
        else f"{name} {words}\nsim"
    )
    return Case(
        name,
        script,
        lambda it: (
            '"""Run sim (' in it.flat and ("a.txt" in it.said("S2F612")) == row["reads"]
        ),
    )


@rows_of("software-commands")
def _(row: Row) -> Case | None:
    command, means = row["command"], row["means"]
    if means not in ("show", "clear"):
        return None
    return Case(
        command,
        f"{command} x\n./sim",
        lambda it: (
            f'"{command.split()[0]}"' not in it.flat
            and "await bash" not in it.flat
            and it.module != ""
        ),
        {"sim": "#!/bin/sh\n"},
    )


@rows_of("software-files")
def _(row: Row) -> Case:
    ending = row["ending"]
    path = (
        ending
        if ending.startswith("/etc")
        else f"/opt/x{'' if ending.startswith('/') else '/'}{ending}"
    )
    return Case(
        ending,
        f"source {path}\n./sim",
        lambda it: (
            "await bash" not in it.flat
            and it.module != ""
            and (path in it.said("S2F501")) == (row["means"] == "personal")
        ),
        {"sim": "#!/bin/sh\n"},
    )


# What variables and options mean.


@rows_of("slurm-variables")
def _(row: Row) -> Case | None:
    name = row["name"]
    if not name.startswith("SLURM"):
        return None  # ENVIRONMENT: a parameter, and S2F403 asks for it
    array = "#SBATCH --array=1-2\n" if row["at_run_time"] == "index" else ""

    def check(it: Converted) -> bool:
        return (
            f"{name.lower()}: str" not in it.flat
            and "await bash" not in it.flat
            and it.module != ""
        )

    return Case(name, f'{array}./sim "${name}"', check, {"sim": "#!/bin/sh\n"})


@rows_of("ambient-variables")
def _(row: Row) -> Case:
    name = row["name"]

    def check(it: Converted) -> bool:
        return f"{name.lower()}: str" not in it.flat and it.module != ""

    return Case(name, f'./sim "${name}"', check, {"sim": "#!/bin/sh\n"})


@rows_of("search-paths")
def _(row: Row) -> Case:
    name = row["variable"]
    return Case(
        name,
        f"export {name}=/opt/x:${name}\n./sim",
        lambda it: (
            f"{name.lower()}: str" not in it.flat
            and row["holds"] in " ".join(it.said(f["rule"]) for f in it.findings)
        ),
        {"sim": "#!/bin/sh\n"},
    )


@rows_of("rank-variables")
def _(row: Row) -> Case:
    name = row["name"]
    script = f"#SBATCH -N 2\n#SBATCH --gpus-per-node=2\nexport {name}=x\nsrun torchrun --nnodes 2 --nproc_per_node 2 t.py"
    return Case(
        name,
        script,
        lambda it: (
            it.module != ""
            and f'"{name}": "x"' not in it.flat
            and "SlurmScriptTask" not in it.module
        ),
        {"t.py": "import torch.distributed\ntorch.distributed.init_process_group()\n"},
    )


@rows_of("output-flags")
def _(row: Row) -> Case:
    return Case(
        row["flag"],
        f"sim {row['flag']} made/here",
        lambda it: "made/here" in it.said("S2F604"),
    )


@rows_of("file-endings")
def _(row: Row) -> Case:
    return Case(
        row["ending"],
        f"sim in/a.{row['ending']}",
        lambda it: f"in/a.{row['ending']}" in it.said("S2F612"),
    )


@rows_of("path-places")
def _(row: Row) -> Case:
    head = row["head"]
    return Case(
        head,
        f"sim --x={head}/p/q",
        lambda it: (
            (it.raised("S2F601") or it.raised("S2F606")) == (row["place"] == "cluster")
        ),
    )


@rows_of("secrets")
def _(row: Row) -> Case:
    text = "a1B2" * 12
    if row["kind"] == "name":
        script = f"export MY_{row['prefix']}={text}\n./sim"
    else:
        text = row["prefix"] + text
        script = f"./sim --with {text}"
    return Case(
        row["prefix"],
        script,
        lambda it: (
            it.module != ""
            and text not in it.module
            and it.raised("S2F801")
            and row["variable"] in it.flat
        ),
        {"sim": "#!/bin/sh\n"},
    )


CASES = [
    (name, case)
    for name, maker in MAKERS.items()
    for row in table(name)
    if (case := maker(row)) is not None
]


@pytest.fixture(scope="session")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[Converted]:
    return convert([case for _, case in CASES], tmp_path_factory.mktemp("rows"))


@pytest.mark.parametrize("name", list(MAKERS))
def test_rows(name: str, answers: list[Converted]) -> None:
    wrong = [
        case.name
        for (of, case), answer in zip(CASES, answers, strict=True)
        if of == name and not case.check(answer)
    ]
    assert wrong == []
