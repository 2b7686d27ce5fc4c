// Reads a header as sbatch does: script, then #PBS and #BSUB, then variables, then the command
// line, once for each component of a heterogeneous job.
#include "slurm/header.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <system_error>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "generated/tables/sbatch_variables.hpp"
#include "slurm/directives.hpp"
#include "slurm/foreign.hpp"
#include "slurm/getopt.hpp"
#include "slurm/options.hpp"
#include "slurm/resolve.hpp"
#include "slurm/settings.hpp"
#include "slurm/text.hpp"
#include "slurm/verify.hpp"

namespace s2f::slurm {

namespace {

// Whether a file of the cluster is here too. sbatch refuses what it cannot open, so does this.
bool exists_beside(const source::Source& script, std::string_view file) {
  std::error_code error;
  const std::filesystem::path path(file);
  if (std::filesystem::exists(path, error))
    return true;
  return path.is_relative() &&
         std::filesystem::exists(std::filesystem::path(script.path).parent_path() / path, error);
}

struct Placed { // where a message points
  std::uint32_t line = 0;
  Span span{};
};

class HeaderReader {
public:
  HeaderReader(const source::Source& script, const ReadOptions& options)
      : script_(script), options_(options), environment_(options.environment),
        further_(options.release.empty()) {
    if (!options.site_release.empty()) {
      of_release_ = options_of_release(options.site_release);
    }
  }

  Header run() {
    surroundings_ = {
        .wrap = is_wrap(),
        .script_name = options_.script_name,
        .now = options_.now,
        .gres_types = options_.gres_types,
        .file_exists = [this](std::string_view file) { return exists_beside(script_, file); }};
    if (script_.text.starts_with("#!"))
      header_.interpreter_line = script_.line(1);
    if (!surroundings_.wrap) {
      // The text after a NUL byte is not read, so the line is not looked for either.
      const auto name = options_.script_name.empty() || options_.script_name == "sbatch"
                            ? std::string("stdin")
                            : options_.script_name;
      directives_ = find_directives(script_, name);
    }
    header_.end_line = directives_.end_line;
    header_.inert = std::move(directives_.inert);
    split_arguments();
    early_pass();
    if (!surroundings_.wrap)
      for (auto& rejection : refused_text(script_))
        header_.rejections.push_back(std::move(rejection));
    components();
    std::ranges::stable_sort(header_.inert, {}, &InertLine::line);
    mark_overridden();
    return std::move(header_);
  }

private:
  // ---- places
  // ------------------------------------------------------------------------------------

  [[nodiscard]] Span span(std::uint32_t begin, std::uint32_t end) const {
    return {script_.id, begin, end};
  }

  [[nodiscard]] Placed place(const Word& word) const {
    if (word.line != 0)
      return {word.line, span(word.begin, word.end)};
    return {0, argument_span(word)};
  }

  // Of a word of the command line, `begin` is its number.
  [[nodiscard]] Span argument_span(const Word& word) const {
    return word.begin < options_.argument_spans.size() ? options_.argument_spans[word.begin]
                                                       : Span{};
  }

  void refuse(std::string message, const Placed& placed, bool by_controller = false) {
    // A component reads the environment and the command line again, and would say it again.
    if (!said_.insert({placed.line, message}).second)
      return;
    header_.rejections.push_back({.line = placed.line,
                                  .message = std::move(message),
                                  .span = placed.span,
                                  .by_controller = by_controller});
  }

  void warn(std::string message, const Placed& placed, std::string instead = {}) {
    if (!said_.insert({placed.line, message}).second)
      return;
    header_.warnings.push_back({.line = placed.line,
                                .message = std::move(message),
                                .span = placed.span,
                                .instead = std::move(instead)});
  }

  // The text at a place of the script with another name of the option.
  [[nodiscard]] std::string renamed(const Placed& placed, std::string_view from,
                                    std::string_view to) const {
    const auto text = std::string_view(script_.text)
                          .substr(placed.span.begin, placed.span.end - placed.span.begin);
    return placed.line != 0 && text.starts_with(from)
               ? fmt::format("--{}{}", to, text.substr(from.size()))
               : std::string();
  }

  // ---- the command line
  // --------------------------------------------------------------------------

  [[nodiscard]] bool is_wrap() const {
    return options_.script_name == "wrap" && !script_.text.starts_with("#!");
  }

