// Reads from the disk or from memory, and writes files so that nobody ever sees half of one.
#include "project/files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace s2f::project {

namespace fs = std::filesystem;

namespace {

// "./a//b/" and "a/b" are one file; "" is the working directory.
std::string normal(const std::string& path) {
  std::string text = fs::path(path).lexically_normal().generic_string();
  if (text == ".")
    return {};
  if (text.size() > 1 && text.ends_with('/'))
    text.pop_back();
  return text;
}

struct Memory {
  std::map<std::string, std::string> files;
  std::map<std::string, std::set<std::string>> directories; // and the names in them
};

void add_directories(Memory& memory, const std::string& file) {
  for (fs::path path = file;;) {
    const fs::path parent = path.parent_path();
    memory.directories[parent.generic_string()].insert(path.filename().generic_string());
    if (parent.empty() || parent == path || parent == parent.root_path())
      return;
    path = parent;
  }
}

std::string reason(int error) { return std::generic_category().message(error); }

// A descriptor that is closed whatever happens.
class Descriptor {
public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (number_ >= 0)
      ::close(number_);
  }
  [[nodiscard]] int number() const { return number_; }
  // 0 or the error: some file systems tell only now that the disk is full.
  [[nodiscard]] int close() { return ::close(std::exchange(number_, -1)) == 0 ? 0 : errno; }

private:
  int number_;
};

// 0 or the error.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return written < 0 ? errno : EIO;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

struct Temporary {
  std::string path;
  int descriptor = -1;
  int error = 0;
};

// A new file in `directory`, with the permissions that the user's umask gives. Its name is short
// whatever the final one is, so that a long name that is allowed is never too long here.
Temporary create_temporary(const fs::path& directory) {
  constexpr int attempts = 100;
  Temporary made;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const auto name =
        ".slurm2flyte-" + std::to_string(::getpid()) + "-" + std::to_string(attempt) + ".tmp";
    made.path = (directory / name).string();
    made.descriptor =
        ::open(made.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    made.error = made.descriptor < 0 ? errno : 0;
    if (made.error != EEXIST)
      break;
  }
  return made;
}

} // namespace

// A report of 100,000 scripts is smaller.
constexpr std::size_t output_limit = std::size_t{4} << 30;

Files disk() {
  return {
      .read = [](const std::string& path) { return source::read_file(path); },
      .is_file =
          [](const std::string& path) {
            std::error_code error;
            return fs::is_regular_file(path, error);
          },
      .is_directory =
          [](const std::string& path) {
            std::error_code error;
            return fs::is_directory(path, error);
          },
      .list =
          [](const std::string& directory) {
            std::vector<std::string> names;
            std::error_code error;
            fs::directory_iterator entry(directory.empty() ? "." : directory, error);
            for (; !error && entry != fs::directory_iterator(); entry.increment(error))
              names.push_back(entry->path().filename().string());
            std::ranges::sort(names);
            return names;
          },
      .read_output = [](const std::string& path) { return source::read_file(path, output_limit); },
  };
}

Files in_memory(std::vector<std::pair<std::string, std::string>> files) {
  auto filled = std::make_shared<Memory>();
  filled->directories[""];
  for (auto& [path, content] : files) {
    const std::string name = normal(path);
    add_directories(*filled, name);
    filled->files[name] = std::move(content);
  }
  const std::shared_ptr<const Memory> memory = std::move(filled);
  return {
      .read = [memory](const std::string& path) -> std::expected<std::string, source::ReadFailure> {
        const auto found = memory->files.find(normal(path));
        if (found != memory->files.end())
          return found->second;
        if (memory->directories.contains(normal(path))) {
          return std::unexpected(source::ReadFailure{source::ReadError::is_directory,
                                                     path + ": this is a directory."});
        }
        return std::unexpected(
            source::ReadFailure{source::ReadError::missing, path + ": there is no such file."});
      },
      .is_file = [memory](const std::string& path) { return memory->files.contains(normal(path)); },
      .is_directory =
          [memory](const std::string& path) { return memory->directories.contains(normal(path)); },
      .list = [memory](const std::string& directory) -> std::vector<std::string> {
        const auto found = memory->directories.find(normal(directory));
        if (found == memory->directories.end())
          return {};
        return {found->second.begin(), found->second.end()};
      },
  };
}

