// What an `if` asks: [ ], [[ ]] and test of files, texts and whole numbers; commands.
//
// before:  [ -f data/x.txt ] && [ "$MODE" != fast ]
// after:   AllOf{FileTest{file, data/x.txt}, Not{TextTest{mode, "fast"}}}
#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "ir/conditions.hpp"
#include "passes/lifting.hpp"
#include "passes/patterns.hpp"
#include "passes/script_values.hpp"

namespace s2f::passes {

namespace {

using Piece = Lifting::Piece;

std::optional<ir::FileTest::Kind> file_test(std::string_view op) {
  using Kind = ir::FileTest::Kind;
  if (op == "-f") {
    return Kind::file;
  }
  if (op == "-d") {
    return Kind::directory;
  }
  if (op == "-e" || op == "-a") {
    return Kind::exists;
  }
  if (op == "-s") {
    return Kind::not_empty;
  }
  if (op == "-L" || op == "-h") {
    return Kind::link;
  }
  if (op == "-r" || op == "-w" || op == "-x") {
    return op == "-r" ? Kind::readable : op == "-w" ? Kind::writable : Kind::executable;
  }
  return std::nullopt;
}

std::optional<std::string> number_operator(std::string_view op) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> operators{
      {{"-eq", "=="}, {"-ne", "!="}, {"-lt", "<"}, {"-le", "<="}, {"-gt", ">"}, {"-ge", ">="}}};
  const auto* found =
      std::ranges::find_if(operators, [&](const auto& each) { return each.first == op; });
  return found == operators.end() ? std::nullopt : std::optional(std::string(found->second));
}

using ir::negated;

} // namespace

// Reads the pieces by the grammar of [ ] or of [[ ]]; one object a test.
class TestReader {
public:
  TestReader(Lifting& lifting, std::vector<Piece> pieces, bool doubled)
      : lifting_(lifting), pieces_(std::move(pieces)), doubled_(doubled) {}

  std::string why;

  std::optional<ir::Condition> read() {
    auto condition = any();
    if (condition && at_ != pieces_.size()) {
      return refuse("a test of another form");
    }
    if (condition && found_) { // [ ] takes several for an error, `!` before them or not
      ir::AllOf both;
      both.operands.push_back(std::move(*found_));
      both.operands.push_back(std::move(*condition));
      return ir::Condition{std::move(both)};
    }
    return condition;
  }

private:
  std::nullopt_t refuse(std::string reason) {
    if (why.empty()) {
      why = std::move(reason);
    }
    return std::nullopt;
  }

  [[nodiscard]] bool is_operator(std::string_view text) const {
    return at_ < pieces_.size() && pieces_[at_].text == text &&
           (doubled_ ? pieces_[at_].word == nullptr
                     : pieces_[at_].word != nullptr && !pieces_[at_].word->quoted());
  }

  std::optional<ir::Condition> any() {
    ir::AnyOf list;
    do {
      auto operand = all();
      if (!operand) {
        return std::nullopt;
      }
      list.operands.push_back(std::move(*operand));
    } while (accept(doubled_ ? "||" : "-o"));
    return list.operands.size() == 1 ? std::move(list.operands.front())
                                     : ir::Condition{std::move(list)};
  }

  std::optional<ir::Condition> all() {
    ir::AllOf list;
    do {
      auto operand = one();
      if (!operand) {
        return std::nullopt;
      }
      list.operands.push_back(std::move(*operand));
    } while (accept(doubled_ ? "&&" : "-a"));
    return list.operands.size() == 1 ? std::move(list.operands.front())
                                     : ir::Condition{std::move(list)};
  }

  bool accept(std::string_view text) {
    const bool found = is_operator(text);
    at_ += found ? 1 : 0;
    return found;
  }

