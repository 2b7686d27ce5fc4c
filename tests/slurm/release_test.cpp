// Scripts that were written for another release of Slurm.
#include "tests/catch.hpp"

#include "project/compile.hpp"
#include "slurm/header.hpp"
#include "slurm/options.hpp"

using namespace s2f;

namespace {

slurm::Header read_as(const std::string& release, const std::string& options) {
  source::Sources sources;
  const auto id = sources.add("job.sh", "#!/bin/bash\n#SBATCH " + options + "\n./sim\n");
  slurm::ReadOptions read;
  read.site_release = release;
  return slurm::read_header(sources[id], read);
}

} // namespace

TEST_CASE("An option that was removed since means what it meant") {
  CHECK_FALSE(read_as("", "--workdir=/data").accepted());
  CHECK_FALSE(read_as("22.05", "--workdir=/data").accepted());
  const auto old = read_as("18.08", "--workdir=/data --tasks=4");
  REQUIRE(old.accepted());
  CHECK(old.components.front().resolved.chdir == "/data");
  CHECK(old.components.front().resolved.ntasks == 4);
  REQUIRE(old.uses.size() == 2);
  CHECK(old.uses[0].name == "chdir");
  CHECK(old.uses[0].spelling == "--workdir");
  CHECK(read_as("18.08", "--share --immediate --checkpoint=5").accepted());
}

TEST_CASE("A release does not know what came after it") {
  CHECK(read_as("", "--prefer=a100").accepted());
  CHECK(read_as("22.05", "--prefer=a100").accepted());
  CHECK_FALSE(read_as("20.11", "--prefer=a100").accepted());
  CHECK(read_as("18.08", "--container-image=ubuntu").accepted()); // a plugin's
}

TEST_CASE("A release is written as Slurm writes it") {
  for (const char* good : {"18.08", "22.05", "25.11"}) {
    CHECK(slurm::is_release(good));
  }
  for (const char* bad : {"", "22", "22.5", "v22.05", "22.05.8", "22-05"}) {
    CHECK_FALSE(slurm::is_release(bad));
  }
}

TEST_CASE("A script of an old release is converted as that release read it") {
  project::CompileOptions options;
  const auto files = project::in_memory({{"job.sh", "#!/bin/bash\n#SBATCH --tasks=4\n./sim\n"}});
  CHECK(project::compile({"job.sh"}, options, files).modules.size() == 1);
  const auto old = project::in_memory({{"job.sh", "#!/bin/bash\n#SBATCH --workdir=/x\n./sim\n"}});
  CHECK(project::compile({"job.sh"}, options, old).modules.empty());
  options.slurm_release = "18.08";
  CHECK(project::compile({"job.sh"}, options, old).modules.size() == 1);
}

TEST_CASE("A refused script says which release would have taken it") {
  CHECK(slurm::last_release_with("--workdir=/data") == "18.08");
  CHECK(slurm::last_release_with("--checkpoint") == "19.05");
  CHECK_FALSE(slurm::last_release_with("--power=x"));
  CHECK_FALSE(slurm::last_release_with("--nothing"));
  CHECK_FALSE(slurm::last_release_with("workdir"));
}
