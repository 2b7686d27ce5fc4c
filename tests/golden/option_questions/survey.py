print("counted")
