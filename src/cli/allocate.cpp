// The program's own `operator new`: a conversion makes tens of thousands of small values that live
// for milliseconds, and a fifth of its time went into malloc, which must be ready for anything.
//
// Small blocks come from lists, one for each size, that a thread has for itself; a block goes to
// the list of the thread that frees it. Half of a list that grows long goes to a store that all
// threads share, so that what one makes and another frees does not pile up. What is larger comes
// from malloc, and so does everything where the address space cannot be had. Part of the program
// alone, not of the library: a library does not choose how its host allocates.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <new>

#include <sys/mman.h>

namespace {

constexpr std::size_t step = 16; // sizes are multiples of it, and so are addresses
constexpr std::size_t largest = 1024;
constexpr std::size_t sizes = largest / step + 1;
constexpr std::size_t chunk = std::size_t{64} << 10U;    // holds blocks of one size
constexpr std::size_t reserved = std::size_t{16} << 30U; // addresses; memory where one is touched
constexpr std::size_t most_in_list = std::size_t{128} << 10U; // bytes

struct Block {
  Block* next;
  Block* next_list; // of the first block of a list in the store
};

struct List {
  Block* first;
  std::size_t count;
  std::byte* fresh; // of the list's last chunk: not handed out yet
  std::byte* end;
};

// Before it is set, no address lies in the region.
constinit std::atomic<std::uintptr_t> region =
    std::numeric_limits<std::uintptr_t>::max() - reserved;
constinit std::atomic<std::size_t> chunks = 0;
constinit std::array<std::uint8_t, reserved / chunk> size_of_chunk{};
constinit std::mutex store_lock;
constinit std::array<Block*, sizes> store{}; // lists, one behind the other
constinit bool asked = false;                // for the region
constinit thread_local std::array<List, sizes> lists{};

void put_into_store(std::size_t size, Block* first) {
  const std::scoped_lock lock(store_lock);
  first->next_list = store[size];
  store[size] = first;
}

// What a thread leaves when it ends.
struct Leaving {
  Leaving() = default;
  Leaving(const Leaving&) = delete;
  Leaving& operator=(const Leaving&) = delete;
  ~Leaving() {
    for (std::size_t size = 0; size < sizes; ++size) {
      if (lists[size].first != nullptr) {
        put_into_store(size, lists[size].first);
      }
      lists[size] = {};
    }
  }
  bool known = false; // asked of, so that it is made
};
thread_local Leaving leaving;

bool take_from_store(std::size_t size, List& list) {
  const std::scoped_lock lock(store_lock);
  if (store[size] == nullptr) {
    return false;
  }
  list.first = store[size];
  store[size] = list.first->next_list;
  list.count = 0;
  for (const Block* each = list.first; each != nullptr; each = each->next) {
    ++list.count;
  }
  return true;
}

bool take_chunk(std::size_t size, List& list) {
  {
    const std::scoped_lock lock(store_lock);
    if (!asked) {
      asked = true;
      void* const got = mmap(nullptr, reserved, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (got == MAP_FAILED) {
        chunks = size_of_chunk.size();
      } else {
        region = reinterpret_cast<std::uintptr_t>(got);
      }
    }
  }
  const std::size_t number = chunks.fetch_add(1, std::memory_order_relaxed);
  if (number >= size_of_chunk.size()) {
    chunks.store(size_of_chunk.size(), std::memory_order_relaxed);
    return false;
  }
  size_of_chunk[number] = static_cast<std::uint8_t>(size);
  list.fresh = reinterpret_cast<std::byte*>(region.load()) + number * chunk;
  list.end = list.fresh + chunk;
  return true;
}

[[gnu::noinline]] void* refill(std::size_t size) {
  leaving.known = true;
  List& list = lists[size];
  if (list.fresh == nullptr || list.fresh + size * step > list.end) {
    if (take_from_store(size, list)) {
      Block* const block = list.first;
      list.first = block->next;
      --list.count;
      return block;
    }
    if (!take_chunk(size, list)) {
      return nullptr;
    }
  }
  std::byte* const block = list.fresh;
  list.fresh += size * step;
  return block;
}

[[gnu::noinline]] void halve(std::size_t size, List& list) {
  const std::size_t kept = list.count / 2;
  Block* last = list.first;
  for (std::size_t i = 1; i < kept; ++i) {
    last = last->next;
  }
  put_into_store(size, last->next);
  last->next = nullptr;
  list.count = kept;
}

[[gnu::noinline]] void* from_malloc(std::size_t bytes) {
  while (true) {
    if (void* const got = std::malloc(std::max<std::size_t>(bytes, 1))) {
      return got;
    }
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) {
      throw std::bad_alloc();
    }
    handler();
  }
}

} // namespace

void* operator new(std::size_t bytes) {
  if (bytes <= largest) {
    const std::size_t size = bytes == 0 ? 1 : (bytes + step - 1) / step;
    List& list = lists[size];
    if (Block* const block = list.first) {
      list.first = block->next;
      --list.count;
      return block;
    }
    if (void* const block = refill(size)) {
      return block;
    }
  }
  return from_malloc(bytes);
}

void operator delete(void* address) noexcept {
  const std::uintptr_t offset =
      reinterpret_cast<std::uintptr_t>(address) - region.load(std::memory_order_relaxed);
  if (offset >= reserved) {
    std::free(address);
    return;
  }
  const std::size_t size = size_of_chunk[offset / chunk];
  List& list = lists[size];
  auto* const block = static_cast<Block*>(address);
  block->next = list.first;
  list.first = block;
  if (++list.count * size * step > most_in_list) {
    halve(size, list);
  }
}

void operator delete(void* address, std::size_t /*bytes*/) noexcept { operator delete(address); }
