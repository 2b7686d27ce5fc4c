// Every construct of the typed tree, by its dump.
#include <string_view>

#include "tests/catch.hpp"
#include "tests/shell/support.hpp"

namespace {

struct Case {
  std::string_view text;
  std::string_view tree;
};

// clang-format off
constexpr Case cases[] = {
    {R"~(a b)~",
     R"~((simple "a" "b"))~"},
    {R"~(x=1)~",
     R"~((simple (set x "1")))~"},
    {R"~(x=1 y= a)~",
     R"~((simple (set x "1") (set y (w)) "a"))~"},
    {R"~(x+=2)~",
     R"~((simple (set x + "2")))~"},
    {R"~(x[1]=a)~",
     R"~((simple (set x["1"] "a")))~"},
    {R"~(x=(a "b" [3]=c))~",
     R"~((simple (set x (array "a" (dq "b") "[3]=c"))))~"},
    {R"~(x+=(d))~",
     R"~((simple (set x + (array "d"))))~"},
    {R"~(export A=1 B)~",
     R"~((simple "export" (declare A "1") (declare B)))~"},
    {R"~(declare -A m=([k]=v))~",
     R"~((simple "declare" "-A" (declare m (array "[k]=v"))))~"},
    {R"~(export -n A)~",
     R"~((simple "export" "-n" (declare A)))~"},
    {R"~(local x=$1)~",
     R"~((simple "local" (declare x $1)))~"},
    {R"~(readonly "$y")~",
     R"~((simple "readonly" (dq $y)))~"},
    {R"~(a | b |& c)~",
     R"~((pipeline |&2 (simple "a") (simple "b") (simple "c")))~"},
    {R"~(a && b || c)~",
     R"~((or (and (simple "a") (simple "b")) (simple "c")))~"},
    {R"~(a | b && c | d)~",
     R"~((and (pipeline (simple "a") (simple "b")) (pipeline (simple "c") (simple "d"))))~"},
    {R"~(a; b & c)~",
     R"~((simple "a") (simple "b" &) (simple "c"))~"},
    {R"~(! a)~",
     R"~((! simple "a"))~"},
    {R"~(! a | b)~",
     R"~((! pipeline (simple "a") (simple "b")))~"},
    {R"~(time a)~",
     R"~((time simple "a"))~"},
    {R"~(time -p { a; })~",
     R"~((time group (simple "a")))~"},
    {R"~(coproc a b)~",
     R"~((coproc COPROC (simple "a" "b")))~"},
    {R"~(coproc N { a; })~",
     R"~((coproc N (group (simple "a"))))~"},
    {R"~((a; b))~",
     R"~((subshell (simple "a") (simple "b")))~"},
    {R"~({ a; })~",
     R"~((group (simple "a")))~"},
    {R"~(if a; then b; fi)~",
     R"~((if (condition (simple "a")) (then (simple "b"))))~"},
    {R"~(if a; then b; elif c; then d; else e; fi)~",
     R"~((if (condition (simple "a")) (then (simple "b")) (condition (simple "c")) (then (simple "d")) (else (simple "e"))))~"},
    {R"~(while a; do b; done)~",
     R"~((while (condition (simple "a")) (do (simple "b"))))~"},
    {R"~(until a; do b; done < f)~",
     R"~((until (< "f") (condition (simple "a")) (do (simple "b"))))~"},
    {R"~(for x; do a; done)~",
     R"~((for x (simple "a")))~"},
    {R"~(for x in a $b; do c; done)~",
     R"~((for x in "a" $b (simple "c")))~"},
    {R"~(for x in a; { b; })~",
     R"~((for x in "a" (simple "b")))~"},
    {R"~(for ((i=0; i<3; i++)); do a; done)~",
     R"~((for(( "i=0" "i<3" "i++" (simple "a")))~"},
    {R"~(select x in a b; do c; done)~",
     R"~((select x in "a" "b" (simple "c")))~"},
    {R"~(case $x in a|b) c;; (d) ;& *) e;;& esac)~",
     R"~((case $x (item "a" "b" ;; (simple "c")) (item "d" ;&) (item "*"* ;;& (simple "e"))))~"},
    {R"~(case x in a) b; esac)~",
     R"~((case "x" (item "a" - (simple "b"))))~"},
    {R"~(f() { a; })~",
     R"~((function f (group (simple "a"))))~"},
    {R"~(function f { a; } > log 2>&1)~",
     R"~((function f (group (> "log") (2>& "1") (simple "a"))))~"},
    {R"~(function f() (a))~",
     R"~((function f (subshell (simple "a"))))~"},
    {R"~(f() for x in a; do b; done)~",
     R"~((function f (for x in "a" (simple "b"))))~"},
    {R"~([[ -f $x && ( $y == a* || ! z ) ]])~",
     R"~((test "-f $x && ( $y == a* || ! z )" $x $y "a*"* "z"))~"},
    {R"~([[ $x =~ ^(a|b)[[:space:]]+c$ ]])~",
     R"~((test "$x =~ ^(a|b)[[:space:]]+c$" $x "^(a|b)[[:space:]]+c$"*))~"},
    {R"~(((x += 2)))~",
     R"~((arithmetic "x += 2" assigns x))~"},
    {R"~(((a);(b)))~",
     R"~((subshell (subshell (simple "a")) (subshell (simple "b"))))~"},
    {R"~(a < f > g 2>> h >| i <> j)~",
     R"~((simple "a" (< "f") (> "g") (2>> "h") (>| "i") (<> "j")))~"},
    {R"~(a 2>&1 >&- <&3 3>&4-)~",
     R"~((simple "a" (2>& "1") (>& "-") (<& "3") (3>& "4-")))~"},
    {R"~(a &> f &>> g >& h)~",
     R"~((simple "a" (&> "f") (&>> "g") (&> "h")))~"},
    {R"~(exec 3<>f {fd}>g)~",
     R"~((simple "exec" (3<> "f") ({fd}> "g")))~"},
    {R"~(a <<< "$x")~",
     R"~((simple "a" (<<< (dq $x))))~"},
    {R"~(echo a > f b c)~",
     R"~((simple "echo" "a" "b" "c" (> "f")))~"},
    {R"~(a "b $c ${d} `e`")~",
     R"~((simple "a" (dq "b " $c " " (${} d) " " (` (simple "e")`))))~"},
    {R"~(a 'b' $'c\td' $"e")~",
     R"~((simple "a" 'b' $'c\td' (dq "e")))~"},
    {R"~(a \b\ c \*)~",
     R"~((simple "a" "b c"\ "*"\))~"},
    {R"~(a *.c [ab] ? [)~",
     R"~((simple "a" "*.c"* "[ab]"* "?"* "["))~"},
    {R"~([ -f x ])~",
     R"~((simple "[" "-f" "x" "]"))~"},
    {R"~(a ~ ~u/x b=~/c:~/d --e=~/f)~",
     R"~((simple "a" (tilde) (w (tilde u) "/x") (w "b=" (tilde) "/c:" (tilde) "/d") "--e=~/f"))~"},
    {R"~(x=~/a:~b)~",
     R"~((simple (set x (w (tilde) "/a:" (tilde b)))))~"},
    {R"~(a {b,c{d,e}}f {1..3} {a..z..2} {} {x} {1..a})~",
     R"~((simple "a" (w (brace "b" (w "c" (brace "d" "e"))) "f") (brace range 1 3) (brace range a z step 2) "{}" "{x}" "{1..a}"))~"},
    {R"~(a $1 $@ $? $# $$ $! $- $* $x-y)~",
     R"~((simple "a" $1 $@ $? $# $$ $! $- $* (w $x "-y")))~"},
    {R"~(a ${x} ${#x} ${!x} ${!p*} ${!a[@]} ${#a[@]} ${a[$i]})~",
     R"~((simple "a" (${} x) (${} length x) (${} indirect x) (${} indirect p *) (${} indirect a["@"]) (${} length a["@"]) (${} a[$i])))~"},
    {R"~(a ${x:-b} ${x-} ${x:=c} ${x:?d e} ${x:+"f"})~",
     R"~((simple "a" (${} x :- "b") (${} x - (w)) (${} x := "c") (${} x :? "d e") (${} x :+ (dq "f"))))~"},
    {R"~(a ${x#p} ${x##*/} ${x%.*} ${x%%a})~",
     R"~((simple "a" (${} x # "p") (${} x ## "*/"*) (${} x % ".*"*) (${} x %% "a")))~"},
    {R"~(a ${x/a/b} ${x//a} ${x/#a/b} ${x/%a/b} ${x//]/})~",
     R"~((simple "a" (${} x / "a" "b") (${} x // "a") (${} x /# "a" "b") (${} x /% "a" "b") (${} x // "]" (w))))~"},
    {R"~(a ${x:1} ${x:$i:7} ${x: -3:2} ${x:(a?b:c):d} ${@:2})~",
     R"~((simple "a" (${} x : "1") (${} x : $i "7") (${} x : " -3" "2") (${} x : "(a?b:c)" "d") (${} @ : "2")))~"},
    {R"~(a ${x^} ${x^^} ${x,} ${x,,[A]} ${x~} ${x@Q})~",
     R"~((simple "a" (${} x ^) (${} x ^^) (${} x ,) (${} x ,, "[A]"*) (${} x ~) (${} x @Q)))~"},
    {R"~(a $(b | c) $(< f) `d \`e\`` $())~",
     R"~((simple "a" ($( (pipeline (simple "b") (simple "c")))) ($( reads-file (simple (< "f")))) (` (simple "d" (` (simple "e")`))`) ($())))~"},
    {R"~(a $((x + 1)) $((10#$v)) $[y*2] $(( $(b) )))~",
     R"~((simple "a" ($(( "x + 1" x) ($(( "10#$v" v $v) ($(( "y*2" y) ($(( "$(b)" ($( (simple "b"))))))~"},
    {R"~(a <(b) >(c))~",
     R"~((simple "a" (<( (simple "b"))) (>( (simple "c")))))~"},
    {R"~(cat <<E
hi $x \$y
E)~",
     R"~((simple "cat" (<< "E" (body "hi " $x " $y\n"\))))~"},
    {R"~(cat <<'E'
hi $x
E)~",
     R"~((simple "cat" (<< 'E' (body "hi $x\n"))))~"},
    {R"~(cat <<-E
	hi
		yo
	E)~",
     R"~((simple "cat" (<<- "E" (body "hi\nyo\n"))))~"},
    {R"~(a <<A <<B
1
A
2
B)~",
     R"~((simple "a" (<< "A" (body "1\n")) (<< "B" (body "2\n"))))~"},
    {R"~(a # c
# d)~",
     R"~((simple "a") (trailing-comment) (comment))~"},
};
// clang-format on

} // namespace

