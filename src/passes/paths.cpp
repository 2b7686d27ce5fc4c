// Paths of the cluster's file system, which no container sees by itself.
//
// before:  python train.py --data /scratch/me/data
// after:   the same, and S2F601, one for each file system
#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/path_places.hpp"
#include "ir/steps.hpp"
#include "passes/pipeline.hpp"
#include "passes/site_answers.hpp"

namespace s2f::passes {

namespace {

// "/scratch" of /scratch/me/x, "$HOME" of $HOME/x, "~" of ~/x; "" for a path that is not absolute.
std::string head_of(std::string_view text) {
  if (text.starts_with("${") && text.find('}') != std::string_view::npos) {
    return "$" + std::string(text.substr(2, text.find('}') - 2));
  }
  if (text.empty() || (text[0] != '/' && text[0] != '~' && text[0] != '$')) {
    return {};
  }
  return std::string(text.substr(0, text.find('/', 1)));
}

std::optional<tables::PathPlacesPlace> place_of(const std::string& head) {
  const auto found =
      std::ranges::find_if(tables::path_places, [&](const auto& row) { return row.head == head; });
  if (found != std::end(tables::path_places)) {
    return found->place;
  }
  if (head.starts_with('/') && head.size() > 1) {
    return tables::PathPlacesPlace::cluster;
  }
  if (head.starts_with('~')) {
    return tables::PathPlacesPlace::cluster;
  }
  return std::nullopt;
}

struct Found {
  Span span{};
  std::vector<std::string> examples;
  std::size_t count = 0;
};

// What the site file says of the path, if that settles it. An input must still be made one.
bool answered_path(PassContext& context, const std::string& text) {
  const auto as = context.answers.path(text, "as");
  if (!as || as->value == "input") {
    return false;
  }
  const auto pod_template = context.answers.path(text, "pod_template");
  if (as->value != "volume" || !pod_template) {
    return true;
  }
  return use_pod_template(context, *pod_template, text.substr(0, text.find_first_of(" \n")), {});
}

} // namespace

void paths(PassContext& context) {
  std::map<std::string, Found> found;
  analysis::Effects all;
  for (const ir::Step& step : context.job.body) {
    if (step.statement != nullptr) {
      analysis::merge(all, analysis::effects_of(*step.statement));
    }
  }
  std::vector<Span> here; // directories that are the submit directory
  ir::for_each_step(std::as_const(context.job.body), [&](const ir::Step& step) {
    const auto* change = std::get_if<ir::ChangeDirectory>(&step.value);
    if (change != nullptr && change->below) {
      here.push_back(change->directory.span);
    }
  });
  std::vector<std::string> order;
  for (const ir::Step& step : context.job.body) {
    if (step.statement == nullptr || std::holds_alternative<ir::Nothing>(step.value) ||
        std::holds_alternative<ir::Echo>(step.value)) {
      continue;
    }
    analysis::Visitor visitor;
    visitor.word = [&](const shell::Word& word) {
      if (std::ranges::find(here, word.span) != here.end()) {
        return;
      }
      if (std::ranges::any_of(context.job.cluster_paths, [&](const ir::ClusterPath& path) {
            return std::ranges::find(path.spans, word.span) != path.spans.end();
          })) {
        return; // an input or an output by now
      }
      const bool gone = std::ranges::any_of(context.job.removals, [&](const ir::Removal& each) {
        return each.span.contains(word.span);
      });
      if (gone) { // what sets up software is asked about where the image stands
        return;
      }
      std::string text = context.text(word.span);
      if (const auto equals = text.find('=');
          text.starts_with("--") && equals != std::string::npos) {
        text.erase(0, equals + 1);
      }
      std::erase(text, '"');
      std::erase(text, '\'');
      const std::string head = head_of(text);
      // "/" alone, a pattern of sed or an option of another system is no path.
      if (head.size() < 2 && head != "~") {
        return;
      }
      if (head[0] == '/' && std::ranges::any_of(head.substr(1), [](unsigned char c) {
            return std::isalnum(c) == 0 && c != '_' && c != '-' && c != '.';
          })) {
        return;
      }
      if (head[0] == '/' && head == text && text.size() < 4) {
        return;
      }
      if (head[0] == '$' && all.writes.contains(head.substr(1))) {
        return; // the script says itself where that is
      }
      if (place_of(head) != tables::PathPlacesPlace::cluster || answered_path(context, text)) {
        return;
      }
      Found& entry = found[head];
      if (entry.count++ == 0) {
        entry.span = word.span;
        order.push_back(head);
      }
      if (entry.examples.size() < 2 &&
          std::ranges::find(entry.examples, text) == entry.examples.end()) {
        entry.examples.push_back(text);
      }
    };
    analysis::walk(*step.statement, visitor);
  }
  for (const std::string& head : order) {
    const Found& entry = found[head];
    review::Finding finding;
    finding.rule = "S2F601";
    finding.span = entry.span;
    const std::string more = entry.count > entry.examples.size()
                                 ? fmt::format(" and {} more", entry.count - entry.examples.size())
                                 : "";
    const bool one = entry.examples.size() == 1 && more.empty();
    finding.message = fmt::format("{}{}: {} of the cluster, which a container does not see.",
                                  fmt::join(entry.examples, ", "), more, one ? "a path" : "paths");
    finding.slurm_does = "Every node mounts the cluster's file systems.";
    finding.output_does =
        one ? "The path stands as it was; it is empty or missing in the container."
            : "They stand as they were; they are empty or missing in the "
              "container.";
    finding.choices = {"an input or an output of the task (flyte.io.File, flyte.io.Dir)",
                       "a mounted volume: pod_template=\"NAME\"", "not needed"};
    finding.config_key = site::key_of("paths", head);
    context.findings.add(std::move(finding));
    context.job.reviews.push_back(review_comment(
        "S2F601", fmt::format("{} {}{}: what is read or written there must become an input, an "
                              "output or a mounted volume (pod_template=\"...\").",
                              context.at(entry.span), entry.examples.front(),
                              entry.count > 1 ? " and others" : "")));
  }
}

} // namespace s2f::passes
