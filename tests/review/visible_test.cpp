// Tests that nothing of a script acts on a terminal or a page that shows it.
#include "review/visible.hpp"

#include "review/markdown_text.hpp"
#include "tests/catch.hpp"

using namespace s2f::review;

TEST_CASE("control and invisible characters are shown as text", "[review][visible]") {
  CHECK(visible("plain text, naïve 日本") == "plain text, naïve 日本");
  CHECK(visible("\x1b[31mred\x07") == "\\x1b[31mred\\x07");
  CHECK(visible(std::string_view("a\0b", 3)) == "a\\x00b");
  CHECK(visible("a\nb\r") == "a\\nb\\x0d");
  CHECK(visible("\x7f\xc2\x9b") == "\\x7f<U+009B>");
  CHECK(visible("user\xe2\x80\xae"
                "txt") == "user<U+202E>txt"); // right-to-left override
  CHECK(visible("zero\xe2\x80\x8bwidth\xef\xbb\xbf") == "zero<U+200B>width<U+FEFF>");
}

TEST_CASE("bytes that are not UTF-8 are shown as such", "[review][visible]") {
  CHECK(visible("\xff\xfe") == "<FF><FE>");
  CHECK(visible("caf\xe9") == "caf<E9>");
  CHECK(visible("\xc0\xaf") == "<C0><AF>");         // not the shortest form
  CHECK(visible("\xed\xa0\x80") == "<ED><A0><80>"); // a surrogate
  CHECK(visible("\xe6\x97") == "<E6><97>");         // cut off
  CHECK(visible("\xf4\x90\x80\x80") == "<F4><90><80><80>");
}

TEST_CASE("columns are those of a terminal", "[review][visible]") {
  CHECK(columns_of("abc") == 3);
  CHECK(columns_of("é") == 1);
  CHECK(columns_of("日本") == 4);
  CHECK(columns_of("e\xcc\x81") == 1); // a combining accent
  CHECK(visible("\tx") == "    x");
  CHECK(visible("ab\tx") == "ab  x");
}

TEST_CASE("text is wrapped at blanks", "[review][visible]") {
  CHECK(wrapped("one two three", "- ", "  ", 9) == "- one two\n  three\n");
  CHECK(wrapped("averylongword b", "> ", "> ", 6) == "> averylongword\n> b\n");
  CHECK(wrapped("", "x: ", "", 10) == "x: \n");
  CHECK(wrapped("a\nb", "", "", 10) == "a\\nb\n");
}

TEST_CASE("prose of a script is no Markdown", "[review][markdown]") {
  CHECK(markdown_text("--mem=4G in train_flyte.py") == "--mem=4G in train_flyte.py");
  CHECK(markdown_text("a | b") == "a &#124; b");
  CHECK(markdown_text("<b>&amp;</b>") == "&#60;b&#62;&#38;amp;&#60;/b&#62;");
  CHECK(markdown_text("*x* _y_ ~~z~~ [l](u)") == "\\*x\\* \\_y\\_ \\~\\~z\\~\\~ \\[l\\](u)");
  CHECK(markdown_text("one ` only") == "one &#96; only");
  CHECK(markdown_text("`wait` succeeds") == "`wait` succeeds");
  CHECK(markdown_text("a `b|c` d") == "a <code>b&#124;c</code> d");
  CHECK(markdown_text("a\\|b") == "a&#92;&#124;b");
  CHECK(markdown_text("mail @here") == "mail @<!-- -->here");
  CHECK(markdown_text("see https://x.example") == "see https&#58;//x.example");
  CHECK(markdown_text("# no\n- list") == "\\# no&#92;n- list");
}

TEST_CASE("code of a script stays code", "[review][markdown]") {
  CHECK(markdown_code("--mem=4G") == "`--mem=4G`");
  CHECK(markdown_code("a <b> *c*") == "`a <b> *c*`"); // a code span shows these as they are
  CHECK(markdown_code("a | b") == "<code>a &#124; b</code>");
  CHECK(markdown_code("`date`") == "<code>&#96;date&#96;</code>");
  CHECK(markdown_code("</code><script>") == "`</code><script>`");
  CHECK(markdown_code("`</code>") == "<code>&#96;&#60;&#47;code&#62;</code>");
  CHECK(markdown_code("x\x1b]0;t\x07") == "<code>x&#92;x1b&#93;0&#59;t&#92;x07</code>");
  CHECK(markdown_code("").empty());
}
