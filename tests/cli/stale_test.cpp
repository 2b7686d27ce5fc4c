// Tests what counts as stale, and that a diff says what changed.
#include "cli/stale.hpp"

#include "project/files.hpp"
#include "tests/catch.hpp"

using namespace s2f;
using namespace s2f::cli;

TEST_CASE("a diff shows what changed, with what stands around it", "[cli][diff]") {
  CHECK(unified_diff("a", "x\n", "x\n", {}).empty());
  CHECK(unified_diff("a", "", "x\ny\n", {}) == "--- a\n+++ a\n@@ -0,0 +1,2 @@\n+x\n+y\n");
  CHECK(unified_diff("a", "x\ny\n", "", {}) == "--- a\n+++ a\n@@ -1,2 +0,0 @@\n-x\n-y\n");
  CHECK(unified_diff("a", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n", {}) ==
        "--- a\n+++ a\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST_CASE("changes that are far apart are shown apart", "[cli][diff]") {
  std::string before;
  std::string after;
  for (int i = 1; i <= 30; ++i) {
    before += std::to_string(i) + "\n";
    after += (i == 2 || i == 29 ? "new" : std::to_string(i)) + "\n";
  }
  CHECK(unified_diff("a", before, after, {}) ==
        "--- a\n+++ a\n@@ -1,5 +1,5 @@\n 1\n-2\n+new\n 3\n 4\n 5\n"
        "@@ -26,5 +26,5 @@\n 26\n 27\n 28\n-29\n+new\n 30\n");
}

TEST_CASE("text in a diff does not act on the terminal", "[cli][diff]") {
  CHECK(unified_diff("a", "", "\x1b[31mx\n", {}) == "--- a\n+++ a\n@@ -0,0 +1,1 @@\n+\\x1b[31mx\n");
}

TEST_CASE("an output is stale where it was made from another text", "[cli][stale]") {
  const Output output{"a.md", "text\n\n<!-- seal of text -->\n", Format::markdown};
  const auto there = [](std::string text) {
    return project::in_memory({{"a.md", std::move(text)}});
  };
  CHECK(is_stale(output, project::in_memory({})));
  CHECK_FALSE(is_stale(output, there(output.text)));
  CHECK_FALSE(is_stale(output, there("edited\n\n<!-- seal of text -->\n")));
  CHECK(is_stale(output, there("text\n\n<!-- seal of other -->\n")));
  const Output json{"a.md", "{}\n", Format::json};
  CHECK(is_stale(json, there("{ }\n")));
}
