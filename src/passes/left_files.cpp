// Files whose names only a run makes: what one job of a driver leaves under such names, and another
// looks for.
//
// before:  el.sh: D=res/run_$SLURM_ARRAY_TASK_ID; mkdir -p $D; cd $D; echo 1 > score.txt
//          col.sh: cat res/run_*/score.txt
// after:   the task of el.sh hands over what lies at res/run_*/score.txt when it ends, as it lies;
//          that of col.sh puts it there (S2F360)
// before:  prep.sh: split -l 1 list.txt chunk_; ls chunk_* > chunks.lst
//          proc.sh: #SBATCH --array=1-3; f=$(sed -n "${SLURM_ARRAY_TASK_ID}p" chunks.lst); ... < $f
// after:   the same for chunk_*
#include "passes/left_files.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/output_flags.hpp"
#include "generated/tables/path_roles.hpp"
#include "passes/job_paths.hpp"
#include "passes/names.hpp"
#include "passes/path_names.hpp"

namespace s2f::passes {

namespace {

using Role = tables::PathRolesRole;
using source::Span;

constexpr std::string_view stars = "*?[";

std::string stem_of(const std::string& pattern) {
  return pattern.substr(0, pattern.find_first_of(stars));
}

std::string ending_of(const std::string& pattern) {
  const auto last = pattern.find_last_of("*?]");
  return last == std::string::npos ? pattern : pattern.substr(last + 1);
}

bool has_star(const std::string& pattern) {
  return pattern.find_first_of(stars) != std::string::npos;
}

// A name that a job's command makes something of.
struct Trace {
  std::string pattern;    // "res/run_*", "chunk_"
  bool writes = false;    // it is known to be written, or to be a directory
  bool directory = false; // the job makes it, or goes to it
  Span span{};
};

// The variables that a script gives one value, as patterns.
using Values = std::map<std::string, std::string>;

// "res/run_*" of "res/run_$ID": what only the job knows as "*".
void add_pattern(const std::vector<shell::WordPart>& parts, const Values& values,
                 std::string& pattern) {
  for (const shell::WordPart& part : parts) {
    if (const auto* literal = std::get_if<shell::Literal>(&part.value)) {
      pattern += literal->value;
    } else if (const auto* single = std::get_if<shell::SingleQuoted>(&part.value)) {
      pattern += single->value;
    } else if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&part.value)) {
      add_pattern(quoted->parts, values, pattern);
    } else if (const auto* parameter = std::get_if<shell::Parameter>(&part.value);
               parameter != nullptr && parameter->op.empty() && !parameter->length &&
               !parameter->subscript) {
      const auto known = values.find(parameter->name);
      const bool here = parameter->name == "PWD" || parameter->name == "SLURM_SUBMIT_DIR";
      pattern += here ? "." : known == values.end() ? "*" : known->second;
    } else {
      pattern += '*';
    }
  }
}

// Below the submit directory, without what says no more than that; "" for another place.
std::string below(std::string pattern) {
  while (pattern.starts_with("./")) {
    pattern.erase(0, 2);
  }
  while (pattern.size() > 1 && pattern.ends_with('/')) {
    pattern.pop_back();
  }
  const bool other = pattern.empty() || pattern == "." || pattern.starts_with("..") ||
                     pattern.find_first_of("/~$-\x01") == 0 ||
                     pattern.find('\x01') != std::string::npos ||
                     pattern.find("/../") != std::string::npos ||
                     pattern.find_first_of(" \n:") != std::string::npos;
  return other ? "" : pattern;
}

// What a job's commands name, but for what they only read and what the task hands over by itself.
class Traces {
public:
  explicit Traces(const ir::Job& job) : job_(job) {
    std::map<std::string, int> counts;
    analysis::Visitor visitor;
    visitor.assignment = [&](const shell::Assignment& each) {
      if (each.value && !each.append && !each.subscript && ++counts[each.name] == 1) {
        std::string pattern;
        add_pattern(each.value->parts, values_, pattern);
        values_[each.name] = pattern;
      } else {
        values_[each.name] = "*";
      }
    };
    visitor.statement = [&](const shell::Statement& statement) { look(statement); };
    for (const ir::Step& step : job.body) {
      if (step.statement != nullptr) {
        analysis::walk(*step.statement, visitor);
      }
    }
  }