  std::optional<ir::Condition> one() {
    if (accept("!")) {
      auto operand = one();
      return operand ? std::optional(negated(std::move(*operand))) : std::nullopt;
    }
    if (doubled_ && accept("(")) {
      auto inner = any();
      if (inner && !accept(")")) {
        return refuse("a test of another form");
      }
      return inner;
    }
    if (at_ >= pieces_.size()) {
      return refuse("a test of another form");
    }
    // `[ -n x ]`, but `[ -n = x ]` compares two texts.
    const std::size_t left = pieces_.size() - at_;
    const bool binary = left > 2 && pieces_[at_ + 1].word != nullptr && !doubled_ &&
                        (pieces_[at_ + 1].text == "=" || pieces_[at_ + 1].text == "==" ||
                         pieces_[at_ + 1].text == "!=" || number_operator(pieces_[at_ + 1].text));
    if (!binary && left > 1 && pieces_[at_].text.size() == 2 && pieces_[at_].text[0] == '-') {
      const std::string op = pieces_[at_].text;
      if (is_operator(op)) {
        ++at_;
        return unary(op);
      }
    }
    return comparison();
  }

  std::optional<ir::Value> operand() {
    if (at_ >= pieces_.size() || pieces_[at_].word == nullptr) {
      (void)refuse("a test of another form");
      return std::nullopt;
    }
    ir::Value value = lifting_.test_operand(*pieces_[at_++].word, doubled_);
    if (!value.known()) {
      (void)refuse(Lifting::why_unknown(value));
      return std::nullopt;
    }
    return value;
  }

  // [ -f *.txt ], and nothing else: of the one file that there is, or of the pattern itself.
  std::optional<ir::Condition> pattern_test(const std::string& op) {
    const bool alone =
        at_ + 1 == pieces_.size() && (at_ == 1 || (at_ == 2 && pieces_.front().text == "!"));
    const auto kind = op == "-a" ? std::nullopt : file_test(op);
    auto names =
        alone && kind && !doubled_ ? lifting_.test_pattern(*pieces_[at_].word) : std::nullopt;
    if (!names) {
      return std::nullopt;
    }
    ++at_;
    ir::Value count;
    count.append(ir::Computed{ir::Operation::count, {*names}, true});
    found_ = ir::Condition{ir::NumberTest{"==", std::move(count), ir::Value::of("1")}};
    ir::Value one;
    one.append(ir::Computed{ir::Operation::item, {std::move(*names), ir::Value::of("0")}, false});
    return ir::Condition{ir::FileTest{*kind, std::move(one)}};
  }

  std::optional<ir::Condition> unary(const std::string& op) {
    if (auto found = pattern_test(op)) {
      return found;
    }
    auto value = operand();
    if (!value) {
      return std::nullopt;
    }
    if (op == "-n" || op == "-z") {
      auto condition = texts(std::move(*value), ir::Value{});
      return op == "-z" ? std::move(condition) : negated(std::move(condition));
    }
    const auto kind = file_test(op);
    if (!kind) {
      return refuse(fmt::format("a test with {}", op));
    }
    if (value->text() && value->text()->empty()) {
      return ir::Condition{ir::Always{false}};
    }
    if (value->runs_program()) {
      return refuse("a test of a file that a command names");
    }
    return ir::Condition{ir::FileTest{*kind, std::move(*value)}};
  }

  ir::Condition texts(ir::Value left, ir::Value right) const {
    const auto a = left.text();
    const auto b = right.text();
    // A number is equal to the text of one where it is equal to it.
    if (lifting_.is_number(left) && !a && b && plain_number(*b)) {
      return ir::Condition{ir::NumberTest{"==", std::move(left), std::move(right)}};
    }
    if (a && b) {
      return ir::Condition{ir::Always{*a == *b}};
    }
    return ir::Condition{ir::TextTest{std::move(left), std::move(right)}};
  }

  // What both sides say is known where the text is, and the pattern has no set of characters.
  static ir::Condition matches(const ir::Value& value, const std::string& pattern) {
    const auto text = value.text();
    const bool plain = text && pattern.find('[') == std::string::npos &&
                       std::ranges::all_of(*text, [](unsigned char c) { return c < 0x80U; });
    return plain ? ir::Condition{ir::Always{
                       ::fnmatch(pattern.c_str(), text->c_str(), FNM_NOESCAPE) == 0}}
                 : Lifting::matches(value, pattern);
  }

