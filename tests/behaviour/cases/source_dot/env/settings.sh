VALUE="set with $1"
cd env
