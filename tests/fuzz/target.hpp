// What every fuzz target shares: how a broken promise is told, and how one input becomes several
// files.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "emit/text.hpp"
#include "review/visible.hpp"

namespace s2f::fuzz {

// libFuzzer keeps the input that let this escape; a test that runs the same target says the words.
inline void require(bool holds, const std::string& promise) {
  if (!holds) {
    throw std::logic_error("broken: " + promise);
  }
}

struct Section {
  std::string name;
  std::string text;
};

// The text up to the first line that begins with "#@ ", under the name `first`; then one section a
// mark, named by the rest of its line.
inline std::vector<Section> sections(std::string_view text, std::string_view first) {
  constexpr std::string_view mark = "#@ ";
  constexpr std::size_t most = 8;
  std::vector<Section> out{{std::string(first), {}}};
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    if (line.starts_with(mark) && out.size() < most) {
      auto name = line.substr(mark.size());
      name = name.substr(0, name.find('\n'));
      out.push_back({std::string(name), {}});
    } else {
      out.back().text += line;
    }
  }
  return out;
}

// Nothing in a module is hidden from its reader.
inline bool all_visible(std::string_view text) {
  while (!text.empty()) {
    const emit::Decoded one = emit::decode(text);
    if (!one.valid || (one.code != '\n' && !emit::visible(one.code))) {
      return false;
    }
    text.remove_prefix(one.length);
  }
  return true;
}

// Nothing in a report acts on a terminal or a browser.
inline void require_harmless(std::string text, const std::string& promise) {
  std::ranges::replace(text, '\t', ' ');
  for (std::string_view rest = text; !rest.empty();) {
    const auto line = rest.substr(0, rest.find('\n'));
    require(review::visible(line) == line, promise + ": " + review::visible(line));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
}

} // namespace s2f::fuzz
