// A driver that cannot be said in Python runs as it was: each sbatch in it only
// notes what it would have submitted, and `main` calls the tasks.
//
// before:  for f in $(ls data | grep -v old); do sbatch train.sh "$f"; done
// after:   a job of its own: for f in $(ls data | grep -v old); do submit 1
// train.sh "$f"; done
//          Driver::plan: what `submit 1` notes is a call of train
#include "passes/driver_plan.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/secrets.hpp"
#include "analysis/walk.hpp"

namespace s2f::passes {

namespace {

namespace terms = ir::terms;
using ir::Term;
using Kind = Term::Kind;
using Type = Term::Type;
using review::Disposition;

std::string base_name(std::string_view path) {
  return std::string(path.substr(path.find_last_of('/') + 1));
}

// The place behind a statement is not in it.
bool holds(const Span& statement, const Span& span) {
  return statement.contains(span) && !(span.size() == 0 && span.end == statement.end);
}

bool is_variable(std::string_view name) {
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
         std::ranges::all_of(name,
                             [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

// `sbatch` as a word of text that is copied: what is called is `submit` now, in
// messages as well.
void rename_command(std::string& text, std::size_t from) {
  static constexpr std::string_view old = "sbatch";
  const auto joins = [&](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 ||
                                std::string_view("_-./=${").contains(text[at]));
  };
  for (auto at = text.find(old, from); at != std::string::npos; at = text.find(old, at + 1)) {
    if ((at == 0 || !joins(at - 1)) && !joins(at + old.size())) {
      text.replace(at, old.size(), "submit");
    }
  }
}

// TOKEN of $TOKEN, ${TOKEN} and ${TOKEN:-x}; "" of anything else.
std::string secret_in(const shell::WordPart& part) {
  const auto* parameter = std::get_if<shell::Parameter>(&part.value);
  return parameter != nullptr && !parameter->length && !parameter->indirect &&
                 analysis::names_secret(parameter->name)
             ? parameter->name
             : "";
}

bool holds_secret(const std::vector<shell::WordPart>& parts) {
  return std::ranges::any_of(parts, [](const shell::WordPart& part) {
    const auto* quoted = std::get_if<shell::DoubleQuoted>(&part.value);
    return quoted != nullptr ? holds_secret(quoted->parts) : !secret_in(part).empty();
  });
}

// %4 at the end of --array=1-$N%4, with the quotes behind it; "" where nothing stands there.
std::string throttle_of(std::string_view text) {
  while (!text.empty() && (text.back() == '"' || text.back() == '\'')) {
    text.remove_suffix(1);
  }
  const auto percent = text.rfind('%');
  if (percent == std::string_view::npos ||
      text.find_first_of(")}`", percent) != std::string_view::npos) {
    return "";
  }
  return std::string(text.substr(percent));
}

// The text before the first part that is not literal.
std::string literal_start(const shell::Word& word) {
  std::string text;
  for (const shell::WordPart& part : word.parts) {
    if (const auto* literal = std::get_if<shell::Literal>(&part.value)) {
      text += literal->value;
    } else if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&part.value)) {
      for (const shell::WordPart& inner : quoted->parts) {
        const auto* plain = std::get_if<shell::Literal>(&inner.value);
        if (plain == nullptr) {
          return text;
        }
        text += plain->value;
      }
    } else {
      return text;
    }
  }
  return text;
}

} // namespace

std::string plain_name(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      continue;
    }
    if (c == '$' && i + 1 < text.size() && text[i + 1] == '{') {
      const auto end = text.find('}', i);
      if (end != std::string_view::npos) {
        out += '$';
        out += text.substr(i + 2, end - i - 2);
        i = end;
        continue;
      }
    }
    out += c;
  }
  for (const std::string_view here : {"./", "$PWD/", "$(pwd)/", "`pwd`/"}) {
    if (out.starts_with(here)) {
      return out.substr(here.size());
    }
  }
  return out;
}

DriverPlanner::DriverPlanner(DriverReader& reader)
    : reader_(reader), context_(reader.context_), driver_(reader.driver_) {}

// Its own `submit` would stand before the program of that name.
static bool defines_submit(const shell::Script& script) {
  bool found = false;
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& statement) {
    const auto* function = std::get_if<shell::Function>(&statement.value);
    const auto* command = shell::as_simple(statement);
    found |= function != nullptr && function->name == "submit";
    found |= command != nullptr && analysis::command_name(*command) == "alias";
  };
  for (const shell::Statement& statement : script.statements) {
    analysis::walk(statement, visitor);
  }
  return found;
}

bool DriverPlanner::run() {
  // What the reading came to does not stand.
  driver_.steps.clear();
  driver_.submissions.clear();
  driver_.parameters.clear();
  driver_.not_carried.clear();
  reader_.settlements_.clear();
  look_around();
  if (defines_submit(*driver_.script)) {
    driver_.not_lifted->text = "it has a function of the name that notes what it submits";
    return false;
  }
  if (asks_) {
    driver_.not_lifted->text = "it asks whoever runs it";
    return false;
  }
  if (later_) {
    driver_.not_lifted->text = "it starts jobs at another time (at), once, which no trigger does";
    return false;
  }
  find_constants();
  find_exported();
  find_lines();
  for (const shell::Statement& statement : driver_.script->statements) {
    find_writers(statement);
  }
  find_blocks();
  find_sites();
  merge_writers();
  find_changes();
  leave_modules_out();
  edit_slurm_commands();
  ir::Submission own;
  own.span = Span{driver_.source, 0, 0};
  driver_.submissions.push_back(std::move(own)); // the driver's own run
  for (const Site& site : sites_) {
    if (!note(site)) {
      return false;
    }
  }
  if (std::ranges::all_of(plan_.sites, [](const auto& site) { return site.candidates.empty(); })) {
    return false;
  }
  return make_job();
}

