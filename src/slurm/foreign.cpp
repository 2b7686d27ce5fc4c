// #PBS and #BSUB options as sbatch translates them.
#include "slurm/foreign.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "slurm/text.hpp"

namespace s2f::slurm {

namespace {

using How = tables::ForeignDirectivesHow;

OptionSet options_of(Dialect dialect) {
  OptionSet set;
  for (std::size_t id = 0; id < tables::foreign_directives.size(); ++id) {
    const auto& row = tables::foreign_directives[id];
    if (row.dialect != dialect)
      continue;
    const auto argument = row.argument == tables::ForeignDirectivesArgument::none
                              ? Argument::none
                              : Argument::required;
    if (!row.long_.empty())
      set.longs.push_back({row.long_, argument, id});
    set.shorts.push_back({row.short_.front(), argument, id});
  }
  return set;
}

// PBS writes 4gb where Slurm wants 4g.
std::string without_final_b(std::string_view text) {
  if (!text.empty() && upper(text.back()) == 'B')
    text.remove_suffix(1);
  return std::string(text);
}

std::optional<std::string> mail(std::string_view letters) {
  std::string out;
  for (const auto& [letter, type] :
       {std::pair{'b', "BEGIN"}, std::pair{'e', "END"}, std::pair{'a', "FAIL"}})
    if (letters.contains(letter) || letters.contains(upper(letter)))
      out += (out.empty() ? "" : ",") + std::string(type);
  if (letters.contains('n') || letters.contains('N'))
    return "NONE";
  return out.empty() ? std::nullopt : std::optional(out);
}

// The value of -l: names and values between commas, or between colons behind select=. Slurm steps
// over what it does not know byte by byte, so that a name is found in the middle of a word too.
class ResourceList {
public:
  ResourceList(std::string_view text, const Settings& settings, const Give& give)
      : text_(text), settings_(settings), give_(give) {}

  std::optional<std::string> run() {
    while (going_ && at_ < text_.size())
      if (!one_item())
        ++at_;
    if (going_)
      finish();
    return std::move(refused_);
  }

private:
  void give(std::size_t row, std::string value) { going_ = give_(row, std::move(value)); }

  bool take(std::string_view name, bool any_case = false) {
    const auto rest = text_.substr(at_);
    if (!(any_case ? begins(rest, name) : rest.starts_with(name)))
      return false;
    at_ += name.size();
    return true;
  }

  std::string_view until(char separator) {
    const auto start = at_;
    at_ = std::min(text_.find(separator, at_), text_.size());
    const auto value = text_.substr(start, at_ - start);
    at_ += at_ < text_.size() ? 1 : 0;
    return value;
  }

  bool one_item() {
    if (take("accelerator=", true)) {
      if (begins(text_.substr(at_), "true"))
        gpus_ = std::max<std::int64_t>(gpus_, 1);
      return true;
    }
    for (const std::string_view name : {"cput=", "pcput=", "walltime="})
      if (take(name)) {
        give(row_of("time"), std::string(until(',')));
        return true;
      }
    if (take("file=")) {
      give(row_of("tmp"), without_final_b(until(',')));
      return true;
    }
    if (take("mem=")) {
      give(row_of("mem"), without_final_b(until(',')));
      return true;
    }
    if (take("mpiprocs=", true)) {
      mpiprocs_ = true;
      give(row_of("ntasks-per-node"), std::string(until(':')));
      return true;
    }
    if (take("naccelerators=", true)) {
      const auto count = read_count("naccelerators", until(','), false);
      if (!count)
        refused_ = count.error();
      going_ = count.has_value();
      gpus_ = count.value_or(0);
      return true;
    }
    if (take("ncpus=", true)) {
      ncpus_ = true;
      give(row_of("mincpus"), std::string(until(':')));
      return true;
    }
    if (take("nice=")) {
      give(row_of("nice"), std::string(until(',')));
      return true;
    }
    if (take("nodes=")) {
      nodes(until(','));
      return true;
    }
    if (take("proc=")) {
      auto value = std::string(until(','));
      if (const auto& constraint = settings_.text[row_of("constraint")])
        value += "," + *constraint;
      give(row_of("constraint"), std::move(value));
      until(',');
      return true;
    }
    if (take("select=", true)) {
      select_ = true;
      give(row_of("nodes"), std::string(until(':')));
      return true;
    }
    for (const std::string_view name :
         {"arch=", "host=", "opsys=", "other=", "pmem=", "pvmem=", "software=", "vmem="})
      if (take(name)) {
        until(',');
        return true;
      }
    return false;
  }