  // A lone `:` separates the components of a heterogeneous job.
  void split_arguments() {
    segments_.emplace_back();
    for (std::size_t i = 0; i < options_.arguments.size(); ++i) {
      if (options_.arguments[i] == ":") {
        segments_.emplace_back();
        continue;
      }
      Word word;
      word.text = options_.arguments[i];
      word.at.assign(word.text.size(), static_cast<std::uint32_t>(i));
      word.begin = static_cast<std::uint32_t>(i);
      word.end = word.begin + 1;
      segments_.back().push_back(std::move(word));
    }
  }

  // ---- components
  // --------------------------------------------------------------------------------

  void components() {
    const auto count = std::max<std::size_t>(directives_.components, segments_.size());
    for (std::size_t index = 0; index < count; ++index) {
      component_ = static_cast<std::uint32_t>(index);
      reset_for_component(*settings_);
      read_slurm();
      if (settings_->number[row_of("ignore-pbs")].value_or(0) == 0)
        read_foreign();
      else
        ignore_foreign();
      read_environment();
      read_arguments(segments_[std::min(index, segments_.size() - 1)]);
      finish_component();
    }
    if (header_.components.size() > 1)
      for (const auto& component : header_.components)
        if (const auto array = component.winner.find("array"); array != component.winner.end())
          refuse_controller(row_of("array"), "Invalid job array specification", component);
  }

  void read_slurm() {
    std::vector<Word> words;
    for (const auto& directive :
         std::ranges::equal_range(directives_.slurm, component_, {}, &Directive::component)) {
      open_line(directive);
      if (directive.sentinel == "#SLURM")
        warn("Slurm reads #SLURM as #SBATCH, and complains about it",
             {directive.line, span(directive.begin, directive.end)});
      if (!fatal_words(directive))
        words.insert(words.end(), directive.words.words.begin(), directive.words.words.end());
    }
    read_words(words, Origin::script);
  }

  void open_line(const Directive& directive) {
    DirectiveLine line{.line = directive.line,
                       .span = span(directive.begin, directive.end),
                       .sentinel = std::string(directive.sentinel),
                       .comment = {},
                       .hetjob = directive.hetjob,
                       .uses = {}};
    if (directive.words.comment)
      line.comment = span(*directive.words.comment, directive.end);
    line_index_.emplace(line.line, header_.lines.size());
    header_.lines.push_back(std::move(line));
    if (directive.words.ignored && !directive.hetjob)
      warn("an empty word ends the line: Slurm does not read what follows it",
           {directive.line, span(*directive.words.ignored, directive.end)});
    for (const auto& word : directive.words.words)
      if (word.cut_off)
        warn(fmt::format("an unquoted # starts a comment inside a word too: Slurm reads `{}` and "
                         "ignores `{}`; quote it or write \\#",
                         word.text, *word.cut_off),
             place(word));
  }

  bool fatal_words(const Directive& directive) {
    if (!directive.words.error)
      return false;
    refuse(directive.words.error->message,
           {directive.line, span(directive.words.error->begin, directive.words.error->end)});
    return true;
  }

  // ---- words to options
  // --------------------------------------------------------------------------

  [[nodiscard]] Getopt getopt_of(std::span<const Word> words) const {
    if (of_release_) {
      return {*of_release_, &plugin_options(), words};
    }
    return {reference_options(), further_ ? &further_options() : nullptr, words};
  }

  void read_words(std::span<const Word> words, Origin origin) {
    Getopt getopt = getopt_of(words);
    bool stray = false;
    while (true) {
      auto step = getopt.next();
      if (auto* found = std::get_if<FoundOption>(&step)) {
        found->id = present_row(found->id);
        use_option(*found, words, origin);
      } else if (const auto* error = std::get_if<OptionError>(&step)) {
        option_error(*error, words, origin);
      } else if (const auto* word = std::get_if<StrayWord>(&step)) {
        if (origin == Origin::command_line)
          return; // the script's name and its arguments
        if (!std::exchange(stray, true))
          refuse(fmt::format("Invalid directive found in batch script: {}", words[word->word].text),
                 place(words[word->word]));
      } else {
        return;
      }
    }
  }