// Variables that get one value, in a statement that runs whatever happens.
void DriverPlanner::find_constants() {
  static constexpr std::array setters{"read",   "readarray", "mapfile", "getopts",
                                      "printf", "let",       "unset"};
  std::map<std::string, int> writes;
  analysis::Visitor visitor;
  visitor.assignment = [&](const shell::Assignment& each) { ++writes[each.name]; };
  visitor.statement = [&](const shell::Statement& each) {
    if (const auto* loop = std::get_if<shell::For>(&each.value)) {
      writes[loop->variable] += 2;
    } else if (const auto* arithmetic = std::get_if<shell::ArithmeticCommand>(&each.value)) {
      for (const std::string& name : arithmetic->arithmetic.variables) {
        writes[name] += 2;
      }
    } else if (const auto* command = shell::as_simple(each)) {
      const auto name = analysis::command_name(*command);
      if (name && std::ranges::find(setters, *name) != setters.end()) {
        for (const shell::Word& word : command->words) {
          const auto text = word.literal().value_or("");
          writes[text.substr(0, text.find_first_of("+-=*"))] += 2;
        }
      }
    }
  };
  visitor.part = [&](const shell::WordPart& part) {
    if (const auto* arithmetic = std::get_if<shell::Arithmetic>(&part.value);
        arithmetic != nullptr && arithmetic->assigns) {
      for (const std::string& name : arithmetic->variables) {
        writes[name] += 2;
      }
    }
  };
  for (const shell::Statement& statement : driver_.script->statements) {
    analysis::walk(statement, visitor);
    if (analysis::effects_of(statement).anything) { // eval, or a file that is sourced
      return;
    }
  }
  for (const shell::Statement& statement : driver_.script->statements) {
    const auto* command = shell::as_simple(statement);
    if (command == nullptr || statement.background) {
      continue;
    }
    const auto& list = command->words.empty() ? command->assignments : command->declared;
    for (const shell::Assignment& each : list) {
      const auto value = each.value && !each.append && !each.subscript && writes[each.name] == 1
                             ? constant(*each.value)
                             : std::nullopt;
      if (value && !only_modules(*value)) {
        constants_[each.name] = *value;
      }
    }
  }
}

// Variables that the driver puts into the environment of what it submits.
void DriverPlanner::find_exported() {
  bool all = false;
  std::set<std::string> assigned;
  analysis::Visitor visitor;
  visitor.assignment = [&](const shell::Assignment& each) { assigned.insert(each.name); };
  visitor.statement = [&](const shell::Statement& each) {
    const auto* command = shell::as_simple(each);
    if (command == nullptr || command->words.empty()) {
      return;
    }
    const auto name = analysis::command_name(*command);
    const auto option = command->words.size() > 1 ? command->words[1].literal() : std::nullopt;
    if (name == "export" || ((name == "declare" || name == "typeset") && option == "-x")) {
      for (const shell::Assignment& declared : command->declared) {
        exported_.insert(declared.name);
      }
      for (const shell::Word& word : command->words) {
        if (const auto text = word.literal(); text && is_variable(*text)) {
          exported_.insert(*text);
        }
      }
    }
    all |= name == "set" && (option == "-a" || option == "-o");
    if (const auto at = sbatch_in(*command)) {
      for (const shell::Assignment& before : command->assignments) {
        exported_.insert(before.name);
      }
      for (std::size_t i = 1; i < *at; ++i) { // env NAME=VALUE sbatch
        const auto text = command->words[i].literal().value_or("");
        if (const auto equals = text.find('='); is_variable(text.substr(0, equals))) {
          exported_.insert(text.substr(0, equals));
        }
      }
    }
  };
  for (const shell::Statement& statement : driver_.script->statements) {
    analysis::walk(statement, visitor);
  }
  if (all) {
    exported_.merge(assigned);
  }
  exported_.erase("export");
}

std::optional<std::string>
DriverPlanner::constant(const std::vector<shell::WordPart>& parts) const {
  std::string text;
  for (const shell::WordPart& part : parts) {
    if (const auto* literal = std::get_if<shell::Literal>(&part.value);
        literal != nullptr && !literal->globs) {
      text += literal->value;
    } else if (const auto* single = std::get_if<shell::SingleQuoted>(&part.value)) {
      text += single->value;
    } else if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&part.value)) {
      const auto inner = constant(quoted->parts);
      if (!inner) {
        return std::nullopt;
      }
      text += *inner;
    } else if (const auto* parameter = std::get_if<shell::Parameter>(&part.value);
               parameter != nullptr && parameter->op.empty() && !parameter->length &&
               !parameter->indirect && !parameter->subscript &&
               constants_.contains(parameter->name)) {
      text += constants_.at(parameter->name);
    } else {
      return std::nullopt;
    }
  }
  return text;
}

std::optional<std::string> DriverPlanner::constant(const shell::Word& word) const {
  return constant(word.parts);
}

// ---- texts of job scripts
// --------------------------------------------------------------------

void DriverPlanner::add_text(Text& to, const std::vector<shell::WordPart>& parts, bool unescape) {
  for (const shell::WordPart& part : parts) {
    const auto text = [&](const std::string& value) {
      to.file.pieces.push_back({terms::text(unescape ? unescaped(value) : value), part.span});
    };
    if (const auto* literal = std::get_if<shell::Literal>(&part.value)) {
      text(literal->value);
    } else if (const auto* single = std::get_if<shell::SingleQuoted>(&part.value)) {
      text(single->value);
    } else if (const auto* ansi = std::get_if<shell::AnsiQuoted>(&part.value)) {
      to.file.pieces.push_back({terms::text(ansi->value), part.span});
    } else if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&part.value)) {
      add_text(to, quoted->parts, unescape);
    } else if (const std::string secret = secret_in(part); !secret.empty()) {
      text("${" + secret + "}"); // the job reads it itself
    } else if (const auto known = constant({part})) {
      to.file.pieces.push_back({terms::text(*known), {}});
    } else {
      const std::string written(context_.sources.text(part.span));
      const auto* parameter = std::get_if<shell::Parameter>(&part.value);
      const bool plain = parameter != nullptr && parameter->op.empty() && !parameter->length &&
                         !parameter->indirect && !parameter->subscript &&
                         is_variable(parameter->name);
      const auto same =
          std::ranges::find(to.values, written, &std::pair<std::string, std::string>::second);
      std::string name = same != to.values.end() && plain ? same->first
                         : plain                          ? parameter->name
                                                          : fmt::format("VALUE{}", ++unnamed_);
      to.file.pieces.push_back({terms::name(name, Type::text), part.span});
      if (same == to.values.end() || !plain) {
        to.values.emplace_back(std::move(name), written);
      }
    }
  }
}

