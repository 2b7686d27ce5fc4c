// Dependencies, as the controller reads them: sbatch itself takes any text.
#include "slurm/header.hpp"

#include <array>
#include <utility>

#include "slurm/text.hpp"

namespace s2f::slurm {

namespace {

constexpr auto types = std::to_array<std::pair<std::string_view, DependencyType>>({
    {"afternotok:", DependencyType::afternotok},
    {"aftercorr:", DependencyType::aftercorr},
    {"afterany:", DependencyType::afterany},
    {"afterok:", DependencyType::afterok},
    {"afterburstb", DependencyType::afterburstbuffer}, // Slurm compares no more of it
    {"after:", DependencyType::after},
    {"expand:", DependencyType::expand},
});

class Reader {
public:
  explicit Reader(std::string_view text) : rest_(text) {}

  std::optional<DependencyExpr> run() {
    while (!done_)
      if (!one_part())
        return std::nullopt;
    return std::move(out_);
  }

private:
  [[nodiscard]] char peek() const { return rest_.empty() ? '\0' : rest_.front(); }

  bool one_part() {
    if (begins(rest_, "singleton")) {
      rest_.remove_prefix(9);
      out_.terms.push_back({DependencyType::singleton, "", {}});
      if (!state())
        return false;
      if (peek() == ',' || peek() == '?') {
        separator();
        return true;
      }
      done_ = true;
      return rest_.empty();
    }
    const auto colon = rest_.find(':');
    if (colon == std::string_view::npos)
      return is_digit(peek()) && bare_job();
    for (const auto& [name, type] : types) {
      if (!begins(rest_, name))
        continue;
      rest_.remove_prefix(colon + 1);
      return jobs(type);
    }
    return false;
  }

  void separator() {
    if (peek() == '?')
      out_.any = true; // one ? makes the whole list OR
    rest_.remove_prefix(1);
  }

  // An id: a number, an array element 5_2, a whole array 5_*, or what a driver's shell expands.
  bool job(std::string& id) {
    if (peek() == '$' || peek() == '<' || peek() == '{') {
      while (!rest_.empty() && peek() != ',' && peek() != '?' && peek() != ':' && peek() != '+') {
        id += peek();
        rest_.remove_prefix(1);
      }
      return true;
    }
    const auto number = read_number(rest_);
    // Slurm keeps 32 bits of it: afterok:-1 is job 4294967295.
    const auto value = static_cast<std::uint32_t>(number.value);
    if (value == 0)
      return false;
    id = std::to_string(value);
    rest_.remove_prefix(number.end);
    if (peek() != '_')
      return true;
    rest_.remove_prefix(1);
    if (peek() == '*') {
      id += "_*";
      rest_.remove_prefix(1);
    } else if (peek() == '[') {
      const auto close = rest_.find(']');
      if (close == std::string_view::npos)
        return false;
      id += "_" + std::string(rest_.substr(0, close + 1));
      rest_.remove_prefix(close + 1);
    } else {
      const auto element = read_number(rest_);
      id += "_" + std::to_string(element.value);
      rest_.remove_prefix(element.any ? element.end : 0);
    }
    return true;
  }

  void add(DependencyType type, std::string id, std::optional<std::int64_t> delay) {
    Dependency term{type, std::move(id), delay};
    for (const auto& other : out_.terms)
      if (other == term)
        return;
    out_.terms.push_back(std::move(term));
  }

  // The old form: a job alone, which means afterany. What follows it, other than a comma, ends it.
  bool bare_job() {
    std::string id;
    if (!job(id) || (peek() != '\0' && peek() != ','))
      return false;
    add(DependencyType::afterany, std::move(id), {});
    if (peek() == ',')
      rest_.remove_prefix(1);
    else
      done_ = true;
    return true;
  }

  bool jobs(DependencyType type) {
    while (true) {
      std::string id;
      if (!job(id))
        return false;
      constexpr std::string_view may_follow = ",?:+(";
      if (peek() != '\0' && !may_follow.contains(peek()))
        return false;
      std::optional<std::int64_t> delay;
      if (peek() == '+') {
        rest_.remove_prefix(1);
        const auto minutes = read_number(rest_);
        if (static_cast<std::int32_t>(minutes.value) <= 0)
          return false;
        delay = minutes.value;
        rest_.remove_prefix(minutes.end);
      }
      if (!state())
        return false;
      add(type, std::move(id), delay);
      if (peek() != ':')
        break;
      rest_.remove_prefix(1);
    }
    if (peek() == ',' || peek() == '?')
      separator();
    else
      done_ = true; // Slurm does not look at what else there is
    return true;
  }

  // "(unfulfilled)", as Slurm itself prints it
  bool state() {
    if (!rest_.contains('('))
      return true;
    const auto close = rest_.find(')');
    if (close == std::string_view::npos)
      return false;
    rest_.remove_prefix(close + 1);
    return true;
  }

  std::string_view rest_;
  DependencyExpr out_;
  bool done_ = false;
};

} // namespace

std::optional<DependencyExpr> parse_dependency(std::string_view text) {
  if (text.empty() || text == "0")
    return DependencyExpr{};
  return Reader(text).run();
}

} // namespace s2f::slurm
