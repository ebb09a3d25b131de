// What one call of a kernel works on, and the table entry under which each instruction set offers its kernels.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sparsespan {

using Index = std::ptrdiff_t;

// Adds Y^T g(Y Q) and the sums of each column to adjoint, mass and active.
template <class T> struct Pass {
  const T *rows;  // (size, dim), contiguous: Y
  Index size, dim;
  const T *points;  // (dim, starts), any strides: Q
  Index starts, point_stride, start_stride;
  T level;              // of the function, at least +0
  double *adjoint;      // (dim, starts), lines contiguous
  Index adjoint_stride;
  double *mass;          // (starts,)
  std::int64_t *active;  // (starts,)
  T *scratch;            // Runs::scratch(dim) numbers, on a 64-byte boundary
};

enum class Function { shrink, attract };

template <class T> struct Runs {
  Index (*scratch)(Index dim);
  void (*of[2])(const Pass<T> &);  // by Function
};

struct Kernel {
  const char *name;
  Runs<double> in64;
  Runs<float> in32;
};

extern const Kernel baseline, avx2, avx512;

}  // namespace sparsespan