void DriverPlanner::add_word(Text& to, const shell::Word& word, bool unescape) {
  add_text(to, word.parts, unescape);
}

// What echo, printf or cat <<EOF print.
std::optional<DriverPlanner::Text> DriverPlanner::printed(const shell::Statement& statement) {
  const auto* command = shell::as_simple(statement);
  if (command == nullptr || command->words.empty() || !command->assignments.empty() ||
      statement.background) {
    return std::nullopt;
  }
  const auto name = analysis::command_name(*command);
  Text text;
  if (name == "cat") {
    for (const shell::Redirect& redirect : statement.redirects) {
      if (redirect.kind == shell::RedirectKind::heredoc && command->words.size() == 1) {
        add_text(text, redirect.heredoc_parts, false);
        return text;
      }
    }
    return std::nullopt;
  }
  const bool format = name == "printf";
  if (name != "echo" && (!format || command->words.size() != 2)) {
    return std::nullopt;
  }
  std::size_t first = 1;
  bool newline = !format;
  bool escapes = format;
  for (; !format && first < command->words.size(); ++first) {
    const auto word = command->words[first].literal();
    if (!word || word->size() < 2 || (*word)[0] != '-' ||
        word->find_first_not_of("neE", 1) != std::string::npos) {
      break;
    }
    newline &= word->find('n') == std::string::npos;
    escapes |= word->find('e') != std::string::npos;
  }
  if (format && literal_start(command->words[1]).find('%') != std::string::npos) {
    return std::nullopt;
  }
  for (std::size_t i = first; i < command->words.size(); ++i) {
    if (i > first) {
      text.file.pieces.push_back({terms::text(" "), {}});
    }
    add_word(text, command->words[i], escapes);
  }
  if (newline) {
    text.file.pieces.push_back({terms::text("\n"), {}});
  }
  return text;
}

void DriverPlanner::add_writer(const shell::Statement& statement,
                               const std::vector<shell::Statement>& printers,
                               const shell::Redirect& to) {
  Writer writer;
  writer.span = statement.span;
  writer.target = std::string(context_.sources.text(to.target.span));
  writer.append = to.kind == shell::RedirectKind::append;
  for (const shell::Statement& each : printers) {
    auto text = printed(each);
    if (!text) {
      return;
    }
    writer.text.file.pieces.insert(writer.text.file.pieces.end(), text->file.pieces.begin(),
                                   text->file.pieces.end());
    writer.text.values.insert(writer.text.values.end(), text->values.begin(), text->values.end());
  }
  writer.empty = printers.empty();
  writers_.push_back(std::move(writer));
}

void DriverPlanner::find_writers(const shell::Statement& statement) {
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& each) {
    const bool inside = std::ranges::any_of(
        writers_, [&](const Writer& writer) { return writer.span.contains(each.span); });
    const shell::Redirect* to = nullptr;
    for (const shell::Redirect& redirect : each.redirects) {
      const bool output = redirect.kind == shell::RedirectKind::output ||
                          redirect.kind == shell::RedirectKind::append ||
                          redirect.kind == shell::RedirectKind::clobber;
      if (output && redirect.descriptor.value_or(1) == 1) {
        to = &redirect;
      }
    }
    const auto* simple = shell::as_simple(each);
    if (!inside && simple != nullptr && !each.background) {
      add_program_that_writes(each, *simple);
    }
    if (inside || to == nullptr || to->target.literal() == "/dev/null" || each.background) {
      return;
    }
    if (const auto* group = std::get_if<shell::Group>(&each.value)) {
      add_writer(each, group->body, *to);
    } else if (const auto* command = shell::as_simple(each)) {
      const bool nothing = command->assignments.empty() &&
                           (command->words.empty() || analysis::command_name(*command) == ":");
      add_writer(each, nothing ? std::vector<shell::Statement>{} : std::vector{each}, *to);
    }
  };
  analysis::walk(statement, visitor);
}

// tee -a FILE <<EOF; touch FILE, which is not there when the driver begins.
void DriverPlanner::add_program_that_writes(const shell::Statement& statement,
                                            const shell::SimpleCommand& command) {
  const auto name = analysis::command_name(command);
  if (name != "tee" && name != "touch") {
    return;
  }
  Writer writer;
  writer.span = statement.span;
  std::size_t at = 1;
  if (name == "tee" && command.words.size() > 1 && command.words[1].literal() == "-a") {
    writer.append = true;
    ++at;
  }
  if (command.words.size() != at + 1) {
    return;
  }
  writer.target = std::string(context_.sources.text(command.words[at].span));
  writer.empty = name == "touch";
  if (name == "tee") {
    const auto heredoc = std::ranges::find(statement.redirects, shell::RedirectKind::heredoc,
                                           &shell::Redirect::kind);
    if (heredoc == statement.redirects.end()) {
      return;
    }
    add_text(writer.text, heredoc->heredoc_parts, false);
  }
  writers_.push_back(std::move(writer));
}

void DriverPlanner::find_blocks() {
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& each) {
    const auto* choice = std::get_if<shell::If>(&each.value);
    const auto* cases = std::get_if<shell::Case>(&each.value);
    if (shell::as_simple(each) == nullptr) {
      const bool both = std::holds_alternative<shell::AndOr>(each.value) ||
                        std::holds_alternative<shell::Group>(each.value);
      blocks_.push_back({each.span, choice != nullptr || cases != nullptr || both});
    }
    for (std::size_t i = 0; choice != nullptr && i < choice->branches.size(); ++i) {
      blocks_.push_back({choice->branches[i].span, true});
    }
    for (std::size_t i = 0; cases != nullptr && i < cases->items.size(); ++i) {
      blocks_.push_back({cases->items[i].span, true});
    }
  };
  for (const shell::Statement& statement : driver_.script->statements) {
    analysis::walk(statement, visitor);
  }
}

