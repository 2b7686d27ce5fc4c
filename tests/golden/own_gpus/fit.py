"""Fit on the one GPU that each rank sees."""

import argparse
import os

import torch.distributed

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=1)
arguments = parser.parse_args()
rank, world = int(os.environ["SLURM_PROCID"]), int(os.environ["SLURM_NTASKS"])
torch.distributed.init_process_group("nccl", rank=rank, world_size=world)
