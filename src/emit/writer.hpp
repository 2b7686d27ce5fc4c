// Writes pieces of a module line by line, and notes from which spans each line came.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "emit/layout.hpp"
#include "flyte/program.hpp"

namespace s2f::emit {

struct Line {
  std::string text;
  std::vector<source::Span> spans;
};

class Writer {
public:
  std::vector<Line> lines;

  void line(std::string text) { lines.push_back({std::move(text), {}}); }

  // Lines of text that are no layout's business (a block of quoted text); a comment above them.
  void block(const flyte::Notes& notes, std::string_view text, std::uint32_t indent = 0);
  void statements(const std::vector<flyte::Stmt>& statements, std::uint32_t indent);
  // target = value; with `exploded`, a call has one argument a line.
  void assignment(const flyte::Assign& assign, const flyte::Notes& notes, std::uint32_t indent,
                  bool exploded = false);
  void decorator(const flyte::Expr& expr, const flyte::Notes& notes);
  // async def name(parameters) -> returns:
  void function(std::string_view name, const std::vector<flyte::Parameter>& parameters,
                std::string_view returns, bool is_async, const flyte::Notes& notes = {},
                std::uint32_t indent = 0);
  void expression(std::string_view before, const flyte::Expr& expr, std::uint32_t indent);
  // Paragraphs between triple quotes; nothing when there is no text.
  void docstring(std::string_view text, std::uint32_t indent);
  void close_docstring(bool one_line, std::uint32_t indent);
  void comments(const std::vector<flyte::Paragraph>& paragraphs, std::uint32_t indent);

private:
  void cite_rest(const flyte::Notes& notes, std::size_t begin, std::size_t end);
  void cite_all(const flyte::Notes& notes, std::size_t begin);

  // Where a statement's layout leaves the comment at its end.
  struct Ending {
    std::string trailing;
    std::vector<const flyte::Notes*> lifted;
  };
  // Builds the statement and says what stands at its end.
  using Build = std::function<void(Layout&, const Moved&, Ending&)>;

  void statement(const flyte::Stmt& statement, std::uint32_t indent);
  void lay_out(const flyte::Notes& notes, std::uint32_t indent, const Build& build);
  void header(const flyte::Notes& notes, std::uint32_t indent,
              const std::function<void(Layout&, const Moved&)>& build);
  void suite(const std::vector<flyte::Stmt>& body, std::uint32_t indent);

  void visit(const flyte::Assign& value, const flyte::Notes& notes, std::uint32_t indent);
  void visit(const flyte::ExprStmt& value, const flyte::Notes& notes, std::uint32_t indent);
  void visit(const flyte::Return& value, const flyte::Notes& notes, std::uint32_t indent);
  void visit(const flyte::Raise& value, const flyte::Notes& notes, std::uint32_t indent);
  void visit(const flyte::IfStmt& value, const flyte::Notes& notes, std::uint32_t indent);
  void visit(const flyte::ForStmt& value, const flyte::Notes& notes, std::uint32_t indent);
  void visit(const flyte::WhileStmt& value, const flyte::Notes& notes, std::uint32_t indent);
  void visit(const flyte::WithStmt& value, const flyte::Notes& notes, std::uint32_t indent);
  void visit(const flyte::TryStmt& value, const flyte::Notes& notes, std::uint32_t indent);
  void visit(const flyte::FunctionDef& value, const flyte::Notes& notes, std::uint32_t indent);
  void visit(const flyte::Break& value, const flyte::Notes& notes, std::uint32_t indent);
  void visit(const flyte::Continue& value, const flyte::Notes& notes, std::uint32_t indent);
  void visit(const flyte::Pass& value, const flyte::Notes& notes, std::uint32_t indent);
  void visit(const flyte::CommentOnly& value, const flyte::Notes& notes, std::uint32_t indent);
  void keyword(std::string_view word, const flyte::Notes& notes, std::uint32_t indent);
};

// How wide an expression is in one line.
[[nodiscard]] std::uint32_t flat_width(const flyte::Expr& expr);

} // namespace s2f::emit
