"""Print the most frequent words."""

import argparse
import json
import pathlib


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--counts", required=True)
    parser.add_argument("--top", type=int, default=10)
    arguments = parser.parse_args()

    counts = json.loads(pathlib.Path(arguments.counts).read_text())
    best = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    for word, count in best[: arguments.top]:
        print(f"{count:4} {word}")


if __name__ == "__main__":
    main()
