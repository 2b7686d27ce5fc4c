// The words of an sbatch in a driver that runs as it was, as far as they are known before it runs.
//
// before:  sbatch --mem=4G --array=1-$N%4 --dependency=afterok:$id train.sh "$f"
// after:   Call{--mem=4G --array=0-1%4, train.sh, one argument, computed indices}
#include "passes/driver_plan.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/secrets.hpp"
#include "analysis/walk.hpp"

namespace s2f::passes {

namespace {

namespace terms = ir::terms;
using ir::Term;
using Type = Term::Type;
using review::Disposition;

// %4 at the end of --array=1-$N%4, with the quotes behind it; "" where nothing stands there.
std::string throttle_of(std::string_view text) {
  while (!text.empty() && (text.back() == '"' || text.back() == '\'')) {
    text.remove_suffix(1);
  }
  const auto percent = text.rfind('%');
  if (percent == std::string_view::npos ||
      text.find_first_of(")}`", percent) != std::string_view::npos) {
    return "";
  }
  return std::string(text.substr(percent));
}

} // namespace

void DriverPlanner::read_option(const slurm::OptionInfo& info, const shell::Word& word,
                                std::optional<std::string> value, const Span& span, Call& call) {
  static constexpr std::array names{"job-name", "output",    "error", "comment", "mail-user",
                                    "wckey",    "mail-type", "quiet", "verbose", "parsable"};
  if (info.name == "wait") {
    waits_for_it(span, call);
  } else if (info.name == "test-only") {
    call.why = fmt::format("--{}", info.name);
  } else if (info.name == "dependency") {
    waits_for_whole(span);
    reader_.settle(span, Disposition::converted, "what the task waits for");
  } else if (info.name == "export" && !value) {
    const std::string text(context_.sources.text(word.span));
    for (auto at = text.find('='); at != std::string::npos; at = text.find('=', at + 1)) {
      std::size_t from = at;
      while (from > 0 && (std::isalnum(static_cast<unsigned char>(text[from - 1])) != 0 ||
                          text[from - 1] == '_')) {
        --from;
      }
      if (is_variable(text.substr(from, at - from)) && text.substr(from, at - from) != "export") {
        exported_.insert(text.substr(from, at - from));
      }
    }
    reader_.settle(span, Disposition::converted, "arguments of the task");
  } else if (info.name == "array" && !value) {
    call.computed_indices = true;
    std::string throttle = throttle_of(context_.sources.text(word.span));
    if (throttle.find_first_not_of("0123456789", 1) != std::string::npos) {
      known_at_run_time(span);
      call.read.arguments.emplace_back("--array=0-1");
      call.read.argument_spans.push_back(word.span);
      return;
    }
    call.read.arguments.push_back("--array=0-1" + throttle);
    call.read.argument_spans.push_back(span);
    reader_.settle(span, Disposition::open, "");
  } else if (std::ranges::find(names, info.name) != names.end()) {
    reader_.settle(span, Disposition::dropped, "a name that the driver makes up");
  } else if (value) {
    call.read.arguments.push_back(info.argument == "none" ||
                                          (info.argument == "optional" && value->empty())
                                      ? fmt::format("--{}", info.name)
                                      : fmt::format("--{}={}", info.name, *value));
    call.read.argument_spans.push_back(span);
    reader_.settle(span, Disposition::open, "");
  } else {
    known_at_run_time(span);
  }
}

// aftercorr, afterok:${ID}_3: what is noted has one result for all of its elements.
void DriverPlanner::waits_for_whole(const Span& span) {
  const std::string_view text = context_.sources.text(span);
  const bool each = text.contains("aftercorr");
  const auto bar = text.find("}_");
  if (!each && bar == std::string_view::npos) {
    return;
  }
  review::Finding finding;
  finding.rule = each ? "S2F321" : "S2F340";
  finding.span = span;
  finding.message = each ? "aftercorr became afterok: each element waits for the whole array."
                         : "A dependency on one element became one on its whole array.";
  finding.slurm_does = each ? "Element i starts as soon as element i of the other array succeeded."
                            : "The job waits for that element alone.";
  finding.output_does = "It waits for all elements of the array.";
  context_.findings.add(std::move(finding));
}

void DriverPlanner::known_at_run_time(const Span& span) {
  review::Finding finding;
  finding.rule = "S2F326";
  finding.span = span;
  finding.message = fmt::format("The value in `{}` is known only when the driver runs.",
                                context_.sources.text(span));
  finding.slurm_does = "It takes the option for the job.";
  finding.output_does = "The task does without it.";
  finding.choices = {"leave it out", "give the task the largest value that is used"};
  finding.default_ = finding.choices[0];
  context_.findings.add(std::move(finding));
  reader_.settle(span, Disposition::decision, "known only when the driver runs", "S2F326");
}

DriverPlanner::Call DriverPlanner::read(const Site& site, std::vector<Edit>& edits) {
  const auto& command = std::get<shell::SimpleCommand>(site.statement->value);
  Call call;
  std::size_t at = site.word + 1;
  for (; at < command.words.size() && call.why.empty(); ++at) {
    const shell::Word& word = command.words[at];
    const std::string start = literal_start(word);
    const auto whole = constant(word);
    if (start.size() < 2 || start[0] != '-') {
      if (whole && whole->empty()) {
        continue;
      }
      // Options in a variable: the script comes behind it.
      const bool more =
          std::any_of(command.words.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                      command.words.end(), [&](const shell::Word& later) {
                        const auto text = constant(later);
                        return text && text->find('.') != std::string::npos &&
                               text->find_first_not_of("0123456789.eE+-") != std::string::npos;
                      });
      // ${DIR}/train.sh is no option.
      const bool bare =
          context_.sources.text(word.span).find_first_of("/.") == std::string_view::npos;
      const bool options = (whole && whole->starts_with('-')) ||
                           (start.empty() && !whole && bare && more && !constant(word));
      if (options) {
        known_at_run_time(word.span);
        continue;
      }
      break;
    }
    std::string name;
    std::optional<std::string> value;
    bool has_value = false;
    if (start.starts_with("--")) {
      const auto equals = start.find('=');
      name = start.substr(2, equals == std::string::npos ? equals : equals - 2);
      has_value = equals != std::string::npos;
      if (whole && has_value) {
        value = whole->substr(equals + 1);
      }
    } else {
      name = start.substr(1, 1);
      has_value = start.size() > 2 || !whole || whole->size() > 2;
      if (whole && has_value) {
        value = whole->substr(2);
      }
    }
    const slurm::OptionInfo* info = option_named(name);
    if (info == nullptr) {
      call.why = fmt::format("an option of sbatch that is not known: {}", start);
      break;
    }
    Span span = word.span;
    const shell::Word* valued = &word;
    if (!has_value && info->argument == "required") {
      if (at + 1 >= command.words.size()) {
        call.why = "an option without its value";
        break;
      }
      valued = &command.words[++at];
      span.end = valued->span.end;
      value = constant(*valued);
    } else if (!has_value) {
      value = "";
    }
    if (info->name == "wrap") {
      call.text = Text{};
      call.text->file.pieces.push_back({terms::text("#!/bin/sh\n"), {}});
      Text wrapped;
      add_word(wrapped, *valued);
      if (has_value && !wrapped.file.pieces.empty()) { // --wrap= before it
        std::string& first = wrapped.file.pieces.front().value.text;
        first.erase(0, std::min(first.size(), start.find('=') + 1));
        wrapped.file.pieces.front().span = {};
      }
      std::ranges::move(wrapped.file.pieces, std::back_inserter(call.text->file.pieces));
      call.text->file.pieces.push_back({terms::text("\n"), {}});
      call.text->values = std::move(wrapped.values);
      edits.push_back({span, ""});
      call.read.script_name = "wrap";
      reader_.settle(span, Disposition::converted, "the command of the task");
      continue;
    }
    read_option(*info, *valued, std::move(value), span, call);
  }
  if (at < command.words.size() && !call.text) {
    call.script = command.words[at];
    call.name = constant(command.words[at]);
    call.arguments = command.words.size() - at - 1;
    if (std::any_of(command.words.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                    command.words.end(),
                    [](const shell::Word& word) { return holds_secret(word.parts); })) {
      call.why = "it hands a secret to a job as an argument";
    }
  }
  return call;
}

} // namespace s2f::passes
