"""The graph of the jobs in the report is what the module does.

Every task of a driver is put in place by one that only notes that it was started. Then, for each job
of the graph, one run in which that job does not end, and one in which it fails: what has started is
what the edges of the graph allow, and nothing else.
"""

import asyncio
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import ModuleType
from typing import Any, get_args, get_origin, get_type_hints

from cases import CASES as BY_HAND
from cases import DAGS

HERE = Path(__file__).parent
BINARY = os.environ.get(
    "S2F_BINARY", str(HERE.parents[1] / "build" / "dev" / "slurm2flyte")
)
STEP = 1 if os.environ.get("S2F_EVERY_DAG") else 10
CASES = BY_HAND | dict(list(DAGS.items())[::STEP])

Graph = dict[str, Any]


class Stub:
    """A task that notes its start."""

    def __init__(self, name: str, task: Any, start: Callable[[str], Awaitable[None]]):
        self.name, self.start = name, start
        returns = get_type_hints(task.func).get("return")
        parts = get_args(returns) if get_origin(returns) is tuple else None
        self.result = None if parts is None else (None,) * len(parts)

    async def __call__(self, *_: Any, **__: Any) -> Any:
        await self.start(self.name)
        return self.result

    def override(self, **_: Any) -> "Stub":
        return self


def plain(graph: Graph) -> bool:
    """Whether it has all that there is to say: each task once, and for certain."""
    names = [node["name"] for node in graph["nodes"]]
    notes = " ".join(node["note"] or "" for node in graph["nodes"])
    return len(set(names)) == len(names) and not any(
        word in notes
        for word in ("loop", "branch", "Slurm", ".py", "elements", "array")
    )


def started(graph: Graph, blocked: int | None, failed: int | None) -> set[str]:
    """What runs where one job does not end, or fails."""
    ends: dict[int, str] = {}
    names = [node["name"] for node in graph["nodes"]]
    for _ in names:
        for job in range(len(names)):
            before = [edge for edge in graph["edges"] if edge["to"] == job]
            allowed = {
                "afterok": ("ok",),
                "files": ("ok",),
                "afterany": ("ok", "failed"),
                "afternotok": ("failed",),
            }
            if job not in ends and all(
                ends.get(edge["from"]) in allowed[edge["kind"]] for edge in before
            ):
                ends[job] = (
                    "blocked" if job == blocked else "failed" if job == failed else "ok"
                )
    return {names[job] for job in ends}


async def run(module: ModuleType, blocked: str | None, failed: str | None) -> set[str]:
    """What the module starts, until nothing goes on."""
    seen: set[str] = set()

    async def start(name: str) -> None:
        seen.add(name)
        await asyncio.sleep(0)
        if name == blocked:
            await asyncio.Event().wait()
        if name == failed:
            message = "made to fail"
            raise RuntimeError(message)

    tasks = {
        name: task
        for name, task in vars(module).items()
        if hasattr(task, "override") and name != "main"
    }
    for name, task in tasks.items():
        setattr(module, name, Stub(name.removesuffix("_array"), task, start))
    running = asyncio.create_task(module.main.func())
    for _ in range(400):
        await asyncio.sleep(0)
    before = set(seen)  # what is cancelled may start more
    running.cancel()
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    for name, task in tasks.items():
        setattr(module, name, task)
    return before


def converted(name: str, folder: Path) -> tuple[Graph, Path] | None:
    for file, text in CASES[name].files().items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text)
    subprocess.run(
        [BINARY, "convert", "-q", "submit.sh", "--report", "review.json"],
        cwd=folder,
        capture_output=True,
        check=False,
    )
    review = json.loads((folder / "review.json").read_text())
    graph = review["inputs"][0].get("graph")
    if not graph or not graph["nodes"] or not plain(graph) or CASES[name].arguments:
        return None
    return graph, folder / "submit_flyte.py"


def test_module_runs_what_the_graph_says(tmp_path: Path) -> None:
    compared = edges = 0
    wrong = []
    for number, name in enumerate(CASES):
        # What the driver starts anew is one job, elements wait one by one, and what Slurm removes
        # from its queue has ended.
        if name.startswith(("restart_", "array_dag", "kill_")):
            continue
        folder = tmp_path / name
        folder.mkdir()
        found = converted(name, folder)
        if found is None:
            continue
        graph, path = found
        spec = importlib.util.spec_from_file_location(f"graph_{number}", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[f"graph_{number}"] = module
        spec.loader.exec_module(module)
        if not hasattr(module, "main"):
            continue
        names = [node["name"] for node in graph["nodes"]]
        assert {each for each in names if not hasattr(module, each)} == set(), name
        for job, task in enumerate(names):
            for blocked, failed in ((job, None), (None, job)):
                here = asyncio.run(
                    run(
                        module,
                        task if blocked is not None else None,
                        task if failed is not None else None,
                    )
                )
                if here != started(graph, blocked, failed):
                    wrong.append(
                        (name, task, "blocked" if failed is None else "fails", here)
                    )
        compared += 1
        edges += len(graph["edges"])
    assert not wrong
    assert compared >= 40
    assert edges >= 60
