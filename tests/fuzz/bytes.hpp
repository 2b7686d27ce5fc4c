// Numbers and texts from the bytes of an input, and zeros when they are used up.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace s2f::fuzz {

class Bytes {
public:
  explicit Bytes(std::string_view data) : data_(data) {}

  [[nodiscard]] bool empty() const { return data_.empty(); }
  std::uint8_t byte() {
    if (data_.empty()) {
      return 0;
    }
    const auto first = static_cast<std::uint8_t>(data_.front());
    data_.remove_prefix(1);
    return first;
  }
  // At most `most`.
  std::uint32_t upto(std::uint32_t most) {
    const std::uint32_t high = byte();
    return most == 0 ? 0 : (high * 256U + byte()) % (most + 1);
  }
  // A length, then as many bytes.
  std::string text() {
    const std::size_t wanted = byte();
    const std::size_t length = std::min(wanted, data_.size());
    std::string out(data_.substr(0, length));
    data_.remove_prefix(length);
    return out;
  }

private:
  std::string_view data_;
};

} // namespace s2f::fuzz