  [[nodiscard]] const std::vector<Trace>& all() const { return found_; }
  // Of words of commands that look at no file: rm, mkdir.
  [[nodiscard]] bool only_named(const Span& span) const {
    return std::ranges::find(removed_, span) != removed_.end();
  }
  // Where a word of that pattern stands.
  [[nodiscard]] Span span_of(const std::string& pattern) const {
    const auto known = words_.find(pattern);
    return known == words_.end() ? Span{} : known->second;
  }
  // The pattern whose files a command lists into that file: chunk_* of ls chunk_* > chunks.lst.
  [[nodiscard]] std::string listed_in(const std::string& file) const {
    const auto known = lists_.find(file);
    return known == lists_.end() ? "" : known->second;
  }

private:
  [[nodiscard]] std::string pattern(const shell::Word& word) const {
    std::string text;
    add_pattern(word.parts, values_, text);
    return text;
  }

  [[nodiscard]] bool handed_over(const Span& span) const {
    return std::ranges::any_of(job_.outputs,
                               [&](const ir::OutputFile& output) {
                                 return output.span.contains(span) && !job_.keeps(output.span);
                               }) ||
           std::ranges::any_of(job_.cluster_paths, [&](const ir::ClusterPath& path) {
             return std::ranges::find(path.spans, span) != path.spans.end();
           });
  }

  void add(std::string text, bool writes, const Span& span, bool directory = false) {
    text = below(std::move(text));
    if (!text.empty() && text != "*" && !handed_over(span)) {
      found_.push_back({std::move(text), writes, directory, span});
    }
  }

  void look(const shell::Statement& statement) {
    for (const shell::Redirect& redirect : statement.redirects) {
      using Kind = shell::RedirectKind;
      if (redirect.kind == Kind::output || redirect.kind == Kind::append ||
          redirect.kind == Kind::clobber || redirect.kind == Kind::output_both ||
          redirect.kind == Kind::append_both) {
        add(pattern(redirect.target), true, redirect.target.span);
      }
    }
    const auto* command = shell::as_simple(statement);
    if (command == nullptr || command->words.empty()) {
      return;
    }
    const std::string name = analysis::command_name(*command).value_or("");
    const auto* row = tables::find_path_roles(name);
    const std::optional<Role> role = row == nullptr ? std::nullopt : std::optional(row->role);
    lists(name, statement, *command);
    const bool removes = name == "rm" || name == "rmdir";
    const bool goes = name == "cd" || name == "pushd";
    const bool looks = role == Role::reads || role == Role::lists || role == Role::shows ||
                       name == "grep" || name == "sort" || name == "test" || name == "[";
    for (std::size_t i = 1; i < command->words.size(); ++i) {
      const shell::Word& word = command->words[i];
      std::string text = pattern(word);
      words_.emplace(below(text), word.span);
      if (removes || goes || role == Role::makes) {
        removed_.push_back(word.span);
      }
      if (removes || looks || (role == Role::makes && holds_output(below(text)))) {
        continue;
      }
      const auto equals = text.find('=');
      const std::string flag = text.substr(0, equals);
      const bool output = std::ranges::any_of(tables::output_flags,
                                              [&](const auto& each) { return each.flag == flag; });
      if (output && equals == std::string::npos && i + 1 < command->words.size()) {
        const shell::Word& value = command->words[++i];
        add(pattern(value), true, value.span);
        continue;
      }
      text.erase(0, equals == std::string::npos ? 0 : equals + 1);
      const bool last = i + 1 == command->words.size();
      const bool writes = output || goes || role == Role::makes || role == Role::writes ||
                          role == Role::unpacks || (role == Role::copies && last);
      add(std::move(text), writes, word.span, goes || role == Role::makes);
    }
  }

