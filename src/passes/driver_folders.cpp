// Files of a directory of the cluster that a driver goes through: the directory is an input of
// `main`, which finds them in it and gives each job its file.
//
// before:  Each{f, files "/scratch/data/*.fastq", {Submitted{align with argument f}}}
// after:   Folder{data, listings {*.fastq}}, Each{f, <the files>, ...}; align takes a File
//
// A job that names other files by the path of its own (${1/_R1/_R2}) gets the whole directory and
// the name of its file.
#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "passes/driver.hpp"
#include "passes/names.hpp"
#include "passes/own_files.hpp"
#include "passes/path_names.hpp"

namespace s2f::passes {

namespace {

namespace terms = ir::terms;
using ir::Term;
using Kind = Term::Kind;
using Type = Term::Type;
using source::Span;

// A pattern of the cluster: the directory, and what its files are to look like.
struct Listing {
  std::string directory; // "/scratch/data", "$1/sub"
  std::string parameter; // of `main`, which the directory begins with
  std::string leaf;      // "*.fastq"
  bool required = true;
  bool deep = false;

  [[nodiscard]] auto key() const { return std::tie(directory, leaf, required, deep); }
};

class Folders {
public:
  Folders(ir::Workload& workload, const std::set<std::size_t>& own_modules,
          std::map<std::string, Span>& patterns, review::Findings& findings)
      : workload_(workload), driver_(*workload.driver), own_modules_(own_modules),
        patterns_(patterns), findings_(findings) {}

  void run() {
    if (driver_.plan || driver_.not_lifted) {
      return;
    }
    find(driver_.steps);
    while (!loops_.empty() && again()) {
    }
    std::erase_if(loops_, [](const Loop& loop) { return loop.bad; });
    if (!loops_.empty()) {
      again(); // the loops have moved
      convert();
    }
  }

private:
  struct Loop {
    ir::Each* each = nullptr;
    Span span{};
    std::vector<Listing> listings;
    bool bad = false;
    bool guarded = false; // it asks whether the file is there
  };
  // An argument of a script: where all of its submissions give a file of such a loop.
  struct Argument {
    std::vector<Loop*> loops;
    bool other = false; // another value, too
  };
  using Key = std::pair<source::SourceId, std::string>; // "1", "FASTQ"

  // ---- what loops over files there are

  [[nodiscard]] std::optional<Listing> listing_of(const Term& files) const {
    if (files.kind != Kind::files || files.parts.size() != 1) {
      return std::nullopt;
    }
    Listing result;
    const Term& pattern = files.parts.front();
    std::string text;
    if (const auto constant = terms::constant(pattern)) {
      text = *constant;
    } else if (pattern.kind == Kind::joined && pattern.parts.size() == 2 &&
               pattern.parts[0].kind == Kind::parameter && pattern.parts[1].kind == Kind::text &&
               pattern.parts[1].text.starts_with('/')) {
      result.parameter = pattern.parts[0].text;
      const auto known =
          std::ranges::find(driver_.parameters, result.parameter, &ir::Parameter::name);
      if (known == driver_.parameters.end() || known->type != ir::Type::text) {
        return std::nullopt;
      }
      text = known->origin + pattern.parts[1].text;
    }
    result.deep = files.text == "deep";
    result.required = files.number != 1;
    const auto found = folder_pattern(text, !result.required, result.deep);
    if (!found || (result.parameter.empty() && !text.starts_with('/'))) {
      return std::nullopt;
    }
    result.directory = found->directory;
    result.leaf = found->leaf;
    return result;
  }

  [[nodiscard]] std::vector<Listing> listings_of(const Term& over) const {
    std::vector<Listing> result;
    const bool several = over.kind == Kind::together || over.kind == Kind::list;
    for (const Term& part : several ? over.parts : std::vector<Term>{over}) {
      auto listing = listing_of(part);
      if (!listing) {
        return {};
      }
      result.push_back(std::move(*listing));
    }
    return result;
  }

  void find(std::vector<ir::DriverStep>& steps) {
    for (ir::DriverStep& step : steps) {
      if (auto* each = std::get_if<ir::Each>(&step.value)) {
        if (auto listings = listings_of(each->over); !listings.empty()) {
          loops_.push_back({each, step.span, std::move(listings)});
        }
        find(each->body);
      } else if (auto* choice = std::get_if<ir::Choice>(&step.value)) {
        for (auto& branch : choice->branches) {
          find(branch.body);
        }
      }
    }
  }

