// Paths of the cluster that the job only reads become inputs of the task, those that it only writes
// what the task returns, as far as the payload's own text tells which.
//
// before:  Launch{python prep.py --in /project/raw --out /scratch/me/prepared}, where prep.py lists
//          the one and makes the other
// after:   Launch{python prep.py --in <raw_path> --out <prepared>}, parameter raw: Dir,
//          cluster_paths = {/project/raw read, /scratch/me/prepared written}, S2F606 and S2F607
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "ir/steps.hpp"
#include "passes/item_forms.hpp"
#include "passes/names.hpp"
#include "passes/path_names.hpp"
#include "passes/path_uses.hpp"
#include "passes/payload_facts.hpp"
#include "passes/pipeline.hpp"
#include "passes/region.hpp"

namespace s2f::passes {

namespace {

using Role = PathRole;

bool reads(Role role) { return role == Role::reads_file || role == Role::reads_directory; }
bool writes(Role role) {
  return role == Role::writes_file || role == Role::writes_directory ||
         role == Role::writes_new_directory;
}
bool directory(Role role) { return role != Role::reads_file && role != Role::writes_file; }

struct Mention {
  ir::Value* value = nullptr;
  std::size_t skip = 0; // the length of "--out=" before the path
  bool slash = false;   // "/" behind it
  bool made = false;    // by mkdir
  PathUse use;
  std::string flag;  // "out"
  std::string where; // "prep.py:3", where the payload opens it
};
struct Path {
  std::string was;
  std::string leaf; // its last component
  std::vector<Mention> mentions;
  std::optional<ir::Value> computed = std::nullopt; // the last component, of parameters
  bool converted = false;
};

class ClusterPaths {
public:
  explicit ClusterPaths(PassContext& context) : context_(context), job_(context.job) {
    taken_ = context.taken;
    taken_.merge(taken_names(job_));
    taken_.insert("results");
  }

  void run() {
    const auto regions = region_bounds(context_);
    for (std::size_t i = 0; i < job_.body.size(); ++i) {
      if (in_region(regions, i) && job_.body[i].statement != nullptr) {
        kept_ += plain_names(context_.text(job_.body[i].span));
        analysis::merge(kept_effects_, analysis::effects_of(*job_.body[i].statement));
      }
    }
    note_variables();
    for (std::size_t i = 0; i < job_.body.size(); ++i) {
      if (!in_region(regions, i)) {
        collect(job_.body[i]);
      }
      still_ = still_ && !in_region(regions, i) && writes_no_file(job_.body[i]) &&
               !std::holds_alternative<ir::ChangeDirectory>(job_.body[i].value);
    }
    name_files();
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      // A file of another job that this one writes again stays where it is.
      if (const auto role = role_of(i); role && (reads(*role) || on_cluster(paths_[i].was))) {
        convert(paths_[i], *role);
      }
    }
    forget_directories();
    forget_variables();
  }

private:
  // What the variables of the script hold, and which of them text that stays Bash reads.
  void note_variables() {
    ir::for_each_step(job_.body, [&](ir::Step& step) {
      if (auto* assign = std::get_if<ir::Assign>(&step.value)) {
        for (ir::Binding& binding : assign->bindings) {
          const auto text = written(binding.value);
          if (!text) {
            continue;
          }
          variables_.emplace(binding.variable, *text);
          if (!binding.local.empty() && !binding.exported &&
              !job_.changing_locals.contains(binding.local)) {
            locals_.emplace(binding.local, *text);
          }
        }
      } else if (auto* launch = std::get_if<ir::Launch>(&step.value);
                 launch != nullptr && launch->words.front().text() == "mkdir") {
        for (const ir::Value& word : launch->words) {
          made_.push_back(written(word).value_or(""));
        }
      }
    });
  }

