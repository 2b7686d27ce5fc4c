// What holds for every text: no crash, places inside the text, inside one another and in order.
#include <algorithm>
#include <random>

#include "tests/catch.hpp"
#include "tests/shell/tree_checks.hpp"

namespace {

using namespace s2f;

bool holds(const std::string& text) { return test::is_sound_tree(text); }

constexpr std::string_view sample = R"(#!/bin/bash
#SBATCH --array=0-9%2  # ten
set -euo pipefail
module load gcc/12 {openmpi,hdf5}/4 2>/dev/null || { echo "no: $?" >&2; exit 1; }
declare -A where=([a]="$HOME/x y" ["b c"]=~/z)
files=( data/*.fq $(ls "$SCRATCH" | sed -n "${SLURM_ARRAY_TASK_ID}p") `echo \`date +%s\`` )
for f in "${files[@]}"; do
  [[ -f $f && ! ( $f =~ ^(a|b)[0-9]+$ ) ]] && continue   # skip
  while IFS=, read -r a b; do (( n += a * 10#$b )); done < <(tail -n +2 "$f")
  case ${f##*/} in
    *.gz|"x y") zcat -- "$f" ;;& (*) cat <<-EOT | sort -k1,1 > out.${f%.*} 2>&1 & ;;
	$f is $(( n > 3 ? n : 1 )) long
	EOT
  esac
done
run() { time srun -n $((SLURM_NTASKS/2)) ./a.out --in="${1:-$(default "$2")}" "$@"; } > log 2>&1
cat <<'E' > job.sh; sbatch --wrap "echo ${x//a/b} \$y"
#SBATCH -n $n
E
if ! run one; then :; elif [ -z "$x" ]; then exit 2; else wait; fi
)";

} // namespace

TEST_CASE("a real script keeps its places in order", "[shell]") {
  CHECK(holds(std::string(sample)));
  CHECK(test::Parsed(sample).sound());
}

TEST_CASE("every beginning of a script can be read", "[shell]") {
  for (std::size_t length = 0; length < sample.size(); ++length) {
    CAPTURE(length);
    REQUIRE(holds(std::string(sample.substr(0, length))));
  }
}

TEST_CASE("a script with a few bytes changed can be read", "[shell]") {
  std::mt19937 random(42);
  constexpr std::string_view troublesome = "\"'`$(){}[];&|<>\\\n #!=~*?-:@";
  for (int round = 0; round < 4000; ++round) {
    std::string text(sample);
    for (unsigned changes = 1 + random() % 4; changes > 0; --changes) {
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
      case 0:
        text[at] = troublesome[random() % troublesome.size()];
        break;
      case 1:
        text.insert(at, 1, troublesome[random() % troublesome.size()]);
        break;
      case 2:
        text.erase(at, 1 + random() % 20);
        break;
      default:
        text.insert(at, std::string(sample.substr(random() % sample.size(), 30)));
      }
    }
    CAPTURE(text);
    REQUIRE(holds(text));
  }
}

TEST_CASE("random bytes can be read", "[shell]") {
  std::mt19937 random(1);
  constexpr std::string_view troublesome = "\"'`$(){}[];&|<>\\\n #!=~*?a1";
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (unsigned length = random() % 300; length > 0; --length) {
      text += round % 2 == 0 ? static_cast<char>(random() % 256)
                             : troublesome[random() % troublesome.size()];
    }
    REQUIRE(holds(text));
  }
}

TEST_CASE("depth and length have bounds", "[shell]") {
  auto repeated = [](std::string_view piece, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) {
      out += piece;
    }
    return out;
  };
  static constexpr std::string_view pieces[] = {"(",
                                                "{ ",
                                                "$(",
                                                "${x:-",
                                                "$((",
                                                "((",
                                                "\"$(",
                                                "`",
                                                "if a; then ",
                                                "while ",
                                                "[[ (",
                                                "a[",
                                                "a[$(",
                                                "<(",
                                                "a && ",
                                                "{a,",
                                                "! ",
                                                "time ",
                                                "case x in a) ",
                                                "a | ",
                                                "a; ",
                                                "x ",
                                                "\\",
                                                "<<E ",
                                                "a=(",
                                                "$[",
                                                "${x[",
                                                "@(",
                                                "for x in ",
                                                "f() { ",
                                                "[[ a && ",
                                                "$(( (",
                                                "'",
                                                "\""};
  for (const std::string_view piece : pieces) {
    CAPTURE(piece);
    const std::string text = repeated(piece, 20000);
    CHECK(holds(text));
    CHECK(holds("extglob " + text));
  }
  CHECK(holds(repeated("(", 5000) + "a" + repeated(")", 5000)));
  CHECK(holds(repeated("a=$(", 150) + "b" + repeated(")", 150)));
  CHECK_FALSE(test::Parsed(repeated("a && ", 20000) + "b").sound());
  CHECK(test::Parsed(repeated("a && ", 500) + "b").sound());
  CHECK(test::Parsed(repeated("a\n", 20000)).sound());
}

TEST_CASE("a text with NUL bytes is refused whole", "[shell]") {
  const test::Parsed parsed(std::string_view("a\0b\n", 4));
  REQUIRE(parsed.script.statements.size() == 1);
  CHECK_FALSE(parsed.sound());
}

TEST_CASE("an error costs one statement", "[shell]") {
  const test::Parsed parsed("a\nif b; then c )\nd\n");
  REQUIRE(parsed.script.statements.size() == 3);
  CHECK(parsed.script.unparsed.size() == 1);
  CHECK(parsed.text(parsed.script.unparsed[0]) == "if b; then c )");
}
