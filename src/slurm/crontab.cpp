// Reads the files of cron and scrontab.
//
// before:  #SCRON --time=10
//          0 2 * * mon-fri /usr/bin/sbatch /home/alice/jobs/nightly.sh
// after:   CronEntry{"0 2 * * mon-fri", the command, {--time=10}}
#include "slurm/crontab.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include <fmt/format.h>

namespace s2f::slurm {

namespace {

constexpr std::string_view blanks = " \t";

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(" \t\r") + 1);
}

bool name_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// ---- the five fields
// -----------------------------------------------------------------------------

struct Field {
  int first, last;
  std::string_view names; // three letters each, the first stands for `first`
};
constexpr std::array<Field, 5> fields{{{0, 59, ""},
                                       {0, 23, ""},
                                       {1, 31, ""},
                                       {1, 12, "janfebmaraprmayjunjulaugsepoctnovdec"},
                                       {0, 7, "sunmontuewedthufrisat"}}};
constexpr int sunday = 7; // which is 0 as well

std::optional<int> number_in(const Field& field, std::string_view text) {
  constexpr std::size_t letters = 3;
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) {
    return value >= field.first && value <= field.last ? std::optional(value) : std::nullopt;
  }
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto at = lower.size() == letters ? field.names.find(lower) : std::string_view::npos;
  return at != std::string_view::npos && at % letters == 0
             ? std::optional(field.first + static_cast<int>(at / letters))
             : std::nullopt;
}

// One of the pieces between commas, as Flyte takes it.
std::optional<std::string> piece(const Field& field, std::string_view text) {
  const auto slash = text.find('/');
  const std::string step(slash == std::string_view::npos ? "" : text.substr(slash));
  const std::string_view range = text.substr(0, slash);
  if (step.size() == 1 ||
      (!step.empty() && step.find_first_not_of("0123456789", 1) != std::string::npos)) {
    return std::nullopt;
  }
  if (range == "*") {
    return std::string(text);
  }
  const auto dash = range.find('-');
  const auto first = number_in(field, range.substr(0, dash));
  const auto last =
      dash == std::string_view::npos ? first : number_in(field, range.substr(dash + 1));
  if (!first || !last || *first > *last) {
    return std::nullopt;
  }
  if (field.last != sunday || *last != sunday) {
    return std::string(text);
  }
  if (*first == sunday) {
    return "0";
  }
  return step.empty() ? std::optional(*first == 0 ? std::string("*")
                                                  : fmt::format("{}-{},0", *first, sunday - 1))
                      : std::nullopt;
}

std::optional<std::string> field_text(const Field& field, std::string_view text) {
  std::string out;
  for (std::size_t from = 0; from <= text.size();) {
    const auto comma = std::min(text.find(',', from), text.size());
    const auto one = piece(field, text.substr(from, comma - from));
    if (!one) {
      return std::nullopt;
    }
    out += (out.empty() ? "" : ",") + *one;
    from = comma + 1;
  }
  return out;
}

// Those that only scrontab has come last.
constexpr std::array<std::pair<std::string_view, std::string_view>, 11> macros{
    {{"@yearly", "0 0 1 1 *"},
     {"@annually", "0 0 1 1 *"},
     {"@monthly", "0 0 1 * *"},
     {"@weekly", "0 0 * * 0"},
     {"@daily", "0 0 * * *"},
     {"@midnight", "0 0 * * *"},
     {"@hourly", "0 * * * *"},
     {"@elevenses", "0 11 * * *"},
     {"@noon", "0 12 * * *"},
     {"@fika", "0 15 * * *"},
     {"@teatime", "0 16 * * *"}}};

// ---- lines -------------------------------------------------------------------------------------

class Reader {
public:
  explicit Reader(const source::Source& source) : source_(source) {
    const std::string& path = source.path;
    // Of the system: a user's name stands before each command.
    of_system_ = path.find("cron.d/") != std::string::npos || path.ends_with("etc/crontab");
    result_.of_slurm = path.find("scron") != std::string::npos ||
                       source.text.starts_with("#SCRON") ||
                       source.text.find("\n#SCRON") != std::string::npos;
  }

  std::optional<Crontab> run() {
    for (std::uint32_t line = 1; line <= source_.line_count(); ++line) {
      const Span span = source_.line_span(line);
      const std::string_view text = trimmed(source_.line(line));
      if (text.empty()) {
        continue;
      }
      if (text.starts_with("#SCRON")) {
        options(span);
      } else if (text.starts_with('#')) {
        result_.comments.push_back(span);
      } else if (!variable(line, span, text) && !entry(line, span)) {
        result_.faults.push_back({line, span});
      }
    }
    const bool mostly = result_.faults.size() <= result_.entries.size() &&
                        std::ranges::all_of(result_.faults, [&](const CronFault& fault) {
                          return looks_like_entry(this->text(fault.span));
                        });
    return result_.entries.empty() || !mostly ? std::nullopt : std::optional(std::move(result_));
  }

private:
  // Times stand there, though not as cron takes them: 0 25 * * * sbatch a.sh
  static bool looks_like_entry(std::string_view line) {
    return !line.empty() && std::string_view("*@0123456789").contains(trimmed(line).front());
  }

