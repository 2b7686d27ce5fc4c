// What a body finds otherwise in a container, and what it does then.
//
// before:  cd "$(dirname "$0")"                   after:  S2F460: under Slurm that is the spool
//                                                         directory
// before:  mkdir "out_$SLURM_JOB_ID"              after:  S2F461: the name of the run
// before:  cd results; python plot.py             after:  S2F462: Bash would go on where there is
// no
//                                                         results
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/slurm_variables.hpp"
#include "ir/conditions.hpp"
#include "ir/steps.hpp"
#include "passes/errexit.hpp"
#include "passes/pipeline.hpp"

namespace s2f::passes {

namespace {

// Where a part of the body is of the kind that is looked for.
using Looks = std::function<bool(const shell::WordPart&)>;

std::optional<Span> first_part(const ir::Job& job, const Looks& looks) {
  std::optional<Span> found;
  for (const ir::Step& step : job.body) {
    if (step.statement == nullptr || found) {
      continue;
    }
    analysis::Visitor visitor;
    visitor.part = [&](const shell::WordPart& part) {
      if (!found && looks(part)) {
        found = part.span;
      }
    };
    analysis::walk(*step.statement, visitor);
  }
  return found;
}

bool own_name(const shell::Parameter& parameter) {
  return parameter.name == "0" || parameter.name == "BASH_SOURCE";
}

// $(dirname "$0"), $(realpath "${BASH_SOURCE[0]}"), ${0%/*}
bool asks_place(const shell::WordPart& part) {
  if (const auto* parameter = std::get_if<shell::Parameter>(&part.value)) {
    return own_name(*parameter) && parameter->op.starts_with('%');
  }
  const auto* substitution = std::get_if<shell::CommandSubstitution>(&part.value);
  if (substitution == nullptr) {
    return false;
  }
  bool found = false;
  for (const shell::Statement& statement : substitution->body) {
    const auto* command = shell::as_simple(statement);
    const auto name = command == nullptr ? std::nullopt : analysis::command_name(*command);
    static constexpr std::array programs{"dirname", "realpath", "readlink"};
    if (!name || std::ranges::find(programs, *name) == programs.end()) {
      continue;
    }
    analysis::Visitor visitor;
    visitor.part = [&](const shell::WordPart& inner) {
      const auto* parameter = std::get_if<shell::Parameter>(&inner.value);
      found |= parameter != nullptr && own_name(*parameter);
    };
    analysis::walk(statement, visitor);
  }
  return found;
}

void place(PassContext& context) {
  const auto where = first_part(context.job, asks_place);
  if (!where) {
    return;
  }
  review::Finding finding;
  finding.rule = "S2F460";
  finding.span = *where;
  finding.message = "The script asks in which directory it lies.";
  finding.slurm_does = "It runs a copy, so the answer is a spool directory of the node, where none "
                       "of the script's neighbours are.";
  finding.output_does = "The answer is the directory that the job was submitted from.";
  context.findings.add(std::move(finding));
}

// $0, $(basename "$0"), ${0##*/}
void own_name_asked(PassContext& context) {
  std::vector<Span> places;
  (void)first_part(context.job, [&](const shell::WordPart& part) {
    if (asks_place(part)) {
      places.push_back(part.span);
    }
    return false;
  });
  const auto where = first_part(context.job, [&](const shell::WordPart& part) {
    const auto* parameter = std::get_if<shell::Parameter>(&part.value);
    return parameter != nullptr && parameter->name == "0" &&
           std::ranges::none_of(places,
                                [&](const Span& place) { return place.contains(part.span); });
  });
  if (!where) {
    return;
  }
  review::Finding finding;
  finding.rule = "S2F473";
  finding.span = *where;
  finding.message = "The script asks for its own name.";
  finding.slurm_does = "It runs a copy, which is called slurm_script, below a spool directory.";
  finding.output_does = fmt::format(
      "The name is {}.", context.job.path.substr(context.job.path.find_last_of('/') + 1));
  context.findings.add(std::move(finding));
}

void job_id(PassContext& context) {
  using Stand = tables::SlurmVariablesAtRunTime;
  const auto is_run = [](const std::string& name) {
    const auto* row = tables::find_slurm_variables(name);
    return row != nullptr && row->at_run_time == Stand::run;
  };
  const auto& reads = context.job.slurm_reads;
  const auto read = std::ranges::find_if(
      reads, [&](const ir::SlurmRead& each) { return !each.value && is_run(each.name); });
  if (read == reads.end()) {
    return;
  }
  const auto where = first_part(context.job, [&](const shell::WordPart& part) {
    const auto* parameter = std::get_if<shell::Parameter>(&part.value);
    return parameter != nullptr && parameter->name == read->name;
  });
  review::Finding finding;
  finding.rule = "S2F461";
  finding.span = where.value_or(context.job.interpreter.span);
  finding.message = fmt::format("${} becomes the name of the run.", read->name);
  finding.slurm_does = "It sets a number, another one for each job.";
  finding.output_does = "The name of the run is text, such as r7x2k9, and all tasks of a run share "
                        "it; in a local run it may be \"local\".";
  context.findings.add(std::move(finding));
}

// What a site, or the node, says of a job, and a container says otherwise.
void node_variables(PassContext& context) {
  using Stand = tables::SlurmVariablesAtRunTime;
  for (const ir::SlurmRead& read : context.job.slurm_reads) {
    const auto* row = tables::find_slurm_variables(read.name);
    if (row == nullptr || read.value ||
        (row->at_run_time != Stand::cpus && row->at_run_time != Stand::temporary)) {
      continue;
    }
    const auto where = first_part(context.job, [&](const shell::WordPart& part) {
      const auto* parameter = std::get_if<shell::Parameter>(&part.value);
      return parameter != nullptr && parameter->name == read.name;
    });
    review::Finding finding;
    finding.span = where.value_or(context.job.interpreter.span);
    if (row->at_run_time == Stand::cpus) {
      finding.rule = "S2F466";
      finding.message =
          fmt::format("${} is read, and the header asks for no number of CPUs.", read.name);
      finding.slurm_does = "It counts the CPUs that the job was given: 1, or all of the node.";
      finding.output_does = "The task counts the CPUs that its container sees.";
    } else {
      finding.rule = "S2F465";
      finding.message = fmt::format("${} is read, which the site sets, not Slurm.", read.name);
      finding.slurm_does = "It is a directory of the job on the node, where the site makes one.";
      finding.output_does = "The temporary directory of the container stands for it.";
    }
    context.findings.add(std::move(finding));
  }
}

// What Slurm alone knows. Where Bash is kept, or a payload asks, the variables that those are given
// tell.
void unknown_variables(PassContext& context) {
  using Stand = tables::SlurmVariablesAtRunTime;
  const ir::Job& job = context.job;
  if (!job.kept.empty() || job.cluster) {
    return;
  }
  for (const ir::SlurmRead& read : job.slurm_reads) {
    const auto* row = tables::find_slurm_variables(read.name);
    const Stand stand = row == nullptr ? Stand::nothing : row->at_run_time;
    if (read.value || job.slurm_payload.contains(read.name) || stand != Stand::nothing) {
      continue;
    }
    const auto where = first_part(job, [&](const shell::WordPart& part) {
      const auto* parameter = std::get_if<shell::Parameter>(&part.value);
      return parameter != nullptr && parameter->name == read.name;
    });
    if (!where) {
      continue;
    }
    review::Finding finding;
    finding.rule = "S2F403";
    finding.span = *where;
    finding.message =
        fmt::format("The job reads ${}, and nothing in Flyte stands for it.", read.name);
    finding.slurm_does = "It sets the variable.";
    finding.output_does = "It is empty here.";
    finding.choices = {"not needed", "a value in its place"};
    finding.default_ = finding.choices[0];
    context.findings.add(std::move(finding));
  }
}

void number_texts(PassContext& context) {
  std::set<std::uint32_t> told;
  for (const Span& span : context.job.number_reads) {
    if (context.job.keeps(span) || !told.insert(span.begin).second) {
      continue;
    }
    review::Finding finding;
    finding.rule = "S2F467";
    finding.span = span;
    finding.message = fmt::format("{} must be a number.", context.text(span));
    finding.slurm_does = "Bash takes what is no number for the name of a variable, or for an error "
                         "after which it goes on.";
    finding.output_does = "The task fails.";
    context.findings.add(std::move(finding));
  }
}

void pattern_texts(PassContext& context) {
  std::set<std::uint32_t> told;
  for (const Span& span : context.job.pattern_reads) {
    if (context.job.keeps(span) || !told.insert(span.begin).second) {
      continue;
    }
    review::Finding finding;
    finding.rule = "S2F480";
    finding.span = span;
    finding.message = fmt::format("{} stands without quotes in a pattern.", context.text(span));
    finding.slurm_does = "Bash takes *, ?, [ and \\ in its value for a pattern.";
    finding.output_does = "The task takes the value as text.";
    context.findings.add(std::move(finding));
  }
}

// What must be there for a lifted cd or redirection.
class Directories {
public:
  explicit Directories(PassContext& context) : context_(context) {}

