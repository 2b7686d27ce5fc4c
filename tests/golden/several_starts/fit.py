import argparse
import os

parser = argparse.ArgumentParser()
parser.add_argument("--fold", type=int)
parser.add_argument("--lr", type=float)
arguments = parser.parse_args()
if "MASTER_ADDR" in os.environ:
    import torch

    torch.distributed.init_process_group("nccl")
print("fold", arguments.fold, "lr", arguments.lr, "rank", os.environ.get("RANK", "0"))
