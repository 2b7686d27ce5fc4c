// The statements of a task, its parameters, and the text that stays Bash.
#include <algorithm>
#include <cctype>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ir/conditions.hpp"
#include "ir/rank_steps.hpp"
#include "ir/steps.hpp"
#include "ir/written_text.hpp"
#include "lower/background.hpp"
#include "lower/conditions.hpp"
#include "lower/early_returns.hpp"
#include "lower/parts.hpp"
#include "lower/returns.hpp"
#include "lower/texts.hpp"
#include "source/copied_lines.hpp"

namespace s2f::lower {

namespace {

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

bool is_python(std::string_view program) {
  return program == "python" || program == "python3" || program.starts_with("python3.");
}

constexpr const char* copy_name = "procid";

class Body {
public:
  Body(LowerContext& context, const ir::Job& job) : context_(context), job_(job) {}

  LoweredBody lower() {
    started();
    secret_words();
    given_files();
    given_items();
    arguments();
    exports();
    cluster_paths();
    moves();
    gathers_ = all_gathered(job_.body);
    waits_ = waits_for_all(job_.body);
    for (std::size_t i = 0; i < job_.body.size(); ++i) {
      const ir::Step& step = job_.body[i];
      if (const ir::KeptRegion* region = job_.region_of(i); region != nullptr) {
        if (i == region->first_step) {
          kept(*region);
        }
        say_below(step);
        // A directory that the region goes to holds for what is behind it.
        if (const auto* change = std::get_if<ir::ChangeDirectory>(&step.value);
            change != nullptr && !region->left.moves && region->last_step + 1 < job_.body.size()) {
          directory(step, *change);
        }
        if (const auto* limits = std::get_if<ir::Limit>(&step.value);
            limits != nullptr && region->last_step + 1 < job_.body.size()) {
          limit(step, *limits);
        }
        if (const auto* mask = std::get_if<ir::FileMask>(&step.value);
            mask != nullptr && region->last_step + 1 < job_.body.size()) {
          push(step, file_mask(*mask));
        }
        if (const auto* values = std::get_if<ir::Assign>(&step.value);
            values != nullptr && !region->left.exports) { // constants, if any is read
          for (const ir::Binding& binding : values->bindings) {
            if (binding.unset && !exports_unused_) {
              unset(step, binding);
            }
            if (binding.exported && !exports_unused_) {
              waiting_exports_.push_back(export_of(step, binding));
            }
          }
        }
        continue;
      }
      if (const std::size_t together = gathers_ || !running_ ? gathered(job_.body, i) : 0;
          together > 0) {
        side_by_side(job_.body, i, together);
        i += together - 1;
        continue;
      }
      prepare_room(step);
      prepare_running(step);
      prepare_functions(step);
      lower_step(step);
    }
    for (flyte::KeptText& text : inner_texts(context_.sources, job_)) {
      result_.kept.push_back(std::move(text));
    }
    last_comments();
    end_with_exit();
    hand_over();
    if (moves_ && !directory_read_) {
      forget_directory(result_.statements);
    }
    if (!result_.statements.empty()) {
      if (const auto* last = std::get_if<flyte::Return>(&result_.statements.back().value)) {
        const flyte::Return value = *last;
        std::set<std::string> bound;
        for (const ir::Parameter& parameter : job_.parameters) {
          bound.insert(parameter.name);
        }
        fill_returns(result_.statements, value, bound);
      }
    }
    return std::move(result_);
  }

private:
  // The comments that no statement follows; in front of one that leaves.
  void last_comments() {
    if (comments_.empty() || result_.statements.empty()) {
      return;
    }
    flyte::Stmt rest{flyte::CommentOnly{}, {}};
    rest.notes.above = std::exchange(comments_, {});
    const auto& last = result_.statements.back().value;
    const bool leaves =
        std::holds_alternative<flyte::Return>(last) || std::holds_alternative<flyte::Raise>(last) ||
        std::holds_alternative<flyte::Break>(last) || std::holds_alternative<flyte::Continue>(last);
    result_.statements.insert(result_.statements.end() - (leaves ? 1 : 0), std::move(rest));
  }

  // started = int(time.time()), where something asks how long ago that was
  void started() {
    if (job_.started.empty() || !reads_local(job_, job_.started)) {
      return;
    }
    flyte::Expr now = flyte::call("int", {flyte::arg(flyte::call("time.time", {}))});
    result_.statements.push_back(flyte::Stmt{flyte::Assign{job_.started, "", std::move(now)}, {}});
  }

  // arg1 = os.environ.get("TOKEN", "")
  void secret_words() {
    for (const ir::Parameter& parameter : job_.parameters) {
      if (!parameter.secret.empty()) {
        flyte::Expr value = flyte::call("os.environ.get",
                                        {flyte::arg(flyte::str(parameter.secret)),
                                         flyte::arg(flyte::str(parameter.default_.value_or("")))});
        result_.statements.push_back(
            flyte::Stmt{flyte::Assign{parameter.name, "", std::move(value)}, {}});
      }
    }
  }

  // fastq = str(await fetch(fastq_file)), of a directory that `main` goes through
  void given_files() {
    for (const ir::Parameter& parameter : job_.parameters) {
      if (parameter.taken_as.empty()) {
        continue;
      }
      result_.helpers["fetch"];
      const bool alone = parameter.folder.empty();
      flyte::Expr path = flyte::await(flyte::call(
          "fetch", {flyte::arg(flyte::name(alone ? parameter.taken_as : parameter.folder))}));
      if (!alone) {
        path = flyte::Expr{flyte::Binary{"/", std::move(path), flyte::name(parameter.taken_as)}};
      }
      flyte::Stmt statement{
          flyte::Assign{parameter.name, "", flyte::call("str", {flyte::arg(std::move(path))})}, {}};
      statement.notes.trailing = parameter.origin;
      result_.statements.push_back(std::move(statement));
    }
  }

  // file = str(await fetch(file_file)) if file_file else "", of an element that may have none
  void given_items() {
    for (const ir::ArrayItem& item :
         job_.array ? job_.array->items : std::vector<ir::ArrayItem>{}) {
      if (item.parameter.taken_as.empty()) {
        continue;
      }
      result_.helpers["fetch"];
      const flyte::Expr given = flyte::name(item.parameter.taken_as);
      flyte::Expr path =
          flyte::call("str", {flyte::arg(flyte::await(flyte::call("fetch", {flyte::arg(given)})))});
      result_.statements.push_back(flyte::Stmt{
          flyte::Assign{item.parameter.name, "",
                        flyte::Expr{flyte::Conditional{std::move(path), given, flyte::str("")}}},
          {}});
    }
  }

  // arguments = arguments or []
  void arguments() {
    for (const ir::Parameter& list : job_.parameters) {
      if (list.type == ir::Type::text_list && takes_arguments(job_, list)) {
        flyte::Expr given{
            flyte::Binary{"or", flyte::name(list.name), flyte::Expr{flyte::ListExpr{}}}};
        result_.statements.push_back(
            flyte::Stmt{flyte::Assign{list.name, "", std::move(given)}, {}});
      }
    }
  }

  // The exports of a body whose values are all constants, made before anything is started, are one
  // constant of the module; others are a dict of the task that grows where the script exports.
  void exports() {
    flyte::DictExpr dict;
    bool constant = true;
    bool started = false;
    for (const ir::Step& step : job_.body) {
      const auto* assign = std::get_if<ir::Assign>(&step.value);
      if (assign == nullptr) {
        started |= starts_programs(step) || runs_in_value(step);
        constant &= !exports_within(step);
        continue;
      }
      started |= runs_in_value(step); // x=$(program), which sees what was exported before
      for (const ir::Binding& binding : assign->bindings) {
        constant &= !binding.unset;
        if (!binding.exported) {
          continue;
        }
        constant &= binding.value.is_text() && binding.local.empty() && !started;
        if (!constant) {
          continue;
        }
        std::erase_if(dict.elements, [&](const flyte::Arg& arg) {
          return std::get<flyte::Str>(arg.key->value).value == binding.variable;
        });
        dict.elements.push_back(export_of(step, binding));
      }
    }
    const bool needed =
        std::ranges::any_of(job_.body,
                            [](const ir::Step& s) { return !s.in_region && starts_programs(s); }) ||
        std::ranges::any_of(job_.kept, &ir::KeptRegion::sees_exports);
    constant = constant && std::ranges::none_of(job_.kept, [](const ir::KeptRegion& region) {
                 return region.left.exports;
               });
    if (!needed) {
      exports_unused_ = true;
    } else if (constant && !dict.elements.empty()) {
      exported_ = upper(job_.function) + "_EXPORTED";
      result_.exported = flyte::Constant{exported_, flyte::Expr{std::move(dict)}, {}};
      exports_unused_ = true; // they stand there already
    }
  }

  // Where the program that makes a value runs; what was exported so far it sees.
  Around around(const ir::Value& value) {
    Around result;
    if (moved_ || !directory_.empty()) {
      result.cwd = here(directory_);
    }
    if (value.runs_program()) {
      result.env = environment({});
      result.path = [this](const ir::Value& path) { return file(path); };
    }
    return result;
  }
  flyte::Expr as_word(const ir::Value& value) { return expression(job_, value, around(value)); }
  flyte::Expr as_text(const ir::Value& value) {
    return text_expression(job_, value, around(value));
  }

  // What a local gets: a number, a list or a text.
  flyte::Stmt given(const ir::Binding& binding) {
    flyte::Assign assign{binding.local, "", {}, ""};
    if (binding.items) {
      assign.value = list_of(*binding.items);
      assign.op = binding.appends ? "+" : "";
      if (binding.items->empty() && !binding.appends) {
        assign.type = "list[str]";
      }
    } else if (const auto* first = binding.value.parts.empty()
                                       ? nullptr
                                       : std::get_if<ir::Local>(&binding.value.parts.front());
               first != nullptr && first->name == binding.local && !first->number &&
               binding.value.parts.size() > 1) { // x = x + more
      ir::Value more = binding.value;
      more.parts.erase(more.parts.begin());
      assign.op = "+";
      assign.value = as_text(more);
    } else if (!job_.number_locals.contains(binding.local) ||
               (binding.value.parts.empty() && binding.unset)) {
      assign.value = as_text(binding.value);
    } else {
      assign.value = number_expression(job_, binding.value, around(binding.value));
      auto* sum = std::get_if<flyte::Binary>(&assign.value.value);
      const auto* left = sum == nullptr ? nullptr : std::get_if<flyte::Name>(&sum->left->value);
      const auto* by = sum == nullptr ? nullptr : std::get_if<flyte::Number>(&sum->right->value);
      // A loop that counts itself reads as one that forgot enumerate() if it says `i += 1`.
      const bool counts = over_items_ > 0 && by != nullptr && by->text == "1" && sum->op == "+";
      if (left != nullptr && left->dotted == binding.local && !counts) { // i = i + 2
        assign.op = sum->op;
        flyte::Expr right = std::move(*sum->right);
        assign.value = std::move(right);
      }
    }
    return flyte::Stmt{std::move(assign), {}};
  }

  // x, status = await capture_status(...)
  flyte::Stmt with_status(const ir::Step& step, const ir::Binding& binding) {
    flyte::Expr output = as_word(binding.value);
    auto& call = std::get<flyte::Call>(std::get<flyte::Await>(output.value).value->value);
    std::get<flyte::Name>(call.callee->value).dotted += "_status";
    return flyte::Stmt{
        flyte::Assign{
            fmt::format("{}, {}", binding.local.empty() ? "_" : binding.local, step.status), "",
            std::move(output)},
        {}};
  }

  // The file whose lines a list is, or null.
  static const ir::Value* file_lines(const std::vector<ir::Value>& values) {
    const auto* lines = values.size() == 1 && values.front().parts.size() == 1
                            ? std::get_if<ir::Computed>(&values.front().parts.front())
                            : nullptr;
    return lines != nullptr && lines->operation == ir::Operation::file_lines
               ? lines->operands.data()
               : nullptr;
  }

  // ["a", "b"]; what gives any number of words is a list already.
  flyte::Expr list_of(const std::vector<ir::Value>& values) {
    if (const auto* file = file_lines(values)) {
      ir::LinesOf all;
      all.file = *file;
      all.blanks = all.rest = true;
      return lines_of(all);
    }
    if (values.size() == 1 && values.front().many()) {
      flyte::Expr words = as_word(values.front());
      flyte::Expr inner = *std::get<flyte::Starred>(words.value).value;
      const auto* whole = std::get_if<flyte::Name>(&inner.value); // another list: a copy of it
      return whole == nullptr ? inner : flyte::call("list", {flyte::arg(std::move(inner))});
    }
    flyte::ListExpr list;
    for (const ir::Value& value : values) {
      list.elements.push_back(flyte::arg(value.many() ? as_word(value) : as_text(value)));
    }
    return flyte::Expr{std::move(list)};
  }

  flyte::Arg export_of(const ir::Step& step, const ir::Binding& binding) {
    flyte::Expr value = binding.local.empty() ? as_text(binding.value) : flyte::name(binding.local);
    if (job_.number_locals.contains(binding.local)) {
      value = flyte::call("str", {flyte::arg(std::move(value))});
    }
    flyte::Arg element = flyte::arg(std::move(value));
    element.key = flyte::str(binding.variable);
    element.notes.trailing = at(context_.sources, step.span);
    element.notes.spans = {step.span};
    return element;
  }

  // A compound statement starts some, or may; what a trap takes away does not ask for variables.
  static bool starts_programs(const ir::Step& step) {
    if (const auto* exits = std::get_if<ir::AtExit>(&step.value)) {
      return ir::any_step(exits->steps, [](const ir::Step& each) {
        const auto* launch = std::get_if<ir::Launch>(&each.value);
        return launch != nullptr ? launch->words.front().text() != "rm"
                                 : std::holds_alternative<ir::Pipeline>(each.value);
      });
    }
    return !std::holds_alternative<ir::Assign>(step.value) &&
           !std::holds_alternative<ir::Echo>(step.value) &&
           !std::holds_alternative<ir::ChangeDirectory>(step.value) &&
           !std::holds_alternative<ir::ShellOptions>(step.value) &&
           !std::holds_alternative<ir::Limit>(step.value) &&
           !std::holds_alternative<ir::FileMask>(step.value) &&
           !std::holds_alternative<ir::Stage>(step.value) &&
           !std::holds_alternative<ir::Function>(step.value) &&
           !std::holds_alternative<ir::Nothing>(step.value);
  }

