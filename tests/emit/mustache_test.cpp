// The Mustache renderer, construct by construct as the language's specification lists them.
#include "emit/mustache.hpp"

#include <map>

#include <nlohmann/json.hpp>

#include "tests/catch.hpp"

using nlohmann::json;
using s2f::emit::render;
using s2f::emit::View;

namespace {

struct Case {
  const char* name;
  const char* text;
  const char* view;
  const char* expected;
  std::map<std::string, std::string> partials = {};
};

// The JSON must outlive it: the names are its.
View view_of(const json& value) {
  if (value.is_array()) {
    View list = View::array();
    for (const json& each : value)
      list.push_back(view_of(each));
    return list;
  }
  if (value.is_object()) {
    View object = View::object();
    for (const auto& [name, each] : value.items())
      object[name] = view_of(each);
    return object;
  }
  if (value.is_boolean())
    return value.get<bool>();
  if (value.is_number_integer())
    return value.get<std::int64_t>();
  if (value.is_null())
    return {};
  return value.is_string() ? value.get<std::string>() : value.dump();
}

void run(const std::vector<Case>& cases) {
  for (const Case& each : cases) {
    INFO(each.name << ": " << each.text);
    const auto view = json::parse(each.view);
    const auto out =
        render(each.text, view_of(view), [&](std::string_view name) -> std::optional<std::string> {
          const auto found = each.partials.find(std::string(name));
          return found == each.partials.end() ? std::nullopt : std::optional(found->second);
        });
    REQUIRE(out.has_value());
    CHECK(*out == each.expected);
  }
}

} // namespace

TEST_CASE("mustache comments", "[mustache]") {
  run({
      {"inline", "12345{{! gone }}67890", "{}", "1234567890"},
      {"multiline", "12345{{!\n  gone\n}}67890\n", "{}", "1234567890\n"},
      {"alone in its line", "A\n{{! gone }}\nB\n", "{}", "A\nB\n"},
      {"alone, indented", "A\n  {{! gone }}\nB\n", "{}", "A\nB\n"},
      {"alone, CRLF", "|\r\n{{! gone }}\r\n|", "{}", "|\r\n|"},
      {"alone in the first line", "  {{! gone }}\n!", "{}", "!"},
      {"alone in the last line", "!\n  {{! gone }}", "{}", "!\n"},
      {"alone over lines", "A\n{{!\ngone\n}}\nB\n", "{}", "A\nB\n"},
      {"not alone", "  12 {{! 34 }}\n", "{}", "  12 \n"},
      {"blanks around stay", "12345 {{! gone }} 67890", "{}", "12345  67890"},
      {"no variable", "({{! x }})", R"({"! x": 1, "!x": 2, "x": 3})", "()"},
  });
}

TEST_CASE("mustache delimiters", "[mustache]") {
  run({
      {"a pair", "{{=<% %>=}}(<%text%>)", R"({"text": "Hey!"})", "(Hey!)"},
      {"special characters", "({{=[ ]=}}[text])", R"({"text": "It"})", "(It)"},
      {"in sections",
       "[\n{{#s}}\n  {{d}}\n  |d|\n{{/s}}\n{{= | | =}}\n|#s|\n  {{d}}\n  |d|\n|/s|\n]\n",
       R"({"s": true, "d": "i"})", "[\n  i\n  |d|\n  {{d}}\n  i\n]\n"},
      {"in inverted sections", "[\n{{^s}}\n  {{d}}\n{{/s}}\n{{= | | =}}\n|^s|\n  |d|\n|/s|\n]\n",
       R"({"s": false, "d": "i"})", "[\n  i\n  i\n]\n"},
      {"not inherited by partials",
       "[ {{>p}} ]\n{{= | | =}}\n[ |>p| ]\n",
       R"({"v": "y"})",
       "[ .y. ]\n[ .y. ]\n",
       {{"p", ".{{v}}."}}},
      {"set in a partial, gone after it",
       "[ {{>p}} ]\n[ .{{v}}.  .|v|. ]\n",
       R"({"v": "y"})",
       "[ .y.  .y. ]\n[ .y.  .|v|. ]\n",
       {{"p", ".{{v}}. {{= | | =}} .|v|."}}},
      {"blanks around stay", "| {{=@ @=}} |", "{}", "|  |"},
      {"alone", "A\n{{=@ @=}}\nB\n", "{}", "A\nB\n"},
      {"alone, indented", "A\n  {{=@ @=}}\nB\n", "{}", "A\nB\n"},
      {"alone, CRLF", "|\r\n{{= @ @ =}}\r\n|", "{}", "|\r\n|"},
      {"alone in the last line", "=\n  {{=@ @=}}", "{}", "=\n"},
      {"with padding", "|{{=  @   @  =}}|", "{}", "||"},
  });
}