  // A value as the script would write it: "/scratch/$USER/prepared"; nothing for one that is made
  // at run time.
  [[nodiscard]] std::optional<std::string> written(const ir::Value& value) const {
    std::string text;
    for (const ir::ValuePart& part : value.parts) {
      const auto* computed = std::get_if<ir::Computed>(&part);
      const auto* local = std::get_if<ir::Local>(&part);
      if (const auto* literal = std::get_if<ir::Text>(&part)) {
        text += literal->text;
      } else if (const auto* variable = std::get_if<ir::EnvironmentVariable>(&part)) {
        text += "$" + variable->name;
      } else if (computed != nullptr && computed->operation == ir::Operation::user_name) {
        text += "$USER";
      } else if (computed != nullptr && computed->operation == ir::Operation::home) {
        text += "$HOME";
      } else if (local != nullptr && locals_.contains(local->name)) {
        text += locals_.at(local->name);
      } else {
        return std::nullopt;
      }
    }
    return text;
  }

  // A path whose last component alone has parameters of the task in it: with "$1" and the like for
  // them, and that component.
  [[nodiscard]] std::optional<std::pair<std::string, ir::Value>>
  computed_leaf(const ir::Value& value, std::size_t skip) const {
    std::string text;
    ir::Value leaf;
    for (const ir::ValuePart& part : value.parts) {
      ir::Value alone;
      alone.parts.push_back(part);
      const auto known = written(alone);
      const auto* parameter = std::get_if<ir::ParameterRef>(&part);
      if (known && std::holds_alternative<ir::Text>(part)) {
        const auto slash = known->rfind('/');
        if (slash != std::string::npos) {
          if (leaf.parts.size() > 1 || (leaf.parts.size() == 1 && !leaf.is_text())) {
            return std::nullopt;
          }
          leaf = ir::Value{};
        }
        leaf.append(ir::Text{known->substr(slash + 1)});
        text += *known;
      } else if (known && leaf.parts.empty()) {
        text += *known;
        if (const auto slash = known->rfind('/'); slash != std::string::npos) {
          leaf.append(ir::Text{known->substr(slash + 1)});
        }
      } else if (std::holds_alternative<ir::ArrayIndex>(part)) {
        leaf.append(part);
        text += "$SLURM_ARRAY_TASK_ID";
      } else if (parameter != nullptr) {
        const auto known_as =
            std::ranges::find(job_.parameters, parameter->name, &ir::Parameter::name);
        leaf.append(part);
        text += known_as != job_.parameters.end() && known_as->origin.starts_with('$')
                    ? known_as->origin
                    : "$" + parameter->name;
      } else {
        return std::nullopt;
      }
    }
    if (leaf.is_text() || text.size() <= skip || text.find('/') == std::string::npos) {
      return std::nullopt;
    }
    return std::pair{text.substr(skip), std::move(leaf)};
  }

  void collect(ir::Step& step) {
    if (auto* launch = std::get_if<ir::Launch>(&step.value)) {
      this->launch(*launch);
      for (auto& [name, value] : launch->environment) {
        mention(value, {});
      }
      for (ir::Redirection& redirection : launch->redirections) {
        const bool whole = !redirection.append && redirection.to_file();
        Use use;
        use.what.role = whole ? Role::writes_file : Role::unknown;
        mention(redirection.file, use);
      }
    } else if (auto* echo = std::get_if<ir::Echo>(&step.value)) {
      for (ir::Value& value : echo->words) {
        Use use;
        use.what.role = Role::shows;
        mention(value, use);
      }
    } else if (auto* assign = std::get_if<ir::Assign>(&step.value)) {
      for (ir::Binding& binding : assign->bindings) {
        if (binding.exported || (!binding.local.empty() && !locals_.contains(binding.local))) {
          mention(binding.value, {});
        }
        lines(binding.value);
      }
    } else {
      ir::for_each_value(step, [&](ir::Value& value) { mention(value, {}); });
    }
    ir::for_each_part(step, [&](const std::vector<ir::Step>& inner) {
      for (const ir::Step& each : inner) {    // they are the body's own
        collect(const_cast<ir::Step&>(each)); // NOLINT
      }
    });
  }