  // A program whose output is a value of the step.
  static bool runs_in_value(const ir::Step& step) {
    bool runs = false;
    ir::Step copy = step;
    ir::for_each_value(copy, [&](ir::Value& value) { runs = runs || value.runs_program(); });
    return runs;
  }

  // An export in a branch or a loop.
  static bool exports_within(const ir::Step& step) {
    return ir::any_step(step, [](const ir::Step& each) {
      const auto* assign = std::get_if<ir::Assign>(&each.value);
      return assign != nullptr && assign->exports();
    });
  }

  void unset(const ir::Step& step, const ir::Binding& binding) {
    write_exports();
    if (!exported_.empty()) {
      flyte::Expr out{
          flyte::Call{flyte::name(exported_ + ".pop"),
                      {flyte::arg(flyte::str(binding.variable)), flyte::arg(flyte::name("None"))}}};
      push(step, flyte::Stmt{flyte::ExprStmt{std::move(out)}, {}});
    }
    push(step, flyte::Stmt{flyte::ExprStmt{flyte::call("os.environ.pop",
                                                       {flyte::arg(flyte::str(binding.variable)),
                                                        flyte::arg(flyte::name("None"))})},
                           {}});
  }

  // set_limit(resource.RLIMIT_STACK, -1)
  void limit(const ir::Step& step, const ir::Limit& limit) {
    result_.helpers["set_limit"];
    std::vector<flyte::Arg> arguments{
        flyte::arg(flyte::name("resource." + limit.resource)),
        flyte::arg(limit.value ? flyte::number(fmt::format("{}", *limit.value))
                               : flyte::name("resource.RLIM_INFINITY"))};
    if (limit.status_matters) {
      result_.helpers["set_limit"].insert("check");
      arguments.push_back(flyte::arg("check", flyte::name("True")));
    }
    flyte::Expr call = flyte::call("set_limit", std::move(arguments));
    flyte::Stmt statement{flyte::ExprStmt{call}, {}};
    if (!step.status.empty()) {
      result_.helpers["set_limit"].insert("status");
      statement.value = flyte::Assign{step.status, "", std::move(call)};
    }
    push(step, std::move(statement));
  }

  void assign(const ir::Step& step, const ir::Assign& assign) {
    for (const ir::Binding& binding : assign.bindings) {
      if (binding.unset && !exports_unused_) {
        unset(step, binding);
      }
      const auto* same = binding.value.parts.size() == 1 && !binding.items
                             ? std::get_if<ir::Local>(&binding.value.parts.front())
                             : nullptr;
      const bool itself = same != nullptr && same->name == binding.local; // an argument has it
      if (!binding.local.empty() && !itself) {
        if (job_.changing_locals.contains(binding.local)) {
          write_exports(); // what was exported is what it held then
        }
        push(step, ir::is_output(assign) && !step.status.empty() ? with_status(step, binding)
                                                                 : given(binding));
      }
      const bool exports = binding.exported && !exports_unused_;
      if (binding.local.empty() && !exports && binding.value.runs_program()) {
        for (const ir::ValuePart& part : binding.value.parts) { // nothing reads what it prints
          if (std::holds_alternative<ir::Output>(part)) {
            ir::Value run;
            run.append(part);
            push(step, ir::is_output(assign) && !step.status.empty()
                           ? with_status(step, binding)
                           : flyte::Stmt{flyte::ExprStmt{as_word(run)}, {}});
          }
        }
      }
      if (exports) {
        waiting_exports_.push_back(export_of(step, binding));
        if (binding.local.empty() && binding.value.of_the_moment()) {
          write_exports(); // it is computed here
        }
      }
    }
  }

  // The statements that make what was exported so far visible to the programs behind them.
  void write_exports() {
    if (waiting_exports_.empty()) {
      return;
    }
    if (exported_.empty()) {
      exported_ = "exported";
      flyte::DictExpr dict;
      for (flyte::Arg& element : waiting_exports_) {
        std::erase_if(dict.elements, [&](const flyte::Arg& other) {
          return std::get<flyte::Str>(other.key->value).value ==
                 std::get<flyte::Str>(element.key->value).value;
        });
        dict.elements.push_back(std::move(element));
      }
      result_.statements.push_back(
          flyte::Stmt{flyte::Assign{exported_, "", flyte::Expr{std::move(dict)}}, {}});
    } else {
      for (flyte::Arg& element : waiting_exports_) {
        const std::string& variable = std::get<flyte::Str>(element.key->value).value;
        element.notes.trailing.clear();
        result_.statements.push_back(
            flyte::Stmt{flyte::Assign{fmt::format("{}[\"{}\"]", exported_, variable), "",
                                      std::move(element.value)},
                        std::move(element.notes)});
      }
    }
    waiting_exports_.clear();
  }

  // Before a statement with blocks of its own: an export in one of them adds to a dict that is
  // there whichever way it goes.
  void prepare_exports(const ir::Step& step) {
    write_exports();
    if (exported_.empty() && !exports_unused_ && exports_within(step)) {
      begin_exports();
    }
  }

  void begin_exports() {
    exported_ = "exported";
    result_.statements.push_back(flyte::Stmt{
        flyte::Assign{exported_, "dict[str, str]", flyte::Expr{flyte::DictExpr{}}}, {}});
  }

  void lower_step(const ir::Step& step) {
    if (std::holds_alternative<ir::Function>(step.value)) {
      return; // it stands in front of what calls it first
    }
    say(step.comments);
    const std::size_t before = result_.statements.size();
    if (const auto* launch = std::get_if<ir::Launch>(&step.value)) {
      run(step, *launch);
      first_rank_alone(step, before);
    } else if (const auto* values = std::get_if<ir::Assign>(&step.value)) {
      assign(step, *values);
    } else if (const auto* echo = std::get_if<ir::Echo>(&step.value)) {
      print(step, *echo);
    } else if (const auto* change = std::get_if<ir::ChangeDirectory>(&step.value)) {
      directory(step, *change);
    } else if (const auto* branches = std::get_if<ir::If>(&step.value)) {
      if_(step, *branches);
    } else if (const auto* piped = std::get_if<ir::Pipeline>(&step.value)) {
      pipe(step, *piped);
      first_rank_alone(step, before);
    } else if (const auto* loop = std::get_if<ir::For>(&step.value)) {
      for_(step, *loop);
    } else if (const auto* exit = std::get_if<ir::Exit>(&step.value)) {
      leave(step, *exit);
    } else if (const auto* limits = std::get_if<ir::Limit>(&step.value)) {
      limit(step, *limits);
    } else if (const auto* mask = std::get_if<ir::FileMask>(&step.value)) {
      push(step, file_mask(*mask));
    } else if (const auto* inputs = std::get_if<ir::Stage>(&step.value)) {
      stage(step, *inputs);
    } else if (const auto* beside = std::get_if<ir::Background>(&step.value)) {
      background(step, *beside);
    } else if (const auto* waits = std::get_if<ir::Wait>(&step.value)) {
      wait(step, *waits);
    } else if (const auto* exits = std::get_if<ir::AtExit>(&step.value)) {
      at_exit(step, *exits);
    } else if (const auto* calls = std::get_if<ir::Call>(&step.value)) {
      push_call(step, *calls);
    } else if (const auto* returns = std::get_if<ir::Return>(&step.value)) {
      push(step, returning(*returns));
    }
    const auto* given = std::get_if<ir::Assign>(&step.value);
    const bool told = given != nullptr && !given->declared && ir::is_output(*given);
    const auto* waited = std::get_if<ir::Wait>(&step.value);
    const auto* goes = std::get_if<ir::ChangeDirectory>(&step.value);
    const bool asked = goes != nullptr && moves_ && !goes->certain;
    if (!step.status.empty() && !asked && !told &&
        !std::holds_alternative<ir::Pipeline>(step.value) &&
        !std::holds_alternative<ir::Launch>(step.value) &&
        !std::holds_alternative<ir::Limit>(step.value) &&
        !std::holds_alternative<ir::Call>(step.value) &&
        !std::holds_alternative<ir::If>(step.value) &&
        !std::holds_alternative<ir::For>(step.value) &&
        (waited == nullptr || waited->tasks.empty())) {
      push(step, flyte::Stmt{flyte::Assign{step.status, "", flyte::number("0")}, {}});
    }
    if (const auto* leave_loop = std::get_if<ir::LeaveLoop>(&step.value)) {
      push(step, leave_loop->again ? flyte::Stmt{flyte::Continue{}, {}}
                                   : flyte::Stmt{flyte::Break{}, {}});
    }
    say_below(step);
  }

  // What the script says: above the next statement.
  void say(const std::vector<ir::Comment>& comments) {
    for (const ir::Comment& comment : comments) {
      comments_.emplace_back(comment.text, comment.span);
    }
  }

  // What it says below a step, with what waits for a statement.
  void say_below(const ir::Step& step) {
    if (!step.below.empty()) {
      say(step.below);
      last_comments();
    }
  }

  // The statements of steps that stand within others.
  std::vector<flyte::Stmt> block(const std::vector<ir::Step>& steps) {
    std::vector<flyte::Stmt> outer = std::exchange(result_.statements, {});
    std::vector<flyte::Paragraph> above = std::exchange(comments_, {});
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (const std::size_t together = gathers_ ? gathered(steps, i) : 0; together > 0) {
        side_by_side(steps, i, together);
        i += together - 1;
        continue;
      }
      lower_step(steps[i]);
    }
    write_exports();
    if (!comments_.empty() && result_.statements.empty()) {
      flyte::Stmt rest{flyte::CommentOnly{}, {}};
      rest.notes.above = std::exchange(comments_, {});
      result_.statements.push_back(std::move(rest));
    }
    last_comments();
    if (std::ranges::all_of(result_.statements, [](const flyte::Stmt& statement) {
          return std::holds_alternative<flyte::CommentOnly>(statement.value);
        })) {
      result_.statements.push_back(flyte::Stmt{flyte::Pass{}, {}});
    }
    comments_ = std::move(above);
    return std::exchange(result_.statements, std::move(outer));
  }

  flyte::Expr asked(const ir::Condition& question, const std::string& variable) {
    Conditions parts{job_, [&](const ir::Value& path) { return file(path); },
                     [&](const ir::Step& step) {
                       std::vector<Open> opens;
                       if (const auto* waits = std::get_if<ir::Wait>(&step.value)) {
                         return flyte::await(flyte::name(waits->tasks.front()));
                       }
                       if (const auto* piped = std::get_if<ir::Pipeline>(&step.value)) {
                         return pipeline(*piped, false, opens);
                       }
                       if (const auto* calls = std::get_if<ir::Call>(&step.value)) {
                         return call_of(*calls);
                       }
                       return command(std::get<ir::Launch>(step.value), false, opens);
                     },
                     [&](const ir::Value& value) { return around(value); }, variable};
    return condition(parts, question);
  }

  static bool never(const ir::Condition& condition) {
    const auto* always = std::get_if<ir::Always>(&condition.value);
    return always != nullptr && !always->value;
  }

  // What a condition asks first, as a statement before it; then it says what that said.
  ir::Condition ask_first(const ir::Condition& condition, const std::string& status) {
    ir::Step asks = *ir::asked_first(condition);
    if (asks.status.empty() && !ir::always_succeeds(asks)) {
      asks.status = status;
    }
    lower_step(asks);
    ir::Condition answer{ir::Always{true}};
    if (!ir::always_succeeds(asks)) {
      ir::Value value;
      value.append(ir::Status{asks.status});
      answer.value = ir::NumberTest{"==", std::move(value), ir::Value::of("0")};
    }
    return ir::with_answer(condition, std::move(answer));
  }

  void if_(const ir::Step& step, const ir::If& command) {
    bindings(step, command.before);
    prepare(step);
    const ir::Condition& question = command.branches.front().condition;
    if (command.ends || ir::asked_first(question) == nullptr) {
      lower_if(step, command);
      return;
    }
    const bool alone = std::holds_alternative<ir::Succeeds>(question.value);
    const bool of_list = !command.status.empty();
    ir::If asked = command;
    asked.branches.front().condition = ask_first(question, !of_list ? "status"
                                                           : alone  ? command.status
                                                                    : "asked");
    if (alone && of_list) {
      asked.status.clear(); // it has it
    }
    lower_if(step, asked);
  }

  void lower_if(const ir::Step& step, const ir::If& command) {
    const ir::Branch& first = command.branches.front();
    if (const auto* always = std::get_if<ir::Always>(&first.condition.value);
        always != nullptr && always->value) {
      for (std::size_t i = 0; i < first.steps.size(); ++i) {
        if (const std::size_t together = gathers_ || !running_ ? gathered(first.steps, i) : 0;
            together > 0) {
          side_by_side(first.steps, i, together);
          i += together - 1;
        } else {
          lower_step(first.steps[i]);
        }
      }
      return;
    }
    if (command.ends) { // `a && b` at the job's end
      const auto& asks = std::get<ir::Succeeds>(first.condition.value).steps.front();
      ir::Step alone = asks;
      alone.comments.insert(alone.comments.begin(), step.comments.begin(), step.comments.end());
      lower_step(alone);
      for (flyte::Stmt& statement : block(first.steps)) {
        result_.statements.push_back(std::move(statement));
      }
      return;
    }
    if (!command.status.empty()) {
      push(step, flyte::Stmt{flyte::Assign{command.status, "", flyte::number("1")}, {}});
    }
    flyte::IfStmt statement;
    for (const ir::Branch& branch : command.branches) {
      if (never(branch.condition)) {
        continue;
      }
      flyte::Branch& made = statement.branches.emplace_back();
      made.condition = asked(branch.condition, command.status);
      made.body = block(branch.steps);
    }
    if (command.otherwise && statement.branches.empty()) { // no branch before it is left
      for (const ir::Step& inner : *command.otherwise) {
        lower_step(inner);
      }
    } else if (command.otherwise) {
      flyte::Branch& made = statement.branches.emplace_back();
      made.body = block(*command.otherwise);
    }
    if (statement.branches.empty()) {
      for (const ir::Step& inner : command.after) {
        lower_step(inner);
      }
      return;
    }
    join_nested(statement);
    push(step, flyte::Stmt{std::move(statement), {}});
    for (const ir::Step& inner : command.after) {
      lower_step(inner);
    }
  }

