// The program's allocator under what a conversion does to it, and what it does not: every size,
// blocks that another thread frees, lists that grow long. Prints "blocks kept their bytes".
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

namespace {

struct Held {
  unsigned char* bytes = nullptr;
  std::size_t size = 0;
  unsigned char mark = 0;
};

std::mutex lock;
std::vector<Held> handed_over;
bool good = true;

void expect(bool condition) {
  const std::scoped_lock guard(lock);
  good = good && condition;
}

Held made(std::size_t size, unsigned char mark) {
  Held held{new unsigned char[size], size, mark};
  expect(reinterpret_cast<std::uintptr_t>(held.bytes) % alignof(std::max_align_t) == 0);
  std::memset(held.bytes, mark, size);
  return held;
}

void give_back(const Held& held) {
  for (std::size_t i = 0; i < held.size; ++i) {
    if (held.bytes[i] != held.mark) {
      expect(false);
      break;
    }
  }
  delete[] held.bytes;
}

void work(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Held> own;
  for (int round = 0; round < 60'000; ++round) {
    const auto what = random() % 8;
    if (what < 4) {
      const std::size_t most = random() % 50 == 0 ? 5'000 : 1'100;
      own.push_back(made(random() % most, static_cast<unsigned char>(random())));
    } else if (what < 6 && !own.empty()) {
      std::swap(own[random() % own.size()], own.back());
      give_back(own.back());
      own.pop_back();
    } else if (what == 6 && !own.empty()) {
      const std::scoped_lock guard(lock);
      handed_over.push_back(own.back());
      own.pop_back();
    } else {
      Held other;
      {
        const std::scoped_lock guard(lock);
        if (!handed_over.empty()) {
          other = handed_over.front();
          std::swap(handed_over.front(), handed_over.back());
          handed_over.pop_back();
        }
      }
      give_back(other);
    }
  }
  for (const Held& held : own) {
    give_back(held);
  }
}

// One thread makes what another frees.
void long_lists() {
  for (const std::size_t size : {1UL, 16UL, 17UL, 96UL, 1024UL, 1025UL}) {
    for (int round = 0; round < 3; ++round) {
      std::vector<Held> all;
      all.reserve(20'000);
      std::thread([&] {
        for (int i = 0; i < 20'000; ++i) {
          all.push_back(made(size, static_cast<unsigned char>(i)));
        }
      }).join();
      for (const Held& held : all) {
        give_back(held);
      }
    }
  }
}

} // namespace

int main() {
  delete static_cast<int*>(nullptr);
  long_lists();
  std::vector<std::thread> threads;
  for (unsigned seed = 1; seed <= 4; ++seed) {
    threads.emplace_back(work, seed);
  }
  for (auto& thread : threads) {
    thread.join();
  }
  for (const Held& held : handed_over) {
    give_back(held);
  }
  std::puts(good ? "blocks kept their bytes" : "a block lost its bytes");
  return good ? 0 : 1;
}
