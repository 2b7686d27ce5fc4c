// What the fuzzers found once, and the project's own scripts, through the same targets.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "tests/catch.hpp"
#include "tests/fuzz/header_target.hpp"
#include "tests/fuzz/python_target.hpp"
#include "tests/fuzz/report_target.hpp"
#include "tests/fuzz/shell_target.hpp"
#include "tests/fuzz/signoff_target.hpp"
#include "tests/fuzz/values_target.hpp"

namespace fs = std::filesystem;
using namespace s2f;

namespace {

using Target = void (*)(std::string_view);

const std::map<std::string, Target>& targets() {
  static const std::map<std::string, Target> all{
      {"convert", fuzz::convert_target}, {"header", fuzz::header_target},
      {"python", fuzz::python_target},   {"report", fuzz::report_target},
      {"shell", fuzz::shell_target},     {"signoff", fuzz::signoff_target},
      {"site", fuzz::site_target},       {"values", fuzz::values_target}};
  return all;
}

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<fs::path> files_below(const fs::path& directory, std::string_view ending = "") {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    if (entry.is_regular_file() && entry.path().string().ends_with(ending)) {
      found.push_back(entry.path());
    }
  }
  std::ranges::sort(found);
  return found;
}

} // namespace

TEST_CASE("what a fuzzer found does not come back", "[fuzz]") {
  const fs::path found = fs::path(S2F_SOURCE_DIR) / "tests/fuzz/found";
  std::size_t tried = 0;
  for (const auto& [name, target] : targets()) {
    if (!fs::is_directory(found / name)) {
      continue;
    }
    for (const fs::path& file : files_below(found / name)) {
      INFO(file.string());
      REQUIRE_NOTHROW(target(bytes_of(file)));
      ++tried;
    }
  }
  CHECK(tried > 0);
}

TEST_CASE("the fuzzers' promises hold for scripts of the tests", "[fuzz]") {
  for (const fs::path& file : files_below(fs::path(S2F_SOURCE_DIR) / "tests/golden", ".sh")) {
    INFO(file.string());
    const std::string text = bytes_of(file);
    REQUIRE_NOTHROW(fuzz::header_target(text));
    REQUIRE_NOTHROW(fuzz::shell_target(text));
    REQUIRE_NOTHROW(fuzz::convert_target(text));
  }
}

TEST_CASE("a fuzzer tells a broken promise", "[fuzz]") {
  CHECK_THROWS(fuzz::require(false, "x"));
  CHECK_THROWS(fuzz::require_harmless("a\x1b[2J\n", "x"));
  CHECK_NOTHROW(fuzz::require_harmless("a\tb\n", "x"));
  CHECK_FALSE(fuzz::all_visible("a\xe2\x80\xae"));
  CHECK(fuzz::all_visible("a\nb"));
  const auto parts = fuzz::sections("a\n#@ b.py\nc\n", "job.sh");
  REQUIRE(parts.size() == 2);
  CHECK(parts[0].text == "a\n");
  CHECK(parts[1].name == "b.py");
  CHECK(parts[1].text == "c\n");
}