TEST_CASE("mustache interpolation", "[mustache]") {
  run({
      {"plain text", "Hello from {Mustache}!\n", "{}", "Hello from {Mustache}!\n"},
      {"a variable", "Hello, {{subject}}!\n", R"({"subject": "world"})", "Hello, world!\n"},
      {"escaped once", "{{a}}, {{b}}", R"({"a": "1", "b": "{{a}}"})", "1, {{a}}"},
      {"HTML", "{{x}}", R"({"x": "& \" < > '"})", "&amp; &quot; &lt; &gt; &#39;"},
      {"triple", "{{{x}}}", R"({"x": "& \" < >"})", "& \" < >"},
      {"ampersand", "{{&x}}", R"({"x": "& \" < >"})", "& \" < >"},
      {"integer", "{{n}} {{{n}}} {{&n}}", R"({"n": 85})", "85 85 85"},
      {"decimal", "{{n}}", R"({"n": 1.21})", "1.21"},
      {"null", "({{n}})({{{n}}})({{&n}})", R"({"n": null})", "()()()"},
      {"missing", "({{n}})({{{n}}})({{&n}})", "{}", "()()()"},
      {"dotted", "{{a.b}} {{#a}}{{b}}{{/a}}", R"({"a": {"b": "Joe"}})", "Joe Joe"},
      {"deep", "{{a.b.c.d.e}}", R"({"a": {"b": {"c": {"d": {"e": "Phil"}}}}})", "Phil"},
      {"broken chain", "({{a.b.c}})", R"({"a": {}})", "()"},
      {"broken chain, does not look outwards", "({{a.b.name}})",
       R"({"a": {"b": {}}, "c": {"name": "Jim"}, "name": "Jim"})", "()"},
      {"first name in the nearest context", "{{#a}}{{b.c}}{{/a}}",
       R"({"a": {"b": {"c": "in"}}, "b": {"c": "out"}})", "in"},
      {"first name found decides", "{{#a}}({{b.c}}){{/a}}",
       R"({"a": {"b": {}}, "b": {"c": "ERROR"}})", "()"},
      {"not a key with a dot", "({{a.b}})", R"({"a.b": "c", "a": {"b": "d"}})", "(d)"},
      {"the value itself", "{{.}} {{{.}}} {{&.}}", R"("x < y")", "x &lt; y x < y x < y"},
      {"blanks around stay", "| {{s}} {{{s}}} {{&s}} |", R"({"s": "-"})", "| - - - |"},
      {"alone is not standalone", "  {{s}}\n", R"({"s": "-"})", "  -\n"},
      {"padding", "|{{ s }}|{{{ s }}}|{{& s }}|", R"({"s": "-"})", "|-|-|-|"},
  });
}