  static ir::Condition numbers(const std::string& op, ir::Value left, ir::Value right) {
    const auto a = left.text();
    const auto b = right.text();
    if (!a || !b) {
      return ir::Condition{ir::NumberTest{op, std::move(left), std::move(right)}};
    }
    const long long x = std::stoll(*a);
    const long long y = std::stoll(*b);
    const bool holds = op == "=="   ? x == y
                       : op == "!=" ? x != y
                       : op == "<"  ? x < y
                       : op == "<=" ? x <= y
                       : op == ">"  ? x > y
                                    : x >= y;
    return ir::Condition{ir::Always{holds}};
  }

  std::optional<ir::Condition> comparison() {
    const std::size_t first = at_;
    auto left = operand();
    if (!left) {
      return std::nullopt;
    }
    const bool more = at_ < pieces_.size() && (doubled_ ? pieces_[at_].word == nullptr : true);
    const std::string op = more ? pieces_[at_].text : "";
    if (op == "=" || op == "==" || op == "!=") {
      ++at_;
      const Piece* piece = at_ < pieces_.size() ? &pieces_[at_] : nullptr;
      auto right = operand();
      if (!right) {
        return std::nullopt;
      }
      const bool pattern = doubled_ && lifting_.may_be_pattern(*piece->word);
      const auto text = pattern ? lifting_.pattern_of(*piece->word) : std::nullopt;
      if (pattern && !text) {
        return refuse("a comparison with a pattern");
      }
      auto condition = text ? matches(*left, *text) : texts(std::move(*left), std::move(*right));
      return op == "!=" ? negated(std::move(condition)) : std::move(condition);
    }
    if (op == "=~" && doubled_) {
      return regex(std::move(*left));
    }
    if (const auto number = number_operator(op)) {
      ++at_;
      auto right = operand();
      if (!right) {
        return std::nullopt;
      }
      ir::Value first_number = lifting_.test_number(std::move(*left), doubled_);
      ir::Value second_number = lifting_.test_number(std::move(*right), doubled_);
      for (const ir::Value* each : {&first_number, &second_number}) {
        if (!each->known()) {
          return refuse(Lifting::why_unknown(*each));
        }
      }
      return numbers(*number, std::move(first_number), std::move(second_number));
    }
    // One word alone: whether there is any text.
    if (at_ == first + 1 &&
        (op.empty() || op == "&&" || op == "||" || op == ")" || op == "-a" || op == "-o")) {
      return negated(texts(std::move(*left), ir::Value{}));
    }
    return refuse(op.empty() ? "a test of another form" : fmt::format("a test with {}", op));
  }

  // [[ $name =~ ^run[0-9] ]]
  std::optional<ir::Condition> regex(ir::Value left) {
    ++at_;
    const shell::Word* word = at_ < pieces_.size() ? pieces_[at_].word : nullptr;
    const auto pattern = word == nullptr ? std::nullopt : lifting_.regex_of(*word);
    if (!pattern) {
      return refuse("a test with =~");
    }
    ++at_;
    return ir::Condition{ir::RegexTest{std::move(left), *pattern}};
  }

  Lifting& lifting_;
  std::vector<Piece> pieces_;
  bool doubled_;
  std::size_t at_ = 0;
  std::optional<ir::Condition> found_; // that a pattern means one file
};

ir::Value Lifting::test_operand(const shell::Word& word, bool doubled) {
  ir::Value value = doubled ? scope_.assigned(word) : scope_.value_of(word);
  if (doubled) {
    return value;
  }
  note_splitting(value);
  return value;
}