// Nothing but blanks and comments stands between them.
bool DriverPlanner::next_to(const Span& before, const Span& after) const {
  const std::string_view text = context_.sources[driver_.source].text;
  if (after.begin < before.end) {
    return false;
  }
  bool comment = false;
  for (const char c : text.substr(before.end, after.begin - before.end)) {
    comment = c == '#' || (comment && c != '\n');
    if (!comment && std::isspace(static_cast<unsigned char>(c)) == 0 && c != ';') {
      return false;
    }
  }
  return true;
}

// Where the one runs, the other does; neither a submission nor a new value of
// what the first writes stands between them, so that both may be written when
// the second is.
bool DriverPlanner::together(const Writer& before, const Writer& after, bool maybe) const {
  const bool behind = before.span.size() == 0 && !before.parts.empty(); // a choice that was added
  const Span from = behind ? before.parts.back() : before.span;
  const Span between{from.source, from.begin, after.span.begin};
  const auto one_alone = [&](const Block& block) {
    return holds(block.span, before.span) != holds(block.span, after.span) &&
           !(before.span.contains(block.span) || after.span.contains(block.span));
  };
  const auto submitted = [&](const Site& site) {
    return between.begin <= site.statement->span.begin && site.statement->span.begin < between.end;
  };
  if (from.end > after.span.begin || std::ranges::any_of(sites_, submitted) ||
      (!maybe && std::ranges::any_of(blocks_, one_alone))) {
    return false;
  }
  const auto changes = [&](const std::string& name) {
    const auto writes = reader_.writes_.find(name);
    return writes != reader_.writes_.end() &&
           std::ranges::any_of(writes->second, [&](std::uint32_t at) {
             return at > between.begin && at <= between.end;
           });
  };
  return std::ranges::none_of(before.text.values, [&](const auto& value) {
    std::string name;
    bool changed = false;
    for (const char c : value.second + " ") { // every name in it
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
        name += c;
      } else {
        changed |= changes(std::exchange(name, {}));
      }
    }
    return changed;
  });
}

std::optional<Span> DriverPlanner::choice_of(const Writer& before, const Writer& after) const {
  std::optional<Span> outer;
  for (const Block& block : blocks_) {
    const bool first = holds(block.span, before.span);
    const bool second = holds(block.span, after.span);
    if (first == second || after.span.contains(block.span)) {
      continue;
    }
    if (first || !block.chooses) {
      return std::nullopt;
    }
    if (!outer || block.span.contains(*outer)) {
      outer = block.span;
    }
  }
  std::string text;
  for (const WrittenFile::Piece& piece : after.text.file.pieces) {
    text += terms::constant(piece.value).value_or("x");
  }
  // Whole statements, and none of the options that sbatch reads.
  int open = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    const auto begin = std::min(line.find_first_not_of(" \t"), line.size());
    const std::string word = line.substr(begin, line.find_first_of(" \t;(", begin) - begin);
    static constexpr std::array opens{"if", "for", "while", "until", "case"};
    static constexpr std::array closes{"fi", "done", "esac"};
    const bool on_one_line = line.find("; fi") != std::string::npos ||
                             line.find("; done") != std::string::npos ||
                             line.find("esac") != std::string::npos;
    open += std::ranges::find(opens, word) != opens.end() && !on_one_line ? 1 : 0;
    open -= std::ranges::find(closes, word) != closes.end() ? 1 : 0;
    const bool odd = open < 0 || line.starts_with("#SBATCH") || line.ends_with('\\') ||
                     line.find('{') != std::string::npos || line.find('}') != std::string::npos ||
                     line.find("<<") != std::string::npos ||
                     (open == 0 && (word == "else" || word == "elif" || word == "then"));
    if (odd) {
      return std::nullopt;
    }
    at = end + 1;
  }
  return open == 0 && text.ends_with('\n') && together(before, after, true) ? outer : std::nullopt;
}

void DriverPlanner::add_pieces(Writer& before, const Writer& after) {
  const auto& pieces = after.text.file.pieces;
  before.options |=
      !before.maybe.empty() && std::ranges::any_of(pieces, [](const WrittenFile::Piece& piece) {
        return terms::constant(piece.value).value_or("").contains("#SBATCH");
      });
  before.text.file.pieces.insert(before.text.file.pieces.end(), pieces.begin(), pieces.end());
  for (const auto& value : after.text.values) {
    if (std::ranges::find(before.text.values, value) == before.text.values.end()) {
      before.text.values.push_back(value);
    }
  }
  before.empty = false;
}

// if ...; then echo ... >> FILE; fi: lines of the script that it has where a
// variable says so.
void DriverPlanner::add_choice(Writer& before, Writer& after, const Span& choice) {
  const std::string name = fmt::format("PART{}", ++choices_);
  auto& pieces = before.text.file.pieces;
  pieces.push_back({terms::text("if [ -n \""), {}});
  pieces.push_back({terms::name(name, Type::text), after.span});
  pieces.push_back({terms::text("\" ]; then\n"), {}});
  const auto& added = after.text.file.pieces;
  const auto start = added.empty() ? std::nullopt : terms::constant(added.front().value);
  if (start && start->starts_with('#')) { // nothing else may stand there
    pieces.push_back({terms::text(":\n"), {}});
  }
  add_pieces(before, after);
  pieces.push_back({terms::text("fi\n"), {}});
  before.text.values.emplace_back(name, "$SUBMIT_" + name);
  before.maybe.emplace_back(after.span, "SUBMIT_" + name);
  if (!before.inserted || before.span.size() > 0) {
    before.parts.push_back(before.span);
  }
  before.span = {choice.source, choice.end, choice.end};
  before.inserted = true;
}

// Whether the second writes on where the first ended; if so, they are one.
bool DriverPlanner::join(Writer& before, Writer& after) {
  if (next_to(before.span, after.span)) {
    const bool nothing = before.span.size() == 0; // the place behind a choice
    before.span = {after.span.source, nothing ? after.span.begin : before.span.begin,
                   after.span.end};
    before.inserted &= !nothing;
    add_pieces(before, after);
    return true;
  }
  if (together(before, after, false)) {
    if (!before.inserted || before.span.size() > 0) {
      before.parts.push_back(before.span);
    }
    before.span = after.span;
    before.inserted = false;
    add_pieces(before, after);
    return true;
  }
  const auto choice = choice_of(before, after);
  if (choice) {
    add_choice(before, after, *choice);
  }
  return choice.has_value();
}

