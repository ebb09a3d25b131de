// The multiply-add peak of one core: ten independent sums in the widest registers this processor has, over values
// that never leave them. Prints the rate for float64 and for float32, in units of 1e9 operations a second.
#include <chrono>
#include <cstdio>

#if defined(__AVX512F__)
constexpr int BYTES = 64;
#elif defined(__AVX__)
constexpr int BYTES = 32;
#else
constexpr int BYTES = 16;
#endif
constexpr int SUMS = 10;  // latency 4, two a cycle: at least 8 are wanted, and 12 fit beside two factors in 16 registers

template <class T> double rate(long steps) {
  typedef T Vec __attribute__((vector_size(BYTES)));
  Vec sums[SUMS];
  for (int i = 0; i < SUMS; ++i) sums[i] = Vec{} + T(i);
  Vec factor = Vec{} + T(0.999999), term = Vec{} + T(1e-6);
  asm volatile("" : "+x"(factor), "+x"(term));  // values the compiler cannot know
  const auto begin = std::chrono::steady_clock::now();
  for (long step = 0; step < steps; ++step) {
#pragma GCC unroll 16
    for (int i = 0; i < SUMS; ++i) sums[i] = sums[i] * factor + term;
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  for (int i = 0; i < SUMS; ++i) asm volatile("" : : "x"(sums[i]));  // the sums are used
  return 2.0 * SUMS * (BYTES / sizeof(T)) * double(steps) / seconds * 1e-9;
}

int main() {
  rate<double>(1000000);  // the clock settles
  std::printf("%.2f %.2f\n", rate<double>(20000000), rate<float>(20000000));
}