std::optional<ir::Value> Lifting::test_pattern(const shell::Word& word) {
  std::vector<ir::Value> values = scope_.words_of(word);
  const auto* names = values.size() == 1 && values.front().parts.size() == 1
                          ? std::get_if<ir::Computed>(&values.front().parts.front())
                          : nullptr;
  if (names == nullptr || names->operation != ir::Operation::pattern || !values.front().known()) {
    return std::nullopt;
  }
  // No name that it finds is an operator of [ ].
  const bool plain = std::ranges::any_of(names->operands[0].parts, [](const ir::ValuePart& part) {
    const auto* text = std::get_if<ir::Text>(&part);
    return text != nullptr && std::ranges::any_of(text->text, [](unsigned char c) {
             return std::isalnum(c) != 0 || c == '/' || c == '_' || c == '.';
           });
  });
  if (!plain) {
    return std::nullopt;
  }
  note_splitting(values.front());
  review::Finding finding;
  finding.rule = "S2F474";
  finding.span = word.span;
  finding.message = fmt::format("A test of the pattern {}.", context_.text(word.span));
  finding.slurm_does =
      "Where one file matches, the test is of that one; where several do, it is an "
      "error, which is printed and counts as a test that failed.";
  finding.output_does = "The same, but for the message.";
  context_.findings.add(std::move(finding));
  values.front().unquoted = false;
  return std::move(values.front());
}

// Whether the right side of == in [[ ]] is more than text: in `[[ $f == *.gz ]]`, but not in
// `[[ $f == "*.gz" ]]`.
bool Lifting::may_be_pattern(const shell::Word& word) {
  const ir::Value value = scope_.value_of(word);
  if (!value.known() || may_split(value)) {
    return true;
  }
  return !word.quoted() && value.text().value_or("\\").find('\\') != std::string::npos;
}

// An operand of -lt and its like.
ir::Value Lifting::test_number(ir::Value value, bool doubled) {
  if (const auto text = value.text(); text && !plain_number(*text)) {
    value = ir::Value{};
    value.append(ir::Unknown{"a comparison of what may be no number"});
    return value;
  }
  const source::Span span = value.span;
  ir::Value number = as_number(std::move(value), job_, !doubled, span);
  if (!number.known() && why_unknown(number) == "arithmetic") {
    number = ir::Value{};
    number.append(ir::Unknown{"a comparison of what may be no number"});
  }
  return number;
}

std::optional<ir::Condition> Lifting::command_test(const shell::SimpleCommand& command,
                                                   std::string& why) {
  std::vector<Piece> pieces;
  const bool bracket = analysis::command_name(command) == "[";
  const std::size_t end = command.words.size() - (bracket ? 1 : 0);
  if (bracket && command.words.back().literal() != "]") {
    why = "a test without its bracket";
    return std::nullopt;
  }
  bool gone = false; // a word that expands to nothing
  for (std::size_t i = 1; i < end; ++i) {
    const shell::Word& word = command.words[i];
    if (!word.literal() && !word.quoted() && scope_.value_of(word).parts.empty()) {
      gone = true;
    } else {
      pieces.push_back({word.literal().value_or(""), &word});
    }
  }
  if (gone) {
    return test_without(command, pieces, why);
  }
  if (pieces.empty()) {
    return ir::Condition{ir::Always{false}};
  }
  // What [ ] makes of more words depends on how many they are.
  TestReader reader(*this, std::move(pieces), false);
  auto condition = reader.read();
  why = reader.why;
  return condition;
}

// [ ] goes by the number of its words: `[ -z $NOTHING ]` asks whether "-z" is a text.
std::optional<ir::Condition> Lifting::test_without(const shell::SimpleCommand& command,
                                                   std::vector<Piece>& pieces, std::string& why) {
  bool opposite = false;
  while (pieces.size() > 1 && pieces.front().text == "!" && !pieces.front().word->quoted()) {
    opposite = !opposite;
    pieces.erase(pieces.begin());
  }
  if (pieces.empty()) {
    return ir::Condition{ir::Always{false}};
  }
  const std::string& first = pieces.front().text;
  const bool asks = first.size() == 2 && first[0] == '-' && !pieces.front().word->quoted();
  if (pieces.size() == 1 && first.empty()) {
    ir::Value value = test_operand(*pieces.front().word, false);
    if (!value.known()) {
      why = why_unknown(value);
      return std::nullopt;
    }
    if (const auto text = value.text()) {
      return ir::Condition{ir::Always{text->empty() == opposite}};
    }
    ir::Condition empty{ir::TextTest{std::move(value), ir::Value{}}};
    return opposite ? std::move(empty) : negated(std::move(empty));
  }
  if (pieces.size() == 1) {
    return ir::Condition{ir::Always{!opposite}};
  }
  if (pieces.size() > 2 || asks) {
    why = "a test of a word that is not there";
    return std::nullopt;
  }
  review::Finding finding;
  finding.rule = "S2F482";
  finding.span = command.words.front().span;
  finding.span.end = command.words.back().span.end;
  finding.message =
      fmt::format("{} is an error: a word of it expands to nothing.", context_.text(finding.span));
  finding.slurm_does = "Bash prints the error and goes on, as if the test had failed.";
  finding.output_does = "The test fails.";
  context_.findings.add(std::move(finding));
  return ir::Condition{ir::Always{false}}; // `!` before it or not
}

