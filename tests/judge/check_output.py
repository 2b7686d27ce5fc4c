#!/usr/bin/env python3
"""Judges generated Flyte modules with the real SDK, offline.

    check_output.py [--no-types] [--sdk-only] MODULE_OR_DIRECTORY...

For every module, in one process with one import of flyte:
  import     the module imports
  serialize  every task of every environment becomes a TaskSpec; its triggers too
  resolve    each task is reachable by the name that the container will load it by
  semantics  what the SDK accepts but a cluster refuses: quantities, cron fields, time zones,
             missing include files, orphan tasks, blocking calls in async code, depends_on,
             secrets in plain text, Slurm commands
  ruff       ruff check and ruff format --check, default settings
  types      pyright, one run for all modules
Prints one JSON object; the exit status is 0 only if every module is clean.
"""

import argparse
import ast
import asyncio
import contextlib
import importlib.util
import io
import json
import logging
import os
import re
import subprocess
import sys
import tempfile
import zoneinfo
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

QUANTITY = re.compile(r"^\d+(\.\d+)?(m|k|[KMGTPE]i?)?$")
SECRET_NAME = re.compile(r"(API_?KEY|TOKEN|SECRET|PASSWORD|PASSWD)$")
QUEUE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]*")
CRON_NAMES = (
    "(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC|SUN|MON|TUE|WED|THU|FRI|SAT)"
)
CRON_PART = re.compile(
    rf"(\*|\d+|{CRON_NAMES})(?:-(\d+|{CRON_NAMES}))?(?:/(\d+))?", re.IGNORECASE
)
CRON_RANGES = [(0, 59), (0, 23), (1, 31), (1, 12), (0, 7)]
CRON_MACROS = (
    "@hourly",
    "@daily",
    "@weekly",
    "@monthly",
    "@yearly",
    "@annually",
    "@midnight",
)
BLOCKING = {
    "flyte.map": "deadlocks in a local run; use flyte.map.aio",
    "subprocess.run": "blocks",
    "subprocess.check_call": "blocks",
    "subprocess.check_output": "blocks",
    "subprocess.Popen": "blocks",
    "os.system": "blocks",
    "time.sleep": "blocks",
    "runpy.run_path": "a script that calls asyncio.run fails",
}
# A container has none of them. `module` is a common word, so only what a script would say.
SLURM_COMMAND = re.compile(
    r"(?<![\w./-])(srun|sbatch|salloc|scontrol|squeue|scancel|sacct|sinfo|module (?:load|purge|add))"
    r"(?![\w-])"
)


@dataclass
class Result:
    """What was found about one module."""

    file: str
    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    environments: list[str] = field(default_factory=list)
    tasks: list[str] = field(default_factory=list)


def cron_problem(expression: str) -> str | None:
    if expression.startswith("@"):
        return None if expression in CRON_MACROS else "unknown cron macro"
    fields = expression.split()
    if len(fields) != len(CRON_RANGES):
        return f"cron needs 5 fields, has {len(fields)}"
    for text, (low, high) in zip(fields, CRON_RANGES, strict=True):
        for part in text.split(","):
            match = CRON_PART.fullmatch(part)
            if not match:
                return f"bad cron field {text!r}"
            for number in match.group(1, 2):
                if number and number.isdigit() and not low <= int(number) <= high:
                    return f"cron value {number} outside {low}-{high}"
    return None


def blocking_calls(tree: ast.Module) -> Iterator[str]:
    for function in ast.walk(tree):
        if not isinstance(function, ast.AsyncFunctionDef):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                if called in BLOCKING:
                    where = f"line {node.lineno}: {called} in async def {function.name}"
                    yield f"{where} ({BLOCKING[called]})"


