// Reads the slots of a list of nodes: in the file, or where the script writes it.
#include "passes/node_list.hpp"

#include <charconv>
#include <sstream>

#include "analysis/walk.hpp"

namespace s2f::passes {

namespace {

constexpr std::string_view sign = "slots=";

// 4 of "node1 slots=4"; nothing where it is no number.
std::optional<std::int64_t> slots_in(std::string_view text) {
  const auto at = text.find(sign);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  text.remove_prefix(at + sign.size());
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = end == text.data() + text.size() ||
                     std::string_view(" \t\n\\\"'/}").find(*end) != std::string_view::npos;
  return error == std::errc{} && whole ? std::optional(value) : std::nullopt;
}

void note(NodeList& list, std::optional<std::int64_t> slots) {
  list.differ |= !slots || (list.slots && list.slots != slots);
  list.slots = slots;
}

NodeList of_file(const std::string& text) {
  NodeList list;
  std::istringstream lines(text);
  std::int64_t nodes = 0;
  for (std::string line; std::getline(lines, line);) {
    const auto begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos || line[begin] == '#') {
      continue;
    }
    ++nodes;
    note(list, slots_in(line));
  }
  list.nodes = nodes;
  return list;
}

} // namespace

NodeList node_list(const PassContext& context, const ScriptValues& values,
                   const RankLauncher& launcher) {
  const std::string& file = *launcher.hostfile;
  NodeList list;
  analysis::Visitor visitor;
  visitor.word = [&](const shell::Word& word) {
    if (context.text(word.span).find(sign) != std::string::npos) {
      note(list, slots_in(values.template_of(word).value_or(context.text(word.span))));
    }
  };
  for (const shell::Statement& statement : context.job.script->statements) {
    analysis::walk(statement, visitor);
  }
  if (list.slots || list.differ) {
    return list;
  }
  const bool plain = !file.empty() && file.find('$') == std::string::npos && file[0] != '/';
  return plain && context.file_exists && context.file_exists(file) && context.read_file
             ? of_file(context.read_file(file).value_or(""))
             : list;
}

} // namespace s2f::passes
