// Bash itself as the judge: what it refuses, what its words say, and what it runs in which order.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "tests/catch.hpp"
#include "tests/shell/support.hpp"

namespace {

using namespace s2f;

// What a command writes to its standard output and error.
std::string output_of(const std::string& command) {
  std::string out;
  FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::array<char, 4096> buffer{};
  for (std::size_t got = 0; (got = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    out.append(buffer.data(), got);
  }
  pclose(pipe);
  return out;
}

// A file that is gone at the end of the test.
class ScratchFile {
public:
  explicit ScratchFile(std::string_view text) {
    std::string name = (std::filesystem::temp_directory_path() / "slurm2flyte-XXXXXX").string();
    const int descriptor = mkstemp(name.data());
    REQUIRE(descriptor >= 0);
    path_ = name;
    std::ofstream(path_, std::ios::binary) << text;
    FILE* handle = fdopen(descriptor, "r");
    fclose(handle);
  }
  ~ScratchFile() { std::filesystem::remove(path_); }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

private:
  std::string path_;
};

bool have_bash() { return output_of("bash -c 'echo $BASH_VERSION' 2>/dev/null").starts_with("5."); }

// Whether Bash finds no fault in the text. In [[ ]] it complains but says 0 all the same.
bool bash_accepts(std::string_view text) {
  const ScratchFile file(text);
  const std::string said = output_of("bash -n " + file.path() + " 2>&1; echo $?");
  return said.ends_with("0\n") && said.find("error") == std::string::npos &&
         said.find("expected") == std::string::npos;
}

class Generator {
public:
  explicit Generator(unsigned seed) : random_(seed) {}

  std::size_t below(std::size_t limit) { return random_() % limit; }

  template <std::size_t N> std::string_view pick(const std::array<std::string_view, N>& from) {
    return from[below(N)];
  }

  // A word with every kind of quoting, but nothing that expands.
  std::string word() {
    static constexpr std::array<std::string_view, 26> pieces = {
        "a",     "b-c",    "x=1",      "=",        "/p.q",     "'s q'",       "''",
        "\"d\"", "\"\"",   "\\ ",      "\\\\",     "\\$x",     "\\'",         "\"\\$\\a\\\"\"",
        "%",     "$'\\n'", "$'\\x41'", "$'a\\'b'", "$'\\101'", "$'\\u00e9z'", "#c",
        "\\\n",  "{}",     "+@",       ",:",       "\"'\""};
    std::string out(pick(pieces));
    // A comment begins only where a word does.
    if (out.starts_with('#') || out == "\\\n") {
      out = "w" + out;
    }
    for (std::size_t more = below(4); more > 0; --more) {
      out += pick(pieces);
    }
    return out;
  }

  // Lists of commands that print their names and end well or badly.
  std::string list(int depth) {
    static constexpr std::array<std::string_view, 8> joints = {"; ",    "\n",    " && ",   " || ",
                                                               " &&\n", " ||\n", " # c\n", " ;\n"};
    std::string out = pipeline(depth);
    for (std::size_t more = below(3); more > 0; --more) {
      out += pick(joints);
      out += pipeline(depth);
    }
    return out;
  }

private:
  std::string pipeline(int depth) {
    std::string out = below(6) == 0 ? "! " : "";
    out += command(depth);
    for (std::size_t more = below(6) == 0 ? 1 + below(2) : 0; more > 0; --more) {
      out += below(4) == 0 ? " |\n " : " | ";
      out += command(depth);
    }
    return out;
  }

  std::string command(int depth) {
    const std::string end = below(2) == 0 ? "; " : "\n";
    if (depth > 3 || below(2) == 0) {
      return simple();
    }
    auto inside = [&] { return list(depth + 1); };
    switch (below(10)) {
    case 0:
      return "if " + inside() + end + "then " + inside() + end + "fi";
    case 1: {
      std::string out = "if " + inside() + end + "then " + inside() + end;
      out += "elif " + inside() + end + "then " + inside() + end + "else " + inside() + end;
      return out + "fi";
    }
    case 2:
      return "for i in 1 2" + end + "do " + inside() + end + "done";
    case 3:
      return "( " + inside() + " )";
    case 4:
      return "{ " + inside() + end + "}";
    case 5:
      return "case " + std::string(below(2) == 0 ? "p" : "q") + " in p|r) " + inside() + ";; (q) " +
             inside() + "\n;& *) " + inside() + end + "esac";
    case 6:
      return "until s 0" + end + "do " + inside() + end + "done";
    case 7:
      return "[[ " + std::string(below(2) == 0 ? "a == a* && ! -n ''" : "a =~ ^(b|c)$") + " ]]";
    case 8:
      return below(2) == 0 ? "(( 1 + 1 ))" : "((0))";
    default:
      return "p \"$( " + inside() + " )\" `" + simple() + "`";
    }
  }

  std::string simple() {
    const std::string status = std::to_string(below(2));
    switch (below(8)) {
    case 0:
      return "x=" + status + " s 0 $x";
    case 1:
      return "s " + status + " 2>/dev/null >&2";
    case 2:
      return "s " + status + " {a,b}$((1+2)) '#' \"q\"";
    case 3:
      return "s " + status + " <<< w";
    default:
      return "s " + status + " " + std::to_string(below(1000));
    }
  }

  std::mt19937 random_;
};

// The tree as Bash again, with every grouping said by braces: an outside check on the structure.
class Regrouped {
public:
  explicit Regrouped(const test::Parsed& parsed) : parsed_(parsed) {}

  std::string list(const std::vector<shell::Statement>& statements) {
    std::string out;
    for (const shell::Statement& each : statements) {
      out += statement(each) + "\n";
    }
    return out;
  }

private:
  std::string words(const std::vector<shell::Word>& list, std::string_view between = " ") {
    std::string out;
    for (const shell::Word& each : list) {
      if (!out.empty()) {
        out += between;
      }
      out += parsed_.text(each.span);
    }
    return out;
  }

  std::string statement(const shell::Statement& each) {
    std::string out = "{ " + value(each);
    for (const shell::Redirect& redirect : each.redirects) {
      out += " " + parsed_.text(redirect.span);
    }
    out += "\n}";
    return each.negated ? "{ ! " + out + "\n}" : out;
  }

  std::string value(const shell::Statement& each) {
    if (const auto* simple = shell::as_simple(each)) {
      std::string out;
      for (const shell::Assignment& assignment : simple->assignments) {
        out += parsed_.text(assignment.span) + " ";
      }
      return out + words(simple->words);
    }
    if (const auto* pipeline = std::get_if<shell::Pipeline>(&each.value)) {
      std::string out;
      for (const shell::Statement& command : pipeline->commands) {
        out += (out.empty() ? "" : " | ") + statement(command);
      }
      return out;
    }
    if (const auto* both = std::get_if<shell::AndOr>(&each.value)) {
      return statement(*both->left) + (both->is_and ? " && " : " || ") + statement(*both->right);
    }
    if (const auto* subshell = std::get_if<shell::Subshell>(&each.value)) {
      return "( " + list(subshell->body) + " )";
    }
    if (const auto* group = std::get_if<shell::Group>(&each.value)) {
      return "{ " + list(group->body) + " }";
    }
    if (const auto* choice = std::get_if<shell::If>(&each.value)) {
      std::string out;
      for (const shell::IfBranch& branch : choice->branches) {
        if (branch.condition.empty()) {
          out += "else " + list(branch.body);
        } else {
          out += (out.empty() ? "if " : "elif ") + list(branch.condition);
          out += "then " + list(branch.body);
        }
      }
      return out + "fi";
    }
    if (const auto* loop = std::get_if<shell::While>(&each.value)) {
      return (loop->until ? "until " : "while ") + list(loop->condition) + "do " +
             list(loop->body) + "done";
    }
    if (const auto* loop = std::get_if<shell::For>(&each.value)) {
      return "for " + loop->variable + " in " + words(loop->words) + "\ndo " + list(loop->body) +
             "done";
    }
    if (const auto* choice = std::get_if<shell::Case>(&each.value)) {
      std::string out = "case " + parsed_.text(choice->subject.span) + " in\n";
      for (const shell::CaseItem& item : choice->items) {
        out += "(" + words(item.patterns, "|") + ") " + list(item.body) +
               (item.terminator.empty() ? ";;" : item.terminator) + "\n";
      }
      return out + "esac";
    }
    if (const auto* test = std::get_if<shell::Test>(&each.value)) {
      return "[[ " + test->expression + " ]]";
    }
    if (const auto* arithmetic = std::get_if<shell::ArithmeticCommand>(&each.value)) {
      return "(( " + arithmetic->arithmetic.expression + " ))";
    }
    FAIL("a statement that the generator does not make");
    return {};
  }

  const test::Parsed& parsed_;
};

} // namespace

TEST_CASE("Bash and this parser refuse the same texts", "[shell][bash]") {
  if (!have_bash()) {
    return;
  }
  static constexpr std::string_view texts[] = {
      "a | ! b",
      "if a; then fi",
      "( )",
      "x=$( )",
      "a & ; b",
      "a () b",
      "f() g() { a; }",
      "{ a; } b",
      ">f if a; then b; fi",
      "[[ a b ]]",
      "[[ a ]",

      "a;;",
      "f() { a; }; }",
      "a <",
      "a > > b",
      "a >&2>f",
      "a > 2>f",
      "a <<<2>f",
      "a $[x;",
      "do<(a)",
      "a <<",
      "a>#b",
      "if() { a; }",
      "a=b=(c)",
      "echo a=(1)",
      "in",
      "then",
      "while; do a; done",
      "for x in a;; do b; done",
      "case x in a) b;; c) esac",
      "case x in esac",
      "time a | b",
      "! ! a",
      "time ! a",
      "f() ((1))",
      "f() [[ a ]]",
      "function f\n{ a; }",
      "for x; { a; }",
      "for ((;;)) { a; }",
      "a[1",
      "a[1 2]=3",
      "coproc X { a; }",
      "((a);(b))",
      "a && # c\nb",
      "a |\nb",
      "echo $[1+2]",
      "a\n&& b",
      "'",
      "\"",
      "`",
      "$(",
      "${x",
      "echo $((1+2)",
      "{ a }",
      "{ a; }",
      "(a",
      "a)",
      "if a; then b; fi fi",
      "do a; done",
      "a & & b",
      "a || | b",
      "! | a",
      "case x in a|) b;; esac",
      "for 1 in a b; do c; done >",
      "f() { a; } > x",
      "select x; do a; done",
      "while a; do b; done < f | c",
      "a && ",
      "a ||\n",
      "if (a) then b; fi",
      "{ (a) }",
      "export a=(1)",
      "declare -a x=(1) y=(2)",
      "x=(a\n# c\nb)",
      "x=(a;b)",
      "a 2>&1 >&-",
      "]]",
      "time",
      "!",
      "[[ a &&\nb ]]",
      "[[ a\n&& b ]]",
      "[[ -f x\n&& b ]]",
      "[[ ! ( a || b ) ]]",
      "[[ a =~ (x|y) ]]",
      "[[ (a ]]",
      "(( a",
  };
  for (const std::string_view text : texts) {
    CAPTURE(text);
    CHECK(test::Parsed(text).sound() == bash_accepts(text));
  }
}

TEST_CASE("words say what Bash says", "[shell][bash]") {
  if (!have_bash()) {
    return;
  }
  Generator generator(20250611);
  std::string script = "p() { printf '%s\\0' \"$@\"; printf '\\1\\0'; }\n";
  std::vector<std::string> expected;
  for (int i = 0; i < 3000; ++i) {
    std::string command = "p";
    for (std::size_t count = 1 + generator.below(4); count > 0; --count) {
      command += ' ' + generator.word();
    }
    const test::Parsed parsed(command);
    CAPTURE(command);
    REQUIRE(parsed.sound());
    REQUIRE(parsed.script.statements.size() == 1);
    const auto* simple = shell::as_simple(parsed.script.statements[0]);
    REQUIRE(simple != nullptr);
    std::string values;
    for (std::size_t w = 1; w < simple->words.size(); ++w) {
      const auto value = simple->words[w].literal();
      REQUIRE(value.has_value());
      values += *value + '\0';
    }
    expected.push_back(values + std::string("\1\0", 2));
    script += command + "\n";
  }
  const ScratchFile file(script);
  const std::string said = output_of("LC_ALL=C.UTF-8 bash " + file.path());
  std::size_t at = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    REQUIRE(said.substr(at, expected[i].size()) == expected[i]);
    at += expected[i].size();
  }
  CHECK(at == said.size());
}