  void for_(const ir::Step& step, const ir::For& loop) {
    bindings(step, loop.before);
    prepare(step);
    if (loop.condition && ir::asked_first(*loop.condition) != nullptr) {
      ask_each_time(step, loop);
      return;
    }
    if (loop.condition) {
      flyte::WhileStmt statement;
      statement.condition = asked(*loop.condition, "");
      statement.body = block(loop.steps);
      push(step, flyte::Stmt{std::move(statement), {}});
      return;
    }
    flyte::ForStmt statement;
    statement.target = loop.variable;
    statement.iterable = loop.lines   ? lines_of(*loop.lines)
                         : loop.range ? range_of(*loop.range)
                                      : items_of(loop);
    if (const auto* list = std::get_if<flyte::Name>(&statement.iterable.value);
        list != nullptr && grows(loop.steps, list->dotted)) { // the loop runs over what it was
      statement.iterable = flyte::call("list", {flyte::arg(flyte::name(list->dotted))});
    }
    ++over_items_;
    statement.body = block(loop.steps);
    --over_items_;
    if (loop.lines && !loop.lines->names.empty()) {
      statement.body.insert(statement.body.begin(), fields_of(loop));
    }
    push(step, flyte::Stmt{std::move(statement), {}});
  }

  // name, size = fields(line, 2)
  flyte::Stmt fields_of(const ir::For& loop) {
    const ir::LinesOf& lines = *loop.lines;
    result_.helpers["fields"];
    std::vector<flyte::Arg> arguments{
        flyte::arg(flyte::name(loop.variable)),
        flyte::arg(flyte::number(fmt::format("{}", lines.names.size())))};
    if (!lines.separator.empty()) {
      result_.helpers["fields"].insert("parts");
      arguments.push_back(flyte::arg(flyte::str(lines.separator)));
    }
    return flyte::Stmt{flyte::Assign{fmt::format("{}", fmt::join(lines.names, ", ")), "",
                                     flyte::call("fields", std::move(arguments))},
                       {}};
  }

  // range(len(files)), range(1, n + 1)
  flyte::Expr range_of(const ir::Range& range) {
    std::vector<flyte::Arg> arguments;
    const auto add = [&](const ir::Value& value) {
      arguments.push_back(flyte::arg(number_expression(job_, value, around(value))));
    };
    if (range.first.text() != "0" || range.by != 1) {
      add(range.first);
    }
    add(range.end);
    if (range.by != 1) {
      arguments.push_back(flyte::arg(flyte::number(fmt::format("{}", range.by))));
    }
    return flyte::call("range", std::move(arguments));
  }

  // while True: what is asked; if that says no: break
  void ask_each_time(const ir::Step& step, const ir::For& loop) {
    std::vector<flyte::Stmt> outer = std::exchange(result_.statements, {});
    std::vector<flyte::Paragraph> above = std::exchange(comments_, {});
    const ir::Condition goes_on = ask_first(*loop.condition, "asked");
    flyte::IfStmt leave;
    leave.branches.push_back(
        {asked(ir::negated(goes_on), ""), {flyte::Stmt{flyte::Break{}, {}}}, {}});
    push(step, flyte::Stmt{std::move(leave), {}});
    flyte::WhileStmt statement{flyte::name("True"), std::exchange(result_.statements, {})};
    for (flyte::Stmt& each : block(loop.steps)) {
      statement.body.push_back(std::move(each));
    }
    result_.statements = std::move(outer);
    comments_ = std::move(above);
    push(step, flyte::Stmt{std::move(statement), {}});
  }

  // What the loop runs over, as numbers where its variable is one.
  flyte::Expr items_of(const ir::For& loop) {
    return job_.number_locals.contains(loop.variable) ? number_items(loop.items)
                                                      : items(loop.items);
  }

  static bool grows(const std::vector<ir::Step>& steps, const std::string& list) {
    return ir::any_step(steps, [&](const ir::Step& step) {
      const auto* assign = std::get_if<ir::Assign>(&step.value);
      return assign != nullptr &&
             std::ranges::any_of(assign->bindings, [&](const ir::Binding& binding) {
               return binding.items && binding.local == list;
             });
    });
  }

  // range(1, 11), where the numbers are one; else a tuple of them.
  static flyte::Expr number_items(const std::vector<ir::Value>& values) {
    std::vector<std::int64_t> each;
    flyte::TupleExpr tuple;
    for (const ir::Value& value : values) {
      each.push_back(std::stoll(value.text().value_or("0")));
      tuple.elements.push_back(flyte::arg(flyte::number(fmt::format("{}", each.back()))));
    }
    constexpr std::size_t few = 3; // (1, 2) says more than range(1, 3)
    const std::int64_t step = each.size() > 1 ? each[1] - each[0] : 0;
    bool even = step != 0;
    for (std::size_t i = 1; i < each.size(); ++i) {
      even = even && each[i] - each[i - 1] == step;
    }
    if (!even || each.size() < few) {
      return flyte::Expr{std::move(tuple)};
    }
    std::vector<flyte::Arg> arguments;
    const auto add = [&](std::int64_t value) {
      arguments.push_back(flyte::arg(flyte::number(fmt::format("{}", value))));
    };
    if (each.front() != 0 || step != 1) {
      add(each.front());
    }
    add(each.back() + (step > 0 ? 1 : -1));
    if (step != 1) {
      add(step);
    }
    return flyte::call("range", std::move(arguments));
  }

  flyte::Expr lines_of(const ir::LinesOf& lines) {
    if (lines.printed) {
      std::vector<flyte::Arg> text{flyte::arg(as_text(lines.file))};
      result_.helpers["text_lines"];
      if (lines.blanks) {
        result_.helpers["text_lines"].insert("blanks");
        text.push_back(flyte::arg("blanks", flyte::name("True")));
      }
      return flyte::call("text_lines", std::move(text));
    }
    result_.helpers["read_lines"];
    std::vector<flyte::Arg> arguments{flyte::arg(file(lines.file))};
    const auto option = [&](bool set, const char* name) {
      if (set) {
        result_.helpers["read_lines"].insert(name);
        arguments.push_back(flyte::arg(name, flyte::name("True")));
      }
    };
    if (job_.errexit) {
      result_.helpers["read_lines"].insert("check");
    }
    option(lines.blanks, "blanks");
    option(lines.escapes, "escapes");
    option(lines.rest, "rest");
    return flyte::call("read_lines", std::move(arguments));
  }

  // The commands in the background from `first` on and the `wait` behind them, at once.
  void side_by_side(const std::vector<ir::Step>& steps, std::size_t first, std::size_t count) {
    std::vector<flyte::Arg> awaited;
    for (std::size_t i = first; i + 1 < first + count; ++i) {
      const ir::Step& step = steps[i];
      say(step.comments);
      say(step.below);
      const auto* loop = std::get_if<ir::For>(&step.value);
      const ir::Step& inner = loop != nullptr ? loop->steps.front() : step;
      flyte::Expr call = beside(std::get<ir::Background>(inner.value));
      if (loop == nullptr) {
        awaited.push_back(flyte::arg(std::move(call)));
        awaited.back().notes.spans = {step.span};
        continue;
      }
      say(inner.comments);
      say(inner.below);
      flyte::Comprehension each{std::move(call), loop->variable, items_of(*loop),
                                std::nullopt,    false,          true};
      awaited.push_back(
          flyte::arg(flyte::Expr{flyte::Starred{flyte::Expr{std::move(each)}, false}}));
      awaited.back().notes.spans = {step.span};
    }
    const ir::Step& wait = steps[first + count - 1];
    say(wait.comments);
    say(wait.below);
    flyte::Stmt statement{flyte::ExprStmt{gather(std::move(awaited))}, {}};
    statement.notes.trailing =
        lines(context_.sources, Span{wait.span.source, steps[first].span.begin, wait.span.end});
    push(wait, std::move(statement));
    if (!wait.status.empty()) {
      push(wait, flyte::Stmt{flyte::Assign{wait.status, "", flyte::number("0")}, {}});
    }
  }

  // run(...) or pipe(...), not yet awaited.
  flyte::Expr beside(const ir::Background& background) {
    std::vector<Open> opens;
    const ir::Step& step = background.steps.front();
    flyte::Expr call;
    if (const auto* piped = std::get_if<ir::Pipeline>(&step.value)) {
      call = pipeline(*piped, false, opens);
    } else {
      call = command(std::get<ir::Launch>(step.value), false, opens);
    }
    return *std::get<flyte::Await>(call.value).value;
  }

  // room = places(4)
  void prepare_room(const ir::Step& step) {
    const bool queues = ir::any_step(step, [](const ir::Step& each) {
      const auto* background = std::get_if<ir::Background>(&each.value);
      return background != nullptr && background->queues && !each.in_region;
    });
    if (!job_.room || room_ || !queues) {
      return;
    }
    room_ = true;
    result_.helpers["places"];
    std::vector<flyte::Arg> arguments{
        flyte::arg(flyte::number(fmt::format("{}", job_.room->places)))};
    if (job_.room->gpus > 0) {
      result_.helpers["places"].insert("gpus");
      arguments.push_back(flyte::arg("gpus", flyte::number(fmt::format("{}", job_.room->gpus))));
    }
    flyte::Stmt statement{flyte::Assign{room, "", flyte::call("places", std::move(arguments))}, {}};
    statement.notes.trailing = job_.room->how;
    result_.statements.push_back(std::move(statement));
  }

  // The list of what runs in the background is there whichever way the task goes.
  void prepare_running(const ir::Step& step) {
    const bool starts = ir::any_step(step, [this](const ir::Step& each) {
      const auto* background = std::get_if<ir::Background>(&each.value);
      return background != nullptr && !each.in_region && (background->task.empty() || waits_);
    });
    if (gathers_ || running_ || !starts) {
      return;
    }
    running_ = true;
    result_.statements.push_back(flyte::Stmt{
        flyte::Assign{running, "list[asyncio.Task[int]]", flyte::Expr{flyte::ListExpr{}}}, {}});
  }

  void background(const ir::Step& step, const ir::Background& background) {
    const ir::Step& inner = background.steps.front();
    std::vector<Open> opens;
    flyte::Expr task;
    if (const auto* launch = std::get_if<ir::Launch>(&inner.value)) {
      task = command(*launch, true, opens, "spawn");
      if (background.queues) {
        auto& call = std::get<flyte::Call>(std::get<flyte::Await>(task.value).value->value);
        call.arguments.push_back(flyte::arg("room", flyte::name(room)));
      }
    } else {
      task = flyte::call("asyncio.create_task", {flyte::arg(beside(background))});
    }
    const auto append = [&](flyte::Expr value) {
      return flyte::Stmt{flyte::ExprStmt{flyte::call(std::string(running) + ".append",
                                                     {flyte::arg(std::move(value))})},
                         {}};
    };
    if (background.task.empty()) {
      within(step, append(std::move(task)), opens);
      return;
    }
    within(step, flyte::Stmt{flyte::Assign{background.task, "", std::move(task)}, {}}, opens);
    if (waits_) {
      push(step, append(flyte::name(background.task)));
    }
  }

  void wait(const ir::Step& step, const ir::Wait& wait) {
    if (wait.tasks.empty()) {
      if (running_) {
        push(step, flyte::Stmt{flyte::ExprStmt{gather({flyte::arg(
                                   flyte::Expr{flyte::Starred{flyte::name(running), false}})})},
                               {}});
      }
      return;
    }
    for (std::size_t i = 0; i < wait.tasks.size(); ++i) {
      flyte::Expr task = flyte::await(flyte::name(wait.tasks[i]));
      const bool asked = i + 1 == wait.tasks.size() && !step.status.empty();
      flyte::Stmt statement{flyte::ExprStmt{task}, {}};
      if (asked) {
        statement.value = flyte::Assign{step.status, "", std::move(task)};
      }
      push(step, std::move(statement));
    }
  }

  flyte::Expr items(const std::vector<ir::Value>& values) {
    if (const ir::Parameter* list = values.size() == 1 ? argument_list(values.front()) : nullptr) {
      return flyte::Expr{
          flyte::Binary{"or", flyte::name(list->name), flyte::Expr{flyte::TupleExpr{}}}};
    }
    if (auto range = numbers(values)) {
      return std::move(*range);
    }
    if (values.size() == 1 && values.front().many()) { // `for x in *split_words(...)`
      return *std::get<flyte::Starred>(as_word(values.front()).value).value;
    }
    flyte::TupleExpr tuple;
    for (const ir::Value& value : values) {
      tuple.elements.push_back(flyte::arg(value.many() ? as_word(value) : as_text(value)));
    }
    return flyte::Expr{std::move(tuple)};
  }

  // The job ends with this status.
  void leave(const ir::Step& step, const ir::Exit& exit) {
    flyte::Expr status = exit.variable.empty() ? flyte::number(fmt::format("{}", exit.status))
                         : exit.text ? flyte::call("int", {flyte::arg(flyte::name(exit.variable))})
                                     : flyte::name(exit.variable);
    const flyte::Expr asked = status;
    flyte::Stmt raise{flyte::Raise{flyte::call("subprocess.CalledProcessError",
                                               {flyte::arg(std::move(status)),
                                                flyte::arg(flyte::str(base_name(job_.path)))}),
                                   std::nullopt},
                      {}};
    if (!exit.variable.empty()) {
      flyte::IfStmt failed;
      flyte::Branch& branch = failed.branches.emplace_back();
      branch.condition = asked;
      branch.body.push_back(std::move(raise));
      push(step, flyte::Stmt{std::move(failed), {}});
    } else if (exit.status != 0) {
      push(step, std::move(raise));
      return;
    }
    if (!exit.at_end) {
      push(step, flyte::Stmt{flyte::Return{std::nullopt}, {}});
    }
  }

  // What the programs in a block are given must be there whichever way the task goes.
  void prepare(const ir::Step& step) {
    prepare_exports(step);
    if (ir::any_step(step, [](const ir::Step& each) {
          return std::holds_alternative<ir::Launch>(each.value);
        })) {
      variables();
    }
  }

