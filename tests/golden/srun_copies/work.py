import argparse
import os
import pathlib

from scaling import scaled

parser = argparse.ArgumentParser()
parser.add_argument("--scale", type=int)
rank, size = os.environ["SLURM_PROCID"], os.environ["SLURM_NTASKS"]
part = int(pathlib.Path(f"part-{rank}.txt").read_text())
result = scaled(part, parser.parse_args().scale)
pathlib.Path(f"done-{rank}.txt").write_text(f"{rank} of {size}: {result}\n")