  void option_error(const OptionError& error, std::span<const Word> words, Origin origin) {
    const auto placed = place(words[error.word]);
    refuse(error.message, placed);
    if (error.fault == OptionFault::unknown)
      explain_unknown(error, words, placed);
    if (error.fault == OptionFault::ambiguous)
      return;
    // It stands in the list all the same, so that whoever goes on in spite of it can say so.
    OptionUse use;
    use.name = error.name.substr(error.name.starts_with("--") ? 2 : 1);
    use.spelling = error.name;
    if (const auto equals = words[error.word].text.find('=');
        equals != std::string::npos && error.name.starts_with("--"))
      use.value = words[error.word].text.substr(equals + 1);
    use.span = placed.span;
    use.origin = origin;
    use.line = placed.line;
    use.component = component_;
    use.cut_off = words[error.word].cut_off;
    add_use(std::move(use));
  }

  void explain_unknown(const OptionError& error, std::span<const Word> words,
                       const Placed& placed) {
    if (!error.name.starts_with("--")) {
      suggest_two_dashes(words[error.word].text, placed);
      return;
    }
    const auto name = std::string_view(error.name).substr(2);
    const auto* known = find_option(name);
    if (known != nullptr && !known->until.empty() && !known->same_as.empty())
      warn(fmt::format("--{} was removed in Slurm {}; it is --{} now", name, known->until,
                       known->same_as),
           placed, renamed(placed, error.name, known->same_as));
    else if (known != nullptr && !known->until.empty())
      warn(fmt::format("--{} was removed in Slurm {}", name, known->until), placed);
    else if (known != nullptr && (known->program == "srun" || known->program == "salloc"))
      warn(fmt::format("--{} is an option of {}, not of sbatch", name, known->program), placed);
    else if (const auto similar = similar_option(name); !similar.empty())
      warn(fmt::format("there is no --{}; did you mean --{}?", name, similar), placed,
           renamed(placed, error.name, similar));
  }

  std::size_t add_use(OptionUse use) {
    const auto index = header_.uses.size();
    if (const auto line = line_index_.find(use.line); line != line_index_.end())
      header_.lines[line->second].uses.push_back(index);
    header_.uses.push_back(std::move(use));
    return index;
  }

  [[nodiscard]] OptionUse describe(const FoundOption& found, std::span<const Word> words,
                                   Origin origin) const {
    const auto& first = words[found.option.word];
    const auto& last = words[found.last_word];
    OptionUse use;
    use.spelling = found.spelling;
    use.value = found.value;
    use.origin = origin;
    use.line = first.line;
    use.component = component_;
    use.cut_off = last.cut_off;
    if (first.line == 0) {
      use.span = argument_span(first);
      use.value_span = found.argument ? argument_span(last) : Span{};
      return use;
    }
    const auto begin = found.option.byte == 0 ? first.begin : first.at[found.option.byte];
    use.span = span(begin, last.end);
    if (found.argument) {
      const auto& word = words[found.argument->word];
      const auto at = found.argument->byte;
      use.value_span = span(at == 0 ? word.begin : word.at[at - 1] + 1, word.end);
    } else if (found.option.byte != 0 || found.spelling.size() == 2) {
      // One letter of a bundle.
      const auto letter = found.option.byte == 0 ? std::size_t{1} : found.option.byte;
      use.span = span(begin, first.at[letter] + 1);
    }
    return use;
  }

  void use_option(const FoundOption& found, std::span<const Word> words, Origin origin) {
    auto use = describe(found, words, origin);
    use.name = canonical_name(found.id);
    const auto placed = place(words[found.option.word]);
    const auto& option = option_at(found.id);
    const auto index = add_use(std::move(use));
    comment_on(found, header_.uses[index], placed);
    if (option.value == OptionValue::user || option.value == OptionValue::group)
      warn(fmt::format("sbatch refuses --{} from anyone but root", option.name), placed);
    if (option.early.value_or(false)) {
      // The early pass has given them their values.
      if (origin == Origin::command_line)
        early_option(found.id, index);
      else
        warn(fmt::format("--{} has no effect in a script: sbatch obeys it on its command line only",
                         option.name),
             placed);
      return;
    }
    if (!give(found.id, found.value, index, placed))
      suggest_two_dashes(words[found.option.word].text, placed);
  }

