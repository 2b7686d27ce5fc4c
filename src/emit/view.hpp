// What a template shows: a text, a number, a flag, nothing, a list of these, or some by name.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace s2f::emit {

struct Member;

class View {
public:
  using List = std::vector<View>;
  using Object = std::vector<Member>;

  View(); // nothing
  View(const View& other);
  View(View&& other) noexcept;
  View& operator=(const View& other);
  View& operator=(View&& other) noexcept;
  ~View();
  template <std::same_as<bool> Flag> View(Flag flag);
  template <std::integral Number>
    requires(!std::same_as<Number, bool>)
  View(Number number);
  View(std::string text);
  View(std::string_view text);
  View(const char* text);
  // {{"name", "x"}, {"count", 2}}
  View(std::initializer_list<Member> members);

  static View array();
  static View object();

  // Of a list.
  void push_back(View element);
  void push_front(View element);
  [[nodiscard]] View& back();
  [[nodiscard]] bool empty() const;
  [[nodiscard]] std::size_t size() const;

  // Of an object, or of nothing, which becomes one.
  View& operator[](std::string_view name);
  [[nodiscard]] const View* find(std::string_view name) const; // null for none

  [[nodiscard]] const List* list() const { return std::get_if<List>(&value_); }
  [[nodiscard]] bool shows_nothing() const; // null, false, an empty list
  void append_to(std::string& out) const;   // as text
  [[nodiscard]] const std::string* text() const { return std::get_if<std::string>(&value_); }

private:
  std::variant<std::monostate, bool, std::int64_t, std::string, List, Object> value_;
};

// Its name must outlive it: a literal.
struct Member {
  std::string_view name;
  mutable View value; // is taken out of an initializer list, whose elements are const
};

// Only now a list of members can be made and destroyed.
inline View::View() = default;
inline View::View(const View& other) = default;
inline View::View(View&& other) noexcept = default;
inline View& View::operator=(const View& other) = default;
inline View& View::operator=(View&& other) noexcept = default;
inline View::~View() = default;
template <std::same_as<bool> Flag> View::View(Flag flag) : value_(static_cast<bool>(flag)) {}
template <std::integral Number>
  requires(!std::same_as<Number, bool>)
View::View(Number number) : value_(static_cast<std::int64_t>(number)) {}
inline View::View(std::string text) : value_(std::move(text)) {}
inline View::View(std::string_view text) : value_(std::string(text)) {}
inline View::View(const char* text) : value_(std::string(text)) {}

} // namespace s2f::emit
