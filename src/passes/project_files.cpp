// Files beside the script that list packages, and the imports of the payload where there are none.
//
// before:  python train.py, with requirements.txt beside it
// after:   environment.project = requirements.txt, S2F502
// before:  python train.py, which imports numpy and its own utils.py
// after:   environment.pip = {numpy}, environment.local_modules = {utils.py}, S2F505
#include <algorithm>
#include <array>
#include <deque>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "passes/bundle.hpp"
#include "passes/named_files.hpp"
#include "passes/not_bundled.hpp"
#include "passes/pipeline.hpp"
#include "passes/setup.hpp"
#include "payload/conda_environment.hpp"
#include "payload/python.hpp"

namespace s2f::passes {

namespace {

using Kind = ir::ProjectFile::Kind;

struct Candidate {
  Kind kind{};
  std::string_view file, lock;
  std::string_view tool;
  bool needs_lock = true;
};
// In the order in which they are believed.
constexpr std::array candidates{
    Candidate{Kind::uv, "pyproject.toml", "uv.lock", "uv"},
    Candidate{Kind::requirements, "requirements.txt", "", "pip"},
    Candidate{Kind::conda, "environment.yml", "", "conda"},
    Candidate{Kind::conda, "environment.yaml", "", "conda"},
    Candidate{Kind::poetry, "pyproject.toml", "poetry.lock", "poetry"},
    Candidate{Kind::pixi, "pixi.toml", "pixi.lock", "pixi", false},
};

std::optional<ir::ProjectFile> take(const PassContext& context, const Candidate& candidate) {
  const std::string file(candidate.file);
  const std::string lock(candidate.lock);
  if (!context.file_exists || !context.file_exists(file)) {
    return std::nullopt;
  }
  const bool locked = !lock.empty() && context.file_exists(lock);
  if (!lock.empty() && candidate.needs_lock && !locked) {
    return std::nullopt;
  }
  return ir::ProjectFile{candidate.kind, file, locked ? lock : "", {}};
}

// ---- imports

std::string directory_of(std::string_view path) {
  const auto slash = path.find_last_of('/');
  return std::string(slash == std::string_view::npos ? "" : path.substr(0, slash + 1));
}

// What the payloads import, followed through the modules that lie beside them.
class Imports {
public:
  Imports(PassContext& context, std::vector<std::string> roots)
      : context_(context), roots_(std::move(roots)) {}

  // A text that Python is given on its command line, and a module by its name.
  void read_text(const std::string& text) { read_source("python", text, "", ""); }
  void module(const std::string& name) { add(name); }

  void read(const std::vector<std::string>& payloads) {
    for (const std::string& payload : payloads) {
      todo_.push_back({payload, payload});
    }
    constexpr std::size_t most = 200;
    while (!todo_.empty() && seen_.size() < most) {
      const auto [path, root] = todo_.front();
      todo_.pop_front();
      if (seen_.insert(path).second) {
        read_one(path, root);
      }
    }
  }

  std::vector<std::string> distributions; // in the order met
  std::vector<std::string> unknown;
  std::vector<std::string> local; // files and folders to bundle
  // Paths and patterns that the programs open.
  std::set<std::string> read_files, written;

private:
  struct Todo {
    std::string path, root;
  };

  void read_one(const std::string& path, const std::string& root) {
    if (const auto text = context_.read_file(path)) {
      read_source(path, *text, path, root);
    }
  }

  void read_source(const std::string& name, const std::string& text, const std::string& path,
                   const std::string& root) {
    source::Sources sources;
    const auto id = sources.add(name, text);
    if (sources[id].quirks.nul) {
      return;
    }
    const payload::PythonFacts facts = payload::read_python(sources[id]);
    for (const payload::FileUse& file : facts.files) {
      const std::string& name = file.path.empty() ? file.pattern : file.path;
      (file.writes ? written : read_files).insert(name);
    }
    for (const payload::Import& import : facts.imports) {
      if (!import.standard_library && !is_local(import.module, path, root) && !import.guarded) {
        add(import.module);
      }
    }
  }

