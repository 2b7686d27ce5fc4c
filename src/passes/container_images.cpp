// A container's image becomes the task's, and the command within it the task's own.
//
// before:  apptainer exec --nv docker://nvcr.io/nvidia/pytorch:24.05-py3 python infer.py
// after:   environment.container = "nvcr.io/nvidia/pytorch:24.05-py3", prefixes = {the words before
//          python}, S2F521
// before:  docker build -t tools -f Dockerfile.gpu . ; docker run tools python infer.py
// after:   environment.container = "dockerfile://Dockerfile.gpu", S2F530; the build is Flyte's
// before:  apptainer exec tools.sif ./run
// after:   prefixes as well; the task's image is the default one, and S2F520 asks for one
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/walk.hpp"
#include "generated/tables/containers.hpp"
#include "passes/built_images.hpp"
#include "passes/container_command.hpp"
#include "passes/pipeline.hpp"
#include "passes/site_answers.hpp"
#include "passes/wrappers.hpp"

namespace s2f::passes {

namespace {

using review::Disposition;

bool here(const std::string& path) {
  return path == "." || path == "$PWD" || path == "${PWD}" || path == "$(pwd)" || path == "`pwd`" ||
         path == "$SLURM_SUBMIT_DIR" || path == "${SLURM_SUBMIT_DIR}";
}

bool plain(const std::string& text) { return text.find_first_of("$`(") == std::string::npos; }

// What a shell reads as the word itself; what holds a variable stays for the shell to expand.
std::string shell_quoted(const std::string& text) {
  const bool simple = !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("_./+-:,@%=").contains(static_cast<char>(c));
  });
  if (simple) {
    return text;
  }
  return plain(text) && text.find('\'') == std::string::npos ? "'" + text + "'"
                                                             : "\"" + text + "\"";
}

struct Use {
  ContainerCommand command;
  std::optional<std::string> reference;
  Span prefix{}; // the words before the command within
  Span span{};   // of the statement
};

class Containers {
public:
  explicit Containers(PassContext& context)
      : context_(context), job_(context.job), constants_(constants_of(context.job)) {}

  void run() {
    header();
    builds_ = built_images(context_, constants_,
                           [&](const shell::SimpleCommand& each) { return program_of(each); });
    for (ir::Step& step : job_.body) {
      if (std::holds_alternative<ir::Opaque>(step.value) && step.statement != nullptr) {
        fetched(step);
      }
    }
    for (const ir::Step& step : job_.body) {
      if (!std::holds_alternative<ir::Opaque>(step.value) || step.statement == nullptr) {
        continue;
      }
      analysis::Visitor visitor;
      visitor.statement = [&](const shell::Statement& inner) {
        const auto* command = shell::as_simple(inner);
        if (command != nullptr && !command->words.empty()) {
          look(*command, inner);
        }
      };
      analysis::walk(*step.statement, visitor);
    }
    choose();
    for (const Use& use : uses_) {
      take(use);
    }
  }

private:
  // The first word that starts something, behind `srun`, `time` and their like.
  [[nodiscard]] std::size_t program_of(const shell::SimpleCommand& command) const {
    std::size_t from = 0;
    if (const ir::SrunStep* srun = step_of(command)) {
      while (from < command.words.size() && command.words[from].span.begin < srun->prefix.end) {
        ++from;
      }
    }
    PlainWords words;
    for (const shell::Word& word : command.words) {
      words.push_back(word.literal());
    }
    if (from < words.size() && words[from] == "sudo") {
      return from + 1;
    }
    return behind_wrappers(words, from).program;
  }

  [[nodiscard]] const ir::SrunStep* step_of(const shell::SimpleCommand& command) const {
    const auto found = std::ranges::find_if(job_.srun_steps, [&](const ir::SrunStep& step) {
      return std::ranges::any_of(command.words, [&](const shell::Word& word) {
        return word.span.source == step.prefix.source && word.span.begin == step.prefix.begin;
      });
    });
    return found == job_.srun_steps.end() ? nullptr : &*found;
  }

  // #SBATCH --container-image and --image.
  void header() {
    for (const char* option : {"container-image", "image"}) {
      const slurm::OptionUse* use = context_.winner(option);
      if (use != nullptr && use->value) {
        header_image_ = *use->value;
        header_option_ = option;
      }
    }
  }

