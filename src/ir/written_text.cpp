// Tells a program that only writes text from others.
#include "ir/written_text.hpp"

namespace s2f::ir {

namespace {

// One stream, into a file that stays.
bool to_file(const Launch& launch) {
  if (launch.redirections.size() != 1) {
    return false;
  }
  const Redirection& to = launch.redirections.front();
  return to.stream == Redirection::Stream::out && !to.to_stdout && !to.to_stderr &&
         !to.file.text().value_or("").starts_with("/dev/");
}

bool alone(const Launch& launch) {
  return launch.environment.empty() && launch.copies == 1 && launch.launcher.empty() &&
         launch.directory.empty() && launch.program == 0 && !launch.rank;
}

} // namespace

std::optional<Echoed> echoed_to_file(const Launch& launch) {
  if (launch.words.front().text() != "echo" || launch.input || !alone(launch) || !to_file(launch)) {
    return std::nullopt;
  }
  Echoed result;
  if (launch.words.size() > 1 && launch.words[1].text() == "-n") {
    result = {2, false};
  }
  if (result.from == launch.words.size()) {
    return result;
  }
  const Value& first = launch.words[result.from];
  const auto* text = first.parts.empty() ? nullptr : std::get_if<Text>(&first.parts.front());
  if (text == nullptr || text->text.empty() || text->text.front() == '-') {
    return std::nullopt;
  }
  return result;
}

bool is_here_document(const Launch& launch) {
  return launch.input && launch.input->text && launch.words.size() == 1 &&
         launch.words.front().text() == "cat" && launch.environment.empty() && launch.copies == 1 &&
         (launch.redirections.empty() || (to_file(launch) && !launch.redirections.front().append));
}

} // namespace s2f::ir