  void lists(const std::string& name, const shell::Statement& statement,
             const shell::SimpleCommand& command) {
    if (name != "ls" && name != "find" && name != "printf" && name != "echo") {
      return;
    }
    for (const shell::Redirect& redirect : statement.redirects) {
      const std::string file = below(pattern(redirect.target));
      for (std::size_t i = 1; i < command.words.size() && !file.empty(); ++i) {
        const std::string text = below(pattern(command.words[i]));
        if (has_star(text) && !stem_of(text).empty()) {
          lists_.emplace(file, text);
        }
      }
    }
  }

  // Whether a file in the directory is handed over: it was made for that.
  [[nodiscard]] bool holds_output(const std::string& directory) const {
    return std::ranges::any_of(job_.outputs, [&](const ir::OutputFile& output) {
      const auto* first =
          output.path.parts.empty() ? nullptr : std::get_if<ir::Text>(&output.path.parts.front());
      return output.directory.empty() && first != nullptr &&
             below(first->text + "x").starts_with(stem_of(directory));
    });
  }

  const ir::Job& job_;
  Values values_;
  std::vector<Trace> found_;
  std::vector<Span> removed_;
  std::map<std::string, Span> words_; // of all commands, by their patterns
  std::map<std::string, std::string> lists_;
};

// Whether what a command names so may be what another job looks for.
bool fits(const std::string& wanted, const Trace& trace) {
  const std::string& named = trace.pattern;
  const std::string start = stem_of(wanted);
  const std::string other = stem_of(named);
  const auto holds = [](const std::string& directory, const std::string& path) {
    return path.starts_with(directory + "/");
  };
  if (!has_star(named)) {
    const bool prefix = !named.empty() && std::string_view("_-.").contains(named.back()) &&
                        start.starts_with(named); // split list.txt chunk_
    if (!trace.writes) {
      return prefix && has_star(wanted);
    }
    return prefix || named == wanted || holds(named, wanted) || holds(wanted, named) ||
           (has_star(wanted) &&
            ::fnmatch(wanted.c_str(), named.c_str(), FNM_PATHNAME | FNM_NOESCAPE) == 0);
  }
  if (other.empty()) { // > $f.up
    return trace.writes && ending_of(named).size() > 1 && wanted.ends_with(ending_of(named));
  }
  if (start.empty()) { // what the driver names: */part_*
    return false;
  }
  const bool same_place = start.starts_with(other) || (other.starts_with(start) && !start.empty());
  return same_place && (trace.writes || has_star(wanted));
}

// res/run_*/score.txt lies in res/run_*.
bool lies_in(const std::string& wanted, const std::string& directory) {
  return wanted == directory || wanted.starts_with(directory + "/");
}

// Whether all that the second finds the first does.
bool covers(const std::string& pattern, const std::string& other) {
  return lies_in(other, pattern) ||
         ::fnmatch(pattern.c_str(), other.c_str(), FNM_PATHNAME | FNM_NOESCAPE) == 0;
}

class HandOnLeft {
public:
  HandOnLeft(ir::Workload& workload, const DriverOrder& order)
      : workload_(workload), driver_(*workload.driver), order_(order),
        changing_(changing_names(driver_)) {
    for (std::size_t i = 0; i < driver_.submissions.size(); ++i) {
      by_job_[driver_.submissions[i].job].push_back(i);
    }
    for (const auto& [job, submissions] : by_job_) {
      traces_.emplace(job, Traces(workload.jobs[job]));
    }
  }