  // `apptainer pull x.sif docker://...`: the cluster pulls a task's image itself.
  void fetched(ir::Step& step) {
    const auto* command = shell::as_simple(*step.statement);
    if (command == nullptr || command->words.empty() || step.statement->background) {
      return;
    }
    const std::size_t at = program_of(*command);
    if (at >= command->words.size() || !command->words[at].literal()) {
      return;
    }
    const auto image = read_fetched_image(context_, constants_, *command, at);
    if (!image) {
      return;
    }
    const auto known = made_.find(image->from);
    const std::string from = known == made_.end() ? image->from : known->second;
    made_[image->made] = from;
    made_["./" + image->made] = from;
    step.value = ir::Nothing{};
    job_.removals.push_back(
        {step.span, "", fmt::format("line {}", context_.sources.begin(step.span).line)});
    job_.not_carried.push_back(
        {fmt::format("{}: the cluster pulls a task's image itself", cited(step.span)), step.span});
    const bool reference = image_reference(from, "docker").has_value();
    if (reference) {
      context_.ledger.settle(step.entry, Disposition::platform,
                             "the cluster pulls a task's image itself");
      return;
    }
    const auto id = unusable(from, step.span, "fetches an image");
    context_.ledger.settle(step.entry, Disposition::decision,
                           "the task's image must be named by a reference", "S2F520", id);
  }

  void look(const shell::SimpleCommand& command, const shell::Statement& statement) {
    if (const ir::SrunStep* srun = step_of(command)) {
      std::size_t at = 0;
      while (command.words[at].span.begin != srun->prefix.begin) {
        ++at;
      }
      std::size_t end = at;
      while (end < command.words.size() && command.words[end].span.begin < srun->prefix.end) {
        ++end;
      }
      if (auto step = read_step_container(context_, constants_, command, at, end)) {
        note(std::move(*step), command, statement, {});
        return;
      }
    }
    const std::size_t at = program_of(command);
    if (at >= command.words.size() || !command.words[at].literal()) {
      return;
    }
    if (auto read = read_container_command(context_, constants_, command, at)) {
      if (read->image.empty() && header_option_ == "image") {
        read->image = header_image_;
      }
      if (!read->image.empty()) {
        const std::size_t first = at > 0 && command.words[at - 1].literal() == "sudo" ? at - 1 : at;
        note(std::move(*read), command, statement,
             Span{statement.span.source, command.words[first].span.begin,
                  command.words[read->inner].span.begin});
      }
    }
  }

  void note(ContainerCommand read, const shell::SimpleCommand& command,
            const shell::Statement& statement, Span prefix) {
    Use use;
    const auto made = made_.find(read.image);
    use.reference = made == made_.end() ? image_reference(read.image, read.program)
                                        : image_reference(made->second, "docker");
    use.prefix = prefix;
    use.span = statement.span;
    use.span.end = command.words[read.inner].span.begin;
    use.command = std::move(read);
    uses_.push_back(std::move(use));
  }

  [[nodiscard]] std::string cited(const Span& span) const {
    const std::string text = context_.text(span);
    return fmt::format("{} {}", context_.at(span), text.substr(0, text.find('\n')));
  }

  // "apptainer exec docker://...": what of a use stands in a comment.
  [[nodiscard]] std::string cited(const Use& use) const {
    const std::string verb =
        use.command.program == "srun"      ? "srun --container-image="
        : use.command.program == "shifter" ? "shifter --image="
        : use.command.program == "ch-run"  ? "ch-run "
        : use.command.program == "enroot"  ? "enroot start "
        : use.command.program == "apptainer" || use.command.program == "singularity"
            ? use.command.program + " exec "
            : use.command.program + " run ";
    return fmt::format("{} {}{}", context_.at(use.span), verb, use.command.image);
  }

  void choose() {
    ir::Environment& environment = job_.environment;
    if (uses_.empty() && header_option_ == "container-image") {
      whole_job();
      return;
    }
    std::set<std::string> images;
    std::vector<std::string> names;
    for (const Use& use : uses_) {
      const std::string name = use.reference.value_or(use.command.image);
      if (images.insert(name).second) {
        names.push_back(name);
      }
    }
    for (const Use& use : uses_) {
      if (const auto build = builds_.find(without_latest(use.reference.value_or("")));
          build != builds_.end()) {
        if (asked_.insert(build->first).second && !answered(use)) {
          take_built_image(context_, build->second, use.span);
        }
      } else if (use.reference && !environment.container) {
        use_reference(*use.reference, use.span, cited(use));
        entrypoint(use);
      } else if (!use.reference && asked_.insert(use.command.image).second && !answered(use)) {
        (void)unusable(use.command.image, use.span, "runs its command in an image");
      }
    }
    if (!header_option_.empty() && !uses_.empty()) {
      for (const Span& span : context_.spans(header_option_)) {
        job_.environment.spans.push_back(span);
      }
      context_.settle(header_option_, Disposition::converted, "the image of the task");
    }
    if (names.size() > 1) {
      several(names);
    }
  }

