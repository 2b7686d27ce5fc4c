"""Take the GPUs that are shown, and say how many they are and whether somebody has one of them."""

import os
import sys
import time

gpus = os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",")
taken = []
for gpu in filter(None, gpus):
    try:
        os.mkdir(f"gpu{gpu}")
    except FileExistsError:
        taken.append(gpu)
time.sleep(0.5)
shown = len(gpus) if gpus != [""] else 0
print(sys.argv[1], shown, "taken" if taken else "free", flush=True)
for gpu in filter(None, gpus):
    if gpu not in taken:
        os.rmdir(f"gpu{gpu}")
