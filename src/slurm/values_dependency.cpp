// Dependencies, as the controller reads them: sbatch itself takes any text.
#include "slurm/header.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>
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
  explicit Reader(std::string_view text)
      : rest_(text), last_colon_(text.size() - (text.rfind(':') + 1)),
        last_paren_(text.size() - (text.rfind('(') + 1)) {}

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
    if (rest_.size() <= last_colon_)
      return at_job() && bare_job();
    for (const auto& [name, type] : types) {
      if (!begins(rest_, name))
        continue;
      rest_.remove_prefix(rest_.find(':') + 1);
      return jobs(type);
    }
    return false;
  }

  void separator() {
    if (peek() == '?')
      out_.any = true; // one ? makes the whole list OR
    rest_.remove_prefix(1);
  }

  // A job: a number, or what stands for one where the text is still to be expanded ($ID, {JOB}).
  bool job_number(std::string& id) {
    if (placeholder(id))
      return true;
    const auto number = read_number(rest_);
    // Slurm keeps 32 bits of it: afterok:-1 is job 4294967295.
    const auto value = static_cast<std::uint32_t>(number.value);
    if (value == 0)
      return false;
    id = std::to_string(value);
    rest_.remove_prefix(number.end);
    return true;
  }

  bool placeholder(std::string& id) {
    const auto open = rest_.substr(0, 2).find_first_of("{<");
    const bool braced = open == 0 || (open == 1 && peek() == '$');
    if (!braced && peek() != '$')
      return false;
    std::size_t end = 1;
    if (braced)
      end = std::min(rest_.find(rest_[open] == '{' ? '}' : '>'), rest_.size() - 1) + 1;
    else
      while (end < rest_.size() &&
             (is_alpha(rest_[end]) || is_digit(rest_[end]) || rest_[end] == '_'))
        ++end;
    id = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return true;
  }

  [[nodiscard]] bool at_job() const {
    return is_digit(peek()) || peek() == '$' || peek() == '{' || peek() == '<';
  }

  // A job, an element of an array 5_2, several 5_[0-2], all of them 5_*.
  bool jobs_of_array(std::vector<std::string>& ids) {
    std::string id;
    if (!job_number(id))
      return false;
    if (peek() != '_') {
      ids.push_back(std::move(id));
      return true;
    }
    rest_.remove_prefix(1);
    if (peek() == '*') {
      rest_.remove_prefix(1);
      ids.push_back(id + "_*");
      return true;
    }
    if (peek() != '[') {
      const auto element = read_number(rest_);
      rest_.remove_prefix(element.any ? element.end : 0);
      ids.push_back(id + "_" + std::to_string(element.value));
      return true;
    }
    const auto close = rest_.find(']');
    const auto elements = parse_array(rest_.substr(1, close - 1));
    if (close == std::string_view::npos || !elements)
      return false;
    for (const auto element : elements->indices)
      ids.push_back(id + "_" + std::to_string(element));
    rest_.remove_prefix(close + 1);
    return true;
  }

  void add(DependencyType type, std::string id, std::optional<std::int64_t> delay) {
    const auto key =
        std::to_string(static_cast<int>(type)) + id + '+' + std::to_string(delay.value_or(0));
    if (seen_.insert(key).second)
      out_.terms.push_back({type, std::move(id), delay});
  }

  // The old form: a job alone, which means afterany. What follows it, other than a comma, ends it.
  bool bare_job() {
    std::vector<std::string> ids;
    if (!jobs_of_array(ids) || (peek() != '\0' && peek() != ','))
      return false;
    for (auto& id : ids)
      add(DependencyType::afterany, std::move(id), {});
    if (peek() == ',')
      rest_.remove_prefix(1);
    else
      done_ = true;
    return true;
  }

  bool jobs(DependencyType type) {
    while (true) {
      std::vector<std::string> ids;
      if (!jobs_of_array(ids))
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
      for (auto& id : ids)
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
    if (rest_.size() <= last_paren_)
      return true;
    const auto close = rest_.find(')');
    if (close == std::string_view::npos)
      return false;
    rest_.remove_prefix(close + 1);
    return true;
  }

  std::string_view rest_;
  // How much text follows the last of each: a shorter rest has none, and need not be searched.
  std::size_t last_colon_;
  std::size_t last_paren_;
  DependencyExpr out_;
  std::unordered_set<std::string> seen_; // Slurm keeps one of a kind
  bool done_ = false;
};

} // namespace

std::optional<DependencyExpr> parse_dependency(std::string_view text) {
  if (text.empty() || text == "0")
    return DependencyExpr{};
  return Reader(text).run();
}

} // namespace s2f::slurm
