// libFuzzer: site_target.hpp says what is tried.
#include "tests/fuzz/site_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  s2f::fuzz::site_target({reinterpret_cast<const char*>(data), size});
  return 0;
}
