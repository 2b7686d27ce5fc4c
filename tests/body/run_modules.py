"""Runs the tasks of converted modules, many a process, without the SDK's controller.

A request is {"module", "entry", "arguments", "environment", "stdout"}, an answer {"status", "error"}.
Flyte is imported once; each module runs in a fork of its own.
"""

import asyncio
import importlib.util
import inspect
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import flyte  # noqa: F401 - so that each fork has it already


def run_module(request: dict[str, Any]) -> dict[str, Any]:
    path = Path(request["module"])
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(path.parent)
    descriptor = os.open(request["stdout"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(descriptor, 1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function = getattr(module, request["entry"]).func
    names = inspect.signature(function).parameters
    given = {k: v for k, v in request["arguments"].items() if k in names}
    for hands_over in ("keep", "keep_all"):  # needs a cluster's storage
        if hasattr(module, hands_over):
            setattr(module, hands_over, nothing)
    try:
        asyncio.run(function(**given))
    except subprocess.CalledProcessError as error:
        code = error.returncode
        return {"status": code if code >= 0 else 128 - code, "error": ""}
    return {"status": 0, "error": ""}


async def nothing(*_: Path) -> None:
    """Hand over no file."""


def serve(request: dict[str, Any]) -> dict[str, Any]:
    reading, writing = os.pipe()
    if os.fork() == 0:
        answer: dict[str, Any] = {"status": None}
        try:
            answer = run_module(request)
            sys.stdout.flush()
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is the answer
            answer = {"status": None, "error": f"{type(error).__name__}: {error}"}
        finally:
            os.write(writing, json.dumps(answer)[:60_000].encode())
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        answer = json.loads(pipe.read())
    os.wait()
    return answer


def main() -> None:
    for line in sys.stdin:
        print(json.dumps(serve(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
