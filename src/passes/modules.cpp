// Environment modules: what each brings belongs into the image.
//
// before:  module load cuda/12.1 python/3.11 gromacs
// after:   environment.modules = {cuda, python, gromacs}, environment.python = 3.11,
//          environment.apt = {gromacs}, S2F503
#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "generated/tables/modules.hpp"
#include "passes/setup.hpp"
#include "passes/site_answers.hpp"

namespace s2f::passes {

namespace {

using review::Disposition;

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// The row of a module's name; categories go before it at some sites: bio/samtools/1.17.
struct Known {
  const tables::ModulesRow* row = nullptr;
  std::string name, version;
};

// "py310", "python3.9", "py-3.11" -> "3.10", "3.9", "3.11"; nothing for another name.
std::optional<std::string> python_in_name(std::string name) {
  name = lower(std::move(name));
  for (const std::string_view prefix : {"python", "py"}) {
    if (!name.starts_with(prefix)) {
      continue;
    }
    std::string digits;
    for (const char c : name.substr(prefix.size())) {
      if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
        digits += c;
      } else if (c != '.' && c != '-' && c != '_') {
        return std::nullopt;
      }
    }
    if (digits.size() >= 2 && digits.size() <= 3 && (digits[0] == '2' || digits[0] == '3')) {
      return digits.substr(0, 1) + "." + digits.substr(1);
    }
  }
  return std::nullopt;
}

Known find_module(const std::string& full) {
  const auto slash = full.find('/');
  Known known;
  known.name = full.substr(0, slash);
  known.version = slash == std::string::npos ? "" : full.substr(slash + 1);
  known.row = tables::find_modules(lower(known.name));
  if (const auto version = known.row == nullptr ? python_in_name(known.name) : std::nullopt) {
    known.row = tables::find_modules("python");
    known.version = *version;
  }
  if (known.row == nullptr && !known.version.empty()) {
    const auto second = known.version.find('/');
    const std::string name = known.version.substr(0, second);
    if (const auto* row = tables::find_modules(lower(name))) {
      known.row = row;
      known.name = name;
      known.version = second == std::string::npos ? "" : known.version.substr(second + 1);
    }
  }
  return known;
}

// "3.11.4" -> 3, 11; nothing for "3".
std::optional<std::pair<int, int>> python_version(std::string_view text) {
  if (text.size() < 3 || (text[0] != '2' && text[0] != '3') || text[1] != '.') {
    return std::nullopt;
  }
  int minor = 0;
  std::size_t at = 2;
  constexpr std::size_t end_of_minor = 4;
  constexpr int ten = 10;
  while (at < text.size() && at < end_of_minor &&
         std::isdigit(static_cast<unsigned char>(text[at])) != 0) {
    minor = minor * ten + (text[at++] - '0');
  }
  return at == 2 ? std::nullopt : std::optional(std::pair{text[0] - '0', minor});
}

// The versions that flyte runs on.
constexpr int lowest_minor = 10;
constexpr int highest_minor = 14;

void add_apt(ir::Environment& environment, const tables::ModulesRow& row, const std::string& asked,
             Span span) {
  const std::string package(row.brings);
  const auto same = [&](const auto& each) { return each.value == package; };
  if (std::ranges::none_of(environment.apt, same)) {
    environment.apt.push_back({package, asked, {span}, {}});
  }
}

// A module that nothing here is known to bring, or only Debian in a version of its own.
struct Unknown {
  std::string module;
  std::string debian; // "" where no package is known
};

// One question each: each has a key of its own in the site file.
review::Finding unknown_module(const Unknown& unknown, bool contained, Span span) {
  review::Finding finding;
  finding.rule = "S2F503";
  finding.span = span;
  const bool debian = !unknown.debian.empty() && !contained;
  finding.message =
      debian ? fmt::format("{}: Debian's package {} stands for it, in Debian's version.",
                           unknown.module, unknown.debian)
             : fmt::format("What the module {} brings is not known here.", unknown.module);
  finding.slurm_does = "The module puts the cluster's own build on the path.";
  finding.output_does = contained ? "The image is the container's; it must have what is needed."
                        : debian  ? "The image installs Debian's package."
                                  : "The image does not have it.";
  finding.choices = {debian ? "Debian's package" : "not needed", "packages for pip or apt",
                     "an image that has it"};
  finding.default_ = finding.choices[0];
  finding.config_key = site::key_of("modules", unknown.module);
  return finding;
}

review::Finding conditional_modules(const PassContext& context, Span span) {
  review::Finding finding;
  finding.rule = "S2F503";
  finding.span = span;
  finding.message =
      fmt::format("`{}` stands within another command; the image must bring what it brings.",
                  context.text(span));
  finding.slurm_does = "It changes the environment where its line is reached.";
  finding.output_does = "The image stands for it, whether the line is reached or not.";
  finding.choices = {"not needed", "packages for pip or apt", "an image that has it"};
  finding.default_ = finding.choices[0];
  return finding;
}

// What stands above the image of modules, each of the modules that it is said of where the line
// loads several.
class Sayings {
public:
  explicit Sayings(std::size_t modules) : modules_(modules) {}

  void say(const std::string& module, const std::string& sentence) {
    said_[sentence].push_back(module);
  }
  void say(const std::string& sentence) { said_[sentence]; } // of all of them

  [[nodiscard]] bool empty() const { return said_.empty(); }

  [[nodiscard]] std::string text() const {
    std::string result;
    for (const auto& [sentence, modules] : said_) {
      result += result.empty() ? "" : " ";
      if (modules.size() < modules_ && !modules.empty()) {
        result += fmt::format("{}: ", fmt::join(modules, ", "));
      }
      result += sentence;
    }
    return result;
  }

private:
  std::size_t modules_; // how many the line loads
  std::map<std::string, std::vector<std::string>> said_;
};

} // namespace

