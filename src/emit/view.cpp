// The values that a template shows.
#include "emit/view.hpp"

namespace s2f::emit {

View::View(std::initializer_list<Member> members) {
  auto& own = value_.emplace<Object>();
  own.reserve(members.size());
  for (const Member& member : members) {
    own.push_back({member.name, std::move(member.value)});
  }
}

View View::array() {
  View view;
  view.value_.emplace<List>();
  return view;
}

View View::object() {
  View view;
  view.value_.emplace<Object>();
  return view;
}

void View::push_back(View element) { std::get<List>(value_).push_back(std::move(element)); }

void View::push_front(View element) {
  auto& list = std::get<List>(value_);
  list.insert(list.begin(), std::move(element));
}

View& View::back() { return std::get<List>(value_).back(); }

bool View::empty() const { return size() == 0; }

std::size_t View::size() const {
  const auto* all = list();
  return all != nullptr ? all->size() : 0;
}

View& View::operator[](std::string_view name) {
  if (std::holds_alternative<std::monostate>(value_)) {
    value_.emplace<Object>();
  }
  auto& members = std::get<Object>(value_);
  for (Member& member : members) {
    if (member.name == name) {
      return member.value;
    }
  }
  return members.emplace_back(Member{name, {}}).value;
}

const View* View::find(std::string_view name) const {
  if (const auto* members = std::get_if<Object>(&value_)) {
    for (const Member& member : *members) {
      if (member.name == name) {
        return &member.value;
      }
    }
  }
  return nullptr;
}

bool View::shows_nothing() const {
  const auto* flag = std::get_if<bool>(&value_);
  return std::holds_alternative<std::monostate>(value_) || (flag != nullptr && !*flag) ||
         (list() != nullptr && empty());
}

void View::append_to(std::string& out) const {
  if (const auto* own = text()) {
    out += *own;
  } else if (const auto* number = std::get_if<std::int64_t>(&value_)) {
    out += std::to_string(*number);
  } else if (const auto* flag = std::get_if<bool>(&value_)) {
    out += *flag ? "true" : "false";
  }
}

} // namespace s2f::emit
