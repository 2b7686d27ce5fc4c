// Copies of one script, made for several clusters, as one module.
#include "project/family.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/emit.hpp"
#include "emit/text.hpp"
#include "review/audit.hpp"
#include "review/formats.hpp"
#include "review/visible.hpp"

namespace s2f::project {

namespace {

// A word of a module, with the line that it stands on. What only lays it out, comments and
// docstrings are left out.
struct Token {
  std::uint32_t line = 0; // 1-based
  std::string text;
};

class Tokens {
public:
  explicit Tokens(std::string_view text) : text_(text) {}

  std::vector<Token> read() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        take(1);
        begins_line_ = true;
        indent_ = 0;
      } else if (c == ' ') {
        indent_ += begins_line_ ? 1 : 0;
        take(1);
      } else if (c == '#') {
        take(std::min(text_.find('\n', at_), text_.size()) - at_);
      } else {
        word(c);
      }
    }
    return std::move(tokens_);
  }

private:
  void take(std::size_t count) {
    line_ += static_cast<std::uint32_t>(std::ranges::count(text_.substr(at_, count), '\n'));
    at_ += count;
  }

  // Where the string that begins at `from` ends. In a raw string, too, a quote after a backslash
  // does not end it.
  [[nodiscard]] std::size_t string_end(std::size_t from) const {
    const char quote = text_[from];
    const std::string close(text_.substr(from, 3) == std::string(3, quote) ? 3 : 1, quote);
    for (auto i = from + close.size(); i < text_.size(); ++i) {
      if (text_[i] == '\\') {
        ++i;
      } else if (text_.substr(i, close.size()) == close) {
        return i + close.size();
      }
    }
    return text_.size();
  }

  void word(char c) {
    const bool starts = begins_line_ && depth_ == 0;
    std::size_t end = at_ + 1;
    if (c == '"' || c == '\'') {
      end = string_end(at_);
      if (starts) { // a docstring
        begins_line_ = false;
        return take(end - at_);
      }
    } else if (part_of_name(c)) {
      while (end < text_.size() && part_of_name(text_[end])) {
        ++end;
      }
      if (end < text_.size() && (text_[end] == '"' || text_[end] == '\'')) { // r"...", f"..."
        end = string_end(end);
      }
    }
    if (starts) {
      tokens_.push_back({line_, std::string(indent_, ' ')});
    }
    begins_line_ = false;
    const bool closes = c == ')' || c == ']' || c == '}';
    depth_ += c == '(' || c == '[' || c == '{' ? 1 : closes ? -1 : 0;
    if (closes && !tokens_.empty() && tokens_.back().text == ",") {
      tokens_.pop_back(); // it is there where what is in the brackets takes several lines
    }
    tokens_.push_back({line_, std::string(text_.substr(at_, end - at_))});
    take(end - at_);
  }

  static bool part_of_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  int depth_ = 0; // of brackets
  bool begins_line_ = true;
  std::size_t indent_ = 0;
  std::vector<Token> tokens_;
};

std::string file_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

std::string stem_of(const std::string& path) {
  const auto name = file_name(path);
  return name.substr(0, name.find_last_of('.'));
}

// Whole words alone: the stem "a" does not stand in "data".
void replace_word(std::string& text, const std::string& from, const std::string& to) {
  const auto joins = [&text](std::size_t at) {
    return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
  };
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    const auto end = at + from.size();
    if ((at == 0 || !joins(at - 1)) && !joins(end)) {
      text.replace(at, from.size(), to);
      at += to.size();
    } else {
      at = end;
    }
  }
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

// The names that the script itself has in its module: of the file, the module and the task.
std::string as_first(std::string token, const review::Input& own, const review::Input& first) {
  if (own.path == first.path) {
    return token;
  }
  replace_word(token, own.path, first.path);
  if (const auto mine = file_name(own.path); mine != file_name(first.path)) {
    replace_word(token, mine, file_name(first.path));
    replace_word(token, stem_of(own.path), stem_of(first.path));
    if (!own.entry.empty() && own.entry != first.entry) {
      replace_word(token, own.entry, first.entry);
      replace_word(token, upper(own.entry), upper(first.entry));
    }
  }
  return token;
}

struct Member {
  review::Input* input = nullptr;
  const CompiledModule* module = nullptr;
  std::vector<Token> code;
};

// The keys of the site file that one of them asks for and not all.
std::vector<std::string> keys_that_differ(const std::vector<Member>& members) {
  std::map<std::string, std::set<std::string>> asked;
  for (const Member& member : members) {
    for (const auto& placed : member.input->findings) {
      if (!placed.finding.config_key.empty()) {
        asked[placed.finding.config_key].insert(member.input->path);
      }
    }
  }
  std::vector<std::string> keys;
  for (const auto& [key, paths] : asked) {
    if (paths.size() < members.size()) {
      keys.push_back(fmt::format("{}, for {}", key, fmt::join(paths, " and ")));
    }
  }
  return keys;
}

