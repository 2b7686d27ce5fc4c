// Paths of the cluster that the job only reads become inputs of the task, those that it only writes
// what the task returns, as far as the payload's own text tells which.
//
// before:  Launch{python prep.py --in /project/raw --out /scratch/me/prepared}, where prep.py lists
//          the one and makes the other
// after:   Launch{python prep.py --in <raw_path> --out <prepared>}, parameter raw: Dir,
//          cluster_paths = {/project/raw read, /scratch/me/prepared written}, S2F606 and S2F607
#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "flyte/program.hpp"
#include "generated/tables/path_places.hpp"
#include "generated/tables/path_roles.hpp"
#include "passes/names.hpp"
#include "passes/payload_facts.hpp"
#include "passes/pipeline.hpp"

namespace s2f::passes {

namespace {

// What one word does with a path.
enum class Role {
  reads_file,
  reads_directory,
  writes_file,
  writes_directory,
  shows,
  lists,
  unknown
};

bool reads(Role role) { return role == Role::reads_file || role == Role::reads_directory; }
bool writes(Role role) { return role == Role::writes_file || role == Role::writes_directory; }

struct Mention {
  ir::Value* value = nullptr;
  std::size_t skip = 0; // the length of "--out=" before the path
  Role role = Role::unknown;
  std::string flag;  // "out"
  std::string where; // "prep.py:3", where the payload opens it
};
struct Path {
  std::string was;
  std::string leaf; // its last component
  std::vector<Mention> mentions;
};

// A value as the script would write it: "/scratch/$USER/prepared"; nothing for one that is made at
// run time.
std::optional<std::string> written(const ir::Value& value) {
  std::string text;
  for (const ir::ValuePart& part : value.parts) {
    if (const auto* literal = std::get_if<ir::Text>(&part)) {
      text += literal->text;
    } else if (const auto* variable = std::get_if<ir::EnvironmentVariable>(&part)) {
      text += "$" + variable->name;
    } else {
      return std::nullopt;
    }
  }
  return text;
}

bool on_cluster(std::string_view text) {
  if ((!text.starts_with('/') && !text.starts_with('$')) || text.size() < 2 ||
      text.ends_with('/') || text.find("/../") != std::string_view::npos) {
    return false;
  }
  const std::string_view head = text.substr(0, text.find('/', 1));
  const auto found =
      std::ranges::find_if(tables::path_places, [&](const auto& row) { return row.head == head; });
  if (found == std::end(tables::path_places)) {
    return text.starts_with('/');
  }
  return found->place == tables::PathPlacesPlace::cluster && head.size() < text.size();
}

std::string clean(std::string path) {
  while (path.starts_with("./")) {
    path.erase(0, 2);
  }
  return path;
}

std::string leaf_of(std::string_view path) {
  return std::string(path.substr(path.find_last_of('/') + 1));
}

// Python's name for a path or an option; "" where there is none.
std::string python_name(std::string_view text) {
  std::string name;
  for (const char c : text.substr(0, text.find('.'))) {
    const auto byte = static_cast<unsigned char>(c);
    name += byte < 128 && std::isalnum(byte) != 0 ? static_cast<char>(std::tolower(byte)) : '_';
  }
  const bool begins = !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) != 0;
  return begins && !flyte::reserved_python_name(name) ? name : std::string();
}

class ClusterPaths {
public:
  explicit ClusterPaths(PassContext& context) : context_(context), job_(context.job) {
    taken_ = context.taken;
    taken_.merge(taken_names(job_));
    taken_.insert("results");
  }

  void run() {
    for (ir::Step& step : job_.body) {
      collect(step);
    }
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      // A file of another job that this one writes again stays where it is.
      if (const auto role = role_of(i); role && (reads(*role) || on_cluster(paths_[i].was))) {
        convert(paths_[i], *role);
      }
    }
  }

private:
  void collect(ir::Step& step) {
    if (auto* launch = std::get_if<ir::Launch>(&step.value)) {
      this->launch(*launch);
      for (auto& [name, value] : launch->environment) {
        mention(value, 0, {});
      }
      for (ir::Redirection& redirection : launch->redirections) {
        const bool whole = !redirection.append && !redirection.to_stdout;
        mention(redirection.file, 0, {whole ? Role::writes_file : Role::unknown, "", ""});
      }
    } else if (auto* echo = std::get_if<ir::Echo>(&step.value)) {
      for (ir::Value& value : echo->words) {
        mention(value, 0, {Role::shows, "", ""});
      }
    } else if (auto* change = std::get_if<ir::ChangeDirectory>(&step.value)) {
      mention(change->directory, 0, {});
    } else if (auto* assign = std::get_if<ir::Assign>(&step.value)) {
      for (ir::Binding& binding : assign->bindings) {
        if (binding.exported || !binding.local.empty()) {
          mention(binding.value, 0, {});
        }
      }
    } else if (step.statement != nullptr && !std::holds_alternative<ir::Nothing>(step.value)) {
      // Opaque, or a command that holds others
      kept_ += context_.text(step.span);
    }
  }