// Those that write one file, one behind another, are one.
void DriverPlanner::merge_writers() {
  std::ranges::sort(writers_, {}, [](const Writer& writer) { return writer.span.begin; });
  std::vector<Writer> merged;
  for (Writer& writer : writers_) {
    const auto before = std::find_if(merged.rbegin(), merged.rend(), [&](const Writer& other) {
      return plain_name(other.target) == plain_name(writer.target);
    });
    if (!writer.append || before == merged.rend() || !join(*before, writer)) {
      merged.push_back(std::move(writer));
    }
  }
  for (Writer& writer : merged) { // what begins a script begins its file
    const auto& pieces = writer.text.file.pieces;
    const auto first = pieces.empty() ? std::nullopt : terms::constant(pieces.front().value);
    writer.append &= !(first && first->starts_with("#!"));
    // A choice at the end would set the status of a job that has none there.
    writer.append |= writer.options || (writer.inserted && writer.span.size() == 0);
  }
  writers_ = std::move(merged);
}

// LOAD="module load bwa": there are no modules in a container, and a string
// holds none either.
void DriverPlanner::leave_modules_out() {
  analysis::Visitor visitor;
  visitor.assignment = [&](const shell::Assignment& each) {
    const auto text = each.value ? each.value->literal() : std::nullopt;
    if (!text || !only_modules(*text)) {
      return;
    }
    review::Finding finding;
    finding.rule = "S2F503";
    finding.span = each.span;
    finding.message = fmt::format("What the modules in ${} bring is not known here.", each.name);
    finding.slurm_does = "Whoever runs the text loads the modules.";
    finding.output_does = "The text does nothing; what they bring must be in the image.";
    finding.choices = {"not needed", "packages or an image that bring the same"};
    finding.default_ = finding.choices[0];
    context_.findings.add(std::move(finding));
    edits_.push_back({each.value->span, ":"});
  };
  for (const shell::Statement& statement : driver_.script->statements) {
    analysis::walk(statement, visitor);
  }
}

std::optional<std::size_t> DriverPlanner::load(const Text& text, const slurm::ReadOptions& read,
                                               const std::string& name, ir::Submission& submission,
                                               std::map<std::string, std::string>& values) {
  const auto job = reader_.load_written(text.file, read, name, submission);
  if (!job) {
    return std::nullopt;
  }
  for (const auto& [given, value] : submission.environment) {
    const auto source =
        std::ranges::find(text.values, value.text, &std::pair<std::string, std::string>::first);
    if (source != text.values.end()) {
      values[given] = source->second;
    }
  }
  return *job;
}

// ---- submissions
// -----------------------------------------------------------------------------

void DriverPlanner::find_sites() {
  for (const ir::Step& step : driver_.body) {
    if (step.statement == nullptr) {
      continue;
    }
    std::map<const shell::Statement*, const shell::Statement*> fed;
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& each) {
      if (const auto* line = std::get_if<shell::Pipeline>(&each.value)) {
        for (std::size_t i = 1; i < line->commands.size(); ++i) {
          fed[&line->commands[i]] = i == 1 ? &line->commands[0] : &each;
        }
      }
      const auto* command = shell::as_simple(each);
      if (const auto at = command == nullptr ? std::nullopt : sbatch_in(*command)) {
        const auto before = fed.find(&each);
        sites_.push_back({&each, before == fed.end() ? nullptr : before->second, step.entry, *at});
      }
    };
    analysis::walk(*step.statement, visitor);
  }
}

std::string DriverPlanner::place(const Span& span) {
  const std::string line = fmt::format("{}", context_.sources.begin(span).line);
  std::string name = line;
  for (char letter = 'b'; !places_.insert(name).second && letter <= 'z'; ++letter) {
    name = line + letter;
  }
  return name;
}

void DriverPlanner::read_option(const slurm::OptionInfo& info, const shell::Word& word,
                                std::optional<std::string> value, const Span& span, Call& call) {
  static constexpr std::array names{"job-name", "output",    "error", "comment", "mail-user",
                                    "wckey",    "mail-type", "quiet", "verbose", "parsable"};
  if (info.name == "wait" || info.name == "test-only") {
    call.why = fmt::format("--{}", info.name);
  } else if (info.name == "dependency") {
    waits_for_whole(span);
    reader_.settle(span, Disposition::converted, "what the task waits for");
  } else if (info.name == "export" && !value) {
    const std::string text(context_.sources.text(word.span));
    for (auto at = text.find('='); at != std::string::npos; at = text.find('=', at + 1)) {
      std::size_t from = at;
      while (from > 0 && (std::isalnum(static_cast<unsigned char>(text[from - 1])) != 0 ||
                          text[from - 1] == '_')) {
        --from;
      }
      if (is_variable(text.substr(from, at - from)) && text.substr(from, at - from) != "export") {
        exported_.insert(text.substr(from, at - from));
      }
    }
    reader_.settle(span, Disposition::converted, "arguments of the task");
  } else if (info.name == "array" && !value) {
    call.computed_indices = true;
    std::string throttle = throttle_of(context_.sources.text(word.span));
    if (throttle.find_first_not_of("0123456789", 1) != std::string::npos) {
      known_at_run_time(span);
      call.read.arguments.emplace_back("--array=0-1");
      call.read.argument_spans.push_back(word.span);
      return;
    }
    call.read.arguments.push_back("--array=0-1" + throttle);
    call.read.argument_spans.push_back(span);
    reader_.settle(span, Disposition::open, "");
  } else if (std::ranges::find(names, info.name) != names.end()) {
    reader_.settle(span, Disposition::dropped, "a name that the driver makes up");
  } else if (value) {
    call.read.arguments.push_back(info.argument == "none" ||
                                          (info.argument == "optional" && value->empty())
                                      ? fmt::format("--{}", info.name)
                                      : fmt::format("--{}={}", info.name, *value));
    call.read.argument_spans.push_back(span);
    reader_.settle(span, Disposition::open, "");
  } else {
    known_at_run_time(span);
  }
}