  void run() {
    const std::vector<bool> errexit = errexit_at(context_.job);
    std::vector<Span> ends; // where the job ends in Bash as well
    for (std::size_t i = 0; i < errexit.size(); ++i) {
      if (errexit[i]) {
        ends.push_back(context_.job.body[i].span);
      }
    }
    ir::for_each_step(std::as_const(context_.job.body), [&](const ir::Step& step) {
      const bool told =
          std::ranges::any_of(ends, [&](const Span& each) { return each.contains(step.span); });
      if (step.in_region || told) {
        makes_what(step);
        return;
      }
      note_asked(step);
      if (const auto* change = std::get_if<ir::ChangeDirectory>(&step.value)) {
        if (change->directory.text() && !asked_for(change->directory.span) &&
            !there(key(change->directory))) {
          tell(change->directory.span,
               fmt::format("This cd fails where {} is not there.", *change->directory.text()),
               "It goes on in the directory where it was.",
               "The commands behind it cannot be started.");
        }
      } else if (const auto* assign = std::get_if<ir::Assign>(&step.value)) {
        for (const ir::Binding& binding : assign->bindings) {
          if (!binding.local.empty() && !binding.items) {
            held_[binding.local].push_back(key(binding.value));
          }
        }
      } else if (const auto* launch = std::get_if<ir::Launch>(&step.value)) {
        if (step.status.empty() && !asked_.contains(&step)) { // else its status is 1
          files(*launch);
        }
        makes(*launch);
      }
    });
  }

private:
  // Whether S2F601 asks already what shall stand for the path: it names the file system.
  [[nodiscard]] bool asked_for(const Span& span) const {
    std::string path = context_.text(span);
    std::erase(path, '"');
    return std::ranges::any_of(context_.findings.all(), [&](const review::Finding& each) {
      const auto open = each.config_key.find('"');
      return each.rule == "S2F601" && open != std::string::npos &&
             path.starts_with(
                 each.config_key.substr(open + 1, each.config_key.rfind('"') - open - 1));
    });
  }

