// Reads the line behind an srun as words, as far as it is plain.
#include "passes/launch_texts.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include <fmt/format.h>

#include "passes/rank_evidence.hpp"
#include "passes/srun.hpp"

namespace s2f::passes {

namespace {

constexpr std::string_view step = "srun";

// The words up to the end of the command: of its line, or of the quotes that it stands in.
std::vector<StepWord> words_behind(std::string_view text, std::size_t begin, char quote) {
  std::vector<StepWord> words;
  std::string word;
  const auto flush = [&] {
    if (!word.empty()) {
      StepWord token;
      const auto unknown = word.find_first_of("$`");
      token.start = word.substr(0, unknown);
      token.text = unknown == std::string::npos ? std::optional(word) : std::nullopt;
      token.shape = word;
      words.push_back(std::move(token));
    }
    word.clear();
  };
  for (std::size_t at = begin; at < text.size(); ++at) {
    const char c = text[at];
    const bool end = c == ';' || c == '|' || c == '&' || c == '>' || (c == quote && quote != 0);
    if (end || (c == '\n' && (at == 0 || text[at - 1] != '\\'))) {
      break;
    }
    if (std::isspace(static_cast<unsigned char>(c)) != 0 || c == '\\') {
      flush();
    } else if (c != '"' && c != '\'') {
      word += c;
    }
  }
  flush();
  return words;
}

} // namespace

std::optional<Ranks> ranks_in_text(const PassContext& context, const shell::SimpleCommand& near,
                                   std::string_view text) {
  const auto part_of_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
  };
  for (std::size_t at = text.find(step); at != std::string_view::npos;
       at = text.find(step, at + 1)) {
    const std::size_t end = at + step.size();
    const char before = at == 0 ? ' ' : text[at - 1];
    if (part_of_name(before) || before == '$' || before == '{' ||
        (end < text.size() && std::isspace(static_cast<unsigned char>(text[end])) == 0)) {
      continue;
    }
    const char quote = before == '"' || before == '\'' ? before : '\0';
    const std::vector<StepWord> words = words_behind(text, end, quote);
    const StepOptions options = read_step(words);
    if (!options.mpi.empty()) {
      return Ranks{Ranks::Kind::mpi,
                   fmt::format("{} starts the ranks of an MPI program", options.mpi)};
    }
    if (options.program >= words.size() || !words[options.program].text) {
      continue;
    }
    PlainWords plain;
    for (const StepWord& word : words) {
      plain.push_back(word.text);
    }
    return told_ranks(context, near, plain, options.program);
  }
  return std::nullopt;
}

} // namespace s2f::passes
