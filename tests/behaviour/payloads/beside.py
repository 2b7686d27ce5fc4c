"""Say whether more than so many of these run at once."""

import os
import sys
import time

most, name = int(sys.argv[1]), sys.argv[2]
os.makedirs("running", exist_ok=True)
mine = f"running/{name}"
open(mine, "w").close()
seen = len(os.listdir("running"))
time.sleep(0.5)
seen = max(seen, len(os.listdir("running")))
os.remove(mine)
print(name, "too many" if seen > most else "fine", flush=True)
