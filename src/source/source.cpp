// Reads files, settles their encoding, and answers where an offset lies.
#include "source/source.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <utility>

namespace s2f::source {

namespace {

// The length of the UTF-8 sequence at `text[at]`, or 0 when it is not one (RFC 3629: no overlong
// forms, no surrogates, nothing beyond U+10FFFF).
std::size_t utf8_length(std::string_view text, std::size_t at) {
  auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  auto continues = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return i < text.size() && byte(i) >= low && byte(i) <= high;
  };
  const unsigned first = byte(at);
  if (first < 0x80) {
    return 1;
  }
  if (first >= 0xC2 && first <= 0xDF) {
    return continues(at + 1) ? 2 : 0;
  }
  if (first >= 0xE0 && first <= 0xEF) {
    const unsigned low = first == 0xE0 ? 0xA0 : 0x80;
    const unsigned high = first == 0xED ? 0x9F : 0xBF;
    return continues(at + 1, low, high) && continues(at + 2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const unsigned low = first == 0xF0 ? 0x90 : 0x80;
    const unsigned high = first == 0xF4 ? 0x8F : 0xBF;
    return continues(at + 1, low, high) && continues(at + 2) && continues(at + 3) ? 4 : 0;
  }
  return 0;
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      ++at;
      continue;
    }
    const std::size_t length = utf8_length(text, at);
    if (length == 0) {
      return false;
    }
    at += length;
  }
  return true;
}

std::string latin1_to_utf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size() + bytes.size() / 8);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      text += c;
    } else {
      text += static_cast<char>(0xC0 | (byte >> 6));
      text += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return text;
}

std::string without_carriage_returns(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    if (bytes[at] == '\r' && at + 1 < bytes.size() && bytes[at + 1] == '\n') {
      continue;
    }
    text += bytes[at];
  }
  return text;
}

// A final newline ends the last line; it does not begin another.
std::vector<std::uint32_t> line_starts_of(std::string_view text) {
  std::vector<std::uint32_t> starts{0};
  for (std::size_t at = text.find('\n'); at != std::string_view::npos;
       at = text.find('\n', at + 1)) {
    if (at + 1 < text.size()) {
      starts.push_back(static_cast<std::uint32_t>(at + 1));
    }
  }
  return starts;
}

std::uint32_t map_offset(const Origin& origin, std::uint32_t offset) {
  auto after = std::ranges::upper_bound(origin.runs, offset, {}, &Run::begin);
  std::uint32_t outer = origin.outer.begin;
  if (after == origin.runs.begin()) {
    outer += offset;
  } else {
    const Run& run = *std::prev(after);
    outer = run.outer + (offset - run.begin);
  }
  return std::clamp(outer, origin.outer.begin, origin.outer.end);
}

} // namespace

std::uint32_t Source::line_count() const { return static_cast<std::uint32_t>(line_starts.size()); }

Position Source::position(std::uint32_t offset) const {
  offset = std::min(offset, static_cast<std::uint32_t>(text.size()));
  const auto after = std::ranges::upper_bound(line_starts, offset);
  const auto line = static_cast<std::uint32_t>(after - line_starts.begin());
  return {line, offset - line_starts[line - 1] + 1};
}

Span Source::line_span(std::uint32_t line) const {
  const auto size = static_cast<std::uint32_t>(text.size());
  if (line == 0 || line > line_count()) {
    return {id, size, size};
  }
  const std::uint32_t begin = line_starts[line - 1];
  std::uint32_t end = line < line_count() ? line_starts[line] : size;
  if (end > begin && text[end - 1] == '\n') {
    --end;
  }
  return {id, begin, end};
}

std::string_view Source::line(std::uint32_t line) const {
  const Span span = line_span(line);
  return std::string_view(text).substr(span.begin, span.size());
}

