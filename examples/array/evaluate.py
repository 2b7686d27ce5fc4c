"""Score one point of an 8 by 8 grid."""

import argparse
import json


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", type=int, required=True)
    parser.add_argument("--out", required=True)
    arguments = parser.parse_args()

    depth, width = divmod(arguments.index, 8)
    score = (depth - 3) ** 2 + (width - 5) ** 2
    with open(arguments.out, "w") as file:
        json.dump({"depth": depth, "width": width, "score": score}, file)
    print(f"depth {depth}, width {width}: {score}")


if __name__ == "__main__":
    main()
