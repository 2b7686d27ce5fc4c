"""Print the variables that are named, as this process sees them."""

import os
import sys

for name in sys.argv[1:]:
    print(name, repr(os.environ.get(name)))
