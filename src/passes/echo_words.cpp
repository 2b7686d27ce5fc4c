// Words of echo that Bash splits, and echo joins again.
//
// before:  echo begin: $(date)
// after:   Computed{now, "%a %b %-d ..."}, which is one word: what echo prints is the same
#include "passes/echo_words.hpp"

#include <string>
#include <string_view>
#include <variant>

#include "ir/workload.hpp"

namespace s2f::passes {

namespace {

// Numbers that strftime fills up with a blank, and runs of blanks; nothing that is a pattern.
bool join(std::string& format) {
  if (format.find_first_of("*?[\\\n\t") != std::string::npos || format.starts_with(' ') ||
      format.ends_with(' ')) {
    return false;
  }
  std::string joined;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] == '%' && i + 1 < format.size()) {
      const char what = format[++i];
      if (what == 'e') {
        joined += "%-d";
      } else if (std::string_view("aAbBdHIjmMpSTFDRuUVwWyYZ%").find(what) !=
                 std::string_view::npos) {
        joined += {'%', what};
      } else {
        return false; // the locale's own, or with a flag
      }
    } else if (format[i] != ' ' || !joined.ends_with(' ')) {
      joined += format[i];
    }
  }
  format = joined;
  return true;
}

} // namespace

void join_clock(ir::Value& value) {
  if (!value.unquoted) {
    return;
  }
  for (ir::ValuePart& part : value.parts) {
    auto* computed = std::get_if<ir::Computed>(&part);
    if (computed == nullptr || computed->operation != ir::Operation::now ||
        computed->operands.empty()) {
      continue;
    }
    auto format = computed->operands.front().text();
    if (format && join(*format)) {
      computed->operands.front() = ir::Value::of(*format, computed->operands.front().span);
      computed->one_word = true;
    }
  }
}

} // namespace s2f::passes
