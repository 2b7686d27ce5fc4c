// What tree-sitter's grammar gets wrong by itself, and other places where parsers of Bash stumble.
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
    {R"~(a $((cmd)|x))~",
     R"~((simple "a" ($( (pipeline (subshell (simple "cmd")) (simple "x"))))))~"},
    {R"~(a $((a);(b)))~",
     R"~((simple "a" ($( (subshell (simple "a")) (subshell (simple "b"))))))~"},
    {R"~(cat <<EOF 2>&1 | tee l
x
EOF)~",
     R"~((pipeline (simple "cat" (<< "EOF" (body "x\n")) (2>& "1")) (simple "tee" "l")))~"},
    {R"~(cat <<EOF &
x
EOF
wait)~",
     R"~((simple "cat" (<< "EOF" (body "x\n")) &) (simple "wait"))~"},
    {R"~(cat <<EOF; cmd
x
EOF)~",
     R"~((simple "cat" (<< "EOF" (body "x\n"))) (simple "cmd"))~"},
    {R"~(cat<<EOF>f
x
EOF)~",
     R"~((simple "cat" (<< "EOF" (body "x\n")) (> "f")))~"},
    {R"~(cat <<EOF && x || y
1
EOF)~",
     R"~((or (and (simple "cat" (<< "EOF" (body "1\n"))) (simple "x")) (simple "y")))~"},
    {R"~(cat <<EOF | sort > f
1
EOF
next)~",
     R"~((pipeline (simple "cat" (<< "EOF" (body "1\n"))) (simple "sort" (> "f"))) (simple "next"))~"},
    {R"~(cat <<EOF
EOF2
 EOF
EOF)~",
     R"~((simple "cat" (<< "EOF" (body "EOF2\n EOF\n"))))~"},
    {R"~(while read x; do a; done <<EOF
1
EOF)~",
     R"~((while (<< "EOF" (body "1\n")) (condition (simple "read" "x")) (do (simple "a"))))~"},
    {R"~(x=$(cat <<EOF
$(b) )
EOF
))~",
     R"~((simple (set x ($( (simple "cat" (<< "EOF" (body ($( (simple "b"))) " )\n"))))))))~"},
    {R"~(a <<\E
$x
E)~",
     R"~((simple "a" (<< 'E' (body "$x\n"))))~"},
    {R"~(a <<"E F"
$x
E F)~",
     R"~((simple "a" (<< 'E F' (body "$x\n"))))~"},
    {R"~(a <<E
1\
E
2
E)~",
     R"~((simple "a" (<< "E" (body "1E\n2\n"))))~"},
    {R"~(a <<E
\\
E)~",
     R"~((simple "a" (<< "E" (body "\\\n"\))))~"},
    {R"~(a <<E)~",
     R"~((simple "a" (<< "E" (body))))~"},
    {R"~(a <<-E
	$x
	E)~",
     R"~((simple "a" (<<- "E" (body $x "\n"))))~"},
    {R"~(f() {
cat <<E
}
E
})~",
     R"~((function f (group (simple "cat" (<< "E" (body "}\n"))))))~"},
    {R"~(ls !(a|b) @(c) +([0-9]) # shopt -s extglob)~",
     R"~((simple "ls" "!(a|b)"* "@(c)"* "+([0-9])"*) (trailing-comment))~"},
    // In a file, that is; bash -c takes it for an argument.
    {R"~(a \)~", R"~((simple "a"))~"},
    {R"~(a b\)~", R"~((simple "a" "b"))~"},
    {R"~(a \

b)~",
     R"~((simple "a") (simple "b"))~"},
    {R"~(a \
# c
b)~",
     R"~((simple "a") (simple "b") (comment))~"},
    {R"~(a; done)~",
     R"~((unparsed "`done` out of place"))~"},
    {R"~(fi)~",
     R"~((unparsed "`fi` out of place"))~"},
    {R"~(import os
print("a")
b)~",
     R"~((simple "import" "os") (unparsed "`(` where no command can begin") (simple "b"))~"},
    {R"~(coproc { a; })~",
     R"~((coproc COPROC (group (simple "a"))))~"},
    {R"~(time)~",
     R"~((time simple))~"},
    {R"~(! ( a ))~",
     R"~((! subshell (simple "a")))~"},
    {R"~(if ! a; then b; fi)~",
     R"~((if (condition (! simple "a")) (then (simple "b"))))~"},
    {R"~(a | b | c && d)~",
     R"~((and (pipeline (simple "a") (simple "b") (simple "c")) (simple "d")))~"},
    {R"~(a && b | c | d || e)~",
     R"~((or (and (simple "a") (pipeline (simple "b") (simple "c") (simple "d"))) (simple "e")))~"},
    {R"~(a && # c

 b)~",
     R"~((and (simple "a") (simple "b")) (trailing-comment))~"},
    {R"~(a |
 b)~",
     R"~((pipeline (simple "a") (simple "b")))~"},
    {R"~(f()

{ a; })~",
     R"~((function f (group (simple "a"))))~"},
    {R"~(for x in a \
 b; do c; done)~",
     R"~((for x in "a" "b" (simple "c")))~"},
    {R"~({ { a; } })~",
     R"~((group (group (simple "a"))))~"},
    {R"~(if (a) then b; fi)~",
     R"~((if (condition (subshell (simple "a"))) (then (simple "b"))))~"},
    {R"~(while ((x)) do a; done)~",
     R"~((while (condition (arithmetic "x" x)) (do (simple "a"))))~"},
    {R"~(case x in esac)~",
     R"~((case "x"))~"},
    {R"~(case x in (esac) a;; esac)~",
     R"~((case "x" (item "esac" ;; (simple "a"))))~"},
    {R"~(for in in in; do a; done)~",
     R"~((for in in "in" (simple "a")))~"},
    {R"~(echo if then done } { ! time)~",
     R"~((simple "echo" "if" "then" "done" "}" "{" "!" "time"))~"},
    {R"~(eval a=(1 2))~",
     R"~((simple "eval" "a=(1 2)"))~"},
    {R"~(> f)~",
     R"~((simple (> "f")))~"},
    {R"~(2>&1 a)~",
     R"~((simple "a" (2>& "1")))~"},
    {R"~(x=1 > f y=2 a)~",
     R"~((simple (set x "1") (set y "2") "a" (> "f")))~"},
    {R"~(a 2>f 2 >g 3<&-)~",
     R"~((simple "a" "2" (2> "f") (> "g") (3<& "-")))~"},
    {R"~(a 2>&1>f)~",
     R"~((simple "a" (2>& "1") (> "f")))~"},
    {R"~(echo a>f&)~",
     R"~((simple "echo" "a" (> "f") &))~"},
    {R"~(a&b)~",
     R"~((simple "a" &) (simple "b"))~"},
    {R"~(a;b)~",
     R"~((simple "a") (simple "b"))~"},
    {R"~(a

;b)~",
     R"~((simple "a") (unparsed "no command before `;`"))~"},
    {R"~(a "$(b "$(c "d")")")~",
     R"~((simple "a" (dq ($( (simple "b" (dq ($( (simple "c" (dq "d")))))))))))~"},
    {R"~(a "${x:-"b c"}" "${x:-'b'}" "${x#'b'}")~",
     R"~((simple "a" (dq (${} x :- (dq "b c"))) (dq (${} x :- "'b'")) (dq (${} x # 'b'))))~"},
    {R"~(a `b \`c \\\`d\\\`\``)~",
     R"~((simple "a" (` (simple "b" (` (simple "c" (` (simple "d")`))`))`)))~"},
    {R"~("a `b \"c\"`")~",
     R"~((simple (dq "a " (` (simple "b" (dq "c"))`))))~"},
    {R"~(a 'b)~",
     R"~((unparsed "a single quote is not closed"))~"},
    {R"~(a "b)~",
     R"~((unparsed "a double quote is not closed"))~"},
    {R"~(a $(b)~",
     R"~((unparsed "a substitution is not closed"))~"},
    {R"~(a ${b)~",
     R"~((unparsed "a parameter expansion is not closed"))~"},
    {R"~(a ${b c})~",
     R"~((unparsed "a bad substitution"))~"},
    {R"~(a ${{ b }})~",
     R"~((unparsed "a bad substitution"))~"},
    {R"~([[ a b ]])~",
     R"~((unparsed "a [[ ]] that does not parse"))~"},
    {R"~([[ -f ]])~",
     R"~((unparsed "a [[ ]] that does not parse"))~"},
    {R"~([[ a &&
b ]])~",
     R"~((test "a &&\nb" "a" "b"))~"},
    {R"~(if [[ $# > 0 ]]; then a; fi)~",
     R"~((if (condition (test "$# > 0" $# "0")) (then (simple "a"))))~"},
    {R"~([[ a < b || ! -n $x ]])~",
     R"~((test "a < b || ! -n $x" "a" "b" $x))~"},
    {R"~([[ $x == (a|b) ]])~",
     R"~((unparsed "a [[ ]] that does not parse"))~"},
    {R"~(a[1 + 2]=3)~",
     R"~((simple (set a["1 + 2"] "3")))~"},
    {R"~(a[b c d)~",
     R"~((unparsed "a subscript that is no assignment's"))~"},
    {R"~(a=([1 2]=3))~",
     R"~((unparsed "a subscript with blanks"))~"},
    {R"~(x=$y$z"$w")~",
     R"~((simple (set x (w $y $z (dq $w)))))~"},
    {R"~(case $x in [a-z]*|"b c") d;; esac)~",
     R"~((case $x (item "[a-z]*"* (dq "b c") ;; (simple "d"))))~"},
    {R"~(case x in
# c
a) # d
 b ;;

# e
esac # f)~",
     R"~((case "x" (item "a" ;; (simple "b"))) (comment) (trailing-comment) (comment) (trailing-comment))~"},
    {R"~(if a; then
# c
b # d
fi)~",
     R"~((if (condition (simple "a")) (then (simple "b"))) (comment) (trailing-comment))~"},
};
// clang-format on

} // namespace

TEST_CASE("the hard places of Bash are read as Bash reads them", "[shell]") {
  for (const Case& each : cases) {
    CAPTURE(each.text);
    CHECK(s2f::test::tree(each.text) == each.tree);
  }
}
