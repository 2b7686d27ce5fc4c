// Points in time, as sbatch reads them: words and numbers in any order, the last one of a kind
// wins.
#include "slurm/moment.hpp"

#include <algorithm>
#include <array>
#include <chrono>

#include <fmt/format.h>

#include "slurm/text.hpp"

namespace s2f::slurm {

namespace {

using std::chrono::days;
using std::chrono::sys_days;

struct Unit {
  std::string_view name;
  std::int64_t seconds;
};
constexpr auto units = std::to_array<Unit>({{"seconds", 1},
                                            {"second", 1},
                                            {"minutes", 60},
                                            {"minute", 60},
                                            {"hours", 3600},
                                            {"hour", 3600},
                                            {"days", 86400},
                                            {"day", 86400},
                                            {"weeks", 604800},
                                            {"week", 604800}});

struct NamedHour {
  std::string_view name;
  int hour;
};
constexpr auto named_hours =
    std::to_array<NamedHour>({{"midnight", 0}, {"noon", 12}, {"fika", 15}, {"teatime", 16}});

constexpr std::int64_t earliest_epoch = 1000000;    // Slurm takes no smaller uts number
constexpr std::int64_t latest_epoch = 253402300799; // the end of the year 9999

// Reads one text; every function returns false where sbatch refuses, with `at_` where it stopped.
class Reader {
public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::expected<Moment, MomentError> run() {
    if (begins(text_, "uts"))
      return epoch();
    for (at_ = 0; peek(0) != '\0' && peek(0) != '\n'; ++at_)
      if (!one_item())
        return std::unexpected(MomentError{at_});
    if (out_.day == Moment::Day::none && out_.clock == Moment::Clock::none)
      return std::unexpected(MomentError{});
    return out_;
  }

private:
  [[nodiscard]] char peek(std::size_t ahead) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  [[nodiscard]] std::string_view rest() const {
    return at_ < text_.size() ? text_.substr(at_) : std::string_view{};
  }

  std::expected<Moment, MomentError> epoch() {
    const auto digits = text_.substr(3);
    const auto number = read_number(digits);
    if (number.value < earliest_epoch || number.overflow || number.end != digits.size())
      return std::unexpected(MomentError{0});
    const auto time =
        std::chrono::sys_seconds{std::chrono::seconds{std::min(number.value, latest_epoch)}};
    const auto day = std::chrono::floor<days>(time);
    const std::chrono::year_month_day date{day};
    const std::chrono::hh_mm_ss clock{time - day};
    return Moment{.day = Moment::Day::calendar,
                  .clock = Moment::Clock::given,
                  .year = static_cast<int>(date.year()),
                  .month = static_cast<int>(static_cast<unsigned>(date.month())),
                  .mday = static_cast<int>(static_cast<unsigned>(date.day())),
                  .hour = static_cast<int>(clock.hours().count()),
                  .minute = static_cast<int>(clock.minutes().count()),
                  .second = static_cast<int>(clock.seconds().count())};
  }

  // Leaves `at_` on the last byte of the item.
  bool one_item() {
    const char c = peek(0);
    if (is_blank(c) || c == '-' || c == 'T')
      return true;
    for (const auto& [name, offset] : {std::pair{"today", 0}, std::pair{"tomorrow", 1}}) {
      if (!begins(rest(), name))
        continue;
      out_.day = Moment::Day::of_submit;
      out_.days = offset;
      at_ += std::string_view(name).size() - 1;
      return true;
    }
    for (const auto& [name, hour] : named_hours) {
      if (!begins(rest(), name))
        continue;
      set_clock(hour, 0, 0);
      at_ += name.size() - 1;
      return true;
    }
    if (begins(rest(), "now"))
      return now();
    if (!is_digit(c))
      return false;
    return peek(1) == ':' || peek(2) == ':' ? clock() : date();
  }

  void set_clock(int hour, int minute, int second) {
    out_.clock = Moment::Clock::given;
    out_.hour = hour;
    out_.minute = minute;
    out_.second = second;
  }

  bool now() {
    std::int64_t delta = 0;
    for (auto i = at_ + 3;; ++i) {
      const char c = i < text_.size() ? text_[i] : '\0';
      if (c == '+' || c == '-') {
        // Slurm adds where it should set; the two differ only where `now` is not at the start.
        at_ += i;
        if (!offset(delta))
          return false;
        delta = c == '-' ? -delta : delta;
        break;
      }
      if (is_blank(c))
        continue;
      if (c != '\0' && c != '\n') {
        at_ += i;
        return false;
      }
      at_ += i - 1;
      break;
    }
    out_.day = Moment::Day::of_instant;
    out_.clock = Moment::Clock::of_instant;
    out_.seconds = delta;
    return true;
  }