  void makes_what(const ir::Step& step) {
    if (const auto* launch = std::get_if<ir::Launch>(&step.value); launch && !step.in_region) {
      makes(*launch);
    }
  }

  // What a condition asks.
  void note_asked(const ir::Step& step) {
    if (const auto* branches = std::get_if<ir::If>(&step.value)) {
      for (const ir::Branch& branch : branches->branches) {
        asked_.insert(branches->ends ? nullptr : ir::asked_first(branch.condition));
      }
    } else if (const auto* loop = std::get_if<ir::For>(&step.value); loop && loop->condition) {
      asked_.insert(ir::asked_first(*loop->condition));
    }
  }

  void files(const ir::Launch& launch) {
    for (const ir::Redirection& redirection : launch.redirections) {
      if (launch.status_matters || !redirection.to_file()) {
        continue;
      }
      const auto* local = redirection.file.parts.size() == 1
                              ? std::get_if<ir::Local>(&redirection.file.parts.front())
                              : nullptr;
      std::vector<std::string> paths{key(redirection.file)};
      if (local != nullptr && held_.contains(local->name)) {
        paths = held_.at(local->name);
      }
      if (std::ranges::any_of(paths, [this](const std::string& path) { return elsewhere(path); })) {
        tell(redirection.span, "The directory of this file must be there.",
             "Without it the command does not run, and the job goes on.",
             "The same; the task prints why.");
      }
    }
  }

  [[nodiscard]] bool elsewhere(const std::string& path) const {
    const auto slash = path.find_last_of('/');
    return slash != std::string::npos && slash != 0 && !path.starts_with("/dev/") &&
           !there(path.substr(0, slash));
  }

  void makes(const ir::Launch& launch) {
    if (!launch.words.empty() && launch.words.front().text() == "mkdir") {
      for (const ir::Value& word : launch.words) {
        made_.push_back(key(word));
      }
    }
  }

  // The value as text, with a mark for what is known only when the job runs.
  static std::string key(const ir::Value& value) {
    std::string result;
    for (const ir::ValuePart& part : value.parts) {
      if (const auto* text = std::get_if<ir::Text>(&part)) {
        result += text->text;
      } else if (const auto* local = std::get_if<ir::Local>(&part)) {
        result += "<" + local->name + ">";
      } else if (const auto* parameter = std::get_if<ir::ParameterRef>(&part)) {
        result += "<" + parameter->name + ">";
      } else {
        result += fmt::format("<{}>", part.index());
      }
    }
    while (result.starts_with("./")) {
      result.erase(0, 2);
    }
    while (result.size() > 1 && result.ends_with('/')) {
      result.pop_back();
    }
    return result;
  }

  bool there(const std::string& directory) const {
    const bool made = std::ranges::any_of(made_, [&](const std::string& each) {
      return each == directory || each.starts_with(directory + "/");
    });
    return made || directory.empty() || directory == "." ||
           directory == fmt::format("<{}>", ir::ValuePart(ir::SubmitDirectory{}).index()) ||
           (context_.file_exists && context_.file_exists(directory));
  }

  void tell(const Span& span, std::string message, std::string slurm, std::string output) {
    review::Finding finding;
    finding.rule = "S2F462";
    finding.span = span;
    finding.message = std::move(message);
    finding.slurm_does = std::move(slurm);
    finding.output_does = std::move(output);
    context_.findings.add(std::move(finding));
  }

  PassContext& context_;
  std::vector<std::string> made_;
  std::map<std::string, std::vector<std::string>> held_; // by Python's name: what it is given
  std::set<const ir::Step*> asked_;
};

} // namespace

void differences(PassContext& context) {
  place(context);
  own_name_asked(context);
  job_id(context);
  node_variables(context);
  unknown_variables(context);
  number_texts(context);
  pattern_texts(context);
  Directories(context).run();
}

} // namespace s2f::passes
