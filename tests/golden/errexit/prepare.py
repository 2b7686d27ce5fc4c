open("prepared.txt", "w").write("ready\n")
