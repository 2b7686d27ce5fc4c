print("worked")