// An expression of =~: what stands in quotes is text.
std::optional<std::string> Lifting::regex_of(const shell::Word& word) {
  std::string expression;
  for (const shell::WordPart& part : word.parts) {
    if (const auto* literal = std::get_if<shell::Literal>(&part.value)) {
      if (literal->escaped) {
        return std::nullopt; // what was escaped is not known here
      }
      expression += literal->value;
      continue;
    }
    shell::Word alone;
    alone.parts.push_back(part);
    alone.span = part.span;
    const auto text = scope_.assigned(alone).text();
    if (!text) {
      return std::nullopt;
    }
    if (!alone.quoted()) {
      expression += *text;
      continue;
    }
    for (const char c : *text) {
      expression += std::string_view("\\.^$*+?{}[]|()").find(c) == std::string_view::npos
                        ? std::string(1, c)
                        : std::string("\\") + c;
    }
  }
  return regex_of_extended(expression);
}

std::optional<ir::Condition> Lifting::double_test(const shell::Test& test, std::string& why) {
  std::vector<Piece> pieces;
  for (const shell::TestToken& token : test.tokens) {
    if (token.op.empty()) {
      pieces.push_back({test.words[token.word].literal().value_or(""), &test.words[token.word]});
    } else {
      pieces.push_back({token.op, nullptr});
    }
  }
  TestReader reader(*this, std::move(pieces), true);
  auto condition = reader.read();
  why = reader.why;
  return condition;
}

// One statement as a condition; nothing, and why, where it is none.
std::optional<ir::Condition> Lifting::condition(const shell::Statement& statement,
                                                std::string& why) {
  if (statement.background || statement.timed) {
    why = kind_of(statement);
    return std::nullopt;
  }
  constexpr std::size_t deepest = 24;
  if (depth_ > deepest) {
    why = "conditions within conditions";
    return std::nullopt;
  }
  ++depth_;
  auto result = condition_of(statement, why);
  --depth_;
  if (result && statement.negated) {
    result = negated(std::move(*result));
  }
  return result ? std::optional(ir::simplified(std::move(*result))) : std::nullopt;
}

