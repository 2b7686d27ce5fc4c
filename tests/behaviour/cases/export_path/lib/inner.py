VALUE = "inner"
