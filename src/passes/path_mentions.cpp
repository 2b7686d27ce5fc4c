// Collects the paths of a job's commands, and asks the payloads what they do with them.
#include "passes/path_mentions.hpp"

#include <algorithm>
#include <utility>

#include "ir/steps.hpp"
#include "passes/item_forms.hpp"
#include "passes/path_names.hpp"
#include "passes/payload_facts.hpp"
#include "passes/region.hpp"

namespace s2f::passes {

namespace {

using Role = PathRole;

class Collector {
public:
  explicit Collector(PassContext& context) : context_(context), job_(context.job) {}

  PathMentions read() {
    const auto regions = region_bounds(context_);
    for (std::size_t i = 0; i < job_.body.size(); ++i) {
      if (in_region(regions, i) && job_.body[i].statement != nullptr) {
        found_.kept += plain_names(context_.text(job_.body[i].span));
        analysis::merge(found_.kept_effects, analysis::effects_of(*job_.body[i].statement));
      }
    }
    note_variables();
    for (std::size_t i = 0; i < job_.body.size(); ++i) {
      if (!in_region(regions, i)) {
        collect(job_.body[i]);
      }
      still_ = still_ && !in_region(regions, i) && writes_no_file(job_.body[i]) &&
               !std::holds_alternative<ir::ChangeDirectory>(job_.body[i].value);
    }
    name_files();
    return std::move(found_);
  }

private:
  // What the variables of the script hold, and which of them text that stays Bash reads.
  void note_variables() {
    ir::for_each_step(job_.body, [&](ir::Step& step) {
      if (auto* assign = std::get_if<ir::Assign>(&step.value)) {
        for (ir::Binding& binding : assign->bindings) {
          const auto text = found_.written(binding.value);
          if (!text) {
            continue;
          }
          found_.variables.emplace(binding.variable, *text);
          if (!binding.local.empty() && !binding.exported &&
              !job_.changing_locals.contains(binding.local)) {
            found_.locals.emplace(binding.local, *text);
          }
        }
      } else if (auto* launch = std::get_if<ir::Launch>(&step.value);
                 launch != nullptr && launch->words.front().text() == "mkdir") {
        for (const ir::Value& word : launch->words) {
          made_.push_back(found_.written(word).value_or(""));
        }
      }
    });
  }

  // A path whose last component alone has parameters of the task in it: with "$1" and the like for
  // them, and that component.
  [[nodiscard]] std::optional<std::pair<std::string, ir::Value>>
  computed_leaf(const ir::Value& value, std::size_t skip) const {
    std::string text;
    ir::Value leaf;
    for (const ir::ValuePart& part : value.parts) {
      ir::Value alone;
      alone.parts.push_back(part);
      const auto known = found_.written(alone);
      const auto* parameter = std::get_if<ir::ParameterRef>(&part);
      if (known && std::holds_alternative<ir::Text>(part)) {
        const auto slash = known->rfind('/');
        if (slash != std::string::npos) {
          if (leaf.parts.size() > 1 || (leaf.parts.size() == 1 && !leaf.is_text())) {
            return std::nullopt;
          }
          leaf = ir::Value{};
        }
        leaf.append(ir::Text{known->substr(slash + 1)});
        text += *known;
      } else if (known && leaf.parts.empty()) {
        text += *known;
        if (const auto slash = known->rfind('/'); slash != std::string::npos) {
          leaf.append(ir::Text{known->substr(slash + 1)});
        }
      } else if (std::holds_alternative<ir::ArrayIndex>(part)) {
        leaf.append(part);
        text += "$SLURM_ARRAY_TASK_ID";
      } else if (parameter != nullptr) {
        const auto known_as =
            std::ranges::find(job_.parameters, parameter->name, &ir::Parameter::name);
        leaf.append(part);
        text += known_as != job_.parameters.end() && known_as->origin.starts_with('$')
                    ? known_as->origin
                    : "$" + parameter->name;
      } else {
        return std::nullopt;
      }
    }
    if (leaf.is_text() || text.size() <= skip || text.find('/') == std::string::npos) {
      return std::nullopt;
    }
    return std::pair{text.substr(skip), std::move(leaf)};
  }

