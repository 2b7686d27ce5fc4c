// What becomes of the commands that set up software.
#include "tests/catch.hpp"

#include "payload/conda_environment.hpp"
#include "tests/passes/compiled.hpp"

using s2f::tests::compile_job;

namespace {

constexpr const char* none = "flyte.Image.from_debian_base(python_version=(3, 12))";

// Nothing of the lines stands in the module but in comments, and the job is lifted.
void leaves_nothing(const std::string& setup) {
  INFO(setup);
  const auto job = compile_job(setup + "\necho worked");
  CHECK_FALSE(job.has("r\"\"\""));
  CHECK_FALSE(job.has("await "));
  CHECK(job.has("print(\"worked\", flush=True)"));
  CHECK_FALSE(job.raised("S2F900"));
  CHECK_FALSE(job.raised("S2F901"));
}

} // namespace

TEST_CASE("Commands that set up software leave nothing in the task") {
  for (const char* setup : {"module load gcc",
                            "module add gcc cuda/12.1",
                            "module -q load gcc",
                            "module load gcc 2>/dev/null",
                            "module load gcc >& /dev/null",
                            "ml gcc cuda",
                            "ml",
                            "ml purge",
                            "ml -x +gcc",
                            "ml load gcc",
                            "module purge; module load gcc",
                            "module purge && module load gcc",
                            "module swap a b",
                            "module use /x",
                            "module unload x",
                            "module restore",
                            "module restore mine",
                            "module list 2>&1",
                            "module list | head",
                            "module try-load x",
                            "module load gcc || exit 1",
                            "[ -f /etc/profile ] && . /etc/profile",
                            "if [ -f ~/.bashrc ]; then\n  . ~/.bashrc\nfi",
                            "source /usr/share/lmod/lmod/init/bash",
                            "command -v module > /dev/null || source /etc/profile.d/modules.sh",
                            "eval \"$(conda shell.bash hook)\"",
                            "eval \"$(micromamba shell hook --shell bash)\"",
                            "eval \"$(/opt/conda/bin/conda 'shell.bash' 'hook')\"",
                            "source ~/miniconda3/etc/profile.d/conda.sh",
                            ". activate x",
                            "source activate x",
                            "source ~/miniconda3/bin/activate x",
                            "source ~/venv/bin/activate",
                            "conda activate",
                            "mamba activate x",
                            "micromamba activate -n x",
                            "conda deactivate",
                            "deactivate",
                            "conda activate $ENV || source activate $ENV",
                            "python3.11 -m venv env",
                            "python -m venv env && source env/bin/activate",
                            "virtualenv --no-download $TMPDIR/env",
                            "[ -d .venv ] || virtualenv .venv",
                            "spack load cuda@11.8.0%gcc",
                            "spack env activate x",
                            "pip install numpy",
                            "python -m pip install -q --user 'numpy<2' torch==2.1.0",
                            "yes | conda install scipy",
                            "conda create -y -n x python=3.11 numpy",
                            "pip freeze",
                            "poetry install --no-root",
                            "uv sync",
                            "export PATH=/x/bin:$PATH",
                            "PATH=$PATH:~/bin",
                            "export LD_LIBRARY_PATH=$HOME/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}",
                            "export PYTHONPATH=/home/me/code",
                            "export PATH=/usr/local/bin:${PATH}",
                            "source .bashrc"}) {
    leaves_nothing(setup);
  }
}

TEST_CASE("A search path that is not known reaches the programs") {
  for (const char* path : {"$UNKNOWN:$PATH", "bin:$PATH"}) {
    INFO(path);
    const auto job = compile_job(std::string("export PATH=") + path + "\n./work");
    CHECK(job.has("\"PATH\": "));
    CHECK_FALSE(job.raised("S2F508"));
  }
}

TEST_CASE("A file that does not come with the script is left out, and asked about") {
  for (const char* other : {"source setup.sh", "source x.sh activate", ". /opt/site/env"}) {
    INFO(other);
    CHECK(compile_job(std::string(other) + "\n./work").raised("S2F433"));
  }
  const auto beside = compile_job("source setup.sh\n./work", {{"setup.sh", "A=1\n"}});
  CHECK_FALSE(beside.raised("S2F433"));
  CHECK(beside.has("source setup.sh"));
  CHECK(compile_job("source setup.sh\neval \"$A\"").has("source setup.sh"));
}

TEST_CASE("Commands that look like setting up software stay") {
  for (const char* other :
       {"pip install .", "pip install -e .", "pip install ./x.whl", "pip install $PACKAGE",
        "pip install -t lib numpy", "pip install --no-deps numpy", "module load gcc &",
        "python -m http.server", "eval \"$COMMAND\"", "conda build .", "uv build"}) {
    INFO(other);
    const auto job = compile_job(std::string(other) + "\necho worked");
    CHECK((job.has("r\"\"\"") || job.has("await ") || job.module.empty()));
    CHECK_FALSE(job.raised("S2F508"));
  }
}