  void run(const std::function<review::Findings&(const ir::Job&)>& findings_of) {
    for (const auto& [job, submissions] : by_job_) {
      const ir::Job& reader = workload_.jobs[job];
      if (reader.stays_on_slurm || reader.submits || reader.missing) {
        continue;
      }
      find(job, findings_of(reader));
    }
    for (const Wish& wish : wishes_) {
      grant(wish, findings_of(workload_.jobs[wish.reader]));
    }
  }

private:
  struct Wish {
    std::size_t reader = 0, writer = 0; // jobs
    std::size_t from = 0;               // the writer's submission
    std::vector<std::string> patterns;
    std::vector<Span> made; // where the writer names directories of which all is handed over
    Span span{};            // where the reader names the first of them
  };

  using Wanted = std::vector<std::pair<std::string, Span>>;

  void find(std::size_t job, review::Findings& findings) {
    const std::size_t first = by_job_[job].front();
    const Wanted wanted = wanted_by(job);
    std::vector<Wish> wishes;
    for (const auto& [from, runs] : order_.before[first]) {
      const std::size_t writer = driver_.submissions[from].job;
      if (writer != job && hands_over(workload_.jobs[writer]) &&
          std::ranges::all_of(
              by_job_[job], [&](std::size_t each) { return order_.before[each].contains(from); })) {
        wishes.push_back({job, writer, from, {}, {}, {}});
      }
    }
    std::set<std::string> granted;
    for (const auto& [pattern, span] : wanted) {
      // One that is known to write it goes before one that may.
      const auto leaves = [&](const Wish& wish, bool certain) {
        return std::ranges::any_of(traces_.at(wish.writer).all(), [&](const Trace& trace) {
          return (trace.writes || !certain) && fits(pattern, trace);
        });
      };
      const bool known =
          std::ranges::any_of(wishes, [&](const Wish& wish) { return leaves(wish, true); });
      for (Wish& wish : wishes) {
        if (leaves(wish, known)) {
          wish_for(wish, pattern, span);
          granted.insert(pattern);
        }
      }
    }
    for (Wish& wish : wishes) {
      lines(wish);
      if (!wish.patterns.empty()) {
        wishes_.push_back(std::move(wish));
      }
    }
    not_handed(job, wanted, granted, findings);
  }

  // What a job looks for below the submit directory, and does not make itself.
  [[nodiscard]] Wanted wanted_by(std::size_t job) const {
    const ir::Job& reader = workload_.jobs[job];
    Wanted wanted;
    for (const JobPath& path :
         paths_of(reader, driver_.submissions[by_job_.at(job).front()], changing_)) {
      const std::string pattern = below(unmarked(path.name));
      const Span span = path.span.end == 0 ? traces_.at(job).span_of(pattern) : path.span;
      const bool known =
          std::ranges::any_of(wanted, [&](const auto& each) { return each.first == pattern; });
      if (!path.own && !known && pattern.find_first_not_of("*/") != std::string::npos &&
          !traces_.at(job).only_named(span) && !beside(reader, pattern)) {
        wanted.emplace_back(pattern, span);
      }
    }
    return wanted;
  }

  // What the driver computes, as a star.
  static std::string unmarked(std::string name) {
    for (auto at = name.find('\x01'); at != std::string::npos; at = name.find('\x01')) {
      const auto end = name.find('\x02', at);
      name.replace(at, end == std::string::npos ? std::string::npos : end + 1 - at, "*");
    }
    return name;
  }

