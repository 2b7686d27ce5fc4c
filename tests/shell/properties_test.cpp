// What holds for every text: no crash, places inside the text, inside one another and in order.
#include <algorithm>
#include <random>

#include "tests/catch.hpp"
#include "tests/shell/support.hpp"

namespace {

using namespace s2f;

class Checker {
public:
  explicit Checker(const test::Parsed& parsed)
      : size_(static_cast<std::uint32_t>(parsed.sources[source::SourceId{}].text.size())) {}

  bool script(const shell::Script& script) {
    const source::Span whole{source::SourceId{}, 0, size_};
    list(script.statements, whole);
    for (std::size_t i = 0; i < script.comments.size(); ++i) {
      inside(script.comments[i].span, whole);
      if (i > 0) {
        expect(script.comments[i - 1].span.end <= script.comments[i].span.begin);
      }
    }
    return good_;
  }

private:
  void expect(bool condition) { good_ = good_ && condition; }

  void inside(const source::Span& inner, const source::Span& outer) {
    expect(inner.begin <= inner.end);
    expect(outer.contains(inner));
  }

  static bool has_heredoc(const shell::Statement& statement, const source::Span& after) {
    // Its text may go on below what follows on its first line.
    return statement.span.end > after.begin;
  }

  void list(const std::vector<shell::Statement>& statements, const source::Span& outer) {
    for (std::size_t i = 0; i < statements.size(); ++i) {
      inside(statements[i].span, outer);
      if (i > 0) {
        expect(statements[i - 1].span.begin <= statements[i].span.begin);
        expect(statements[i - 1].span.end <= statements[i].span.begin ||
               has_heredoc(statements[i - 1], statements[i].span));
      }
      statement(statements[i]);
    }
  }

  void words(const std::vector<shell::Word>& list, const source::Span& outer) {
    for (const shell::Word& each : list) {
      word(each, outer);
    }
  }

  void word(const shell::Word& word, const source::Span& outer) {
    inside(word.span, outer);
    parts(word.parts, word.span);
  }

  void parts(const std::vector<shell::WordPart>& list_of_parts, const source::Span& outer) {
    std::uint32_t last = outer.begin;
    for (const shell::WordPart& part : list_of_parts) {
      inside(part.span, outer);
      expect(part.span.begin >= last);
      last = part.span.end;
      if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&part.value)) {
        parts(quoted->parts, part.span);
      } else if (const auto* parameter = std::get_if<shell::Parameter>(&part.value)) {
        if (parameter->subscript) {
          word(**parameter->subscript, part.span);
        }
        words(parameter->arguments, part.span);
      } else if (const auto* command = std::get_if<shell::CommandSubstitution>(&part.value)) {
        list(command->body, part.span);
      } else if (const auto* process = std::get_if<shell::ProcessSubstitution>(&part.value)) {
        list(process->body, part.span);
      } else if (const auto* arithmetic = std::get_if<shell::Arithmetic>(&part.value)) {
        parts(arithmetic->expansions, part.span);
      } else if (const auto* brace = std::get_if<shell::BraceExpansion>(&part.value)) {
        words(brace->alternatives, part.span);
      }
    }
  }

  void assignments(const std::vector<shell::Assignment>& list, const source::Span& outer) {
    for (const shell::Assignment& each : list) {
      inside(each.span, outer);
      if (each.subscript) {
        word(**each.subscript, each.span);
      }
      if (each.value) {
        word(*each.value, each.span);
      }
      if (each.array) {
        words(*each.array, each.span);
      }
    }
  }

  void statement(const shell::Statement& each) {
    const source::Span& span = each.span;
    for (const shell::Redirect& redirect : each.redirects) {
      inside(redirect.span, span);
      word(redirect.target, redirect.span);
      if (redirect.kind == shell::RedirectKind::heredoc) {
        inside(redirect.heredoc_body, span);
        parts(redirect.heredoc_parts, redirect.heredoc_body);
      }
    }
    if (const auto* simple = shell::as_simple(each)) {
      assignments(simple->assignments, span);
      words(simple->words, span);
      assignments(simple->declared, span);
    } else if (const auto* pipeline = std::get_if<shell::Pipeline>(&each.value)) {
      list(pipeline->commands, span);
      expect(pipeline->pipes_stderr.size() + 1 == pipeline->commands.size());
    } else if (const auto* both = std::get_if<shell::AndOr>(&each.value)) {
      inside(both->left->span, span);
      inside(both->right->span, span);
      expect(both->left->span.begin <= both->right->span.begin);
      statement(*both->left);
      statement(*both->right);
    } else if (const auto* subshell = std::get_if<shell::Subshell>(&each.value)) {
      list(subshell->body, span);
    } else if (const auto* group = std::get_if<shell::Group>(&each.value)) {
      list(group->body, span);
    } else if (const auto* choice = std::get_if<shell::If>(&each.value)) {
      for (const shell::IfBranch& branch : choice->branches) {
        inside(branch.span, span);
        list(branch.condition, span);
        list(branch.body, span);
      }
    } else if (const auto* loop = std::get_if<shell::While>(&each.value)) {
      list(loop->condition, span);
      list(loop->body, span);
    } else if (const auto* items = std::get_if<shell::For>(&each.value)) {
      inside(items->variable_span, span);
      words(items->words, span);
      list(items->body, span);
    } else if (const auto* count = std::get_if<shell::ArithmeticFor>(&each.value)) {
      list(count->body, span);
    } else if (const auto* branches = std::get_if<shell::Case>(&each.value)) {
      word(branches->subject, span);
      for (const shell::CaseItem& item : branches->items) {
        inside(item.span, span);
        words(item.patterns, item.span);
        list(item.body, span);
      }
    } else if (const auto* function = std::get_if<shell::Function>(&each.value)) {
      inside(function->body->span, span);
      statement(*function->body);
    } else if (const auto* test = std::get_if<shell::Test>(&each.value)) {
      words(test->words, span);
    } else if (const auto* coprocess = std::get_if<shell::Coprocess>(&each.value)) {
      inside(coprocess->body->span, span);
      statement(*coprocess->body);
    }
  }

  std::uint32_t size_;
  bool good_ = true;
};

bool holds(const std::string& text) {
  const test::Parsed parsed(text);
  bool lists_unparsed = true;
  for (const shell::Statement& each : parsed.script.statements) {
    if (std::holds_alternative<shell::Unparsed>(each.value)) {
      lists_unparsed = lists_unparsed && std::ranges::find(parsed.script.unparsed, each.span) !=
                                             parsed.script.unparsed.end();
    }
  }
  return lists_unparsed && Checker(parsed).script(parsed.script);
}

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
