// Bundles the package of `python -m NAME`, and says where there is none.
#include "passes/own_module.hpp"

#include <algorithm>
#include <cctype>

#include "generated/tables/python_stdlib.hpp"
#include "payload/python.hpp"

namespace s2f::passes {

void OwnModule::take(const std::string& module, const Span& span, NamedFiles& result) const {
  std::string path = module;
  std::ranges::replace(path, '.', '/');
  const std::string top = path.substr(0, path.find('/'));
  if (top.empty() || path.find_first_of("-=\x02") != std::string::npos) {
    return;
  }
  std::vector<std::string> roots;
  for (auto at = directories.rbegin(); at != directories.rend(); ++at) {
    roots.push_back(at->empty() ? "" : *at + "/");
  }
  roots.insert(roots.end(), result.roots.begin(), result.roots.end());
  for (const std::string& root : roots) {
    if (context.file_exists(root + top + ".py")) {
      (void)bundle.take(root + top + ".py");
      result.python.push_back(root + top + ".py");
      return;
    }
    if (bundle.is_directory(root + top)) {
      if (bundle.take_directory(root + top) == Bundle::Found::too_many) {
        not_bundled.too_many(root + top, span);
      }
      for (const char* tail : {".py", "/__main__.py", "/__init__.py"}) {
        if (context.file_exists(root + path + tail)) {
          result.python.push_back(root + path + tail);
        }
      }
      return;
    }
  }
  if (tables::find_python_stdlib(top) != nullptr || top == "pip") {
    return;
  }
  if (payload::distribution_of(top)) {
    result.modules.push_back(top);
  } else if (!moved && !installed(top) && !has_project()) {
    not_bundled.missing_program(module, span);
  }
}

bool OwnModule::has_project() const {
  const ir::Environment& environment = context.job.environment;
  return environment.project || environment.container || environment.base_image ||
         !environment.activations.empty() || !environment.made.empty();
}

bool OwnModule::installed(const std::string& module) const {
  const auto same = [&](const ir::Sourced<std::string>& package) {
    const std::string name = package.value.substr(0, package.value.find_first_of("[=<>~! "));
    return std::ranges::equal(name, module, [](char a, char b) {
      return std::tolower(static_cast<unsigned char>(a == '-' ? '_' : a)) ==
             std::tolower(static_cast<unsigned char>(b));
    });
  };
  return std::ranges::any_of(context.job.environment.pip, [&](const ir::PipLayer& layer) {
    return !layer.files.empty() || std::ranges::any_of(layer.packages, same);
  });
}

} // namespace s2f::passes
