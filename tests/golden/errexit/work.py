print(open("prepared.txt").read().strip())