  // What is looked for and comes from nowhere.
  void not_handed(std::size_t job, const Wanted& wanted, const std::set<std::string>& granted,
                  review::Findings& findings) const {
    bool waits = driver_.plan.has_value(); // it tells when it runs
    std::set<std::size_t> ended;
    for (const std::size_t each : by_job_.at(job)) {
      waits |= !order_.before[each].empty() || !order_.ended[each].empty();
      for (const std::size_t earlier : order_.ended[each]) {
        ended.insert(driver_.submissions[earlier].job);
      }
    }
    for (const auto& [pattern, span] : wanted) {
      if (granted.contains(pattern)) {
        continue;
      }
      for (const std::size_t writer : ended) {
        const bool left = std::ranges::any_of(
            traces_.at(writer).all(), [&](const Trace& trace) { return fits(pattern, trace); });
        if (left && writer != job) {
          say(findings, "S2F364", span,
              fmt::format(
                  "{} may be left by {} and is looked for here, where that may have failed.",
                  pattern, script_name_of(workload_, workload_.jobs[writer])),
              "What a job wrote before it failed stays where it is.",
              "A task that fails hands over nothing, so on a cluster there is nothing; a local run "
              "shares the directory.");
        }
      }
      if (has_star(pattern) && waits && !has_some(job, pattern)) {
        say(findings, "S2F363", span,
            fmt::format(
                "{} is looked for here; no job that this one waits for is known to leave it.",
                pattern),
            "All jobs run in one directory of a shared file system.",
            "Nothing hands such files over: on a cluster the pattern finds what comes with the "
            "module; a local run shares the directory.");
      }
    }
  }

  static void say(review::Findings& findings, const char* rule, const Span& span,
                  std::string message, const char* slurm_does, const char* output_does) {
    const bool known = std::ranges::any_of(findings.all(), [&](const review::Finding& each) {
      return each.rule == rule && (each.span == span || each.message == message);
    });
    if (known) {
      return;
    }
    review::Finding finding;
    finding.rule = rule;
    finding.span = span;
    finding.message = std::move(message);
    finding.slurm_does = slurm_does;
    finding.output_does = output_does;
    finding.choices = {"not needed", "pass them: a Dir that one task returns and the other takes",
                       "a mounted volume: pod_template=\"NAME\""};
    if (finding.rule == "S2F364") { // what fails returns nothing
      finding.choices[1] = "run(..., check=False) in the task that may fail, which returns the Dir "
                           "and the status; `main` asks for the status and hands on the Dir";
    }
    finding.default_ = finding.choices[0];
    findings.add(std::move(finding));
  }

  // Whether it is handed single files that fit, or another job writes such by name, which is told
  // elsewhere, or it makes them itself.
  [[nodiscard]] bool has_some(std::size_t job, const std::string& pattern) const {
    JobPath wanted;
    wanted.name = pattern;
    wanted.fixed = false;
    const auto writes = [&](std::size_t index) {
      const ir::Submission& submission = driver_.submissions[index];
      const auto outputs = outputs_of(workload_.jobs[submission.job], submission, changing_);
      return std::ranges::any_of(
          outputs, [&](const JobOutput& output) { return same(wanted, output.path) != Same::no; });
    };
    for (std::size_t i = 0; i < driver_.submissions.size(); ++i) {
      if (writes(i)) {
        return true;
      }
    }
    return std::ranges::any_of(traces_.at(job).all(),
                               [&](const Trace& trace) { return fits(pattern, trace); });
  }

  // With all that is in a directory that the writer makes or goes to.
  void wish_for(Wish& wish, const std::string& pattern, const Span& span) const {
    std::string whole = pattern;
    for (const Trace& trace : traces_.at(wish.writer).all()) {
      if (trace.directory && fits(pattern, trace) && lies_in(pattern, trace.pattern)) {
        whole = trace.pattern;
        wish.made.push_back(trace.span);
      }
    }
    wish.span = wish.patterns.empty() ? span : wish.span;
    add_pattern_to(wish.patterns, whole);
  }

  static void add_pattern_to(std::vector<std::string>& patterns, const std::string& pattern) {
    if (std::ranges::none_of(patterns,
                             [&](const std::string& each) { return covers(each, pattern); })) {
      std::erase_if(patterns, [&](const std::string& each) { return covers(pattern, each); });
      patterns.push_back(pattern);
    }
  }

