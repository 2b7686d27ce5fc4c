import argparse
import pathlib

parser = argparse.ArgumentParser()
parser.add_argument("--parts", type=int)
for part in range(parser.parse_args().parts):
    pathlib.Path(f"part-{part}.txt").write_text(f"{part + 1}\n")
