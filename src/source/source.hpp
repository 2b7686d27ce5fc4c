// Source texts, real and virtual, and the spans that point into them.
//
// Every later stage speaks of places as `Span`s; only this stage knows how an offset becomes a line
// and how an offset in a virtual source (a heredoc that is itself a script) maps to the outer text.
#pragma once

#include <compare>
#include <cstdint>
#include <deque>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace s2f::source {

enum class SourceId : std::uint32_t {};

// A half-open range of bytes of one source's `text`.
struct Span {
  SourceId source{};
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  [[nodiscard]] std::uint32_t size() const { return end - begin; }
  [[nodiscard]] bool contains(const Span& other) const {
    return source == other.source && begin <= other.begin && other.end <= end;
  }
  friend auto operator<=>(const Span&, const Span&) = default;
};

// 1-based; a column counts bytes.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  friend auto operator<=>(const Position&, const Position&) = default;
};

// What is unusual about the bytes of a file. Slurm refuses some of it, so none of it may be hidden.
struct Quirks {
  bool bom = false;              // began with a UTF-8 byte order mark
  bool crlf = false;             // has a "\r\n" somewhere
  bool nul = false;              // has a NUL byte
  bool invalid_utf8 = false;     // not UTF-8; `text` then holds the bytes read as Latin-1
  bool no_final_newline = false; // the last line has no newline
};

// One run of a virtual source's text that lies in the outer source without change: virtual offset
// `begin` is outer offset `outer`. Runs are sorted by `begin`; a run ends where the next begins.
struct Run {
  std::uint32_t begin = 0;
  std::uint32_t outer = 0;
};

struct Origin {
  Span outer;            // the heredoc's body, the --wrap word, the crontab line
  std::vector<Run> runs; // piecewise map back: escapes such as `\$` move offsets
};

struct Source {
  SourceId id{};
  std::string path; // as named by the caller; for a virtual source "<outer path>:<line>"
  // What is parsed: without byte order mark, "\r\n" as "\n", valid UTF-8 unless `quirks.nul`.
  std::string text;
  std::string bytes_sha256; // hex, of the file's bytes as they were
  Quirks quirks;
  std::optional<Origin> origin;           // set for a virtual source
  std::vector<std::uint32_t> line_starts; // offsets into `text`; [0] == 0

  [[nodiscard]] std::uint32_t line_count() const;
  // Offsets past the end are clamped.
  [[nodiscard]] Position position(std::uint32_t offset) const;
  // Of line `line` (1-based), without its newline.
  [[nodiscard]] std::string_view line(std::uint32_t line) const;
  [[nodiscard]] Span line_span(std::uint32_t line) const;
};

// Owns all sources of one conversion. References stay valid as sources are added.
class Sources {
public:
  SourceId add(std::string path, std::string_view bytes);
  SourceId add_virtual(std::string text, Origin origin);

  [[nodiscard]] const Source& operator[](SourceId id) const;
  [[nodiscard]] std::size_t size() const { return sources_.size(); }
  [[nodiscard]] std::string_view text(const Span& span) const;
  [[nodiscard]] Position begin(const Span& span) const; // of the first byte
  [[nodiscard]] Position end(const Span& span) const;   // of the byte after the last
  // The span of the outermost real source that `span` came from; itself for a real source.
  [[nodiscard]] Span to_file(const Span& span) const;

private:
  std::deque<Source> sources_;
};

enum class ReadError { missing, is_directory, unreadable, too_large };

struct ReadFailure {
  ReadError error{};
  std::string message; // a sentence for a person, with the path
};

// Reads a whole file; at most `limit` bytes (default 16 MiB).
std::expected<std::string, ReadFailure> read_file(const std::string& path,
                                                  std::size_t limit = std::size_t{16} << 20);

// Lower-case hex SHA-256 (FIPS 180-4).
std::string sha256_hex(std::string_view bytes);

} // namespace s2f::source
