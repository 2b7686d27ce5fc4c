"""The first line of a module says what the job is about: the script, not its interpreter."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(os.environ.get("S2F_SOURCE_DIR") or Path(__file__).resolve().parents[2])
BINARY = os.environ.get("S2F_BINARY") or str(ROOT / "build" / "dev" / "slurm2flyte")

BODIES = {
    # interpreters
    "julia -t 8 --project=. src/sweep.jl 10": "Run sweep.jl.",
    "julia -e 'using Pkg'": "Run julia.",
    "Rscript --vanilla fit.R": "Run fit.R.",
    "Rscript -e 'sessionInfo()'": "Run Rscript.",
    "matlab -nodisplay -r simulate": "Run simulate.",
    "matlab -nodisplay -r 'addpath(pwd); simulate(3); exit'": "Run matlab.",
    "matlab -batch analyse": "Run analyse.",
    "perl -w count.pl reads.fq": "Run count.pl.",
    "bash steps/align.sh": "Run align.sh.",
    "bash -c 'echo $HOME; date'": "Run bash.",
    "java -Xmx4g -jar tools/picard.jar SortSam": "Run picard.jar.",
    "java -cp lib org.lab.Main": "Run org.lab.Main.",
    "python -m lab.train --lr 1": "Run lab.train.",
    "python -W ignore -m lab.train": "Run lab.train.",
    "python -c 'print(1)'": "Run python.",
    "torchrun --nproc_per_node=2 -m lab.train": "Run lab.train.",
    "nextflow run nf-core/rnaseq -profile test": "Run nf-core/rnaseq.",
    "nextflow run ./main.nf": "Run main.nf.",
    "nextflow -version": "Run nextflow.",
    "snakemake -j 8 -s rules/all.smk": "Run all.smk.",
    "snakemake -j 8": "Run snakemake.",
    # one that is named at run time
    'julia "$1"': "Run the script that it is given.",
    # what prepares, shows and tidies up stands behind the rest
    "mkdir -p out\nmake all\nrm -rf tmp": "Run make.",
    "hostname\ndate\n./solve": "Run solve.",
    "hostname": "Run hostname.",
    "hostname\ndate": "Run job.sh.",
    "echo one > log\ncp a b": "Run job.sh.",
    "rm -rf old": "Run job.sh.",
}


@pytest.mark.parametrize("body", BODIES)
def test_title(body: str, tmp_path: Path) -> None:
    job = tmp_path / "job.sh"
    job.write_text(f"#!/bin/bash\n{body}\n")
    done = subprocess.run(
        [BINARY, "convert", "-q", job, "-o", "-"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[0] == f'"""{BODIES[body]}'
