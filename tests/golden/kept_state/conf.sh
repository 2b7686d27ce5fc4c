MODEL="from the file"
export SHARED=yes
