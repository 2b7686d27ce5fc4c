"""shown_gpus.py NAME ALL: take the GPUs that are shown, and say how many of all they are, and if free."""

import os
import sys
import time

name, all_gpus = sys.argv[1:]
gpus = os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",")
shown = len(gpus) if gpus != [""] else int(all_gpus)
mine, taken = [], False
for gpu in filter(None, gpus):
    try:
        os.mkdir(f"gpu{gpu}")
        mine.append(gpu)
    except FileExistsError:
        taken = True
time.sleep(0.5)
print(name, shown, "taken" if taken else "free", flush=True)
for gpu in mine:
    os.rmdir(f"gpu{gpu}")
