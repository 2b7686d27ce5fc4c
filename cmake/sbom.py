"""Writes what a program is made of as SPDX 2.3, from the build that made it.

python cmake/sbom.py PROGRAM BUILD_FOLDER    # JSON to standard output

The grammars and their hashes are those of grammar/grammars.lock, the libraries and their versions
those that CMake found (CMakeCache.txt, or the headers), their licences those of NOTICE. The same build
gives the same bytes: the time is that of SOURCE_DATE_EPOCH, or of the last commit.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
HEADERS = {
    "fmt": ("fmt/core.h", "fmt/base.h"),
    "nlohmann/json": ("nlohmann/detail/abi_macros.hpp", "nlohmann/json.hpp"),
    "toml++": ("toml++/impl/version.h", "toml++/impl/version.hpp"),
    "CLI11": ("CLI/Version.hpp",),
}
# CMake's file that says which version was found, where there is one.
CONFIGS = {"fmt": "fmt", "nlohmann/json": "nlohmann_json", "CLI11": "CLI11"}


def licences() -> dict[str, str]:
    """Of each part that NOTICE names: "fmt (MIT)"."""
    head = (ROOT / "NOTICE").read_text().partition("\n---")[0]
    return dict(re.findall(r"^(.+) \(([\w.-]+)\)$", head, re.MULTILINE))


def pins() -> dict[str, tuple[str, str]]:
    """Of each grammar: its version and the hash of its archive."""
    lock = (ROOT / "grammar" / "grammars.lock").read_text()
    found = re.findall(r"^([\w-]+)==(\S+) --hash=sha256:(\w+)", lock, re.MULTILINE)
    return {name: (version, digest) for name, version, digest in found}


def version_of(name: str, build: Path) -> str:
    cache = (build / "CMakeCache.txt").read_text()
    config = CONFIGS.get(name, "")
    folder = (
        re.search(rf"^{config}_DIR:PATH=(.+)$", cache, re.MULTILINE) if config else None
    )
    for file in Path(folder[1]).glob("*ersion.cmake") if folder else ():
        if told := re.search(r'PACKAGE_VERSION "([\d.]+)"', file.read_text()):
            return told[1]
    include = re.search(r"^s2f_toml:PATH=(.+)$", cache, re.MULTILINE)
    folders = [Path(include[1])] if include else []
    for place in [*folders, Path("/usr/include"), Path("/usr/local/include")]:
        for header in HEADERS[name]:
            if not (place / header).is_file():
                continue
            text = (place / header).read_text(errors="replace")
            parts = re.findall(r"VERSION_(?:MAJOR|MINOR|PATCH)\s+(\d+)|LIB_(?:MAJOR|MINOR|PATCH)\s+(\d+)", text)  # fmt: skip
            if numbers := [a or b for a, b in parts][:3]:
                return ".".join(numbers)
    return "NOASSERTION"


def time_of_the_source() -> str:
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if not epoch:
        done = subprocess.run(
            ["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False
        )  # fmt: skip
        epoch = done.stdout.strip() or "0"
    return datetime.fromtimestamp(int(epoch), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def package(name: str, version: str, licence: str, **more: Any) -> dict[str, Any]:
    return {
        "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.]+", "-", name),
        "name": name,
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": licence,
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
    } | more


def sbom(program: Path, build: Path) -> dict[str, Any]:
    version = re.search(
        r"project\(slurm2flyte VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text()
    )
    digest = hashlib.sha256(program.read_bytes()).hexdigest()
    checksum = [{"algorithm": "SHA256", "checksumValue": digest}]
    name = version[1] if version else "NOASSERTION"
    main = package("slurm2flyte", name, "Apache-2.0", checksums=checksum)
    parts = []
    pinned = pins()
    for part, licence in licences().items():
        if part in pinned:
            release, archive = pinned[part]
            source = [{"algorithm": "SHA256", "checksumValue": archive}]
            parts.append(package(part, release, licence, checksums=source))
        elif part in HEADERS:
            parts.append(package(part, version_of(part, build), licence))
        else:  # a file within another part
            parts.append(package(part, "NOASSERTION", licence))
    for runtime, licence in (
        ("GNU libstdc++ and libgcc", "GPL-3.0-or-later WITH GCC-exception-3.1"),
        ("C library of the machine that built it", "NOASSERTION"),
    ):
        parts.append(package(runtime, "NOASSERTION", licence))
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"slurm2flyte-{name}",
        "documentNamespace": f"https://spdx.org/spdxdocs/slurm2flyte-{name}-{digest}",
        "creationInfo": {
            "created": time_of_the_source(),
            "creators": ["Tool: slurm2flyte cmake/sbom.py"],
        },
        "packages": [main, *parts],
        "relationships": [
            {
                "spdxElementId": "SPDXRef-DOCUMENT",
                "relationshipType": "DESCRIBES",
                "relatedSpdxElement": main["SPDXID"],
            },
            *(
                {
                    "spdxElementId": main["SPDXID"],
                    "relationshipType": "STATIC_LINK",
                    "relatedSpdxElement": part["SPDXID"],
                }
                for part in parts
            ),
        ],
    }


if __name__ == "__main__":
    print(json.dumps(sbom(Path(sys.argv[1]), Path(sys.argv[2])), indent=1))
