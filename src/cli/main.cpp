// The program: hands its arguments to the command line and its exit status to the shell.
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "cli/commands.hpp"

int main(int argc, char** argv) {
  using namespace s2f;
  try {
    std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    const int status = cli::run(std::move(arguments), cli::process_console());
    // A full disk behind standard output shows itself only now.
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
      std::fputs("slurm2flyte: error: cannot write to standard output\n", stderr);
      return cli::failed;
    }
    return status;
  } catch (const std::exception& problem) {
    std::fprintf(stderr,
                 "slurm2flyte: internal error: %s\n"
                 "  Nothing half written was left behind. Please report this with the script.\n",
                 problem.what());
    return cli::failed;
  }
}
