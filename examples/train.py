"""Fit a line to points by gradient descent; the standard library is enough."""

import argparse
import json
import random


def points(count: int, seed: int) -> list[tuple[float, float]]:
    """Points near y = 3x + 1."""
    generator = random.Random(seed)
    xs = [generator.uniform(-1, 1) for _ in range(count)]
    return [(x, 3 * x + 1 + generator.gauss(0, 0.1)) for x in xs]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lr", type=float, default=1e-3, help="learning rate")
    parser.add_argument("--epochs", type=int, default=2000)
    arguments = parser.parse_args()

    data = points(count=50, seed=1)
    slope = offset = 0.0
    for _ in range(arguments.epochs):
        for x, y in data:
            error = slope * x + offset - y
            slope -= arguments.lr * error * x
            offset -= arguments.lr * error

    with open("model.json", "w") as file:
        json.dump({"slope": round(slope, 3), "offset": round(offset, 3)}, file)
    print(f"y = {slope:.3f} x + {offset:.3f}")


if __name__ == "__main__":
    main()
