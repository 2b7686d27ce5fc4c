"""Runs modules in one process, each in its own folder: JSON lists in and out.

stdin: [{"folder", "module", "entry", "arguments", "folders", "environment"}]; stdout, last line: ["" or what
went wrong].
"""

import importlib.util
import json
import os
import sys
from pathlib import Path
from typing import Any

from flyte.io import Dir

import flyte


def run(number: int, wanted: dict[str, Any]) -> str:
    path = Path(wanted["folder"]) / wanted["module"]
    name = f"module_{number}"
    before = dict(os.environ)
    os.environ.update(wanted["environment"])
    os.chdir(wanted["folder"])
    try:
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        task = getattr(module, wanted["entry"])
        given = dict(wanted["arguments"])
        for name in wanted.get("folders", ()):
            given[name] = Dir(path=str(Path(given[name]).resolve()))
        flyte.with_runcontext(mode="local").run(task, **given)
    except BaseException as error:  # noqa: BLE001
        return f"{type(error).__name__}: {error}"
    finally:
        os.environ.clear()
        os.environ.update(before)
    return ""


def main() -> None:
    flyte.init()
    wanted = json.load(sys.stdin)
    print("\n" + json.dumps([run(number, each) for number, each in enumerate(wanted)]))


if __name__ == "__main__":
    main()
