// Files that a job leaves, as far as their names stand in the script or in its Python payload.
//
// before:  Launch{python train.py}, where train.py does json.dump(..., open("model.json", "w"))
// after:   outputs = {model.json}; of names that it makes, f"shard-{n}.txt", those that fit:
//          {shard-*.txt}; what the payload writes under a name of which nothing is known raises
//          S2F604
#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "ir/functions.hpp"
#include "ir/steps.hpp"
#include "passes/pipeline.hpp"
#include "payload/python.hpp"

namespace s2f::passes {

namespace {

bool plain_relative(std::string_view path) {
  return !path.empty() && !path.starts_with('/') && !path.starts_with('~') &&
         !path.starts_with("..") && path.find("/../") == std::string_view::npos &&
         path.find_first_of("*?[") == std::string_view::npos && !path.ends_with('/');
}

// Handed over already, or a path of the cluster, which is another rule's business.
bool absolute(const ir::Value& path) {
  return std::ranges::any_of(path.parts,
                             [](const ir::ValuePart& part) {
                               return std::holds_alternative<ir::TaskPath>(part);
                             }) ||
         (path.parts.size() > 1 && std::holds_alternative<ir::Text>(path.parts.front()) &&
          std::get<ir::Text>(path.parts.front()).text.starts_with('/'));
}

class Outputs {
public:
  explicit Outputs(PassContext& context) : context_(context) {}

  void run() {
    find_scratch();
    find_inner();
    ir::for_each_step(std::as_const(context_.job.body), [&](const ir::Step& step) {
      if (const auto* change = std::get_if<ir::ChangeDirectory>(&step.value)) {
        const bool branched = std::ranges::none_of(
            context_.job.body, [&](const ir::Step& each) { return &each == &step; });
        directory_ = change->below.value_or("");
        elsewhere_ = !change->below || (branched && !change->below->empty());
      } else if (const auto* launch = std::get_if<ir::Launch>(&step.value)) {
        for (const ir::Redirection& redirection : launch->redirections) {
          if (!redirection.to_stdout && !redirection.to_stderr) {
            add(redirection.file, redirection.span);
          }
        }
        if (launch->payload) {
          payload(step, *launch);
        }
        for (std::size_t i = 1; launch->words.front().text() == "tee" && i < launch->words.size();
             ++i) {
          const auto text = launch->words[i].text();
          if (!text || !text->starts_with('-')) {
            add(launch->words[i], launch->words[i].span);
          }
        }
      }
    });
  }

private:
  // script=$(mktemp): a file of the machine's, wherever the job runs.
  void find_scratch() {
    std::set<std::string> others;
    ir::for_each_step(std::as_const(context_.job.body), [&](const ir::Step& step) {
      const auto* assign = std::get_if<ir::Assign>(&step.value);
      for (std::size_t i = 0; assign != nullptr && i < assign->bindings.size(); ++i) {
        const ir::Binding& binding = assign->bindings[i];
        const auto* printed = binding.value.parts.size() == 1
                                  ? std::get_if<ir::Output>(&binding.value.parts.front())
                                  : nullptr;
        const bool made = printed != nullptr && printed->next.empty() &&
                          printed->launch->words.size() == 1 &&
                          printed->launch->words.front().text() == "mktemp";
        (made ? scratch_ : others).insert(binding.local);
      }
    });
    for (const std::string& name : others) {
      scratch_.erase(name);
    }
  }

  // What only a function of the task knows.
  void find_inner() {
    for (const ir::Step& each : context_.job.body) {
      const auto* function = std::get_if<ir::Function>(&each.value);
      if (function != nullptr) {
        inner_.merge(ir::own_names(*function));
      }
    }
  }
  [[nodiscard]] bool is_inner(const ir::Value& value) const {
    return std::ranges::any_of(value.parts, [&](const ir::ValuePart& part) {
      const auto* local = std::get_if<ir::Local>(&part);
      const auto* computed = std::get_if<ir::Computed>(&part);
      return (local != nullptr && inner_.contains(local->name)) ||
             (computed != nullptr &&
              std::ranges::any_of(computed->operands,
                                  [&](const ir::Value& each) { return is_inner(each); }));
    });
  }