  // The file of which an element of an array takes a line.
  void lines(ir::Value& value) {
    for (ir::ValuePart& part : value.parts) {
      auto* output = std::get_if<ir::Output>(&part);
      const auto form = output == nullptr || !job_.array ? std::nullopt : line_form(*output);
      const auto file = form ? written(form->file) : std::nullopt;
      if (!file) {
        continue;
      }
      Use use;
      use.what.role = Role::reads_file;
      use.not_there = still_;
      const auto name = [&](ir::Launch& launch) {
        for (ir::Value& word : launch.words) {
          if (written(word) == file) {
            mention(word, use);
          }
        }
      };
      name(*output->launch);
      std::ranges::for_each(output->next, [&](auto& next) { name(*next); });
    }
  }

  // Whether it lies in the directory that the job was submitted from, and not here.
  [[nodiscard]] bool missing(const std::string& was) const {
    return context_.outer_ledger == nullptr && !was.empty() && !was.starts_with('/') &&
           was.find_first_of("$*?") == std::string::npos && context_.file_exists &&
           !context_.file_exists(clean(was));
  }

  // Where all that is written into a directory are files with names, it is these files; else the
  // directory.
  void name_files() {
    std::vector<Path> named;
    for (Path& path : paths_) {
      const auto has_file = [](const Mention& mention) { return !mention.use.below.empty(); };
      if (!std::ranges::all_of(path.mentions, has_file)) {
        for (Mention& mention : path.mentions) {
          if (has_file(mention)) {
            mention.use.role = Role::writes_directory;
          }
        }
        named.push_back(std::move(path));
        continue;
      }
      for (Mention& mention : path.mentions) {
        mention.slash = false;
        const std::string was = path.was + "/" + mention.use.below;
        auto file = std::ranges::find(named, was, &Path::was);
        if (file == named.end()) {
          named.push_back({was, mention.use.below, {}});
          file = named.end() - 1;
        }
        file->mentions.push_back(std::move(mention));
      }
    }
    paths_ = std::move(named);
  }

  void launch(ir::Launch& launch) {
    std::vector<std::optional<std::string>> texts;
    texts.reserve(launch.words.size());
    for (const ir::Value& word : launch.words) {
      texts.push_back(written(word));
    }
    const std::vector<PathUse> uses = path_uses(texts, made_);
    std::optional<payload::PythonFacts> facts;
    std::string payload;
    if (launch.payload) {
      payload = launch.words[*launch.payload].text().value_or("");
      facts = payload_facts(context_, payload);
    }
    const bool makes = launch.words.front().text() == "mkdir";
    for (std::size_t i = 1; i < launch.words.size(); ++i) {
      ir::Value& word = launch.words[i];
      Use use;
      use.made = makes;
      const auto* head = word.parts.empty() ? nullptr : std::get_if<ir::Text>(&word.parts.front());
      if (head != nullptr && head->text.starts_with("--")) {
        const auto equals = head->text.find('=');
        if (equals == std::string::npos) {
          continue;
        }
        use.flag = head->text.substr(2, equals - 2);
        use.skip = equals + 1;
      } else if (const auto before = launch.words[i - 1].text();
                 before && before->starts_with("--") && i - 1 > launch.payload.value_or(i)) {
        use.flag = before->substr(2);
      }
      if (facts && i > *launch.payload) {
        role_in_payload(*facts, payload, static_cast<int>(i - *launch.payload), use);
      } else if (!launch.payload) {
        use.what = uses[i];
      }
      const bool known = mention(word, use);
      if (!texts[i] && !known) { // within what is made at run time
        ir::Step alone;
        ir::Launch inner;
        inner.words.push_back(word);
        alone.value = std::move(inner);
        ir::for_each_value(alone, [&](ir::Value& value) { hide(value); });
      }
    }
  }

  struct Use {
    PathUse what;
    std::size_t skip = 0;
    std::string flag, where;
    bool not_there = false; // it may be a file that is not beside the script
    bool made = false;
  };

  // All that the payload does with the value of an option, or with its nth argument.
  static void role_in_payload(const payload::PythonFacts& facts, const std::string& payload,
                              int argument, Use& use) {
    std::optional<Role> role;
    for (const payload::FileUse& file : facts.files) {
      const bool same = use.flag.empty() ? file.argument == argument : file.option == use.flag;
      if (!same) {
        continue;
      }
      const Role one = file.writes ? (file.directory ? Role::writes_directory : Role::writes_file)
                                   : (file.directory ? Role::reads_directory : Role::reads_file);
      if (role && *role != one) {
        // A directory that is made and whose files are written is one written directory.
        use.what.role = Role::unknown;
        return;
      }
      role = one;
    }
    use.what.role = role.value_or(Role::unknown);
    use.where = payload;
  }