TEST_CASE("Versions are kept, and none is invented") {
  const auto pip = compile_job("pip install torch==2.1.0 'numpy<2' scipy -U -q\npython -c 1");
  CHECK(pip.flat_has(".with_pip_packages(\"torch==2.1.0\", \"numpy<2\", \"scipy\")"));
  CHECK(pip.raised("S2F508"));
  const auto index =
      compile_job("pip3 install torch --index-url https://example.org/whl/cu121 --pre\npython x");
  CHECK(index.flat_has(
      ".with_pip_packages(\"torch\", index_url=\"https://example.org/whl/cu121\", pre=True)"));
  const auto conda = compile_job("conda install numpy=1.26 'scipy>=1.10' h5py=3.10.0=py311 "
                                 "conda-forge::pandas python=3.11 cudatoolkit");
  CHECK(conda.flat_has(".with_pip_packages(\"numpy==1.26.*\", \"scipy>=1.10\", "
                       "\"h5py==3.10.0\", \"pandas\")"));
  CHECK(conda.has("python_version=(3, 11)"));
  CHECK_FALSE(conda.raised("S2F509"));
  CHECK(compile_job("conda install -c bioconda some-tool").raised("S2F509"));
  CHECK(compile_job("echo x").has(none));
}

TEST_CASE("A Python that flyte does not run on is moved, and that is a decision") {
  CHECK(compile_job("module load python/3.8\npython x.py").raised("S2F510"));
  CHECK(compile_job("module load python/2.7\npython x.py").has("python_version=(3, 10)"));
  CHECK(compile_job("virtualenv -p python3.9 env").raised("S2F510"));
  CHECK_FALSE(compile_job("module load python/3.13.1\npython x.py").raised("S2F510"));
}

TEST_CASE("An environment that the job makes needs no answer") {
  const auto made =
      compile_job("virtualenv $SLURM_TMPDIR/env\nsource $SLURM_TMPDIR/env/bin/activate"
                  "\npip install numpy\npython x.py");
  CHECK_FALSE(made.raised("S2F501"));
  CHECK_FALSE(made.raised("S2F505"));
  CHECK(compile_job("source ~/env/bin/activate\npython x.py").raised("S2F501"));
}

TEST_CASE("Project files stand for an environment in their order") {
  const std::string body = "source ~/env/bin/activate\npython x.py";
  using Files = std::vector<std::pair<std::string, std::string>>;
  const Files all{{"pyproject.toml", ""},  {"uv.lock", ""},     {"requirements.txt", "a"},
                  {"environment.yml", ""}, {"poetry.lock", ""}, {"pixi.toml", ""}};
  CHECK(compile_job(body, all).has(".with_uv_project("));
  CHECK(compile_job(body, {all.begin() + 2, all.end()}).has(".with_requirements("));
  CHECK(
      compile_job(body, {{"pyproject.toml", ""}, {"poetry.lock", ""}}).has("with_poetry_project"));
  CHECK(compile_job(body, {{"pixi.toml", ""}}).has("with_pixi_project(HERE / \"pixi.toml\")"));
  CHECK(compile_job(body, {{"pixi.toml", ""}}).raised("S2F502"));
  CHECK(compile_job("pip install numpy", {all[2]}).has("(\"numpy\")"));
  CHECK_FALSE(compile_job("./solver", {all[2]}).has("with_requirements"));
  CHECK(compile_job("python x.py", {all[2]}).has("with_requirements"));
}

TEST_CASE("The pip section of environment.yml keeps its options") {
  const std::string yml = "dependencies:\n- pip:\n  - -r more.txt\n  - -r missing.txt\n"
                          "  - --extra-index-url https://example.org/simple\n  - torch==2.1\n";
  const auto job =
      compile_job("conda activate x\npython x.py", {{"environment.yml", yml}, {"more.txt", "a"}});
  CHECK(job.flat_has("HERE / \"more.txt\", extra_index_urls=\"https://example.org/simple\""));
  CHECK(job.flat_has("\"torch==2.1\", extra_index_urls=\"https://example.org/simple\""));
  CHECK(job.raised("S2F509"));
}