  // What stands behind it goes into a try, once all of it is there.
  void at_exit(const ir::Step& step, const ir::AtExit& exits) {
    bindings(step, exits.before);
    prepare(step);
    if (moves_ && !moved_ && ir::any_step(exits.steps, starts_programs)) {
      moved_ = true; // it may end before it goes anywhere
      result_.statements.push_back(flyte::Stmt{flyte::Assign{"cwd", "", flyte::name("HERE")}, {}});
    }
    if (exported_.empty() && !exports_unused_ && ir::any_step(exits.steps, starts_programs) &&
        exports_behind(step)) {
      begin_exports();
    }
    at_exit_ = &step;
    tries_from_ = result_.statements.size();
    tried_ = std::exchange(comments_, {});
  }

  // The functions that a step calls first, in front of it.
  void prepare_functions(const ir::Step& step) {
    std::vector<std::string> names;
    (void)ir::any_step(step, [&](const ir::Step& each) {
      if (const auto* call = std::get_if<ir::Call>(&each.value)) {
        names.push_back(call->function);
      }
      return false;
    });
    for (const std::string& name : names) {
      if (!defined_.insert(name).second) {
        continue;
      }
      const auto found = std::ranges::find_if(job_.body, [&](const ir::Step& each) {
        const auto* function = std::get_if<ir::Function>(&each.value);
        return function != nullptr && function->name == name;
      });
      prepare_functions(*found); // what it calls
      define(*found, std::get<ir::Function>(found->value));
    }
  }

  // async def align(s: str) -> int: ...
  void define(const ir::Step& step, const ir::Function& function) {
    write_exports();
    if (exported_.empty() && !exports_unused_ && std::ranges::any_of(job_.body, exports_within)) {
      begin_exports();
    }
    prepare(step);
    say(step.comments);
    flyte::FunctionDef made;
    made.name = function.name;
    for (const ir::Function::Parameter& each : function.parameters) {
      made.parameters.push_back(
          {each.name, "str", each.optional ? std::optional(flyte::str("")) : std::nullopt});
    }
    made.returns = function.gives_status ? "int" : "None";
    made.body = block(function.steps);
    return_directly(made.body);
    flyte::Stmt statement{std::move(made), {}};
    statement.notes.trailing = lines(context_.sources, step.span);
    statement.notes.spans = {step.span};
    statement.notes.above = std::exchange(comments_, {});
    result_.statements.push_back(std::move(statement));
  }

  flyte::Expr call_of(const ir::Call& call) {
    write_exports(); // which it sees
    std::vector<flyte::Arg> arguments;
    arguments.reserve(call.arguments.size());
    for (const ir::Value& value : call.arguments) {
      arguments.push_back(flyte::arg(as_text(value)));
    }
    return flyte::await(flyte::call(call.function, std::move(arguments)));
  }

  void push_call(const ir::Step& step, const ir::Call& call) {
    flyte::Stmt statement{flyte::ExprStmt{call_of(call)}, {}};
    if (!step.status.empty()) {
      statement.value = flyte::Assign{step.status, "", call_of(call)};
    }
    push(step, std::move(statement));
  }

  static flyte::Stmt returning(const ir::Return& value) {
    if (value.bare) {
      return flyte::Stmt{flyte::Return{std::nullopt}, {}};
    }
    return flyte::Stmt{
        flyte::Return{value.variable.empty() ? flyte::number(fmt::format("{}", value.status))
                      : value.text ? flyte::call("int", {flyte::arg(flyte::name(value.variable))})
                                   : flyte::name(value.variable)},
        {}};
  }

  // Whether a step behind this one exports something.
  [[nodiscard]] bool exports_behind(const ir::Step& step) const {
    bool behind = false;
    for (const ir::Step& each : job_.body) {
      if (behind && ir::any_step(each, [](const ir::Step& inner) {
            const auto* assign = std::get_if<ir::Assign>(&inner.value);
            return assign != nullptr && assign->exports();
          })) {
        return true;
      }
      behind = behind || &each == &step;
    }
    return std::ranges::any_of(job_.kept,
                               [](const ir::KeptRegion& region) { return region.left.exports; });
  }

  // try: all behind the trap; finally: what it does
  void end_with_exit() {
    if (at_exit_ == nullptr) {
      return;
    }
    std::vector<flyte::Stmt>& all = result_.statements;
    const auto from = all.begin() + static_cast<std::ptrdiff_t>(tries_from_);
    flyte::TryStmt tries;
    tries.body.assign(std::make_move_iterator(from), std::make_move_iterator(all.end()));
    all.erase(from, all.end());
    tries.finally = block(std::get<ir::AtExit>(at_exit_->value).steps);
    flyte::Stmt& first = tries.finally.front();
    if (std::holds_alternative<flyte::Pass>(first.value)) {
      std::ranges::move(tries.body, std::back_inserter(all)); // trap : EXIT
      return;
    }
    if (first.notes.trailing.empty()) {
      first.notes.trailing = at(context_.sources, at_exit_->span);
    }
    flyte::Stmt statement{std::move(tries), {}};
    statement.notes.above = std::move(tried_);
    statement.notes.spans = {at_exit_->span};
    if (std::get<flyte::TryStmt>(statement.value).body.empty()) {
      statement.value = flyte::TryStmt{
          {flyte::Stmt{flyte::Pass{}, {}}}, {}, std::get<flyte::TryStmt>(statement.value).finally};
    }
    all.push_back(std::move(statement));
  }

  void bindings(const ir::Step& step, const std::vector<ir::Binding>& list) {
    for (const ir::Binding& binding : list) {
      push(step, given(binding));
    }
  }

  static bool changes(const ir::Step& step) {
    return std::holds_alternative<ir::ChangeDirectory>(step.value);
  }

  // Where a `cd` may fail, or stands in a branch, the directory is a variable of the task.
  void moves() {
    const auto first = std::ranges::find_if(
        job_.body, [](const ir::Step& step) { return ir::any_step(step, changes); });
    if (first == job_.body.end()) {
      moves_ = std::ranges::any_of(job_.kept,
                                   [](const ir::KeptRegion& region) { return region.left.moves; });
      return;
    }
    const bool regions = std::ranges::any_of(
        job_.kept, [](const ir::KeptRegion& region) { return region.left.moves; });
    moves_ = regions ||
             ir::any_step(job_.body,
                          [&](const ir::Step& step) {
                            const auto* change = std::get_if<ir::ChangeDirectory>(&step.value);
                            return change != nullptr &&
                                   (!change->certain || !change->below || change->status_matters);
                          }) ||
             std::ranges::any_of(job_.body, [](const ir::Step& step) {
               return !changes(step) && ir::any_step(step, changes);
             });
    // What a trap does, it does wherever the script has got to.
    const bool trapped = std::ranges::any_of(job_.body.begin(), first, [](const ir::Step& step) {
      return std::holds_alternative<ir::AtExit>(step.value);
    });
    moves_ = moves_ || trapped;
    const auto* list = std::get_if<ir::If>(&first->value);
    const bool behind = list != nullptr && ir::any_step(list->after, changes);
    if (moves_ && !changes(*first) && !behind) {
      moved_ = true;
      result_.statements.push_back(flyte::Stmt{flyte::Assign{"cwd", "", flyte::name("HERE")}, {}});
    }
  }

  void directory(const ir::Step& step, const ir::ChangeDirectory& change) {
    if (!moves_) {
      directory_ = change.below.value_or("");
      return;
    }
    if (!step.status.empty() && !change.certain) { // `cd` as the last of what is asked for
      flyte::Expr there{
          flyte::Call{flyte::Expr{flyte::Attribute{file(change.directory), "is_dir"}}, {}}};
      flyte::Expr status{
          flyte::Conditional{flyte::number("0"), std::move(there), flyte::number("1")}};
      push(step, flyte::Stmt{flyte::Assign{step.status, "", std::move(status)}, {}});
    }
    if (!change.back.empty()) {
      go_back(step, change);
      return;
    }
    if (saved(change.saves)) { // back = cwd
      push(step, flyte::Stmt{flyte::Assign{change.saves, "", here("")}, {}});
    }
    if (change.directory.text() == "." && change.certain && !change.below) {
      return; // a shell of its own begins, which comes back here
    }
    flyte::Expr target;
    if (change.certain && !change.below && asks_directory() && has_dots(change.directory)) {
      result_.helpers["enter"]; // which leaves no `..` in the path
      target = flyte::call("enter", {flyte::arg(here("")), flyte::arg(as_text(change.directory))});
    } else if (change.certain) {
      target = change.below ? below(flyte::name("HERE"), *change.below) : file(change.directory);
    } else {
      result_.helpers["enter"];
      std::vector<flyte::Arg> arguments{flyte::arg(here("")),
                                        flyte::arg(as_text(change.directory))};
      if (change.status_matters) {
        result_.helpers["enter"].insert("check");
        arguments.push_back(flyte::arg("check", flyte::name("True")));
      }
      target = flyte::call("enter", std::move(arguments));
    }
    moved_ = true;
    push(step, flyte::Stmt{flyte::Assign{"cwd", "", std::move(target)}, {}});
  }

  // Whether Python goes back to where it was.
  [[nodiscard]] bool saved(const std::string& name) const {
    return !name.empty() && ir::any_step(job_.body, [&](const ir::Step& step) {
      const auto* change = std::get_if<ir::ChangeDirectory>(&step.value);
      return change != nullptr && change->back == name;
    });
  }

  // cwd = back; of `cd -`, from where the next one comes back here: cwd, back = back, cwd
  void go_back(const ir::Step& step, const ir::ChangeDirectory& change) {
    const bool swaps = change.saves == change.back && saved_later(step, change.back);
    flyte::Expr target = flyte::name(change.back);
    std::string targets = "cwd";
    if (swaps) {
      flyte::TupleExpr both;
      both.elements.push_back(flyte::arg(std::move(target)));
      both.elements.push_back(flyte::arg(here("")));
      target = flyte::Expr{std::move(both)};
      targets = fmt::format("cwd, {}", change.back);
    }
    moved_ = true;
    push(step, flyte::Stmt{flyte::Assign{targets, "", std::move(target)}, {}});
  }

  // Whether a step behind this one goes back there before another says where.
  [[nodiscard]] bool saved_later(const ir::Step& step, const std::string& name) const {
    bool behind = false;
    bool found = false;
    bool settled = false;
    ir::for_each_step(job_.body, [&](const ir::Step& each) {
      const auto* change = std::get_if<ir::ChangeDirectory>(&each.value);
      if (behind && change != nullptr && !settled) {
        found = found || change->back == name;
        settled = found || change->saves == name;
      }
      behind = behind || &each == &step;
    });
    return found;
  }

  // Whether the task asks for the name of the directory: $PWD.
  [[nodiscard]] bool asks_directory() const {
    bool found = false;
    std::vector<ir::Step> body = job_.body; // as it is looked at, it could be changed
    ir::for_each_step(body, [&](ir::Step& step) {
      ir::for_each_value(step, [&](ir::Value& value) {
        for (const ir::ValuePart& part : value.parts) {
          const auto* computed = std::get_if<ir::Computed>(&part);
          found = found ||
                  (computed != nullptr && computed->operation == ir::Operation::working_directory);
        }
      });
    });
    return found;
  }

  static bool has_dots(const ir::Value& path) {
    const auto text = path.text();
    return !text || text->starts_with('.') || text->find("/.") != std::string::npos;
  }

  static flyte::Expr below(flyte::Expr directory, const std::string& path) {
    return path.empty() ? directory
                        : flyte::Expr{flyte::Binary{"/", std::move(directory), flyte::str(path)}};
  }

  // if a: if b: ... is if a and b: ...
  static void join_nested(flyte::IfStmt& statement) {
    if (statement.branches.size() != 1 || statement.branches.front().body.size() != 1) {
      return;
    }
    flyte::Branch& outer = statement.branches.front();
    flyte::Stmt& only = outer.body.front();
    auto* nested = std::get_if<flyte::IfStmt>(&only.value);
    if (nested == nullptr || nested->branches.size() != 1 || !only.notes.above.empty() ||
        !only.notes.trailing.empty() || !nested->branches.front().condition || !outer.condition) {
      return;
    }
    flyte::Branch inner = std::move(nested->branches.front());
    outer.condition =
        flyte::Expr{flyte::Binary{"and", std::move(*outer.condition), std::move(*inner.condition)}};
    outer.body = std::move(inner.body);
  }

  // Where nothing runs in the directory, a `cd` says at most that it failed.
  static void forget_directory(std::vector<flyte::Stmt>& statements) {
    for (flyte::Stmt& statement : statements) {
      if (auto* list = std::get_if<flyte::IfStmt>(&statement.value)) {
        for (flyte::Branch& branch : list->branches) {
          forget_directory(branch.body);
        }
      } else if (auto* loop = std::get_if<flyte::ForStmt>(&statement.value)) {
        forget_directory(loop->body);
      } else if (auto* again = std::get_if<flyte::WhileStmt>(&statement.value)) {
        forget_directory(again->body);
      } else if (auto* tries = std::get_if<flyte::TryStmt>(&statement.value)) {
        forget_directory(tries->body);
      } else if (auto* assign = std::get_if<flyte::Assign>(&statement.value);
                 assign != nullptr && assign->target == "cwd") {
        if (std::holds_alternative<flyte::Call>(assign->value.value)) {
          statement.value = flyte::ExprStmt{std::move(assign->value)};
        } else {
          statement.value = flyte::Pass{};
        }
      }
    }
    const bool alone = statements.size() == 1;
    std::erase_if(statements, [&](const flyte::Stmt& statement) {
      return !alone && std::holds_alternative<flyte::Pass>(statement.value);
    });
  }

  // A path of the directory that the commands run in.
  flyte::Expr here(const std::string& path) const {
    directory_read_ = directory_read_ || moved_;
    return below(flyte::name(moved_ ? "cwd" : "HERE"), path);
  }

  void push(const ir::Step& step, flyte::Stmt statement) {
    statement.notes.above.insert(statement.notes.above.begin(), comments_.begin(), comments_.end());
    comments_.clear();
    statement.notes.above.insert(statement.notes.above.end(), step.reviews.begin(),
                                 step.reviews.end());
    statement.notes.spans.push_back(step.span);
    result_.statements.push_back(std::move(statement));
  }