TEST_CASE("the structure is the one that Bash runs", "[shell][bash]") {
  if (!have_bash()) {
    return;
  }
  // `s` says what it is given and returns its first argument. Nobody reads the pipes: they may
  // break.
  const std::string prelude = R"(
s() { local r=$1; printf '%s ' "$@" 2>/dev/null; return $r; }
p() { printf '<%s>' "$@" 2>/dev/null; }
)";
  Generator generator(7);
  std::string ours;
  std::string theirs;
  for (int i = 0; i < 300; ++i) {
    const std::string text = generator.list(0);
    CAPTURE(text);
    const test::Parsed parsed(text);
    REQUIRE(parsed.sound());
    const std::string number = std::to_string(i);
    theirs += "echo \"[" + number + "]\"; ( :;\n" + text + "\n) </dev/null; echo \"=$?\"\n";
    ours += "echo \"[" + number + "]\"; ( :;\n" + Regrouped(parsed).list(parsed.script.statements) +
            ") </dev/null; echo \"=$?\"\n";
  }
  const ScratchFile original(prelude + theirs);
  const ScratchFile regrouped(prelude + ours);
  auto run = [](const ScratchFile& file) {
    return output_of("trap '' PIPE; bash " + file.path() + " 2>&1 | tr -d '\\0'");
  };
  std::istringstream left(run(original));
  std::istringstream right(run(regrouped));
  std::string one;
  std::string two;
  int line = 0;
  while (std::getline(left, one)) {
    CAPTURE(++line);
    REQUIRE(std::getline(right, two));
    REQUIRE(one == two);
  }
  CHECK_FALSE(std::getline(right, two));
  CHECK(line >= 600);
}

