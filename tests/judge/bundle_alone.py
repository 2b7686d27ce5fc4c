"""Prints what the SDK bundles with the module given; with `run`, runs the task in this directory alone.

bundle_alone.py bundle MODULE: the files, one a line. bundle_alone.py run MODULE TASK: what it prints.
"""

import asyncio
import importlib.util
import inspect
import sys
from pathlib import Path

from flyte._code_bundle._ignore import GitIgnore, StandardIgnore
from flyte._code_bundle._includes import collect_env_include_files
from flyte._code_bundle._packaging import list_files_to_bundle

import flyte


def main() -> None:
    path = Path.cwd() / sys.argv[2]
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    if sys.argv[1] == "bundle":
        environments = [
            each
            for each in vars(module).values()
            if isinstance(each, flyte.Environment)
        ]
        files, _ = list_files_to_bundle(
            Path.cwd(),
            True,
            StandardIgnore,
            GitIgnore,
            copy_style="loaded_modules",
            additional_files=collect_env_include_files(environments),
        )
        for file in files:
            print(Path(file).relative_to(Path.cwd()))
        return
    function = getattr(module, sys.argv[3]).func
    given = {"index": 2} if "index" in inspect.signature(function).parameters else {}
    asyncio.run(function(**given))


main()
