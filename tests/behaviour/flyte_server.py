"""Runs converted modules through the SDK's local mode, many a process: one request a line.

A request is {"module", "entry", "arguments", "environment", "cwd", "stdout", "stderr", "timeout"},
an answer {"status", "error"}. The SDK is imported once; each module then runs in a fork of its own,
so that no module sees what another one did to the process.
"""

import asyncio
import gc
import importlib.util
import inspect
import json
import logging
import os
import re
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import flyte._internal.controllers._local_controller
import flyte._run
import flyte.errors
import flyte.io
from flyte.syncify._api import _BackgroundLoop

import flyte

DIED = re.compile(r"died with <Signals\.\w+: (\d+)>|died with unknown signal (\d+)")
ENDED = re.compile(r"returned non-zero exit status (\d+)")


def revive() -> None:
    """A fork has none of its parent's threads, and the SDK's loop runs in one."""
    for each in gc.get_objects():
        if type(each) is _BackgroundLoop:
            each.loop = asyncio.new_event_loop()
            each.thread = threading.Thread(target=each._run, daemon=True)
            each.thread.start()


def status_of(error: BaseException) -> int | None:
    """The exit status of the command that failed; None where something else went wrong."""
    code = getattr(error, "code", "")
    if code in ("FileNotFoundError", "PermissionError", "NotADirectoryError"):
        return -1  # a program or a file that is not there: of no certain number
    if code != "CalledProcessError":
        return 1 if "jobs failed" in str(error) else None
    if found := DIED.search(str(error)):
        return 128 + int(found[1] or found[2])
    found = ENDED.search(str(error))
    return int(found[1]) if found else None


def arguments_of(
    entry: Any, positional: list[str], named: dict[str, Any]
) -> dict[str, Any]:
    """The script's $1, $2, ... are the entry's first parameters, in their order."""
    parameters = inspect.signature(entry.func).parameters.values()
    rest, taken = list(positional), {}
    for parameter in parameters:
        if parameter.name in named:
            taken[parameter.name] = named[parameter.name]
        elif rest and "list" in str(parameter.annotation):
            taken[parameter.name], rest = rest, []
        elif rest:
            taken[parameter.name] = rest.pop(0)
    return taken


def run_module(request: dict[str, Any]) -> dict[str, Any]:
    revive()
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["cwd"])
    for name, number in (("stdout", 1), ("stderr", 2)):
        descriptor = os.open(
            request[name], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644
        )
        os.dup2(descriptor, number)
    path = Path(request["module"])
    sys.path.insert(0, str(path.parent))
    logging.disable(logging.CRITICAL)  # the SDK logs to standard output
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    try:
        spec.loader.exec_module(module)
        entry = getattr(module, request["entry"])
        flyte.init()
        arguments = arguments_of(entry, request["positional"], request["named"])
        raw = str(Path(request["stdout"]).parent / "raw")
        flyte.with_runcontext(mode="local", raw_data_path=raw).run(entry, **arguments)
    except Exception as error:  # noqa: BLE001 - whatever the module raises is its answer
        status = status_of(error)
        return {"status": status, "error": f"{type(error).__name__}: {error}"}
    return {"status": 0, "error": ""}


def serve(request: dict[str, Any]) -> dict[str, Any]:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        os.setpgid(0, 0)
        answer = {"status": None, "error": "the run did not end by itself"}
        try:
            answer = run_module(request)
            sys.stdout.flush()
        except BaseException as error:  # noqa: BLE001 - sys.exit too
            answer["error"] = f"{type(error).__name__}: {error}"
        finally:
            os.write(writing, json.dumps(answer)[:60_000].encode())
            os._exit(0)
    os.close(writing)
    until = time.monotonic() + request["timeout"]
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if time.monotonic() > until:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            break
        time.sleep(0.005)
    with os.fdopen(reading) as pipe:
        said = pipe.read()
    return json.loads(said) if said else {"status": None, "error": "killed or too slow"}


def main() -> None:
    for line in sys.stdin:
        print(json.dumps(serve(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
