// What one call of a kernel works on, and the table entry under which each instruction set offers its kernels.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sparsespan {

using Index = std::ptrdiff_t;

// Adds Y^T S(Y Q) and the sums of each column to adjoint, mass and active.
template <class T> struct Pass {
  const T *rows;  // (size, dim), contiguous: Y
  Index size, dim;
  const T *points;  // (dim, starts), any strides: Q
  Index starts, point_stride, start_stride;
  T level;              // the threshold, at least +0
  double *adjoint;      // (dim, starts), lines contiguous
  Index adjoint_stride;
  double *mass;          // (starts,)
  std::int64_t *active;  // (starts,)
  T *scratch;            // Kernel::scratch(dim) numbers, on a 64-byte boundary
};

struct Kernel {
  const char *name;
  Index (*scratch64)(Index dim), (*scratch32)(Index dim);
  void (*run64)(const Pass<double> &), (*run32)(const Pass<float> &);
};

extern const Kernel baseline, avx2, avx512;

}  // namespace sparsespan
