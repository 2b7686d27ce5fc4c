// Which release of flyte a module needs, and older names.
#include "flyte/releases.hpp"
#include "tests/catch.hpp"

using namespace s2f::flyte;

namespace {

Module with_gpu(const std::string& gpu) {
  Module module;
  Environment environment;
  environment.resources.gpu = Noted<Expr>{str(gpu), {}};
  module.environments.push_back(environment);
  return module;
}

std::string gpu_of(const Module& module) {
  return std::get<Str>(module.environments[0].resources.gpu->value.value).value;
}

} // namespace

TEST_CASE("releases are compared by their numbers", "[flyte]") {
  for (const char* good : {"2.12", "2.9.0", "2.10.12"}) {
    CHECK(is_release(good));
  }
  for (const char* bad : {"", "2", "v2", "2.", ".9", "2.9.0.1", "2.-1", "2.9b", "2 .9", "latest"}) {
    CHECK_FALSE(is_release(bad));
  }
  CHECK(is_older("2.9.0", "2.10.0"));
  CHECK(is_older("2.5", "2.5.1"));
  CHECK_FALSE(is_older("2.5.0", "2.5"));
  CHECK_FALSE(is_older("2.10", "2.9.9"));
  CHECK(oldest_release() == "2.1.8");
}

TEST_CASE("what a module needs, the newest first", "[flyte]") {
  Module module = with_gpu("A2:1");
  CHECK(needs(module) == std::vector<Need>{{"2.7.2", "A2"}});
  module.environments[0].type = "ClusteredTaskEnvironment";
  module.environments[0].more.push_back(arg("runtime", call("JaxRun", {})));
  CHECK(needs(module) == std::vector<Need>{{"2.8.1", "JaxRun"},
                                           {"2.7.2", "A2"},
                                           {"2.5.0", "ClusteredTaskEnvironment"}});
  CHECK(needs(with_gpu("A100:8")).empty());
}

TEST_CASE("within the body of a task", "[flyte]") {
  Module module;
  Task task;
  Handler handler;
  handler.exception = "flyte.errors.MaxRuntimeExceededError";
  task.body.push_back({TryStmt{{}, {handler}, {}}, {}});
  task.body.push_back({ExprStmt{call("flyte.Resources", {arg("gpu", str("RTX_PRO_6000:1"))})}, {}});
  module.tasks.push_back(task);
  CHECK(needs(module) == std::vector<Need>{{"2.11.3", "RTX_PRO_6000"},
                                           {"2.10.3", "flyte.errors.MaxRuntimeExceededError"}});
}

TEST_CASE("an image's method, and texts that are no accelerators", "[flyte]") {
  Module module;
  module.images.push_back(
      {"image",
       {Call{Expr{Attribute{call("flyte.Image.from_debian_base", {}), "with_pixi_project"}}, {}}},
       {}});
  module.constants.push_back({"NAMES", {ListExpr{{arg(str("JaxRun")), arg(str("include"))}}}, {}});
  CHECK(needs(module) == std::vector<Need>{{"2.5.12", "with_pixi_project"}});
}

TEST_CASE("an older release has its own name for the same", "[flyte]") {
  Module older = with_gpu("A100_80G:2");
  spell_for(older, "2.11.2");
  CHECK(gpu_of(older) == "A100 80G:2");
  CHECK(needs(older).empty());
  Module newer = with_gpu("A100_80G:2");
  spell_for(newer, "2.11.3");
  CHECK(gpu_of(newer) == "A100_80G:2");
  Module without = with_gpu("A2:1");
  spell_for(without, "2.1.8");
  CHECK(gpu_of(without) == "A2:1");
}