def slurm_commands(tree: ast.Module) -> Iterator[str]:
    """Slurm's commands in kept Bash: strings of several lines that are not a docstring."""
    if any(
        isinstance(node, ast.ImportFrom) and node.module == "flyteplugins.slurm"
        for node in ast.walk(tree)
    ):
        return  # what stays on Slurm may call it
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            text = node.value.value
            if isinstance(text, str) and "\n" in text:
                for line in text.splitlines():
                    if not line.lstrip().startswith("#") and (
                        found := SLURM_COMMAND.search(line)
                    ):
                        yield f"kept Bash calls {found.group(1)}: {line.strip()[:80]}"


def load(path: Path) -> ModuleType:
    """Loads a module under its own stem, as `flyte run` does."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


@contextlib.contextmanager
def visiting(path: Path, result: Result) -> Iterator[None]:
    """Stands in the module's folder, and forgets afterwards what it imported from there."""
    before, directory = set(sys.modules), Path.cwd()
    log = io.StringIO()
    handler = logging.StreamHandler(log)
    logging.getLogger("flyte").addHandler(handler)
    os.chdir(path.parent)
    sys.path.insert(0, str(path.parent))
    try:
        yield
    finally:
        sys.path.remove(str(path.parent))
        os.chdir(directory)
        logging.getLogger("flyte").removeHandler(handler)
        result.warnings += [
            line.strip()[:200]
            for line in log.getvalue().splitlines()
            if "pickled" in line or "deprecated" in line
        ]
        for name in set(sys.modules) - before:
            file = getattr(sys.modules.get(name), "__file__", None) or ""
            if file.startswith(f"{path.parent}{os.sep}"):
                del sys.modules[name]
        sys.modules.pop(path.stem, None)


def check_environment(env: Any, path: Path, result: Result) -> None:
    def complain(what: str) -> None:
        result.errors.append(f"environment {env.name}: {what}")

    for pattern in getattr(env, "include", ()) or ():
        absolute = Path(pattern).is_absolute()
        there = Path(pattern).exists() if absolute else any(path.parent.glob(pattern))
        if not there:
            complain(f"include {pattern!r} matches nothing")
    resources = getattr(env, "resources", None)
    for name in ("cpu", "memory", "disk", "shm"):
        value = getattr(resources, name, None)
        for quantity in value if isinstance(value, tuple) else (value,):
            if quantity is None or (name == "shm" and quantity == "auto"):
                continue
            if isinstance(quantity, bool) or not QUANTITY.match(str(quantity)):
                complain(f"{name}={quantity!r} is no Kubernetes quantity")
            elif name != "cpu" and str(quantity).endswith("m"):
                complain(f"{name}={quantity!r} means thousandths of a byte")
    for name, value in (getattr(env, "env_vars", None) or {}).items():
        if not isinstance(value, str):
            complain(f"variable {name} is not a string")
        if SECRET_NAME.search(name):
            complain(f"{name} looks like a secret in plain text")
    queue = getattr(env, "queue", None)
    if queue is not None and not QUEUE_NAME.fullmatch(queue):
        result.warnings.append(f"environment {env.name}: odd queue name {queue!r}")


async def serialized(task: Any, path: Path) -> Any:
    from flyte._internal.runtime.convert import convert_upload_default_inputs
    from flyte._internal.runtime.task_serde import translate_task_to_wire
    from flyte._internal.runtime.trigger_serde import to_task_trigger
    from flyte.models import CodeBundle, SerializationContext

    bundle = CodeBundle(
        tgz="s3://bundle/code.tgz", computed_version="v1", destination="."
    )
    context = SerializationContext(
        project="p",
        domain="d",
        version="v1",
        org="o",
        root_dir=path.parent,
        code_bundle=bundle,
    )
    defaults = await convert_upload_default_inputs(task.interface)
    spec = translate_task_to_wire(task, context, default_inputs=defaults)
    for trigger in task.triggers:
        await to_task_trigger(
            t=trigger,
            task_name=task.name,
            task_inputs=spec.task_template.interface.inputs,
            task_default_inputs=list(spec.default_inputs),
        )
    spec.SerializeToString()
    return spec


