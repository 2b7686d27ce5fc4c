// Says which files beside the script a container lacks.
#include "passes/not_bundled.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "passes/bundle.hpp"
#include "passes/path_uses.hpp"
#include "passes/script_names.hpp"

namespace s2f::passes {

namespace {

std::string leaf(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

// As a person reads it: "data/part_*.csv".
std::string shown(std::string name) {
  if (name.starts_with(submit_part)) {
    name.erase(0, std::min<std::size_t>(2, name.size()));
  }
  std::ranges::replace(name, open_part, '*');
  return name.empty() ? "." : name;
}

} // namespace

std::vector<std::string> split(const std::string& text, std::string_view separators) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < text.size();) {
    const auto begin = text.find_first_not_of(separators, at);
    if (begin == std::string::npos) {
      break;
    }
    at = std::min(text.find_first_of(separators, begin), text.size());
    parts.push_back(text.substr(begin, at - begin));
  }
  return parts;
}

bool is_open(const std::string& name) { return name.find(open_part) != std::string::npos; }

void NotBundled::List::add(const std::string& name, const Span& span) {
  if (std::ranges::find(names, name) == names.end()) {
    at = names.empty() ? span : at;
    names.push_back(name);
  }
}

std::string NotBundled::List::text() const {
  constexpr std::size_t most = 8;
  const auto shown = static_cast<std::ptrdiff_t>(std::min(most, names.size()));
  std::string list = fmt::format("{}", fmt::join(names.begin(), names.begin() + shown, ", "));
  return names.size() > most ? list + fmt::format(" and {} more", names.size() - most) : list;
}

void NotBundled::spoken_of(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    for (const std::string& part : split(name, "= ,")) {
      if (const auto path = path_below(part, "")) {
        earlier_.insert(*path);
        earlier_leaves_.insert(leaf(*path));
      }
    }
  }
}

// Whether something before speaks of it, of what it lies in, or of a name that it may have.
bool NotBundled::may_be_made(const std::string& path) const {
  if (earlier_leaves_.contains(leaf(path))) {
    return true;
  }
  for (auto slash = path.rfind('/'); slash != std::string::npos && slash > 0;
       slash = path.rfind('/', slash - 1)) {
    const std::string directory = path.substr(0, slash);
    if (earlier_.contains(directory) && !context_.file_exists(directory)) {
      return true;
    }
  }
  return std::ranges::any_of(earlier_leaves_, [&](const std::string& each) {
    return is_pattern(each) && each.size() > 3 && fits(each, leaf(path), true);
  });
}

// Whether jobs before this one hand on files, of which one with such a name may be.
bool NotBundled::given_by_others() const {
  // Of a driver's jobs it is settled later what they hand on to each other.
  return !context_.provided.empty() || !context_.collected.empty() ||
         context_.outer_ledger != nullptr;
}

void NotBundled::absent(const std::string& name, const Span& span, bool program, bool as_written) {
  const auto path = path_below(name, "");
  const bool file = program ? name.find('/') != std::string::npos : has_file_ending(name);
  if (!path || path->empty() || !file || may_be_made(*path) || name.front() == open_part ||
      name.find_first_of("*?[ =:,@%") != std::string::npos || context_.provided.contains(*path) ||
      (is_open(name) && (program || given_by_others()))) {
    return;
  }
  if (program) {
    missing_program(*path, span);
    return;
  }
  std::string word = as_written ? context_.text(span) : "";
  std::erase_if(word, [](char c) { return c == '"' || c == '\''; });
  word = has_file_ending(word) ? word : shown(*path); // of "$config" what it holds says more
  missing_.add(word, span);
}

void NotBundled::missing_program(const std::string& name, const Span& span) {
  if (!programs_.insert(name).second) {
    return;
  }
  review::Finding finding;
  finding.rule = "S2F603";
  finding.span = span;
  finding.message = fmt::format("{} was not found beside the script.", name);
  finding.output_does = "It is called by that name, but not bundled with the module.";
  context_.findings.add(std::move(finding));
}

void NotBundled::too_many(const std::string& name, const Span& span) {
  many_.add(shown(name), span);
}

void NotBundled::unread(const Span& span) { unread_.add(context_.text(span), span); }

void NotBundled::say() {
  if (!missing_.names.empty()) {
    const bool one = missing_.names.size() == 1;
    review::Finding finding;
    finding.rule = "S2F612";
    finding.span = missing_.at;
    finding.message = fmt::format("{}: not found beside the script.", missing_.text());
    finding.slurm_does = "The job finds in the submit directory what lies there when it runs.";
    finding.output_does =
        fmt::format("{} bundled with the module, so a container has {} only if the "
                    "job itself makes {}.",
                    one ? "It is not" : "They are not", one ? "it" : "them", one ? "it" : "them");
    context_.findings.add(std::move(finding));
  }
  if (!many_.names.empty()) {
    review::Finding finding;
    finding.rule = "S2F614";
    finding.span = many_.at;
    finding.message =
        fmt::format("{}: too many files lie there to bundle them unasked.", many_.text());
    finding.slurm_does = "The job finds all that lies in the submit directory.";
    finding.output_does = "They are not bundled with the module, so a container has none of them.";
    finding.choices = {"make them inputs of the task",
                       "add them to include=", "bundle all: flyte deploy --copy-style all"};
    finding.default_ = "none of them is bundled";
    finding.choices.insert(finding.choices.begin(), finding.default_);
    context_.job.reviews.push_back(review_comment(
        "S2F614", fmt::format("{} {}: too many files to bundle unasked; a container has none "
                              "of them.",
                              context_.at(many_.at), many_.text())));
    context_.findings.add(std::move(finding));
  }
  if (!unread_.names.empty()) {
    review::Finding finding;
    finding.rule = "S2F615";
    finding.span = unread_.at;
    finding.message = fmt::format("What {} runs is known only when the job runs.", unread_.text());
    finding.slurm_does = "The job finds all that lies in the submit directory.";
    finding.output_does = "Files beside the script that only it names are not bundled.";
    context_.findings.add(std::move(finding));
  }
}

} // namespace s2f::passes
