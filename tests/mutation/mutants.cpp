// Chooses the mutant of a run, before any table is read: S2F_MUTANT is its number, and
// S2F_MUTANTS_MET a file of zeros, where the byte of each mutant that the run comes by becomes 1.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

#include "tests/mutation/mutation.hpp"

namespace s2f::mutation {

void make_writable(const void* begin, unsigned long size) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  const auto start = first / page * page;
  mprotect(reinterpret_cast<void*>(start), first + size - start, PROT_READ | PROT_WRITE);
}

namespace {

constexpr int before_all_others = 101;

[[gnu::constructor(before_all_others)]] void choose() {
  if (const char* number = std::getenv("S2F_MUTANT")) {
    chosen = std::atoi(number);
    change_table(chosen);
  }
  if (const char* path = std::getenv("S2F_MUTANTS_MET")) {
    const int file = open(path, O_RDWR | O_CLOEXEC);
    const auto size = static_cast<std::size_t>(mutants) + 1;
    void* bytes =
        file < 0 ? MAP_FAILED : mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (bytes != MAP_FAILED) {
      met = static_cast<unsigned char*>(bytes);
    }
  }
}

} // namespace

} // namespace s2f::mutation
