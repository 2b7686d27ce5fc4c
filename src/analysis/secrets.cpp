// Finds secrets by the table grammar/secrets.json.
#include "analysis/secrets.hpp"

#include <algorithm>
#include <cctype>
#include <limits>
#include <tuple>

#include "analysis/walk.hpp"
#include "generated/tables/secrets.hpp"

namespace s2f::analysis {

namespace {

bool token_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
}

bool telling_name(std::string_view written, std::size_t length) {
  std::string name(written);
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return std::ranges::any_of(tables::secrets, [&](const auto& row) {
    return row.kind == tables::SecretsKind::name && name.ends_with(row.prefix) &&
           length >= static_cast<std::size_t>(row.length);
  });
}

// "password", as a value, is the name again.
bool names_itself(std::string_view value) {
  return std::ranges::any_of(tables::secrets, [&](const auto& row) {
    return row.kind == tables::SecretsKind::name &&
           std::ranges::equal(value, row.prefix, [](unsigned char a, unsigned char b) {
             return std::toupper(a) == std::toupper(b);
           });
  });
}

// A placeholder is nothing to hide: "<your key>", "xxx", "$KEY".
bool placeholder(std::string_view value) {
  return names_itself(value) || value.empty() ||
         value.find_first_of("<>{}$[]") != std::string_view::npos || value[0] == '/' ||
         value[0] == '~' || value[0] == '.' || value.starts_with("--") ||
         std::ranges::all_of(value, [&](char c) { return c == value[0]; }) || value == "None" ||
         value == "none" || value == "null" || value == "true" || value == "false" ||
         value.starts_with("your") || value.starts_with("YOUR");
}

// Known tokens anywhere in the text, comments included.
void find_tokens(const source::Source& source, std::vector<SecretHit>& hits) {
  const std::string_view text = source.text;
  for (const auto& row : tables::secrets) {
    if (row.kind != tables::SecretsKind::value) {
      continue;
    }
    for (std::size_t at = text.find(row.prefix); at != std::string_view::npos;
         at = text.find(row.prefix, at + 1)) {
      if (at > 0 && token_character(text[at - 1])) {
        continue;
      }
      std::size_t end = at;
      bool digit = false;
      while (end < text.size() && token_character(text[end])) {
        digit |= std::isdigit(static_cast<unsigned char>(text[end++])) != 0;
      }
      const std::string_view tail =
          text.substr(at + row.prefix.size(), end - at - row.prefix.size());
      const bool marks = row.letters && tail.find_first_of("_-") != std::string_view::npos;
      if (end - at < static_cast<std::size_t>(row.length) || !digit || marks) {
        continue;
      }
      hits.push_back(
          {.variable = std::string(row.variable),
           .value = {source.id, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)}});
    }
  }
}

// `# export API_KEY=...`: an assignment in text that no shell reads here.
void find_in_text(const source::Source& source, const source::Span& comment,
                  std::vector<SecretHit>& hits) {
  constexpr std::string_view ends = "\"' \t\n;,&|)";
  const std::string_view text = source.text;
  for (std::uint32_t at = comment.begin; at < comment.end; ++at) {
    if (text[at] != '=') {
      continue;
    }
    std::uint32_t begin = at;
    while (begin > comment.begin &&
           (std::isalnum(static_cast<unsigned char>(text[begin - 1])) != 0 ||
            text[begin - 1] == '_')) {
      --begin;
    }
    std::uint32_t value = at + 1;
    if (value < comment.end && (text[value] == '"' || text[value] == '\'')) {
      ++value;
    }
    std::uint32_t end = value;
    while (end < comment.end && !ends.contains(text[end])) {
      ++end;
    }
    const std::string_view name = text.substr(begin, at - begin);
    const std::string_view secret = text.substr(value, end - value);
    if (!placeholder(secret) && telling_name(name, secret.size())) {
      hits.push_back({.variable = std::string(name), .value = {source.id, value, end}});
    }
  }
}

