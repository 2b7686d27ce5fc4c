// Looks for the names of the table of launchers in a text.
#include "passes/launcher_words.hpp"

#include <algorithm>
#include <cctype>

#include "generated/tables/module_verbs.hpp"

namespace s2f::passes {

using Kind = tables::LaunchersKind;

namespace {

// " load cuda"
bool verb_of_modules(std::string_view behind) {
  return behind.starts_with(' ') && std::ranges::any_of(tables::module_verbs, [&](const auto& row) {
           return behind.substr(1).starts_with(row.name);
         });
}

} // namespace

const tables::LaunchersRow* launcher_of(std::string_view name) {
  if (const auto* row = tables::find_launchers(name)) {
    return row;
  }
  const auto* found = std::ranges::find_if(tables::launchers, [&](const auto& row) {
    return row.match == tables::LaunchersMatch::begins && name.starts_with(row.name) &&
           std::isalnum(static_cast<unsigned char>(name[row.name.size()])) == 0;
  });
  return found == std::end(tables::launchers) ? nullptr : found;
}

std::optional<std::string> launcher_word(std::string_view text, LauncherWords which) {
  std::size_t at = 0;
  bool line_start = true;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '#' &&
        (at == 0 || std::isspace(static_cast<unsigned char>(text[at - 1])) != 0 || line_start)) {
      while (at < text.size() && text[at] != '\n') {
        ++at;
      }
      continue;
    }
    line_start = c == '\n';
    if (std::isalpha(static_cast<unsigned char>(c)) == 0) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 ||
                                text[at] == '_' || text[at] == '.' || text[at] == '-')) {
      ++at;
    }
    const std::string_view word = text.substr(begin, at - begin);
    if (begin > 0 && (text[begin - 1] == '_' || text[begin - 1] == '-' || text[begin - 1] == '.')) {
      continue;
    }
    const auto* row = tables::find_launchers(word);
    if (row == nullptr || word == "ml" || word == "prun") {
      continue;
    }
    if (at < text.size() && (text[at] == '=' || text[at] == '/')) {
      continue; // a name or a directory
    }
    if (which == LauncherWords::slurm && row->kind == Kind::mpi) {
      continue;
    }
    if (which == LauncherWords::starts && row->kind != Kind::mpi && row->kind != Kind::step &&
        row->kind != Kind::submit) {
      continue;
    }
    if (word == "module" && !verb_of_modules(text.substr(at))) {
      continue;
    }
    return std::string(word);
  }
  return std::nullopt;
}

} // namespace s2f::passes
