// What a container lacks of the files that a job names, and what cannot be told of them.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "passes/context.hpp"

namespace s2f::passes {

class NotBundled {
public:
  explicit NotBundled(PassContext& context) : context_(context) {}

  // A command speaks of them, so that it may make them.
  void spoken_of(const std::vector<std::string>& names);
  [[nodiscard]] bool knows(const std::string& path) const { return earlier_.contains(path); }

  // A name, as ScriptNames gives it, to which nothing answers. `as_written`: the finding shows the
  // word of the script.
  void absent(const std::string& name, const Span& span, bool program, bool as_written);
  void missing_program(const std::string& name, const Span& span);
  void too_many(const std::string& name, const Span& span);
  // A text that a shell runs, and of which nothing is known.
  void unread(const Span& span);

  // Raises the findings.
  void say();

private:
  [[nodiscard]] bool may_be_made(const std::string& path) const;
  [[nodiscard]] bool given_by_others() const;

  struct List {
    std::vector<std::string> names;
    Span at{};

    void add(const std::string& name, const Span& span);
    [[nodiscard]] std::string text() const;
  };

  PassContext& context_;
  std::set<std::string> earlier_, earlier_leaves_, programs_;
  List missing_, many_, unread_;
};

// The parts of a text between separators, none of them empty.
[[nodiscard]] std::vector<std::string> split(const std::string& text, std::string_view separators);
// Whether a part of the name is known only when the job runs.
[[nodiscard]] bool is_open(const std::string& name);

} // namespace s2f::passes