// Text that becomes something only later: what a program is given between quotes, what a heredoc
// writes, and what could not be read.
void find_in_texts(const source::Source& source, const shell::Script& script,
                   std::vector<SecretHit>& hits) {
  Visitor visitor;
  visitor.statement = [&](const shell::Statement& statement) {
    for (const shell::Redirect& redirect : statement.redirects) {
      if (redirect.kind == shell::RedirectKind::heredoc) {
        find_in_text(source, redirect.heredoc_body, hits);
      }
    }
  };
  visitor.part = [&](const shell::WordPart& part) {
    if (std::holds_alternative<shell::SingleQuoted>(part.value) ||
        std::holds_alternative<shell::DoubleQuoted>(part.value) ||
        std::holds_alternative<shell::AnsiQuoted>(part.value)) {
      find_in_text(source, part.span, hits);
    }
  };
  for (const shell::Statement& statement : script.statements) {
    walk(statement, visitor);
  }
  for (const source::Span& unparsed : script.unparsed) {
    find_in_text(source, unparsed, hits);
  }
  for (const shell::Comment& comment : script.comments) {
    find_in_text(source, comment.span, hits);
  }
}

// The same value elsewhere in the text.
void find_again(const source::Source& source, const SecretHit& hit, std::vector<SecretHit>& hits) {
  const std::string_view value = secret_value(source, hit);
  const std::string_view text = source.text;
  for (std::size_t at = value.size() < 6 ? std::string_view::npos : text.find(value);
       at != std::string_view::npos; at = text.find(value, at + value.size())) {
    const source::Span span{source.id, static_cast<std::uint32_t>(at),
                            static_cast<std::uint32_t>(at + value.size())};
    if (!hit.value.contains(span)) {
      hits.push_back({.variable = hit.variable, .value = span});
    }
  }
}

// Secrets by what stands before them: `Bearer X`, `wandb login X`, `--api-key=X`, `//user:X@`.
void find_by_context(const source::Source& source, std::vector<SecretHit>& hits) {
  const std::string_view text = source.text;
  const auto take = [&](std::size_t begin, std::string_view stops, std::size_t least,
                        std::string variable) {
    begin = std::min(text.find_first_not_of(" \t", begin), text.size());
    while (begin < text.size() && (text[begin] == '"' || text[begin] == '\'')) {
      ++begin;
    }
    const std::size_t end = std::min(text.find_first_of(stops, begin), text.size());
    const std::string_view value = text.substr(begin, end - begin);
    if (value.size() >= least && !placeholder(value)) {
      hits.push_back({.variable = std::move(variable),
                      .value = {source.id, static_cast<std::uint32_t>(begin),
                                static_cast<std::uint32_t>(end)}});
    }
  };
  constexpr std::string_view blanks = " \t\n\"'";
  for (const auto& [mark, least, variable] :
       {std::tuple{"Bearer ", 12, "API_TOKEN"}, std::tuple{"wandb login ", 20, "WANDB_API_KEY"},
        std::tuple{"huggingface-cli login --token ", 12, "HF_TOKEN"}}) {
    const std::string_view needle = mark;
    for (auto at = text.find(needle); at != std::string_view::npos;
         at = text.find(needle, at + 1)) {
      take(at + needle.size(), blanks, static_cast<std::size_t>(least), variable);
    }
  }
  for (auto at = text.find("--"); at != std::string_view::npos; at = text.find("--", at + 2)) {
    const std::size_t end = std::min(text.find_first_of(" =\t\n", at), text.size());
    std::string name;
    for (const char c : text.substr(at + 2, end - at - 2)) {
      name += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    // --max_token 120000 counts them.
    const std::size_t value = end + 1;
    const bool number = name.ends_with("TOKEN") && value < text.size() &&
                        std::isdigit(static_cast<unsigned char>(text[value])) != 0 &&
                        std::min(text.find_first_not_of("0123456789.", value), text.size()) ==
                            std::min(text.find_first_of(blanks, value), text.size());
    const bool none = name.starts_with("NO_"); // --no-passwd is given no value
    if (end < text.size() && text[end] != '\n' && !number && !none && telling_name(name, 64)) {
      take(end + 1, blanks, 6, name);
    }
  }
  // curl -u USER:PASSWORD
  for (const std::string_view needle : {" -u ", " --user "}) {
    for (auto at = text.find(needle); at != std::string_view::npos;
         at = text.find(needle, at + 1)) {
      const std::size_t line = text.rfind('\n', at) + 1; // 0 where there is none before it
      const std::size_t end =
          std::min(text.find_first_of(" \t\n", at + needle.size()), text.size());
      const std::size_t colon = text.find(':', at);
      if (text.substr(line, at - line).contains("curl") && colon < end) {
        take(colon + 1, blanks, 3, "CURL_PASSWORD");
      }
    }
  }
  for (auto at = text.find("://"); at != std::string_view::npos; at = text.find("://", at + 3)) {
    const std::size_t end = std::min(text.find_first_of("/ \t\n\"'", at + 3), text.size());
    const std::size_t sign = text.substr(0, end).rfind('@');
    const std::size_t colon = text.find(':', at + 3);
    if (sign != std::string_view::npos && sign > at && colon < sign) {
      take(colon + 1, "@", 3, "URL_PASSWORD");
    }
  }
}

} // namespace