  // Elements of an array each of which reads the file that a line names.
  void lines(Wish& wish) {
    const ir::Job& reader = workload_.jobs[wish.reader];
    if (!reader.array) {
      return;
    }
    for (const ir::ArrayItem& item : reader.array->items) {
      const auto* line = std::get_if<ir::ArrayItem::Line>(&item.from);
      if (line == nullptr) {
        continue;
      }
      std::string file = line->file;
      for (const ir::ClusterPath& path : reader.cluster_paths) {
        file = line->input && path.parameter == line->file ? below(path.was) : file;
      }
      const std::string pattern = traces_.at(wish.writer).listed_in(file);
      if (!pattern.empty()) {
        wish.span = wish.patterns.empty() ? item.span : wish.span;
        add_pattern_to(wish.patterns, pattern);
      }
    }
  }

  // It comes with the module.
  static bool beside(const ir::Job& reader, const std::string& pattern) {
    return std::ranges::any_of(reader.include, [&](const std::string& file) {
      return file == pattern || file.starts_with(pattern + "/") ||
             ::fnmatch(pattern.c_str(), file.c_str(), FNM_PATHNAME | FNM_NOESCAPE) == 0;
    });
  }

  [[nodiscard]] bool hands_over(const ir::Job& writer) const {
    return !driver_.not_lifted && !writer.stays_on_slurm && !writer.submits && !writer.missing &&
           !writer.cluster;
  }

  void grant(const Wish& wish, review::Findings& findings) {
    ir::Job& reader = workload_.jobs[wish.reader];
    ir::Job& writer = workload_.jobs[wish.writer];
    if (!writer.left) {
      writer.left.emplace();
    }
    for (const std::string& pattern : wish.patterns) {
      add_pattern_to(writer.left->patterns, pattern);
    }
    writer.left->spans.insert(writer.left->spans.end(), wish.made.begin(), wish.made.end());
    const bool all_turns =
        order_.in_loop[wish.from] &&
        order_.before[by_job_[wish.reader].front()].at(wish.from) == DriverOrder::Runs::all;
    const bool several = writer.array.has_value() || all_turns;
    ir::Placed placed;
    placed.as_it_lay = true;
    placed.several = several;
    placed.writer = script_name_of(workload_, writer);
    std::set<std::string> taken = taken_names(reader);
    for (const ir::Job& other : workload_.jobs) { // a task that the name would hide
      taken.insert(other.function);
    }
    placed.parameter = writer.function + "_left";
    while (taken.contains(placed.parameter)) {
      placed.parameter += "_";
    }
    ir::Parameter parameter;
    parameter.name = placed.parameter;
    parameter.type = several ? ir::Type::directories : ir::Type::maybe_directory;
    parameter.origin = placed.writer;
    reader.parameters.push_back(std::move(parameter));
    for (const std::size_t each : by_job_[wish.reader]) {
      driver_.submissions[each].handed.push_back(
          {placed.parameter, wish.from, writer.returned() - 1, several, all_turns});
    }
    review::Finding finding;
    finding.rule = "S2F360";
    finding.span = wish.span;
    finding.message = fmt::format("{}, which {} may leave, {} looked for here.",
                                  fmt::join(wish.patterns, " and "), placed.writer,
                                  wish.patterns.size() == 1 ? "is" : "are");
    finding.slurm_does = "Both jobs run in one directory of a shared file system.";
    finding.output_does =
        fmt::format("What lies there when the other task ends is handed over as `{}`, and this "
                    "one puts it where the script looks for it.",
                    placed.parameter);
    findings.add(std::move(finding));
    reader.placed.push_back(std::move(placed));
  }

  ir::Workload& workload_;
  ir::Driver& driver_;
  const DriverOrder& order_;
  std::set<std::string> changing_;
  std::map<std::size_t, std::vector<std::size_t>> by_job_; // submissions
  std::map<std::size_t, Traces> traces_;
  std::vector<Wish> wishes_;
};

} // namespace

void hand_on_left(ir::Workload& workload, const DriverOrder& order,
                  const std::function<review::Findings&(const ir::Job&)>& findings_of) {
  HandOnLeft(workload, order).run(findings_of);
}

} // namespace s2f::passes
