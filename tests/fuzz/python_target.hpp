// Any module of the target model, with any texts in it, printed: sound Python, and every text is
// the value of a string.
#pragma once

#include "payload/literal.hpp"
#include "tests/emit/random_module.hpp"
#include "tests/fuzz/bytes.hpp"
#include "tests/fuzz/convert_target.hpp"

namespace s2f::fuzz {

// A literal alone is one string, and reads as the text that it was made from.
inline void check_literal(const std::string& literal, const std::string& text) {
  source::Sources sources;
  const auto& source = sources[sources.add("x.py", "x = " + literal + "\n")];
  const auto syntax = payload::parse_python(source);
  require(syntax.complete, "a literal is Python");
  const auto statement = syntax.first_child(0);
  const auto assignment = syntax.first_child(statement);
  require(syntax.kind(assignment) == payload::Kind::assignment &&
              syntax[statement].next == syntax.nodes.size(),
          "a literal is one value");
  const auto value = syntax.child(assignment, payload::Field::right);
  if (literal.starts_with('b') || literal.find("\\udc") != literal.npos) {
    require(syntax.kind(value) == payload::Kind::string, "bytes are a string");
    return;
  }
  if (literal.starts_with("r\"\"\"")) {
    // Of these tree-sitter loses a first line that is a lone backslash.
    const auto slashes = text.size() - text.find_last_not_of('\\') - 1; // npos + 1 is 0
    require(literal == "r\"\"\"" + text + "\"\"\"" && text.find("\"\"\"") == text.npos &&
                !text.ends_with('"') && slashes % 2 == 0,
            "a raw string ends where its text does: " + literal);
    return;
  }
  require(payload::string_value(syntax, value) == text,
          "a text is the value of its literal: " + literal);
}

inline void python_target(std::string_view data) {
  Bytes bytes(data);
  std::vector<std::string> texts;
  for (auto left = bytes.upto(6); left > 0; --left) {
    texts.push_back(bytes.text());
    check_literal(emit::quote(texts.back()), texts.back());
    check_literal(emit::quote_block(texts.back()), texts.back());
  }
  tests::RandomModule random([&bytes] {
    std::uint64_t number = bytes.byte();
    number = number << 8U | bytes.byte();
    return number;
  });
  random.texts = texts;
  const flyte::Module module = random.module();
  const auto output = emit::emit(module, emit::built_in_templates());
  require(output.has_value(), "a module can be printed");
  require(all_visible(output->text), "nothing in the module is invisible");
  require(emit::edited(output->text) == emit::Edited::untouched, "the module has its hash");
  source::Sources sources;
  const auto& source = sources[sources.add("x.py", output->text)];
  require(payload::parse_python(source).complete, "the module is Python");
}

} // namespace s2f::fuzz
