// Writes JSON straight to text: what is large never stands as a tree of values.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace s2f::review {

// Two spaces a level. Lists of numbers stand in one line. All but ASCII is escaped, so that a
// report on standard output cannot steer a terminal; bytes that are no UTF-8 become U+FFFD.
class JsonText {
public:
  JsonText() = default;
  // What stands at that depth behind something else: it begins with a comma.
  explicit JsonText(std::size_t depth) : depth_(depth), first_(false) {}
  JsonText& begin_object();
  JsonText& end_object();
  JsonText& begin_array();
  JsonText& end_array();
  JsonText& key(std::string_view name); // a value follows
  JsonText& text(std::string_view value);
  JsonText& text_or_null(std::string_view value); // "" is null
  JsonText& number(std::uint64_t value);
  JsonText& flag(bool value);
  JsonText& null();
  JsonText& numbers(const std::vector<std::uint32_t>& values);
  JsonText& texts(const std::vector<std::string>& values);
  // What is JSON already: laid out for this depth, or of one line.
  JsonText& raw(std::string_view json);

  [[nodiscard]] std::size_t depth() const { return depth_; }
  // What was written so far.
  [[nodiscard]] std::string text_so_far() && { return std::move(out_); }

private:
  void before_value();
  void new_line();
  void end(char close);

  std::string out_;
  std::size_t depth_ = 0;
  bool first_ = true;      // of the object or array that is open
  bool after_key_ = false; // the value stands behind its key
};

} // namespace s2f::review