  // The file of a redirection, below the directory that the commands run in.
  flyte::Expr file(const ir::Value& value) {
    const auto text = value.text();
    if (text && text->starts_with('/')) {
      // Joined to HERE it stays what it is; ruff takes Path(...).open for a blocking call.
      return flyte::Expr{flyte::Binary{"/", flyte::name("HERE"), flyte::str(*text)}};
    }
    if (text) {
      std::string path = *text;
      while (path.starts_with("./")) {
        path.erase(0, 2);
      }
      return here(directory_.empty() ? path : directory_ + "/" + path);
    }
    if (const auto* first = std::get_if<ir::Computed>(&value.parts.front());
        first != nullptr && first->operation == ir::Operation::home && value.parts.size() <= 2) {
      return as_word(value); // an absolute path by itself
    }
    if (std::holds_alternative<ir::TaskPath>(value.parts.front()) && value.parts.size() <= 2) {
      flyte::Expr path = as_word(value);
      if (!std::holds_alternative<flyte::FString>(path.value)) {
        return path;
      }
    }
    if (const auto* place = std::get_if<ir::Computed>(&value.parts.front());
        place != nullptr && place->operation == ir::Operation::temporary_directory &&
        value.parts.size() == 1) {
      return flyte::call("Path", {flyte::arg(as_word(value))});
    }
    return flyte::Expr{flyte::Binary{"/", here(directory_), as_text(value)}};
  }

  // In an image by reference flyte's own Python stands first on PATH, not the image's.
  flyte::Expr python_program() {
    if (!job_.environment.reference()) {
      return flyte::name("sys.executable");
    }
    result_.helpers["image_python"];
    return flyte::call("image_python", {});
  }

  // The parameter that stands for all arguments, where the word is that one.
  const ir::Parameter* argument_list(const ir::Value& word) const {
    const auto* reference =
        word.parts.size() == 1 ? std::get_if<ir::ParameterRef>(&word.parts[0]) : nullptr;
    const auto found = std::ranges::find_if(job_.parameters, [&](const ir::Parameter& parameter) {
      return reference != nullptr && parameter.name == reference->name &&
             parameter.type == ir::Type::text_list && parameter.origin == "$@";
    });
    return found == job_.parameters.end() ? nullptr : &*found;
  }

  struct Open { // a file that a `with` opens
    flyte::Expr file;
    std::string mode, as;
    bool elsewhere = false; // in a directory that may not be there
    bool soft = false;      // the job goes on where it is not
  };
  static bool is_elsewhere(const ir::Value& path) {
    return path.text().value_or("/").find('/') != std::string::npos;
  }

  // S2F462 was said of it: a directory that nothing makes, in a job that goes on without it.
  [[nodiscard]] bool is_soft(const ir::Redirection& redirection) const {
    return std::ranges::any_of(context_.findings.all(), [&](const review::Finding& finding) {
      return finding.rule == "S2F462" && finding.span == redirection.span;
    });
  }

  // The directory, the streams and the variables of a program, as arguments of a helper.
  void place(const ir::Launch& launch, const std::string& helper,
             std::vector<flyte::Arg>& arguments, std::vector<Open>& opens) {
    std::set<std::string>& options = result_.helpers[helper];
    if (!launch.directory.empty()) {
      options.insert("cwd");
      arguments.push_back(flyte::arg("cwd", flyte::str(launch.directory)));
    } else if (moved_ || !directory_.empty()) {
      options.insert("cwd");
      arguments.push_back(flyte::arg("cwd", here(directory_)));
    }
    for (const ir::Redirection& redirection : launch.redirections) {
      using Stream = ir::Redirection::Stream;
      const std::string mode = redirection.append ? "ab" : "wb";
      if (redirection.to_stdout) {
        options.insert("stderr");
        arguments.push_back(flyte::arg("stderr", flyte::name("subprocess.STDOUT")));
        continue;
      }
      if (redirection.to_stderr) {
        options.insert("stdout");
        arguments.push_back(flyte::arg("stdout", flyte::number("2")));
        arguments.back().notes.trailing = ">&2";
        continue;
      }
      const std::string stream = redirection.stream == Stream::err ? "stderr" : "stdout";
      options.insert(stream);
      if (redirection.file.text() == "/dev/null") {
        arguments.push_back(flyte::arg(stream, flyte::name("subprocess.DEVNULL")));
      } else {
        opens.push_back({file(redirection.file), mode, stream, is_elsewhere(redirection.file),
                         is_soft(redirection)});
        arguments.push_back(flyte::arg(stream, flyte::name(stream)));
      }
      if (redirection.stream == Stream::both) {
        options.insert("stderr");
        arguments.push_back(flyte::arg("stderr", flyte::name("subprocess.STDOUT")));
      }
    }
    if (launch.input) {
      const std::string how = launch.input->text ? "text" : "stdin";
      options.insert(how);
      arguments.push_back(
          flyte::arg(how, launch.input->text
                              ? lines_text(job_, launch.input->value, around(launch.input->value))
                              : file(launch.input->value)));
    }
    const bool copies = launch.copies > 1;
    auto env = environment(launch.environment);
    if (copies || (launch.rank && launch.gpus_each > 0)) {
      flyte::Expr rank = copies ? rank_of_copy(launch) : own_gpus(launch);
      if (env) {
        flyte::DictExpr dict;
        if (auto* given = std::get_if<flyte::DictExpr>(&env->value)) {
          dict = std::move(*given);
        } else {
          dict.elements.push_back(flyte::arg(flyte::Expr{flyte::Starred{std::move(*env), true}}));
        }
        dict.elements.push_back(flyte::arg(flyte::Expr{flyte::Starred{std::move(rank), true}}));
        rank = flyte::Expr{std::move(dict)};
      }
      env = std::move(rank);
    }
    if (env) {
      options.insert("env");
      const auto* whole = std::get_if<flyte::Name>(&env->value);
      const bool constant = result_.exported && whole != nullptr && whole->dotted == exported_;
      flyte::Arg argument = flyte::arg("env", std::move(*env));
      if (constant) {
        argument.notes.trailing = "a local run does not apply env_vars";
      }
      arguments.push_back(std::move(argument));
    }
  }

  // `await run(...)`, and what must be open around it.
  flyte::Expr command(const ir::Launch& launch, bool check, std::vector<Open>& opens,
                      const std::string& helper = "run") {
    std::vector<flyte::Arg> arguments;
    for (std::size_t i = 0; i < launch.words.size(); ++i) {
      if (const ir::Parameter* list = argument_list(launch.words[i])) {
        arguments.push_back(flyte::arg(each_argument(job_, *list)));
        continue;
      }
      const auto text = launch.words[i].text();
      const bool python = i == launch.program && text && is_python(*text);
      flyte::Arg argument = flyte::arg(python ? python_program() : as_word(launch.words[i]));
      arguments.push_back(std::move(argument));
    }
    place(launch, helper, arguments, opens);
    const bool copies = launch.copies > 1;
    std::set<std::string>& options = result_.helpers[helper];
    if (helper == "run" && std::ranges::all_of(launch.words, [&](const ir::Value& word) {
          return argument_list(word) != nullptr || word.many();
        })) { // "$@", of which there may be none
      options.insert("empty");
    }
    if (!check || copies) {
      options.insert("check");
      arguments.push_back(flyte::arg("check", flyte::name("False")));
    }
    flyte::Expr call = flyte::call(helper, std::move(arguments));
    return copies ? side_by_side(launch, check, std::move(call)) : flyte::await(std::move(call));
  }

  // stderr=subprocess.STDOUT, where all but the last say so; errors=(None, stderr_2, ...)
  std::optional<flyte::Arg> errors_of(const ir::Pipeline& piped, std::vector<Open>& opens) {
    flyte::TupleExpr each;
    bool any = false;
    bool usual = true;
    for (std::size_t i = 0; i < piped.stages.size(); ++i) {
      const bool last = i + 1 == piped.stages.size();
      flyte::Expr stream = flyte::name("None");
      for (const ir::Redirection& redirection :
           std::get<ir::Launch>(piped.stages[i].value).redirections) {
        if (redirection.stream != ir::Redirection::Stream::err) {
          usual = usual && !(last && redirection.stream == ir::Redirection::Stream::both);
          continue;
        }
        any = true;
        if (redirection.to_stdout) {
          stream = flyte::name("subprocess.STDOUT");
        } else if (!redirection.to_file()) {
          stream = flyte::name("subprocess.DEVNULL");
        } else {
          const std::string as = fmt::format("errors_{}", i + 1);
          opens.push_back({file(redirection.file), redirection.append ? "ab" : "wb", as,
                           is_elsewhere(redirection.file)});
          stream = flyte::name(as);
        }
      }
      const auto* name = std::get_if<flyte::Name>(&stream.value);
      usual = usual && name->dotted == (last ? "None" : "subprocess.STDOUT");
      each.elements.push_back(flyte::arg(std::move(stream)));
    }
    if (!any) {
      return std::nullopt;
    }
    return usual ? flyte::arg("stderr", flyte::name("subprocess.STDOUT"))
                 : flyte::arg("errors", flyte::Expr{std::move(each)});
  }

  // `await pipe([...], [...])`
  flyte::Expr pipeline(const ir::Pipeline& piped, bool check, std::vector<Open>& opens) {
    std::vector<flyte::Arg> arguments;
    for (const ir::Step& stage : piped.stages) {
      const auto& launch = std::get<ir::Launch>(stage.value);
      flyte::ListExpr words;
      for (std::size_t i = 0; i < launch.words.size(); ++i) {
        if (const ir::Parameter* list = argument_list(launch.words[i])) {
          words.elements.push_back(flyte::arg(each_argument(job_, *list)));
          continue;
        }
        const auto text = launch.words[i].text();
        const bool python = i == launch.program && text && is_python(*text);
        words.elements.push_back(flyte::arg(python ? python_program() : as_word(launch.words[i])));
      }
      arguments.push_back(flyte::arg(flyte::Expr{std::move(words)}));
    }
    ir::Launch around = std::get<ir::Launch>(piped.stages.back().value); // all of them
    around.input = std::get<ir::Launch>(piped.stages.front().value).input;
    std::erase_if(around.redirections, [](const ir::Redirection& each) {
      return each.stream == ir::Redirection::Stream::err;
    });
    place(around, "pipe", arguments, opens);
    std::set<std::string>& options = result_.helpers["pipe"];
    if (auto streams = errors_of(piped, opens)) {
      options.insert(streams->keyword);
      arguments.push_back(std::move(*streams));
    }
    if (piped.pipefail) {
      options.insert("pipefail");
      arguments.push_back(flyte::arg("pipefail", flyte::name("True")));
    }
    if (!check) {
      arguments.push_back(flyte::arg("check", flyte::name("False")));
    }
    return flyte::await(flyte::call("pipe", std::move(arguments)));
  }

  void pipe(const ir::Step& step, const ir::Pipeline& piped) {
    std::vector<Open> opens;
    flyte::Expr started = pipeline(piped, piped.status_matters, opens);
    guarded(step, started);
    push_started(step, std::move(started), opens);
  }

  // await asyncio.to_thread(in_session, HERE / "count.py", "--in", "data")
  void in_session(const ir::Step& step, const ir::Launch& launch) {
    result_.helpers["in_session"];
    if (auto env = environment(launch.environment)) {
      push(step, flyte::Stmt{flyte::ExprStmt{
                                 flyte::call("os.environ.update", {flyte::arg(std::move(*env))})},
                             {}});
    }
    std::vector<flyte::Arg> arguments{flyte::arg(flyte::name("in_session"))};
    for (std::size_t i = *launch.payload; i < launch.words.size(); ++i) {
      const ir::Parameter* list = argument_list(launch.words[i]);
      arguments.push_back(
          flyte::arg(list != nullptr ? each_argument(job_, *list) : as_word(launch.words[i])));
    }
    flyte::Expr run = flyte::await(flyte::call("asyncio.to_thread", std::move(arguments)));
    push(step, flyte::Stmt{flyte::ExprStmt{std::move(run)}, {}});
  }

  // What the script ran once, in a task that is each of several ranks: await once("job.sh:12",
  // run(...)); behind the ranks it is the first rank's alone.
  void guarded(const ir::Step& step, flyte::Expr& started) {
    if (ir::guard_of(job_, step) != ir::Guard::once_a_node) {
      return;
    }
    result_.helpers["once"];
    const std::string place =
        lines(context_.sources, Span{step.span.source, step.span.begin, step.span.begin + 1});
    auto& awaited = std::get<flyte::Await>(started.value);
    started = flyte::await(flyte::call(
        "once", {flyte::arg(flyte::str(place)), flyte::arg(std::move(*awaited.value))}));
  }
  void first_rank_alone(const ir::Step& step, std::size_t from) {
    if (ir::guard_of(job_, step) != ir::Guard::first_rank) {
      return;
    }
    flyte::Expr rank = flyte::call("os.environ.get",
                                   {flyte::arg(flyte::str("RANK")), flyte::arg(flyte::str("0"))});
    flyte::IfStmt first;
    flyte::Branch& branch = first.branches.emplace_back();
    branch.condition = flyte::Expr{flyte::Binary{"==", std::move(rank), flyte::str("0")}};
    std::vector<flyte::Stmt>& all = result_.statements;
    branch.body.assign(std::make_move_iterator(all.begin() + static_cast<std::ptrdiff_t>(from)),
                       std::make_move_iterator(all.end()));
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(from), all.end());
    if (!branch.body.empty()) {
      all.push_back(flyte::Stmt{std::move(first), {}});
    }
  }

  // cat <<EOF, which prints the text, and cat > file <<EOF, which writes it.
  void write_text(const ir::Step& step, const ir::Launch& launch) {
    std::vector<flyte::Arg> arguments{
        flyte::arg(lines_text(job_, launch.input->value, around(launch.input->value)))};
    if (launch.redirections.empty()) {
      arguments.push_back(flyte::arg("end", flyte::str("")));
      arguments.push_back(flyte::arg("flush", flyte::name("True")));
      push(step, flyte::Stmt{flyte::ExprStmt{flyte::call("print", std::move(arguments))}, {}});
      return;
    }
    flyte::Expr write{flyte::Attribute{file(launch.redirections.front().file), "write_text"}};
    if (ir::guard_of(job_, step) == ir::Guard::once_a_node) {
      arguments.insert(arguments.begin(), flyte::arg(std::move(write)));
      flyte::Expr writes = flyte::await(flyte::call("asyncio.to_thread", std::move(arguments)));
      guarded(step, writes);
      push(step, flyte::Stmt{flyte::ExprStmt{std::move(writes)}, {}});
      return;
    }
    push(step, flyte::Stmt{flyte::ExprStmt{
                               flyte::Expr{flyte::Call{std::move(write), std::move(arguments)}}},
                           {}});
  }