  // "$SLURM_SUBMIT_DIR/out.txt" is out.txt, wherever the job has gone to.
  static std::optional<ir::Value> below_submit_directory(const ir::Value& path) {
    const auto* text = path.parts.size() < 2 ? nullptr : std::get_if<ir::Text>(&path.parts[1]);
    if (text == nullptr || !std::holds_alternative<ir::SubmitDirectory>(path.parts.front()) ||
        text->text.size() < 2 || text->text[0] != '/') {
      return std::nullopt;
    }
    ir::Value value;
    value.span = path.span;
    value.append(ir::Text{text->text.substr(1)});
    for (std::size_t i = 2; i < path.parts.size(); ++i) {
      value.append(path.parts[i]);
    }
    return value;
  }

  void add(const ir::Value& path, Span span) {
    if (const auto below = below_submit_directory(path)) {
      const std::string directory = std::exchange(directory_, "");
      const bool elsewhere = std::exchange(elsewhere_, false);
      add(*below, span);
      directory_ = directory;
      elsewhere_ = elsewhere;
      return;
    }
    const auto text = path.text();
    if (const auto* local =
            path.parts.size() == 1 ? std::get_if<ir::Local>(&path.parts.front()) : nullptr;
        local != nullptr && scratch_.contains(local->name)) {
      return;
    }
    if (elsewhere_) { // in a directory of the cluster, which is S2F601's, or not known
      return;
    }
    if (path.parts.empty() || (text && !plain_relative(*text)) || absolute(path)) {
      return;
    }
    if (!text) { // a name with a parameter or the index in it, below the directory
      const auto* first = std::get_if<ir::Text>(&path.parts.front());
      if (first != nullptr && !plain_relative(first->text + "x")) {
        return;
      }
      if (std::holds_alternative<ir::SubmitDirectory>(path.parts.front())) {
        return;
      }
      if (!path.fixed() || is_inner(path)) {
        return computed(span);
      }
    }
    if (!text || !named(*text)) {
      context_.job.outputs.push_back({path, directory_, span});
    }
  }

  // Whether an output has the name, in the directory that the job is in.
  [[nodiscard]] bool named(const std::string& text) {
    const auto& outputs = context_.job.outputs;
    for (; looked_at_ < outputs.size(); ++looked_at_) {
      if (auto name = outputs[looked_at_].path.text()) {
        names_.emplace(outputs[looked_at_].directory, std::move(*name));
      }
    }
    return names_.contains({directory_, text});
  }

  static bool relative_pattern(const std::string& pattern) {
    std::string name = pattern;
    std::erase(name, '*');
    return name.size() < pattern.size() && plain_relative(name) &&
           pattern.find_first_of("?[{") == std::string::npos;
  }

  // Names that the payload makes: all files that are called so in the end.
  void add_pattern(const std::string& pattern, Span span) {
    ir::Value value;
    value.span = span;
    value.append(ir::Computed{ir::Operation::pattern, {ir::Value::of(pattern)}, false});
    auto& outputs = context_.job.outputs;
    const bool known = std::ranges::any_of(outputs, [&](const ir::OutputFile& output) {
      const auto* other = output.path.parts.empty()
                              ? nullptr
                              : std::get_if<ir::Computed>(&output.path.parts.front());
      return other != nullptr && output.directory == directory_ &&
             other->operands.front().text() == pattern;
    });
    if (!known) {
      outputs.push_back({std::move(value), directory_, span});
    }
  }

  // A name that the task computes may be another one when it ends.
  void computed(Span span) {
    review::Finding finding;
    finding.rule = "S2F604";
    finding.span = span;
    finding.message = fmt::format("{} is a file that the task does not hand over: its name is "
                                  "computed when the task runs.",
                                  context_.text(span));
    finding.slurm_does = "The file stays where the job wrote it.";
    finding.output_does = "It ends with the container.";
    finding.choices = {"not needed", "return it from the task as File or Dir",
                       "write to a mounted volume: pod_template=\"NAME\""};
    finding.default_ = finding.choices[0];
    context_.findings.add(std::move(finding));
  }

