// Text that waits for its end in a file without a name, so that it need not be held.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "project/files.hpp"

namespace s2f::cli {

class Spool {
public:
  void append(std::string_view text);
  [[nodiscard]] bool empty() const { return empty_; }
  // False where a byte was lost: the disk of temporary files is full.
  [[nodiscard]] bool good() const { return good_; }
  // All of it, in pieces of whole lines (the last may have no end).
  void replay(const project::Put& put);

private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::string held_; // what is not in the file yet
  std::unique_ptr<std::FILE, Close> file_;
  bool empty_ = true;
  bool good_ = true;
};

} // namespace s2f::cli