  bool offset(std::int64_t& delta) {
    std::uint64_t count = 0;
    bool digits = false;
    auto i = at_ + 1;
    for (; i < text_.size() && text_[i] != '\n'; ++i) {
      const char c = text_[i];
      if (is_space(c))
        continue;
      const Unit* found = nullptr;
      for (const auto& unit : units)
        if (found == nullptr && begins(text_.substr(i), unit.name))
          found = &unit;
      if (found != nullptr) {
        i += found->name.size();
        count *= static_cast<std::uint64_t>(found->seconds);
        break;
      }
      if (!is_digit(c)) {
        at_ = i - 1;
        return false;
      }
      count = count * 10 + static_cast<std::uint64_t>(c - '0');
      digits = true;
    }
    if (!digits)
      return false;
    at_ = i - 1;
    // Later than any date that can be written.
    delta = static_cast<std::int64_t>(std::min<std::uint64_t>(count, latest_epoch));
    return true;
  }

  // Two digits, or one where `loose`; moves past them.
  bool number(int& value, bool loose) {
    if (!is_digit(peek(0)))
      return false;
    value = peek(0) - '0';
    ++at_;
    if (!is_digit(peek(0)))
      return loose;
    value = value * 10 + (peek(0) - '0');
    ++at_;
    return true;
  }

  bool clock() {
    int hour = 0;
    int minute = 0;
    int second = 0;
    if (!number(hour, peek(1) == ':'))
      return false;
    if (hour > 23) {
      at_ -= 2;
      return false;
    }
    if (peek(0) != ':')
      return false;
    ++at_;
    if (!number(minute, false))
      return false;
    if (minute > 59) {
      at_ -= 2;
      return false;
    }
    if (peek(0) == ':') {
      ++at_;
      if (!number(second, false))
        return false;
      if (second > 59) {
        at_ -= 2;
        return false;
      }
    }
    while (is_space(peek(0)))
      ++at_;
    if (begins(rest(), "pm")) {
      hour += 12;
      if (hour == 24)
        hour = 12;
      if (hour > 23)
        return false;
      at_ += 2;
    } else if (begins(rest(), "am")) {
      if (hour == 12)
        hour = 0;
      if (hour > 11)
        return false;
      at_ += 2;
    }
    --at_;
    set_clock(hour, minute, second);
    return true;
  }

  bool date() {
    return text_.size() >= at_ + 7 && peek(4) == '-' && peek(7) == '-' ? iso_date() : short_date();
  }

  bool iso_date() {
    int year = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      if (!is_digit(peek(0)))
        return false;
      year = year * 10 + (peek(0) - '0');
    }
    ++at_;
    // Slurm does not look whether the first byte of the month is a digit.
    int month = peek(0) - '0';
    ++at_;
    if (is_digit(peek(0))) {
      month = month * 10 + (peek(0) - '0');
      ++at_;
    }
    if (month < 1 || month > 12) {
      at_ -= 2;
      return false;
    }
    ++at_;
    int day = 0;
    if (!number(day, true))
      return false;
    if (day < 1 || day > 31) {
      at_ -= 2;
      return false;
    }
    --at_;
    set_date(month, day);
    out_.year = year;
    return true;
  }

  void skip_date_separator() {
    if (peek(0) == '.' || peek(0) == '/')
      ++at_;
  }

  bool short_date() {
    int month = 0;
    int day = 0;
    if (!number(month, true))
      return false;
    if (month < 1 || month > 12) {
      at_ -= 2;
      return false;
    }
    skip_date_separator();
    if (!number(day, true))
      return false;
    if (day < 1 || day > 31) {
      at_ -= 2;
      return false;
    }
    skip_date_separator();
    int year = 0;
    if (is_digit(peek(0)) && !number(year, false))
      return false;
    --at_;
    const auto before = out_.day == Moment::Day::calendar ? out_.year : std::nullopt;
    set_date(month, day);
    out_.year = year != 0 ? std::optional(2000 + year) : before;
    return true;
  }