  // Whether it is a path that may become one of the task's.
  bool mention(ir::Value& value, Use use) {
    const auto text = written(value);
    if (!text) {
      const auto computed =
          use.what.role == Role::writes_file ? computed_leaf(value, use.skip) : std::nullopt;
      if (!computed || !on_cluster(computed->first)) {
        return false;
      }
      auto path = std::ranges::find(paths_, computed->first, &Path::was);
      if (path == paths_.end()) {
        paths_.push_back({computed->first, leaf_of(computed->first), {}, computed->second});
        path = paths_.end() - 1;
      }
      path->mentions.push_back({&value, use.skip, false, false, use.what, use.flag, use.where});
      return true;
    }
    if (use.skip == 0 && text->starts_with("--") && text->find('=') != std::string::npos) {
      use.skip = text->find('=') + 1;
    }
    std::string was = text->substr(std::min(use.skip, text->size()));
    const bool slash = was.size() > 1 && was.ends_with('/');
    while (was.size() > 1 && was.ends_with('/')) {
      was.pop_back();
    }
    if (!on_cluster(was) && !context_.provided.contains(clean(was)) &&
        !context_.collected.contains(clean(was)) && !(use.not_there && missing(was))) {
      return false;
    }
    auto path = std::ranges::find(paths_, was, &Path::was);
    if (path == paths_.end()) {
      paths_.push_back({was, leaf_of(was), {}});
      path = paths_.end() - 1;
    }
    path->mentions.push_back({&value, use.skip, slash, use.made, use.what, use.flag, use.where});
    return true;
  }

  // A path in a value that stays as it is.
  void hide(const ir::Value& value) {
    kept_ += '\n';
    for (const ir::ValuePart& part : value.parts) {
      ir::Value alone;
      alone.parts.push_back(part);
      kept_ += written(alone).value_or("\n"); // "/scratch/$USER/sweep/", and a number
    }
  }

  // Whether text that stays Bash names the path, itself or by a variable.
  [[nodiscard]] bool stays_bash(const std::string& was) const {
    if (kept_.find(was) != std::string::npos) {
      return true;
    }
    return std::ranges::any_of(variables_, [&](const auto& variable) {
      const auto& [name, text] = variable;
      const bool read = kept_effects_.anything || kept_effects_.reads.contains(name) ||
                        kept_effects_.reads_defaulted.contains(name);
      return read && !text.empty() && (was.starts_with(text) || text.starts_with(was));
    });
  }

  // Whether another job of the driver names it and yet hands nothing on: it may well write it.
  [[nodiscard]] bool of_another_job(const std::string& was) const {
    if (context_.outer_ledger == nullptr || context_.provided.contains(was) ||
        context_.collected.contains(was)) {
      return false;
    }
    for (std::size_t i = 0; i < context_.sources.size(); ++i) {
      const auto id = static_cast<source::SourceId>(i);
      if (id != job_.source &&
          plain_names(context_.sources[id].text).find(was) != std::string::npos) {
        return true;
      }
    }
    return false;
  }

