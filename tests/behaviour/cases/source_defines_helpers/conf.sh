helper() { NAME=$1; }; helper "ünï"