// aftercorr, afterok:${ID}_3: what is noted has one result for all of its elements.
void DriverPlanner::waits_for_whole(const Span& span) {
  const std::string_view text = context_.sources.text(span);
  const bool each = text.contains("aftercorr");
  const auto bar = text.find("}_");
  if (!each && bar == std::string_view::npos) {
    return;
  }
  review::Finding finding;
  finding.rule = each ? "S2F321" : "S2F340";
  finding.span = span;
  finding.message = each ? "aftercorr became afterok: each element waits for the whole array."
                         : "A dependency on one element became one on its whole array.";
  finding.slurm_does = each ? "Element i starts as soon as element i of the other array succeeded."
                            : "The job waits for that element alone.";
  finding.output_does = "It waits for all elements of the array.";
  context_.findings.add(std::move(finding));
}

void DriverPlanner::known_at_run_time(const Span& span) {
  review::Finding finding;
  finding.rule = "S2F326";
  finding.span = span;
  finding.message = fmt::format("The value in `{}` is known only when the driver runs.",
                                context_.sources.text(span));
  finding.slurm_does = "It takes the option for the job.";
  finding.output_does = "The task does without it.";
  finding.choices = {"leave it out", "give the task the largest value that is used"};
  finding.default_ = finding.choices[0];
  context_.findings.add(std::move(finding));
  reader_.settle(span, Disposition::decision, "known only when the driver runs", "S2F326");
}

// What the whole driver does: whether it asks somebody, and whether its jobs
// start elsewhere.
void DriverPlanner::look_around() {
  static constexpr std::array moves{"cd", "pushd", "popd"};
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& each) {
    const auto* loop = std::get_if<shell::For>(&each.value);
    asks_ |= loop != nullptr && loop->select;
    const auto* command = shell::as_simple(each);
    const auto name = command == nullptr ? std::nullopt : analysis::command_name(*command);
    if (name == "read") {
      asks_ |= std::ranges::any_of(command->words, [](const shell::Word& word) {
        const auto option = word.literal().value_or("");
        return option.starts_with('-') && !option.starts_with("--") && option.ends_with('p');
      });
    }
    later_ |= name == "at" || name == "batch";
    if (name && std::ranges::find(moves, *name) != moves.end() && !moved_) {
      moved_ = each.span;
    }
  };
  for (const shell::Statement& statement : driver_.script->statements) {
    analysis::walk(statement, visitor);
  }
}

void DriverPlanner::say_where() {
  if (!moved_) {
    return;
  }
  review::Finding finding;
  finding.rule = "S2F602";
  finding.span = *moved_;
  finding.message = "The driver changes its directory, so its jobs may start in others.";
  finding.slurm_does = "A job starts in the directory that it was submitted from.";
  finding.output_does = "Commands run in HERE, the driver's own directory.";
  finding.choices = {"HERE is that directory", "HERE = Path(__file__).resolve().parents[...]"};
  finding.default_ = finding.choices[0];
  context_.findings.add(std::move(finding));
}

DriverPlanner::Call DriverPlanner::read(const Site& site, std::vector<Edit>& edits) {
  const auto& command = std::get<shell::SimpleCommand>(site.statement->value);
  Call call;
  std::size_t at = site.word + 1;
  for (; at < command.words.size() && call.why.empty(); ++at) {
    const shell::Word& word = command.words[at];
    const std::string start = literal_start(word);
    const auto whole = constant(word);
    if (start.size() < 2 || start[0] != '-') {
      if (whole && whole->empty()) {
        continue;
      }
      // Options in a variable: the script comes behind it.
      const bool more = std::any_of(command.words.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                                    command.words.end(), [&](const shell::Word& later) {
                                      const auto text = constant(later);
                                      return text && text->find('.') != std::string::npos;
                                    });
      const bool options = (whole && whole->starts_with('-')) ||
                           (start.empty() && !whole && more && !constant(word));
      if (options) {
        known_at_run_time(word.span);
        continue;
      }
      break;
    }
    std::string name;
    std::optional<std::string> value;
    bool has_value = false;
    if (start.starts_with("--")) {
      const auto equals = start.find('=');
      name = start.substr(2, equals == std::string::npos ? equals : equals - 2);
      has_value = equals != std::string::npos;
      if (whole && has_value) {
        value = whole->substr(equals + 1);
      }
    } else {
      name = start.substr(1, 1);
      has_value = start.size() > 2 || !whole || whole->size() > 2;
      if (whole && has_value) {
        value = whole->substr(2);
      }
    }
    const slurm::OptionInfo* info = option_named(name);
    if (info == nullptr) {
      call.why = fmt::format("an option of sbatch that is not known: {}", start);
      break;
    }
    Span span = word.span;
    const shell::Word* valued = &word;
    if (!has_value && info->argument == "required") {
      if (at + 1 >= command.words.size()) {
        call.why = "an option without its value";
        break;
      }
      valued = &command.words[++at];
      span.end = valued->span.end;
      value = constant(*valued);
    } else if (!has_value) {
      value = "";
    }
    if (info->name == "wrap") {
      call.text = Text{};
      call.text->file.pieces.push_back({terms::text("#!/bin/sh\n"), {}});
      Text wrapped;
      add_word(wrapped, *valued);
      if (has_value && !wrapped.file.pieces.empty()) { // --wrap= before it
        std::string& first = wrapped.file.pieces.front().value.text;
        first.erase(0, std::min(first.size(), start.find('=') + 1));
        wrapped.file.pieces.front().span = {};
      }
      std::ranges::move(wrapped.file.pieces, std::back_inserter(call.text->file.pieces));
      call.text->file.pieces.push_back({terms::text("\n"), {}});
      call.text->values = std::move(wrapped.values);
      edits.push_back({span, ""});
      call.read.script_name = "wrap";
      reader_.settle(span, Disposition::converted, "the command of the task");
      continue;
    }
    read_option(*info, *valued, std::move(value), span, call);
  }
  if (at < command.words.size() && !call.text) {
    call.script = command.words[at];
    call.name = constant(command.words[at]);
    call.arguments = command.words.size() - at - 1;
    if (std::any_of(command.words.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                    command.words.end(),
                    [](const shell::Word& word) { return holds_secret(word.parts); })) {
      call.why = "it hands a secret to a job as an argument";
    }
  }
  return call;
}