FamilyProblem other_code(const std::vector<Member>& members, const Member& other,
                         std::size_t token) {
  const Member& first = members.front();
  const auto said = [token](const Member& member) {
    if (token >= member.code.size()) {
      return fmt::format("{}: the end", member.module->path);
    }
    const auto line = member.code[token].line;
    return fmt::format("{}:{}: {}", member.module->path, line,
                       review::visible(review::line_of(member.module->text, line)));
  };
  FamilyProblem problem{fmt::format("{} and {} are no one module: their code differs",
                                    first.input->path, other.input->path),
                        {said(first), said(other)}};
  const auto keys = keys_that_differ(members);
  if (!keys.empty()) {
    problem.hints.emplace_back("Answer in [cluster.NAME] tables of slurm2flyte.toml what differs:");
    constexpr std::size_t most = 8;
    for (std::size_t i = 0; i < std::min(keys.size(), most); ++i) {
      problem.hints.push_back("  " + review::visible(keys[i]));
    }
  }
  return problem;
}

std::expected<void, FamilyProblem> one_family(const std::vector<Member>& members) {
  const auto text = review::family_text(members.front().input->source_text);
  for (const Member& member : members) {
    if (review::family_text(member.input->source_text) != text) {
      return std::unexpected(FamilyProblem{
          fmt::format("{} and {} are no copies of one script", members.front().input->path,
                      member.input->path),
          {"They may differ in partition, account, QOS, constraint, the versions of modules, and "
           "the directories of paths; slurm2flyte audit lists the families."}});
    }
  }
  return {};
}

// The lines of the first module that stand where the given lines of another stand.
class LineMap {
public:
  LineMap(const Member& from, const Member& to) {
    for (std::size_t i = 0; i < from.code.size(); ++i) {
      const auto below = std::ranges::count(from.code[i].text, '\n'); // of a text of many lines
      for (std::uint32_t k = 0; k <= below; ++k) {
        lines_.emplace(from.code[i].line + k, to.code[i].line + k);
      }
    }
  }
  void apply(std::vector<std::uint32_t>& lines) const {
    std::set<std::uint32_t> mapped;
    for (const auto line : lines) {
      // A comment is cited by the code below it.
      if (const auto at = lines_.lower_bound(line); at != lines_.end()) {
        mapped.insert(at->second);
      }
    }
    lines.assign(mapped.begin(), mapped.end());
  }

private:
  std::map<std::uint32_t, std::uint32_t> lines_;
};

void cite_first(const Member& member, const Member& first) {
  const LineMap map(member, first);
  for (auto& item : member.input->items) {
    map.apply(item.output_lines);
  }
  for (auto& placed : member.input->findings) {
    map.apply(placed.output_lines);
  }
  member.input->output = first.input->output;
  member.input->output_text = first.input->output_text;
  member.input->entry = first.input->entry;
  member.input->entry_arguments = first.input->entry_arguments;
}

// The module says, above its last line, for which other scripts it stands.
std::string with_members(std::string_view module, const std::vector<Member>& members) {
  const auto last = module.rfind('\n', module.size() - 2) + 1;
  constexpr std::string_view from = "generated from ";
  const auto name = module.substr(module.find(from, last) + from.size());
  std::string text(module.substr(0, last));
  for (std::size_t i = 1; i < members.size(); ++i) {
    text += fmt::format("# stands for {}, too\n", emit::one_line(members[i].input->path));
  }
  return text + emit::trailer(name.substr(0, name.find(", sha256 of")), text) + "\n";
}

} // namespace

std::expected<void, FamilyProblem> join_family(Compiled& compiled) {
  std::vector<Member> members;
  for (auto& input : compiled.review.inputs) {
    const auto module = std::ranges::find(compiled.modules, input.path, &CompiledModule::input);
    if (module == compiled.modules.end()) {
      return std::unexpected(
          FamilyProblem{fmt::format("{} has no module of its own", input.path), {}});
    }
    members.push_back({&input, &*module, Tokens(module->text).read()});
  }
  if (members.size() < 2) {
    return std::unexpected(FamilyProblem{"--family wants two scripts or more", {}});
  }
  if (auto same = one_family(members); !same) {
    return same;
  }
  const Member& first = members.front();
  for (const Member& member : members) {
    const auto length = std::max(first.code.size(), member.code.size());
    for (std::size_t i = 0; i < length; ++i) {
      if (i >= first.code.size() || i >= member.code.size() ||
          as_first(member.code[i].text, *member.input, *first.input) != first.code[i].text) {
        return std::unexpected(other_code(members, member, i));
      }
    }
  }
  for (std::size_t i = 1; i < members.size(); ++i) {
    cite_first(members[i], first);
  }
  const auto text = with_members(first.module->text, members);
  for (const Member& member : members) {
    member.input->output_text = text;
  }
  CompiledModule module = *first.module;
  module.text = text;
  compiled.modules = {std::move(module)};
  return {};
}

} // namespace s2f::project
