// Paths of jobs as both of two jobs would call them.
//
// before:  python train.py --out "results/lr${1}.json", submitted as `train.sh $lr` in a loop
// after:   results/lr<lr>.json, another one each time
#include "passes/job_paths.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fnmatch.h>

#include "ir/steps.hpp"
#include "passes/path_names.hpp"

namespace s2f::passes {

namespace {

using ir::Term;

// A value of the driver's as text, so that equal values have equal texts; nothing for one that
// another statement may change.
std::optional<std::string> key_of(const Term& term, const std::set<std::string>& changing) {
  if (const auto text = ir::terms::constant(term)) {
    return *text;
  }
  if (term.kind == Term::Kind::unknown ||
      (term.kind == Term::Kind::name && changing.contains(term.text))) {
    return std::nullopt;
  }
  const bool joined = term.kind == Term::Kind::joined;
  std::string key =
      joined ? ""
             : fmt::format("\x01{}:{}:{}", static_cast<int>(term.kind), term.text, term.number);
  for (const Term& part : term.parts) {
    const auto more = key_of(part, changing);
    if (!more) {
      return std::nullopt;
    }
    key += (joined ? "" : ",") + *more;
  }
  return joined ? key : key + "\x02";
}

bool by_name(const Term& term) {
  return term.kind == Term::Kind::name || std::ranges::any_of(term.parts, by_name);
}

class Paths {
public:
  Paths(const ir::Job& job, const ir::Submission& submission, const std::set<std::string>& changing)
      : job_(job), submission_(submission), changing_(changing) {
    moves_ = ir::any_step(job.body, [](const ir::Step& step) {
      return std::holds_alternative<ir::ChangeDirectory>(step.value);
    });
    ir::for_each_step(job.body, [&](const ir::Step& step) {
      const auto* assign = std::get_if<ir::Assign>(&step.value);
      for (std::size_t i = 0; assign != nullptr && i < assign->bindings.size(); ++i) {
        const ir::Binding& binding = assign->bindings[i];
        if (!binding.local.empty() && !binding.items &&
            !job_.changing_locals.contains(binding.local)) {
          locals_.emplace(binding.local, &binding.value);
        }
      }
    });
  }

  // Relative to `directory`; nothing of a path that is not below a place that is known.
  [[nodiscard]] JobPath read(const ir::Value& value, const std::string& directory,
                             std::size_t skip = 0) const {
    JobPath path;
    path.span = value.span;
    bool simple = true;
    add(value, path, simple, 0);
    if (skip != 0) {
      path.name.erase(0, skip);
      cut(path.value, skip);
    }
    finish(path, directory);
    if (!simple) {
      path.value = ir::Value{};
    }
    return path;
  }

  static void finish(JobPath& path, const std::string& directory) {
    std::size_t before = 0;
    while (path.name.substr(before).starts_with("./")) {
      before += 2;
    }
    path.name.erase(0, before);
    cut(path.value, before);
    while (path.name.size() > 1 && path.name.ends_with('/')) {
      path.name.pop_back();
      if (auto* last = path.value.parts.empty() ? nullptr
                                                : std::get_if<ir::Text>(&path.value.parts.back())) {
        last->text.pop_back();
      }
    }
    if (!directory.empty() && !path.name.empty() && path.name[0] != '/' && path.name[0] != '$') {
      path.name = directory + "/" + path.name;
      ir::Value value = ir::Value::of(directory + "/", path.value.span);
      for (const ir::ValuePart& part : path.value.parts) {
        value.append(part);
      }
      path.value = std::move(value);
    }
  }

  [[nodiscard]] bool moves() const { return moves_; }

private:
  static void cut(ir::Value& value, std::size_t length) {
    while (length != 0 && !value.parts.empty()) {
      auto* text = std::get_if<ir::Text>(&value.parts.front());
      if (text == nullptr) {
        return;
      }
      const std::size_t some = std::min(length, text->text.size());
      text->text.erase(0, some);
      length -= some;
      if (text->text.empty()) {
        value.parts.erase(value.parts.begin());
      }
    }
  }

