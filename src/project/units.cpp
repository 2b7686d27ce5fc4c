// Reads scripts, each once, and says what can be said of their text alone.
#include <fmt/format.h>

#include "analysis/secrets.hpp"
#include "passes/restarts.hpp"
#include "project/compiler.hpp"
#include "project/kinds.hpp"
#include "project/nearest.hpp"
#include "project/paths.hpp"
#include "shell/parse.hpp"
#include "slurm/options.hpp"

namespace s2f::project {

Unit* Compiler::read(const std::string& path, bool asked) {
  if (const auto known = units_.find(path); known != units_.end()) {
    return known->second.get();
  }
  if (failed_.contains(path)) {
    return nullptr;
  }
  const auto fail = [&](std::string message) -> Unit* {
    failed_.insert(path);
    if (asked) {
      result_.failures.push_back({path, std::move(message)});
    }
    return nullptr;
  };
  const auto bytes = files_.read(path);
  if (!bytes) {
    return fail(bytes.error().message);
  }
  if (const auto limit = options_.limits.bytes; limit != 0 && bytes->size() > limit) {
    return fail(fmt::format("{} has {} bytes, more than --max-size {} allows.", path, bytes->size(),
                            limit));
  }
  if (bytes->empty()) {
    return fail(fmt::format("{} is empty: there is no job in it.", path));
  }
  auto unit = std::make_unique<Unit>();
  unit->id = sources_.add(path, *bytes);
  unit->path = path;
  const source::Source& source = sources_[unit->id];
  if (source.quirks.nul) {
    return fail(fmt::format("{} is a binary file (it has NUL bytes), not a job script.", path));
  }
  if (source.text.find_first_not_of(" \t\r\n") == std::string::npos) {
    return fail(fmt::format("{} holds nothing but blanks: there is no job in it.", path));
  }
  unit->shell = ir::is_shell(ir::read_interpreter(source));
  unit->script.source = unit->id;
  if (unit->shell) {
    unit->script = shell::parse(source);
    const auto depth = static_cast<std::size_t>(unit->script.depth);
    if (const auto limit = options_.limits.depth; limit != 0 && depth > limit) {
      return fail(fmt::format("{} is nested {} deep, more than --max-depth {} allows.", path, depth,
                              limit));
    }
  }
  unit->crontab = slurm::read_crontab(source);
  if (unit->shell && !unit->crontab) { // one that submits nothing but itself is a job
    unit->restarts = passes::take_restarts(unit->script, source);
  }
  unit->kind =
      unit->crontab ? slurm::Kind::other : kind_of(source, unit->shell ? &unit->script : nullptr);
  unit->secrets = analysis::find_secrets(source, unit->script);
  unit->masked = analysis::masked(source, unit->secrets);
  order_.push_back(path);
  return add(path, std::move(unit));
}

Unit* Compiler::add(const std::string& name, std::unique_ptr<Unit> unit) {
  if (!unit->secrets.empty()) {
    with_secrets_.push_back(unit.get());
  }
  return units_.emplace(name, std::move(unit)).first->second.get();
}

// A script whose text stands in a driver.
Unit* Compiler::written_unit(const Unit& driver, const std::string& text, source::Origin origin) {
  auto unit = std::make_unique<Unit>();
  unit->id = sources_.add_virtual(text, std::move(origin));
  const source::Source& source = sources_[unit->id];
  unit->path = source.path;
  unit->written = true;
  unit->shell = ir::is_shell(ir::read_interpreter(source));
  unit->script.source = unit->id;
  if (unit->shell) {
    unit->script = shell::parse(source);
  }
  unit->kind = slurm::Kind::job;
  unit->secrets = analysis::find_secrets(source, unit->script);
  unit->masked = analysis::masked(source, unit->secrets);
  return add(fmt::format("{}\n{}", driver.path, units_.size()), std::move(unit));
}

// A script that a driver names and that is not there.
Unit* Compiler::missing_unit(const Unit& driver, const std::string& script) {
  auto unit = std::make_unique<Unit>();
  unit->id = sources_.add(script, "#!/bin/bash\n");
  unit->path = script;
  unit->script.source = unit->id;
  unit->kind = slurm::Kind::job;
  unit->masked = sources_[unit->id].text;
  unit->missing = true;
  review::Finding finding;
  finding.rule = "S2F323";
  finding.span = sources_[driver.id].line_span(1);
  finding.message = fmt::format("The driver submits {}, which was not found.", script);
  finding.slurm_does = "It runs the script.";
  finding.output_does = "The task stands there with the options of the command line; it fails "
                        "with a message until it is written.";
  finding.choices = {"put the script beside the driver and convert again", "write the task"};
  finding.default_ = finding.choices[0];
  add_once(pending(driver).findings, std::move(finding));
  return add(fmt::format("{}\n{}", driver.path, units_.size()), std::move(unit));
}

namespace {

// What to do about a refusal that is not of one option.
std::string advice_on(std::string_view message, const std::string& path) {
  if (message.find("DOS line breaks") != std::string_view::npos) {
    return fmt::format(" `dos2unix {}` gives it the line breaks of Unix.", path);
  }
  if (message.find("does not look like a batch script") != std::string_view::npos) {
    return " If this is what a job runs, convert the script that runs it.";
  }
  return {};
}

} // namespace

// What is odd about the bytes, and a refusal by sbatch.
void Compiler::note_source(const source::Source& source, const slurm::Header* header,
                           slurm::Kind kind, review::Findings& findings) const {
  const source::Span first = source.line_span(1);
  if (source.quirks.bom || source.quirks.invalid_utf8) {
    review::Finding finding;
    finding.rule = "S2F105";
    finding.span = first;
    finding.message = source.quirks.bom ? "The file begins with a byte order mark."
                                        : "The file is not UTF-8; its bytes were read as Latin-1.";
    finding.slurm_does = source.quirks.bom
                             ? "It refuses the script: its first line does not begin with #!."
                             : "It takes any bytes.";
    finding.output_does = "The module is UTF-8.";
    findings.add(std::move(finding));
  }
  if (kind == slurm::Kind::template_) {
    review::Finding finding;
    finding.rule = "S2F106";
    finding.span = first;
    finding.message = "Directives hold the marks of a template where values should be.";
    finding.slurm_does = "It would take the marks as values, or refuse them.";
    finding.output_does =
        "It reads the text as it stands; convert what the template makes instead.";
    findings.add(std::move(finding));
  }
  if (header == nullptr) {
    return;
  }
  for (const slurm::Rejection& rejection : header->rejections) {
    review::Finding finding;
    finding.rule = "S2F110";
    finding.span = rejection.span.end != 0 ? rejection.span : first;
    finding.message = fmt::format("sbatch refuses this script: {}", rejection.message);
    finding.slurm_does = rejection.by_controller
                             ? "The controller refuses the job."
                             : "sbatch refuses the script, so this job cannot have run.";
    finding.output_does = options_.keep_going
                              ? "It was converted all the same."
                              : "Nothing was converted; --keep-going converts what can be read.";
    finding.output_does += advice_on(rejection.message, source.path);
    if (const auto release = slurm::last_release_with(sources_.text(rejection.span))) {
      finding.output_does +=
          fmt::format(" --slurm-version={} reads the script as Slurm {} did.", *release, *release);
    }
    findings.add(std::move(finding));
  }
  for (const slurm::Warning& warning : header->warnings) {
    review::Finding finding;
    finding.rule = "S2F112";
    finding.span = warning.span.end != 0 ? warning.span : first;
    finding.message = warning.message;
    if (!warning.instead.empty()) {
      finding.fix = review::Fix{"write " + warning.instead, warning.instead};
    }
    findings.add(std::move(finding));
  }
}

// Of a package: as deep and as many as a person would write.
std::vector<std::string> Compiler::files_below(const std::string& folder, const std::string& prefix,
                                               int depth) const {
  constexpr int deepest = 6;
  constexpr std::size_t most = 400;
  std::vector<std::string> found;
  if (depth > deepest) {
    return found;
  }
  for (const std::string& name : files_.list(folder)) {
    const std::string path = folder + "/" + name;
    if (files_.is_file(path)) {
      found.push_back(prefix + name);
    } else if (!name.starts_with('.') && files_.is_directory(path)) {
      const auto below = files_below(path, prefix + name + "/", depth + 1);
      found.insert(found.end(), below.begin(), below.end());
    }
    if (found.size() > most) {
      break;
    }
  }
  return found;
}

// The files around the script's submit directory.
void Compiler::set_files(passes::PassContext& context, const std::string& directory) const {
  context.file_exists = [this, directory](const std::string& path) {
    return files_.is_file(directory + path) || files_.is_directory(directory + path);
  };
  context.list_files = [this, directory](const std::string& path) {
    return files_below(directory + path, "", 0);
  };
  context.read_file = [this, directory](const std::string& path) -> std::optional<std::string> {
    if (path.starts_with('/') || path.find("..") != std::string::npos ||
        !files_.is_file(directory + path)) {
      return std::nullopt;
    }
    auto text = files_.read(directory + path);
    return text ? std::optional(std::move(*text)) : std::nullopt;
  };
}

std::optional<std::string> Compiler::text_at(const std::string& path) const {
  auto text = files_.read(path);
  return text ? std::optional(std::move(*text)) : std::nullopt;
}

std::vector<std::string> Compiler::matching_beside(const std::string& directory,
                                                   const std::string& pattern) const {
  constexpr std::string_view special = "?[\\";
  const bool only_directories = pattern.ends_with('/');
  std::string leaf = pattern.substr(0, pattern.size() - (only_directories ? 1 : 0));
  std::string before;
  if (const auto slash = leaf.rfind('/'); slash != std::string::npos) {
    before = leaf.substr(0, slash + 1);
    leaf.erase(0, slash + 1);
  }
  std::vector<std::string> found;
  const auto star = leaf.find('*');
  if (before.find_first_of("*?[.") != std::string::npos ||
      leaf.find_first_of(special) != std::string::npos || star == std::string::npos ||
      leaf.find('*', star + 1) != std::string::npos) {
    return found;
  }
  const std::string head = leaf.substr(0, star);
  const std::string tail = leaf.substr(star + 1);
  for (const std::string& name : files_.list(directory + before)) {
    const bool hidden = name.starts_with('.') && head.empty();
    const bool fits =
        name.size() >= head.size() + tail.size() && name.starts_with(head) && name.ends_with(tail);
    if (!hidden && fits && (!only_directories || files_.is_directory(directory + before + name))) {
      found.push_back(before + name + (only_directories ? "/" : ""));
    }
  }
  std::ranges::sort(found);
  return found;
}

// Puts asterisks in place of every secret of the script.
void Compiler::hide(const Unit& unit, std::string& text) const {
  for (const analysis::SecretHit& hit : unit.secrets) {
    const std::string_view value = analysis::secret_value(sources_[unit.id], hit);
    for (auto at = value.empty() ? std::string::npos : text.find(value); at != std::string::npos;
         at = text.find(value, at)) {
      text.replace(at, value.size(), "***");
    }
  }
}

// The last guard: a module that holds a secret is not written. What a script of another
// directory calls secret may be a word of this one, unless it is none that people write.
bool Compiler::holds_secret(const Unit& unit, const std::string& text, const Unit& owner) const {
  const bool near = directory_of(unit.path) == directory_of(owner.path);
  return std::ranges::any_of(unit.secrets, [&](const analysis::SecretHit& hit) {
    const std::string_view value = analysis::secret_value(sources_[unit.id], hit);
    const bool word =
        value.size() < 16 || value.find_first_of("0123456789") == std::string_view::npos;
    return value.size() >= 8 && (near || !word) && text.find(value) != std::string::npos;
  });
}

// Two scripts of one stem in one directory get two modules.
std::string Compiler::module_path(const Unit& unit) {
  if (const auto known = module_paths_.find(unit.path); known != module_paths_.end()) {
    return known->second;
  }
  const std::string directory = directory_of(unit.path);
  std::string path = directory + ir::stem_of(unit.path) + "_flyte.py";
  if (taken_paths_.contains(path)) {
    std::string stem;
    for (const char c : base_name(unit.path)) {
      stem +=
          std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<unsigned char>(c) < 128
              ? c
              : '_';
    }
    path = directory + stem + "_flyte.py";
    for (int n = 2; taken_paths_.contains(path); ++n) {
      path = fmt::format("{}{}_{}_flyte.py", directory, stem, n);
    }
  }
  taken_paths_.insert(path);
  return module_paths_[unit.path] = path;
}

std::string Compiler::module_stem(const Unit& unit) {
  const std::string file = base_name(module_path(unit));
  return file.substr(0, file.size() - std::string_view("_flyte.py").size());
}

} // namespace s2f::project
