// A value on the heap, for types that contain themselves.
#pragma once

#include <memory>
#include <utility>

namespace s2f::base {

// Copies deeply; never null, but for one that was moved from.
template <typename T> class Box {
public:
  Box() : value_(std::make_unique<T>()) {}
  Box(T value)
      : value_(std::make_unique<T>(std::move(value))) {} // NOLINT(google-explicit-constructor)
  Box(const Box& other) : value_(std::make_unique<T>(*other.value_)) {}
  Box(Box&& other) noexcept = default;
  Box& operator=(const Box& other) {
    if (this != &other) {
      value_ = std::make_unique<T>(*other.value_);
    }
    return *this;
  }
  Box& operator=(Box&& other) noexcept = default;
  ~Box() = default;
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return value_.get(); }
  const T* operator->() const { return value_.get(); }

private:
  std::unique_ptr<T> value_;
};

} // namespace s2f::base
