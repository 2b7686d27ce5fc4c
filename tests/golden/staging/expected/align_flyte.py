"""Run align.py.

Migrated from align.sh. What used to be "sbatch align.sh" is now:

    flyte run --local align_flyte.py align --ref REF --s1 S1 --tables TABLES --index_tgz INDEX_TGZ
    flyte run align_flyte.py align --ref REF --s1 S1 --tables TABLES --index_tgz INDEX_TGZ
    flyte deploy align_flyte.py
"""

import asyncio
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO

import flyte
from flyte.io import Dir, File

HERE = Path(__file__).resolve().parent  # the directory the job was submitted from

# REVIEW S2F511: nothing brings rsync into the image; use one that has it, or
# .with_apt_packages(...).
image = flyte.Image.from_debian_base(python_version=(3, 12))  # default: none named

# REVIEW S2F601: align.sh:8 /project/more.d: what is read or written there must become
# an input, an output or a mounted volume (pod_template="...").
align_env = flyte.TaskEnvironment(
    name="align",  # --job-name=align
    image=image,
    resources=flyte.Resources(cpu=4, disk="20Gi"),  # --cpus-per-task=4 --tmp=20G
    include=("align.py",),
)


@align_env.task
async def align(
    ref: File, s1: File, tables: Dir, index_tgz: File
) -> tuple[Dir, File | None]:
    """Run align.py (align.sh:7-14)."""
    tmpdir = Path(tempfile.gettempdir())  # $TMPDIR
    tables_path = await fetch(tables, "tables")  # was /project/tables
    index_tgz_path = await fetch(index_tgz)  # was /project/index.tgz
    run7 = scratch("run7")  # was /scratch/$USER/run7
    s1_sam = scratch("align") / "s1.sam"  # was /project/out/s1.sam
    # Work on the node's own disk.
    await stage(ref, tmpdir / "ref.fa")  # was /project/$USER/genomes/ref.fa
    await stage(s1, tmpdir / "s1.txt")  # was /project/reads/s1.txt
    # REVIEW S2F410: no `set -e`: when this fails (align.sh:8), the job goes on, and its
    # last command decides. check=True would end it here.
    await run("cp", "-r", tables_path, "/project/more.d", tmpdir, check=False)
    await run("tar", "-xzf", index_tgz_path, "-C", tmpdir, check=False)
    cwd = tmpdir
    with (cwd / "s1.sam").open("wb") as stdout, (cwd / "s1.log").open("wb") as stderr:
        await run(
            sys.executable,
            HERE / "align.py",
            "ref.fa",
            "s1.txt",
            cwd=cwd,
            stdout=stdout,
            stderr=stderr,
            check=False,
        )
    if (cwd / "s1.bam").is_file():
        return (await Dir.from_local(str(run7)), await keep(s1_sam))
    await run("rsync", "-a", "results/", run7, cwd=cwd, check=False)
    await run("cp", "s1.sam", s1_sam, cwd=cwd)
    return (await Dir.from_local(str(run7)), await keep(s1_sam))


async def fetch(data: File | Dir, name: str = "") -> Path:
    """Download an input, under the name that the job goes by where it goes by one."""
    target = Path(tempfile.mkdtemp(prefix="input-")) / name if name else None
    return Path(await data.download(target)).resolve()


async def stage(source: File | Dir, target: Path) -> None:
    """Put an input where the script expects it."""
    path = Path(await source.download())
    if path.is_dir():
        shutil.copytree(path, target, dirs_exist_ok=True)
    else:
        shutil.copy(path, target)


def scratch(name: str) -> Path:
    """Make an empty directory of this task's own, in place of a shared one."""
    return Path(tempfile.mkdtemp(prefix=f"{name}-"))


async def keep(path: Path) -> File | None:
    """Hand over a file that the job wrote; nothing where it wrote none."""
    return await File.from_local(str(path)) if path.is_file() else None


async def run(
    *command: str | float | Path,
    cwd: Path = HERE,
    stdout: IO[bytes] | None = None,
    stderr: IO[bytes] | None = None,
    check: bool = True,
) -> int:
    """Run one command of the job script; return its status, or fail with it."""
    argv = [str(part) for part in command]
    try:
        process = await asyncio.create_subprocess_exec(
            *argv, cwd=cwd, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr
        )
        code = await process.wait()
    except OSError as error:
        print(f"{argv[0]}: {error.strerror}", file=sys.stderr)
        code = 127 if isinstance(error, FileNotFoundError) else 126
    if code < 0:  # ended by a signal, which a shell counts from 128 on
        code = 128 - code
    if check and code:
        raise subprocess.CalledProcessError(code, argv)
    return code


if __name__ == "__main__":
    flyte.init_from_config()
    print("See: flyte run align_flyte.py align --help")
# slurm2flyte: generated from align.sh, sha256 of the text above: f3ee3a86d9a2