std::optional<ir::Condition> Lifting::condition_of(const shell::Statement& statement,
                                                   std::string& why) {
  std::optional<ir::Condition> result;
  if (is_removed(make_step(statement))) { // the image stands for it
    return ir::Condition{ir::Always{true}};
  }
  if (const auto* list = std::get_if<shell::AndOr>(&statement.value)) {
    auto left = condition(*list->left, why);
    previous_ = nullptr; // $? is another one now
    auto right = left ? condition(*list->right, why) : std::nullopt;
    if (!right) {
      return std::nullopt;
    }
    std::vector<ir::Condition> operands;
    operands.push_back(std::move(*left));
    operands.push_back(std::move(*right));
    result = list->is_and ? ir::Condition{ir::AllOf{std::move(operands)}}
                          : ir::Condition{ir::AnyOf{std::move(operands)}};
  } else if (const auto* test = std::get_if<shell::Test>(&statement.value);
             test != nullptr && statement.redirects.empty()) {
    if (job_.interpreter.language == ir::Interpreter::Language::sh) {
      why = "[[ ]], which not every sh knows";
      return std::nullopt;
    }
    result = double_test(*test, why);
  } else if (const auto* command = shell::as_simple(statement)) {
    const auto name = analysis::command_name(*command);
    if (name && (*name == "[" || *name == "test") && statement.redirects.empty() &&
        command->assignments.empty()) {
      result = command_test(*command, why);
    } else if (name && (*name == "true" || *name == ":") && command->words.size() == 1) {
      result = ir::Condition{ir::Always{true}};
    } else if (auto asked = statement.redirects.empty() ? flag(*command) : std::nullopt) {
      result = std::move(asked);
    } else {
      result = succeeds(statement, why);
    }
  } else if (const auto* sum = std::get_if<shell::ArithmeticCommand>(&statement.value);
             sum != nullptr && statement.redirects.empty()) {
    result = arithmetic_test(sum->arithmetic, statement.span, why);
  } else if (std::holds_alternative<shell::Pipeline>(statement.value)) {
    result = succeeds(statement, why);
  } else {
    why = kind_of(statement);
  }
  return result;
}

// `if $DEBUG`, of a variable that the script sets to true or to false.
std::optional<ir::Condition> Lifting::flag(const shell::SimpleCommand& command) {
  if (analysis::command_name(command) || command.words.size() != 1 ||
      !command.assignments.empty() || functions_.contains("true") || functions_.contains("false")) {
    return std::nullopt;
  }
  ir::Value value = scope_.value_of(command.words.front());
  if (const auto text = value.text()) {
    return *text == "true" || *text == "false"
               ? std::optional(ir::Condition{ir::Always{*text == "true"}})
               : std::nullopt;
  }
  if (value.parts.size() != 1 || !std::holds_alternative<ir::Local>(value.parts.front())) {
    return std::nullopt;
  }
  const ScriptValues values(job_.script ? &*job_.script : nullptr, job_.header.components.front());
  const auto texts = values.of(command.words.front());
  if (!texts || !std::ranges::all_of(*texts, [](const std::string& text) {
        return text == "true" || text == "false";
      })) {
    return std::nullopt;
  }
  value.unquoted = false;
  return negated(ir::Condition{ir::TextTest{std::move(value), ir::Value::of("false")}});
}

std::optional<ir::Condition> Lifting::succeeds(const shell::Statement& statement,
                                               std::string& why) {
  ir::Step step = make_step(statement);
  if (const auto* piped = std::get_if<shell::Pipeline>(&statement.value)) {
    why = pipeline(step, *piped);
  } else {
    why = lift(step, *shell::as_simple(statement), false);
  }
  if (!why.empty()) {
    return std::nullopt;
  }
  const auto* wait = std::get_if<ir::Wait>(&step.value);
  if ((wait != nullptr && wait->tasks.size() == 1) ||
      std::holds_alternative<ir::Call>(step.value)) {
    ir::Succeeds waited;
    waited.steps.push_back(std::move(step));
    return ir::Condition{std::move(waited)};
  }
  if (std::holds_alternative<ir::Nothing>(step.value)) {
    return ir::Condition{ir::Always{true}};
  }
  const auto* assign = std::get_if<ir::Assign>(&step.value);
  if (ir::always_succeeds(step) || (assign != nullptr && ir::is_output(*assign))) {
    ir::Succeeds result;
    result.steps.push_back(std::move(step));
    return ir::Condition{std::move(result)};
  }
  const auto* piped = std::get_if<ir::Pipeline>(&step.value);
  const auto* launch = piped != nullptr ? std::get_if<ir::Launch>(&piped->stages.back().value)
                                        : std::get_if<ir::Launch>(&step.value);
  if (launch == nullptr) {
    why = "a condition that is no program";
    return std::nullopt;
  }
  if (launch->copies > 1) {
    why = "a condition that starts several copies";
    return std::nullopt;
  }
  ir::Succeeds result;
  result.steps.push_back(std::move(step));
  return ir::Condition{std::move(result)};
}

} // namespace s2f::passes