  // The one thing that the job does with a path; nothing where that is not certain.
  std::optional<Role> role_of(std::size_t index) const {
    const Path& path = paths_[index];
    const auto as = context_.answers.path(path.was, "as");
    if (stays_bash(path.was) || (!path.computed && path.leaf.find('$') != std::string::npos) ||
        (path.computed && stays_bash(path.was.substr(0, path.was.rfind('/')))) ||
        (as && as->value != "input")) {
      return std::nullopt;
    }
    for (const Path& other : paths_) { // one lies in the other
      const bool made = std::ranges::all_of(other.mentions, &Mention::made);
      if (&other != &path && !made &&
          (other.was.starts_with(path.was + "/") || path.was.starts_with(other.was + "/"))) {
        return std::nullopt;
      }
    }
    std::optional<Role> role;
    if (std::ranges::all_of(path.mentions, &Mention::made) &&
        std::ranges::any_of(
            paths_, [&](const Path& other) { return other.was.starts_with(path.was + "/"); })) {
      return std::nullopt; // for what lies in it
    }
    for (const Mention& mention : path.mentions) {
      const Role own = mention.use.role;
      if (own == Role::unknown) {
        return std::nullopt;
      }
      if (own == Role::shows || own == Role::lists) {
        continue;
      }
      // What the job wrote it may read itself.
      if (role && *role != own && !(*role == Role::writes_file && own == Role::reads_file) &&
          !(*role == Role::writes_directory && directory(own)) &&
          !(*role == Role::writes_new_directory && own == Role::reads_directory)) {
        return std::nullopt;
      }
      if (!role) {
        role = own;
      }
    }
    if (role && reads(*role) && on_cluster(path.was) && of_another_job(path.was)) {
      return std::nullopt;
    }
    return role;
  }

  std::string choose(const std::vector<std::string>& wishes) {
    for (const std::string& wish : wishes) {
      if (!wish.empty() && taken_.insert(wish).second) {
        return wish;
      }
    }
    std::string name;
    for (int n = 2; !taken_.insert(name = fmt::format("path_{}", n)).second; ++n) {
    }
    return name;
  }

  void convert(Path& path, Role role) {
    const Mention& first = *std::ranges::find_if(path.mentions, [](const Mention& mention) {
      return reads(mention.use.role) || writes(mention.use.role);
    });
    ir::ClusterPath result;
    result.was = path.was;
    result.written = writes(role);
    result.directory = directory(role);
    const std::string by_flag = path_python_name(first.flag);
    const std::string by_leaf = path_python_name(path.leaf);
    const std::string whole = path_python_name(path.leaf, true);
    if (result.written) {
      result.name = choose({path.computed ? by_flag : by_leaf, by_flag, whole,
                            by_leaf.empty() ? "" : by_leaf + "_path"});
      result.leaf = role == Role::writes_directory ? "" : path.leaf;
      result.computed_leaf = path.computed;
    } else {
      result.collected = result.directory && context_.collected.contains(clean(path.was));
      result.parameter = choose({result.collected && !by_leaf.empty() ? by_leaf + "_files" : "",
                                 by_flag, by_leaf, whole, by_flag.empty() ? "" : by_flag + "_input",
                                 by_leaf.empty() ? "" : by_leaf + "_input"});
      result.name = choose({result.parameter + "_path"});
      if (std::ranges::any_of(path.mentions,
                              [](const Mention& mention) { return mention.use.named; })) {
        result.leaf = path.leaf;
      }
      ir::Parameter parameter;
      parameter.name = result.parameter;
      parameter.type = result.collected   ? ir::Type::files
                       : result.directory ? ir::Type::directory
                                          : ir::Type::file;
      parameter.origin = path.was;
      parameter.span = first.value->span;
      job_.parameters.push_back(std::move(parameter));
    }
    for (const Mention& mention : path.mentions) {
      result.spans.push_back(mention.value->span);
      ir::Value value;
      value.span = mention.value->span;
      value.append(ir::Text{
          path.computed
              ? std::get<ir::Text>(mention.value->parts.front()).text.substr(0, mention.skip)
              : written(*mention.value)->substr(0, mention.skip)});
      value.append(ir::TaskPath{result.name});
      value.append(ir::Text{mention.slash ? "/" : ""});
      *mention.value = std::move(value);
    }
    path.converted = true;
    announce(result, first);
    job_.cluster_paths.push_back(std::move(result));
  }

  // `mkdir -p` of directories for what is the task's own by now has nothing left to make.
  void forget_directories() {
    std::set<const ir::Value*> gone;
    for (const Path& path : paths_) {
      const bool made = std::ranges::all_of(path.mentions, &Mention::made);
      std::size_t inside = 0;
      const bool all = std::ranges::all_of(paths_, [&](const Path& other) {
        const bool below = other.was.starts_with(path.was + "/");
        inside += below ? 1 : 0;
        return !below || other.converted;
      });
      if (made && all && inside != 0 && !path.converted && !stays_bash(path.was)) {
        for (const Mention& mention : path.mentions) {
          gone.insert(mention.value);
        }
      }
    }
    ir::for_each_step(job_.body, [&](ir::Step& step) {
      auto* launch = std::get_if<ir::Launch>(&step.value);
      if (gone.empty() || launch == nullptr || launch->words.front().text() != "mkdir") {
        return;
      }
      const bool whole =
          std::all_of(launch->words.begin() + 1, launch->words.end(), [&](const ir::Value& word) {
            return word.text() == "-p" || gone.contains(&word);
          });
      if (whole) {
        step.value = ir::Nothing{};
      }
    });
  }