  void add(const std::string& module) {
    if (const auto distribution = payload::distribution_of(module)) {
      if (std::ranges::find(distributions, *distribution) == distributions.end()) {
        distributions.emplace_back(*distribution);
      }
    } else if (std::ranges::find(unknown, module) == unknown.end()) {
      unknown.push_back(module);
    }
  }

  bool is_local(const std::string& module, const std::string& path, const std::string& root) {
    std::vector<std::string> directories{directory_of(path), directory_of(root), std::string()};
    directories.insert(directories.end(), roots_.begin(), roots_.end());
    for (const std::string& directory : directories) {
      const std::string base = directory + module;
      if (context_.file_exists(base + ".py")) {
        bundle(base + ".py");
        todo_.push_back({base + ".py", root});
        return true;
      }
      if (context_.file_exists(base) && !context_.read_file(base)) { // a folder
        bundle(base);
        if (context_.list_files) {
          for (const std::string& file : context_.list_files(base)) {
            if (file.ends_with(".py")) {
              todo_.push_back({base + "/" + file, root});
            }
          }
        }
        return true;
      }
    }
    return false;
  }

  void bundle(const std::string& path) {
    if (std::ranges::find(local, path) == local.end()) {
      local.push_back(path);
    }
  }

  PassContext& context_;
  std::vector<std::string> roots_; // of PYTHONPATH
  std::deque<Todo> todo_;
  std::set<std::string> seen_;
};

// The Python files that the script starts, as far as they lie beside it.
struct Payloads {
  std::vector<std::string> files;
  Span span{};
  bool python = false; // it starts Python, of whatever file
};

bool names_python(std::string_view word) {
  word = word.substr(word.find_last_of('/') + 1);
  static constexpr std::array others{"torchrun", "accelerate", "deepspeed",  "ipython",
                                     "pytest",   "jupyter",    "horovodrun", "papermill"};
  constexpr std::string_view python = "python";
  return (word.starts_with(python) &&
          word.find_first_not_of("0123456789.", python.size()) == std::string_view::npos) ||
         std::ranges::find(others, word) != others.end();
}

Payloads payloads_of(const PassContext& context) {
  Payloads result;
  std::string directory;
  for (const ir::Step& step : context.job.body) {
    if (step.statement == nullptr) {
      if (const auto* launch = std::get_if<ir::Launch>(&step.value);
          launch != nullptr && launch->payload) {
        result.python = true;
        result.span = result.span.end == 0 ? step.span : result.span;
        result.files.push_back(launch->words[*launch->payload].text().value_or(""));
      }
      continue;
    }
    if (std::holds_alternative<ir::Nothing>(step.value)) {
      continue;
    }
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& inner) {
      const auto* command = shell::as_simple(inner);
      if (command == nullptr) {
        return;
      }
      if (command->words.size() == 2 && command->words[0].literal() == "cd") {
        const auto to = command->words[1].literal();
        directory = to && !to->starts_with('/') && !to->starts_with("..") ? *to + "/" : directory;
      }
      bool python = false;
      for (const shell::Word& word : command->words) {
        const auto text = word.literal();
        if (!text) {
          continue;
        }
        python = python || names_python(*text);
        if (!text->ends_with(".py") || text->starts_with('/') || !context.file_exists) {
          continue;
        }
        const std::string plain = text->starts_with("./") ? text->substr(2) : *text;
        for (const std::string& path : {directory + plain, plain}) {
          if (context.file_exists(path)) {
            result.files.push_back(path);
            result.span = result.span.end == 0 ? word.span : result.span;
            break;
          }
        }
      }
      if (python) {
        result.python = true;
        result.span = result.span.end == 0 ? inner.span : result.span;
      }
    };
    analysis::walk(*step.statement, visitor);
  }
  return result;
}

// Files beside the script that the programs open by a name of their own, and do not write.
void take_opened(PassContext& context, const Imports& imports, Span span) {
  Bundle bundle(context);
  NotBundled not_bundled(context);
  for (const std::string& name : imports.read_files) {
    const auto path = path_below(name, "");
    if (path && !imports.written.contains(name) && bundle.take(*path) == Bundle::Found::too_many) {
      not_bundled.too_many(name, span);
    }
  }
  not_bundled.say();
}

void packages_from_imports(PassContext& context, const Imports& imports, Span span) {
  if (imports.distributions.empty() && imports.unknown.empty()) {
    return;
  }
  ir::Environment& environment = context.job.environment;
  review::Finding finding;
  finding.rule = "S2F505";
  finding.span = span;
  const std::string nothing_known =
      imports.unknown.empty()
          ? ""
          : fmt::format("no package is known for {}", fmt::join(imports.unknown, ", "));
  const std::string known = imports.distributions.empty()
                                ? ""
                                : fmt::format("its imports name {}, without versions",
                                              fmt::join(imports.distributions, ", "));
  const std::string both =
      known + (known.empty() || nothing_known.empty() ? "" : "; ") + nothing_known;
  finding.message = fmt::format("Nothing lists the packages of the Python program: {}.", both);
  finding.slurm_does = "The program finds what is installed on the cluster.";
  finding.output_does = imports.distributions.empty()
                            ? "The image has Python and flyte only."
                            : "The image installs PyPI's packages for the imports.";
  finding.choices = {"the packages that the imports name",
                     "`pip freeze` the environment to requirements.txt beside the script",
                     "an image that has the packages"};
  finding.default_ = finding.choices[0];
  context.findings.add(std::move(finding));
  environment.comments.push_back(
      {review_comment("S2F505",
                      fmt::format("nothing lists the packages of the Python program; {}.", both)),
       std::nullopt});
  ir::PipLayer layer;
  for (const std::string& distribution : imports.distributions) {
    layer.packages.push_back({distribution, "", {span}, {}});
  }
  if (!layer.packages.empty()) {
    environment.pip.push_back(std::move(layer));
  }
}

void conda_only(PassContext& context, const std::string& file,
                const std::vector<std::string>& unknown, Span span) {
  review::Finding finding;
  finding.rule = "S2F509";
  finding.span = span;
  finding.message = fmt::format("{} lists {}, which only conda is known to bring.", file,
                                fmt::join(unknown, ", "));
  finding.slurm_does = "Conda's environment on the cluster has it.";
  finding.output_does = "The image is made by pip and apt; Debian's package stands in where one "
                        "is known, and nothing otherwise.";
  finding.choices = {"not needed", "packages for pip or apt", "an image that has it"};
  finding.default_ = finding.choices[0];
  context.findings.add(std::move(finding));
  context.job.environment.comments.push_back(
      {review_comment("S2F509",
                      fmt::format("{} lists {}: what is needed of it must be in the image.", file,
                                  fmt::join(unknown, ", "))),
       std::nullopt});
}

// What stands in the list below `- pip:`; what cannot be a layer goes to `unknown`.
ir::PipLayer pip_section(const PassContext& context, const payload::CondaEnvironment& read,
                         const std::string& file, Span span, std::vector<std::string>& unknown) {
  ir::PipLayer layer;
  for (const std::string& package : read.pip) {
    layer.packages.push_back({package, file, {span}, {}});
  }
  for (const std::string& option : read.pip_options) {
    const auto blank = option.find_first_of(" =");
    const std::string name = option.substr(0, blank);
    const std::string value = blank == std::string::npos ? "" : option.substr(blank + 1);
    if ((name == "-r" || name == "--requirement") && !value.starts_with('/') &&
        value.find("..") == std::string::npos && context.file_exists(value)) {
      layer.files.push_back({value, file, {span}, {}});
    } else if (name == "--extra-index-url" && !value.empty()) {
      layer.extra_index_urls.push_back(value);
    } else if ((name == "-i" || name == "--index-url") && !value.empty()) {
      layer.index_url = value;
    } else if ((name == "-f" || name == "--find-links") && !value.empty()) {
      layer.find_links.push_back(value);
    } else {
      unknown.push_back(option);
    }
  }
  return layer;
}

} // namespace