  void set_date(int month, int day) {
    out_.day = Moment::Day::calendar;
    out_.month = month;
    out_.mday = day;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Moment out_;
};

using Seconds = std::chrono::sys_seconds;

std::string show_iso(Seconds time) {
  const auto day = std::chrono::floor<days>(time);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{time - day};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

std::optional<Seconds> read_iso(std::string_view text) {
  const auto moment = read_moment(text);
  if (!moment || moment->day != Moment::Day::calendar || !moment->year)
    return std::nullopt;
  const auto day = sys_days{std::chrono::year{*moment->year} /
                            std::chrono::month{static_cast<unsigned>(moment->month)} / 1} +
                   days{moment->mday - 1};
  return day + std::chrono::hours{moment->hour} + std::chrono::minutes{moment->minute} +
         std::chrono::seconds{moment->second};
}

Seconds calendar(int year, const Moment& moment) {
  // As mktime does, a day past the end of the month goes into the next.
  const auto day = sys_days{std::chrono::year{year} /
                            std::chrono::month{static_cast<unsigned>(moment.month)} / 1} +
                   days{moment.mday - 1};
  return day + std::chrono::hours{moment.hour} + std::chrono::minutes{moment.minute} +
         std::chrono::seconds{moment.second};
}

// Of a date without a year, the one that lies ahead; Slurm looks at minutes, not at seconds.
int next_year(const Moment& moment, Seconds now) {
  const auto today = std::chrono::floor<days>(now);
  const std::chrono::year_month_day date{today};
  const std::chrono::hh_mm_ss clock{now - today};
  const std::array<long, 4> then = {moment.month, moment.mday, moment.hour, moment.minute};
  const std::array<long, 4> at = {static_cast<long>(static_cast<unsigned>(date.month())),
                                  static_cast<long>(static_cast<unsigned>(date.day())),
                                  clock.hours().count(), clock.minutes().count()};
  return static_cast<int>(date.year()) + (then > at ? 0 : 1);
}

Seconds absolute(const Moment& moment, Seconds now) {
  const auto time = std::chrono::hours{moment.hour} + std::chrono::minutes{moment.minute} +
                    std::chrono::seconds{moment.second};
  const auto today = std::chrono::floor<days>(now);
  const auto instant = now + std::chrono::seconds{moment.seconds};
  const auto instant_clock = instant - std::chrono::floor<days>(instant);
  const auto clock = moment.clock == Moment::Clock::of_instant
                         ? instant_clock
                         : std::chrono::duration_cast<std::chrono::seconds>(time);
  switch (moment.day) {
  case Moment::Day::none: {
    const std::chrono::hh_mm_ss at{now - today};
    const bool ahead = std::pair<long, long>{moment.hour, moment.minute} >
                       std::pair<long, long>{at.hours().count(), at.minutes().count()};
    return today + days{ahead ? 0 : 1} + clock;
  }
  case Moment::Day::of_submit:
    return today + days{moment.days} + clock;
  case Moment::Day::of_instant:
    return std::chrono::floor<days>(instant) + clock;
  case Moment::Day::calendar:
    break;
  }
  auto dated = moment;
  if (moment.clock == Moment::Clock::of_instant) {
    const std::chrono::hh_mm_ss at{instant_clock};
    dated.hour = static_cast<int>(at.hours().count());
    dated.minute = static_cast<int>(at.minutes().count());
    dated.second = static_cast<int>(at.seconds().count());
  }
  return calendar(moment.year ? *moment.year : next_year(dated, now), dated);
}

Seconds this_second() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

} // namespace

std::expected<Moment, MomentError> read_moment(std::string_view text) { return Reader(text).run(); }

std::string show_moment(const Moment& moment, const std::optional<std::string>& now) {
  if (now)
    if (const auto at = read_iso(*now))
      return show_iso(absolute(moment, *at));
  const auto clock = fmt::format("{:02}:{:02}:{:02}", moment.hour, moment.minute, moment.second);
  switch (moment.day) {
  case Moment::Day::none:
    return fmt::format("NEXT {}", clock);
  case Moment::Day::of_submit:
    return fmt::format("DAY+{} {}", moment.days, clock);
  case Moment::Day::of_instant:
    return moment.clock == Moment::Clock::of_instant
               ? fmt::format("SUBMIT{:+}s", moment.seconds)
               : fmt::format("SUBMIT{:+}s {}", moment.seconds, clock);
  case Moment::Day::calendar:
    break;
  }
  // The year that a date without one means is the only thing for which the clock is asked.
  return show_iso(absolute(moment, this_second()));
}

bool certainly_before(const Moment& left, const Moment& right,
                      const std::optional<std::string>& now) {
  if (now)
    if (const auto at = read_iso(*now))
      return absolute(left, *at) < absolute(right, *at);
  if (left.day == Moment::Day::of_instant && left.clock == Moment::Clock::of_instant &&
      right.day == Moment::Day::of_instant && right.clock == Moment::Clock::of_instant)
    return left.seconds < right.seconds;
  const auto fixed = [](const Moment& moment) {
    return moment.day == Moment::Day::calendar && moment.year &&
           moment.clock != Moment::Clock::of_instant;
  };
  return fixed(left) && fixed(right) && calendar(*left.year, left) < calendar(*right.year, right);
}

} // namespace s2f::slurm