SourceId Sources::add(std::string path, std::string_view bytes) {
  Source source;
  source.id = SourceId{static_cast<std::uint32_t>(sources_.size())};
  source.path = std::move(path);
  source.bytes_sha256 = sha256_hex(bytes);
  if (bytes.starts_with("\xEF\xBB\xBF")) {
    source.quirks.bom = true;
    bytes.remove_prefix(3);
  }
  source.quirks.crlf = bytes.find("\r\n") != std::string_view::npos;
  source.quirks.nul = bytes.find('\0') != std::string_view::npos;
  source.quirks.no_final_newline = !bytes.empty() && !bytes.ends_with('\n');
  source.quirks.invalid_utf8 = !is_utf8(bytes);
  source.text = source.quirks.crlf ? without_carriage_returns(bytes) : std::string(bytes);
  if (source.quirks.invalid_utf8 && !source.quirks.nul) {
    source.text = latin1_to_utf8(source.text);
  }
  source.line_starts = line_starts_of(source.text);
  sources_.push_back(std::move(source));
  return sources_.back().id;
}

SourceId Sources::add_virtual(std::string text, Origin origin) {
  const Source& outer = (*this)[origin.outer.source];
  Source source;
  source.id = SourceId{static_cast<std::uint32_t>(sources_.size())};
  source.path = outer.path + ":" + std::to_string(outer.position(origin.outer.begin).line);
  source.bytes_sha256 = sha256_hex(text);
  source.quirks.nul = text.find('\0') != std::string::npos;
  source.quirks.no_final_newline = !text.empty() && !text.ends_with('\n');
  source.text = std::move(text);
  source.origin = std::move(origin);
  source.line_starts = line_starts_of(source.text);
  sources_.push_back(std::move(source));
  return sources_.back().id;
}

const Source& Sources::operator[](SourceId id) const {
  return sources_.at(static_cast<std::size_t>(id));
}

std::string_view Sources::text(const Span& span) const {
  const std::string_view text = (*this)[span.source].text;
  const std::size_t begin = std::min<std::size_t>(span.begin, text.size());
  return text.substr(begin, std::max(span.begin, span.end) - span.begin);
}

Position Sources::begin(const Span& span) const {
  return (*this)[span.source].position(span.begin);
}

Position Sources::end(const Span& span) const { return (*this)[span.source].position(span.end); }

Span Sources::to_file(const Span& span) const {
  Span at = span;
  while (const auto& origin = (*this)[at.source].origin) {
    const std::uint32_t begin = map_offset(*origin, at.begin);
    // By its last byte, not by the one after: that one may come from somewhere else.
    const std::uint32_t end = at.end > at.begin ? map_offset(*origin, at.end - 1) + 1 : begin;
    at = {origin->outer.source, begin, std::min(std::max(begin, end), origin->outer.end)};
  }
  return at;
}

std::expected<std::string, ReadFailure> read_file(const std::string& path, std::size_t limit) {
  namespace fs = std::filesystem;
  auto fail = [&](ReadError error, const std::string& why) {
    return std::unexpected(ReadFailure{error, path + ": " + why + "."});
  };
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    return fail(ReadError::missing, "there is no such file");
  }
  if (status.type() == fs::file_type::directory) {
    return fail(ReadError::is_directory, "this is a directory");
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    return fail(ReadError::unreadable, "cannot be read");
  }
  // Not by the size that the file system tells: a pipe has none, and a file can grow.
  std::string bytes;
  const std::uintmax_t size = fs::is_regular_file(status) ? fs::file_size(path, error) : 0;
  if (!error && size > limit) {
    return fail(ReadError::too_large, "is larger than " + std::to_string(limit) + " bytes");
  }
  std::size_t room = error ? 0 : static_cast<std::size_t>(size);
  room = std::max<std::size_t>(room + 1, 4096);
  for (;;) {
    const std::size_t have = bytes.size();
    bytes.resize(have + room);
    stream.read(bytes.data() + have, static_cast<std::streamsize>(room));
    bytes.resize(have + static_cast<std::size_t>(stream.gcount()));
    if (bytes.size() > limit) {
      return fail(ReadError::too_large, "is larger than " + std::to_string(limit) + " bytes");
    }
    if (stream.bad()) {
      return fail(ReadError::unreadable, "cannot be read");
    }
    if (!stream) {
      return bytes;
    }
    room = std::size_t{64} << 10;
  }
}

} // namespace s2f::source
