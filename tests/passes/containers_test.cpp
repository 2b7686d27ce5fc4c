// What becomes of container programs: the image is the task's, the command within is its own.
#include "tests/catch.hpp"

#include "tests/passes/compiled.hpp"

using s2f::tests::compile_job;

TEST_CASE("An image by reference becomes the task's image, however it is named") {
  for (const char* command :
       {"apptainer exec docker://a.io/b/c:1 ./run x",
        "singularity exec --nv docker://a.io/b/c:1 ./run x",
        "singularity -s exec -B /x:/y,/z --cleanenv docker://a.io/b/c:1 ./run x",
        "srun apptainer exec --nv docker://a.io/b/c:1 ./run x",
        "apptainer pull i.sif docker://a.io/b/c:1\napptainer exec i.sif ./run x",
        "apptainer pull docker://a.io/b/c:1\napptainer exec c_1.sif ./run x",
        "apptainer build i.sif docker://a.io/b/c:1\napptainer exec ./i.sif ./run x",
        "IMAGE=docker://a.io/b/c:1\napptainer exec $IMAGE ./run x",
        "docker run --rm -it -v /x:/x --gpus all a.io/b/c:1 ./run x",
        "sudo docker run -it --rm -u $(id -u):$(id -g) a.io/b/c:1 ./run x",
        "podman run --rm=true --network=host a.io/b/c:1 ./run x",
        "srun --container-image=a.io#b/c:1 ./run x",
        "srun --container-image a.io/b/c:1 --container-mounts=/x:/x --no-container-mount-home "
        "./run x",
        "shifter --image=docker:a.io/b/c:1 ./run x",
        "enroot import -o i.sqsh docker://a.io#b/c:1\nenroot create -n i i.sqsh\nenroot start i "
        "./run x",
        "#SBATCH --image=docker:a.io/b/c:1\nshifter ./run x"}) {
    INFO(command);
    const auto job = compile_job(command);
    CHECK(job.has("flyte.Image.from_base(\"a.io/b/c:1\")"));
    CHECK(job.flat_has(".clone(name=\"job\", extendable=True)"));
    CHECK(job.has("run(\"./run\", \"x\""));
    CHECK(job.raised("S2F521"));
    CHECK_FALSE(job.raised("S2F520"));
    CHECK_FALSE(job.raised("S2F901"));
    CHECK_FALSE(job.raised("S2F900"));
  }
}

TEST_CASE("A file is no image of a registry: the command runs, and an image is asked for") {
  for (const char* command :
       {"apptainer exec x.sif ./run x", "singularity exec --nv /images/x.simg ./run x",
        "singularity exec $IMAGE ./run x", "singularity exec library://a/b/c:1 ./run x",
        "srun --container-image=/images/x.sqsh ./run x", "ch-run /images/x -- ./run x",
        "apptainer pull x.sif library://a/b:1\napptainer exec x.sif ./run x"}) {
    INFO(command);
    const auto job = compile_job(command);
    CHECK(job.has("flyte.Image.from_debian_base("));
    CHECK(job.has("run(\"./run\", \"x\""));
    CHECK(job.raised("S2F520"));
    CHECK_FALSE(job.raised("S2F521"));
  }
}

TEST_CASE("An image's own start command is not in the script") {
  for (const char* command : {"apptainer run docker://a/b", "docker run --rm a/b",
                              "apptainer exec --new-option x docker://a/b ./run"}) {
    INFO(command);
    const auto job = compile_job(command);
    CHECK(job.raised("S2F520"));
    CHECK_FALSE(job.raised("S2F521"));
  }
}

TEST_CASE("What surrounds the command in a container is kept") {
  const auto job =
      compile_job("apptainer exec --pwd /opt --env A=1,B=two docker://a/b python x.py");
  CHECK(job.flat_has("image_python(), \"x.py\", cwd=\"/opt\", env={\"A\": \"1\", \"B\": \"two\"}"));
  CHECK(compile_job("apptainer exec --overlay o.img docker://a/b ls").raised("S2F523"));
  CHECK(compile_job("docker run --entrypoint sh a/b -c ls").raised("S2F523"));
  CHECK(compile_job("apptainer exec -B /data docker://a/b ls").raised("S2F601"));
  CHECK_FALSE(compile_job("apptainer exec -B $PWD docker://a/b ls").raised("S2F601"));
  CHECK_FALSE(compile_job("docker run -v $PWD:/w -w /w a/b ls").raised("S2F601"));
  CHECK(compile_job("apptainer exec docker://a/b ls\napptainer exec docker://a/c ls")
            .raised("S2F522"));
  const auto loop = compile_job("shopt -s nullglob\nfor f in *; do singularity exec --env N=$f "
                                "docker://a/b ./run $f; done");
  CHECK(loop.has("do env N=\"$f\" ./run $f; done"));
  CHECK(loop.has("image_path()"));
}

TEST_CASE("A module outside a container adds nothing to its image") {
  const auto job = compile_job("module load samtools\napptainer exec docker://a/b ls");
  CHECK_FALSE(job.has("with_apt_packages"));
  CHECK(job.raised("S2F503"));
}

TEST_CASE("conda run, poetry run and uv run are no more than their commands") {
  using Files = std::vector<std::pair<std::string, std::string>>;
  const Files poetry{{"pyproject.toml", ""}, {"poetry.lock", ""}, {"requirements.txt", ""}};
  const auto job = compile_job("srun poetry run python x.py", poetry);
  CHECK(job.has("run(sys.executable, \"x.py\")"));
  CHECK(job.has("with_poetry_project"));
  CHECK(compile_job("conda run -n fold --no-capture-output python x.py").raised("S2F501"));
  CHECK(compile_job("conda run -n fold ./x").has("run(\"./x\")"));
  CHECK(compile_job("uv run x.py --a", {{"pyproject.toml", ""}, {"uv.lock", ""}})
            .has("run(sys.executable, \"x.py\", \"--a\")"));
  CHECK(
      compile_job("pixi run train", {{"pixi.toml", ""}}).has("run(\"pixi\", \"run\", \"train\")"));
}
