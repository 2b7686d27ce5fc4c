MODEL="from the config"
export SHARED_SETTING=1
double() { echo $(($1 * 2)); }
