// What Flyte 2 accepts: names, quantities, GPUs; and the check of a module.
#include "flyte/program.hpp"
#include "generated/tables/flyte_2.hpp"
#include "generated/tables/gpus.hpp"
#include "tests/catch.hpp"

using namespace s2f::flyte;

namespace {

// The value as short text: "A100:8", 4, GPU(A100, 1, 3g.20gb), Device(2, GPU, P100).
std::string shown(const Expr& expr) {
  if (const auto* text = std::get_if<Str>(&expr.value)) {
    return text->value;
  }
  if (const auto* number = std::get_if<Number>(&expr.value)) {
    return number->text;
  }
  const auto& call = std::get<Call>(expr.value);
  std::string out;
  for (const Arg& each : call.arguments) {
    out += (out.empty() ? "" : ", ") + shown(each.value);
  }
  return std::get<Name>(call.callee->value).dotted.substr(6) + "(" + out + ")";
}

std::string gpu(std::string_view type, long long count) {
  return shown(gpu_choice(type, count).value);
}

} // namespace

TEST_CASE("environment names", "[flyte]") {
  for (const char* good : {"a", "train", "train-2", "a_b-c", "0"}) {
    CHECK(valid_environment_name(good));
  }
  for (const char* bad : {"", "Train", "a.b", "-a", "a-", "a--b", "a__b", "a-_b", "é", "a b"}) {
    CHECK_FALSE(valid_environment_name(bad));
  }
  CHECK(valid_environment_name(std::string(63, 'a')));
  CHECK_FALSE(valid_environment_name(std::string(64, 'a')));
}

TEST_CASE("quantities", "[flyte]") {
  for (const char* good : {"64Gi", "1536Mi", "0.5Gi", "4096", "1T", "100k"}) {
    CHECK(valid_quantity(good));
  }
  for (const char* bad :
       {"", "64GB", "64g", "Gi", "1.Gi", ".5Gi", "-1Gi", "1 Gi", "64gi", "1Pi2"}) {
    CHECK_FALSE(valid_quantity(bad));
  }
  CHECK(quantity_of_mib(65536) == "64Gi");
  CHECK(quantity_of_mib(1536) == "1536Mi");
  CHECK(quantity_of_mib(1) == "1Mi");
  CHECK(quantity_of_mib(2097152) == "2Ti");
  CHECK(quantity_of_mib(0) == "0Mi");
}

TEST_CASE("names that are taken", "[flyte]") {
  for (const char* taken : {"eval", "class", "match", "None", "File", "asyncio", "run", "HERE", "T",
                            "list", "print", "flyte", "datetime"}) {
    CHECK(reserved_python_name(taken));
  }
  for (const char* free : {"train", "evaluate", "main", "x", "process_data"}) {
    CHECK_FALSE(reserved_python_name(free));
  }
}

TEST_CASE("GPUs on Flyte's list", "[flyte]") {
  CHECK(gpu("", 4) == "4");
  CHECK(gpu("a100", 8) == "A100:8");
  CHECK(gpu("A100", 1) == "A100:1");
  CHECK(gpu("a100_80gb", 2) == "A100_80G:2");
  CHECK(gpu("nvidia_a100-sxm4-80gb", 4) == "A100_80G:4");
  CHECK(gpu("nvidia_a100_80gb_pcie", 1) == "A100_80G:1");
  CHECK(gpu("tesla_v100-sxm2-32gb", 1) == "V100:1");
  CHECK(gpu("v100l", 2) == "V100:2");
  CHECK(gpu("h100", 8) == "H100:8");
  CHECK(gpu("nvidia_h100_80gb_hbm3", 8) == "H100:8");
  CHECK(gpu("l40s", 1) == "L40s:1");
  CHECK(gpu("L40S", 1) == "L40s:1");
  CHECK(gpu("t4", 1) == "T4:1");
  CHECK(gpu("mi250", 1) == "MI250:1");
  CHECK(gpu("A100.80gb", 1) == "A100_80G:1");
  CHECK(gpu("NVIDIAA10080GBPCIe", 1) == "A100_80G:1");
  CHECK(gpu("ampere_a100", 1) == "A100:1");
  CHECK(gpu("volta", 1) == "V100:1");
  const GpuChoice choice = gpu_choice("a100", 4);
  CHECK(choice.known);
  CHECK(choice.on_list);
  CHECK(choice.why.empty());
}

TEST_CASE("GPUs that Flyte does not list", "[flyte]") {
  CHECK(gpu("h100", 16) == "Device(16, GPU, H100)");
  CHECK(gpu("p100", 2) == "Device(2, GPU, P100)");
  CHECK(gpu("k80", 1) == "Device(1, GPU, K80)");
  CHECK(gpu("rtx8000", 1) == "Device(1, GPU, RTX8000)");
  CHECK(gpu("GEFORCEGTX1080TI", 1) == "Device(1, GPU, GTX1080Ti)");
  CHECK(gpu("teslaK80", 1) == "Device(1, GPU, K80)");
  CHECK(gpu("quadro_rtx_6000", 1) == "Device(1, GPU, RTX6000)");
  CHECK(gpu("mi250x", 8) == "Device(8, AMD_GPU, MI250X)");
  const GpuChoice choice = gpu_choice("p100", 2);
  CHECK(choice.known);
  CHECK_FALSE(choice.on_list);
  CHECK_FALSE(choice.why.empty());
}