  // Variables that held nothing but such paths have nobody who reads them.
  void forget_variables() {
    std::set<std::string> read;
    ir::for_each_step(job_.body, [&](ir::Step& step) {
      ir::for_each_value(step, [&](const ir::Value& value) {
        for (const ir::ValuePart& part : value.parts) {
          if (const auto* local = std::get_if<ir::Local>(&part)) {
            read.insert(local->name);
          }
        }
      });
    });
    if (job_.cluster_paths.empty() || kept_effects_.anything) {
      return;
    }
    ir::for_each_step(job_.body, [&](ir::Step& step) {
      auto* assign = std::get_if<ir::Assign>(&step.value);
      if (assign == nullptr) {
        return;
      }
      for (ir::Binding& binding : assign->bindings) {
        if (locals_.contains(binding.local) && !read.contains(binding.local) &&
            !kept_effects_.reads.contains(binding.variable) &&
            !kept_effects_.reads_defaulted.contains(binding.variable)) {
          binding.local.clear();
          binding.value = ir::Value{};
        }
      }
      if (std::ranges::all_of(assign->bindings, [](const ir::Binding& binding) {
            return binding.local.empty() && !binding.exported && binding.value.parts.empty() &&
                   binding.value.span.end == 0;
          })) {
        step.value = ir::Nothing{};
      }
    });
  }

  void announce(const ir::ClusterPath& path, const Mention& first) {
    const std::string by = first.where.empty() ? "" : fmt::format(" by {}", first.where);
    const std::string type = path.directory ? "Dir" : "File";
    review::Finding finding;
    finding.span = path.spans.front();
    if (path.written) {
      finding.rule = "S2F607";
      finding.message = fmt::format("{} is only written{}.", path.was, by);
      finding.slurm_does = "It stays on the cluster's file system, over what lay there before.";
      finding.output_does =
          fmt::format("The task writes to an empty place of its own and returns it as a {}.", type);
    } else {
      finding.rule = "S2F606";
      finding.message = fmt::format("{} is only read{}.", path.was, by);
      finding.slurm_does = "Every node mounts the cluster's file systems.";
      finding.output_does =
          fmt::format("The task takes it as `{}`, a {}, and downloads it whole before it begins; "
                      "a large one needs `disk=` in its resources.",
                      path.parameter, type);
      if (path.collected) {
        finding.slurm_does = "Earlier jobs wrote their files into it.";
        finding.output_does = fmt::format(
            "The task takes what these returned as `{}`, a list of files, and downloads them into "
            "a directory of its own.",
            path.parameter);
      } else if (!on_cluster(path.was)) {
        finding.slurm_does = context_.provided.contains(clean(path.was))
                                 ? "An earlier job wrote it to the directory that both share."
                                 : "It lies in the directory that the job is submitted from, and "
                                   "not beside the script.";
      }
    }
    finding.config_key = fmt::format("paths.\"{}\"", path.was.substr(0, path.was.find('/', 1)));
    context_.findings.add(std::move(finding));
  }

  PassContext& context_;
  ir::Job& job_;
  std::vector<Path> paths_; // in the order of the text
  std::map<std::string, std::string> variables_,
      locals_;                    // of the script, of Python: what they hold
  std::vector<std::string> made_; // directories that the job makes
  analysis::Effects kept_effects_;
  std::set<std::string> taken_;
  bool still_ = true; // nothing may have written a file yet
  std::string kept_;  // text of what is not understood
};

} // namespace

void cluster_paths(PassContext& context) { ClusterPaths(context).run(); }

} // namespace s2f::passes
