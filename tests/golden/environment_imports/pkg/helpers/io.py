import pandas as pd


def read() -> None:
    print(pd)