def check_trigger(trigger: Any, task: Any, result: Result) -> None:
    import flyte

    automation = trigger.automation
    if isinstance(automation, flyte.Cron):
        if problem := cron_problem(automation.expression):
            result.errors.append(f"trigger {trigger.name}: {problem}")
        try:
            zoneinfo.ZoneInfo(automation.timezone)
        except (zoneinfo.ZoneInfoNotFoundError, ValueError):
            result.errors.append(
                f"trigger {trigger.name}: no time zone {automation.timezone}"
            )
    given = trigger.inputs or {}
    missing = [
        name for name in task.native_interface.required_inputs() if name not in given
    ]
    if missing:
        result.errors.append(
            f"trigger {trigger.name}: inputs without a value: {missing}"
        )


def check_task(task: Any, module: ModuleType, path: Path, result: Result) -> None:
    try:
        spec = asyncio.run(serialized(task, path))
    except Exception as problem:  # noqa: BLE001, whatever it is, it is the verdict
        result.errors.append(
            f"serialize {task.name}: {type(problem).__name__}: {problem}"[:400]
        )
        return
    result.tasks.append(task.name)
    arguments = list(spec.task_template.container.args)
    if "instance" in arguments:
        name = arguments[arguments.index("instance") + 1]
        # A task of a module that this one imports is found there.
        owner = sys.modules.get(arguments[arguments.index("mod") + 1], module)
        if getattr(owner, name, None) is not task:
            result.errors.append(
                f"task {task.name}: module attribute {name!r} is not this task"
            )
    for variable in spec.task_template.interface.inputs.variables:
        kind = variable.value.type
        if kind.HasField("blob") and kind.blob.format == "PythonPickle":
            result.errors.append(
                f"task {task.name}: input {variable.key} is pickled: no type"
            )
    for trigger in task.triggers:
        check_trigger(trigger, task, result)


def reachable(env: Any) -> set[str]:
    found: set[str] = set()
    pending = list(env.depends_on)
    while pending:
        one = pending.pop()
        if one.name not in found:
            found.add(one.name)
            pending += one.depends_on
    return found


def check_calls(
    tree: ast.Module, tasks: dict[str, Any], envs: list[Any], result: Result
) -> None:
    """A task that calls a task of another environment must depend on that environment."""
    env_of = {
        id(task): env for env in envs for task in getattr(env, "tasks", {}).values()
    }
    for function in tree.body:
        if not isinstance(function, ast.AsyncFunctionDef | ast.FunctionDef):
            continue
        caller = env_of.get(id(tasks.get(function.name)))
        if caller is None:
            continue
        for node in ast.walk(function):
            if (
                not isinstance(node, ast.Name)
                or node.id not in tasks
                or node.id == function.name
            ):
                continue
            if type(caller).__name__ == "ClusteredTaskEnvironment":
                result.errors.append(
                    f"clustered task {function.name} calls task {node.id}"
                )
            callee = env_of.get(id(tasks[node.id]))
            if callee and callee is not caller and callee.name not in reachable(caller):
                result.errors.append(
                    f"{function.name} uses {node.id}, but environment {caller.name!r} "
                    f"does not depend on {callee.name!r}"
                )


def check_module(path: Path) -> Result:
    from flyte._environment import _ENVIRONMENT_REGISTRY as registry
    from flyte._task import TaskTemplate

    result = Result(str(path))
    registry.clear()
    with visiting(path, result):
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                module = load(path)
        except BaseException as problem:  # noqa: BLE001, a module may even exit
            result.errors.append(f"import: {type(problem).__name__}: {problem}"[:400])
            return result
        envs = list(registry)
        result.environments = [env.name for env in envs]
        result.errors += [
            f"two environments named {name!r}"
            for name in set(result.environments)
            if result.environments.count(name) > 1
        ]
        tasks = {
            name: v for name, v in vars(module).items() if isinstance(v, TaskTemplate)
        }
        owned = {
            id(task) for env in envs for task in getattr(env, "tasks", {}).values()
        }
        result.errors += [
            f"task {name} belongs to no environment, so it would not be deployed"
            for name, task in tasks.items()
            if id(task) not in owned
        ]
        for env in envs:
            check_environment(env, path, result)
            for task in getattr(env, "tasks", {}).values():
                check_task(task, module, path, result)
        if not result.tasks:
            result.errors.append("no task")
        tree = ast.parse(path.read_text())
        check_calls(tree, tasks, envs, result)
        result.errors += [*blocking_calls(tree), *slurm_commands(tree)]
    registry.clear()
    return result


