// Where the lines of copied text stood.
#include "source/copied_lines.hpp"
#include "tests/catch.hpp"

using namespace s2f::source;

namespace {

// The numbers of the first lines; 0 for a line that is none of the source's.
std::vector<std::uint32_t> numbers(std::string_view text, const std::vector<Span>& pieces,
                                   std::string_view copy) {
  Sources sources;
  const auto id = sources.add("job.sh", std::string(text));
  std::vector<std::uint32_t> found;
  for (const Span& span : copied_lines(sources[id], pieces, copy)) {
    found.push_back(span.size() == 0 ? 0 : sources.begin(span).line);
  }
  return found;
}

} // namespace

TEST_CASE("lines of a copy are found in their order", "[source]") {
  const std::string text = "a\nb\n\na\nc\n";
  const Span all{SourceId{}, 0, 9};
  using Lines = std::vector<std::uint32_t>;
  CHECK(numbers(text, {all}, "a\nb\n\na\nc") == Lines{1, 2, 0, 4, 5});
  CHECK(numbers(text, {all}, "\nb\na\nc\n") == Lines{0, 2, 4, 5, 0});
  CHECK(numbers(text, {all}, "b\nnew\nc") == Lines{2, 3, 5});    // of lines 3 and 4
  CHECK(numbers(text, {all}, "b\n\nA\nc") == Lines{2, 0, 4, 5}); // as many as there were
  CHECK(numbers(text, {all}, "a\nnew\nb") == Lines{1, 0, 2});    // nothing was between them
  CHECK(numbers(text, {all}, "c\na") == Lines{5, 0});            // never backwards
  CHECK(numbers("a", {{SourceId{}, 0, 1}}, "") == Lines{0});
}

TEST_CASE("lines of several pieces, and of a part of a line", "[source]") {
  const std::string text = "f() { x; }\nb\nc; d\n";
  const Span function{SourceId{}, 0, 10};
  const Span second{SourceId{}, 16, 17};
  using Lines = std::vector<std::uint32_t>;
  CHECK(numbers(text, {function, second}, "f() { x; }\nd") == Lines{1, 3});
  CHECK(numbers(text, {second}, "c; d\nd") == Lines{0, 3});
}