  // Docker puts the image's ENTRYPOINT before the command's words; an image of a task does not.
  void entrypoint(const Use& use) {
    const auto* row = tables::find_containers(use.command.program);
    if (row == nullptr || row->like != "docker" ||
        context_.text(use.span).find("--entrypoint") != std::string::npos) {
      return;
    }
    review::Finding finding;
    finding.rule = "S2F524";
    finding.span = use.span;
    finding.message =
        fmt::format("Whether {} has an ENTRYPOINT is not known here.", *use.reference);
    finding.slurm_does = fmt::format("{} run starts the image's ENTRYPOINT, if it has one, with "
                                     "the words behind the image as its arguments.",
                                     use.command.program);
    finding.output_does = "The words behind the image are the command.";
    finding.choices = {"it has none, or one that starts its arguments as a command",
                       "write its ENTRYPOINT before the command"};
    finding.default_ = finding.choices[0];
    context_.findings.add(std::move(finding));
  }

  // The site file may name an image for a .sif file.
  bool answered(const Use& use) {
    const std::string& image = use.command.image;
    for (const std::string& name : {image, image.substr(image.find_last_of('/') + 1)}) {
      if (const auto said = answered_environment(context_, name, use.span)) {
        job_.environment.comments.push_back({fmt::format("{}: {}", cited(use), *said), use.span});
        return true;
      }
    }
    return false;
  }

  void whole_job() {
    const auto reference = image_reference(header_image_, "srun");
    const auto spans = context_.spans(header_option_);
    if (!reference || spans.empty()) {
      return; // asked about among the other options
    }
    use_reference(*reference, spans.front(), context_.asked(header_option_));
    context_.settle(header_option_, Disposition::converted, "the image of the task");
  }

  void use_reference(const std::string& reference, const Span& span, const std::string& what) {
    ir::Environment& environment = job_.environment;
    environment.container = {reference, "", {span}, {}};
    environment.spans.push_back(span);
    environment.comments.push_back(
        {fmt::format("{}: the task runs in that image, with flyte added.", what), span});
    review::Finding finding;
    finding.rule = "S2F521";
    finding.span = span;
    finding.message = fmt::format("The container's image {} is the image of the task.", reference);
    finding.slurm_does = "The program starts the container on the node, and the command in it.";
    finding.output_does = "The task is in that image already, with flyte added to it; the command "
                          "runs in it directly.";
    context_.findings.add(std::move(finding));
  }

  review::FindingId unusable(const std::string& image, const Span& span, const std::string& what) {
    std::string file = image.substr(image.find_last_of('/') + 1);
    const bool squash = file.ends_with(".sqsh") || file.ends_with(".sqfs");
    const bool known = plain(file) && !file.empty();
    if (!known) {
      file = "IMAGE";
    }
    review::Finding finding;
    finding.rule = "S2F520";
    finding.span = span;
    finding.message = fmt::format("The job {} that no registry is known to have: {}.", what, image);
    finding.slurm_does = "The program runs the file on the node.";
    finding.output_does = "The command runs in the task's own image.";
    finding.choices = {
        "the default image will do", "the reference that the file was made from",
        fmt::format("push it: {} && tar -C image -c . | docker import - REGISTRY/NAME:TAG && "
                    "docker push REGISTRY/NAME:TAG",
                    squash ? "unsquashfs -d image " + file
                           : "apptainer build --sandbox image " + file)};
    finding.default_ = finding.choices[0];
    finding.config_key = site::key_of("environments", file);
    const auto id = context_.findings.add(std::move(finding));
    job_.environment.spans.push_back(span);
    job_.environment.comments.push_back(
        {review_comment(
             "S2F520",
             fmt::format(
                 "{} ran in {}, which no registry is known to have. Push it to one and name it "
                 "here: flyte.Image.from_base(\"...\").clone(name=\"{}\", extendable=True)"
                 ".with_pip_packages(\"flyte\").",
                 context_.at(span), image, job_.environment_name)),
         span});
    return id;
  }

  void several(const std::vector<std::string>& names) {
    review::Finding finding;
    finding.rule = "S2F522";
    finding.span = uses_.back().span;
    finding.message =
        fmt::format("The job runs commands in several images: {}.", fmt::join(names, ", "));
    finding.slurm_does = "Each command sees the files of its own image.";
    finding.output_does = "One image stands for all of them.";
    finding.choices = {"one image has what all need", "a task for each image"};
    finding.default_ = finding.choices[0];
    context_.findings.add(std::move(finding));
    job_.environment.comments.push_back(
        {review_comment(
             "S2F522",
             fmt::format("the job runs commands in {}: one image must have what all need, or "
                         "each becomes a task of its own.",
                         fmt::join(names, ", "))),
         std::nullopt});
  }