  // -mem=4G is -m with the value em=4G.
  void suggest_two_dashes(std::string_view word, const Placed& placed) {
    if (!word.starts_with('-') || word.starts_with("--"))
      return;
    word.remove_prefix(1);
    const auto name = word.substr(0, word.find('='));
    if (name.size() > 1 && find_option(name) != nullptr)
      warn(fmt::format("a long option begins with two dashes: --{}", word), placed);
  }

  // What Slurm says nothing about, but a reader may like to know.
  void comment_on(const FoundOption& found, const OptionUse& use, const Placed& placed) {
    const auto& option = option_at(found.id);
    if (option.program == OptionProgram::plugin)
      warn(fmt::format("--{} is an option of the plugin {}; sbatch refuses it where that is not "
                       "installed",
                       option.name, option.plugin.value_or("")),
           placed);
    else if (found.further)
      warn(fmt::format("--{} needs Slurm {} or newer", option.name, option.since.value_or("")),
           placed);
    if (!use.value)
      return;
    const std::string_view value = *use.value;
    if (use.origin == Origin::script && (value.contains("${") || value.contains("$(") ||
                                         value.contains('`') || has_variable(value)))
      warn(fmt::format("Slurm expands nothing in a directive: --{} is `{}` as it stands",
                       option.name, value),
           placed);
    if (use.spelling.size() == 2 && value.starts_with('=') && use.origin != Origin::environment)
      warn(fmt::format("a short option takes no `=`: the value is `{}`", value), placed);
    if (use.spelling == "--tasks")
      warn("--tasks was an option once; now it is short for --tasks-per-node", placed);
    if (option.value == OptionValue::mail_type)
      for (const auto word : unknown_mail_types(value))
        warn(fmt::format("Slurm drops `{}` from --mail-type without a word", word), placed);
  }

  static bool has_variable(std::string_view value) {
    for (auto at = value.find('$'); at != std::string_view::npos; at = value.find('$', at + 1))
      if (at + 1 < value.size() && (is_alpha(value[at + 1]) || value[at + 1] == '_'))
        return true;
    return false;
  }

  void early_option(std::size_t row, std::size_t use) {
    const auto name = option_at(row).name;
    if (name == "help" || name == "usage" || name == "version")
      warn(fmt::format("sbatch --{} prints and submits nothing", name), {});
    else
      winners_[row] = use;
  }

  bool give(std::size_t row, const std::optional<std::string>& value, std::size_t use,
            const Placed& placed) {
    const auto state = state_row(row);
    if (const auto& option = option_at(state);
        option.value == OptionValue::gres && value &&
        (same_word(*value, "help") || same_word(*value, "list"))) {
      warn("--gres=help prints a list and submits nothing", placed);
      return true;
    }
    const auto given =
        apply(*settings_, row,
              {.value = value ? std::optional<std::string_view>(*value) : std::nullopt,
               .by_environment = false,
               .part = SwitchPart::whole});
    if (!given) {
      refuse(given.error(), placed);
      return false;
    }
    winners_[state] = use;
    return true;
  }

  // ---- #PBS and #BSUB
  // ----------------------------------------------------------------------------

  void read_foreign() {
    // Of the two only one is read.
    const auto dialect = directives_.bsub.empty() ? Dialect::PBS : Dialect::BSUB;
    auto& read = dialect == Dialect::BSUB ? directives_.bsub : directives_.pbs;
    std::vector<Word> words;
    for (const auto& directive : read) {
      if (component_ == 0)
        open_line(directive);
      if (fatal_words(directive))
        continue;
      for (auto word : directive.words.words) {
        // bsub spells one long option with a single dash; sbatch looks at every other word for it.
        if (dialect == Dialect::BSUB && words.size() % 2 == 0 && word.text == "-cwd") {
          word.text = "-c";
          word.at.resize(2);
        }
        words.push_back(std::move(word));
      }
    }
    if (dialect == Dialect::BSUB && component_ == 0)
      ignore(directives_.pbs, "Slurm reads no #PBS line where there is a #BSUB line");
    read_foreign_words(dialect, words);
  }

  void read_foreign_words(Dialect dialect, std::span<const Word> words) {
    Getopt getopt(foreign_options(dialect), nullptr, words);
    while (true) {
      const auto step = getopt.next();
      if (const auto* found = std::get_if<FoundOption>(&step)) {
        use_foreign(*found, words);
      } else if (const auto* error = std::get_if<OptionError>(&step)) {
        refuse(error->message, place(words[error->word]));
        return;
      } else if (const auto* word = std::get_if<StrayWord>(&step)) {
        refuse(fmt::format("Invalid argument: {}", words[word->word].text),
               place(words[word->word]));
        return;
      } else {
        return;
      }
    }
  }