TEST_CASE("MIG slices", "[flyte]") {
  CHECK(gpu("a100_3g.20gb", 1) == "GPU(A100, 1, 3g.20gb)");
  CHECK(gpu("nvidia_a100_1g.5gb", 2) == "GPU(A100, 2, 1g.5gb)");
  CHECK(gpu("a100_3g.40gb", 1) == "GPU(A100_80G, 1, 3g.40gb)");
  CHECK(gpu("nvidia_h100_80gb_hbm3_3g.40gb", 1) == "GPU(H100, 1, 3g.40gb)");
  CHECK(gpu("h100-1g.10gb", 1) == "GPU(H100, 1, 1g.10gb)");
  CHECK(gpu("a100-4g-20gb", 1) == "GPU(A100, 1, 4g.20gb)");
  CHECK(gpu("a100-40gb", 1) == "A100:1");
  CHECK(gpu("a100_9g.1gb", 1) == "Device(1, GPU, A100, 9g.1gb)");
  // Of which GPU it is a slice only the cluster knows.
  CHECK(gpu("1g.10gb", 1) == "1");
  CHECK_FALSE(gpu_choice("1g.10gb", 1).known);
}

TEST_CASE("what is no GPU that is known", "[flyte]") {
  for (const char* name : {"gpumem", "big", "a", "_", "nvidia", "tesla_", "..", "1g.", "g.gb"}) {
    const GpuChoice choice = gpu_choice(name, 2);
    CHECK(shown(choice.value) == "2");
    CHECK_FALSE(choice.known);
    CHECK_FALSE(choice.on_list);
  }
  CHECK(gpu("a100", 0) == "0");
}

TEST_CASE("each GPU that Flyte lists has a name on some cluster", "[flyte]") {
  for (const auto& row : s2f::tables::flyte_2) {
    CHECK(std::ranges::any_of(s2f::tables::gpus,
                              [&](const auto& each) { return each.flyte == row.name; }));
  }
}

namespace {

Module good() {
  Module module;
  Environment environment;
  environment.variable = "train_env";
  environment.name.value = "train";
  environment.resources.memory = Noted<Expr>{str("64Gi"), {}};
  environment.resources.gpu = Noted<Expr>{str("A100:8"), {}};
  module.environments = {environment};
  Task task;
  task.environment = "train_env";
  task.function = "train";
  module.tasks = {task};
  module.entry = "train";
  return module;
}

} // namespace

TEST_CASE("a module is checked", "[flyte]") {
  CHECK(check(good()).empty());
  const auto wrong = [](auto change) {
    Module module = good();
    change(module);
    const auto found = check(module);
    REQUIRE(found.size() == 1);
    return found[0];
  };
  CHECK(wrong([](Module& m) { m.environments[0].name.value = "Train"; }) ==
        "the environment name \"Train\" is not one that Flyte accepts");
  CHECK(wrong([](Module& m) { m.environments[0].resources.memory->value = str("64GB"); }) ==
        "train: \"64GB\" is no quantity");
  CHECK(wrong([](Module& m) { m.environments[0].resources.gpu->value = str("a100:8"); }) ==
        "train: Flyte does not list the GPU \"a100:8\"");
  CHECK(wrong([](Module& m) { m.tasks[0].environment = "x_env"; }) ==
        "the task train is in x_env, which is no environment");
  CHECK(wrong([](Module& m) { m.entry = "main"; }) == "the entry main is no task");
  CHECK(wrong([](Module& m) { m.environments[0].depends_on = {"y_env"}; }) ==
        "train depends on y_env, which is no environment");
  CHECK(wrong([](Module& m) { m.environments[0].include = {"/abs"}; }) ==
        "train: cannot include \"/abs\"");
  CHECK(wrong([](Module& m) { m.constants = {{"train_env", str("x"), {}}}; }) ==
        "the name train_env is defined twice");
  CHECK(wrong([](Module& m) { m.tasks[0].parameters = {{"list", "str", {}, {}}}; }) ==
        "train: the parameter name list is taken");
  CHECK(wrong([](Module& m) {
          m.tasks[0].parameters = {{"a", "str", str(""), {}}, {"b", "str", {}, {}}};
        }) == "train: b needs a default, as what stands before it");
  CHECK(wrong([](Module& m) { m.helpers["walk"]; }) == "there is no helper walk");
  CHECK(wrong([](Module& m) {
          Environment second = m.environments[0];
          second.variable = "other_env";
          m.environments.push_back(second);
        }) == "two environments are named \"train\"");
}
