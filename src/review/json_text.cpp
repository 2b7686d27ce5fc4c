// Writes JSON straight to text.
//
// before:  key("lines").numbers({3, 4}).key("why").text("a \"b\"")
// after:   "lines": [3, 4],
//          "why": "a \"b\""
#include "review/json_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <nlohmann/json.hpp>

namespace s2f::review {

namespace {

bool plain(char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; }

void append_number(std::string& out, std::uint64_t value) {
  std::array<char, 20> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out.append(digits.data(), end);
}

} // namespace

void JsonText::new_line() {
  out_ += '\n';
  out_.append(2 * depth_, ' ');
}

void JsonText::before_value() {
  if (std::exchange(after_key_, false) || depth_ == 0)
    return;
  if (!std::exchange(first_, false))
    out_ += ',';
  new_line();
}

JsonText& JsonText::begin_object() {
  before_value();
  out_ += '{';
  ++depth_;
  first_ = true;
  return *this;
}

JsonText& JsonText::begin_array() {
  before_value();
  out_ += '[';
  ++depth_;
  first_ = true;
  return *this;
}

void JsonText::end(char close) {
  --depth_;
  // What is empty stands in one line.
  if (!std::exchange(first_, false))
    new_line();
  out_ += close;
}

JsonText& JsonText::end_object() {
  end('}');
  return *this;
}

JsonText& JsonText::end_array() {
  end(']');
  return *this;
}

JsonText& JsonText::key(std::string_view name) {
  text(name);
  out_ += ": ";
  after_key_ = true;
  return *this;
}

JsonText& JsonText::text(std::string_view value) {
  before_value();
  if (std::ranges::all_of(value, plain)) {
    out_ += '"';
    out_ += value;
    out_ += '"';
  } else {
    out_ += nlohmann::json(value).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  }
  return *this;
}

JsonText& JsonText::text_or_null(std::string_view value) {
  return value.empty() ? null() : text(value);
}

JsonText& JsonText::number(std::uint64_t value) {
  before_value();
  append_number(out_, value);
  return *this;
}
JsonText& JsonText::flag(bool value) { return raw(value ? "true" : "false"); }
JsonText& JsonText::null() { return raw("null"); }

JsonText& JsonText::raw(std::string_view json) {
  before_value();
  out_ += json;
  return *this;
}

JsonText& JsonText::numbers(const std::vector<std::uint32_t>& values) {
  before_value();
  out_ += '[';
  for (const auto value : values) {
    if (out_.back() != '[')
      out_ += ", ";
    append_number(out_, value);
  }
  out_ += ']';
  return *this;
}

JsonText& JsonText::texts(const std::vector<std::string>& values) {
  begin_array();
  for (const auto& value : values)
    text(value);
  return end_array();
}

} // namespace s2f::review