  // The value that the driver gives a parameter of the job.
  [[nodiscard]] const Term* given(const std::string& name) const {
    const auto parameter = std::ranges::find(job_.parameters, name, &ir::Parameter::name);
    if (parameter == job_.parameters.end()) {
      return nullptr;
    }
    if (parameter->position > 0 &&
        static_cast<std::size_t>(parameter->position) <= submission_.arguments.size()) {
      return &submission_.arguments[static_cast<std::size_t>(parameter->position) - 1];
    }
    const auto variable = parameter->origin.starts_with('$') && parameter->position == 0
                              ? submission_.environment.find(parameter->origin.substr(1))
                              : submission_.environment.end();
    return variable == submission_.environment.end() ? nullptr : &variable->second;
  }

  [[nodiscard]] std::optional<std::string> default_of(const std::string& name) const {
    const auto parameter = std::ranges::find(job_.parameters, name, &ir::Parameter::name);
    return parameter == job_.parameters.end() || parameter->type != ir::Type::text
               ? std::nullopt
               : parameter->default_;
  }

  void unknown(JobPath& path, bool& simple) const {
    path.name += "*";
    path.fixed = false;
    simple = false;
  }

  void add(const ir::Value& value, JobPath& path, bool& simple, int depth) const {
    constexpr int deepest = 8;
    for (const ir::ValuePart& part : value.parts) {
      if (const auto* literal = std::get_if<ir::Text>(&part)) {
        path.name += literal->text;
        path.value.append(*literal);
      } else if (const auto* parameter = std::get_if<ir::ParameterRef>(&part)) {
        const Term* term = given(parameter->name);
        const auto text = term == nullptr ? default_of(parameter->name) : key_of(*term, changing_);
        path.value.append(*parameter);
        if (text) {
          path.name += *text;
        } else {
          path.name += "*";
          path.fixed = false;
        }
      } else if (std::holds_alternative<ir::ArrayIndex>(part)) {
        path.value.append(part);
        path.name += "*";
        path.fixed = false;
      } else if (std::holds_alternative<ir::SubmitDirectory>(part)) {
        path.name += ".";
        path.value.append(ir::Text{"."});
      } else if (const auto* variable = std::get_if<ir::EnvironmentVariable>(&part)) {
        path.name += "$" + variable->name;
        simple = false;
      } else if (const auto* local = std::get_if<ir::Local>(&part);
                 local != nullptr && locals_.contains(local->name) && depth < deepest) {
        add(*locals_.at(local->name), path, simple, depth + 1);
      } else if (const auto* computed = std::get_if<ir::Computed>(&part)) {
        this->computed(*computed, path, simple, depth);
      } else {
        unknown(path, simple);
      }
    }
  }

  void computed(const ir::Computed& computed, JobPath& path, bool& simple, int depth) const {
    using Operation = ir::Operation;
    if (computed.operation == Operation::user_name) {
      path.name += "$USER";
      simple = false;
    } else if (computed.operation == Operation::home) {
      path.name += "$HOME";
      simple = false;
    } else if (computed.operation == Operation::working_directory && !moves_) {
      path.name += ".";
      path.value.append(ir::Text{"."});
    } else if ((computed.operation == Operation::pattern ||
                computed.operation == Operation::matches) &&
               computed.operands.size() == 1) {
      simple = false;
      path.fixed = false;
      add(computed.operands.front(), path, simple, depth + 1);
    } else {
      unknown(path, simple);
    }
  }

