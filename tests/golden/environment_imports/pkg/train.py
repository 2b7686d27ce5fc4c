import json
import sys

import numpy as np
import yaml
from helpers.io import read
from strange_package import thing

try:
    import wandb
except ImportError:
    wandb = None

print(json, np, yaml, read, thing, wandb, sys.argv)
