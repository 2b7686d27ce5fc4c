// What copying and packing programs do with the paths that they are given.
#include "passes/path_uses.hpp"

#include <sstream>

#include "tests/catch.hpp"

using s2f::passes::PathRole;
using s2f::passes::PathUse;

namespace {

// "?" stands for a word that is made at run time.
std::vector<PathUse> uses(const std::string& command, const std::vector<std::string>& made = {}) {
  std::vector<std::optional<std::string>> words;
  std::istringstream stream(command);
  for (std::string word; stream >> word;) {
    words.push_back(word == "?" ? std::nullopt : std::optional(word));
  }
  return s2f::passes::path_uses(words, made);
}

} // namespace

TEST_CASE("cp reads files and writes into a directory", "[passes]") {
  const auto into = uses("cp /p/ref.fa /p/s1.fq ?");
  CHECK(into[1].role == PathRole::reads_file);
  CHECK(into[1].named);
  CHECK(into[2].role == PathRole::reads_file);
  const auto out = uses("cp s1.sam /project/out/");
  CHECK(out[2].role == PathRole::writes_file);
  CHECK(out[2].below == "s1.sam");
  CHECK(uses("cp ? /project/out/")[2].role == PathRole::writes_directory);
  CHECK(uses("cp a.txt b.txt /project/out")[3].role == PathRole::writes_directory);
}

TEST_CASE("cp to a name that may be a directory or a file says nothing", "[passes]") {
  CHECK(uses("cp a.txt /project/out")[2].role == PathRole::unknown);
  CHECK(uses("cp a.txt /project/out", {"/project/out"})[2].role == PathRole::writes_file);
  CHECK(uses("cp a.txt /project/b.txt")[2].role == PathRole::writes_file);
}

TEST_CASE("cp -r takes directories", "[passes]") {
  CHECK(uses("cp -r /p/data .")[2].role == PathRole::reads_directory);
  CHECK(uses("cp -r /p/data.d .")[2].role == PathRole::unknown);
  CHECK(uses("cp -r results /p/results")[3].role == PathRole::writes_new_directory);
  CHECK(uses("cp -r results /p/")[3].role == PathRole::writes_directory);
}

TEST_CASE("options that are not known, remote hosts and moved files are left alone", "[passes]") {
  CHECK(uses("cp -t /p/out a.txt")[3].role == PathRole::unknown);
  CHECK(uses("rsync -a host:/data/x/ /p/x/")[3].role == PathRole::unknown);
  CHECK(uses("mv /p/a.txt /p/out/")[1].role == PathRole::unknown);
  CHECK(uses("mv a.txt /p/out/")[2].role == PathRole::writes_directory);
}

TEST_CASE("rsync, tar and unzip", "[passes]") {
  const auto synced = uses("rsync -av /p/data/ ?");
  CHECK(synced[2].role == PathRole::reads_directory);
  CHECK_FALSE(synced[2].named);
  CHECK(uses("rsync -a results /p/run7")[3].role == PathRole::writes_directory);
  CHECK(uses("tar -xzf /p/set.tgz -C ?")[2].role == PathRole::reads_file);
  CHECK(uses("tar xf a.tar -C /p/set")[4].role == PathRole::writes_directory);
  CHECK(uses("tar czf /p/set.tgz results")[2].role == PathRole::writes_file);
  CHECK(uses("tar --create /p/set.tgz results")[2].role == PathRole::unknown);
  CHECK(uses("unzip -q /p/set.zip -d /p/set")[2].role == PathRole::reads_file);
}

TEST_CASE("what filters files has a text first, which is no path", "[passes]") {
  const auto edited = uses("sed -i /old/d /p/conf.txt");
  CHECK(edited[2].role == PathRole::shows);
  CHECK(edited[3].role == PathRole::unknown);
  CHECK(uses("sed -e /old/d /p/conf.txt")[2].role == PathRole::shows);
  CHECK(uses("sed -f /p/edit.sed /p/conf.txt")[2].role == PathRole::unknown);
  CHECK(uses("grep -v /abc /p/list.txt")[2].role == PathRole::shows);
  CHECK(uses("grep -v /abc /p/list.txt")[3].role == PathRole::unknown);
  CHECK(uses("grep -m 1 /abc /p/list.txt")[3].role == PathRole::shows);
  CHECK(uses("awk -F : /x/ /p/table.txt")[3].role == PathRole::shows);
  CHECK(uses("grep ? /p/list.txt")[2].role == PathRole::unknown);
}
