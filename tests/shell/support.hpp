// Parses a text and gives the tree together with the source that its spans point into.
#pragma once

#include <string>
#include <string_view>

#include "shell/dump.hpp"
#include "shell/parse.hpp"
#include "source/source.hpp"

namespace s2f::test {

struct Parsed {
  source::Sources sources;
  shell::Script script;

  explicit Parsed(std::string_view text) {
    script = shell::parse(sources[sources.add("test.sh", text)]);
  }
  [[nodiscard]] std::string text(const source::Span& span) const {
    return std::string(sources.text(span));
  }
  [[nodiscard]] bool sound() const { return script.unparsed.empty(); }
};

// The dump without places, blanks and line ends folded: `(simple "a" "b")`.
inline std::string tree(std::string_view text) {
  const Parsed parsed(text);
  const std::string full = shell::dump(parsed.script, parsed.sources[source::SourceId{}]);
  std::string out;
  for (std::size_t i = 0; i < full.size(); ++i) {
    const bool place = full.compare(i, 2, " @") == 0 && i + 2 < full.size() && full[i + 2] >= '0' &&
                       full[i + 2] <= '9';
    if (place) {
      i += 2;
      while (i < full.size() &&
             (full[i] == ':' || full[i] == '-' || (full[i] >= '0' && full[i] <= '9'))) {
        ++i;
      }
      --i;
    } else if (full[i] == '\n' || full[i] == ' ') {
      if (!out.empty() && out.back() != ' ') {
        out += ' ';
      }
    } else {
      out += full[i];
    }
  }
  // Without `(script ...)` around it.
  constexpr std::string_view head = "(script ";
  if (out.starts_with(head)) {
    out = out.substr(head.size());
  }
  while (out.ends_with(' ')) {
    out.pop_back();
  }
  out.pop_back();
  return out;
}

} // namespace s2f::test