void DriverPlanner::submission_of(std::size_t job, const Site& site, const Call& call,
                                  ir::Submission submission) {
  submission.job = job;
  submission.span = site.statement->span;
  for (const std::string& name : exported_) {
    if (submission.environment.try_emplace(name, terms::name(name, Type::text)).second) {
      submission.inherited.insert(name);
    }
  }
  submission.arguments.resize(call.arguments, terms::name("arguments", Type::text));
  if (call.computed_indices) {
    submission.indices = terms::name("indices", Type::integers);
  }
  driver_.submissions.push_back(std::move(submission));
}

// One sbatch: what it can turn out to be, and what stands in its place.
bool DriverPlanner::note(const Site& site) {
  const auto& command = std::get<shell::SimpleCommand>(site.statement->value);
  reader_.entry_ = site.entry;
  std::vector<Edit> edits;
  Call call = read(site, edits);
  if (!call.why.empty()) {
    driver_.not_lifted->text = call.why;
    return false;
  }
  ir::Plan::Site planned;
  planned.span = command.words[site.word].span;
  planned.place = place(planned.span);
  planned.computed_indices = call.computed_indices;
  const std::string& source = context_.sources[driver_.source].text;
  for (const shell::Redirect& redirect : site.statement->redirects) {
    const bool here = redirect.kind == shell::RedirectKind::heredoc;
    if (redirect.kind == shell::RedirectKind::input && !call.script && !call.text) {
      call.script = redirect.target; // sbatch < train.sh
      call.name = constant(redirect.target);
      const std::string file(context_.sources.text(redirect.target.span));
      edits.push_back({redirect.span, file});
      continue;
    }
    if (call.script || call.text || (!here && redirect.kind != shell::RedirectKind::herestring)) {
      continue;
    }
    call.text = Text{};
    Span operator_ = redirect.span; // with the blanks before it
    while (operator_.begin > 0 && source[operator_.begin - 1] == ' ') {
      --operator_.begin;
    }
    edits.push_back({operator_, ""});
    if (here) {
      add_text(*call.text, redirect.heredoc_parts, false);
      const auto end = source.find('\n', redirect.heredoc_body.end);
      edits.push_back(
          {{driver_.source, redirect.heredoc_body.begin,
            static_cast<std::uint32_t>(end == std::string::npos ? source.size() : end + 1)},
           ""});
    } else {
      add_word(*call.text, redirect.target);
    }
    call.read.script_name = "sbatch";
  }
  if (!call.script && !call.text && site.pipeline != nullptr) {
    call.text = printed(*site.pipeline);
    edits.push_back({{driver_.source, site.pipeline->span.begin, site.statement->span.begin}, ""});
    call.read.script_name = "sbatch";
  }
  std::map<std::string, std::string> values;
  std::string noted; // what its text asks for
  bool changed = false;
  if (call.script && names_itself(call)) {
    if (!context_.job || !call.read.arguments.empty() || call.computed_indices) {
      return false;
    }
    // What it sets and its next run finds set is no parameter of the task.
    if (std::ranges::any_of(exported_, [&](const std::string& name) {
          return reader_.reads_.contains(name) && reader_.writes_.contains(name);
        })) {
      return false;
    }
    ir::Plan::Candidate itself; // what it exports, its next run gets
    for (const std::string& name : exported_) {
      itself.values[name] = name;
    }
    planned.candidates.push_back(std::move(itself));
  } else if (call.text) {
    ir::Submission submission;
    submission.span = site.statement->span;
    leave_directives_out(*call.text);
    take_array(*call.text, call);
    planned.computed_indices = call.computed_indices;
    noted = noted_text(*call.text);
    const auto job = load(*call.text, call.read, call.read.script_name, submission, values);
    if (!job) {
      return false;
    }
    planned.candidates.push_back({"", "", driver_.submissions.size(), values});
    submission_of(*job, site, call, std::move(submission));
  } else if (call.script && changes(*call.script)) {
    changed = true;
  } else if (call.script && !note_written(site, call, planned) && call.name) {
    call.read.script_name = base_name(*call.name);
    if (const auto job = context_.load(*call.name, call.read)) {
      // After a change of directory another file may have that name.
      const std::string name = moved_ ? plain_name(*call.name) : "";
      planned.candidates.push_back({"", name, driver_.submissions.size(), {}});
      submission_of(*job, site, call, {});
    }
  }
  const bool known = !planned.candidates.empty();
  reader_.settle(
      planned.span, known ? Disposition::converted : Disposition::kept,
      known     ? reader_.called(driver_.submissions[planned.candidates.front().submission].job)
      : changed ? "submits a script that the driver changes"
                : "submits a script that is not known here",
      changed ? "S2F330" : "");
  edits_.push_back(
      {planned.span, fmt::format("submit {}{}{}", planned.place, noted, values_text(values))});
  std::ranges::move(edits, std::back_inserter(edits_));
  plan_.sites.push_back(std::move(planned));
  return true;
}

// sbatch $0: the script itself, from where Slurm keeps it.
bool DriverPlanner::names_itself(const Call& call) const {
  const std::string word = plain_name(context_.sources.text(call.script->span));
  return word == "$0" || word == "$BASH_SOURCE" || word == "$BASH_SOURCE[0]" ||
         (call.name && base_name(*call.name) == base_name(driver_.path));
}

