"""Says that all is done."""

import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--run", type=str)
print("reported", parser.parse_args().run, flush=True)
