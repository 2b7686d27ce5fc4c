// Points in time: --begin, --deadline. They mean something only relative to the submission.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace s2f::slurm {

struct Moment {
  enum class Day : std::uint8_t {
    none,       // a time of day alone: the next such time
    of_submit,  // the day of submission, plus `days`
    calendar,   // year, month, day
    of_instant, // the day of submission time plus `seconds`
  };
  enum class Clock : std::uint8_t { none, given, of_instant };
  Day day{};
  Clock clock{};
  std::int64_t seconds = 0; // after submission, for of_instant
  int days = 0;
  std::optional<int> year; // absent: the next such date
  int month = 0;           // 1-12
  int mday = 0;            // 1-31, may exceed the month, as Slurm lets it
  int hour = 0, minute = 0, second = 0;

  friend bool operator==(const Moment&, const Moment&) = default;
};

// Where sbatch stopped reading; it says so in its message. Nothing: it read the text, but no time
// was in it.
struct MomentError {
  std::optional<std::size_t> position;
};
[[nodiscard]] std::expected<Moment, MomentError> read_moment(std::string_view text);

// "2030-01-20T12:34:00", or relative to the submission: "SUBMIT+3600s", "NEXT 16:00:00",
// "DAY+1 10:00:00". With `now` (an ISO time) always the former.
[[nodiscard]] std::string show_moment(const Moment& moment, const std::optional<std::string>& now);

// Whether `left` is certainly before `right` for any time of submission, or at `now`.
[[nodiscard]] bool certainly_before(const Moment& left, const Moment& right,
                                    const std::optional<std::string>& now);

} // namespace s2f::slurm