  void use_foreign(const FoundOption& found, std::span<const Word> words) {
    const auto& row = tables::foreign_directives[found.id];
    const auto placed = place(words[found.option.word]);
    auto written = describe(found, words, Origin::pbs);
    written.value.reset(); // a resource list would be copied once for each of its items
    bool any = false;
    const auto refused = translate(found.id, found.value, *settings_,
                                   [&](std::size_t option, std::optional<std::string> value) {
                                     any = true;
                                     auto use = written;
                                     use.name = canonical_name(option);
                                     use.value = value;
                                     const auto index = add_use(std::move(use));
                                     return give(option, value, index, placed);
                                   });
    if (refused)
      refuse(*refused, placed);
    if (any)
      return;
    auto use = written;
    use.name = fmt::format("{} -{}", to_string(row.dialect), row.short_);
    use.value = found.value;
    add_use(std::move(use));
  }

  void ignore_foreign() {
    if (component_ != 0)
      return;
    ignore(directives_.pbs, "--ignore-pbs tells Slurm not to read #PBS lines");
    ignore(directives_.bsub, "--ignore-pbs tells Slurm not to read #BSUB lines");
  }

  void ignore(const std::vector<Directive>& lines, std::string_view why) {
    for (const auto& directive : lines)
      header_.inert.push_back({.line = directive.line,
                               .text = std::string(script_.line(directive.line)),
                               .why = std::string(why),
                               .span = span(directive.begin, directive.end)});
  }

  // ---- variables and the command line
  // ------------------------------------------------------------

  // sbatch goes over its command line once before it reads the script. What it finds there counts
  // only where nothing takes it back before the second time: --ignore-pbs is the case that shows.
  void early_pass() {
    read_variable(tables::sbatch_variables.front());
    std::vector<Word> words;
    for (const auto& segment : segments_)
      words.insert(words.end(), segment.begin(), segment.end());
    Getopt getopt = getopt_of(words);
    while (true) {
      const auto step = getopt.next();
      if (const auto* found = std::get_if<FoundOption>(&step)) {
        const auto value =
            found->value ? std::optional<std::string_view>(*found->value) : std::nullopt;
        const auto given = apply(*settings_, present_row(found->id),
                                 {.value = value, .by_environment = true, .part = {}});
        if (!given)
          refuse(given.error(), place(words[found->option.word]));
      } else if (const auto* error = std::get_if<OptionError>(&step)) {
        refuse(error->message, place(words[error->word]));
      } else {
        return; // the script's name, or the end
      }
    }
  }

  void read_environment() {
    for (std::size_t i = 1; i < tables::sbatch_variables.size(); ++i)
      read_variable(tables::sbatch_variables[i]);
  }

  void read_variable(const tables::SbatchVariablesRow& variable) {
    const auto found = environment_.find(std::string(variable.name));
    if (found == environment_.end())
      return;
    const auto row = find_row(variable.option);
    if (!further_ && option_at(row).since.value_or("") > options_.release)
      return;
    const auto part = static_cast<SwitchPart>(variable.part);
    const auto given =
        apply(*settings_, row, {.value = found->second, .by_environment = true, .part = part});
    OptionUse use;
    use.name = canonical_name(row);
    use.spelling = variable.name;
    use.value = found->second;
    use.origin = Origin::environment;
    use.component = component_;
    const auto index = add_use(std::move(use));
    if (!given)
      refuse(given.error(), {});
    else if (settings_->set[state_row(row)])
      winners_[state_row(row)] = index;
  }

  void read_arguments(std::span<const Word> words) { read_words(words, Origin::command_line); }

  // ---- the component's end
  // -----------------------------------------------------------------------