  Loop* loop_of(const ir::Each& each) {
    const auto found =
        std::ranges::find_if(loops_, [&](const Loop& loop) { return loop.each == &each; });
    return found == loops_.end() || found->bad ? nullptr : &*found;
  }

  // ---- what is done with their files

  // Takes out what uses a file in a way that a File is not; whether that was anything.
  bool again() {
    arguments_.clear();
    changed_ = false;
    scopes_.clear();
    steps(driver_.steps);
    for (auto& [key, argument] : arguments_) {
      if (argument.other) {
        std::ranges::for_each(argument.loops, [&](Loop* loop) { give_up(*loop); });
      }
    }
    return changed_;
  }

  void give_up(Loop& loop) {
    changed_ |= !loop.bad;
    loop.bad = true;
  }

  Loop* file(const Term& term) {
    if (term.kind != Kind::name) {
      return nullptr;
    }
    const auto scope = std::ranges::find(scopes_.rbegin(), scopes_.rend(), term.text,
                                         [](const auto& each) { return each.first; });
    return scope == scopes_.rend() || scope->second == nullptr || scope->second->bad
               ? nullptr
               : scope->second;
  }

  // A term that is no argument of its own.
  void within(const Term& term) {
    if (Loop* loop = file(term)) {
      give_up(*loop);
      return;
    }
    if (!term.parts.empty() && (term.kind == Kind::base_name || term.kind == Kind::exists)) {
      if (Loop* loop = file(term.parts.front())) {
        loop->guarded |= term.kind == Kind::exists;
        return;
      }
    }
    std::ranges::for_each(term.parts, [this](const Term& part) { within(part); });
  }

  void steps(std::vector<ir::DriverStep>& list) {
    for (ir::DriverStep& step : list) {
      if (auto* each = std::get_if<ir::Each>(&step.value)) {
        if (loop_of(*each) == nullptr) {
          within(each->over);
        }
        scopes_.emplace_back(each->variable, loop_of(*each));
        steps(each->body);
        scopes_.pop_back();
      } else if (auto* choice = std::get_if<ir::Choice>(&step.value)) {
        for (auto& branch : choice->branches) {
          if (branch.condition) {
            within(*branch.condition);
          }
          steps(branch.body);
        }
      } else if (auto* submitted = std::get_if<ir::Submitted>(&step.value)) {
        submission(driver_.submissions[submitted->submission]);
      } else if (const auto* bind = std::get_if<ir::Bind>(&step.value)) {
        within(bind->value);
      } else if (const auto* extend = std::get_if<ir::Extend>(&step.value)) {
        within(extend->value);
      } else if (const auto* put = std::get_if<ir::PutItem>(&step.value)) {
        within(put->key);
        within(put->value);
      }
    }
  }

  void submission(const ir::Submission& submission) {
    const ir::Job& job = workload_.jobs[submission.job];
    const bool fixed = own_modules_.contains(submission.job) || job.stays_on_slurm || job.submits;
    std::set<std::size_t> taken;
    for (const ir::Parameter& parameter : job.parameters) {
      const Term* value = value_of(submission, parameter);
      if (parameter.position != 0) {
        taken.insert(static_cast<std::size_t>(parameter.position) - 1);
      }
      if (value == nullptr) {
        if (parameter.origin.starts_with('$')) {
          arguments_[key(job, parameter)].other = true;
        }
        continue;
      }
      Loop* loop = file(*value);
      if (loop == nullptr) {
        within(*value);
        arguments_[key(job, parameter)].other = true;
      } else if (fixed || parameter.type != ir::Type::text || !parameter.secret.empty()) {
        give_up(*loop);
      } else {
        arguments_[key(job, parameter)].loops.push_back(loop);
      }
    }
    const bool all =
        job.stays_on_slurm || std::ranges::any_of(job.parameters, [](const auto& each) {
          return each.type == ir::Type::text_list;
        });
    for (std::size_t i = 0; i < submission.arguments.size(); ++i) {
      if (all && !taken.contains(i)) {
        within(submission.arguments[i]);
      }
    }
    for (const ir::Dependency& dependency : submission.depends) {
      if (dependency.element) {
        within(*dependency.element);
      }
    }
    if (submission.indices) {
      within(*submission.indices);
    }
    for (const ir::Recovery& recovery : submission.recoveries) {
      this->submission(driver_.submissions[recovery.submission]);
    }
  }