  void launch(ir::Launch& launch) {
    const auto program = launch.words.front().text();
    std::optional<payload::PythonFacts> facts;
    std::string payload;
    if (launch.payload) {
      payload = launch.words[*launch.payload].text().value_or("");
      facts = payload_facts(context_, payload);
    }
    for (std::size_t i = 1; i < launch.words.size(); ++i) {
      ir::Value& word = launch.words[i];
      const auto* head = word.parts.empty() ? nullptr : std::get_if<ir::Text>(&word.parts.front());
      if (head == nullptr) {
        continue;
      }
      Use use;
      std::size_t skip = 0;
      if (head->text.starts_with("--")) {
        const auto equals = head->text.find('=');
        if (equals == std::string::npos) {
          continue;
        }
        use.flag = head->text.substr(2, equals - 2);
        skip = equals + 1;
      } else if (const auto before = launch.words[i - 1].text();
                 before && before->starts_with("--") && i - 1 > launch.payload.value_or(i)) {
        use.flag = before->substr(2);
      }
      if (facts && i > *launch.payload) {
        role_in_payload(*facts, payload, static_cast<int>(i - *launch.payload), use);
      } else if (program && !launch.payload) {
        use.role = role_of_program(*program);
      }
      mention(word, skip, use);
    }
  }

  struct Use {
    Role role = Role::unknown;
    std::string flag, where;
  };

  static Role role_of_program(const std::string& program) {
    const auto found = std::ranges::find_if(
        tables::path_roles, [&](const auto& row) { return row.program == program; });
    if (found == std::end(tables::path_roles)) {
      return Role::unknown;
    }
    switch (found->role) {
    case tables::PathRolesRole::reads:
      return Role::reads_file;
    case tables::PathRolesRole::lists:
      return Role::lists;
    case tables::PathRolesRole::makes:
      return Role::writes_directory;
    case tables::PathRolesRole::writes:
      return Role::writes_file;
    case tables::PathRolesRole::shows:
      break;
    }
    return Role::shows;
  }

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
        use.role = Role::unknown;
        return;
      }
      role = one;
    }
    use.role = role.value_or(Role::unknown);
    use.where = payload;
  }

  void mention(ir::Value& value, std::size_t skip, Use use) {
    const auto text = written(value);
    if (!text) {
      return;
    }
    const std::string was = text->substr(std::min(skip, text->size()));
    if (!on_cluster(was) && !context_.provided.contains(clean(was))) {
      return;
    }
    auto path = std::ranges::find(paths_, was, &Path::was);
    if (path == paths_.end()) {
      paths_.push_back({was, leaf_of(was), {}});
      path = paths_.end() - 1;
    }
    path->mentions.push_back({&value, skip, use.role, use.flag, use.where});
  }

  // The one thing that the job does with a path; nothing where that is not certain.
  std::optional<Role> role_of(std::size_t index) const {
    const Path& path = paths_[index];
    if (kept_.find(path.was) != std::string::npos) {
      return std::nullopt;
    }
    for (const Path& other : paths_) { // one lies in the other
      if (&other != &path &&
          (other.was.starts_with(path.was + "/") || path.was.starts_with(other.was + "/"))) {
        return std::nullopt;
      }
    }
    std::optional<Role> role;
    for (const Mention& mention : path.mentions) {
      if (mention.role == Role::unknown) {
        return std::nullopt;
      }
      if (mention.role == Role::shows || mention.role == Role::lists) {
        continue;
      }
      // What the job wrote it may read itself.
      if (role && *role != mention.role &&
          !(*role == Role::writes_file && mention.role == Role::reads_file) &&
          !(*role == Role::writes_directory && mention.role == Role::reads_directory)) {
        return std::nullopt;
      }
      if (!role) {
        role = mention.role;
      }
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
      return reads(mention.role) || writes(mention.role);
    });
    ir::ClusterPath result;
    result.was = path.was;
    result.written = writes(role);
    result.directory = role == Role::reads_directory || role == Role::writes_directory;
    const std::string by_flag = python_name(first.flag);
    const std::string by_leaf = python_name(path.leaf);
    if (result.written) {
      result.name = choose({by_leaf, by_flag, by_leaf.empty() ? "" : by_leaf + "_path"});
      result.leaf = result.directory ? "" : path.leaf;
    } else {
      result.parameter = choose({by_flag, by_leaf, by_flag.empty() ? "" : by_flag + "_input",
                                 by_leaf.empty() ? "" : by_leaf + "_input"});
      result.name = choose({result.parameter + "_path"});
      ir::Parameter parameter;
      parameter.name = result.parameter;
      parameter.type = result.directory ? ir::Type::directory : ir::Type::file;
      parameter.origin = path.was;
      parameter.span = first.value->span;
      job_.parameters.push_back(std::move(parameter));
    }
    for (const Mention& mention : path.mentions) {
      result.spans.push_back(mention.value->span);
      ir::Value value;
      value.span = mention.value->span;
      value.append(ir::Text{written(*mention.value)->substr(0, mention.skip)});
      value.append(ir::TaskPath{result.name});
      *mention.value = std::move(value);
    }
    announce(result, first);
    job_.cluster_paths.push_back(std::move(result));
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
      if (!on_cluster(path.was)) {
        finding.slurm_does = "An earlier job wrote it to the directory that both share.";
      }
    }
    finding.config_key = fmt::format("paths.\"{}\"", path.was.substr(0, path.was.find('/', 1)));
    context_.findings.add(std::move(finding));
  }

  PassContext& context_;
  ir::Job& job_;
  std::vector<Path> paths_; // in the order of the text
  std::set<std::string> taken_;
  std::string kept_; // text of what is not understood
};

} // namespace

void cluster_paths(PassContext& context) { ClusterPaths(context).run(); }

} // namespace s2f::passes
