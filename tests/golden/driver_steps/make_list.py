import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--count", type=int)
for number in range(parser.parse_args().count):
    print(number)
