// Patterns as Python has them, and texts that a shell refuses.
#include "passes/patterns.hpp"

#include "passes/refused_text.hpp"
#include "tests/catch.hpp"
#include "tests/passes/compiled.hpp"

using s2f::passes::regex_of_extended;
using s2f::passes::regex_of_pattern;
using s2f::passes::shell_refuses;
using s2f::tests::compile_job;

TEST_CASE("a pattern of the shell as a regular expression") {
  CHECK(regex_of_pattern("[aeiou]") == "[aeiou]");
  CHECK(regex_of_pattern("[!0-9]x") == "[^0-9]x");
  CHECK(regex_of_pattern("i*n") == "(?s)i.*n");
  CHECK(regex_of_pattern("a.b") == "a\\.b");
  CHECK(regex_of_pattern("[[:digit:]_]") == "[0-9_]");
  for (const char* other :
       {"a*b*c", "*", "[[:alpha:]]", "[a", "[]a]", "\\[a", "@(a|b)", "[[=a=]]", "[a&&b]", "ä*"}) {
    CAPTURE(other);
    CHECK_FALSE(regex_of_pattern(other));
  }
}

TEST_CASE("an extended expression as Python's") {
  CHECK(regex_of_extended("^run[0-9]+$") == "^run[0-9]+\\Z");
  CHECK(regex_of_extended("a|b.") == "(?s)a|b.");
  for (const char* other :
       {"a+?", "a**", "(a)", "a{2}", "*a", "\\<a", "a||b", "", "|a", "[[.a.]]"}) {
    CAPTURE(other);
    CHECK_FALSE(regex_of_extended(other));
  }
}

TEST_CASE("what a shell refuses") {
  for (const char* refused :
       {"NAME=<NAME>\n", "cd <run directory>\n", "model_dir=$$(pwd)\n", "%(line_m)s\n",
        "<<<<<<< HEAD\n", "python <a.py> <b> > out 2>&1\n", "echo x >>> report.txt\n",
        "conda activate <env name>\n", "echo \"$A\" ${B} > <out>\n", "a | b > ;\n"}) {
    CAPTURE(refused);
    CHECK(shell_refuses(refused));
  }
  for (const char* read :
       {"echo a > b\n", "sort < <(cat a)\n", "a=(1 2)\n", "f() { echo; }\n",
        "cat <<EOF\n<x>\nEOF\n", "echo '<NAME>'\n", "if [[ a < b ]]; then echo; fi\n",
        "echo \"a (b)\"\n", "ls @(a|b)\n", "x=$(a > )\n", "(echo a) > b\n", "echo a # > \n",
        "echo a\\(b\n", "a+=(x)\n", "echo 'open\n", "echo hello\nworld\n", "tee >(cat) > c\n"}) {
    CAPTURE(read);
    CHECK_FALSE(shell_refuses(read));
  }
}

TEST_CASE("behind a text that the shell refuses nothing runs") {
  const auto job = compile_job("./first\nNAME=<NAME>\n./second\n./third");
  CHECK(job.raised("S2F481"));
  CHECK(job.has("NAME=<NAME>\n./second\n./third"));
  CHECK_FALSE(compile_job("./first\nNAME='<NAME>'\n./second").raised("S2F481"));
}
