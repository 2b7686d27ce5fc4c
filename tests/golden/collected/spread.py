import argparse
import pathlib

parser = argparse.ArgumentParser()
parser.add_argument("--samples")
options = parser.parse_args()
paths = pathlib.Path(options.samples).iterdir()
values = [int(path.read_text()) for path in paths]
print("samples", len(values))
print("spread", max(values) - min(values))
