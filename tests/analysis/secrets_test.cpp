// Secrets in text that becomes something only later: between quotes, in a heredoc, where Bash could
// not be read.
#include "analysis/secrets.hpp"

#include "shell/parse.hpp"
#include "tests/catch.hpp"

using namespace s2f;

namespace {

// The values that are found, in order.
std::vector<std::string> found(std::string_view text) {
  source::Sources sources;
  const source::Source& source = sources[sources.add("job.sh", text)];
  std::vector<std::string> values;
  for (const analysis::SecretHit& hit : analysis::find_secrets(source, shell::parse(source))) {
    values.emplace_back(analysis::secret_value(source, hit));
  }
  return values;
}

using Values = std::vector<std::string>;

} // namespace

TEST_CASE("a secret between quotes is one", "[secrets]") {
  CHECK(found("bash -c 'export API_KEY=00aa11bb22; python a.py'\n") == Values{"00aa11bb22"});
  CHECK(found("echo \"API_KEY=00aa11bb22\" > .env\n") == Values{"00aa11bb22"});
  CHECK(found("printf $'A_TOKEN=00aa11bb22\\n'\n") == Values{"00aa11bb22\\n"});
  CHECK(found("curl 'https://x.example/?api_key=00aa11bb22&a=b'\n") == Values{"00aa11bb22"});
}

TEST_CASE("a secret in a heredoc is one", "[secrets]") {
  CHECK(found("cat > .env <<E\nAPI_KEY=00aa11bb22\nother=1\nE\n") == Values{"00aa11bb22"});
  CHECK(found("cat > .env <<'E'\nPASSWORD=\"hunter22\"\nE\n") == Values{"hunter22"});
}

TEST_CASE("a secret where the script cannot be read is one", "[secrets]") {
  CHECK(found("until [ -f x ]; do\nAPI_KEY=\"00aa11bb22\"\n") == Values{"00aa11bb22"});
}

TEST_CASE("what only looks like a secret is none", "[secrets]") {
  CHECK(found("echo \"API_KEY=$API_KEY\"\n").empty());
  CHECK(found("echo 'API_KEY=<your key>'\n").empty());
  CHECK(found("grep 'TOKEN=' .env\n").empty());
  CHECK(found("cat > .env <<E\nAPI_KEY=${KEY}\nE\n").empty());
}
