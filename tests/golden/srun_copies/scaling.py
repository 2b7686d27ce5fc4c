def scaled(number, scale):
    return number * scale
