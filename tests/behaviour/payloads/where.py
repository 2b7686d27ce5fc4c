"""Print the name of the directory, and leave a file there."""

import sys
from pathlib import Path

print(Path.cwd().name)
if len(sys.argv) > 1:
    Path(sys.argv[1]).write_text("left here\n")
