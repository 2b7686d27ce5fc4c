// Finds the directives that a comment of a header speaks of.
//
// before:  # Note that a program is killed     after:  both lines of --time
//          # when its time is over
//          #SBATCH --time=1:00:00
#include "ir/header_comments.hpp"

#include <algorithm>
#include <cstdint>

namespace s2f::ir {

namespace {

constexpr std::uint32_t few = 3; // lines of a comment that is said of what is below it

class Lines {
public:
  Lines(const source::Source& source, const Job& job) : source_(source), job_(job) {}

  [[nodiscard]] const slurm::DirectiveLine* directive(std::uint32_t number) const {
    const auto found = std::ranges::find(job_.header.lines, number, &slurm::DirectiveLine::line);
    return found == job_.header.lines.end() ? nullptr : &*found;
  }
  [[nodiscard]] bool inert(std::uint32_t number) const {
    return std::ranges::find(job_.header.inert, number, &slurm::InertLine::line) !=
           job_.header.inert.end();
  }
  [[nodiscard]] bool comment(std::uint32_t number) const {
    if (number < 1 || number > source_.line_count() || directive(number) != nullptr ||
        inert(number)) {
      return false;
    }
    const Span line = source_.line_span(number);
    const auto& comments = job_.script->comments;
    const auto found = std::ranges::lower_bound(
        comments, line.begin, {}, [](const shell::Comment& each) { return each.span.begin; });
    return found != comments.end() && found->span.begin < line.end;
  }

private:
  const source::Source& source_;
  const Job& job_;
};

} // namespace

SaidOf said_of(const source::Source& source, const Job& job, const Span& comment) {
  const auto behind = std::ranges::find_if(
      job.header.lines, [&](const auto& each) { return each.comment == comment; });
  if (behind != job.header.lines.end()) {
    return {{&*behind}, true, false};
  }
  const Lines lines(source, job);
  const std::uint32_t number = source.position(comment.begin).line;
  std::uint32_t first = number;
  while (first > 1 && lines.comment(first - 1) && number - first < few) {
    --first;
  }
  std::uint32_t next = number + 1;
  while (lines.comment(next) && next - first <= few) {
    ++next;
  }
  const bool head =
      next - first > 1 && // of several lines, before all directives
      std::ranges::none_of(job.header.lines, [&](const auto& each) { return each.line < first; });
  SaidOf result;
  if (first <= 2 || next - first > few || head) {
    return result;
  }
  for (; lines.directive(next) != nullptr || lines.inert(next); ++next) {
    if (const auto* line = lines.directive(next)) {
      result.lines.push_back(line);
    } else {
      result.disabled = true;
    }
  }
  return result;
}

} // namespace s2f::ir
