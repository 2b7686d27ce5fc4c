// umask: which permissions the files that are made from here on do not get.
//
// before:  umask 027      after:  FileMask{027}
#include <charconv>

#include "passes/lifting.hpp"

namespace s2f::passes {

std::string Lifting::mask(ir::Step& step, const shell::SimpleCommand& command) {
  const std::string general = "the shell's own umask";
  if (command.words.size() != 2 || !command.assignments.empty() ||
      !step.statement->redirects.empty()) {
    return general;
  }
  const std::string digits = command.words[1].literal().value_or("");
  constexpr int octal = 8;
  constexpr std::uint32_t all = 0777;
  ir::FileMask result;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), result.mode, octal);
  if (error != std::errc{} || end != digits.data() + digits.size() || result.mode > all) {
    return general; // u=rwx,g=rx
  }
  step.value = result;
  return {};
}

} // namespace s2f::passes
