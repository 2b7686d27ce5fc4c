import argparse
import os

parser = argparse.ArgumentParser()
parser.add_argument("--ckpt")
parser.add_argument("--steps", type=int)
args = parser.parse_args()
rank, size = os.environ.get("RANK", "0"), os.environ.get("WORLD_SIZE", "1")
print(f"rank {rank} of {size}: {args.steps} steps", flush=True)
