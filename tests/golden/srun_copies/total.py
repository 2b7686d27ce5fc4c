import pathlib

for path in sorted(pathlib.Path().glob("done-*.txt")):
    print(path.read_text(), end="")
