// Inputs that the job copies to a place of its own are downloaded to that place; $TMPDIR gets a
// name where it stands several times.
//
// before:  Launch{cp <ref_path> <s1_path> $TMPDIR}, ChangeDirectory{$TMPDIR}
// after:   Stage{ref, s1, to <tmpdir>}, ChangeDirectory{<tmpdir>}, temporary = "tmpdir"
#include <algorithm>
#include <set>

#include "ir/steps.hpp"
#include "passes/names.hpp"
#include "passes/pipeline.hpp"
#include "passes/region.hpp"

namespace s2f::passes {

namespace {

bool is_temporary(const ir::ValuePart& part) {
  const auto* computed = std::get_if<ir::Computed>(&part);
  return computed != nullptr && computed->operation == ir::Operation::temporary_directory;
}

class Staging {
public:
  explicit Staging(PassContext& context) : context_(context), job_(context.job) {}

  void run() {
    const auto regions = region_bounds(context_);
    const auto bash = [&](std::size_t i) { return in_region(regions, i); };
    for (std::size_t i = 0; i < job_.body.size(); ++i) {
      if (auto* launch = std::get_if<ir::Launch>(&job_.body[i].value);
          launch != nullptr && !bash(i)) {
        if (auto stage = staged(*launch)) {
          job_.body[i].value = std::move(*stage);
        }
        note_made(job_.body[i]);
      }
    }
    std::vector<ir::Value*> uses;
    for (std::size_t i = 0; i < job_.body.size(); ++i) {
      if (!bash(i)) {
        find_temporary(job_.body[i], uses);
      }
    }
    if (uses.size() > 1) {
      name_temporary(uses);
    }
  }

private:
  // Directories of the job's own, by their name below the submit directory.
  void note_made(const ir::Step& step) {
    const auto* launch = std::get_if<ir::Launch>(&step.value);
    if (launch != nullptr && launch->words.front().text() == "mkdir") {
      for (const ir::Value& word : launch->words) {
        made_.insert(word.text().value_or(""));
      }
    }
  }

  // Whether the value is a directory that is there.
  [[nodiscard]] bool is_directory(const ir::Value& value) const {
    const auto text = value.text();
    return text ? text == "." || text == "./" || (!text->empty() && made_.contains(*text))
                : value.parts.size() == 1 && is_temporary(value.parts.front());
  }

  std::optional<ir::Stage> staged(const ir::Launch& launch) {
    if (launch.words.front().text() != "cp" || launch.words.size() < 3 ||
        !launch.redirections.empty() || !launch.environment.empty() || launch.copies != 1 ||
        !is_directory(launch.words.back())) {
      return std::nullopt;
    }
    ir::Stage stage;
    std::vector<ir::ClusterPath*> paths;
    for (std::size_t i = 1; i + 1 < launch.words.size(); ++i) {
      if (const auto text = launch.words[i].text()) {
        static const std::set<std::string> quiet{"-r", "-R", "-a", "-p", "-L", "-f", "-rp", "-rf"};
        if (!quiet.contains(*text)) {
          return std::nullopt;
        }
        continue;
      }
      ir::ClusterPath* path = input_of(launch.words[i]);
      if (path == nullptr) {
        return std::nullopt;
      }
      paths.push_back(path);
      stage.inputs.push_back({path->parameter, path->leaf, path->was});
    }
    if (paths.empty()) {
      return std::nullopt;
    }
    for (ir::ClusterPath* path : paths) {
      path->staged = true;
    }
    stage.directory = launch.words.back();
    return stage;
  }

  // The input that the word is and that nothing else reads.
  ir::ClusterPath* input_of(const ir::Value& word) {
    const auto* part =
        word.parts.size() == 1 ? std::get_if<ir::TaskPath>(&word.parts.front()) : nullptr;
    const auto found = std::ranges::find_if(job_.cluster_paths, [&](const ir::ClusterPath& path) {
      return part != nullptr && path.name == part->name && !path.written && !path.leaf.empty() &&
             path.spans.size() == 1;
    });
    return found == job_.cluster_paths.end() ? nullptr : &*found;
  }

  static void find_temporary(ir::Step& step, std::vector<ir::Value*>& uses) {
    ir::for_each_value(step, [&](ir::Value& value) {
      if (std::ranges::any_of(value.parts, is_temporary)) {
        uses.push_back(&value);
      }
    });
    ir::for_each_part(step, [&](const std::vector<ir::Step>& inner) {
      for (const ir::Step& each : inner) {                 // they are the body's own
        find_temporary(const_cast<ir::Step&>(each), uses); // NOLINT
      }
    });
  }

  void name_temporary(const std::vector<ir::Value*>& uses) {
    std::set<std::string> taken = taken_names(job_);
    taken.insert(context_.taken.begin(), context_.taken.end());
    job_.temporary = "tmpdir";
    while (taken.contains(job_.temporary)) {
      job_.temporary += "_";
    }
    for (ir::Value* value : uses) {
      for (ir::ValuePart& part : value->parts) {
        if (is_temporary(part)) {
          part = ir::TaskPath{job_.temporary};
        }
      }
    }
  }

  PassContext& context_;
  ir::Job& job_;
  std::set<std::string> made_;
};

} // namespace

void staging(PassContext& context) { Staging(context).run(); }

} // namespace s2f::passes