TEST_CASE("here-documents hold what Bash puts in them", "[shell][bash]") {
  if (!have_bash()) {
    return;
  }
  static constexpr std::string_view documents[] = {
      "<<E\na\\$x \\\\ \\` \\a \"q\" 'r'\nE",
      "<<'E'\n$x \\\\ \\\nE",
      "<<-E\n\t\ta\n\tb\\\n\tc\n\tE",
      "<<-'E'\n\ta\\\n\tb\n\tE",
      "<<E\na\\\nE\nE",
      "<<\"E\"F\nE\nEF",
      "<<E\n\nE2\n E\nE \nE",
      "<<-E\na\tb\n\t\tE",
  };
  for (const std::string_view document : documents) {
    CAPTURE(document);
    const std::string text = "cat " + std::string(document) + "\n";
    const test::Parsed parsed(text);
    REQUIRE(parsed.sound());
    REQUIRE(parsed.script.statements.size() == 1);
    std::string value;
    for (const auto& part : parsed.script.statements[0].redirects.at(0).heredoc_parts) {
      const auto* literal = std::get_if<shell::Literal>(&part.value);
      REQUIRE(literal != nullptr);
      value += literal->value;
    }
    const ScratchFile file(text);
    CHECK(value == output_of("bash " + file.path()));
  }
}