  // echo a >> log; echo b >> log:  with (HERE / "log").open("a") as stdout: print("a",
  // file=stdout); ...
  void write_lines(const ir::Step& step, const ir::Launch& launch, const ir::Echoed& echoed,
                   bool alone) {
    const ir::Redirection& to = launch.redirections.front();
    const std::span words = std::span(launch.words).subspan(echoed.from);
    std::vector<flyte::Arg> arguments = printed({words.begin(), words.end()});
    if (!echoed.newline) {
      arguments.push_back(flyte::arg("end", flyte::str("")));
    }
    arguments.push_back(flyte::arg("file", flyte::name("stdout")));
    flyte::Stmt print{flyte::ExprStmt{flyte::call("print", std::move(arguments))}, {}};
    const auto opened = [&](const char* mode) {
      return flyte::Expr{flyte::Call{flyte::Expr{flyte::Attribute{file(to.file), "open"}},
                                     {flyte::arg(flyte::str(mode))}}};
    };
    std::vector<flyte::Stmt> inner;
    std::vector<flyte::Stmt>& all = result_.statements;
    auto* before = all.empty() ? nullptr : std::get_if<flyte::WithStmt>(&all.back().value);
    const bool same = !alone && before != nullptr && to.append && before->as == "stdout" &&
                      (before->context == opened("w") || before->context == opened("a"));
    std::vector<flyte::Stmt>& lines = same ? before->body : inner;
    std::swap(all, lines);
    push(step, std::move(print));
    std::swap(all, lines);
    if (!same) {
      flyte::Notes notes;
      std::swap(notes.above, inner.front().notes.above);
      all.push_back(flyte::Stmt{
          flyte::WithStmt{opened(to.append ? "a" : "w"), "stdout", false, std::move(inner)},
          std::move(notes)});
    }
  }