TEST_CASE("mustache sections", "[mustache]") {
  run({
      {"true", "({{#b}}shown{{/b}})", R"({"b": true})", "(shown)"},
      {"false", "({{#b}}hidden{{/b}})", R"({"b": false})", "()"},
      {"null", "({{#b}}hidden{{/b}})", R"({"b": null})", "()"},
      {"missing", "({{#b}}hidden{{/b}})", "{}", "()"},
      {"an object is the context", "({{#c}}Hi {{name}}.{{/c}})", R"({"c": {"name": "Joe"}})",
       "(Hi Joe.)"},
      {"names of outer contexts", "({{#sec}}{{a}}, {{b}}, {{c.d}}{{/sec}})",
       R"({"a": "foo", "b": "wrong", "sec": {"b": "bar"}, "c": {"d": "baz"}})", "(foo, bar, baz)"},
      {"text is a context", "({{#foo}}{{.}} is {{foo}}{{/foo}})", R"({"foo": "bar"})",
       "(bar is bar)"},
      {"deep contexts", "{{#a}}{{one}}{{#b}}{{one}}{{two}}{{one}}{{/b}}{{one}}{{/a}}",
       R"({"a": {"one": 1}, "b": {"two": 2}})", "11211"},
      {"a list", "({{#l}}{{item}}{{/l}})", R"({"l": [{"item": 1}, {"item": 2}, {"item": 3}]})",
       "(123)"},
      {"an empty list", "({{#l}}no{{/l}})", R"({"l": []})", "()"},
      {"twice", "{{#b}}1{{/b}}{{s}}{{#b}}3{{/b}}", R"({"b": true, "s": "2"})", "123"},
      {"nested, both", "| A {{#b}}B {{#b}}C{{/b}} D{{/b}} E |", R"({"b": true})", "| A B C D E |"},
      {"nested, neither", "| A {{#b}}B {{#b}}C{{/b}} D{{/b}} E |", R"({"b": false})", "| A  E |"},
      {"implicit iterator, text", "\"{{#l}}({{.}}){{/l}}\"", R"({"l": ["a", "b"]})", "\"(a)(b)\""},
      {"implicit iterator, numbers", "{{#l}}({{.}}){{/l}}", R"({"l": [1, 2.5]})", "(1)(2.5)"},
      {"implicit iterator, lists", "{{#l}}({{#.}}{{.}}{{/.}}){{/l}}", R"({"l": [[1, 2], ["a"]]})",
       "(12)(a)"},
      {"implicit iterator, HTML", "{{#l}}({{.}}{{{.}}}){{/l}}", R"({"l": ["<"]})", "(&lt;<)"},
      {"the root as a list", "{{#.}}({{v}}){{/.}}", R"([{"v": "a"}, {"v": "b"}])", "(a)(b)"},
      {"dotted", "({{#a.b.c}}here{{/a.b.c}})", R"({"a": {"b": {"c": true}}})", "(here)"},
      {"dotted, false", "({{#a.b.c}}here{{/a.b.c}})", R"({"a": {"b": {"c": false}}})", "()"},
      {"dotted, missing", "({{#a.b.c}}here{{/a.b.c}})", R"({"a": {}})", "()"},
      {"blanks around stay", " | {{#b}}\t|\t{{/b}} | \n", R"({"b": true})", " | \t|\t | \n"},
      {"blanks inside stay", " | {{#b}} {{! x }}\n {{/b}} | \n", R"({"b": true})", " |  \n  | \n"},
      {"indented, not alone", " {{#b}}YES{{/b}}\n {{#b}}GOOD{{/b}}\n", R"({"b": true})",
       " YES\n GOOD\n"},
      {"alone", "| This\n{{#b}}\n|\n{{/b}}\n| line\n", R"({"b": true})", "| This\n|\n| line\n"},
      {"alone, indented", "| This\n  {{#b}}\n|\n  {{/b}}\n| line\n", R"({"b": true})",
       "| This\n|\n| line\n"},
      {"alone, CRLF", "|\r\n{{#b}}\r\n{{/b}}\r\n|", R"({"b": true})", "|\r\n|"},
      {"alone in the first line", "  {{#b}}\n#{{/b}}\n/", R"({"b": true})", "#\n/"},
      {"alone in the last line", "#{{#b}}\n/\n  {{/b}}", R"({"b": true})", "#\n/\n"},
      {"padding", "|{{# b }}={{/ b }}|", R"({"b": true})", "|=|"},
  });
}

