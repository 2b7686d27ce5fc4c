"""The helpers of emitted modules: laid out as ruff does, typed, and with a shell's habits."""

import asyncio
import importlib.util
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

VENV = Path(__file__).resolve().parents[2] / ".venv/bin"


@pytest.fixture(scope="module")
def modules(generate: Callable[[str, int], Path]) -> Path:
    return generate("write helpers", 1)


def ruff(*arguments: str | Path) -> str:
    done = subprocess.run(
        [VENV / "ruff", *arguments], capture_output=True, text=True, check=False
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_ruff_is_content(modules: Path) -> None:
    assert ruff("format", "--isolated", "--no-cache", "--diff", modules) == ""
    assert (
        ruff(
            "check",
            "--isolated",
            # A folder called flyte beside the modules would make it first-party.
            "--config=lint.isort.known-third-party = ['flyte', 'flyteplugins']",
            "--no-cache",
            "--output-format=concise",
            modules,
        )
        == ""
    )


def test_pyright_is_content(modules: Path) -> None:
    sample = sorted(modules.glob("helpers_*.py"))[::4]
    done = subprocess.run(
        [VENV / "pyright", "--pythonpath", VENV / "python", *sample],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:]


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def first_with(modules: Path, *texts: str) -> ModuleType:
    for path in sorted(modules.glob("helpers_*.py")):
        if all(text in path.read_text() for text in texts):
            return load(path)
    raise AssertionError(texts)


def test_run(modules: Path, capfd: pytest.CaptureFixture[str]) -> None:
    strict: Any = first_with(
        modules, "async def run(*command: str | float | Path) -> None"
    )
    asyncio.run(strict.run("true"))
    with pytest.raises(subprocess.CalledProcessError) as failed:
        asyncio.run(strict.run("sh", "-c", "exit 3"))
    assert failed.value.returncode == 3

    lax: Any = first_with(
        modules,
        "async def run(*command: str | float | Path, check: bool = True) -> int",
    )
    assert asyncio.run(lax.run("sh", "-c", "exit 3", check=False)) == 3
    assert asyncio.run(lax.run("no-such-program", check=False)) == 127
    assert asyncio.run(lax.run("/etc", check=False)) == 126
    assert (
        asyncio.run(lax.run("sh", "-c", "kill -9 $$", check=False))
        == 128 + signal.SIGKILL
    )
    with pytest.raises(subprocess.CalledProcessError) as failed:
        asyncio.run(lax.run("no-such-program"))
    assert failed.value.returncode == 127
    # Nothing on standard output but the command's own; standard input is empty.
    capfd.readouterr()
    assert asyncio.run(lax.run("cat", check=False)) == 0
    assert asyncio.run(lax.run("echo", 1, 0.5, Path("x"), check=False)) == 0
    assert asyncio.run(lax.run("no-such-program", check=False)) == 127
    out = capfd.readouterr()
    assert out.out == "1 0.5 x\n"
    assert out.err == "no-such-program: No such file or directory\n"


def test_bash(modules: Path, capfd: pytest.CaptureFixture[str]) -> None:
    module: Any = first_with(
        modules, "async def bash(", "interpreter: Sequence[str] = ", "check"
    )
    script = 'echo "$0" "$@"; shopt -q login_shell; echo $?; exit 4'
    assert asyncio.run(module.bash(script, "job.sh", "a b", check=False)) == 4
    assert capfd.readouterr().out == "job.sh a b\n1\n"
    login = ("/bin/bash", "-l")
    assert (
        asyncio.run(module.bash(script, "job.sh", interpreter=login, check=False)) == 4
    )
    assert capfd.readouterr().out == "job.sh\n0\n"


async def job(outcome: str) -> str:
    if outcome == "fail":
        raise ValueError(outcome)
    return outcome


def test_after(modules: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module: Any = first_with(modules, "class NeverRan")

    async def main() -> list[Any]:
        good = asyncio.create_task(job("good"))
        bad = asyncio.create_task(job("fail"))
        jobs = [
            good,
            bad,
            asyncio.create_task(
                module.after(job, good, ok=[good])
            ),  # its result passed on
            asyncio.create_task(module.after(job, "b", ok=[good, bad])),
            asyncio.create_task(module.after(job, "c", not_ok=[bad])),
            asyncio.create_task(module.after(job, "d", not_ok=[good])),
            asyncio.create_task(module.after(job, "e", any=[good, bad])),
            asyncio.create_task(module.after(job, "f")),
        ]
        jobs.append(asyncio.create_task(module.after(job, "g", any=[jobs[3]])))
        return await asyncio.gather(*jobs, return_exceptions=True)

    results = asyncio.run(main())
    shown = [type(r).__name__ if isinstance(r, BaseException) else r for r in results]
    assert shown == [
        "good",
        "ValueError",
        "good",
        "NeverRan",
        "c",
        "NeverRan",
        "e",
        "f",
        "NeverRan",
    ]
    with pytest.raises(RuntimeError, match="1 of 9 jobs failed"):
        module.all_ok(results)
    assert module.all_ok([r for r in results if not isinstance(r, ValueError)]) == [
        "good",
        "good",
        "c",
        "e",
        "f",
    ]
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("never runs") == 3