  void collect(ir::Step& step) {
    if (auto* launch = std::get_if<ir::Launch>(&step.value)) {
      this->launch(*launch);
      for (auto& [name, value] : launch->environment) {
        mention(value, {});
      }
      for (ir::Redirection& redirection : launch->redirections) {
        const bool whole = !redirection.append && redirection.to_file();
        Use use;
        use.what.role = whole ? Role::writes_file : Role::unknown;
        mention(redirection.file, use);
      }
    } else if (auto* echo = std::get_if<ir::Echo>(&step.value)) {
      for (ir::Value& value : echo->words) {
        Use use;
        use.what.role = Role::shows;
        mention(value, use);
      }
    } else if (auto* assign = std::get_if<ir::Assign>(&step.value)) {
      for (ir::Binding& binding : assign->bindings) {
        if (binding.exported ||
            (!binding.local.empty() && !found_.locals.contains(binding.local))) {
          mention(binding.value, {});
        }
        lines(binding.value);
      }
    } else {
      ir::for_each_value(step, [&](ir::Value& value) { mention(value, {}); });
    }
    ir::for_each_part(step, [&](const std::vector<ir::Step>& inner) {
      for (const ir::Step& each : inner) {    // they are the body's own
        collect(const_cast<ir::Step&>(each)); // NOLINT
      }
    });
  }

  // The file of which an element of an array takes a line.
  void lines(ir::Value& value) {
    for (ir::ValuePart& part : value.parts) {
      auto* output = std::get_if<ir::Output>(&part);
      const auto form = output == nullptr || !job_.array ? std::nullopt : line_form(*output);
      const auto file = form ? found_.written(form->file) : std::nullopt;
      if (!file) {
        continue;
      }
      Use use;
      use.what.role = Role::reads_file;
      use.not_there = still_;
      const auto name = [&](ir::Launch& launch) {
        for (ir::Value& word : launch.words) {
          if (found_.written(word) == file) {
            mention(word, use);
          }
        }
      };
      name(*output->launch);
      std::ranges::for_each(output->next, [&](auto& next) { name(*next); });
    }
  }

  // Whether it lies in the directory that the job was submitted from, and not here.
  [[nodiscard]] bool missing(const std::string& was) const {
    return context_.outer_ledger == nullptr && !was.empty() && !was.starts_with('/') &&
           was.find_first_of("$*?") == std::string::npos && context_.file_exists &&
           !context_.file_exists(clean(was));
  }

  // Where all that is written into a directory are files with names, it is these files; else the
  // directory.
  void name_files() {
    std::vector<MentionedPath> named;
    for (MentionedPath& path : found_.paths) {
      const auto has_file = [](const PathMention& mention) { return !mention.use.below.empty(); };
      if (!std::ranges::all_of(path.mentions, has_file)) {
        for (PathMention& mention : path.mentions) {
          if (has_file(mention)) {
            mention.use.role = Role::writes_directory;
          }
        }
        named.push_back(std::move(path));
        continue;
      }
      for (PathMention& mention : path.mentions) {
        mention.slash = false;
        const std::string was = path.was + "/" + mention.use.below;
        auto file = std::ranges::find(named, was, &MentionedPath::was);
        if (file == named.end()) {
          named.push_back({was, mention.use.below, {}});
          file = named.end() - 1;
        }
        file->mentions.push_back(std::move(mention));
      }
    }
    found_.paths = std::move(named);
  }

  void launch(ir::Launch& launch) {
    std::vector<std::optional<std::string>> texts;
    texts.reserve(launch.words.size());
    for (const ir::Value& word : launch.words) {
      texts.push_back(found_.written(word));
    }
    const std::vector<PathUse> uses = path_uses(texts, made_);
    std::optional<payload::PythonFacts> facts;
    std::string payload;
    if (launch.payload) {
      payload = launch.words[*launch.payload].text().value_or("");
      facts = payload_facts(context_, payload);
    }
    const bool makes = launch.words.front().text() == "mkdir";
    for (std::size_t i = 1; i < launch.words.size(); ++i) {
      ir::Value& word = launch.words[i];
      Use use;
      use.made = makes;
      const auto* head = word.parts.empty() ? nullptr : std::get_if<ir::Text>(&word.parts.front());
      if (head != nullptr && head->text.starts_with("--")) {
        const auto equals = head->text.find('=');
        if (equals == std::string::npos) {
          continue;
        }
        use.flag = head->text.substr(2, equals - 2);
        use.skip = equals + 1;
      } else if (const auto before = launch.words[i - 1].text();
                 before && before->starts_with("--") && i - 1 > launch.payload.value_or(i)) {
        use.flag = before->substr(2);
      }
      if (facts && i > *launch.payload) {
        role_in_payload(*facts, payload, static_cast<int>(i - *launch.payload), use);
      } else if (!launch.payload) {
        use.what = uses[i];
      }
      const bool known = mention(word, use);
      if (!texts[i] && !known) { // within what is made at run time
        ir::Step alone;
        ir::Launch inner;
        inner.words.push_back(word);
        alone.value = std::move(inner);
        ir::for_each_value(alone, [&](ir::Value& value) { hide(value); });
      }
    }
  }