  bool writes_text(const ir::Step& step, const ir::Launch& launch) {
    const auto echoed = ir::echoed_to_file(launch);
    const auto* to = launch.redirections.empty() ? nullptr : &launch.redirections.front();
    const bool tries =
        to != nullptr && (step.status.empty() ? is_soft(*to) : is_elsewhere(to->file));
    std::vector<flyte::Stmt>& all = result_.statements;
    const std::size_t from = all.size();
    if (echoed) {
      write_lines(step, launch, *echoed, tries);
    } else if (ir::is_here_document(launch)) {
      write_text(step, launch);
    } else {
      return false;
    }
    if (!step.status.empty()) {
      push(step, flyte::Stmt{flyte::Assign{step.status, "", flyte::number("0")}, {}});
    }
    if (tries) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(from);
      std::vector<flyte::Stmt> body(std::make_move_iterator(begin),
                                    std::make_move_iterator(all.end()));
      all.erase(begin, all.end());
      all.push_back(or_no_file(step.status, std::move(body)));
    }
    return true;
  }

  void run(const ir::Step& step, const ir::Launch& launch) {
    if (writes_text(step, launch)) {
      return;
    }
    if (job_.cluster && job_.cluster->spark() != nullptr && launch.launcher == "srun" &&
        launch.payload) {
      in_session(step, launch);
      return;
    }
    std::vector<Open> opens;
    flyte::Expr started = command(launch, launch.status_matters, opens);
    guarded(step, started);
    if (job_.resume && job_.resume->statement == step.statement) {
      started = resumable(std::move(started));
    }
    flyte::Stmt statement;
    if (step.status.empty()) {
      statement.value = flyte::ExprStmt{std::move(started)};
    } else {
      result_.helpers["run"].insert("check"); // so that it gives the status
      if (launch.copies > 1 && !launch.status_matters) {
        started = flyte::call("max", {flyte::arg(std::move(started))});
      }
      statement.value = flyte::Assign{step.status, "", std::move(started)};
    }
    within(step, std::move(statement), opens);
  }

  // await resumable(HERE / "checkpoints", run(...))
  flyte::Expr resumable(flyte::Expr started) {
    result_.helpers["resumable"];
    result_.helpers["run"].insert("check"); // so that it gives the status
    auto& awaited = std::get<flyte::Await>(started.value);
    return flyte::await(flyte::call("resumable", {flyte::arg(here(job_.resume->directory)),
                                                  flyte::arg(std::move(*awaited.value))}));
  }

  void push_started(const ir::Step& step, flyte::Expr started, std::vector<Open>& opens) {
    flyte::Stmt statement;
    if (step.status.empty()) {
      statement.value = flyte::ExprStmt{std::move(started)};
    } else {
      statement.value = flyte::Assign{step.status, "", std::move(started)};
    }
    within(step, std::move(statement), opens);
  }

  // Where its file cannot be opened, a command does not run, and its status is 1.
  static flyte::Stmt or_no_file(const std::string& status, std::vector<flyte::Stmt> body) {
    flyte::TryStmt tries;
    tries.body = std::move(body);
    flyte::Handler handler{"OSError", "error", {}};
    flyte::FString said;
    said.parts.push_back(flyte::name("error.filename"));
    said.parts.push_back(flyte::str(": "));
    said.parts.push_back(flyte::name("error.strerror"));
    handler.body.push_back(flyte::Stmt{
        flyte::ExprStmt{flyte::call("print", {flyte::arg(flyte::Expr{std::move(said)}),
                                              flyte::arg("file", flyte::name("sys.stderr"))})},
        {}});
    if (!status.empty()) {
      handler.body.push_back(flyte::Stmt{flyte::Assign{status, "", flyte::number("1")}, {}});
    }
    tries.handlers.push_back(std::move(handler));
    return flyte::Stmt{std::move(tries), {}};
  }

  void within(const ir::Step& step, flyte::Stmt statement, std::vector<Open>& opens) {
    const bool asked = std::holds_alternative<flyte::Assign>(statement.value);
    for (auto open = opens.rbegin(); open != opens.rend(); ++open) {
      flyte::Expr context{flyte::Call{flyte::Expr{flyte::Attribute{std::move(open->file), "open"}},
                                      {flyte::arg(flyte::str(open->mode))}}};
      std::vector<flyte::Stmt> inner;
      inner.push_back(std::move(statement));
      statement =
          flyte::Stmt{flyte::WithStmt{std::move(context), open->as, false, std::move(inner)}, {}};
    }
    const bool asks = !step.status.empty() && asked;
    if (asks ? std::ranges::any_of(opens, &Open::elsewhere)
             : std::ranges::any_of(opens, &Open::soft)) {
      std::vector<flyte::Stmt> tried;
      tried.push_back(std::move(statement));
      statement = or_no_file(asks ? step.status : "", std::move(tried));
    }
    push(step, std::move(statement));
  }

  flyte::Expr own_gpus(const ir::Launch& launch) {
    result_.helpers["own_gpus"];
    return flyte::call("own_gpus",
                       {flyte::arg(flyte::number(fmt::format("{}", launch.gpus_each)))});
  }

  // rank(procid, 4)
  flyte::Expr rank_of_copy(const ir::Launch& launch) {
    std::set<std::string>& options = result_.helpers["rank"];
    std::vector<flyte::Arg> arguments{flyte::arg(flyte::name(copy_name)),
                                      flyte::arg(flyte::number(fmt::format("{}", launch.copies)))};
    if (launch.gpus_each > 0) {
      options.insert("gpus");
      arguments.push_back(flyte::arg("gpus", flyte::number(fmt::format("{}", launch.gpus_each))));
    }
    return flyte::call("rank", std::move(arguments));
  }

  // All copies of what `call` runs, at once.
  flyte::Expr side_by_side(const ir::Launch& launch, bool check, flyte::Expr call) {
    flyte::Expr numbers =
        flyte::call("range", {flyte::arg(flyte::number(fmt::format("{}", launch.copies)))});
    flyte::Comprehension each{std::move(call), copy_name, std::move(numbers),
                              std::nullopt,    false,     true};
    flyte::Expr all = flyte::await(flyte::call(
        "asyncio.gather",
        {flyte::arg(flyte::Expr{flyte::Starred{flyte::Expr{std::move(each)}, false}})}));
    if (!check) {
      return all;
    }
    result_.helpers["highest"];
    return flyte::call("highest", {flyte::arg(std::move(all))});
  }

  // The variables that a program is given beyond the task's own; nothing for none.
  std::optional<flyte::Expr> environment(const std::vector<ir::NamedValue>& own) {
    std::vector<std::string> whole;
    if (variables()) {
      whole.emplace_back("variables");
    }
    write_exports();
    if (!exported_.empty()) {
      whole.push_back(exported_);
    }
    if (whole.empty() && own.empty()) {
      return std::nullopt;
    }
    if (whole.size() == 1 && own.empty()) {
      return flyte::name(whole.front());
    }
    flyte::DictExpr dict;
    for (const std::string& each : whole) {
      dict.elements.push_back(flyte::arg(flyte::Expr{flyte::Starred{flyte::name(each), true}}));
    }
    for (const auto& [name, value] : own) {
      flyte::Arg element = flyte::arg(as_text(value));
      element.key = flyte::str(name);
      dict.elements.push_back(std::move(element));
    }
    return flyte::Expr{std::move(dict)};
  }

  // os.umask(0o027)
  static flyte::Stmt file_mask(const ir::FileMask& mask) {
    return flyte::Stmt{
        flyte::ExprStmt{flyte::call(
            "os.umask", {flyte::arg(flyte::number(fmt::format("0o{:03o}", mask.mode)))})},
        {}};
  }

  // What `print` is given for the words of an echo.
  std::vector<flyte::Arg> printed(const std::vector<ir::Value>& words) {
    std::vector<flyte::Arg> arguments;
    if (std::ranges::any_of(words, &ir::Value::many)) {
      for (const ir::Value& each : words) {
        arguments.push_back(flyte::arg(as_word(each)));
      }
      return arguments;
    }
    ir::Value joined;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (i > 0) {
        joined.append(ir::Text{" "});
      }
      for (const ir::ValuePart& part : words[i].parts) {
        joined.append(part);
      }
    }
    if (!joined.parts.empty()) {
      arguments.push_back(flyte::arg(as_word(joined)));
    }
    return arguments;
  }

  void print(const ir::Step& step, const ir::Echo& echo) {
    std::vector<flyte::Arg> arguments = printed(echo.words);
    if (!echo.newline) {
      arguments.push_back(flyte::arg("end", flyte::str("")));
    }
    if (echo.errors) {
      arguments.push_back(flyte::arg("file", flyte::name("sys.stderr")));
    }
    if (!echo.escapes) {
      arguments.push_back(flyte::arg("flush", flyte::name("True")));
    }
    push(step, flyte::Stmt{flyte::ExprStmt{
                               flyte::call(echo.escapes ? "echo" : "print", std::move(arguments))},
                           {}});
  }

  // await stage(reads, tmpdir / "s1.fq")
  void stage(const ir::Step& step, const ir::Stage& inputs) {
    result_.helpers["stage"];
    const auto name = inputs.directory.text();
    const flyte::Expr directory =
        name == "." || name == "./" ? here(directory_) : file(inputs.directory);
    for (const ir::Stage::Input& input : inputs.inputs) {
      flyte::Expr target{flyte::Binary{"/", directory, flyte::str(input.leaf)}};
      push(step, flyte::Stmt{flyte::ExprStmt{flyte::await(
                                 flyte::call("stage", {flyte::arg(flyte::name(input.parameter)),
                                                       flyte::arg(std::move(target))}))},
                             {}});
      result_.statements.back().notes.trailing = "was " + input.was;
    }
  }

  // Inputs are fetched before anything runs; outputs get a place of the task's own.
  void cluster_paths() {
    if (!job_.temporary.empty()) {
      flyte::Stmt statement{
          flyte::Assign{job_.temporary, "",
                        flyte::call("Path", {flyte::arg(flyte::call("tempfile.gettempdir", {}))})},
          {}};
      statement.notes.trailing = "$TMPDIR";
      result_.statements.push_back(std::move(statement));
    }
    for (const ir::ClusterPath& path : job_.cluster_paths) {
      if (path.staged || path.of_main) {
        continue;
      }
      flyte::Expr value;
      if (path.collected) {
        result_.helpers["fetch_all"];
        result_.helpers["scratch"];
        value = flyte::await(flyte::call(
            "fetch_all",
            {flyte::arg(flyte::name(path.parameter)),
             flyte::arg(flyte::call("scratch", {flyte::arg(flyte::str(base_name(path.was)))}))}));
      } else if (!path.written) {
        std::vector<flyte::Arg> arguments{flyte::arg(flyte::name(path.parameter))};
        result_.helpers["fetch"];
        if (!path.leaf.empty()) {
          result_.helpers["fetch"].insert("name");
          arguments.push_back(flyte::arg(flyte::str(path.leaf)));
        }
        value = flyte::await(flyte::call("fetch", std::move(arguments)));
      } else {
        result_.helpers["scratch"];
        const bool place = path.leaf.empty();
        value = flyte::call("scratch",
                            {flyte::arg(flyte::str(place ? base_name(path.was) : job_.function))});
        if (path.computed_leaf) {
          value = flyte::Expr{flyte::Binary{"/", std::move(value), as_word(*path.computed_leaf)}};
        } else if (!place) {
          value = flyte::Expr{flyte::Binary{"/", std::move(value), flyte::str(path.leaf)}};
        }
      }
      flyte::Stmt statement{flyte::Assign{path.name, "", std::move(value)}, {}};
      statement.notes.trailing = "was " + path.was;
      statement.notes.spans = path.spans;
      result_.statements.push_back(std::move(statement));
    }
    place();
  }

  // What earlier jobs wrote, where the script looks for it.
  void place() {
    for (const ir::Placed& placed : job_.placed) {
      if (placed.as_it_lay) {
        result_.helpers["place_left"];
        flyte::Expr given = flyte::name(placed.parameter);
        if (placed.several) {
          given = flyte::Expr{flyte::Starred{std::move(given), false}};
        }
        flyte::Stmt statement{flyte::ExprStmt{flyte::await(
                                  flyte::call("place_left", {flyte::arg(std::move(given))}))},
                              {}};
        statement.notes.trailing = "left by " + placed.writer;
        result_.statements.push_back(std::move(statement));
        continue;
      }
      const char* helper = placed.several ? "fetch_all" : "place";
      result_.helpers[helper];
      flyte::Expr target = placed.path.parts.empty() ? flyte::name("HERE") : file(placed.path);
      flyte::Stmt statement{
          flyte::ExprStmt{flyte::await(flyte::call(
              helper, {flyte::arg(flyte::name(placed.parameter)), flyte::arg(std::move(target))}))},
          {}};
      statement.notes.trailing = "written by " + placed.writer;
      result_.statements.push_back(std::move(statement));
    }
  }

  // sorted(HERE.glob("shard-*.txt")), for names that the payload makes; nothing for another path.
  std::optional<flyte::Expr> fitting(const ir::OutputFile& output) {
    const auto* pattern = output.path.parts.size() == 1
                              ? std::get_if<ir::Computed>(&output.path.parts.front())
                              : nullptr;
    if (pattern == nullptr || pattern->operation != ir::Operation::pattern) {
      return std::nullopt;
    }
    flyte::Expr glob{flyte::Attribute{here(output.directory), "glob"}};
    flyte::Expr found{
        flyte::Call{std::move(glob), {flyte::arg(flyte::str(*pattern->operands.front().text()))}}};
    return flyte::call("sorted", {flyte::arg(std::move(found))});
  }

  // What the task returns when another job or the cluster's file system would get it: that alone,
  // or a tuple of all.
  bool hand_over_values() {
    const bool wanted = std::ranges::any_of(job_.cluster_paths, &ir::ClusterPath::written) ||
                        std::ranges::any_of(job_.outputs, &ir::OutputFile::handed_on) ||
                        std::ranges::any_of(job_.outputs, &ir::OutputFile::taken) || job_.resume ||
                        job_.left;
    if (!wanted) {
      return false;
    }
    std::vector<flyte::Arg> values;
    std::vector<std::string> types;
    flyte::Notes notes;
    const auto add = [&](flyte::Expr path, bool directory, bool must_be_there) {
      const std::string type = directory ? "Dir" : "File";
      flyte::Expr value = flyte::call("keep", {flyte::arg(path)});
      if (directory || must_be_there) {
        value = flyte::call(type + ".from_local",
                            {flyte::arg(flyte::call("str", {flyte::arg(std::move(path))}))});
      } else {
        result_.helpers["keep"];
      }
      values.push_back(flyte::arg(flyte::await(std::move(value))));
      types.push_back(directory || must_be_there ? type : "File | None");
    };
    for (const ir::ClusterPath& path : job_.cluster_paths) {
      if (path.written) {
        add(flyte::name(path.name), path.directory, path.handed_on);
        notes.spans.insert(notes.spans.end(), path.spans.begin(), path.spans.end());
      }
    }
    for (const ir::OutputFile& output : job_.outputs) {
      if (job_.keeps(output.span)) {
        continue;
      }
      directory_ = output.directory;
      if (auto all = fitting(output)) {
        flyte::Expr star{flyte::Starred{std::move(*all), false}};
        result_.helpers["keep_all"];
        values.push_back(
            flyte::arg(flyte::await(flyte::call("keep_all", {flyte::arg(std::move(star))}))));
        types.emplace_back("list[File]");
      } else {
        add(file(output.path), false, output.handed_on);
      }
      if (output.span.end != 0) {
        notes.spans.push_back(output.span);
      }
    }
    if (job_.resume) {
      directory_.clear();
      add(here(job_.resume->directory), true, true);
    }
    if (job_.left) {
      result_.helpers["keep_left"];
      std::vector<flyte::Arg> patterns;
      for (const std::string& pattern : job_.left->patterns) {
        patterns.push_back(flyte::arg(flyte::str(pattern)));
      }
      values.push_back(flyte::arg(flyte::await(flyte::call("keep_left", std::move(patterns)))));
      types.emplace_back("Dir | None");
      notes.spans.insert(notes.spans.end(), job_.left->spans.begin(), job_.left->spans.end());
    }
    const bool one = values.size() == 1;
    result_.returns = one ? types.front() : fmt::format("tuple[{}]", fmt::join(types, ", "));
    flyte::Expr value =
        one ? std::move(values.front().value) : flyte::Expr{flyte::TupleExpr{std::move(values)}};
    result_.statements.push_back(flyte::Stmt{flyte::Return{std::move(value)}, std::move(notes)});
    return true;
  }

  // The files that the job leaves; not those of a region that stays Bash.
  void hand_over() {
    moved_ = false; // where the outputs lie is known from HERE
    if (hand_over_values()) {
      return;
    }
    std::vector<flyte::Arg> paths;
    flyte::Notes notes;
    for (const ir::OutputFile& output : job_.outputs) {
      if (job_.keeps(output.span)) {
        continue;
      }
      directory_ = output.directory;
      // Each has its own place: a statement of many lines that came from many others would make the
      // map of lines grow with the square of the job.
      auto all = fitting(output);
      flyte::Arg path =
          flyte::arg(all ? flyte::Expr{flyte::Starred{std::move(*all), false}} : file(output.path));
      // One that is named by a variable, and written to line after line; of those that are plain
      // text the pass that found them gives each once.
      const auto known = output.path.text()
                             ? paths.end()
                             : std::ranges::find(paths, path.value, &flyte::Arg::value);
      flyte::Arg& place = known == paths.end() ? paths.emplace_back(std::move(path)) : *known;
      if (output.span.end != 0) {
        place.notes.spans.push_back(output.span);
      }
    }
    if (paths.empty()) {
      return;
    }
    const bool alone = paths.size() == 1;
    const bool one = alone && !std::holds_alternative<flyte::Starred>(paths.front().value.value);
    if (alone) {
      std::swap(notes.spans, paths.front().notes.spans);
    }
    result_.returns = one ? "File | None" : "list[File]";
    result_.helpers[one ? "keep" : "keep_all"];
    result_.statements.push_back(flyte::Stmt{
        flyte::Return{flyte::await(flyte::call(one ? "keep" : "keep_all", std::move(paths)))},
        std::move(notes)});
  }

  // The variable of torchrun, and its value in a run of one process, for Slurm's own in a rank.
  using Named = std::optional<std::pair<std::string_view, std::string_view>>;
  static Named variable_of_rank(const ir::Cluster& cluster, std::string_view name) {
    const ir::Cluster::Ranks* ranks = cluster.ranks();
    struct Row {
      std::string_view slurm, torch, alone;
      bool itself; // only where srun starts the ranks itself
    };
    static constexpr std::array<Row, 7> rows{{{"SLURM_PROCID", "RANK", "0", true},
                                              {"SLURM_LOCALID", "LOCAL_RANK", "0", true},
                                              {"SLURM_NTASKS", "WORLD_SIZE", "1", true},
                                              {"SLURM_NPROCS", "WORLD_SIZE", "1", true},
                                              {"SLURM_STEP_NUM_TASKS", "WORLD_SIZE", "1", true},
                                              // one process a node: its number is the replica's
                                              {"SLURM_PROCID", "GROUP_RANK", "0", false},
                                              {"SLURM_NODEID", "GROUP_RANK", "0", false}}};
    // What JAX looks for before it takes Slurm's numbers; of the job's own it makes a port.
    static constexpr std::array<Row, 7> of_jax{
        {{"SLURM_PROCID", "RANK", "0", true},
         {"SLURM_LOCALID", "LOCAL_RANK", "0", true},
         {"SLURM_NTASKS", "WORLD_SIZE", "1", true},
         {"SLURM_NODEID", "NODE_RANK", "0", true},
         {"SLURM_JOB_ID", "", "1", true},
         {"SLURM_STEP_NODELIST", "MASTER_ADDR", "localhost", true},
         {"SLURM_STEP_NUM_NODES", "WORLD_SIZE", "1", true}}};
    if (ranks != nullptr && ranks->jax()) {
      const auto* row = std::ranges::find(of_jax, name, &Row::slurm);
      return row == of_jax.end() ? Named{} : Named{{row->torch, row->alone}};
    }
    const bool itself = ranks != nullptr && ranks->launcher == "srun";
    const auto* row = std::ranges::find_if(
        rows, [&](const Row& each) { return each.slurm == name && (itself || !each.itself); });
    return row == rows.end() ? Named{} : Named{{row->torch, row->alone}};
  }

  // The variables that Slurm would have set, and those that the task's parameters stand for, as
  // the statement `variables = {...}`; once, and only where something reads them.
  bool variables() {
    if (variables_made_) {
      return variables_;
    }
    variables_made_ = true;
    flyte::DictExpr dict;
    std::vector<const ir::Parameter*> unset; // those that may have no value
    const auto add = [&](const std::string& name, flyte::Expr value, std::string how) {
      flyte::Arg element = flyte::arg(std::move(value));
      element.key = flyte::str(name);
      element.notes.trailing = std::move(how);
      dict.elements.push_back(std::move(element));
    };
    for (const ir::SlurmRead& read : job_.slurm_reads) {
      if (job_.kept.empty() && !job_.slurm_payload.contains(read.name)) {
        continue; // its value stands where it was used
      }
      if (read.name == "SLURM_ARRAY_TASK_ID" && !job_.array) {
        continue;
      }
      if (const auto torch = job_.cluster ? variable_of_rank(*job_.cluster, read.name) : Named{}) {
        if (torch->first.empty()) {
          add(read.name, flyte::str(std::string(torch->second)), "any number");
          continue;
        }
        add(read.name,
            flyte::call("os.environ.get", {flyte::arg(flyte::str(std::string(torch->first))),
                                           flyte::arg(flyte::str(std::string(torch->second)))}),
            "");
        continue;
      }
      if (read.value) {
        add(read.name, flyte::str(*read.value), read.how);
      } else if (auto value = run_time_variable(job_, read.name)) {
        add(read.name, std::move(*value), "");
      } else {
        review::Finding finding;
        finding.rule = "S2F403";
        finding.span = job_.kept.empty() ? job_.interpreter.span : job_.kept.front().span;
        finding.message =
            fmt::format("The job reads ${}, and nothing in Flyte stands for it.", read.name);
        finding.slurm_does = "It sets the variable.";
        finding.output_does = "The variable is unset.";
        finding.choices = {"not needed", "a value in the task's `variables`"};
        finding.default_ = finding.choices[0];
        context_.findings.add(std::move(finding));
      }
    }
    for (const ir::GivenVariable& given : job_.exported) {
      const auto parameter =
          std::ranges::find(job_.parameters, "$" + given.name, &ir::Parameter::origin);
      if (parameter != job_.parameters.end() && parameter->may_be_unset) {
        unset.push_back(&*parameter);
        continue;
      }
      add(given.name,
          parameter == job_.parameters.end() ? flyte::str(given.value)
                                             : flyte::name(parameter->name),
          given.asked.empty() ? "" : "--export");
      if (given.span.end != 0) {
        dict.elements.back().notes.spans = {given.span};
      }
    }
    const auto is_given = [this](const ir::Parameter& parameter) {
      return std::ranges::any_of(job_.exported, [&](const ir::GivenVariable& given) {
        return parameter.origin == "$" + given.name;
      });
    };
    for (const ir::Parameter& parameter : job_.parameters) {
      if (!job_.kept.empty() && parameter.position == 0 && parameter.type == ir::Type::text &&
          parameter.origin.starts_with('$') && parameter.origin != "$@" && !is_given(parameter)) {
        add(parameter.origin.substr(1), flyte::name(parameter.name), "");
      }
    }
    if (!job_.kept.empty() &&
        job_.environment.container) { // flyte's own programs stand before the image's
      result_.helpers["image_path"];
      add("PATH", flyte::call("image_path", {}), "");
    }
    if (dict.elements.empty() && unset.empty()) {
      return false;
    }
    const std::string type = dict.elements.empty() ? "dict[str, str]" : "";
    flyte::Stmt assign{flyte::Assign{"variables", type, flyte::Expr{std::move(dict)}}, {}};
    result_.statements.push_back(std::move(assign));
    for (const ir::Parameter* parameter : unset) {
      flyte::Branch there;
      there.condition =
          flyte::Expr{flyte::Binary{"is not", flyte::name(parameter->name), flyte::name("None")}};
      there.body.push_back(
          flyte::Stmt{flyte::Assign{fmt::format("variables[\"{}\"]", parameter->origin.substr(1)),
                                    "", flyte::name(parameter->name)},
                      {}});
      flyte::IfStmt choice;
      choice.branches.push_back(std::move(there));
      result_.statements.push_back(flyte::Stmt{std::move(choice), {}});
    }
    variables_ = true;
    return true;
  }

  void kept(const ir::KeptRegion& region) {
    write_exports(); // what it returns does not change what was exported
    if (region.left.exports && exported_.empty() && !exports_unused_) {
      begin_exports();
    }
    flyte::KeptText text;
    text.variable = upper(job_.function);
    if (job_.kept.size() > 1) {
      text.variable += fmt::format("_{}", result_.kept.size() + 1);
    }
    if (flyte::reserved_python_name(text.variable) || text.variable == "HERE") {
      text.variable += "_SCRIPT";
    }
    text.text = "\n" + region.text + (region.text.ends_with('\n') ? "" : "\n");
    std::string comment = fmt::format("{}, as it was", lines(context_.sources, region.span));
    if (!region.before.empty()) {
      std::vector<std::string> places;
      for (const Span& span : region.before) {
        const std::string place = lines(context_.sources, span);
        places.push_back(place.substr(place.find(':') + 1));
      }
      comment +=
          fmt::format(", after line{} {}", places.size() > 1 ? "s" : "", fmt::join(places, ", "));
    }
    if (!region.removed.empty()) {
      comment += fmt::format("{} but for {}", region.before.empty() ? "" : ",",
                             fmt::join(region.removed, "; "));
    }
    text.notes.above.push_back(comment);
    text.notes.spans = {region.span};
    std::vector<Span> pieces = region.before;
    pieces.push_back(region.span);
    text.lines = source::copied_lines(context_.sources[region.span.source], pieces, text.text);
    say(job_.body[region.first_step].comments);

    std::vector<flyte::Arg> arguments;
    arguments.push_back(flyte::arg(flyte::name(text.variable)));
    arguments.push_back(flyte::arg(flyte::str(base_name(job_.path))));
    const std::string helper = job_.submits             ? "submissions"
                               : region.left.any()      ? "bash_state"
                               : region.returns.empty() ? "bash"
                                                        : "bash_values";
    std::set<std::string>& options = result_.helpers[helper];
    if (unset_ends(region)) {
      options.insert("nounset");
    }
    if (region.uses_arguments) {
      std::int32_t next = 1;
      for (const ir::Parameter& parameter : job_.parameters) {
        if (parameter.type == ir::Type::text_list) {
          arguments.push_back(flyte::arg(each_argument(job_, parameter)));
        } else if (parameter.position != 0) {
          for (; next < parameter.position; ++next) { // one that nothing gives
            arguments.push_back(flyte::arg(flyte::str("")));
          }
          arguments.push_back(flyte::arg(flyte::name(parameter.name)));
          ++next;
        }
      }
    }
    const std::string& path = job_.interpreter.path;
    const bool plain_bash = path == "/bin/bash" || path == "bash" || path == "/usr/bin/bash";
    if (!plain_bash || !job_.interpreter.arguments.empty()) {
      interpreter(options, arguments);
    }
    if (moved_ || !directory_.empty()) {
      options.insert("cwd");
      arguments.push_back(flyte::arg("cwd", here(directory_)));
    }
    if (auto env = environment_of(region)) {
      options.insert("env");
      arguments.push_back(flyte::arg("env", std::move(*env)));
    }
    if (job_.submits) {
      notes_of(std::move(arguments), std::move(text));
      return;
    }
    if (!region.status_matters) {
      options.insert("check");
      arguments.push_back(flyte::arg("check", flyte::name("False")));
    }
    flyte::Stmt statement;
    if (region.left.any()) {
      state_of(region, std::move(arguments));
      result_.kept.push_back(std::move(text));
      return;
    }
    const bool numbers = std::ranges::any_of(
        region.returns, [&](const auto& each) { return job_.number_locals.contains(each.second); });
    if (region.returns.empty()) {
      statement.value = flyte::ExprStmt{flyte::await(flyte::call(helper, std::move(arguments)))};
    } else {
      statement.value = values_of(region, std::move(arguments), numbers);
    }
    statement.notes.spans = {region.span};
    statement.notes.above = std::move(comments_);
    comments_.clear();
    result_.statements.push_back(std::move(statement));
    if (numbers) {
      take_held(region);
    }
    result_.kept.push_back(std::move(text));
  }

  // Whether its shell may end for a variable that is unset: with 1, as of a script in a file.
  [[nodiscard]] bool unset_ends(const ir::KeptRegion& region) const {
    const auto has = [&](std::string_view what) {
      return region.text.find(what) != std::string::npos;
    };
    const auto& given = job_.interpreter.arguments;
    const bool on = has("nounset") || has(":?") || has("?}") ||
                    std::ranges::any_of(given, [](const std::string& word) {
                      return word.starts_with('-') && word.find('u') != std::string::npos;
                    });
    std::size_t set = region.text.find("set -");
    bool options = false;
    for (; set != std::string::npos; set = region.text.find("set -", set + 1)) {
      const std::string_view line = std::string_view(region.text).substr(set);
      options = options || line.substr(0, line.find_first_of("\n;")).contains('u');
    }
    return (on || options) && job_.interpreter.language == ir::Interpreter::Language::bash &&
           !has("$$"); // which is the outer one
  }

  // What a region is given beyond the task's own variables; nothing for none.
  std::optional<flyte::Expr> environment_of(const ir::KeptRegion& region) {
    flyte::DictExpr dict;
    std::vector<std::string> whole;
    if (variables()) {
      whole.emplace_back("variables");
    }
    if (region.sees_exports && !exported_.empty()) {
      whole.push_back(exported_);
    }
    for (const auto& [variable, local] : region.takes) {
      flyte::Expr value = flyte::name(local);
      if (variable == "SECONDS") { // it holds since when; the region's own shell goes on
        value = flyte::Expr{flyte::Binary{
            "-", flyte::call("int", {flyte::arg(flyte::call("time.time", {}))}), std::move(value)}};
      }
      if (job_.number_locals.contains(local)) {
        value = flyte::call("str", {flyte::arg(std::move(value))});
      }
      dict.elements.push_back(flyte::arg(std::move(value)));
      dict.elements.back().key = flyte::str(variable);
    }
    // The shell takes its name for the directory that it starts in, links and all.
    if (moved_ && (region.text.find("cd ") != std::string::npos ||
                   region.text.find("PWD") != std::string::npos ||
                   region.text.find("pwd") != std::string::npos)) {
      dict.elements.push_back(flyte::arg(flyte::call("str", {flyte::arg(here(""))})));
      dict.elements.back().key = flyte::str("PWD");
    }
    if (whole.empty() && dict.elements.empty()) {
      return std::nullopt;
    }
    if (whole.size() == 1 && dict.elements.empty()) {
      return flyte::name(whole.front());
    }
    for (std::size_t i = 0; i < whole.size(); ++i) {
      dict.elements.insert(dict.elements.begin() + static_cast<std::ptrdiff_t>(i),
                           flyte::arg(flyte::Expr{flyte::Starred{flyte::name(whole[i]), true}}));
    }
    return flyte::Expr{std::move(dict)};
  }

  // held = await bash_state(TEXT, "job.sh", returns=("X", "PWD"), exported=exported)
  // if held is None:  # it ended the script
  //     return
  // x, cwd = held[0], Path(held[1])
  void state_of(const ir::KeptRegion& region, std::vector<flyte::Arg> arguments) {
    flyte::TupleExpr names;
    std::vector<std::string> targets;
    for (const auto& [variable, local] : region.returns) {
      names.elements.push_back(flyte::arg(flyte::str(variable)));
      targets.push_back(local);
    }
    if (region.left.moves) {
      names.elements.push_back(flyte::arg(flyte::str("PWD")));
      targets.emplace_back("cwd");
    }
    if (!targets.empty()) {
      arguments.push_back(flyte::arg("returns", flyte::Expr{std::move(names)}));
    }
    if (region.left.exports && !exports_unused_) {
      arguments.push_back(flyte::arg("exported", flyte::name(exported_)));
    }
    flyte::Expr call = flyte::await(flyte::call("bash_state", std::move(arguments)));
    if (targets.empty() && !region.left.ends) {
      flyte::Stmt alone{flyte::ExprStmt{std::move(call)}, {}};
      alone.notes.spans = {region.span};
      alone.notes.above = std::exchange(comments_, {});
      result_.statements.push_back(std::move(alone));
      return;
    }
    flyte::Branch ended;
    ended.body.push_back(flyte::Stmt{flyte::Return{std::nullopt}, {}});
    ended.body.front().notes.trailing = "it ended the script";
    flyte::Stmt run;
    if (targets.empty()) {
      ended.condition = flyte::Expr{flyte::Binary{"is", std::move(call), flyte::name("None")}};
    } else {
      run.value = flyte::Assign{"held", "", std::move(call)};
      run.notes.spans = {region.span};
      run.notes.above = std::exchange(comments_, {});
      result_.statements.push_back(std::move(run));
      ended.condition = flyte::Expr{flyte::Binary{"is", flyte::name("held"), flyte::name("None")}};
    }
    flyte::IfStmt choice;
    choice.branches.push_back(std::move(ended));
    flyte::Stmt leave{std::move(choice), {}};
    leave.notes.spans = {region.span};
    leave.notes.above = std::exchange(comments_, {});
    result_.statements.push_back(std::move(leave));
    for (std::size_t i = 0; i < targets.size(); ++i) {
      flyte::Expr value{flyte::Subscript{flyte::name("held"), flyte::number(fmt::format("{}", i))}};
      if (job_.number_locals.contains(targets[i])) {
        value = flyte::call("int", {flyte::arg(std::move(value))});
      }
      if (region.left.moves && i + 1 == targets.size()) {
        value = flyte::call("Path", {flyte::arg(std::move(value))});
        moved_ = true;
      }
      flyte::Stmt assign{flyte::Assign{targets[i], "", std::move(value)}, {}};
      assign.notes.spans = {region.span};
      result_.statements.push_back(std::move(assign));
    }
  }

  // x, n = held[0], int(held[1])
  void take_held(const ir::KeptRegion& region) {
    std::size_t i = 0;
    for (const auto& [variable, local] : region.returns) {
      flyte::Expr value{
          flyte::Subscript{flyte::name("held"), flyte::number(fmt::format("{}", i++))}};
      if (job_.number_locals.contains(local)) {
        value = flyte::call("int", {flyte::arg(std::move(value))});
      }
      flyte::Stmt assign{flyte::Assign{local, "", std::move(value)}, {}};
      assign.notes.spans = {region.span};
      result_.statements.push_back(std::move(assign));
    }
  }

  // `x, y = await bash_values(TEXT, "job.sh", returns=("X", "Y"))`; `held` where one is a number.
  static flyte::Assign values_of(const ir::KeptRegion& region, std::vector<flyte::Arg> arguments,
                                 bool held) {
    flyte::TupleExpr names;
    std::vector<std::string> targets;
    for (const auto& [variable, local] : region.returns) {
      names.elements.push_back(flyte::arg(flyte::str(variable)));
      targets.push_back(local);
    }
    arguments.push_back(flyte::arg("returns", flyte::Expr{std::move(names)}));
    const std::string target = held                  ? "held"
                               : targets.size() == 1 ? fmt::format("[{}]", targets.front())
                                                     : fmt::format("{}", fmt::join(targets, ", "));
    return {target, "", flyte::await(flyte::call("bash_values", std::move(arguments))), ""};
  }

  // A driver: what its text notes is what the task returns.
  void notes_of(std::vector<flyte::Arg> arguments, flyte::KeptText text) {
    if (!job_.wanted.empty()) {
      flyte::TupleExpr names;
      for (const std::string& name : job_.wanted) {
        names.elements.push_back(flyte::arg(flyte::str(name)));
      }
      arguments.push_back(flyte::arg("wanted", flyte::Expr{std::move(names)}));
    }
    text.notes.above.front().text += "; `submit` notes what sbatch would have submitted";
    flyte::Stmt statement{
        flyte::Return{flyte::await(flyte::call("submissions", std::move(arguments)))}, {}};
    statement.notes.spans = text.notes.spans;
    statement.notes.above = std::move(comments_);
    comments_.clear();
    result_.statements.push_back(std::move(statement));
    result_.returns = "str";
    result_.kept.push_back(std::move(text));
  }

  void interpreter(std::set<std::string>& options, std::vector<flyte::Arg>& arguments) const {
    options.insert("interpreter");
    flyte::TupleExpr tuple;
    tuple.elements.push_back(flyte::arg(flyte::str(job_.interpreter.path)));
    for (const std::string& argument : job_.interpreter.arguments) {
      tuple.elements.push_back(flyte::arg(flyte::str(argument)));
    }
    arguments.push_back(flyte::arg("interpreter", flyte::Expr{std::move(tuple)}));
  }

  LowerContext& context_;
  const ir::Job& job_;
  LoweredBody result_;
  std::string exported_; // the constant or the variable that holds what was exported; "" for none
  bool exports_unused_ = false;
  std::vector<flyte::Arg> waiting_exports_; // not in it yet
  bool variables_made_ = false, variables_ = false;
  std::string directory_;
  mutable bool directory_read_ = false;    // `cwd` is read
  bool moves_ = false;                     // the directory is the task's variable `cwd`,
  bool moved_ = false;                     // which has a value by now
  std::vector<flyte::Paragraph> comments_; // which the next statement takes along
  bool room_ = false;                      // the places of steps that wait for one are there
  bool gathers_ = false;          // all that runs in the background is gathered where it is started
  std::size_t over_items_ = 0;    // how many `for` are open
  bool running_ = false;          // the list of it has been made
  bool waits_ = false;            // something waits for all of it
  std::set<std::string> defined_; // functions of the task
  const ir::Step* at_exit_ = nullptr;   // the trap that holds
  std::size_t tries_from_ = 0;          // where what it guards begins
  std::vector<flyte::Paragraph> tried_; // what the script says of it
};

