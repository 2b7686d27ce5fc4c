// Reads the lines of accelerate's configuration; what is more than `key: value` is not followed.
#include "passes/accelerate_config.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "analysis/effects.hpp"

namespace s2f::passes {

namespace {

std::string trimmed(std::string_view text) {
  static constexpr const char* blanks = " \t\r'\"";
  const auto begin = text.find_first_not_of(blanks);
  return begin == std::string_view::npos
             ? ""
             : std::string(text.substr(begin, text.find_last_not_of(blanks) - begin + 1));
}

std::optional<std::int64_t> integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error != std::errc{} || end != text.data() + text.size() ? std::nullopt
                                                                  : std::optional(value);
}

class Reader {
public:
  Reader(const PassContext& context, const ScriptValues& values)
      : context_(context), values_(values) {}

  AccelerateConfig read(const std::string& name) {
    auto text = name.empty() ? std::nullopt : written(name);
    if (!text && !name.empty() && context_.file_exists && context_.read_file &&
        !name.starts_with('/') && context_.file_exists(name)) {
      text = context_.read_file(name);
    }
    if (!text) {
      result_.why =
          fmt::format("the configuration of accelerate, {}, is not there to be read", name);
      return std::move(result_);
    }
    lines(*text);
    return std::move(result_);
  }

private:
  // cat << EOT > FILE
  std::optional<std::string> written(const std::string& name) {
    for (const ir::Step& step : context_.job.body) {
      const auto* command = step.statement == nullptr ? nullptr : shell::as_simple(*step.statement);
      if (command == nullptr || analysis::command_name(*command) != "cat" ||
          command->words.size() != 1) {
        continue;
      }
      const shell::Redirect* text = nullptr;
      bool here = false;
      for (const shell::Redirect& redirect : step.statement->redirects) {
        if (redirect.kind == shell::RedirectKind::heredoc) {
          text = &redirect;
        } else if (redirect.kind == shell::RedirectKind::output) {
          here = values_.template_of(redirect.target) == name && name.find("${_}") == name.npos;
        }
      }
      if (text != nullptr && here) {
        result_.written = &step;
        return values_.template_of(shell::Word{text->heredoc_parts, {}});
      }
    }
    return std::nullopt;
  }

  void lines(const std::string& text) {
    for (std::size_t at = 0; at < text.size() && result_.why.empty();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::string_view line = std::string_view(text).substr(at, end - at);
      at = end + 1;
      if (trimmed(line).empty() || line[0] == '#' || line == "---") {
        continue;
      }
      const auto colon = line.find(':');
      if (line[0] == ' ' || line[0] == '-' || colon == std::string_view::npos) {
        result_.why = "the configuration of accelerate has settings that its launcher hands over";
        return;
      }
      key(std::string(line.substr(0, colon)), trimmed(line.substr(colon + 1)));
    }
  }

  void key(const std::string& name, const std::string& value) {
    // Where the ranks meet, and what says no more than the numbers do.
    static constexpr std::array ignored{
        "compute_environment",   "debug",        "gpu_ids",      "machine_rank",
        "main_process_ip",       "same_network", "rdzv_backend", "main_process_port",
        "main_training_function"};
    static constexpr std::array off{"{}", "no", "NO", "false", "False", "null", "[]", "", "None"};
    if (name == "num_machines" || name == "num_processes") {
      auto& into = name == "num_machines" ? result_.nodes : result_.total;
      into = integer(value);
      if (!into) {
        result_.why = fmt::format("{} in the configuration of accelerate is no number that the "
                                  "script tells",
                                  name);
      }
    } else if (name == "mixed_precision") {
      result_.precision = value == "no" ? "" : value;
    } else if (name == "distributed_type") {
      static constexpr std::array plain{"MULTI_GPU", "MULTI_CPU", "NO"};
      if (std::ranges::find(plain, value) == plain.end()) {
        result_.why = fmt::format("accelerate hands its settings for {} over to the ranks", value);
      }
    } else if (std::ranges::find(ignored, name) == ignored.end() &&
               std::ranges::find(off, value) == off.end()) {
      result_.why = fmt::format("accelerate hands {} over to the ranks", name);
    }
  }

  const PassContext& context_;
  const ScriptValues& values_;
  AccelerateConfig result_;
};

} // namespace

AccelerateConfig read_accelerate_config(const PassContext& context, const ScriptValues& values,
                                        const std::string& name) {
  return Reader(context, values).read(name);
}

} // namespace s2f::passes
