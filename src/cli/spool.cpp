// Text that waits for its end in a file without a name.
#include "cli/spool.hpp"

#include <algorithm>

namespace s2f::cli {

namespace {

constexpr std::size_t most_held = std::size_t{256} << 10U;

} // namespace

void Spool::append(std::string_view text) {
  empty_ = empty_ && text.empty();
  held_ += text;
  if (held_.size() < most_held) {
    return;
  }
  if (file_ == nullptr) {
    file_.reset(std::tmpfile());
  }
  if (file_ == nullptr) {
    return; // held, where no file can be had
  }
  good_ = good_ && std::fwrite(held_.data(), 1, held_.size(), file_.get()) == held_.size();
  held_.clear();
}

void Spool::replay(const project::Put& put) {
  std::string lines;
  if (file_ != nullptr) {
    good_ = good_ && std::fflush(file_.get()) == 0;
    std::rewind(file_.get());
    std::string piece(most_held, '\0');
    while (const auto got = std::fread(piece.data(), 1, piece.size(), file_.get())) {
      lines.append(piece, 0, got);
      const auto whole = lines.rfind('\n') + 1; // npos + 1 is 0
      put(std::string_view(lines).substr(0, whole));
      lines.erase(0, whole);
    }
    good_ = good_ && std::ferror(file_.get()) == 0;
  }
  lines += held_;
  put(lines);
}

} // namespace s2f::cli