// A script that the driver writes before.
bool DriverPlanner::note_written(const Site& site, const Call& call, ir::Plan::Site& planned) {
  const std::string wanted = plain_name(context_.sources.text(call.script->span));
  const auto matches = [&](const Writer& writer, bool whole) {
    const std::string target = plain_name(writer.target);
    return whole ? target == wanted : base_name(target) == base_name(wanted);
  };
  const bool exact =
      std::ranges::any_of(writers_, [&](const Writer& writer) { return matches(writer, true); });
  for (std::size_t i = 0; i < writers_.size(); ++i) {
    Writer& writer = writers_[i];
    if (writer.append || writer.empty || !matches(writer, exact)) {
      continue;
    }
    if (!written_.contains(i)) {
      leave_directives_out(writer.text);
    }
    ir::Submission submission;
    submission.span = writer.span;
    std::map<std::string, std::string> values;
    Call as_written = call;
    take_array(writer.text, as_written);
    slurm::ReadOptions options = as_written.read;
    options.script_name = call.name ? base_name(*call.name) : "job";
    const auto job = load(writer.text, options, options.script_name, submission, values);
    if (!job) {
      continue;
    }
    if (!written_.contains(i)) {
      written_[i] = place(writer.span);
      edits_.push_back(
          {writer.span,
           fmt::format("{}submit {} --to {}{}{}", writer.inserted ? "\n" : "", written_[i],
                       writer.target, noted_text(writer.text), values_text(values))});
      std::string begins = writer.maybe.empty() ? ":" : "";
      for (const auto& [part, variable] : writer.maybe) {
        edits_.push_back({part, variable + "=1"});
        begins += (begins.empty() ? "" : " ") + variable + "=";
      }
      for (const Span& part : writer.parts) {
        edits_.push_back({part, std::exchange(begins, ":")});
      }
    }
    planned.candidates.push_back({written_[i], "", driver_.submissions.size(), values});
    planned.computed_indices |= as_written.computed_indices;
    submission_of(*job, site, as_written, std::move(submission));
  }
  return !planned.candidates.empty();
}

std::string DriverPlanner::values_text(const std::map<std::string, std::string>& values) const {
  std::string text;
  for (const auto& [name, written] : values) {
    text += fmt::format(" --value \"{}={}\"", name, written);
  }
  return text;
}

// The driver's text with the notes in place of the submissions, as a job of its
// own.
bool DriverPlanner::make_job() {
  rename_in_messages();
  std::ranges::sort(edits_, {}, [](const Edit& edit) { return edit.span.begin; });
  const std::string& source = context_.sources[driver_.source].text;
  std::string text;
  std::vector<source::Run> runs;
  std::uint32_t at = 0;
  for (const Edit& edit : edits_) {
    if (edit.span.begin < at) { // one within another
      return false;
    }
    runs.push_back({static_cast<std::uint32_t>(text.size()), at});
    const std::size_t from = text.size();
    text.append(source, at, edit.span.begin - at);
    rename_command(text, from);
    runs.push_back({static_cast<std::uint32_t>(text.size()), edit.span.begin});
    text += edit.text;
    at = edit.span.end;
  }
  runs.push_back({static_cast<std::uint32_t>(text.size()), at});
  const std::size_t from = text.size();
  text.append(source, at);
  rename_command(text, from);
  slurm::ReadOptions read;
  read.script_name = base_name(driver_.path);
  const Span whole{driver_.source, 0, static_cast<std::uint32_t>(source.size())};
  const auto job = context_.load_driver(text, {whole, std::move(runs)}, read);
  if (!job) {
    driver_.not_lifted->text = job.error();
    return false;
  }
  driver_.submissions.front().job = *job;
  driver_.plan = std::move(plan_);
  say_where();
  return true;
}

// What the jobs read of the driver's environment, its own task hands on.
static void want_variables(ir::Workload& workload) {
  ir::Driver& driver = *workload.driver;
  ir::Job& own = workload.jobs[driver.submissions[driver.plan->submission].job];
  for (const ir::Plan::Site& site : driver.plan->sites) {
    for (const ir::Plan::Candidate& candidate : site.candidates) {
      const ir::Submission& submission = driver.submissions[candidate.submission];
      for (const ir::Parameter& parameter : workload.jobs[submission.job].parameters) {
        const std::string name =
            parameter.origin.starts_with('$') ? parameter.origin.substr(1) : "";
        const bool itself = candidate.submission == driver.plan->submission;
        if (parameter.position == 0 &&
            (itself ? candidate.values.contains(name)
                    : submission.environment.contains(name) && !candidate.values.contains(name))) {
          own.wanted.insert(name);
        }
      }
    }
  }
}

void settle_driver(DriverContext& context) {
  ir::Driver& driver = *context.workload.driver;
  if (!driver.not_lifted) {
    return;
  }
  if (driver.plan) {
    want_variables(context.workload);
  }
  review::Finding finding;
  const bool job = context.job && driver.plan;
  finding.rule = job ? "S2F327" : driver.plan ? "S2F325" : "S2F430";
  finding.span = driver.not_lifted->span;
  const std::string& why = driver.not_lifted->text;
  if (job) {
    finding.message = "The job submits others while it runs.";
    finding.slurm_does = "They wait in the queue from that moment on.";
    finding.output_does = "Each sbatch notes what it would submit; `main` runs these jobs when "
                          "this "
                          "one has ended by itself. What one notes that is ended from outside is "
                          "lost, and each starts in a container of its own.";
    finding.choices = {"run them behind it", "keep the job on Slurm"};
    finding.default_ = finding.choices[0];
  } else if (driver.plan) {
    finding.message = fmt::format("What the driver submits is known only when it runs: {}.", why);
    finding.slurm_does = "The shell runs it and submits the jobs as it goes.";
    finding.output_does = "A task runs it as it was, but that each sbatch only "
                          "notes what it would "
                          "submit; `main` runs these jobs when it has ended.";
    finding.choices = {"run it in a task", "write the loop over the jobs into `main`"};
    finding.default_ = finding.choices[0];
  } else {
    finding.message = fmt::format("The driver cannot be converted yet: {}.", why);
    finding.slurm_does = "The shell runs it and submits the jobs.";
    finding.output_does = "The jobs that it names became tasks; nothing calls them in its place.";
  }
  const std::string rule = finding.rule;
  const auto id = context.findings.add(std::move(finding));
  for (const ir::Step& step : driver.body) {
    if (!context.ledger.settled(step.entry)) {
      context.ledger.settle(step.entry, Disposition::kept,
                            driver.plan ? "runs as exact Bash in a task of its own, with "
                                          "`submit` for sbatch"
                                        : "stands in the driver, which was not converted",
                            rule, id);
    }
  }
}

} // namespace s2f::passes
