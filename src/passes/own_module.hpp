// The package of `python -m NAME`, where it lies beside the script.
#pragma once

#include <string>
#include <vector>

#include "passes/bundle.hpp"
#include "passes/named_files.hpp"
#include "passes/not_bundled.hpp"

namespace s2f::passes {

struct OwnModule {
  PassContext& context;
  Bundle& bundle;
  NotBundled& not_bundled;
  const std::vector<std::string>& directories; // that the script goes to; the last is where it is
  bool moved = false;

  void take(const std::string& module, const Span& span, NamedFiles& result) const;

private:
  [[nodiscard]] bool has_project() const;
  [[nodiscard]] bool installed(const std::string& module) const;
};

} // namespace s2f::passes
