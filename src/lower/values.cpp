// ir::Value to Python expressions.
#include <fmt/format.h>

#include "generated/tables/slurm_variables.hpp"
#include "lower/parts.hpp"

namespace s2f::lower {

std::optional<flyte::Expr> run_time_variable(const ir::Job& job, const std::string& name) {
  using Stand = tables::SlurmVariablesAtRunTime;
  const auto* row = tables::find_slurm_variables(name);
  switch (row == nullptr ? Stand::nothing : row->at_run_time) {
  case Stand::run:
    return flyte::call("run_name", {});
  case Stand::node:
    return flyte::call("platform.node", {});
  case Stand::index:
    if (job.array) {
      return flyte::call("str", {flyte::arg(flyte::name(job.array->index_parameter))});
    }
    break;
  case Stand::here:
    return flyte::call("str", {flyte::arg(flyte::name("HERE"))});
  case Stand::cpus:
    return flyte::call("str", {flyte::arg(flyte::call("os.cpu_count", {}))});
  case Stand::user:
    return flyte::call("getpass.getuser", {});
  case Stand::temporary:
    return flyte::call("tempfile.gettempdir", {});
  case Stand::nothing:
    break;
  }
  return std::nullopt;
}

namespace {

flyte::Expr part_expression(const ir::Job& job, const ir::ValuePart& part, const Around& around) {
  if (const auto* text = std::get_if<ir::Text>(&part)) {
    return flyte::str(text->text);
  }
  if (const auto* parameter = std::get_if<ir::ParameterRef>(&part)) {
    return flyte::name(parameter->name);
  }
  if (std::holds_alternative<ir::ArrayIndex>(part)) {
    return flyte::name(job.array ? job.array->index_parameter : "index");
  }
  if (std::holds_alternative<ir::SubmitDirectory>(part)) {
    return flyte::name("HERE");
  }
  if (const auto* path = std::get_if<ir::TaskPath>(&part)) {
    return flyte::name(path->name);
  }
  if (const auto* local = std::get_if<ir::Local>(&part)) {
    return flyte::name(local->name);
  }
  if (const auto* variable = std::get_if<ir::EnvironmentVariable>(&part)) {
    if (variable->name == "PATH") {
      return flyte::Expr{flyte::Subscript{flyte::name("os.environ"), flyte::str("PATH")}};
    }
    return flyte::call("os.environ.get",
                       {flyte::arg(flyte::str(variable->name)), flyte::arg(flyte::str(""))});
  }
  if (const auto* status = std::get_if<ir::Status>(&part)) {
    return flyte::name(status->name);
  }
  if (const auto* run = std::get_if<ir::Output>(&part)) {
    return run->next.empty() ? output(job, *run->launch, around)
                             : output_of_pipe(job, *run, around);
  }
  if (const auto* value = std::get_if<ir::Computed>(&part)) {
    return computed(job, *value, around);
  }
  if (const auto* slurm = std::get_if<ir::SlurmVariable>(&part)) {
    if (job.cluster && slurm->name == "SLURM_LOCALID") {
      return flyte::call("os.environ.get",
                         {flyte::arg(flyte::str("LOCAL_RANK")), flyte::arg(flyte::str("0"))});
    }
    if (auto value = run_time_variable(job, slurm->name)) {
      return std::move(*value);
    }
  }
  return flyte::str(""); // the statements pass lets nothing else through
}

flyte::Expr f_string(const ir::Job& job, const ir::Value& value, const Around& around) {
  flyte::FString result;
  for (const ir::ValuePart& part : value.parts) {
    result.parts.push_back(part_expression(job, part, around));
  }
  return flyte::Expr{std::move(result)};
}

bool is_text_parameter(const ir::Job& job, const ir::ValuePart& part) {
  if (const auto* value = std::get_if<ir::Computed>(&part)) {
    return is_text(*value);
  }
  if (const auto* local = std::get_if<ir::Local>(&part); local != nullptr && local->number) {
    return false;
  }
  if (std::holds_alternative<ir::Local>(part) || std::holds_alternative<ir::SlurmVariable>(part) ||
      std::holds_alternative<ir::Output>(part) ||
      std::holds_alternative<ir::EnvironmentVariable>(part)) {
    return true;
  }
  const auto* reference = std::get_if<ir::ParameterRef>(&part);
  if (reference == nullptr) {
    return false;
  }
  for (const ir::Parameter& parameter : job.parameters) {
    if (parameter.name == reference->name) {
      return parameter.type == ir::Type::text;
    }
  }
  return false;
}

} // namespace

std::string base_name(std::string_view path) {
  const auto slash = path.find_last_of('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

std::string at(const source::Sources& sources, const Span& span) {
  const Span file = sources.to_file(span);
  return fmt::format("{}:{}", base_name(sources[file.source].path), sources.begin(file).line);
}

std::vector<flyte::Paragraph> paragraphs(const std::vector<ir::Comment>& comments) {
  std::vector<flyte::Paragraph> result;
  result.reserve(comments.size());
  for (const ir::Comment& comment : comments) {
    result.emplace_back(comment.text, comment.span);
  }
  return result;
}

std::string lines(const source::Sources& sources, const Span& span) {
  const Span file = sources.to_file(span);
  const auto first = sources.begin(file).line;
  const auto last = sources.end(file).line;
  return first == last ? at(sources, span) : fmt::format("{}-{}", at(sources, span), last);
}

namespace {

// Whether a Path of the text prints as the text.
bool plain_path(std::string_view text) {
  return text.size() > 1 && text.starts_with('/') && !text.ends_with('/') &&
         text.find("//") == std::string_view::npos && text.find("/./") == std::string_view::npos &&
         !text.ends_with("/.");
}

bool is_path(const ir::ValuePart& part) {
  const auto* value = std::get_if<ir::Computed>(&part);
  return std::holds_alternative<ir::SubmitDirectory>(part) ||
         std::holds_alternative<ir::TaskPath>(part) ||
         (value != nullptr && (value->operation == ir::Operation::home ||
                               value->operation == ir::Operation::working_directory));
}

} // namespace

flyte::Expr expression(const ir::Job& job, const ir::Value& value, const Around& around) {
  if (const auto text = value.text()) {
    if (const auto constant = inner_constant(job, value)) {
      return flyte::name(*constant);
    }
    return flyte::str(*text);
  }
  if (value.parts.size() == 1) {
    return part_expression(job, value.parts[0], around);
  }
  if (value.parts.size() == 2 && is_path(value.parts[0])) {
    const auto* text = std::get_if<ir::Text>(&value.parts[1]);
    if (text != nullptr && plain_path(text->text)) {
      return flyte::Expr{flyte::Binary{"/", part_expression(job, value.parts[0], around),
                                       flyte::str(text->text.substr(1))}};
    }
  }
  return f_string(job, value, around);
}

flyte::Expr text_expression(const ir::Job& job, const ir::Value& value, const Around& around) {
  if (const auto text = value.text()) {
    return flyte::str(*text);
  }
  if (value.parts.size() == 1) {
    if (is_text_parameter(job, value.parts[0])) {
      return part_expression(job, value.parts[0], around);
    }
    return flyte::call("str", {flyte::arg(part_expression(job, value.parts[0], around))});
  }
  return f_string(job, value, around);
}

flyte::Expr number_expression(const ir::Job& job, const ir::Value& value, const Around& around) {
  if (const auto text = value.text()) {
    return flyte::number(text->empty() ? "0" : *text);
  }
  return part_expression(job, value.parts.front(), around);
}

} // namespace s2f::lower
