// echo: what the task prints.
//
// before:  echo -e "a\\tb"              after:  Echo{a<tab>b}
// before:  echo -e "$name\\t$size"      after:  Echo{<name>\\t<size>, escapes}
#include <algorithm>
#include <iterator>

#include "passes/echo_words.hpp"
#include "passes/lifting.hpp"

namespace s2f::passes {

// What `echo -e` makes of a text; nothing where it is not sure, or ends the output (\\c). `open`:
// what stands behind the text could belong to its last escape.
static std::optional<std::string> without_escapes(std::string_view text, bool& open) {
  static constexpr std::string_view letters = "abefnrtv\\";
  static constexpr std::string_view characters = "\a\b\x1b\f\n\r\t\v\\";
  const auto digits = [&](std::size_t at, std::size_t most, std::string_view of) {
    std::size_t count = 0;
    while (count < most && at + count < text.size() &&
           of.find(text[at + count]) != std::string_view::npos) {
      ++count;
    }
    return std::string(text.substr(at, count));
  };
  std::string result;
  open = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      open = text[i] == '\\';
      result += text[i];
      continue;
    }
    const char c = text[++i];
    std::string number;
    if (const auto at = letters.find(c); at != std::string_view::npos) {
      result += characters[at];
      continue;
    }
    constexpr int octal = 8;
    constexpr int hexadecimal = 16;
    constexpr int ascii = 0x80;
    if (c == '0') {
      number = digits(i + 1, 3, "01234567");
    } else if (c == 'x') {
      number = digits(i + 1, 2, "0123456789abcdefABCDEF");
    } else if (c == 'c' || c == 'u' || c == 'U' || c == 'E') {
      return std::nullopt;
    } else {
      result += {'\\', c};
      continue;
    }
    const int value =
        number.empty() ? 0 : std::stoi(number, nullptr, c == '0' ? octal : hexadecimal);
    if (value == 0 || value >= ascii) {
      return std::nullopt;
    }
    result += static_cast<char>(value);
    i += number.size();
    open = i + 1 == text.size();
  }
  return result;
}

// The sh of Debian takes what begins with one for an escape, with or without -e.
static bool has_backslash(const ir::Value& value) {
  return std::ranges::any_of(value.parts, [](const ir::ValuePart& part) {
    const auto* text = std::get_if<ir::Text>(&part);
    return text != nullptr && text->text.find('\\') != std::string::npos;
  });
}

// A part in which no backslash can be.
static bool plain_part(const ir::ValuePart& part) {
  const auto* local = std::get_if<ir::Local>(&part);
  const auto* computed = std::get_if<ir::Computed>(&part);
  return std::holds_alternative<ir::ArrayIndex>(part) || std::holds_alternative<ir::Status>(part) ||
         std::holds_alternative<ir::SlurmVariable>(part) ||
         (local != nullptr && (local->number || local->digits)) ||
         (computed != nullptr &&
          (ir::is_numeric(computed->operation) || computed->operation == ir::Operation::host_name ||
           computed->operation == ir::Operation::now ||
           computed->operation == ir::Operation::padded ||
           computed->operation == ir::Operation::user_name));
}

// -e: what the escapes of the words mean, as far as they are the script's own.
std::string Lifting::escape(ir::Echo& echo) const {
  bool all = true; // nothing is left to the job's run
  std::vector<ir::Value> shown = echo.words;
  for (ir::Value& value : shown) {
    for (ir::ValuePart& part : value.parts) {
      auto* text = std::get_if<ir::Text>(&part);
      if (text == nullptr) {
        all = all && plain_part(part);
        continue;
      }
      bool open = false;
      const auto meant = without_escapes(text->text, open);
      if (!meant || (open && &part != &value.parts.back())) {
        return "an echo with escapes";
      }
      text->text = *meant;
    }
  }
  echo.escapes = !all;
  if (all) {
    echo.words = std::move(shown);
  }
  return {};
}

// echo -e "a\\n" > file: a plain echo, where what the escapes mean is known.
void Lifting::without_option(ir::Launch& launch) const {
  if (launch.words.size() < 3 || launch.words[1].text() != "-e") {
    return;
  }
  ir::Echo shown;
  shown.words.assign(launch.words.begin() + 2, launch.words.end());
  const auto* first = std::get_if<ir::Text>(&shown.words.front().parts.front());
  if (first != nullptr && !first->text.starts_with('-') && escape(shown).empty() &&
      !shown.escapes) {
    launch.words.resize(1);
    std::ranges::move(shown.words, std::back_inserter(launch.words));
  }
}

static bool is_option(std::string_view word) {
  return word.size() > 1 && word[0] == '-' &&
         word.find_first_not_of("neE", 1) == std::string_view::npos;
}

// echo ... >&2
static bool to_errors(const std::vector<shell::Redirect>& redirects) {
  return redirects.size() == 1 && redirects.front().kind == shell::RedirectKind::duplicate_output &&
         redirects.front().descriptor.value_or(1) == 1 && !redirects.front().variable &&
         redirects.front().target.literal() == "2";
}

std::string Lifting::echo(ir::Step& step, const shell::SimpleCommand& command) {
  const bool errors = to_errors(step.statement->redirects);
  if (!step.statement->redirects.empty() && !errors) {
    std::string why = launch(step, command);
    if (auto* started = std::get_if<ir::Launch>(&step.value); why.empty() && started != nullptr) {
      if (job_.interpreter.language == ir::Interpreter::Language::sh &&
          (started->words.size() > 1 && (started->words[1].text() == "-e" ||
                                         std::ranges::any_of(started->words, has_backslash)))) {
        return "an echo with escapes";
      }
      without_option(*started);
    }
    return why;
  }
  ir::Echo result;
  std::size_t from = 1;
  bool escapes = false;
  for (; from < command.words.size(); ++from) {
    const auto word = command.words[from].literal();
    if (word == "-n") {
      result.newline = false;
    } else if (word == "-e") {
      escapes = true;
    } else if (word == "-ne" || word == "-en") {
      result.newline = false;
      escapes = true;
    } else if (word && is_option(*word)) {
      return "an echo with several options";
    } else {
      break;
    }
  }
  const bool sh = job_.interpreter.language == ir::Interpreter::Language::sh;
  for (; from < command.words.size(); ++from) {
    for (ir::Value& value : scope_.words_of(command.words[from])) {
      if (!value.known()) {
        return why_unknown(value);
      }
      if (const auto text = value.text(); result.words.empty() && text && is_option(*text)) {
        return "an echo with several options"; // from a variable
      }
      if (may_split(value) && names_list(command.words[from])) {
        return "a variable that the shell would split";
      }
      if (sh && (escapes || has_backslash(value))) {
        return "an echo with escapes";
      }
      join_clock(value);
      note_splitting(value);
      result.words.push_back(std::move(value));
    }
  }
  if (std::string why = escapes ? escape(result) : ""; !why.empty()) {
    return why;
  }
  result.errors = errors;
  if (errors && result.escapes) {
    return "an echo with escapes";
  }
  step.value = std::move(result);
  return {};
}

} // namespace s2f::passes
