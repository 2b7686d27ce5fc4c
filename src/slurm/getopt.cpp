// getopt_long of the C library (glibc 2.36) in POSIX order: it stops at the first word that is no
// option.
#include "slurm/getopt.hpp"

#include <utility>

#include <fmt/format.h>

namespace s2f::slurm {

namespace {

struct Match {
  const LongOption* option = nullptr;
  std::vector<const LongOption*> candidates; // when ambiguous
};

Match match_long(const OptionSet& set, std::string_view name) {
  Match match;
  for (const auto& option : set.longs)
    if (option.name == name)
      return {&option, {}};
  for (const auto& option : set.longs) {
    if (!option.name.starts_with(name))
      continue;
    if (match.option == nullptr) {
      match.option = &option;
    } else if (match.option->argument != option.argument || match.option->id != option.id) {
      if (match.candidates.empty())
        match.candidates.push_back(match.option);
      match.candidates.push_back(&option);
    }
  }
  return match;
}

} // namespace

OptionStep Getopt::next() {
  if (byte_ != 0)
    return short_option();
  if (word_ >= words_.size())
    return EndOfOptions{};
  const std::string_view text = words_[word_].text;
  if (!only_strays_ && text == "--") {
    only_strays_ = true;
    ++word_;
    return next();
  }
  if (only_strays_ || text.size() < 2 || text.front() != '-')
    return StrayWord{word_++};
  if (text.starts_with("--"))
    return long_option();
  byte_ = 1;
  return short_option();
}

OptionStep Getopt::long_option() {
  const auto here = word_++;
  const std::string_view body = std::string_view(words_[here].text).substr(2);
  const auto equals = body.find('=');
  const auto name = body.substr(0, equals);
  const auto written = fmt::format("--{}", name);
  auto match = match_long(*options_, name);
  bool further = false;
  // A name of a newer release is that, also where it was the beginning of another name before.
  if (further_ != nullptr && (match.option == nullptr || match.option->name != name))
    if (auto other = match_long(*further_, name);
        match.option == nullptr || (other.option != nullptr && other.option->name == name)) {
      match = std::move(other);
      further = true;
    }
  if (!match.candidates.empty()) {
    auto message = fmt::format("option '--{}' is ambiguous; possibilities:", body);
    for (const auto* candidate : match.candidates)
      message += fmt::format(" '--{}'", candidate->name);
    return OptionError{OptionFault::ambiguous, std::move(message), written, here, 0};
  }
  if (match.option == nullptr)
    return OptionError{OptionFault::unknown, fmt::format("unrecognized option '--{}'", body),
                       written, here, 0};
  FoundOption found{.id = match.option->id,
                    .spelling = written,
                    .value = {},
                    .option = {here, 0},
                    .argument = {},
                    .last_word = here,
                    .further = further};
  if (equals != std::string_view::npos) {
    if (match.option->argument == Argument::none)
      return OptionError{OptionFault::no_argument_allowed,
                         fmt::format("option '--{}' doesn't allow an argument", match.option->name),
                         written, here, 0};
    found.value = std::string(body.substr(equals + 1));
    found.argument = Place{here, equals + 3};
  } else if (match.option->argument == Argument::required) {
    if (word_ >= words_.size())
      return OptionError{OptionFault::argument_missing,
                         fmt::format("option '--{}' requires an argument", match.option->name),
                         written, here, 0};
    found.value = words_[word_].text;
    found.argument = Place{word_, 0};
    found.last_word = word_++;
  }
  return found;
}

OptionStep Getopt::short_option() {
  const auto here = word_;
  const auto at = byte_++;
  const std::string_view text = words_[here].text;
  const char letter = text[at];
  const bool last = byte_ == text.size();
  if (last) {
    ++word_;
    byte_ = 0;
  }
  const ShortOption* option = nullptr;
  for (const auto& candidate : options_->shorts)
    if (candidate.letter == letter) {
      option = &candidate;
      break;
    }
  if (option == nullptr)
    return OptionError{OptionFault::unknown, fmt::format("invalid option -- '{}'", letter),
                       fmt::format("-{}", letter), here, at};
  FoundOption found{.id = option->id,
                    .spelling = fmt::format("-{}", letter),
                    .value = {},
                    .option = {here, at == 1 ? 0 : at},
                    .argument = {},
                    .last_word = here,
                    .further = false};
  if (option->argument == Argument::none)
    return found;
  if (!last) {
    found.value = std::string(text.substr(at + 1));
    found.argument = Place{here, at + 1};
    ++word_;
    byte_ = 0;
  } else if (option->argument == Argument::required) {
    if (word_ >= words_.size())
      return OptionError{OptionFault::argument_missing,
                         fmt::format("option requires an argument -- '{}'", letter),
                         fmt::format("-{}", letter), here, at};
    found.value = words_[word_].text;
    found.argument = Place{word_, 0};
    found.last_word = word_++;
  }
  return found;
}

} // namespace s2f::slurm