TEST_CASE("mustache inverted sections", "[mustache]") {
  run({
      {"false", "({{^b}}shown{{/b}})", R"({"b": false})", "(shown)"},
      {"true", "({{^b}}hidden{{/b}})", R"({"b": true})", "()"},
      {"null", "({{^b}}shown{{/b}})", R"({"b": null})", "(shown)"},
      {"missing", "({{^b}}shown{{/b}})", "{}", "(shown)"},
      {"an object", "({{^c}}hidden{{/c}})", R"({"c": {"name": "Joe"}})", "()"},
      {"a list", "({{^l}}hidden{{/l}})", R"({"l": [1]})", "()"},
      {"an empty list", "({{^l}}shown{{/l}})", R"({"l": []})", "(shown)"},
      {"nested", "| A {{^b}}B {{^b}}C{{/b}} D{{/b}} E |", R"({"b": false})", "| A B C D E |"},
      {"dotted", "({{^a.b}}shown{{/a.b}})", R"({"a": {}})", "(shown)"},
      {"alone", "| This\n{{^b}}\n|\n{{/b}}\n| line\n", R"({"b": false})", "| This\n|\n| line\n"},
      {"alone, CRLF", "|\r\n{{^b}}\r\n{{/b}}\r\n|", R"({"b": false})", "|\r\n|"},
      {"alone in the last line", "^{{^b}}\n/\n  {{/b}}", R"({"b": false})", "^\n/\n"},
      {"blanks around stay", " | {{^b}}\t|\t{{/b}} | \n", R"({"b": false})", " | \t|\t | \n"},
      {"padding", "|{{^ b }}={{/ b }}|", R"({"b": false})", "|=|"},
  });
}

TEST_CASE("mustache partials", "[mustache]") {
  run({
      {"basic", "({{>text}})", "{}", "(from partial)", {{"text", "from partial"}}},
      {"missing", "({{>text}})", "{}", "()"},
      {"sees the context",
       "({{>p}})",
       R"({"text": "content"})",
       "(*content*)",
       {{"p", "*{{text}}*"}}},
      {"recursion",
       "{{>node}}",
       R"({"content": "X", "nodes": [{"content": "Y", "nodes": []}]})",
       "X<Y<>>",
       {{"node", "{{content}}<{{#nodes}}{{>node}}{{/nodes}}>"}}},
      {"nested",
       "{{>outer}}",
       R"({"a": "hello", "b": "world"})",
       "*hello world!*",
       {{"outer", "*{{a}} {{>inner}}*"}, {"inner", "{{b}}!"}}},
      {"blanks around stay", "| {{>p}} |", "{}", "| \t|\t |", {{"p", "\t|\t"}}},
      {"inline is not indented",
       "  {{data}}  {{> p}}\n",
       R"({"data": "|"})",
       "  |  >\n>\n",
       {{"p", ">\n>"}}},
      {"alone, CRLF", "|\r\n{{>p}}\r\n|", "{}", "|\r\n>|", {{"p", ">"}}},
      {"alone in the first line", "  {{>p}}\n>", "{}", "  >\n  >>", {{"p", ">\n>"}}},
      {"alone in the last line", ">\n  {{>p}}", "{}", ">\n  >\n  >", {{"p", ">\n>"}}},
      {"alone: its lines are indented, values are not",
       "\\\n {{>p}}\n/\n",
       R"({"content": "<\n->"})",
       "\\\n |\n <\n->\n |\n/\n",
       {{"p", "|\n{{{content}}}\n|\n"}}},
      {"padding", "|{{> p }}|", R"({"boolean": true})", "|[]|", {{"p", "[]"}}},
  });
}

TEST_CASE("mustache errors say where", "[mustache]") {
  const auto error = [](const char* text) { return render(text, View::object(), nullptr).error(); };
  CHECK(error("a\n{{#b}}\n") == "line 2: the section \"b\" is not closed");
  CHECK(error("{{/b}}") == "line 1: the section \"b\" ends but is not open");
  CHECK(error("{{#a}}{{#b}}{{/a}}{{/b}}") == "line 1: the section \"a\" ends but is not open");
  CHECK(error("\n\n{{x") == "line 3: a tag is not closed");
  CHECK(error("{{=x=}}") == "line 1: the delimiters are not two words");
  const auto endless = render("{{>p}}", View::object(), [](std::string_view) {
    return std::optional<std::string>("{{>p}}");
  });
  CHECK(endless.error() == "the partial \"p\" contains itself without end");
}