  struct Use {
    PathUse what;
    std::size_t skip = 0;
    std::string flag, where;
    bool not_there = false; // it may be a file that is not beside the script
    bool made = false;
  };

  // All that the payload does with the value of an option, or with its nth argument.
  static void role_in_payload(const payload::PythonFacts& facts, const std::string& payload,
                              int argument, Use& use) {
    std::optional<Role> role;
    for (const payload::FileUse& file : facts.files) {
      const bool same = use.flag.empty() ? file.argument == argument : file.option == use.flag;
      if (!same) {
        continue;
      }
      const Role one = file.writes ? (file.directory ? Role::writes_directory : Role::writes_file)
                                   : (file.directory ? Role::reads_directory : Role::reads_file);
      if (role && *role != one) {
        // A directory that is made and whose files are written is one written directory.
        use.what.role = Role::unknown;
        return;
      }
      role = one;
    }
    use.what.role = role.value_or(Role::unknown);
    use.where = payload;
  }

  // Whether it is a path that may become one of the task's.
  bool mention(ir::Value& value, Use use) {
    const auto text = found_.written(value);
    if (!text) {
      const auto computed =
          use.what.role == Role::writes_file ? computed_leaf(value, use.skip) : std::nullopt;
      if (!computed || !on_cluster(computed->first)) {
        return false;
      }
      auto path = std::ranges::find(found_.paths, computed->first, &MentionedPath::was);
      if (path == found_.paths.end()) {
        found_.paths.push_back({computed->first, leaf_of(computed->first), {}, computed->second});
        path = found_.paths.end() - 1;
      }
      path->mentions.push_back({&value, use.skip, false, false, use.what, use.flag, use.where});
      return true;
    }
    if (use.skip == 0 && text->starts_with("--") && text->find('=') != std::string::npos) {
      use.skip = text->find('=') + 1;
    }
    std::string was = text->substr(std::min(use.skip, text->size()));
    const bool slash = was.size() > 1 && was.ends_with('/');
    while (was.size() > 1 && was.ends_with('/')) {
      was.pop_back();
    }
    if (!on_cluster(was) && !context_.provided.contains(clean(was)) &&
        !context_.collected.contains(clean(was)) && !(use.not_there && missing(was))) {
      return false;
    }
    auto path = std::ranges::find(found_.paths, was, &MentionedPath::was);
    if (path == found_.paths.end()) {
      found_.paths.push_back({was, leaf_of(was), {}});
      path = found_.paths.end() - 1;
    }
    path->mentions.push_back({&value, use.skip, slash, use.made, use.what, use.flag, use.where});
    return true;
  }

  // A path in a value that stays as it is.
  void hide(const ir::Value& value) {
    found_.kept += '\n';
    for (const ir::ValuePart& part : value.parts) {
      ir::Value alone;
      alone.parts.push_back(part);
      found_.kept += found_.written(alone).value_or("\n"); // "/scratch/$USER/sweep/", and a number
    }
  }

  PassContext& context_;
  ir::Job& job_;
  PathMentions found_;
  std::vector<std::string> made_; // directories that the job makes
  bool still_ = true;             // nothing may have written a file yet
};

} // namespace

std::optional<std::string> PathMentions::written(const ir::Value& value) const {
  std::string text;
  for (const ir::ValuePart& part : value.parts) {
    const auto* computed = std::get_if<ir::Computed>(&part);
    const auto* local = std::get_if<ir::Local>(&part);
    if (const auto* literal = std::get_if<ir::Text>(&part)) {
      text += literal->text;
    } else if (const auto* variable = std::get_if<ir::EnvironmentVariable>(&part)) {
      text += "$" + variable->name;
    } else if (computed != nullptr && computed->operation == ir::Operation::user_name) {
      text += "$USER";
    } else if (computed != nullptr && computed->operation == ir::Operation::home) {
      text += "$HOME";
    } else if (local != nullptr && locals.contains(local->name)) {
      text += locals.at(local->name);
    } else {
      return std::nullopt;
    }
  }
  return text;
}

bool PathMentions::stays_bash(const std::string& was) const {
  if (kept.find(was) != std::string::npos) {
    return true;
  }
  return std::ranges::any_of(variables, [&](const auto& variable) {
    const auto& [name, text] = variable;
    const bool read = kept_effects.anything || kept_effects.reads.contains(name) ||
                      kept_effects.reads_defaulted.contains(name);
    return read && !text.empty() && (was.starts_with(text) || text.starts_with(was));
  });
}

PathMentions path_mentions(PassContext& context) { return Collector(context).read(); }

} // namespace s2f::passes