  static Key key(const ir::Job& job, const ir::Parameter& parameter) {
    return {job.source, parameter.origin};
  }

  static const Term* value_of(const ir::Submission& submission, const ir::Parameter& parameter) {
    const auto position = static_cast<std::size_t>(parameter.position);
    if (position != 0) {
      return position <= submission.arguments.size() ? &submission.arguments[position - 1]
                                                     : nullptr;
    }
    const auto variable = parameter.origin.starts_with('$')
                              ? submission.environment.find(parameter.origin.substr(1))
                              : submission.environment.end();
    return variable == submission.environment.end() ? nullptr : &variable->second;
  }

  // ---- what becomes of them

  void convert() {
    for (Loop& loop : loops_) {
      std::vector<Term> over;
      for (Listing listing : loop.listings) {
        listing.required = listing.required && !loop.guarded;
        over.push_back(terms::name(variable_of(listing, loop), Type::texts));
      }
      patterns_to_forget(loop);
      loop.each->over = over.size() == 1
                            ? std::move(over.front())
                            : terms::make(Kind::together, Type::texts, std::move(over));
      scopes_.clear();
      say(loop);
    }
    scopes_.clear();
    rewrite(driver_.steps);
    for (auto& [key, argument] : arguments_) {
      for (ir::Job& job : workload_.jobs) {
        for (ir::Parameter& parameter : job.parameters) {
          if (!argument.loops.empty() && !argument.other && Folders::key(job, parameter) == key) {
            take(job, parameter, argument);
          }
        }
      }
    }
  }

  std::string variable_of(const Listing& listing, const Loop& loop) {
    auto folder = std::ranges::find(driver_.folders, listing.directory, &ir::Folder::was);
    if (folder == driver_.folders.end()) {
      driver_.folders.push_back({parameter_of(listing), listing.directory, loop.span, {}});
      folder = driver_.folders.end() - 1;
    }
    const auto same = std::ranges::find_if(folder->listings, [&](const ir::Folder::Listing& known) {
      return known.pattern == listing.leaf && known.required == listing.required &&
             known.deep == listing.deep;
    });
    if (same != folder->listings.end()) {
      return same->variable;
    }
    // No variable of the script has a blank in its name.
    std::string variable = folder->parameter + " files";
    if (!folder->listings.empty()) {
      variable += fmt::format(" {}", folder->listings.size() + 1);
    }
    folder->listings.push_back({variable, listing.leaf, listing.required, listing.deep});
    return variable;
  }

  std::string parameter_of(const Listing& listing) {
    const auto known =
        std::ranges::find(driver_.parameters, listing.parameter, &ir::Parameter::name);
    if (!listing.parameter.empty() && known->origin == listing.directory &&
        used_once_for_all(listing.parameter)) {
      known->type = ir::Type::directory;
      known->default_.reset();
      return known->name;
    }
    std::string name = path_python_name(leaf_of(listing.directory));
    if (name.empty()) {
      name = "folder";
    }
    std::set<std::string> taken{"main", "results", "jobs", "name", "file"};
    for (const ir::Job& job : workload_.jobs) {
      taken.insert(job.function);
    }
    for (const ir::Parameter& parameter : driver_.parameters) {
      taken.insert(parameter.name);
    }
    while (taken.contains(name)) {
      name += "_folder";
    }
    ir::Parameter parameter;
    parameter.name = name;
    parameter.type = ir::Type::directory;
    parameter.origin = listing.directory;
    driver_.parameters.push_back(std::move(parameter));
    return name;
  }

