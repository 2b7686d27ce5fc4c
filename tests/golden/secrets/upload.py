import os
import sys

print("token" if "HF_TOKEN" in os.environ else "no token", sys.argv[1:])
