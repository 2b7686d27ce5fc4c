// The command line program: for now it only says which version it is.
#include <cstdio>

int main() {
    std::puts("slurm2flyte " S2F_VERSION);
    return 0;
}