std::string cited(const PassContext& context, const Span& span) {
  const std::string text = context.text(span);
  return fmt::format("{} {}", context.at(span), text.substr(0, text.find('\n')));
}

void set_python(PassContext& context, std::string_view text, std::string asked, Span span) {
  const auto version = python_version(text);
  if (!version) {
    return;
  }
  ir::Sourced<std::pair<int, int>> python;
  const int minor =
      version->first == 2 ? lowest_minor : std::clamp(version->second, lowest_minor, highest_minor);
  python.value = {3, minor};
  python.asked = asked;
  python.spans = {span};
  if (python.value != *version) {
    review::Finding moved;
    moved.rule = "S2F510";
    moved.span = span;
    moved.message = fmt::format("{} became Python 3.{}: flyte needs 3.{} to 3.{}.", asked, minor,
                                lowest_minor, highest_minor);
    moved.slurm_does = "The job runs with the version that is asked for.";
    moved.output_does = fmt::format("The image has Python 3.{}.", minor);
    moved.choices = {fmt::format("Python 3.{} will do", minor), "keep the job on Slurm"};
    moved.default_ = moved.choices[0];
    context.findings.add(std::move(moved));
    context.job.environment.comments.push_back(
        {review_comment("S2F510", fmt::format("{} became Python 3.{}: flyte needs 3.{} to 3.{}.",
                                              asked, minor, lowest_minor, highest_minor)),
         span});
  }
  context.job.environment.python = std::move(python);
}

Outcome load_modules(Setup& setup, const Software& software) {
  PassContext& context = setup.context;
  ir::Environment& environment = context.job.environment;
  Sayings says(software.names.size());
  std::vector<Unknown> unknown;
  std::vector<std::string> answered; // by the site file
  for (const std::string& full : software.names) {
    const Known known = find_module(full);
    using Means = tables::ModulesMeans;
    if (auto said = answered_module(context, full, software.span)) {
      says.say(*said + ".");
      answered.push_back(std::move(*said));
    } else if (known.row == nullptr) {
      unknown.push_back({full, ""});
    } else if (known.row->means == Means::wheels) {
      says.say(full, "Python packages for GPUs bring their own CUDA.");
    } else if (known.row->means == Means::python) {
      set_python(context, known.version, full, software.span);
    } else if (known.row->means == Means::apt) {
      if (!environment.container) {
        add_apt(environment, *known.row, full, software.span);
      }
      unknown.push_back({full, std::string(known.row->brings)});
    } else if (known.row->means == Means::compiler) {
      says.say(full, "Compilers are needed to build, not to run.");
    } else if (known.row->means == Means::stack) {
      says.say(full, "It only makes other modules visible.");
    } else if (known.row->means == Means::platform) {
      says.say(full, "The cluster runs containers itself.");
    }
    environment.modules.push_back(
        {known.name, known.version, context.text(software.span), software.span});
  }
  std::string comment = cited(context, software.span);
  if (!says.empty()) {
    comment += fmt::format(": {}", says.text());
  }
  environment.spans.push_back(software.span);
  const bool all_answered = answered.size() == software.names.size();
  if (unknown.empty() && (!setup.conditional || all_answered)) {
    environment.comments.push_back({comment, software.span});
    return {Disposition::converted,
            answered.empty() ? std::string("the image stands for it")
                             : fmt::format("{}", fmt::join(answered, "; ")),
            {},
            {}};
  }
  const bool contained = environment.container.has_value();
  const bool all_debian =
      !contained && std::ranges::none_of(unknown, &std::string::empty, &Unknown::debian);
  std::optional<review::FindingId> id;
  for (const Unknown& each : unknown) {
    const auto added = context.findings.add(unknown_module(each, contained, software.span));
    id = id ? id : added;
  }
  if (!id) {
    id = context.findings.add(conditional_modules(context, software.span));
  }
  if (software.names.size() > 1) {
    Sayings asks(software.names.size());
    for (const Unknown& each : unknown) {
      asks.say(each.module, contained             ? "the container's image must have it."
                            : each.debian.empty() ? "what it brings must be in the image."
                                                  : "Debian's package, in Debian's version.");
    }
    if (unknown.empty()) {
      asks.say("They stand within another command.");
    }
    comment += (says.empty() ? ": " : " ") + asks.text();
    environment.comments.push_back({review_comment("S2F503", comment), software.span});
    return {Disposition::decision, "the image must bring what it brings", "S2F503", id};
  }
  std::string more = unknown.empty() ? "it stands within another command."
                     : contained     ? "the container's image must have what is needed."
                     : all_debian    ? "Debian's package, in Debian's version."
                                     : "what it brings must be in the image.";
  const bool sentence = comment.ends_with('.');
  if (sentence) {
    more[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(more[0])));
  }
  environment.comments.push_back(
      {review_comment("S2F503", comment + (sentence ? " " : ": ") + more), software.span});
  return {Disposition::decision, "the image must bring what it brings", "S2F503", id};
}

Outcome use_modules(Setup& setup, const Software& software) {
  review::Finding finding;
  finding.rule = "S2F503";
  finding.span = software.span;
  finding.message =
      fmt::format("`{}` makes a site's own modules visible; what they bring is not known here.",
                  setup.context.text(software.span));
  finding.output_does = "The image stands for the modules that are loaded.";
  finding.choices = {"the image brings what is needed", "packages for pip or apt",
                     "an image that has it"};
  finding.default_ = finding.choices[0];
  const auto id = setup.context.findings.add(std::move(finding));
  return {Disposition::decision, "a site's own modules", "S2F503", id};
}

} // namespace s2f::passes
