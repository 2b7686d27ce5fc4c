"""What may stand in an emitted module, by its syntax tree: all else is something that got in.

`problems_of(module)` parses the text of a module and names each node, import, call or attribute that
is not on the lists below, and each form that a module must never have. Nothing is imported or run,
so it is fit for modules of hostile scripts.
"""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Iterator

NODES = set(
    """
    Module Import ImportFrom alias Assign AnnAssign AugAssign Expr FunctionDef AsyncFunctionDef
    ClassDef arguments arg Return Raise If For AsyncFor While Try ExceptHandler With AsyncWith withitem
    Pass Break Continue Call keyword Name Attribute Subscript Slice Constant JoinedStr FormattedValue
    Tuple List Set Dict Starred ListComp SetComp DictComp GeneratorExp comprehension Await Yield Lambda
    NamedExpr IfExp Nonlocal BoolOp And Or UnaryOp Not USub BinOp Add Sub Mult Div FloorDiv Mod Pow BitOr BitAnd
    BitXor LShift RShift Invert UAdd Compare Eq NotEq Lt LtE Gt GtE In NotIn Is IsNot Load Store
    """.split()  # noqa: SIM905
)
MODULES = {
    "asyncio": "*",
    "collections.abc": "*",
    "copy": "*",
    "contextlib": {"suppress", "AsyncExitStack", "ExitStack"},
    "dataclasses": "*",
    "datetime": {"timedelta"},
    "flyte": {"notify"},
    "flyte.clustered": {
        "ClusterFailurePolicy",
        "ClusteredTaskEnvironment",
        "JaxRun",
        "TorchRun",
    },
    "fnmatch": "*",
    "fcntl": {"LOCK_EX", "flock"},
    "flyte.io": {"Dir", "File"},
    "flyte.models": {"ActionPhase"},
    "flyteplugins.ray": {"HeadNodeConfig", "RayJobConfig", "WorkerNodeConfig"},
    "flyteplugins.slurm": {"Slurm", "SlurmScriptTask"},
    "flyteplugins.spark": {"Spark"},
    "functools": {"partial"},
    "getpass": "*",
    "glob": "*",
    "itertools": {"product", "count"},
    "json": "*",
    "math": "*",
    "os": "*",
    "pathlib": {"Path"},
    "platform": "*",
    "random": "*",
    "re": "*",
    "resource": "*",
    "runpy": {"run_path"},
    "shlex": "*",
    "shutil": "*",
    "socket": "*",
    "subprocess": "*",
    "sys": "*",
    "tempfile": "*",
    "time": "*",
    "typing": {"IO", "Any", "TypeVar"},
}
BUILTINS = set(
    """
    all any bool chr dict enumerate float getattr int isinstance len list map max min print range repr reversed
    round set sorted str sum tuple zip
    BaseException Exception FileNotFoundError LookupError OSError PermissionError RuntimeError
    SystemExit ValueError
    """.split()  # noqa: SIM905
)
# Of modules that can do anything only what is named here is called.
CALLED = {
    "os": {
        "access",
        "chdir",
        "close",
        "cpu_count",
        "dup",
        "environ.get",
        "environ.pop",
        "fsdecode",
        "fsencode",
        "get_exec_path",
        "getcwd",
        "getpid",
        "getppid",
        "getuid",
        "open",
        "pathsep.join",
        "path.join",
        "path.normpath",
        "pipe",
        "umask",
    },
    "copy": {"copy"},
    "subprocess": {"CalledProcessError"},
    "asyncio": {
        "Queue",
        "as_completed",
        "create_subprocess_exec",
        "create_task",
        "gather",
        "get_running_loop",
        "sleep",
        "timeout",
        "to_thread",
        "wait",
        "wait_for",
    },
    "sys": {"exit", "path.insert"},  # of a program in the task's own process
    "runpy": {"run_path"},
    "shutil": {"copy", "copytree", "which", "rmtree", "copyfileobj", "move"},
    "socket": {"gethostname", "getfqdn"},
}
TASK_KEYWORDS = {"timeout", "entrypoint", "retries", "triggers", "cache", "links"}
SLURM = (
    "srun|sbatch|salloc|scontrol|squeue|sacct|scancel|sinfo|sstat|sbcast|sattach|module"
)
# Where a command begins, roughly: quotes are not looked at, so only the beginning of a line counts.
SLURM_LINE = re.compile(rf"^\s*(?:{SLURM})\s", re.MULTILINE)
RUNS = {
    "run",
    "bash",
    "capture",
    "capture_status",
    "pipe",
    "pipe_output",
    "pipe_output_status",
    "spawn",
    "keep",
    "keep_all",
    "asyncio.create_subprocess_exec",
}
MPI = {"mpirun", "mpiexec", "mpiexec.hydra", "orterun", "aprun", "jsrun"}


