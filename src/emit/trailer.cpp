// The last line of a generated module, by which an edit by hand is seen.
#include <fmt/format.h>

#include "emit/emit.hpp"
#include "emit/text.hpp"

namespace s2f::emit {

namespace {

constexpr std::string_view before = "# slurm2flyte: generated from ";
constexpr std::string_view between = ", sha256 of the text above: ";
constexpr std::size_t digits = 12;

} // namespace

std::string trailer(std::string_view generated_from, std::string_view text_above) {
  return fmt::format("{}{}{}{}", before, one_line(generated_from), between,
                     source::sha256_hex(text_above).substr(0, digits));
}

Edited edited(std::string_view file_text) {
  // Something may have been added below the line.
  const std::size_t begin = file_text.rfind(before);
  if (begin == std::string_view::npos || (begin > 0 && file_text[begin - 1] != '\n')) {
    return Edited::not_ours;
  }
  const std::size_t end = std::min(file_text.find('\n', begin), file_text.size());
  const std::string_view line = file_text.substr(begin, end - begin);
  const std::size_t hash = line.rfind(between);
  if (hash == std::string_view::npos) {
    return Edited::not_ours;
  }
  const std::string_view name = line.substr(before.size(), hash - before.size());
  const bool last = file_text.substr(end) == "\n" || file_text.substr(end).empty();
  return last && trailer(name, file_text.substr(0, begin)) == line ? Edited::untouched
                                                                   : Edited::by_hand;
}

} // namespace s2f::emit