TEST_CASE("Imports name packages only where nothing else does") {
  const std::string code = "import numpy, yaml, own, strange\nfrom sub.part import x\n";
  const auto job = compile_job("python x.py", {{"x.py", code},
                                               {"own.py", "import scipy"},
                                               {"sub/__init__.py", ""},
                                               {"sub/part.py", "import pandas, os"}});
  CHECK(job.flat_has(".with_pip_packages(\"numpy\", \"PyYAML\", \"scipy\", \"pandas\")"));
  CHECK(job.has("include=(\"x.py\", \"own.py\", \"sub\")"));
  CHECK(job.raised("S2F505"));
  const auto listed = compile_job("python x.py", {{"x.py", code}, {"requirements.txt", ""}});
  CHECK_FALSE(listed.raised("S2F505"));
  CHECK_FALSE(listed.has("with_pip_packages"));
  CHECK_FALSE(compile_job("python x.py", {{"x.py", "import os"}}).raised("S2F505"));
  CHECK_FALSE(
      compile_job("python x.py", {{"x.py", "try:\n import numpy\nexcept ImportError:\n pass"}})
          .raised("S2F505"));
}

TEST_CASE("Within other commands the lines do nothing, and no module is kept") {
  const auto job = compile_job("for i in a b; do\n  module load tool\n  ./run $i\ndone\n"
                               "load() { conda activate x; module purge; }\nload\n"
                               "if ./ready; then source ~/e/bin/activate && ./go; fi");
  CHECK_FALSE(job.has("SlurmScriptTask"));
  CHECK_FALSE(job.has("  module load tool\n"));
  CHECK(job.raised("S2F503"));
  CHECK(job.raised("S2F506"));
}

TEST_CASE("A search path of the script's own is kept, one of the cluster asked about") {
  CHECK(compile_job("export PYTHONPATH=$PWD/src:$PYTHONPATH\npython x.py")
            .has("{\"PYTHONPATH\": f\"{HERE}/src\"}"));
  CHECK(compile_job("export PYTHONPATH=/home/me/src\npython x.py").raised("S2F507"));
  CHECK_FALSE(compile_job("cd sub\nexport PYTHONPATH=$PWD:$PYTHONPATH\npython x.py")
                  .has("\"PYTHONPATH\": str(HERE)"));
  CHECK(compile_job("export PATH=~/miniconda3/envs/fold/bin:$PATH\npython x.py").raised("S2F501"));
}

TEST_CASE("environment.yml is read as conda writes it") {
  const auto read = s2f::payload::read_conda_environment(
      "# x\nname: fold # y\nchannels:\n  - conda-forge\ndependencies:\n  - python >=3.10,<3.12\n"
      "  - 'numpy=1.26'\n  - pip\n  - pip:\n    - -r more.txt\n    - torch==2.1 # z\n  - six\n"
      "prefix: /x\n");
  CHECK(read.name == "fold");
  CHECK(read.python == "3.10");
  CHECK(read.conda == std::vector<std::string>{"numpy=1.26", "pip", "six"});
  CHECK(read.pip == std::vector<std::string>{"torch==2.1"});
  CHECK(read.pip_options == std::vector<std::string>{"-r more.txt"});
  for (const char* odd :
       {"", "-", "dependencies:", "dependencies:\n-", "\n\n- a\n", ":", "a:\n - b"}) {
    CHECK(s2f::payload::read_conda_environment(odd).conda.empty());
  }
}

TEST_CASE("A word of module that is no command of it is asked for, and never kept") {
  for (const char* line :
       {"module laod mytool", "module r mytool", "ml laod", "module -q ladd x"}) {
    INFO(line);
    const auto job = compile_job(std::string(line) + "\npython a.py");
    CHECK(job.raised("S2F503"));
    CHECK_FALSE(job.has("await bash("));
  }
  // Its output is a file that something may read: that is left to Slurm.
  CHECK(compile_job("module whatis mytool > about.txt\npython a.py").has("SlurmScriptTask"));
}

TEST_CASE("Commands that go from one line of kept Bash leave no bare semicolons") {
  const auto job = compile_job("module purge; module load gcc/9; trap 'echo x' EXIT; shift\n"
                               "module purge; module load gcc/9; export PATH=/x/bin:$PATH\n"
                               "shift; python a.py");
  CHECK(job.has("await bash("));
  CHECK(job.module.find("; ;") == std::string::npos);
  CHECK(job.module.find("\n;") == std::string::npos);
}

TEST_CASE("A package's program is in the image, however the package's name is written") {
  for (const char* package : {"huggingface_hub", "huggingface-hub"}) {
    INFO(package);
    CHECK_FALSE(compile_job("pip install " + std::string(package) + "\nhuggingface-cli login")
                    .raised("S2F511"));
  }
}

TEST_CASE("The interpreter of a package that is installed is there") {
  CHECK_FALSE(compile_job("module load r\nRscript a.R").raised("S2F511"));
  CHECK(compile_job("Rscript a.R").raised("S2F511"));
}

TEST_CASE("A program that a package of PyPI brings is asked for by that package") {
  CHECK(compile_job("torchrun t.py").flat_has(".with_pip_packages(\"torch\")."));
  CHECK(compile_job("sim").flat_has("# .with_apt_packages(...)."));
  CHECK(compile_job("sim; ray x").said("Nothing brings sim, ray into the image."));
}
