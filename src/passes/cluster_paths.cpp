// Paths of the cluster that the job only reads become inputs of the task, those that it only writes
// what the task returns, as far as the payload's own text tells which.
//
// before:  Launch{python prep.py --in /project/raw --out /scratch/me/prepared}, where prep.py lists
//          the one and makes the other
// after:   Launch{python prep.py --in <raw_path> --out <prepared>}, parameter raw: Dir,
//          cluster_paths = {/project/raw read, /scratch/me/prepared written}, S2F606 and S2F607
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "ir/steps.hpp"
#include "passes/names.hpp"
#include "passes/path_mentions.hpp"
#include "passes/path_names.hpp"
#include "passes/path_uses.hpp"
#include "passes/pipeline.hpp"

namespace s2f::passes {

namespace {

using Role = PathRole;

bool reads(Role role) { return role == Role::reads_file || role == Role::reads_directory; }
bool writes(Role role) {
  return role == Role::writes_file || role == Role::writes_directory ||
         role == Role::writes_new_directory;
}
bool directory(Role role) { return role != Role::reads_file && role != Role::writes_file; }

class ClusterPaths {
public:
  explicit ClusterPaths(PassContext& context)
      : context_(context), job_(context.job), found_(path_mentions(context)) {
    taken_ = context.taken;
    taken_.merge(taken_names(job_));
    taken_.insert("results");
  }

  void run() {
    for (std::size_t i = 0; i < found_.paths.size(); ++i) {
      MentionedPath& path = found_.paths[i];
      // A file of another job that this one writes again stays where it is.
      if (const auto role = role_of(i); role && (reads(*role) || on_cluster(path.was))) {
        convert(path, *role);
      }
    }
    forget_directories();
    forget_variables();
  }

private:
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
    const MentionedPath& path = found_.paths[index];
    const auto as = context_.answers.path(path.was, "as");
    if (found_.stays_bash(path.was) ||
        (!path.computed && path.leaf.find('$') != std::string::npos) ||
        (path.computed && found_.stays_bash(path.was.substr(0, path.was.rfind('/')))) ||
        (as && as->value != "input")) {
      return std::nullopt;
    }
    for (const MentionedPath& other : found_.paths) { // one lies in the other
      const bool made = std::ranges::all_of(other.mentions, &PathMention::made);
      if (&other != &path && !made &&
          (other.was.starts_with(path.was + "/") || path.was.starts_with(other.was + "/"))) {
        return std::nullopt;
      }
    }
    std::optional<Role> role;
    if (std::ranges::all_of(path.mentions, &PathMention::made) &&
        std::ranges::any_of(found_.paths, [&](const MentionedPath& other) {
          return other.was.starts_with(path.was + "/");
        })) {
      return std::nullopt; // for what lies in it
    }
    for (const PathMention& mention : path.mentions) {
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

  void convert(MentionedPath& path, Role role) {
    const PathMention& first = *std::ranges::find_if(path.mentions, [](const PathMention& mention) {
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
                              [](const PathMention& mention) { return mention.use.named; })) {
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
    for (const PathMention& mention : path.mentions) {
      result.spans.push_back(mention.value->span);
      ir::Value value;
      value.span = mention.value->span;
      value.append(ir::Text{
          path.computed
              ? std::get<ir::Text>(mention.value->parts.front()).text.substr(0, mention.skip)
              : found_.written(*mention.value)->substr(0, mention.skip)});
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
    for (const MentionedPath& path : found_.paths) {
      const bool made = std::ranges::all_of(path.mentions, &PathMention::made);
      std::size_t inside = 0;
      const bool all = std::ranges::all_of(found_.paths, [&](const MentionedPath& other) {
        const bool below = other.was.starts_with(path.was + "/");
        inside += below ? 1 : 0;
        return !below || other.converted;
      });
      if (made && all && inside != 0 && !path.converted && !found_.stays_bash(path.was)) {
        for (const PathMention& mention : path.mentions) {
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
    if (job_.cluster_paths.empty() || found_.kept_effects.anything) {
      return;
    }
    ir::for_each_step(job_.body, [&](ir::Step& step) {
      auto* assign = std::get_if<ir::Assign>(&step.value);
      if (assign == nullptr) {
        return;
      }
      for (ir::Binding& binding : assign->bindings) {
        if (found_.locals.contains(binding.local) && !read.contains(binding.local) &&
            !found_.kept_effects.reads.contains(binding.variable) &&
            !found_.kept_effects.reads_defaulted.contains(binding.variable)) {
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

  void announce(const ir::ClusterPath& path, const PathMention& first) {
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
  PathMentions found_;
  std::set<std::string> taken_;
};

} // namespace

void cluster_paths(PassContext& context) { ClusterPaths(context).run(); }

} // namespace s2f::passes