std::optional<ir::ProjectFile> find_project(const PassContext& context, std::string_view tool) {
  for (const Candidate& candidate : candidates) {
    if (candidate.tool == tool) {
      Candidate loose = candidate;
      loose.needs_lock = candidate.kind == Kind::poetry;
      if (auto found = take(context, loose)) {
        return found;
      }
    }
  }
  for (const Candidate& candidate : candidates) {
    if (auto found = take(context, candidate)) {
      return found;
    }
  }
  return std::nullopt;
}

std::string name_of(const ir::ProjectFile& project) {
  return project.lock.empty() ? project.file
                              : fmt::format("{} with {}", project.file, project.lock);
}

void use_project(PassContext& context, ir::ProjectFile project, Span span) {
  ir::Environment& environment = context.job.environment;
  if (environment.project) {
    return;
  }
  project.spans = {span};
  if (project.kind == Kind::conda && context.read_file) {
    const auto text = context.read_file(project.file);
    const payload::CondaEnvironment read =
        payload::read_conda_environment(text.value_or(std::string()));
    environment.project = project;
    if (!read.python.empty() && !environment.python) {
      set_python(context, read.python, fmt::format("python {} in {}", read.python, project.file),
                 span);
    }
    auto unknown = add_conda_packages(context, read.conda, project.file, span);
    ir::PipLayer layer = pip_section(context, read, project.file, span, unknown);
    if (!unknown.empty()) {
      conda_only(context, project.file, unknown, span);
    }
    if (!layer.packages.empty() || !layer.files.empty()) {
      environment.pip.push_back(std::move(layer));
    }
    return;
  }
  environment.project = std::move(project);
}