  void finish_component() {
    auto verdict = verify(*settings_, surroundings_);
    for (auto& warning : verdict.warnings)
      warn(std::move(warning), {});
    report(verdict);
    Component component;
    for (std::size_t row = 0; row < option_count; ++row) {
      if (!settings_->set[row])
        continue;
      const auto& option = option_at(row);
      component.effective.emplace(option.name, show(*settings_, row, options_.now));
      if (const auto winner = winners_.find(row); winner != winners_.end()) {
        component.winner.insert_or_assign(std::string(option.name), winner->second);
        component.winner.emplace(canonical_name(row), winner->second);
      }
    }
    auto request = gres_request(*settings_);
    // sbatch puts a hint into its environment, where a later component finds it.
    if (const auto& hint = settings_->text[row_of("hint")]; hint && !verdict.refused)
      environment_["SLURM_HINT"] = *hint;
    if (!verdict.refused) {
      report(check_early_files(*settings_, surroundings_));
      report(check_limits(*settings_));
      if (settings_->distribution && settings_->distribution->layout == "arbitrary" &&
          !settings_->text[row_of("nodelist")])
        refuse("With Arbitrary distribution you need to specify a nodelist or hostfile with the "
               "-w option",
               winner_place(row_of("distribution")));
      report(check_gres(*settings_, surroundings_, request));
      report(check_files(*settings_, surroundings_));
    }
    if (const auto& names = settings_->text[row_of("export")]; names && !same_word(*names, "ALL"))
      settings_->user_env_seconds = 0;
    resolve(component, *settings_, request, surroundings_,
            [this](std::size_t row) { return written_value(row); });
    const bool heterogeneous = directives_.components > 1 || segments_.size() > 1;
    for (auto& refusal : controller_refusals(*settings_, heterogeneous))
      refuse_controller(refusal.row, std::move(refusal.message), component);
    header_.components.push_back(std::move(component));
  }

  void report(const Verdict& verdict) {
    if (verdict.refused)
      refuse(*verdict.refused, verdict.culprit ? winner_place(*verdict.culprit) : Placed{});
  }

  void refuse_controller(std::size_t row, std::string message, const Component& component) {
    Placed placed;
    if (const auto winner = component.winner.find(std::string(option_at(row).name));
        winner != component.winner.end())
      placed = {header_.uses[winner->second].line, header_.uses[winner->second].span};
    refuse(std::move(message), placed, true);
  }

  // The value of an option in force as the user wrote it.
  [[nodiscard]] std::string written_value(std::size_t row) const {
    const auto winner = winners_.find(row);
    return winner == winners_.end() ? "" : header_.uses[winner->second].value.value_or("");
  }

  [[nodiscard]] Placed winner_place(std::size_t row) const {
    const auto winner = winners_.find(row);
    if (winner == winners_.end())
      return {};
    const auto& use = header_.uses[winner->second];
    return {use.line, use.span};
  }

  // A use is overridden where no component's winner is it. Mail types add up, and so does -v.
  void mark_overridden() {
    std::vector<bool> wins(header_.uses.size());
    std::set<std::string_view> won;
    for (const auto& component : header_.components)
      for (const auto& [name, use] : component.winner) {
        wins[use] = true;
        won.insert(name);
      }
    for (std::size_t i = 0; i < header_.uses.size(); ++i) {
      auto& use = header_.uses[i];
      const bool known = find_option(use.name) != nullptr;
      const bool adds_up = use.name == "mail-type";
      use.overridden = known && !adds_up && !wins[i] && won.contains(use.name);
    }
  }

  const source::Source& script_;
  const ReadOptions& options_;
  std::optional<OptionSet> of_release_; // of the site's own release
  std::map<std::string, std::string> environment_;
  bool further_;
  Surroundings surroundings_;
  Directives directives_;
  std::vector<std::vector<Word>> segments_;
  Header header_;
  std::unique_ptr<Settings> settings_ = std::make_unique<Settings>(); // too large for the stack
  std::map<std::size_t, std::size_t> winners_;                        // by row, into uses
  std::unordered_map<std::uint32_t, std::size_t> line_index_;         // by line number, into lines
  std::set<std::pair<std::uint32_t, std::string>> said_;
  std::uint32_t component_ = 0;
};

} // namespace

static_assert(static_cast<int>(tables::SbatchVariablesPart::whole) ==
                  static_cast<int>(SwitchPart::whole) &&
              static_cast<int>(tables::SbatchVariablesPart::wait) ==
                  static_cast<int>(SwitchPart::wait));

bool Header::accepted() const { return std::ranges::all_of(rejections, &Rejection::by_controller); }

Header read_header(const source::Source& script, const ReadOptions& options) {
  return HeaderReader(script, options).run();
}

} // namespace s2f::slurm