bool names_secret(std::string_view variable) {
  return telling_name(variable, std::numeric_limits<std::size_t>::max());
}

std::vector<SecretHit> find_secrets(const source::Source& source, const shell::Script& script) {
  std::vector<SecretHit> hits;
  for (const shell::Statement& statement : script.statements) {
    Visitor visitor;
    const shell::Statement* current = nullptr;
    visitor.statement = [&](const shell::Statement& inner) { current = &inner; };
    visitor.assignment = [&](const shell::Assignment& assignment) {
      if (!assignment.value) {
        return;
      }
      const auto literal = assignment.value->literal();
      if (!literal || placeholder(*literal) || !telling_name(assignment.name, literal->size())) {
        return;
      }
      SecretHit hit{.variable = assignment.name, .value = assignment.value->span};
      const auto* command = current != nullptr ? shell::as_simple(*current) : nullptr;
      if (command != nullptr) {
        const std::size_t others = command->assignments.size() + command->declared.size();
        const bool only_assigns =
            others == 1 &&
            (command->words.empty() || (command->words.size() == 1 && !command->declared.empty()));
        if (only_assigns && current->redirects.empty()) {
          hit.statement = current->span;
        }
      }
      hits.push_back(std::move(hit));
    };
    walk(statement, visitor);
  }
  std::vector<SecretHit> tokens;
  find_tokens(source, tokens);
  find_by_context(source, tokens);
  find_in_texts(source, script, tokens);
  std::vector<SecretHit> found = hits;
  found.insert(found.end(), tokens.begin(), tokens.end());
  for (const SecretHit& hit : found) {
    find_again(source, hit, tokens);
  }
  for (SecretHit& token : tokens) {
    const bool inside = std::ranges::any_of(
        hits, [&](const SecretHit& hit) { return hit.value.contains(token.value); });
    if (!inside) {
      hits.push_back(std::move(token));
    }
  }
  for (SecretHit& hit : hits) {
    hit.in_comment = std::ranges::any_of(script.comments, [&](const shell::Comment& comment) {
      return comment.span.contains(hit.value);
    });
  }
  for (const shell::Statement& statement : script.statements) {
    Visitor visitor;
    visitor.part = [&](const shell::WordPart& part) {
      for (SecretHit& hit : hits) {
        hit.single_quoted |= std::holds_alternative<shell::SingleQuoted>(part.value) &&
                             part.span != hit.value && part.span.contains(hit.value);
      }
    };
    if (!hits.empty()) {
      walk(statement, visitor);
    }
  }
  std::ranges::sort(hits, {}, [](const SecretHit& hit) { return hit.value.begin; });
  return hits;
}

std::string_view secret_value(const source::Source& source, const SecretHit& hit) {
  std::string_view value = std::string_view(source.text).substr(hit.value.begin, hit.value.size());
  while (value.size() > 2 && (value.front() == '"' || value.front() == '\'')) {
    value = value.substr(1, value.size() - 2);
  }
  return value.size() < 3 ? std::string_view{} : value;
}

std::string masked(const source::Source& source, const std::vector<SecretHit>& hits) {
  std::string text = source.text;
  for (const SecretHit& hit : hits) {
    std::string value(std::string_view(source.text).substr(hit.value.begin, hit.value.size()));
    while (value.size() > 2 && (value.front() == '"' || value.front() == '\'')) {
      value = value.substr(1, value.size() - 2);
    }
    if (value.size() < 3) {
      continue;
    }
    for (std::size_t at = text.find(value); at != std::string::npos;
         at = text.find(value, at + value.size())) {
      std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(at), value.size(), '*');
    }
  }
  return text;
}

} // namespace s2f::analysis
