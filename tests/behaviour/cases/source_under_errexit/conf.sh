NAME=x; true
