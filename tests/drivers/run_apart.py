"""Runs modules as `run_modules.py` does, but every task in a copy of the folder of its own.

So a task sees what the folder held before the run, what its parameters bring, and nothing that another
task wrote: as on a cluster. log.txt alone is shared.
"""

import contextvars
import functools
import importlib.util
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import flyte

CURRENT: contextvars.ContextVar[Path] = contextvars.ContextVar("CURRENT")


class Here(os.PathLike[str]):
    """HERE of the task that asks."""

    def __truediv__(self, other: str | Path) -> Path:
        return CURRENT.get() / other

    def __fspath__(self) -> str:
        return str(CURRENT.get())

    def __str__(self) -> str:
        return str(CURRENT.get())

    def __getattr__(self, name: str) -> Any:
        return getattr(CURRENT.get(), name)


def apart(
    function: Callable[..., Awaitable[Any]], folder: Path, top: Path
) -> Callable[..., Awaitable[Any]]:
    @functools.wraps(function)
    async def run(*arguments: Any, **named: Any) -> Any:
        copy = Path(tempfile.mkdtemp(prefix=f"{function.__name__}-", dir=top))
        shutil.copytree(folder, copy, dirs_exist_ok=True, symlinks=True)
        (copy / "log.txt").symlink_to(top / "log.txt")
        token = CURRENT.set(copy)
        try:
            return await function(*arguments, **named)
        finally:
            CURRENT.reset(token)

    return run


def run(number: int, wanted: dict[str, Any]) -> str:
    folder = Path(wanted["folder"])
    path = folder / wanted["module"]
    name = f"apart_{number}"
    top = Path(tempfile.mkdtemp(prefix="apart-", dir=folder.parent))
    (top / "log.txt").touch()
    before = dict(os.environ)
    os.environ.update(wanted["environment"])
    os.chdir(folder)
    CURRENT.set(folder)
    sys.path.insert(0, str(folder))
    try:
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        for each in [module, *(sys.modules[m] for m in wanted.get("imports", []))]:
            if hasattr(each, "HERE"):
                each.HERE = Here()
            for helper in list(vars(each).values()):
                defaults = getattr(helper, "__defaults__", None) or ()
                if folder in defaults:
                    helper.__defaults__ = tuple(
                        Here() if one == folder else one for one in defaults
                    )
                named = getattr(helper, "__kwdefaults__", None) or {}
                for key, one in named.items():
                    named[key] = Here() if one == folder else one
            for value in vars(each).values():
                if isinstance(value, flyte.TaskEnvironment):
                    for task in value.tasks.values():
                        if not hasattr(task.func, "apart"):
                            task.func = apart(task.func, folder, top)
                            task.func.apart = True
        task = getattr(module, wanted["entry"])
        flyte.with_runcontext(mode="local").run(task, **wanted["arguments"])
    except BaseException as error:  # noqa: BLE001
        return f"{type(error).__name__}: {error}"
    finally:
        sys.path.remove(str(folder))
        os.environ.clear()
        os.environ.update(before)
        (folder / "log.txt").write_text((top / "log.txt").read_text())
    return ""


def main() -> None:
    flyte.init()
    wanted = json.load(sys.stdin)
    print("\n" + json.dumps([run(number, each) for number, each in enumerate(wanted)]))


if __name__ == "__main__":
    main()
