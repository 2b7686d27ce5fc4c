"""Writes what the fuzzers begin with: seeds and words from the project's own scripts and tables.

python tests/fuzz/seeds.py DIRECTORY    # DIRECTORY/TARGET/..., DIRECTORY/TARGET.dict
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = [
    "examples/**/*.sh",
    "tests/golden/*/*.sh",
    "tests/golden/*/*.sbatch",
    "tests/goldens/*/*.sh",
    "tests/behaviour/cases/*/job.sh",
    "tests/fuzz/found/*.sh",
]
HOSTILE = [
    b'"""',
    b"'''",
    b"\\",
    b"\\\n",
    b"{x}",
    b"\x1b[31m",
    b"\xe2\x80\xae",
    b"\xe2\x80\xa8",
    b"\xff\xfe",
    b"\x00",
    b"</script>",
    b"::error::x",
    b"| a |",
    b"`x`",
    b"# noqa",
    b"# type: ignore",
    b"a\rb",
    b"word " * 30,
    "日本語".encode(),
]
# One a line.
SHELL_WORDS = r"""
if
then
elif
else
fi
for
in
do
done
while
until
case
esac
select
function
{
}
(
)
((
))
[[
]]
$(
`
${
$((
$[
<(
>(
<<E
<<-E
<<<'x'
&&
||
;;
;&
;;&
|&
2>&1
&>>f
3<&0
{fd}>f
$'
$"
$@
$*
$#
$?
$!
$$
$0
$1
${1:-x}
${x:?y}
${x:+y}
${x/a/b}
${x//a}
${x%.*}
${x##*/}
${x^^}
${!x}
${#x}
${x[@]}
${x:1:2}
${x@Q}
a=(b c)
a+=d
declare -A
export
readonly
local
unset
shift
set -euo pipefail
trap
eval
source
.
exec
exit
return
break
continue
wait
&
cd
pushd
read
printf
echo -e
getopts
shopt -s extglob
@(a|b)
{1..9}
{a,b}
~
*
?
[a-z]
=~
-f
-z
$SLURM_ARRAY_TASK_ID
$SLURM_NTASKS
sbatch --parsable
srun -n 4
mpirun
module load
python train.py
--dependency=afterok:$id
scancel
squeue
scontrol
torchrun
singularity exec
conda activate
#SBATCH --array=0-3
#!/bin/bash
#@ 2.sh
"""


def texts() -> list[tuple[Path, bytes]]:
    found = sorted({path for pattern in SCRIPTS for path in ROOT.glob(pattern)})
    return [(path, path.read_bytes()) for path in found if path.is_file()]


def with_files(script: Path, text: bytes) -> bytes:
    """The script with what lies around it, as the target for conversions takes it."""
    out = text if text.endswith(b"\n") else text + b"\n"
    beside = [
        other
        for other in sorted(script.parent.iterdir())
        if other.is_file()
        and other != script
        and other.suffix in {".sh", ".sbatch", ".py", ".txt", ".toml"}
        and other.stat().st_size < 4000
    ]
    for other in beside[:5]:
        out += b"#@ " + other.name.encode() + b"\n" + other.read_bytes() + b"\n"
    return out


def values() -> list[bytes]:
    found = set()
    for _, text in texts():
        for line in text.splitlines():
            if line.startswith(b"#SBATCH"):
                found.update(
                    word.partition(b"=")[2] or word for word in line.split()[1:]
                )
    for cases in (ROOT / "tests/slurm/cases").glob("*.json"):
        found.update(re.findall(rb"--[a-z-]+=([^ \"\\]+)", cases.read_bytes()))
    return sorted(found)


def site_files() -> list[bytes]:
    found = [path.read_bytes() for path in ROOT.glob("tests/**/*.toml")]
    found += [site_text(row).encode() for row in site_rows()]
    return [*found, "\n".join(site_text(row) for row in site_rows()).encode()]


def site_rows() -> list[dict]:
    return json.loads((ROOT / "grammar/site-keys.json").read_text())["rows"]


def site_text(row: dict) -> str:
    """`[partitions."g*"]` and a line in it."""
    *tables, key = row["key"].replace(".*.", '."g*".').split(".")
    key = "S2F410" if key == "*" else key
    return f"[{'.'.join(tables)}]\n{key} = {row['example']}\n"


def sign_offs() -> list[bytes]:
    entry = {
        "script": "train.sh",
        "id": "0123456789ab",
        "rule": "S2F210",
        "state": "accepted",
        "text": "--partition=gpu",
        "answer": "",
        "who": "a",
        "date": "2026-01-01",
        "reason": "b",
        "source": "0123456789ab",
        "output": "0123456789ab",
    }
    schema = {"schema": "slurm2flyte-signoff/1"}
    return [
        json.dumps(
            schema | {"entries": [entry, entry | {"state": state, "id": "1"}]}
        ).encode()
        for state in ("accepted", "answered", "rejected")
    ]


def packed() -> list[bytes]:
    """Texts with their lengths before them, behind a few numbers."""
    out = []
    for start in range(len(HOSTILE)):
        around = HOSTILE[start:] + HOSTILE[:start]
        body = b"".join(bytes([len(text)]) + text for text in around)
        out.append(bytes([0, 1]) + body * 3)
        out.append(bytes([start, 2, 0, 5]) + body + bytes(range(256)) * 2)
    return out


def main(directory: Path) -> None:
    scripts = texts()
    seeds = {
        "header": [text for _, text in scripts],
        "values": values(),
        "shell": [text for _, text in scripts],
        "convert": [with_files(path, text) for path, text in scripts],
        "site": site_files(),
        "signoff": sign_offs(),
        "report": packed(),
        "python": packed(),
    }
    options = json.loads((ROOT / "grammar/sbatch-options.json").read_text())["rows"]
    words = SHELL_WORDS.split("\n")[1:-1]
    names = [f"#SBATCH --{row['name']}=" for row in options]
    keys = sorted({part for row in site_rows() for part in row["key"].split(".")})
    dictionaries = {
        "header": names,
        "shell": words,
        "convert": words + names,
        "site": keys,
        "signoff": ["script", "id", "rule", "state", "accepted", "answered"],
    }
    for target, inputs in seeds.items():
        folder = directory / target
        folder.mkdir(parents=True, exist_ok=True)
        for data in inputs:
            (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)
    for target, entries in dictionaries.items():
        lines = [
            f'"{e.replace(chr(92), chr(92) * 2).replace(chr(34), chr(92) + chr(34))}"\n'
            for e in entries
        ]
        (directory / f"{target}.dict").write_text("".join(lines))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