std::string type_name(ir::Type type) {
  switch (type) {
  case ir::Type::integer:
    return "int";
  case ir::Type::real:
    return "float";
  case ir::Type::text_list:
    return "list[str] | None";
  case ir::Type::file:
    return "File";
  case ir::Type::directory:
    return "Dir";
  case ir::Type::maybe_file:
    return "File | None";
  case ir::Type::files:
    return "list[File]";
  case ir::Type::maybe_directory:
    return "Dir | None";
  case ir::Type::directories:
    return "list[Dir]";
  case ir::Type::text:
    break;
  }
  return "str";
}

} // namespace

LoweredBody body(LowerContext& context, const ir::Job& job) { return Body(context, job).lower(); }

std::vector<flyte::Parameter> parameters(const ir::Job& job) {
  std::vector<flyte::Parameter> result;
  if (job.array && job.array->index_used) {
    flyte::Parameter index;
    index.name = job.array->index_parameter;
    index.type = "int";
    result.push_back(std::move(index));
  }
  if (job.array) {
    for (const ir::ArrayItem& item : job.array->items) {
      const bool file = !item.parameter.taken_as.empty();
      result.push_back({file ? item.parameter.taken_as : item.parameter.name,
                        file ? "File | None" : "str",
                        std::nullopt,
                        {}});
    }
  }
  for (const bool with_default : {false, true}) {
    for (const ir::Parameter& parameter : job.parameters) {
      const bool has = parameter.default_.has_value() || parameter.type == ir::Type::text_list;
      if (has != with_default || parameter.of_whole_array || !parameter.secret.empty()) {
        continue;
      }
      flyte::Parameter lowered;
      lowered.name = parameter.name;
      lowered.type = type_name(parameter.type);
      if (!parameter.folder.empty()) {
        result.push_back({parameter.folder, "Dir", std::nullopt, {}});
      }
      if (!parameter.taken_as.empty()) {
        lowered.name = parameter.taken_as;
        lowered.type = parameter.folder.empty() ? "File" : "str";
      }
      if (parameter.type == ir::Type::text_list) {
        lowered.default_ = flyte::name("None");
      } else if (parameter.may_be_unset) {
        lowered.type += " | None";
        lowered.default_ = flyte::name("None");
      } else if (parameter.default_) {
        lowered.default_ = parameter.type == ir::Type::text ? flyte::str(*parameter.default_)
                                                            : flyte::number(*parameter.default_);
      }
      if (parameter.span.end != 0) {
        lowered.notes.spans = {parameter.span};
      }
      result.push_back(std::move(lowered));
    }
  }
  return result;
}

} // namespace s2f::lower