  void take(const Use& use) {
    const ContainerCommand& command = use.command;
    for (const std::string& gpu : command.gpus) {
      job_.not_carried.push_back(
          {fmt::format("{} {}: gpu= gives the container its GPU", context_.at(use.span), gpu),
           use.span});
    }
    std::string directory = command.directory;
    binds(use, directory);
    if (!command.others.empty()) {
      review::Finding finding;
      finding.rule = "S2F523";
      finding.span = use.span;
      finding.message = fmt::format("{} of {} has no counterpart in a task.",
                                    fmt::join(command.others, ", "), command.program);
      finding.slurm_does = "It changes what the container is made of.";
      finding.output_does = "It is left out.";
      finding.choices = {"not needed", "an image that has it", "keep the job on Slurm"};
      finding.default_ = finding.choices[0];
      context_.findings.add(std::move(finding));
    }
    if (use.prefix.end == 0) {
      return; // srun's own words are removed as they are
    }
    ir::Prefix prefix;
    prefix.span = use.prefix;
    // A secret reaches the task as a variable of its own, which a bare name would pass on.
    auto environment = command.environment;
    std::erase_if(environment, [&](const auto& variable) {
      return holds_secret(variable.second) &&
             std::ranges::find(job_.secrets, variable.first, &ir::Secret::variable) !=
                 job_.secrets.end();
    });
    if (std::ranges::any_of(environment,
                            [&](const auto& variable) { return holds_secret(variable.second); })) {
      prefix.why = "a secret in plain text";
      std::erase_if(environment,
                    [&](const auto& variable) { return holds_secret(variable.second); });
    }
    prefix.environment = environment;
    prefix.directory = directory;
    std::string replacement;
    if (!directory.empty()) {
      replacement += fmt::format("-C {} ", shell_quoted(directory));
    }
    for (const auto& [name, value] : environment) {
      replacement += fmt::format("{}={} ", name, shell_quoted(value));
      if (!plain(value)) {
        prefix.why = "a variable of a container whose value is known only when the job runs";
      }
    }
    if (!plain(directory)) {
      prefix.why = "a directory of a container that is known only when the job runs";
    }
    job_.prefixes.push_back(std::move(prefix));
    job_.removals.push_back(
        {use.prefix, replacement.empty() ? "" : "env " + replacement,
         fmt::format("line {}, {}", context_.sources.begin(use.prefix).line, command.program)});
  }

  bool holds_secret(const std::string& value) const {
    return std::ranges::any_of(job_.secret_spans, [&](const Span& span) {
      std::string text =
          context_.sources[span.source].text.substr(span.begin, span.end - span.begin);
      std::erase_if(text, [](char c) { return c == '"' || c == '\''; });
      return !text.empty() && value.find(text) != std::string::npos;
    });
  }

  // What a bind makes visible: the submit directory is there, a path of the cluster is not.
  void binds(const Use& use, std::string& directory) {
    std::vector<std::string> shown;
    for (const auto& [from, to] : use.command.binds) {
      const bool is_here = here(from);
      if (is_here && (to == directory || here(directory))) {
        directory.clear(); // the commands run there anyway
      }
      if (!(is_here && (to == from || here(to) || to == use.command.directory))) {
        shown.push_back(from == to ? from : fmt::format("{}:{}", from, to));
      }
    }
    if (here(directory)) {
      directory.clear();
    }
    if (shown.empty()) {
      return;
    }
    review::Finding finding;
    finding.rule = "S2F601";
    finding.span = use.span;
    finding.message = fmt::format("{} shows the container {}, which a task does not see.",
                                  use.command.program, fmt::join(shown, ", "));
    finding.slurm_does = "The container sees these directories of the cluster.";
    finding.output_does = "They are empty or missing in the container.";
    finding.choices = {"an input or an output of the task (flyte.io.File, flyte.io.Dir)",
                       "a mounted volume: pod_template=\"NAME\"", "not needed"};
    finding.config_key = site::key_of("paths", use.command.binds.front().first);
    context_.findings.add(std::move(finding));
    job_.reviews.push_back(review_comment(
        "S2F601",
        fmt::format("{} shows the container {}: what is read or written there must become an "
                    "input, an output or a mounted volume (pod_template=\"...\").",
                    context_.at(use.span), fmt::join(shown, ", "))));
  }

  PassContext& context_;
  ir::Job& job_;
  Constants constants_;
  std::vector<Use> uses_;
  std::map<std::string, std::string> made_;  // image file -> what it was made of
  std::map<std::string, BuiltImage> builds_; // by the name that the script gives it
  std::set<std::string> asked_;
  std::string header_image_;
  std::string_view header_option_;
};

} // namespace

bool step_container_fits(const PassContext& context, const shell::SimpleCommand& command,
                         std::size_t at, std::size_t program) {
  const auto read = read_step_container(context, constants_of(context.job), command, at, program);
  return read && read->others.empty() &&
         (read->directory.empty() || std::ranges::any_of(read->binds, [&](const auto& bind) {
            return here(bind.first) && bind.second == read->directory;
          }));
}

void container_images(PassContext& context) { Containers(context).run(); }

} // namespace s2f::passes