  // Whether nothing but such loops reads the parameter of `main`.
  bool used_once_for_all(const std::string& name) {
    bool other = false;
    const std::function<void(const Term&)> look = [&](const Term& term) {
      other |= term.kind == Kind::parameter && term.text == name;
      std::ranges::for_each(term.parts, look);
    };
    const std::function<void(const std::vector<ir::DriverStep>&)> walk =
        [&](const std::vector<ir::DriverStep>& list) {
          for (const ir::DriverStep& step : list) {
            if (const auto* each = std::get_if<ir::Each>(&step.value)) {
              if (loop_of(*each) == nullptr) {
                look(each->over);
              }
              walk(each->body);
            } else if (const auto* choice = std::get_if<ir::Choice>(&step.value)) {
              for (const auto& branch : choice->branches) {
                if (branch.condition) {
                  look(*branch.condition);
                }
                walk(branch.body);
              }
            } else if (const auto* bind = std::get_if<ir::Bind>(&step.value)) {
              look(bind->value);
            }
          }
        };
    walk(driver_.steps);
    for (const ir::Submission& submission : driver_.submissions) {
      std::ranges::for_each(submission.arguments, look);
      for (const ir::Parameter& parameter : workload_.jobs[submission.job].parameters) {
        if (const Term* value = value_of(submission, parameter)) {
          look(*value);
        }
      }
      if (submission.indices) {
        look(*submission.indices);
      }
    }
    return !other;
  }

  // It is there, and its name is that of its path.
  void rewrite(Term& term) {
    if (!term.parts.empty() && (term.kind == Kind::base_name || term.kind == Kind::exists) &&
        file(term.parts.front()) != nullptr) {
      if (term.kind == Kind::exists) {
        term = terms::make(Kind::integer, Type::boolean, {}, {}, 1);
      } else {
        term.parts.front() = terms::make(Kind::path, Type::text, {term.parts.front()});
      }
      return;
    }
    std::ranges::for_each(term.parts, [this](Term& part) { rewrite(part); });
    if (term.kind == Kind::negated) {
      term = terms::negated(std::move(term.parts.front()));
    } else if (term.kind == Kind::binary && (term.text == "and" || term.text == "or")) {
      term = terms::binary(term.text, std::move(term.parts[0]), std::move(term.parts[1]));
    }
  }

  void rewrite(std::vector<ir::DriverStep>& list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (auto* each = std::get_if<ir::Each>(&list[i].value)) {
        scopes_.emplace_back(each->variable, loop_of(*each));
        rewrite(each->body);
        scopes_.pop_back();
      } else if (auto* choice = std::get_if<ir::Choice>(&list[i].value)) {
        for (auto& branch : choice->branches) {
          if (branch.condition) {
            rewrite(*branch.condition);
          }
          rewrite(branch.body);
        }
        if (auto always = settled(*choice)) { // its steps stand in its place
          list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
          list.insert(list.begin() + static_cast<std::ptrdiff_t>(i), always->begin(),
                      always->end());
          i += always->size();
          --i;
        }
      } else if (auto* submitted = std::get_if<ir::Submitted>(&list[i].value)) {
        rewrite(driver_.submissions[submitted->submission]);
      } else if (auto* bind = std::get_if<ir::Bind>(&list[i].value)) {
        rewrite(bind->value);
      } else if (auto* put = std::get_if<ir::PutItem>(&list[i].value)) {
        rewrite(put->key);
      }
    }
  }

  void rewrite(ir::Submission& submission) {
    std::ranges::for_each(submission.arguments, [this](Term& each) { rewrite(each); });
    for (auto& [name, value] : submission.environment) {
      rewrite(value);
    }
    for (const ir::Recovery& recovery : submission.recoveries) {
      rewrite(driver_.submissions[recovery.submission]);
    }
  }

  // The steps that run whatever the choice asks; nothing where it asks something.
  static std::optional<std::vector<ir::DriverStep>> settled(ir::Choice& choice) {
    std::erase_if(choice.branches, [](const ir::Choice::Branch& branch) {
      return branch.condition && terms::constant_boolean(*branch.condition) == false;
    });
    if (choice.branches.empty()) {
      return std::vector<ir::DriverStep>{};
    }
    const auto& first = choice.branches.front();
    if (!first.condition || terms::constant_boolean(*first.condition) == true) {
      return first.body;
    }
    return std::nullopt;
  }

