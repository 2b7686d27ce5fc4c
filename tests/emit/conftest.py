"""Runs the generators of tests/emit/generate_test.cpp."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def generate(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, int], Path]:
    def run(case: str, count: int) -> Path:
        directory = tmp_path_factory.mktemp("generated")
        tests = Path(os.environ["S2F_BINARY"]).parent / "slurm2flyte_tests"
        subprocess.run(
            [tests, case],
            env={
                **os.environ,
                "S2F_GENERATE": str(directory),
                "S2F_GENERATE_COUNT": str(count),
            },
            check=True,
            stdout=subprocess.DEVNULL,
        )
        return directory

    return run
