// The file system as the compiler sees it: the same answers from disk and memory, and whole files
// only.
#include "tests/catch.hpp"

#include "project/files.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace s2f;
namespace fs = std::filesystem;

namespace {

// An empty directory that is gone afterwards.
class Scratch {
public:
  Scratch() {
    std::string pattern = (fs::temp_directory_path() / "s2f-files-XXXXXX").string();
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  [[nodiscard]] std::string at(const std::string& name) const { return (path_ / name).string(); }
  [[nodiscard]] std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
  }

private:
  fs::path path_;
};

std::string content(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void put(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

} // namespace

TEST_CASE("files in memory answer as a directory tree would", "[files]") {
  const auto files = project::in_memory(
      {{"a/train.sh", "one"}, {"a/b/c.txt", "two"}, {"./top.sh", "three"}, {"/abs/x.sh", "four"}});
  CHECK(files.read("a/train.sh") == "one");
  CHECK(files.read("./a//b/../train.sh") == "one");
  CHECK(files.read("top.sh") == "three");
  CHECK(files.read("/abs/x.sh") == "four");
  CHECK(files.is_file("a/b/c.txt"));
  CHECK_FALSE(files.is_file("a/b"));
  CHECK(files.is_directory("a/b/"));
  CHECK(files.is_directory("."));
  CHECK(files.is_directory("/abs"));
  CHECK_FALSE(files.is_directory("a/train.sh"));
  CHECK(files.list("a") == std::vector<std::string>{"b", "train.sh"});
  CHECK(files.list("") == std::vector<std::string>{"a", "top.sh"});
  CHECK(files.list("/abs") == std::vector<std::string>{"x.sh"});
  CHECK(files.list("nowhere").empty());
}

TEST_CASE("what cannot be read says which file and why", "[files]") {
  const Scratch scratch;
  const auto memory = project::in_memory({{"a/train.sh", ""}});
  CHECK(memory.read("b").error().error == source::ReadError::missing);
  CHECK(memory.read("a").error().error == source::ReadError::is_directory);
  const auto missing = project::disk().read(scratch.at("none.sh"));
  REQUIRE_FALSE(missing);
  CHECK(missing.error().error == source::ReadError::missing);
  CHECK(missing.error().message.starts_with(scratch.at("none.sh") + ": "));
  const auto directory = project::disk().read(scratch.at("."));
  REQUIRE_FALSE(directory);
  CHECK(directory.error().error == source::ReadError::is_directory);
}

TEST_CASE("the disk is listed in order", "[files]") {
  const Scratch scratch;
  put(scratch.at("b.sh"), "x");
  put(scratch.at("a.sh"), "y");
  fs::create_directory(scratch.at("c"));
  const auto files = project::disk();
  CHECK(files.list(scratch.at("")) == std::vector<std::string>{"a.sh", "b.sh", "c"});
  CHECK(files.list(scratch.at("none")).empty());
  CHECK(files.read(scratch.at("a.sh")) == "y");
  CHECK(files.is_file(scratch.at("a.sh")));
  CHECK(files.is_directory(scratch.at("c")));
  CHECK_FALSE(files.is_file(scratch.at("c")));
}

TEST_CASE("a file is written whole, and nothing else stays behind", "[files]") {
  const Scratch scratch;
  const auto path = scratch.at("train_flyte.py");
  REQUIRE(project::write_atomically(path, "first\n"));
  CHECK(content(path) == "first\n");
  REQUIRE(project::write_atomically(path, std::string("\0second", 7)));
  CHECK(content(path) == std::string("\0second", 7));
  CHECK(scratch.entries() == 1);
}

TEST_CASE("a written file has the permissions of the one that it replaces, else of the umask",
          "[files]") {
  const Scratch scratch;
  const auto path = scratch.at("run.py");
  const auto mode = [&path] {
    struct stat info{};
    REQUIRE(::stat(path.c_str(), &info) == 0);
    return info.st_mode & 0777U;
  };
  const auto before = ::umask(027);
  const auto written = project::write_atomically(path, "x");
  ::umask(before);
  REQUIRE(written);
  CHECK(mode() == 0640U);
  REQUIRE(::chmod(path.c_str(), 0755) == 0);
  REQUIRE(project::write_atomically(path, "y"));
  CHECK(mode() == 0755U);
}

TEST_CASE("a link that stands where a file is written is replaced, not followed", "[files]") {
  const Scratch scratch;
  put(scratch.at("precious"), "keep me");
  fs::create_symlink("precious", scratch.at("train_flyte.py"));
  REQUIRE(project::write_atomically(scratch.at("train_flyte.py"), "new"));
  CHECK(content(scratch.at("precious")) == "keep me");
  CHECK(content(scratch.at("train_flyte.py")) == "new");
}

TEST_CASE("a write that fails names the path and the reason and leaves nothing", "[files]") {
  const Scratch scratch;
  const auto nowhere = project::write_atomically(scratch.at("none/a.py"), "x");
  REQUIRE_FALSE(nowhere);
  CHECK(nowhere.error() ==
        "cannot write " + scratch.at("none/a.py") + ": No such file or directory");

  fs::create_directory(scratch.at("folder"));
  const auto directory = project::write_atomically(scratch.at("folder"), "x");
  REQUIRE_FALSE(directory);
  CHECK(directory.error().ends_with("folder: this is a directory"));

  const auto device = project::write_atomically("/dev/null", "x");
  REQUIRE_FALSE(device);
  CHECK(device.error() == "cannot write /dev/null: this is not a regular file");

  // The temporary file can be made here, but the name is too long to rename to.
  const auto named = project::write_atomically(scratch.at(std::string(300, 'n')), "x");
  REQUIRE_FALSE(named);
  CHECK(named.error().ends_with(": File name too long"));
  CHECK(scratch.entries() == 1);
}

TEST_CASE("a full disk is told and leaves no temporary file", "[files]") {
  // A limit on the size of a file fails a write half way, as a full disk does.
  const Scratch scratch;
  const auto path = scratch.at("big.py");
  REQUIRE(project::write_atomically(path, "old"));
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const rlimit limit{1000, 1000};
    ::signal(SIGXFSZ, SIG_IGN);
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto written = project::write_atomically(path, std::string(5000, 'x'));
    ::_exit(!written && written.error().ends_with("big.py: File too large") ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(content(path) == "old");
  CHECK(scratch.entries() == 1);
}