  [[nodiscard]] std::string_view text(const Span& span) const {
    return std::string_view(source_.text).substr(span.begin, span.size());
  }

  // The next word of the line from there.
  [[nodiscard]] Span word(std::uint32_t from, std::uint32_t end) const {
    const std::string_view line = std::string_view(source_.text).substr(0, end);
    const auto begin = std::min<std::size_t>(line.find_first_not_of(blanks, from), end);
    const auto stop = std::min<std::size_t>(line.find_first_of(blanks, begin), end);
    return {source_.id, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(stop)};
  }

  void options(const Span& line) {
    result_.options.push_back({line});
    for (Span at = word(word(line.begin, line.end).end, line.end); at.size() > 0;
         at = word(at.end, line.end)) {
      if (text(at).starts_with('#')) {
        break;
      }
      std::string value(text(at));
      std::erase(value, '"');
      std::erase(value, '\'');
      options_.emplace_back(std::move(value), at);
    }
  }

  bool variable(std::uint32_t line, const Span& span, std::string_view text) {
    const auto equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      return false;
    }
    const std::string_view name = trimmed(text.substr(0, equals));
    if (std::isdigit(static_cast<unsigned char>(name[0])) != 0 ||
        !std::ranges::all_of(name, name_character)) {
      return false;
    }
    std::string_view value = trimmed(text.substr(equals + 1));
    if (value.size() > 1 && (value[0] == '"' || value[0] == '\'') && value.back() == value[0]) {
      value = value.substr(1, value.size() - 2);
    }
    result_.variables.push_back({line, span, std::string(name), std::string(value)});
    return true;
  }

  bool entry(std::uint32_t line, const Span& span) {
    CronEntry entry;
    entry.line = line;
    entry.span = span;
    Span at = word(span.begin, span.end);
    entry.time = at;
    if (text(at).starts_with('@')) {
      const auto known = std::ranges::find(macros, text(at), &decltype(macros)::value_type::first);
      if (known == macros.end() && text(at) != "@reboot") {
        return false;
      }
      entry.cron = known == macros.end() ? "" : known->second;
    } else {
      for (std::size_t i = 1; i < fields.size(); ++i) {
        at = word(at.end, span.end);
      }
      entry.time.end = at.end;
      const auto known = cron_fields(text(entry.time));
      if (!known) {
        return false;
      }
      entry.cron = *known;
    }
    at = word(at.end, span.end);
    if (of_system_) {
      at = word(at.end, span.end);
    }
    if (at.size() == 0 || std::string_view("*,/0123456789-").contains(text(at).front())) {
      if (!text(at).starts_with('/')) {
        return false;
      }
    }
    entry.command = {source_.id, at.begin, span.end};
    command(entry);
    entry.options = std::exchange(options_, {});
    result_.entries.push_back(std::move(entry));
    return true;
  }

  // To cron a % ends the command; one behind a backslash is a %.
  void command(CronEntry& entry) const {
    const std::string_view line = text(entry.command);
    entry.runs.push_back({0, entry.command.begin});
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (result_.of_slurm) {
        entry.text = line;
        return;
      }
      if (line[i] == '%') {
        entry.input = true;
        return;
      }
      if (line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '%') {
        ++i;
        entry.runs.push_back({static_cast<std::uint32_t>(entry.text.size()),
                              entry.command.begin + static_cast<std::uint32_t>(i)});
      }
      entry.text += line[i];
    }
  }

  const source::Source& source_;
  bool of_system_ = false;
  Crontab result_;
  std::vector<std::pair<std::string, Span>> options_;
};

} // namespace

std::optional<std::string> cron_fields(std::string_view time) {
  std::string out;
  for (const Field& field : fields) {
    time = trimmed(time);
    const auto end = std::min(time.find_first_of(blanks), time.size());
    const auto one = field_text(field, time.substr(0, end));
    if (!one) {
      return std::nullopt;
    }
    out += (out.empty() ? "" : " ") + *one;
    time.remove_prefix(end);
  }
  return trimmed(time).empty() ? std::optional(out) : std::nullopt;
}

std::optional<Crontab> read_crontab(const source::Source& source) {
  return source.text.starts_with("#!") ? std::nullopt : Reader(source).run();
}

bool is_crontab(std::string_view path, std::string_view text) {
  const auto name = path.substr(path.find_last_of('/') + 1);
  if (text.starts_with("#!") || (text.find("sbatch") == std::string_view::npos &&
                                 name.find("cron") == std::string_view::npos &&
                                 text.find("#SCRON") == std::string_view::npos)) {
    return false;
  }
  source::Sources sources;
  return read_crontab(sources[sources.add(std::string(path), text)]).has_value();
}

} // namespace s2f::slurm
