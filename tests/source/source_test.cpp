// Sources: encodings, lines, positions, virtual sources and the digest.
#include "source/source.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "tests/catch.hpp"

using namespace s2f::source;

TEST_CASE("quirks of the bytes are noted and the text is settled", "[source]") {
  Sources sources;
  const Source& plain = sources[sources.add("a.sh", "a\nb\n")];
  CHECK(plain.text == "a\nb\n");
  CHECK_FALSE(plain.quirks.bom);
  CHECK_FALSE(plain.quirks.crlf);
  CHECK_FALSE(plain.quirks.no_final_newline);

  const Source& windows = sources[sources.add("w.sh", "\xEF\xBB\xBF#!/bin/sh\r\necho\r\n")];
  CHECK(windows.text == "#!/bin/sh\necho\n");
  CHECK(windows.quirks.bom);
  CHECK(windows.quirks.crlf);

  const Source& lone = sources[sources.add("r.sh", "a\rb")];
  CHECK(lone.text == "a\rb");
  CHECK_FALSE(lone.quirks.crlf);
  CHECK(lone.quirks.no_final_newline);

  const Source& latin = sources[sources.add("l.sh", "# caf\xE9\n")];
  CHECK(latin.quirks.invalid_utf8);
  CHECK(latin.text == "# caf\xC3\xA9\n");

  const Source& utf8 = sources[sources.add("u.sh", "# caf\xC3\xA9 \xF0\x9F\x8D\x8B\n")];
  CHECK_FALSE(utf8.quirks.invalid_utf8);

  const Source& nul = sources[sources.add("n.sh", std::string_view("a\0b\n", 4))];
  CHECK(nul.quirks.nul);
  CHECK(nul.text.size() == 4);

  const Source& empty = sources[sources.add("e.sh", "")];
  CHECK_FALSE(empty.quirks.no_final_newline);
  CHECK(empty.line_count() == 1);
}

TEST_CASE("what is not UTF-8 is found out", "[source]") {
  Sources sources;
  auto invalid = [&](std::string_view bytes) {
    return sources[sources.add("x", bytes)].quirks.invalid_utf8;
  };
  CHECK(invalid("\xC0\x80"));         // overlong
  CHECK(invalid("\xE0\x80\x80"));     // overlong
  CHECK(invalid("\xED\xA0\x80"));     // a surrogate
  CHECK(invalid("\xF4\x90\x80\x80")); // beyond the last code point
  CHECK(invalid("\xC3"));             // cut short
  CHECK(invalid("\x80"));
  CHECK_FALSE(invalid("\xEF\xBF\xBD"));
  CHECK_FALSE(invalid("\xF4\x8F\xBF\xBF"));
}

TEST_CASE("lines and positions", "[source]") {
  Sources sources;
  const SourceId id = sources.add("a.sh", "one\n\nthree");
  const Source& source = sources[id];
  CHECK(source.line_count() == 3);
  CHECK(source.line(1) == "one");
  CHECK(source.line(2).empty());
  CHECK(source.line(3) == "three");
  CHECK(source.line(4).empty());
  CHECK(source.line(0).empty());
  CHECK(source.position(0) == Position{1, 1});
  CHECK(source.position(3) == Position{1, 4});
  CHECK(source.position(4) == Position{2, 1});
  CHECK(source.position(5) == Position{3, 1});
  CHECK(source.position(999) == Position{3, 6});
  CHECK(source.line_span(3) == Span{id, 5, 10});
  CHECK(sources.text({id, 5, 8}) == "thr");
  CHECK(sources.text({id, 5, 800}) == "three");
  CHECK(sources.begin({id, 5, 8}) == Position{3, 1});
  CHECK(sources.end({id, 5, 8}) == Position{3, 4});
}

TEST_CASE("a virtual source maps back to the file", "[source]") {
  Sources sources;
  // The heredoc's body `a \$x` is the script `a $x`.
  const std::string outer_text = "cat <<E\na \\$x\nE\n";
  const SourceId outer = sources.add("run.sh", outer_text);
  const SourceId inner = sources.add_virtual("a $x\n", Origin{{outer, 8, 14}, {{0, 8}, {2, 11}}});
  CHECK(sources[inner].path == "run.sh:2");
  CHECK(sources.to_file({inner, 0, 1}) == Span{outer, 8, 9});
  CHECK(sources.to_file({inner, 2, 4}) == Span{outer, 11, 13});
  CHECK(sources.to_file({inner, 0, 4}) == Span{outer, 8, 13});
  // Its end is that of its last byte, not the begin of the next run.
  CHECK(sources.to_file({inner, 0, 2}) == Span{outer, 8, 10});
  CHECK(sources.to_file({outer, 3, 4}) == Span{outer, 3, 4});

  const SourceId innermost = sources.add_virtual("x", Origin{{inner, 3, 4}, {{0, 3}}});
  CHECK(sources.to_file({innermost, 0, 1}) == Span{outer, 12, 13});
  CHECK(sources[outer].text == outer_text);
}

TEST_CASE("SHA-256 of the standard's examples", "[source]") {
  CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256_hex(std::string(1'000'000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  Sources sources;
  const std::string bytes = "\xEF\xBB\xBF"
                            "a\r\n";
  CHECK(sources[sources.add("a", bytes)].bytes_sha256 == sha256_hex(bytes));
}

TEST_CASE("reading files", "[source]") {
  namespace fs = std::filesystem;
  const fs::path path = fs::temp_directory_path() / "slurm2flyte_source_test.sh";
  std::ofstream(path, std::ios::binary) << std::string(5000, 'x');
  CHECK(read_file(path.string()).value().size() == 5000);
  const auto large = read_file(path.string(), 4999);
  REQUIRE_FALSE(large);
  CHECK(large.error().error == ReadError::too_large);
  CHECK(read_file(path.string(), 5000).has_value());
  fs::remove(path);
  const auto missing = read_file(path.string());
  REQUIRE_FALSE(missing);
  CHECK(missing.error().error == ReadError::missing);
  CHECK(missing.error().message.find(path.string()) != std::string::npos);
  const auto directory = read_file(fs::temp_directory_path().string());
  REQUIRE_FALSE(directory);
  CHECK(directory.error().error == ReadError::is_directory);
}