  // nodes=2:ppn=4+bigmem:gpus=1
  void nodes(std::string_view text) {
    std::int64_t count = 0;
    std::int64_t per_node = 0;
    std::vector<std::string> hosts;
    std::size_t at = 0;
    const auto part = [&text, &at] {
      const auto start = at;
      at = std::min(text.find_first_of("+:", at), text.size());
      const auto value = text.substr(start, at - start);
      at += at < text.size() ? 1 : 0;
      return value;
    };
    while (going_ && at < text.size()) {
      const auto rest = text.substr(at);
      if (rest.starts_with("gpus=")) {
        at += 5;
        give(row_of("gpus-per-node"), std::string(part()));
      } else if (rest.starts_with("ppn=")) {
        at += 4;
        per_node += read_number(part()).value;
      } else if (is_digit(rest.front())) {
        count += read_number(part()).value;
      } else if (is_alpha(rest.front())) {
        hosts.emplace_back(part());
      } else {
        ++at;
      }
    }
    if (going_ && count != 0)
      give(row_of("nodes"), std::to_string(static_cast<std::int32_t>(count)));
    if (count == 0)
      count = 1;
    if (going_ && per_node != 0)
      give(row_of("ntasks"), std::to_string(static_cast<std::int32_t>(per_node * count)));
    if (going_ && !hosts.empty())
      give(row_of("nodelist"), show_hosts(hosts));
  }

  void finish() {
    const auto cpus = settings_.number[row_of("mincpus")].value_or(-1);
    const auto tasks = settings_.number[row_of("ntasks-per-node")].value_or(0);
    if (select_ && ncpus_ && mpiprocs_ && tasks > 0 && cpus > tasks)
      give(row_of("cpus-per-task"), std::to_string(cpus / tasks));
    if (!going_ || gpus_ <= 0)
      return;
    const auto gpus = fmt::format("gpu:{}", gpus_);
    const auto& gres = settings_.text[row_of("gres")];
    give(row_of("gres"), gres ? fmt::format("{},{}", *gres, gpus) : gpus);
  }

  std::string_view text_;
  const Settings& settings_;
  const Give& give_;
  std::size_t at_ = 0;
  std::int64_t gpus_ = 0;
  bool select_ = false;
  bool ncpus_ = false;
  bool mpiprocs_ = false;
  bool going_ = true;
  std::optional<std::string> refused_;
};

// `-W umask=` is read as octal where it begins with 0, but only if it is also a number but 0 in
// decimal: Slurm treats the option as a flag with a value.
bool bad_umask(std::string_view text) {
  const auto decimal = read_number(text);
  const bool kept =
      text.empty() || same_word(text, "yes") || (decimal.value != 0 && decimal.end == text.size());
  const auto value = read_number(text, 0).value;
  return kept && (value < 0 || value > 0777);
}

} // namespace

const OptionSet& foreign_options(Dialect dialect) {
  static const std::array sets = {options_of(Dialect::PBS), options_of(Dialect::BSUB)};
  return sets[dialect == Dialect::PBS ? 0 : 1];
}

std::optional<std::string> translate(std::size_t id, const std::optional<std::string>& value,
                                     const Settings& settings, const Give& give) {
  const auto& row = tables::foreign_directives[id];
  const auto option = row.option ? find_row(*row.option) : option_count;
  const std::string_view text = value ? std::string_view(*value) : std::string_view{};
  switch (row.how) {
  case How::ignored:
    break;
  case How::copy:
    give(option, value);
    break;
  case How::hosts: {
    auto hosts = std::string(text);
    std::ranges::replace(hosts, ' ', ',');
    give(option, std::move(hosts));
    break;
  }
  case How::kibibytes: // LSF counts in KiB
    give(option, std::string(text) + (!text.empty() && is_digit(text.back()) ? "K" : ""));
    break;
  case How::after_comma: { // the larger of "min,max"
    const auto comma = text.find(',');
    if (comma == std::string_view::npos)
      give(option, value);
    else if (comma + 1 == text.size())
      return fmt::format("#BSUB -n format not correct given: '{}'", text);
    else
      give(option, std::string(text.substr(comma + 1)));
    break;
  }
  case How::mail:
    give(option, mail(text));
    break;
  case How::append: {
    const auto& before = settings.text[option];
    give(option, before ? fmt::format("{},{}", *before, text) : std::string(text));
    break;
  }
  case How::resources:
    return ResourceList(text, settings, give).run();
  case How::attributes:
    if (begins(text, "umask=") && bad_umask(text.substr(6)))
      return "Invalid -W umask= specification";
    if (begins(text, "depend="))
      give(row_of("dependency"), std::string(text.substr(7)));
    break;
  }
  return std::nullopt;
}

} // namespace s2f::slurm
