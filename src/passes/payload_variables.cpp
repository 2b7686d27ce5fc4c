// SLURM_* variables that the started programs read themselves, as far as their text is there.
//
// before:  python train.py, where train.py reads os.environ["SLURM_ARRAY_TASK_ID"]
// after:   slurm_payload = {SLURM_ARRAY_TASK_ID}; the task passes what Slurm would have set
//
// before:  echo $SLURM_ARRAY_TASK_ID; ./simulate
// after:   the same: what a program does that cannot be read here is not known, and one that does
//          not get its index would do the same in every element
#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "analysis/effects.hpp"
#include "generated/tables/base_programs.hpp"
#include "generated/tables/builtins.hpp"
#include "generated/tables/starting_programs.hpp"
#include "ir/inner_text.hpp"
#include "ir/steps.hpp"
#include "passes/pipeline.hpp"
#include "passes/scope.hpp"
#include "payload/python.hpp"

namespace s2f::passes {

namespace {

// Whether a text of Python may look at a variable of the environment that it does not name, or
// starts what may.
bool looks_further(std::string_view text) {
  static constexpr std::array others{"subprocess", "os.system", "popen",      "os.exec", "os.spawn",
                                     "runpy",      "importlib", "__import__", "exec("};
  if (std::ranges::any_of(
          others, [&](const char* each) { return text.find(each) != std::string_view::npos; })) {
    return true;
  }
  static constexpr std::array literal{
      "environ[\"",          "environ['",     "environ.get(\"",
      "environ.get('",       "getenv(\"",     "getenv('",
      "environ.pop(\"",      "environ.pop('", "environ.setdefault(\"",
      "environ.setdefault('"};
  for (const std::string_view word : {"environ", "getenv"}) {
    for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
      if (std::ranges::none_of(
              literal, [&](std::string_view each) { return text.substr(at).starts_with(each); })) {
        return true;
      }
    }
  }
  return false;
}

// Whether the job starts a program of which it is not known what it reads.
class Started {
public:
  explicit Started(PassContext& context) : context_(context) {}

  bool unread() {
    bool found = false;
    ir::for_each_step(context_.job.body, [&](ir::Step& step) {
      if (!ir::inner_launches(step).empty()) {
        found = true;
      } else if (step.in_region && step.statement != nullptr) {
        found = found || region(*step.statement);
      } else if (const auto* launch = std::get_if<ir::Launch>(&step.value)) {
        found = found || started(*launch);
      }
      ir::for_each_value(step, [&](ir::Value& value) {
        for (const ir::ValuePart& part : value.parts) {
          if (const auto* output = std::get_if<ir::Output>(&part)) {
            found =
                found || started(*output->launch) ||
                std::ranges::any_of(output->next, [&](const auto& next) { return started(*next); });
          }
        }
      });
    });
    return found;
  }

private:
  static bool known(const std::string& name) {
    return tables::find_base_programs(name) != nullptr &&
           tables::find_starting_programs(name) == nullptr;
  }

  [[nodiscard]] bool region(const shell::Statement& statement) const {
    const analysis::Effects effects = analysis::effects_of(statement);
    return std::ranges::any_of(effects.commands, [&](const std::string& name) {
      const auto* builtin = tables::find_builtins(name);
      return !known(name) && !functions().contains(name) &&
             (builtin == nullptr || builtin->as == tables::BuiltinsAs::program ||
              tables::find_starting_programs(name) != nullptr);
    });
  }

  // Their bodies are statements of the script, and looked at as such.
  [[nodiscard]] std::set<std::string> functions() const {
    std::set<std::string> names;
    for (const ir::Step& step : context_.job.body) {
      if (const auto* function = step.statement == nullptr
                                     ? nullptr
                                     : std::get_if<shell::Function>(&step.statement->value)) {
        names.insert(function->name);
      }
    }
    return names;
  }

  bool started(const ir::Launch& launch) {
    if (launch.words.size() <= launch.program) {
      return true;
    }
    if (launch.payload) {
      const auto path = launch.words[*launch.payload].text();
      return !path || context_.job.environment.container || !python(*path);
    }
    const auto program = launch.words[launch.program].text();
    return !program || !known(*program);
  }

  // Whether all of it was read, and looks at no more than it names.
  bool python(std::string path) {
    while (path.starts_with("./")) {
      path.erase(0, 2);
    }
    if (path.ends_with(".sh")) {
      return false;
    }
    std::vector<std::string> files = context_.job.environment.local_modules;
    files.push_back(path);
    return std::ranges::all_of(files, [this](const std::string& file) { return read(file); });
  }

  bool read(const std::string& path) {
    const auto text = context_.read_file ? context_.read_file(path) : std::nullopt;
    if (!text && context_.list_files && context_.file_exists && context_.file_exists(path)) {
      return std::ranges::all_of(context_.list_files(path), [&](const std::string& file) {
        return !file.ends_with(".py") || read(path + "/" + file);
      });
    }
    if (!text || looks_further(*text)) {
      return false;
    }
    context_.job.slurm_payload.merge(slurm_names(*text));
    source::Sources sources;
    const auto id = sources.add(path, *text);
    return !sources[id].quirks.nul &&
           std::ranges::all_of(payload::read_python(sources[id]).imports,
                               [this](const payload::Import& import) {
                                 return import.standard_library ||
                                        payload::distribution_of(import.module) || own(import);
                               });
  }

  [[nodiscard]] bool own(const payload::Import& import) const {
    const std::string name = import.module.substr(0, import.module.find('.'));
    return std::ranges::any_of(
        context_.job.environment.local_modules, [&](const std::string& path) {
          const auto slash = path.rfind('/');
          const std::string file = slash == std::string::npos ? path : path.substr(slash + 1);
          return file == name || file == name + ".py";
        });
  }

  PassContext& context_;
};

} // namespace

void payload_variables(PassContext& context) {
  ir::Job& job = context.job;
  for (const std::string& path : job.include) {
    const auto text = context.read_file ? context.read_file(path) : std::nullopt;
    if (text) {
      job.slurm_payload.merge(slurm_names(*text));
    }
  }
  const bool unread = job.array && Started(context).unread();
  const bool alike = job.array && job.array->mapped() && !job.array->index_used &&
                     job.array->items.empty() && (job.missing || job.array->spec.throttle);
  if (unread || alike) {
    job.slurm_payload.insert("SLURM_ARRAY_TASK_ID");
    for (const ir::SlurmRead& read : job.slurm_reads) { // the script knows of it
      if (read.name.starts_with("SLURM_ARRAY_")) {
        job.slurm_payload.insert(read.name);
      }
    }
  }
  if (job.array && std::ranges::any_of(job.slurm_payload, [](const std::string& name) {
        return name == "SLURM_ARRAY_TASK_COUNT" || name.starts_with("SLURM_ARRAY_TASK_M");
      })) {
    job.array->count_parameter.clear(); // the program would be told otherwise
  }
  if (job.unread_ranks) {
    job.slurm_payload.insert({"SLURM_PROCID", "SLURM_LOCALID", "SLURM_NODEID", "SLURM_NTASKS",
                              "SLURM_NNODES", "SLURM_JOB_NUM_NODES"});
  }
  for (const std::string& name : job.slurm_payload) {
    if (name == "SLURM_ARRAY_TASK_ID" && job.array) {
      job.array->index_used = true;
    }
    (void)note_slurm_variable(job, name);
  }
}

} // namespace s2f::passes
