// Uses enough of fmt to show that cmake/fmt.cpp fits the version that is installed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv, argv + argc);
  const auto text = fmt::format("{:>8} {:.3f} {} {:#x} {:L} {}", argc, 0.5 * argc, 1.0F, argc, argc,
                                fmt::join(words, ", "));
  return text.empty() ? 1 : 0;
}