def dotted(node: ast.expr) -> str:
    """`a.b.c`; what is no name is `<Call>`."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    parts.append(node.id if isinstance(node, ast.Name) else f"<{type(node).__name__}>")
    return ".".join(reversed(parts))


def text_problems(text: str) -> Iterator[str]:
    """Characters that a reader does not see, or that turn lines round; but for tabs of kept Bash."""
    for number, line in enumerate(text.split("\n"), 1):
        for char in line.replace("\t", "").removesuffix("\n"):
            if unicodedata.category(char) in {"Cc", "Cf", "Zl", "Zp", "Co", "Cn", "Cs"}:
                yield f"line {number}: U+{ord(char):04X} stands in the module as it is"
                break
    if text.splitlines() != text.split("\n")[:-1]:
        yield "other line ends than \\n"


class Module:
    def __init__(self, text: str) -> None:
        self.tree = ast.parse(text)
        self.imported: dict[str, str] = {}
        self.functions: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = {}
        self.classes: set[str] = set()
        for node in self.tree.body:
            if isinstance(node, ast.Import):
                self.imported |= {a.asname or a.name: a.name for a in node.names}
            elif isinstance(node, ast.ImportFrom):
                self.imported |= {
                    a.asname or a.name: f"{node.module}.{a.name}" for a in node.names
                }
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                self.functions[node.name] = node
            elif isinstance(node, ast.ClassDef):
                self.classes.add(node.name)

        self.callable = {*BUILTINS, *self.functions, *self.classes}
        # Helpers define functions in functions, and call what they are given.
        for inner in ast.walk(self.tree):
            if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
                self.callable.add(inner.name)
                self.callable |= {
                    a.arg for a in inner.args.args + inner.args.kwonlyargs
                }

    @property
    def tasks(self) -> dict[str, ast.FunctionDef | ast.AsyncFunctionDef]:
        return {name: f for name, f in self.functions.items() if f.decorator_list}

    def problems(self) -> Iterator[str]:
        for node in ast.walk(self.tree):
            place = f"line {getattr(node, 'lineno', 0)}"
            if type(node).__name__ not in NODES:
                yield f"{place}: a {type(node).__name__}"
            elif isinstance(node, ast.Import | ast.ImportFrom):
                yield from (f"{place}: {p}" for p in import_problems(node))
            elif isinstance(node, ast.Call):
                yield from (f"{place}: {p}" for p in self.call_problems(node))
            elif isinstance(node, ast.Attribute) and node.attr.startswith("__"):
                yield f"{place}: {node.attr}"
            elif isinstance(node, ast.Name) and node.id.startswith("__"):
                if node.id not in {"__file__", "__name__"}:
                    yield f"{place}: {node.id}"
            elif isinstance(node, ast.Expr) and ast.unparse(node) == "...":
                yield f"{place}: a body is missing"
            elif isinstance(node, ast.While):
                yield from (f"{place}: {p}" for p in poll_problems(node))
        yield from self.shape_problems()
        yield from self.never_problems()

    def call_problems(self, call: ast.Call) -> Iterator[str]:
        name = dotted(call.func)
        first, _, rest = name.partition(".")
        origin = self.imported.get(first)
        if not rest:
            if not (origin or first in self.callable or first.startswith("<")):
                yield f"calls {name}"
        elif origin in CALLED and rest not in CALLED[origin]:
            yield f"calls {name}"
        elif name == "flyte.map":
            yield "flyte.map blocks; flyte.map.aio does not"
        for keyword in call.keywords:
            if keyword.arg == "shell":
                yield f"{name} with shell="
            if keyword.arg == "reusable":
                yield f"{name} with reusable=: what a task leaves in memory meets the next"
        if origin == "flyte" and rest in {"PodTemplate", "ReusePolicy"}:
            yield f"a {rest}, which no script asks for"

    def shape_problems(self) -> Iterator[str]:
        """At the top: a docstring, imports, names, definitions, and the last `if`."""
        body = self.tree.body
        if not (
            isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
        ):
            yield "no docstring"
        for node in body[1:]:
            place = f"line {node.lineno}"
            if isinstance(node, ast.If):
                if (
                    ast.unparse(node.test) != "__name__ == '__main__'"
                    or node is not body[-1]
                ):
                    yield f"{place}: an `if` at the top"
            elif isinstance(node, ast.Assign):
                if not all(isinstance(target, ast.Name) for target in node.targets):
                    yield f"{place}: something other than a name is set at the top"
            elif not isinstance(
                node,
                ast.Import
                | ast.ImportFrom
                | ast.FunctionDef
                | ast.AsyncFunctionDef
                | ast.ClassDef,
            ):
                yield f"{place}: a {type(node).__name__} at the top"
        for function in self.functions.values():
            for decorator in function.decorator_list:
                call = decorator if isinstance(decorator, ast.Call) else None
                name = dotted(call.func if call else decorator)
                if not name.endswith(".task"):
                    yield f"{function.name}: decorated with {name}"
                for keyword in call.keywords if call else []:
                    if keyword.arg not in TASK_KEYWORDS:
                        yield f"{function.name}: {keyword.arg} on the decorator"

    def never_problems(self) -> Iterator[str]:
        """The list "Never emit" of the house style, as far as a tree shows it."""
        used = {n.id for n in ast.walk(self.tree) if isinstance(n, ast.Name)}
        for name in {*self.functions, *self.classes, *self.imported} - used:
            if name not in self.tasks:
                yield f"{name} is not used"
        yield from self.environment_problems()
        yield from self.map_problems()
        for name, function in self.tasks.items():
            for call in (n for n in ast.walk(function) if isinstance(n, ast.Call)):
                yield from (f"{name}: {p}" for p in launch_problems(call))
            if name == "main" or name.startswith("main_"):
                yield from self.driver_problems(name, function)

    def environment_problems(self) -> Iterator[str]:
        names: set[str] = set()
        clustered: set[str] = set()
        for node in self.tree.body:
            if not (isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)):
                continue
            kind = dotted(node.value.func)
            if not kind.endswith("TaskEnvironment"):
                continue
            if kind.startswith("Clustered"):
                clustered |= {t.id for t in node.targets if isinstance(t, ast.Name)}
            for keyword in node.value.keywords:
                if keyword.arg == "name":
                    name = ast.unparse(keyword.value)
                    if name in names:
                        yield f"two environments are named {name}"
                    names.add(name)
        for name, function in self.tasks.items():
            decorator = function.decorator_list[0]
            call = decorator.func if isinstance(decorator, ast.Call) else decorator
            if dotted(call).partition(".")[0] in clustered:
                for inner in (n for n in ast.walk(function) if isinstance(n, ast.Call)):
                    if dotted(inner.func) in self.tasks:
                        yield f"{name} is clustered and calls the task {dotted(inner.func)}"

    def map_problems(self) -> Iterator[str]:
        """Who starts the elements of an array also waits for them: nobody else collects them."""
        for name, function in self.functions.items():
            starts = [
                node
                for node in ast.walk(function)
                if isinstance(node, ast.Call) and dotted(node.func) == "flyte.map.aio"
            ]
            waits = any(
                isinstance(node, ast.comprehension | ast.AsyncFor)
                and getattr(node, "is_async", 1)
                for node in ast.walk(function)
            )
            returned = any(
                isinstance(node, ast.Return) and node.value in starts
                for node in ast.walk(function)
            )
            if starts and not waits and not returned:
                yield f"{name} starts an array and does not wait for it"

    def driver_problems(
        self, name: str, function: ast.FunctionDef | ast.AsyncFunctionDef
    ) -> Iterator[str]:
        decorator = function.decorator_list[0]
        if not (isinstance(decorator, ast.Call) and decorator.keywords):
            return
        if "entrypoint" not in {k.arg for k in decorator.keywords}:
            return
        for call in (n for n in ast.walk(function) if isinstance(n, ast.Call)):
            if dotted(call.func) in RUNS:
                yield f"{name} computes: {dotted(call.func)}"


def import_problems(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            if MODULES.get(alias.name) is None or alias.asname:
                yield f"imports {alias.name}"
        return
    if (node.module or "").endswith("_flyte") and not node.level:
        return  # a module that was written beside it
    allowed = MODULES.get(node.module or "", set())
    for alias in node.names:
        if node.level or (allowed != "*" and alias.name not in allowed):
            yield f"imports {alias.name} from {node.module}"


def poll_problems(loop: ast.While) -> Iterator[str]:
    """A loop that sleeps until a file is there."""
    calls = [dotted(n.func) for n in ast.walk(loop) if isinstance(n, ast.Call)]
    sleeps = any(name.endswith("sleep") for name in calls)
    if sleeps and any(
        name.endswith((".exists", ".is_file", ".is_dir")) for name in calls
    ):
        yield "polls for a file"


def launch_problems(call: ast.Call) -> Iterator[str]:
    name = dotted(call.func)
    words = [a.value for a in call.args if isinstance(a, ast.Constant)]
    if name not in RUNS or not words or not isinstance(words[0], str):
        return
    program = words[0].rpartition("/")[2]
    if re.fullmatch(SLURM, program):
        yield f"{name} of {program} in a task"
    if program in MPI:
        yield f"{name} of {program}: MPI stays on Slurm"


def kept_problems(text: str) -> Iterator[str]:
    """Slurm commands that begin a line of kept Bash in a module whose job left Slurm."""
    module = Module(text)
    kept = {
        argument.id
        for call in ast.walk(module.tree)
        if isinstance(call, ast.Call) and dotted(call.func) in RUNS
        for argument in call.args
        if isinstance(argument, ast.Name)
    }
    for node in module.tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            name = dotted(node.targets[0])
            found = SLURM_LINE.search(str(node.value.value)) if name in kept else None
            if found:
                yield f"{name} holds `{found.group().strip()}`"


# Where one or two tasks would agree on a place by its name.
BUCKET = re.compile(r"(?:s3|gs|abfss?|az)://[\w.-]+")
IMAGE_CALLS = {"flyte.Image.from_base", "flyte.Image.from_dockerfile"}


def invented(text: str, scripts: str) -> list[str]:
    """Names in a module that none of the scripts holds: of buckets, images and queues."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            for bucket in BUCKET.findall(node.value):
                if bucket not in scripts:
                    found.append(f"invents the bucket {bucket}")
        if not isinstance(node, ast.Call):
            continue
        given = {k.arg: k.value for k in node.keywords}
        image = given.get("image")
        if dotted(node.func) in IMAGE_CALLS and node.args:
            image = node.args[0]
        if isinstance(image, ast.Constant) and isinstance(image.value, str):
            name = image.value.removeprefix("docker.io/").removeprefix("library/")
            if name.partition(":")[0] not in scripts:
                found.append(f"invents the image {image.value}")
        queue = given.get("queue")
        if isinstance(queue, ast.Constant) and isinstance(queue.value, str):
            parts = [part for part in re.split(r"[-,]", queue.value) if part]
            if not all(part.lower() in scripts.lower() for part in parts):
                found.append(f"invents the queue {queue.value}")
    return found


def problems_of(text: str) -> list[str]:
    found = list(text_problems(text))
    try:
        module = Module(text)
    except SyntaxError as error:
        return [*found, f"line {error.lineno}: no Python: {error.msg}"]
    found += module.problems()
    found += kept_problems(text)
    return found
