// What a mutated source asks: is the mutant with this number the one that counts in this run?
#pragma once

namespace s2f::mutation {

inline int chosen = 0;               // before any other variable gets its value: mutants.cpp
inline unsigned char* met = nullptr; // a byte for each mutant that the run came by, if anyone asks
extern const int mutants;
void change_table(int number);

void make_writable(const void* begin, unsigned long size);

// A field of a table, to change it. The tables are constants, and stay so for the compiler: what it
// has read of them already, a mutant does not reach.
template <typename Field> Field& cell(const Field& field) {
  make_writable(&field, sizeof field);
  return const_cast<Field&>(field);
}

constexpr bool active(int number) {
  if consteval {
    return false;
  } else {
    if (met != nullptr) {
      met[number] = 1;
    }
    return chosen == number;
  }
}

constexpr bool reversed(int number, bool value) { return active(number) ? !value : value; }

} // namespace s2f::mutation
