NAME=x; align() { echo "aligned $1"; }