def tool(name: str) -> str:
    """A program of the same virtual environment as this Python."""
    beside = Path(sys.executable).parent / name
    return str(beside) if beside.exists() else name


def run_tool(*command: str) -> subprocess.CompletedProcess[str]:
    # Nowhere: in a folder that has src/flyte, ruff takes flyte for a part of the project.
    with tempfile.TemporaryDirectory() as nowhere:
        return subprocess.run(
            command, cwd=nowhere, capture_output=True, text=True, check=False
        )


def check_ruff(results: dict[str, Result]) -> None:
    ruff, names = tool("ruff"), list(results)
    output = run_tool(
        ruff,
        "check",
        "--isolated",
        # A folder called flyte beside the modules would make it first-party.
        "--config=lint.isort.known-third-party = ['flyte', 'flyteplugins']",
        "--output-format",
        "json",
        *names,
    )
    for problem in json.loads(output.stdout or "[]"):
        row = problem["location"]["row"]
        results[problem["filename"]].errors.append(
            f"ruff {problem['code']} line {row}: {problem['message']}"
        )
    for name in names:
        done = run_tool(ruff, "format", "--isolated", "--diff", name)
        if done.returncode != 0:
            difference = done.stdout + done.stderr
            results[name].errors.append(f"ruff format would change it:\n{difference}")


def check_types(results: dict[str, Result]) -> None:
    # Each folder is a root of its own: modules import their neighbours there.
    roots = sorted({str(Path(name).parent) for name in results})
    project = {
        "include": sorted(results),
        "executionEnvironments": [{"root": root} for root in roots],
    }
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "pyrightconfig.json"
        config.write_text(json.dumps(project))
        pyright = (tool("pyright"), "--pythonpath", sys.executable, "--outputjson")
        output = run_tool(*pyright, "--project", str(config)).stdout
    try:
        diagnostics = json.loads(output)["generalDiagnostics"]
    except (ValueError, KeyError):
        message = f"pyright did not run: {output[:200]}"
        diagnostics = [
            {"file": name, "severity": "error", "message": message} for name in results
        ]
    for problem in diagnostics:
        if problem["severity"] == "error" and problem["file"] in results:
            line = problem.get("range", {}).get("start", {}).get("line", -1) + 1
            results[problem["file"]].errors.append(
                f"pyright line {line}: {problem['message'].splitlines()[0][:200]}"
            )


def modules(paths: list[str]) -> Iterator[Path]:
    for path in map(Path, paths):
        if path.is_dir():
            yield from sorted(path.resolve().rglob("*_flyte.py"))
        else:
            yield path.resolve()


def main() -> int:
    parser = argparse.ArgumentParser(description="Judge generated Flyte modules.")
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--no-types", action="store_true", help="leave pyright out")
    parser.add_argument(
        "--sdk-only", action="store_true", help="leave ruff and pyright out"
    )
    arguments = parser.parse_args()

    import flyte  # noqa: F401, one import for all modules

    logging.getLogger("flyte").setLevel(logging.WARNING)
    results = {str(path): check_module(path) for path in modules(arguments.paths)}
    if results and not arguments.sdk_only:
        check_ruff(results)
        if not arguments.no_types:
            check_types(results)
    clean = all(not result.errors for result in results.values())
    report = {"ok": clean, "results": [asdict(result) for result in results.values()]}
    json.dump(report, sys.stdout, indent=1)
    print()
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