TEST_CASE("every construct has its tree", "[shell]") {
  for (const Case& each : cases) {
    CAPTURE(each.text);
    CHECK(s2f::test::tree(each.text) == each.tree);
  }
}

TEST_CASE("places are exact", "[shell]") {
  const s2f::test::Parsed parsed(
      "if a; then\n  b \"x $y\" > f # c\nfi &\ncat <<E; d\nhi\nE\n! e | f\n");
  const auto& statements = parsed.script.statements;
  REQUIRE(statements.size() == 4);
  CHECK(parsed.text(statements[0].span) == "if a; then\n  b \"x $y\" > f # c\nfi &");
  CHECK(parsed.text(statements[1].span) == "cat <<E; d\nhi\nE");
  CHECK(parsed.text(statements[2].span) == "d");
  CHECK(parsed.text(statements[3].span) == "! e | f");
  const auto& branch = std::get<s2f::shell::If>(statements[0].value).branches.at(0);
  const auto& command = branch.body.at(0);
  CHECK(parsed.text(command.span) == "b \"x $y\" > f");
  CHECK(parsed.text(command.redirects.at(0).span) == "> f");
  CHECK(parsed.text(command.redirects.at(0).target.span) == "f");
  const auto* simple = s2f::shell::as_simple(command);
  REQUIRE(simple != nullptr);
  CHECK(parsed.text(simple->words.at(1).span) == "\"x $y\"");
  const auto& quoted = std::get<s2f::shell::DoubleQuoted>(simple->words[1].parts.at(0).value);
  CHECK(parsed.text(quoted.parts.at(1).span) == "$y");
  CHECK(parsed.text(statements[1].redirects.at(0).heredoc_body) == "hi\n");
  CHECK(parsed.text(parsed.script.comments.at(0).span) == "# c");
  CHECK_FALSE(parsed.script.comments[0].whole_line);
}

