import argparse

parser = argparse.ArgumentParser()
for name in ("model", "rate", "data", "name", "by"):
    parser.add_argument(f"--{name}")
print(*vars(parser.parse_args()).values())
