"""The list of what the program is made of names all that NOTICE names, with versions and hashes."""

import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(os.environ.get("S2F_SOURCE_DIR") or Path(__file__).resolve().parents[2])
BINARY = Path(
    os.environ.get("S2F_BINARY") or ROOT / "build" / "dev" / "slurm2flyte"
).resolve()
REFERENCE = re.compile(r"SPDXRef-[A-Za-z0-9.-]+")


def written(**variables: str) -> str:
    done = subprocess.run(
        [sys.executable, ROOT / "cmake" / "sbom.py", BINARY, BINARY.parent],
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def packages() -> dict[str, dict[str, Any]]:
    return {each["name"]: each for each in json.loads(written())["packages"]}


def test_every_part_is_there() -> None:
    found = packages()
    printed = subprocess.run(
        [BINARY, "--licenses"], capture_output=True, text=True, check=True
    )
    head = printed.stdout.partition("\n---")[0]
    parts = dict(re.findall(r"^(.+) \(([\w.-]+)\)$", head, re.MULTILINE))
    assert len(parts) >= 8
    assert {name: found[name]["licenseConcluded"] for name in parts} == parts


def test_versions_and_hashes() -> None:
    found = packages()
    for name in ("fmt", "nlohmann/json", "toml++", "CLI11", "tree-sitter"):
        assert re.fullmatch(r"\d+\.\d+(\.\d+)*", found[name]["versionInfo"]), name
    lock = (ROOT / "grammar" / "grammars.lock").read_text()
    for name in ("tree-sitter", "tree-sitter-bash", "tree-sitter-python"):
        (checksum,) = found[name]["checksums"]
        assert f"{name}=={found[name]['versionInfo']} --hash=sha256:" in lock
        assert checksum["checksumValue"] in lock
    (own,) = found["slurm2flyte"]["checksums"]
    assert own["checksumValue"] == hashlib.sha256(BINARY.read_bytes()).hexdigest()


def test_it_is_spdx() -> None:
    document = json.loads(written())
    ids = [each["SPDXID"] for each in document["packages"]]
    assert len(set(ids)) == len(ids)
    assert all(REFERENCE.fullmatch(each) for each in ids)
    for each in document["relationships"]:
        assert each["relatedSpdxElement"] in ids
        assert each["spdxElementId"] in {*ids, "SPDXRef-DOCUMENT"}


def test_the_same_bytes() -> None:
    assert written() == written()
    assert "2001-09-09T01:46:40Z" in written(SOURCE_DATE_EPOCH="1000000000")
