set -e; NAME=x
