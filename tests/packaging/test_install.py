"""`cmake --install`: where things are put, and that they work from there."""

import os
import subprocess
from pathlib import Path

ROOT = Path(os.environ.get("S2F_SOURCE_DIR") or Path(__file__).resolve().parents[2])
BINARY = os.environ.get("S2F_BINARY") or str(ROOT / "build" / "dev" / "slurm2flyte")


def run(*command: str | Path, **more: str) -> str:
    done = subprocess.run(
        [str(word) for word in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
        env={**os.environ, **more},
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_everything_is_put_where_it_is_looked_for(tmp_path: Path) -> None:
    build, prefix = tmp_path / "build", tmp_path / "prefix"
    run("cmake", "-S", ROOT, "-B", build, "-G", "Ninja", f"-DS2F_PREBUILT={BINARY}")
    run("cmake", "--install", build, "--component", "program", "--prefix", prefix)
    program = prefix / "bin" / "slurm2flyte"
    assert run(program, "--version").startswith("slurm2flyte ")
    share = prefix / "share"
    commands = run(program, "man", "--list").split()
    pages = {path.name for path in (share / "man" / "man1").iterdir()}
    assert pages == {
        "slurm2flyte.1",
        *(f"slurm2flyte-{command}.1" for command in commands),
    }
    for file, shell in {
        "bash-completion/completions/slurm2flyte": "bash",
        "zsh/site-functions/_slurm2flyte": "zsh",
        "fish/vendor_completions.d/slurm2flyte.fish": "fish",
    }.items():
        assert (share / file).read_text() == run(program, "completions", shell)
    assert (share / "doc" / "slurm2flyte" / "NOTICE").exists()
    # As a package is built: below a directory that is not part of any name.
    run(
        "cmake",
        "--install",
        build,
        "--component",
        "program",
        "--prefix",
        "/usr",
        DESTDIR=str(tmp_path / "root"),
    )
    assert (tmp_path / "root" / "usr" / "bin" / "slurm2flyte").exists()
    assert (
        tmp_path / "root" / "usr" / "share" / "man" / "man1" / "slurm2flyte.1"
    ).exists()
