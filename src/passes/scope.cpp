// Words to values.
#include "passes/scope.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace s2f::passes {

namespace {

bool split_or_globbed(std::string_view text) {
  return text.empty() || text.find_first_of(" \t\n*?[") != std::string_view::npos;
}

bool all_digits(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

} // namespace

const ir::SlurmRead* note_slurm_variable(ir::Job& job, const std::string& name) {
  const auto known = std::ranges::find_if(
      job.slurm_reads, [&](const ir::SlurmRead& read) { return read.name == name; });
  if (known != job.slurm_reads.end()) {
    return &*known;
  }
  const slurm::VariableValue value = slurm::variable_value(job.header.components.front(), name);
  if (value.unset) {
    return nullptr;
  }
  job.slurm_reads.push_back({name, value.value, value.how});
  return &job.slurm_reads.back();
}

std::set<std::string> slurm_names(std::string_view text) {
  std::set<std::string> names;
  for (auto at = text.find("SLURM_"); at != std::string_view::npos;
       at = text.find("SLURM_", at + 1)) {
    if (at > 0 &&
        (std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0 || text[at - 1] == '_')) {
      continue;
    }
    std::size_t end = at;
    while (end < text.size() &&
           (std::isupper(static_cast<unsigned char>(text[end])) != 0 ||
            std::isdigit(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) {
      ++end;
    }
    names.emplace(text.substr(at, end - at));
  }
  names.erase("SLURM_");
  return names;
}

const ir::Value* Scope::find(const std::string& name) const {
  const auto found = constants_.find(name);
  return found == constants_.end() ? nullptr : &found->second;
}

ir::Value Scope::value_of(const shell::Word& word) {
  ir::Value value;
  value.span = word.span;
  for (const source::Span& secret : job_.secret_spans) {
    if (word.span.contains(secret)) {
      value.append(ir::Unknown{"a secret in plain text"});
      return value;
    }
  }
  for (const shell::WordPart& part : word.parts) {
    add(part, false, value);
  }
  return value;
}

void Scope::add(const shell::WordPart& part, bool quoted, ir::Value& value) {
  if (const auto* literal = std::get_if<shell::Literal>(&part.value)) {
    if (literal->globs && !quoted) {
      value.append(ir::Unknown{"a pattern that the shell expands"});
    } else {
      value.append(ir::Text{literal->value});
    }
  } else if (const auto* single = std::get_if<shell::SingleQuoted>(&part.value)) {
    value.append(ir::Text{single->value});
  } else if (const auto* ansi = std::get_if<shell::AnsiQuoted>(&part.value)) {
    value.append(ir::Text{ansi->value});
  } else if (const auto* doubled = std::get_if<shell::DoubleQuoted>(&part.value)) {
    for (const shell::WordPart& inner : doubled->parts) {
      add(inner, true, value);
    }
  } else if (const auto* parameter = std::get_if<shell::Parameter>(&part.value)) {
    add_parameter(*parameter, quoted, value);
  } else if (std::holds_alternative<shell::CommandSubstitution>(part.value)) {
    value.append(ir::Unknown{"the output of a command"});
  } else if (std::holds_alternative<shell::Arithmetic>(part.value)) {
    value.append(ir::Unknown{"arithmetic"});
  } else if (std::holds_alternative<shell::Tilde>(part.value)) {
    value.append(ir::Unknown{"a home directory"});
  } else {
    value.append(ir::Unknown{"an expansion of the shell"});
  }
}

void Scope::add_parameter(const shell::Parameter& parameter, bool quoted, ir::Value& value) {
  const std::string& name = parameter.name;
  if (parameter.length || parameter.indirect || parameter.subscript) {
    value.append(ir::Unknown{"an expansion of the shell"});
    return;
  }
  if (all_digits(name) && name != "0") {
    if (!parameter.op.empty() && parameter.op != ":-" && parameter.op != "-" &&
        parameter.op != ":?" && parameter.op != "?") {
      value.append(ir::Unknown{"an operator on a parameter"});
      return;
    }
    for (const ir::Parameter& known : job_.parameters) {
      if (known.position != 0 && fmt::format("{}", known.position) == name) {
        value.unquoted |= !quoted;
        value.append(ir::ParameterRef{known.name});
        return;
      }
    }
    value.append(ir::Unknown{"a positional parameter"});
    return;
  }
  // A default never applies to a constant that is set and not empty.
  const ir::Value* constant = find(name);
  if (constant != nullptr &&
      (parameter.op.empty() ||
       ((parameter.op == ":-" || parameter.op == "-" || parameter.op == ":?") && constant->text() &&
        !constant->text()->empty()))) {
    if (!quoted && constant->text() && split_or_globbed(*constant->text())) {
      value.append(ir::Unknown{"a variable that the shell would split"});
      return;
    }
    value.unquoted |= !quoted && !constant->is_text();
    for (const ir::ValuePart& part : constant->parts) {
      value.append(part);
    }
    return;
  }
  if (!parameter.op.empty()) {
    value.append(ir::Unknown{"an operator on a variable"});
    return;
  }
  if (name == "SLURM_ARRAY_TASK_ID" && job_.array) {
    job_.array->index_used = true;
    value.append(ir::ArrayIndex{});
    return;
  }
  if (name == "SLURM_SUBMIT_DIR") {
    value.append(ir::SubmitDirectory{});
    return;
  }
  if (name.starts_with("SLURM_")) {
    const ir::SlurmRead* read = note_slurm_variable(job_, name);
    if (read != nullptr && read->value && (quoted || !split_or_globbed(*read->value))) {
      value.append(ir::Text{*read->value});
    } else {
      value.append(ir::SlurmVariable{name});
    }
    return;
  }
  for (const ir::Parameter& known : job_.parameters) {
    if (known.origin == "$" + name) {
      value.unquoted |= !quoted;
      value.append(ir::ParameterRef{known.name});
      return;
    }
  }
  value.append(ir::Variable{name});
}

} // namespace s2f::passes