  void take(ir::Job& job, ir::Parameter& parameter, const Argument& argument) {
    const bool others = !job.missing && names_neighbours(job, parameter.name);
    std::set<std::string> folders;
    for (const Loop* loop : argument.loops) {
      for (const Listing& listing : loop->listings) {
        folders.insert(
            std::ranges::find(driver_.folders, listing.directory, &ir::Folder::was)->parameter);
      }
    }
    std::set<std::string> taken = taken_names(job);
    const auto unused = [&](std::string name) {
      while (!taken.insert(name).second) {
        name += "_";
      }
      return name;
    };
    parameter.default_.reset();
    parameter.may_be_unset = false;
    if (job.missing) {
      parameter.type = ir::Type::file;
    } else if (!others || folders.size() > 1) {
      parameter.taken_as = unused(parameter.name + "_file");
    } else {
      parameter.taken_as = unused(parameter.name + "_name");
      parameter.folder = unused(*folders.begin());
      by_name(job, parameter, *folders.begin());
    }
  }

  // What every submission gives it: the name of the file, and of the directory in which it is.
  void by_name(const ir::Job& job, const ir::Parameter& parameter, const std::string& folder) {
    Span span{};
    for (ir::Submission& submission : driver_.submissions) {
      if (&workload_.jobs[submission.job] != &job) {
        continue;
      }
      span = span.end == 0 ? submission.span : span;
      Term& value = parameter.position != 0
                        ? submission.arguments[static_cast<std::size_t>(parameter.position) - 1]
                        : submission.environment[parameter.origin.substr(1)];
      Term path = terms::make(Kind::path, Type::text, {std::move(value)});
      value = terms::make(Kind::base_name, Type::text, {std::move(path)}, folder);
    }
    review::Finding finding;
    finding.rule = "S2F371";
    finding.span = span;
    finding.message = fmt::format("The job names other files by the path that it is given as {}.",
                                  parameter.origin);
    finding.slurm_does = "They lie beside the file, on a file system that all nodes share.";
    finding.output_does =
        "The task downloads the whole directory, and finds the file and the others in it.";
    finding.choices = {"the whole directory", "a File of its own for each file that it reads"};
    finding.default_ = finding.choices[0];
    findings_.add(std::move(finding));
  }

  void patterns_to_forget(const Loop& loop) {
    for (const Listing& listing : loop.listings) {
      std::erase_if(patterns_, [&](const auto& each) {
        return each.first.starts_with(listing.directory + "/") &&
               each.first.find('/', listing.directory.size() + 1) == std::string::npos;
      });
    }
  }

  void say(const Loop& loop) {
    const Listing& first = loop.listings.front();
    const auto folder = std::ranges::find(driver_.folders, first.directory, &ir::Folder::was);
    review::Finding finding;
    finding.rule = "S2F370";
    finding.span = loop.span;
    finding.message = fmt::format("The driver goes through {} of {}.", first.leaf, first.directory);
    finding.slurm_does =
        first.required && !loop.guarded
            ? "The shell sorts the names as its locale says; where nothing matches, the job is "
              "given the pattern itself."
            : "The names come as the shell or the program sorts them.";
    finding.output_does = fmt::format(
        "`main` takes the directory as `{}`, a Dir, and starts a job for each file in it that "
        "matches, sorted by their bytes; a directory is none of them.{}",
        folder->parameter,
        first.required && !loop.guarded ? " Where nothing matches, `main` fails." : "");
    finding.config_key =
        first.directory.starts_with('/')
            ? fmt::format("paths.\"{}\"", first.directory.substr(0, first.directory.find('/', 1)))
            : "";
    findings_.add(std::move(finding));
  }

  ir::Workload& workload_;
  ir::Driver& driver_;
  const std::set<std::size_t>& own_modules_;
  std::map<std::string, Span>& patterns_;
  review::Findings& findings_;
  std::vector<Loop> loops_;
  std::map<Key, Argument> arguments_;
  std::vector<std::pair<std::string, Loop*>> scopes_; // the variables of the loops around
  bool changed_ = false;
};

} // namespace

void driver_folders(ir::Workload& workload, const std::set<std::size_t>& own_modules,
                    std::map<std::string, Span>& patterns, review::Findings& findings) {
  Folders(workload, own_modules, patterns, findings).run();
}

} // namespace s2f::passes
