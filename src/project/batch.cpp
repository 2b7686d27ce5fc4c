// Converts many scripts, several at a time.
//
// before:  submit.sh, which says `sbatch train.sh`; train.sh; 1,000 others
// after:   {submit.sh, train.sh, ...}, {...}, ...: pieces that need nothing of each other
#include "project/batch.hpp"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <map>
#include <mutex>
#include <numeric>
#include <thread>
#include <unordered_map>
#include <utility>

#include "project/paths.hpp"
#include "project/remembered_files.hpp"
#include "project/signoff_files.hpp"
#include "project/site_files.hpp"
#include "slurm/crontab.hpp"

namespace s2f::project {

namespace {

// Small enough that all threads have work to the end, large enough that what is read for each
// (the site file) does not count.
constexpr std::size_t piece_size = 8;

// Scripts in sets; those that name each other are in one.
class Sets {
public:
  explicit Sets(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t find(std::size_t at) {
    while (parent_[at] != at) {
      parent_[at] = parent_[parent_[at]];
      at = parent_[at];
    }
    return at;
  }
  void join(std::size_t a, std::size_t b) {
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b); // the first script stands for its set
  }

private:
  std::vector<std::size_t> parent_;
};

std::string_view file_name(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1); // npos + 1 is 0
}

std::string_view directory_of(std::string_view path) {
  return path.substr(0, path.size() - file_name(path).size());
}

bool part_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
}

// Calls `use` for each word that may be the name of a file.
template <typename Use> void for_each_name(std::string_view text, Use use) {
  for (std::size_t at = 0; at < text.size();) {
    if (!part_of_name(text[at])) {
      ++at;
      continue;
    }
    const auto begin = at;
    while (at < text.size() && part_of_name(text[at])) {
      ++at;
    }
    use(text.substr(begin, at - begin));
  }
}

// `sbatch $job`, `sbatch jobs/*.sh`: what it submits is not said by name.
bool submits_by_pattern(std::string_view text) {
  constexpr std::string_view word = "sbatch";
  for (auto at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const auto line = text.substr(at, text.find('\n', at) - at);
    if (line.find_first_of("$*?[{`") != line.npos) {
      return true;
    }
  }
  return false;
}

// Its lines may name scripts in the directories around it.
bool is_crontab(const std::string& path, const std::string& text) {
  bool may_be = false; // a line begins as one of cron's
  for (std::size_t at = 0; at < text.size() && !may_be;
       at = std::min(text.find('\n', at), text.size() - 1) + 1) {
    const auto first = text.find_first_not_of(" \t", at);
    may_be = first != text.npos && std::string_view("0123456789*@").contains(text[first]);
  }
  if (!may_be) {
    return false;
  }
  source::Sources sources;
  return slurm::read_crontab(sources[sources.add(path, text)]).has_value();
}

// "a/b" of "a/b.sh": their modules would have one name.
std::string_view without_ending(std::string_view path) {
  const auto dot = file_name(path).rfind('.');
  return dot == path.npos ? path : path.substr(0, path.size() - file_name(path).size() + dot);
}

Sets sets_of(const std::vector<std::string>& given, const Files& files) {
  std::vector<std::string> scripts;
  scripts.reserve(given.size());
  std::ranges::transform(given, std::back_inserter(scripts), normal);
  Sets sets(scripts.size());
  std::unordered_map<std::string_view, std::vector<std::size_t>> by_name;
  std::unordered_map<std::string_view, std::size_t> by_stem;
  for (std::size_t i = 0; i < scripts.size(); ++i) {
    by_name[file_name(scripts[i])].push_back(i);
    sets.join(by_stem.try_emplace(without_ending(scripts[i]), i).first->second, i);
  }
  for (std::size_t i = 0; i < scripts.size(); ++i) {
    const auto text = files.read(given[i]);
    if (!text) {
      continue;
    }
    // But for a crontab, a script reaches what stands beside and below it.
    const std::string_view reach =
        is_crontab(scripts[i], *text) ? std::string_view() : directory_of(scripts[i]);
    for_each_name(*text, [&](std::string_view name) {
      if (const auto found = by_name.find(name); found != by_name.end()) {
        for (const auto other : found->second) {
          if (scripts[other].starts_with(reach)) {
            sets.join(i, other);
          }
        }
      }
    });
    if (submits_by_pattern(*text)) {
      for (std::size_t other = 0; other < scripts.size(); ++other) {
        if (scripts[other].starts_with(directory_of(scripts[i]))) {
          sets.join(i, other);
        }
      }
    }
  }
  return sets;
}

