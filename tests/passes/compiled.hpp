// One job script through the whole compiler, with files beside it that need no disk.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "project/compile.hpp"

namespace s2f::tests {

struct CompiledJob {
  std::string module;             // "" where none was written
  std::vector<std::string> rules; // of its findings, in order
  std::vector<std::string> messages;
  std::vector<review::Item> items;

  // What the review says of an item of the script.
  [[nodiscard]] std::string why(const std::string& text) const {
    const auto item = std::ranges::find(items, text, &review::Item::text);
    return item == items.end() ? "no such item" : item->why;
  }

  [[nodiscard]] bool raised(const std::string& rule) const {
    return std::ranges::find(rules, rule) != rules.end();
  }
  [[nodiscard]] bool said(const std::string& text) const {
    return std::ranges::any_of(messages, [&](const std::string& message) {
      return message.find(text) != std::string::npos;
    });
  }
  [[nodiscard]] bool has(const std::string& text) const {
    return module.find(text) != std::string::npos;
  }
  // The module on one line, so that a test need not know where the printer breaks it.
  [[nodiscard]] std::string flat() const {
    std::string out;
    for (const char c : module) {
      const bool blank = c == '\n' || c == ' ';
      if (!blank || (!out.empty() && out.back() != ' ')) {
        out += blank ? ' ' : c;
      }
    }
    return out;
  }
  [[nodiscard]] bool flat_has(const std::string& text) const {
    return flat().find(text) != std::string::npos;
  }
};

inline CompiledJob compile_job(const std::string& body,
                               std::vector<std::pair<std::string, std::string>> files = {}) {
  files.emplace_back("job.sh", "#!/bin/bash\n" + body + "\n");
  const project::Compiled compiled =
      project::compile({"job.sh"}, {}, project::in_memory(std::move(files)));
  CompiledJob result;
  if (!compiled.modules.empty()) {
    result.module = compiled.modules.front().text;
  }
  for (const review::PlacedFinding& finding : compiled.review.inputs.front().findings) {
    result.rules.push_back(finding.finding.rule);
    result.messages.push_back(finding.finding.message);
  }
  result.items = compiled.review.inputs.front().items;
  return result;
}

} // namespace s2f::tests
