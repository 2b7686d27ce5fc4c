// Proves that the tests link with the library and find the checkout.
#include "tests/catch.hpp"

#include "generated/embedded.hpp"

#include <filesystem>

TEST_CASE("the test program knows where the checkout is", "[smoke]") {
  CHECK(std::filesystem::exists(std::filesystem::path{S2F_SOURCE_DIR} / "CMakeLists.txt"));
}

TEST_CASE("embedded files have a path relative to the checkout", "[smoke]") {
  for (const auto& file : s2f::embedded::templates()) {
    CHECK(file.path.starts_with("templates/"));
  }
  for (const auto& file : s2f::embedded::rule_pages()) {
    CHECK(file.path.starts_with("docs/rules/"));
  }
}
