"""Count the words of a text."""

import argparse
import collections
import json
import pathlib


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--text", required=True)
    parser.add_argument("--out", required=True)
    arguments = parser.parse_args()

    words = pathlib.Path(arguments.text).read_text().lower().split()
    counts = collections.Counter(words)
    pathlib.Path(arguments.out).write_text(json.dumps(counts, sort_keys=True))
    print(f"{len(words)} words, {len(counts)} of them different")


if __name__ == "__main__":
    main()
