// A list of the lines of a file.
//
// before:  mapfile -t SAMPLES < samples.txt
// after:   Assign{samples = {Computed{file_lines, {"samples.txt"}}}}
#include "passes/lifting.hpp"
#include "passes/names.hpp"

namespace s2f::passes {

std::string Lifting::mapfile(ir::Step& step, const shell::SimpleCommand& command) {
  const std::string general = "a list of lines";
  constexpr std::size_t words = 3; // mapfile -t NAME
  const auto name = command.words.size() == words ? command.words[2].literal() : std::nullopt;
  const auto& redirects = step.statement->redirects;
  if (!name || command.words[1].literal() != "-t" || !command.assignments.empty() ||
      redirects.size() != 1 || redirects.front().kind != shell::RedirectKind::input ||
      redirects.front().descriptor.value_or(0) != 0 || writes_[*name] > 1 || later_.size() > 1 ||
      calls_ > 0) {
    return general;
  }
  ir::Value file = scope_.value_of(redirects.front().target);
  const auto path = file.text();
  // Without the file the list stays what it was.
  if (!path || path->empty() || elsewhere_ || !context_.file_exists ||
      !context_.file_exists(directory_ + *path) || !context_.read_file) {
    return "a list of the lines of a file that may not be there";
  }
  include(*path);
  const std::string content = context_.read_file(directory_ + *path).value_or("");
  Scope::List list;
  list.python = local_name(job_, *name);
  list.splits = content.find_first_of(" \t*?[") != std::string::npos;
  ir::Binding binding{*name, {}, list.python};
  binding.items.emplace();
  binding.items->emplace_back();
  binding.items->front().append(ir::Computed{ir::Operation::file_lines, {std::move(file)}});
  ir::Assign result;
  result.bindings.push_back(std::move(binding));
  scope_.set_list(*name, std::move(list));
  step.value = std::move(result);
  return {};
}

} // namespace s2f::passes