namespace {

// Makes a temporary file by `fill`, which gives 0 or the error, and renames it to `path`, unless
// `keep` says that what stands there shall stay.
template <typename Fill, typename Keep>
std::expected<void, std::string> write_by(const std::string& path, const Fill& fill, bool durably,
                                          const Keep& keep) {
  const auto failed = [&path](const std::string& why) {
    return std::unexpected("cannot write " + path + ": " + why);
  };
  struct stat existing{};
  const bool exists = ::stat(path.c_str(), &existing) == 0;
  // Renaming over /dev/null or a pipe would replace it.
  if (exists && !S_ISREG(existing.st_mode))
    return failed(S_ISDIR(existing.st_mode) ? "this is a directory" : "this is not a regular file");

  const fs::path parent = fs::path(path).parent_path();
  const fs::path directory = parent.empty() ? fs::path(".") : parent;
  const Temporary temporary = create_temporary(directory);
  if (temporary.error != 0)
    return failed(reason(temporary.error));

  Descriptor file(temporary.descriptor);
  int error = fill(file.number());
  if (error == 0 && exists && ::fchmod(file.number(), existing.st_mode & 07777U) != 0)
    error = errno;
  if (error == 0 && exists && keep(temporary.path)) {
    ::unlink(temporary.path.c_str());
    return {};
  }
  if (error == 0 && durably && ::fsync(file.number()) != 0)
    error = errno;
  if (const int closing = file.close(); error == 0)
    error = closing;
  if (error == 0 && ::rename(temporary.path.c_str(), path.c_str()) != 0)
    error = errno;
  if (error != 0) {
    ::unlink(temporary.path.c_str());
    return failed(reason(error));
  }
  if (durably) {
    // So that the new name outlives a power cut; the file is whole either way.
    const Descriptor folder(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder.number() >= 0)
      ::fsync(folder.number());
  }
  return {};
}

constexpr std::size_t piece_size = std::size_t{64} << 10U;

bool same_bytes(const std::string& a, const std::string& b) {
  std::ifstream first(a, std::ios::binary);
  std::ifstream second(b, std::ios::binary);
  std::string one(piece_size, '\0');
  std::string other(piece_size, '\0');
  while (first && second) {
    first.read(one.data(), static_cast<std::streamsize>(one.size()));
    second.read(other.data(), static_cast<std::streamsize>(other.size()));
    if (first.gcount() != second.gcount() ||
        std::memcmp(one.data(), other.data(), static_cast<std::size_t>(first.gcount())) != 0)
      return false;
  }
  return first.eof() && second.eof();
}

} // namespace

std::expected<void, std::string> write_atomically(const std::string& path, std::string_view text) {
  return write_by(
      path, [text](int descriptor) { return write_all(descriptor, text); }, false,
      [](const std::string&) { return false; });
}

std::expected<void, std::string> write_durably(const std::string& path, std::string_view text) {
  return write_by(
      path, [text](int descriptor) { return write_all(descriptor, text); }, true,
      [](const std::string&) { return false; });
}

std::expected<void, std::string> write_in_parts(const std::string& path, const Producer& producer) {
  return write_by(
      path,
      [&producer](int descriptor) {
        int error = 0;
        std::string waiting;
        producer([&](std::string_view piece) {
          waiting += piece;
          if (waiting.size() >= piece_size) {
            error = error == 0 ? write_all(descriptor, waiting) : error;
            waiting.clear();
          }
        });
        return error == 0 ? write_all(descriptor, waiting) : error;
      },
      false, [&path](const std::string& temporary) { return same_bytes(path, temporary); });
}

bool file_holds(const std::string& path, std::string_view words) {
  std::ifstream file(path, std::ios::binary);
  std::string piece;
  while (file) {
    const auto kept = std::min(piece.size(), words.size() - 1); // they may stand in two pieces
    piece.erase(0, piece.size() - kept);
    piece.resize(kept + piece_size);
    file.read(piece.data() + kept, piece_size);
    piece.resize(kept + static_cast<std::size_t>(file.gcount()));
    if (piece.find(words) != std::string::npos)
      return true;
  }
  return false;
}

} // namespace s2f::project