  const ir::Job& job_;
  const ir::Submission& submission_;
  const std::set<std::string>& changing_;
  std::map<std::string, const ir::Value*> locals_;
  bool moves_ = false; // it has a `cd`
};

// Whether the runs of a loop or an array each have a path of their own.
bool varies(const ir::Value& value, const ir::Job& job, const ir::Submission& submission) {
  return std::ranges::any_of(value.parts, [&](const ir::ValuePart& part) {
    if (std::holds_alternative<ir::ArrayIndex>(part)) {
      return true;
    }
    const auto* parameter = std::get_if<ir::ParameterRef>(&part);
    if (parameter == nullptr) {
      return false;
    }
    if (job.array && std::ranges::any_of(job.array->items, [&](const ir::ArrayItem& item) {
          return item.parameter.name == parameter->name;
        })) {
      return true;
    }
    const auto known = std::ranges::find(job.parameters, parameter->name, &ir::Parameter::name);
    if (job.array || known == job.parameters.end()) {
      return false;
    }
    if (known->position > 0) {
      return static_cast<std::size_t>(known->position) <= submission.arguments.size() &&
             by_name(submission.arguments[static_cast<std::size_t>(known->position) - 1]);
    }
    const auto variable = known->origin.starts_with('$')
                              ? submission.environment.find(known->origin.substr(1))
                              : submission.environment.end();
    return variable != submission.environment.end() && by_name(variable->second);
  });
}

// The words of text that stays Bash, as far as they can be paths.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  const std::string_view between = " \t\n'\"`;|&()<>=,";
  for (const char c : text) {
    if (between.find(c) == std::string_view::npos) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  words.push_back(std::move(word));
  return words;
}

// "results" of "results/$name" and of "results/*.json"; the word itself where all of it is known.
std::string known_part(const std::string& word) {
  const auto unknown = word.find_first_of("$*?[{");
  if (unknown == std::string::npos) {
    return word;
  }
  const auto slash = word.rfind('/', unknown);
  return slash == std::string::npos || slash == 0 ? "" : word.substr(0, slash);
}

} // namespace

std::set<std::string> changing_names(const ir::Driver& driver) {
  std::set<std::string> once;
  std::set<std::string> more;
  const auto note = [&](const std::string& name) {
    if (!once.insert(name).second) {
      more.insert(name);
    }
  };
  const auto read = [&](const std::vector<ir::DriverStep>& steps, const auto& self) -> void {
    for (const ir::DriverStep& step : steps) {
      if (const auto* bind = std::get_if<ir::Bind>(&step.value)) {
        note(bind->name);
      } else if (const auto* extend = std::get_if<ir::Extend>(&step.value)) {
        note(extend->name);
        note(extend->name);
      } else if (const auto* put = std::get_if<ir::PutItem>(&step.value)) {
        note(put->name);
        note(put->name);
      } else if (const auto* each = std::get_if<ir::Each>(&step.value)) {
        self(each->body, self);
      } else if (const auto* choice = std::get_if<ir::Choice>(&step.value)) {
        for (const auto& branch : choice->branches) {
          self(branch.body, self);
        }
      }
    }
  };
  read(driver.steps, read);
  return more;
}

std::vector<JobOutput> outputs_of(const ir::Job& job, const ir::Submission& submission,
                                  const std::set<std::string>& changing) {
  const Paths paths(job, submission, changing);
  std::vector<JobOutput> found;
  std::size_t index = 0;
  for (std::size_t i = 0; i < job.cluster_paths.size(); ++i) {
    const ir::ClusterPath& path = job.cluster_paths[i];
    if (!path.written) {
      continue;
    }
    JobOutput output;
    output.path.name = path.was;
    if (path.computed_leaf) {
      output.path.name =
          path.was.substr(0, path.was.rfind('/') + 1) + paths.read(*path.computed_leaf, "").name;
      output.path.fixed = false;
      output.varies = varies(*path.computed_leaf, job, submission);
    }
    output.index = index++;
    output.cluster = true;
    output.directory = path.directory;
    output.at = i;
    found.push_back(std::move(output));
  }
  for (std::size_t i = 0; i < job.outputs.size(); ++i) {
    const ir::OutputFile& file = job.outputs[i];
    if (job.keeps(file.span)) {
      continue;
    }
    JobOutput output;
    output.path = paths.read(file.path, file.directory);
    output.varies = varies(file.path, job, submission);
    output.index = index++;
    output.at = i;
    found.push_back(std::move(output));
  }
  return found;
}

std::vector<JobPath> paths_of(const ir::Job& job, const ir::Submission& submission,
                              const std::set<std::string>& changing) {
  const Paths paths(job, submission, changing);
  std::vector<JobPath> found;
  std::set<std::string> own;
  for (const JobOutput& output : outputs_of(job, submission, changing)) {
    if (output.path.fixed) {
      own.insert(output.path.name);
    }
  }
  std::set<std::string> appended;
  const auto keep = [&](JobPath path) {
    const bool plain =
        !path.name.empty() && path.name != "." && path.name != "*" && !path.name.starts_with('-');
    if (plain && std::ranges::none_of(found, [&](const JobPath& known) {
          return known.name == path.name && known.value.parts.size() == path.value.parts.size();
        })) {
      found.push_back(std::move(path));
    }
  };
  std::optional<std::string> directory = "";
  const auto word = [&](const ir::Value& value) {
    const auto* head = value.parts.empty() ? nullptr : std::get_if<ir::Text>(&value.parts.front());
    const auto equals = head == nullptr ? std::string::npos : head->text.find('=');
    if (directory) {
      keep(paths.read(value, *directory, equals == std::string::npos ? 0 : equals + 1));
    }
  };
  ir::for_each_step(job.body, [&](const ir::Step& step) {
    if (const auto* change = std::get_if<ir::ChangeDirectory>(&step.value)) {
      word(change->directory);
      const bool top =
          std::ranges::any_of(job.body, [&](const ir::Step& each) { return &each == &step; });
      directory = top ? change->below : std::nullopt;
      return;
    }
    if (step.in_region) {
      return;
    }
    ir::Step copy = step; // the walk that goes into values may change them
    const auto* launch = std::get_if<ir::Launch>(&step.value);
    std::set<std::size_t> written;
    for (std::size_t i = 0; launch != nullptr && i < launch->redirections.size(); ++i) {
      const ir::Redirection& redirection = launch->redirections[i];
      if (!redirection.append) {
        written.insert(redirection.file.span.begin);
      } else if (directory) {
        appended.insert(paths.read(redirection.file, *directory).name);
      }
    }
    ir::for_each_value(copy, [&](const ir::Value& value) {
      if (value.span.end == 0 || !written.contains(value.span.begin)) {
        word(value);
      }
    });
  });
  for (const ir::KeptRegion& region : job.kept) {
    for (std::string text : words_of(plain_names(region.text))) {
      for (const std::string_view here : {"$SLURM_SUBMIT_DIR/", "$PWD/"}) {
        if (text.starts_with(here)) {
          text.erase(0, here.size());
        }
      }
      JobPath path;
      path.name = known_part(text);
      path.value = ir::Value::of(path.name);
      path.span = region.span;
      Paths::finish(path, "");
      keep(std::move(path));
    }
  }
  for (const auto& [name, span] : job.opens) {
    JobPath path;
    path.name = name;
    path.fixed = name.find('*') == std::string::npos;
    path.value = path.fixed ? ir::Value::of(name) : ir::Value{};
    path.span = span;
    Paths::finish(path, "");
    keep(std::move(path));
  }
  for (JobPath& path : found) {
    path.own = own.contains(path.name) && !appended.contains(path.name);
  }
  return found;
}

std::string script_name_of(const ir::Workload& workload, const ir::Job& job) {
  return job.path == workload.driver->path ? job.function : leaf_of(job.path);
}

Same same(const JobPath& named, const JobPath& written) {
  if (named.name == written.name) {
    return named.fixed && written.fixed ? Same::yes : Same::maybe;
  }
  if (written.name.starts_with(named.name + "/")) {
    return named.fixed ? Same::within : Same::maybe;
  }
  if (named.fixed && written.fixed) {
    return Same::no;
  }
  // Of two patterns, what stands before the first star of either.
  const auto before = [](const std::string& name) { return name.substr(0, name.find('*')); };
  const std::string mine = before(named.name);
  const std::string other = before(written.name);
  const auto fits = [](const std::string& pattern, const std::string& name) {
    return ::fnmatch(pattern.c_str(), name.c_str(), FNM_PATHNAME | FNM_NOESCAPE) == 0;
  };
  if (named.fixed || written.fixed) {
    const bool all = named.fixed ? fits(written.name, named.name) : fits(named.name, written.name);
    return all && !(named.fixed ? other : mine).empty() ? Same::maybe : Same::no;
  }
  const bool both = !mine.empty() && !other.empty() &&
                    (mine.starts_with(other) || other.starts_with(mine)) &&
                    mine.substr(0, mine.rfind('/') + 1) == other.substr(0, other.rfind('/') + 1);
  return both ? Same::maybe : Same::no;
}

} // namespace s2f::passes
