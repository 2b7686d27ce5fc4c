NAME=x; false