  // The word that an option of the command line has as its value.
  static std::optional<ir::Value> value_of(const ir::Launch& launch, const std::string& option) {
    for (std::size_t i = *launch.payload + 1; i < launch.words.size(); ++i) {
      const auto& parts = launch.words[i].parts;
      const auto* head = parts.empty() ? nullptr : std::get_if<ir::Text>(&parts.front());
      if (head == nullptr) {
        continue;
      }
      if (head->text == "--" + option && parts.size() == 1 && i + 1 < launch.words.size()) {
        return launch.words[i + 1];
      }
      const std::string prefix = "--" + option + "=";
      if (head->text.starts_with(prefix)) {
        ir::Value value = launch.words[i];
        std::get<ir::Text>(value.parts.front()).text.erase(0, prefix.size());
        if (std::get<ir::Text>(value.parts.front()).text.empty()) {
          value.parts.erase(value.parts.begin());
        }
        return value;
      }
    }
    return std::nullopt;
  }

  void payload(const ir::Step& step, const ir::Launch& launch) {
    const auto path = launch.words[*launch.payload].text();
    const auto text =
        path && context_.read_file
            ? context_.read_file(directory_.empty() ? *path : directory_ + "/" + *path)
            : std::nullopt;
    if (!text) {
      return;
    }
    source::Sources sources;
    const auto id = sources.add(*path, *text);
    if (sources[id].quirks.nul) {
      return;
    }
    const payload::PythonFacts facts = payload::read_python(sources[id]);
    std::vector<std::string> unknown;
    for (const payload::FileUse& use : facts.files) {
      if (!use.writes) {
        if (const std::string& name = use.path.empty() ? use.pattern : use.path; !name.empty()) {
          context_.job.opens.emplace_back(directory_.empty() ? name : directory_ + "/" + name,
                                          step.span);
        }
        continue;
      }
      if (!use.directory && !elsewhere_ && relative_pattern(use.pattern)) {
        add_pattern(use.pattern, step.span);
        continue;
      }
      std::optional<ir::Value> value;
      if (!use.path.empty()) {
        value = ir::Value::of(use.path, step.span);
      }
      if (!use.option.empty()) {
        value = value_of(launch, use.option);
      }
      const auto where = fmt::format("{}:{}", *path, sources.begin(use.span).line);
      const auto literal = value ? value->text() : std::nullopt;
      if (context_.job.resume && literal == context_.job.resume->directory) {
        continue; // the checkpoints, which are handed over
      }
      if (value && ((literal && literal->starts_with('/')) || absolute(*value))) {
        continue;
      }
      if (value && !use.directory && (!literal || plain_relative(*literal))) {
        add(*value, step.span);
      } else if (std::ranges::find(unknown, where) == unknown.end()) {
        unknown.push_back(where);
      }
    }
    if (unknown.empty()) {
      return;
    }
    review::Finding finding;
    finding.rule = "S2F604";
    finding.span = step.span;
    finding.message = fmt::format(
        "{} writes files that the task does not hand over ({}{}).", *path, unknown.front(),
        unknown.size() > 1 ? fmt::format(" and {} more place{}", unknown.size() - 1,
                                         unknown.size() == 2 ? "" : "s")
                           : "");
    finding.slurm_does = "The files stay in the directory that the job was submitted from.";
    finding.output_does = "They end with the container.";
    finding.choices = {"not needed", "return them from the task as File or Dir",
                       "write to a mounted volume: pod_template=\"NAME\""};
    finding.default_ = finding.choices[0];
    context_.findings.add(std::move(finding));
  }

  PassContext& context_;
  std::string directory_;
  std::set<std::string> scratch_; // variables that hold the name of one
  std::set<std::string> inner_;   // Python's, of functions of the task
  bool elsewhere_ = false;
  std::set<std::pair<std::string, std::string>> names_; // directory and name of the outputs
  std::size_t looked_at_ = 0;                           // so many of them are in names_
};

} // namespace

void outputs(PassContext& context) { Outputs(context).run(); }

} // namespace s2f::passes