void packages(PassContext& context) {
  ir::Environment& environment = context.job.environment;
  const NamedFiles named = named_files(context);
  Payloads payloads = payloads_of(context);
  payloads.files.insert(payloads.files.end(), named.python.begin(), named.python.end());
  if (named.started && !payloads.python) {
    payloads.python = true;
    payloads.span = *named.started;
  }
  Imports imports(context, named.roots);
  if (context.file_exists && context.read_file) {
    imports.read(payloads.files);
    std::ranges::for_each(named.texts, [&](const auto& text) { imports.read_text(text); });
    std::ranges::for_each(named.modules, [&](const auto& module) { imports.module(module); });
  }
  environment.local_modules = imports.local;
  if (context.file_exists) {
    take_opened(context, imports, payloads.span);
  }
  if (environment.container || !payloads.python || environment.project || environment.base_image ||
      !environment.pip.empty()) {
    return;
  }
  const bool activated = !environment.activations.empty();
  if (auto project = activated ? std::nullopt : find_project(context)) {
    review::Finding finding;
    finding.rule = "S2F502";
    finding.span = payloads.span;
    const std::string name = name_of(*project);
    finding.message =
        fmt::format("{} beside the script stands for what the cluster's Python has.", name);
    finding.slurm_does = "The program finds what is installed on the cluster.";
    finding.output_does = fmt::format("The image installs what {} lists.", name);
    finding.choices = {fmt::format("{} is what the job needs", name),
                       "a list of packages of its own", "an image that has them"};
    finding.default_ = finding.choices[0];
    context.findings.add(std::move(finding));
    environment.comments.push_back(
        {review_comment("S2F502",
                        fmt::format("{} stands for what the cluster's Python has.", name)),
         std::nullopt});
    use_project(context, std::move(*project), payloads.span);
    return;
  }
  packages_from_imports(context, imports, payloads.span);
}

} // namespace s2f::passes