// The same pieces on every machine, whatever the number of threads.
std::vector<std::vector<std::string>> pieces_of(const std::vector<std::string>& scripts,
                                                const Files& files) {
  if (scripts.size() <= piece_size) {
    return {scripts};
  }
  Sets sets = sets_of(scripts, files);
  std::map<std::size_t, std::vector<std::string>> by_set;
  for (std::size_t i = 0; i < scripts.size(); ++i) {
    by_set[sets.find(i)].push_back(scripts[i]);
  }
  std::vector<std::vector<std::string>> pieces;
  for (auto& [first, members] : by_set) {
    if (pieces.empty() || pieces.back().size() + members.size() > piece_size) {
      pieces.emplace_back();
    }
    std::ranges::move(members, std::back_inserter(pieces.back()));
  }
  return pieces;
}

using Order = std::unordered_map<std::string_view, std::size_t>;

template <typename T, typename Path>
void in_order(std::vector<T>& all, const Order& order, Path path) {
  std::vector<std::pair<std::size_t, std::size_t>> places; // in the order that was given, and here
  places.reserve(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto found = order.find(path(all[i]));
    places.emplace_back(found == order.end() ? order.size() : found->second, i);
  }
  std::ranges::sort(places);
  std::vector<T> sorted;
  sorted.reserve(all.size());
  for (const auto& [place, at] : places) {
    sorted.push_back(std::move(all[at]));
  }
  all = std::move(sorted);
}

bool same(const site::Problem& a, const site::Problem& b) {
  return a.path == b.path && a.line == b.line && a.column == b.column && a.message == b.message;
}

Compiled merged(std::vector<Compiled> parts, const std::vector<std::string>& scripts) {
  Compiled all = std::move(parts.front());
  for (std::size_t i = 1; i < parts.size(); ++i) {
    Compiled& part = parts[i];
    std::ranges::move(part.review.inputs, std::back_inserter(all.review.inputs));
    std::ranges::move(part.modules, std::back_inserter(all.modules));
    std::ranges::move(part.failures, std::back_inserter(all.failures));
    for (auto& problem : part.sign_off_problems) {
      if (std::ranges::find(all.sign_off_problems, problem) == all.sign_off_problems.end()) {
        all.sign_off_problems.push_back(std::move(problem));
      }
    }
    for (auto& problem : part.site_problems) {
      if (std::ranges::none_of(all.site_problems,
                               [&](const auto& other) { return same(other, problem); })) {
        all.site_problems.push_back(std::move(problem));
      }
    }
  }
  std::vector<std::string> paths; // as inputs have them
  paths.reserve(scripts.size());
  std::ranges::transform(scripts, std::back_inserter(paths), normal);
  Order order;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    order.emplace(paths[i], i);
  }
  in_order(all.review.inputs, order, [](const auto& each) { return std::string_view(each.path); });
  in_order(all.modules, order, [](const auto& each) { return std::string_view(each.input); });
  in_order(all.failures, order, [](const auto& each) { return std::string_view(each.path); });
  return all;
}

} // namespace

void compile_each(const std::vector<std::string>& scripts, const CompileOptions& options,
                  const Files& files, std::size_t threads, const Progress& progress,
                  const Take& take) {
  const auto pieces = pieces_of(scripts, files);
  std::atomic<std::size_t> next = 0;
  std::mutex telling;
  std::size_t done = 0;
  const auto work = [&] {
    for (auto i = next.fetch_add(1); i < pieces.size(); i = next.fetch_add(1)) {
      take(i, compile(pieces[i], options, files));
      const std::scoped_lock lock(telling);
      done += pieces[i].size();
      if (progress) {
        progress(done, scripts.size());
      }
    }
  };
  if (threads == 0) {
    threads = std::max(1U, std::thread::hardware_concurrency());
  }
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < std::min(threads, pieces.size()); ++i) {
    others.emplace_back(work);
  }
  work();
}

Compiled compile_in_pieces(const std::vector<std::string>& scripts, const CompileOptions& options,
                           const Files& files, std::size_t threads, const Progress& progress) {
  std::map<std::size_t, Compiled> taken;
  std::mutex taking;
  compile_each(scripts, options, files, threads, progress,
               [&](std::size_t piece, Compiled compiled) {
                 const std::scoped_lock lock(taking);
                 taken.emplace(piece, std::move(compiled));
               });
  std::vector<Compiled> parts;
  parts.reserve(taken.size());
  for (auto& [piece, compiled] : taken) {
    parts.push_back(std::move(compiled));
  }
  return parts.size() == 1 ? std::move(parts.front()) : merged(std::move(parts), scripts);
}

Compiled check_answers(const std::vector<std::string>& scripts, const CompileOptions& options,
                       const Files& files) {
  const Files asked_once = remembered(files);
  SiteFiles sites(options.site, asked_once);
  SignOffFiles sign_offs(options.sign_off, asked_once);
  for (const std::string& script : scripts) {
    (void)sites.answers(script);
    (void)sign_offs.file_for(script);
  }
  Compiled compiled;
  compiled.site_problems = sites.problems();
  compiled.sign_off_problems = sign_offs.problems();
  return compiled;
}

} // namespace s2f::project