TEST_CASE("places inside an unescaped backquote are those of the file", "[shell]") {
  const s2f::test::Parsed parsed("a `b \\`c \\$d\\` e`");
  const auto* simple = s2f::shell::as_simple(parsed.script.statements.at(0));
  REQUIRE(simple != nullptr);
  const auto& outer =
      std::get<s2f::shell::CommandSubstitution>(simple->words.at(1).parts.at(0).value);
  CHECK(parsed.text(outer.body.at(0).span) == "b \\`c \\$d\\` e");
  const auto* inner = s2f::shell::as_simple(outer.body[0]);
  REQUIRE(inner != nullptr);
  CHECK(parsed.text(inner->words.at(1).span) == "`c \\$d\\`");
  CHECK(parsed.text(inner->words.at(2).span) == "e");
}

TEST_CASE("the value of a word", "[shell]") {
  auto literal = [](std::string_view text) {
    const s2f::test::Parsed parsed(text);
    return s2f::shell::as_simple(parsed.script.statements.at(0))->words.at(1).literal();
  };
  CHECK(literal("a b'c'\"d\"\\ e$'\\x41'") == "bcd eA");
  CHECK(literal("a ''") == "");
  CHECK(literal("a \"\\$x \\a\"") == "$x \\a");
  CHECK_FALSE(literal("a $x"));
  CHECK_FALSE(literal("a b*"));
  CHECK_FALSE(literal("a ~"));
  CHECK_FALSE(literal("a {b,c}"));
  CHECK(literal("a \\*") == "*");
  CHECK(literal("a '*'") == "*");
}
