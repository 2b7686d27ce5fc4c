// The names that a module uses, and its imports.
#include "emit/imports.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include "emit/text.hpp"
#include "flyte/names.hpp"
#include "flyte/walk.hpp"
#include "generated/tables/python_names.hpp"

namespace s2f::emit {

namespace {

std::string_view root_of(std::string_view dotted) { return dotted.substr(0, dotted.find('.')); }

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

void add_words(Names& names, std::string_view text) {
  std::string word;
  for (const char c : text) {
    if (is_word(c)) {
      word += c;
    } else if (!word.empty()) {
      names.insert(std::exchange(word, {}));
    }
  }
  if (!word.empty()) {
    names.insert(word);
  }
}

// isort: constants, then classes, then the rest; each without regard to case.
std::tuple<int, std::string, std::string> member_order(std::string_view name) {
  const auto upper = [](char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; };
  const auto lower = [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0; };
  const int rank = name.size() > 1 && std::ranges::none_of(name, lower) ? 0
                   : upper(name[0])                                     ? 1
                                                                        : 2;
  std::string folded(name);
  std::ranges::transform(folded, folded.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return {rank, folded, std::string(name)};
}

} // namespace

void add_reference(Names& names, std::string_view reference) {
  for (const std::string& name : flyte::dotted_names(reference)) {
    names.emplace(root_of(name));
  }
}

// Adds the first part of each dotted name that is read to `names`.
static std::function<void(std::string_view)> roots_to(Names& names) {
  return [&names](std::string_view dotted) { names.emplace(root_of(dotted)); };
}

void add_expression(Names& names, const flyte::Expr& expr) {
  flyte::Walker{.use = roots_to(names)}.expression(expr);
}

Names names_read(const std::vector<flyte::Stmt>& statements) {
  Names names;
  flyte::Walker{.use = roots_to(names)}.statements(statements);
  return names;
}

bool calls_only(const flyte::Expr& expr, std::span<const std::string_view> functions) {
  bool only = true;
  const auto allowed = [&](const flyte::Call& call) {
    const auto* name = std::get_if<flyte::Name>(&call.callee->value);
    only = only && name != nullptr && std::ranges::find(functions, name->dotted) != functions.end();
  };
  flyte::Walker{.call = allowed}.expression(expr);
  return only;
}

Names free_names(const flyte::Module& module) {
  const Names defined = flyte::defined_names(module);
  Names names;
  const auto free = [&](std::string_view dotted) {
    const std::string_view name = root_of(dotted);
    if (!defined.contains(name)) {
      names.emplace(name);
    }
  };
  flyte::Walker{.use = free}.top(module);
  for (const flyte::Task& task : module.tasks) {
    Names bound;
    for (const flyte::Parameter& parameter : task.parameters) {
      bound.insert(parameter.name);
    }
    Names used;
    flyte::Walker{.use = roots_to(used),
                  .bind = [&](std::string_view target) { add_words(bound, target); }}
        .statements(task.body);
    for (const std::string& name : used) {
      if (!bound.contains(name)) {
        free(name);
      }
    }
  }
  if (module.here_parent) {
    names.insert("Path");
  }
  if (!module.entry.empty()) {
    names.insert("flyte");
  }
  return names;
}

std::vector<const flyte::Call*> calls_of(const flyte::Module& module, std::string_view function) {
  std::vector<const flyte::Call*> calls;
  const flyte::Walker walker{.call = [&](const flyte::Call& call) {
    const auto* callee = std::get_if<flyte::Name>(&call.callee->value);
    if (callee != nullptr && callee->dotted == function) {
      calls.push_back(&call);
    }
  }};
  for (const flyte::Task& task : module.tasks) {
    walker.statements(task.body);
  }
  return calls;
}

// `from module import members`, on as many lines as it takes.
static void add_from(const std::string& module, std::vector<std::string> members,
                     std::vector<std::string>& lines) {
  std::ranges::sort(members, {}, member_order);
  std::string line = "from " + module + " import ";
  for (const std::string& member : members) {
    line += (&member == members.data() ? "" : ", ") + member;
  }
  if (line.size() <= 88) {
    lines.push_back(line);
    return;
  }
  lines.push_back("from " + module + " import (");
  for (const std::string& member : members) {
    lines.push_back("    " + member + ",");
  }
  lines.emplace_back(")");
}

std::vector<std::string> module_import_lines(std::vector<flyte::ModuleImport> imports) {
  std::ranges::sort(imports, {}, &flyte::ModuleImport::module);
  std::vector<std::string> lines;
  for (const flyte::ModuleImport& each : imports) {
    add_from(each.module, each.names, lines);
  }
  return lines;
}

std::vector<std::string> import_lines(const Names& names) {
  struct Section {
    std::vector<std::string> plain;
    std::map<std::string, std::vector<std::string>, std::less<>> from;
  };
  Section sections[2];
  for (const std::string& name : names) {
    const tables::PythonNamesRow* row = tables::find_python_names(name);
    if (row == nullptr) {
      continue;
    }
    Section& section = sections[row->section == tables::PythonNamesSection::standard ? 0 : 1];
    if (row->from) {
      section.from[std::string(*row->from)].push_back(name);
    } else {
      section.plain.push_back(name);
    }
  }
  std::vector<std::string> lines;
  for (Section& section : sections) {
    if (section.plain.empty() && section.from.empty()) {
      continue;
    }
    if (!lines.empty()) {
      lines.emplace_back();
    }
    for (const std::string& name : section.plain) {
      lines.push_back("import " + name);
    }
    for (auto& [module, members] : section.from) {
      add_from(module, std::move(members), lines);
    }
  }
  return lines;
}

} // namespace s2f::emit
