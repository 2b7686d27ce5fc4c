// Prints as a JSON list what read_python finds in each file named on the command line.
#include "payload/dump.hpp"
#include "source/source.hpp"

#include <cstdio>
#include <string>

int main(int count, char** arguments) {
  s2f::source::Sources sources;
  std::string out = "[";
  for (int i = 1; i < count; ++i) {
    const auto bytes = s2f::source::read_file(arguments[i]);
    if (!bytes) {
      std::fprintf(stderr, "%s\n", bytes.error().message.c_str());
      return 1;
    }
    const auto id = sources.add(arguments[i], *bytes);
    if (i > 1)
      out += ",\n";
    out += s2f::payload::dump(s2f::payload::read_python(sources[id]));
  }
  std::printf("%s]\n", out.c_str());
  return 0;
}
