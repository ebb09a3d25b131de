// One pass over the rows of Y: adds Y^T g(Y Q), with g a function of the entry, and the sums of each column.
//
// A tile of Z = Y Q, ROWS rows by VECTORS vectors of columns, is computed, sent through g and multiplied by Y^T without
// leaving the registers. Lanes run over columns of Q and entries of Y are broadcast, so Y is read as it lies; only the
// panel of Q and its sums are packed, and both stay in the first-level cache while a block of rows passes.
//
// Included once for each instruction set. All is in an unnamed namespace and nothing of the standard library is
// instantiated, so that no function built for one instruction set can be linked in place of another's.
#pragma once

#include "pass.hpp"

namespace {

using sparsespan::Index;
using sparsespan::Pass;

template <class T> struct Word;
template <> struct Word<double> { using type = std::int64_t; };
template <> struct Word<float> { using type = std::int32_t; };

template <class T, int BYTES> struct Simd {
  using Int = typename Word<T>::type;
  typedef T Vec __attribute__((vector_size(BYTES)));
  typedef Int IVec __attribute__((vector_size(BYTES)));
  static constexpr int LANES = BYTES / int(sizeof(T));
};

// Over arrays that are to live in registers; a loop left standing would put them into memory.
#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

// The soft threshold: z becomes sign(z)(|z| - level)+. Sums the sizes of what is left, and counts it.
struct Shrink {
  template <class S, class T>
  static inline __attribute__((always_inline)) void apply(typename S::Vec &z, T level, typename S::Vec &mass,
                                                          typename S::IVec &active) {
    using Vec = typename S::Vec;
    using IVec = typename S::IVec;
    const Vec levels = Vec{} + level;
    const IVec sign = (IVec)(-Vec{});
    const IVec bits = (IVec)z, size = bits & ~sign;
    // |z| > level, decided on the bits: they order as the numbers do, and a NaN lies above them all.
    const IVec stays = ((IVec)levels - size) >> (8 * sizeof(T) - 1);
    const Vec excess = (Vec)((IVec)(levels - (Vec)size) & stays);  // -(|z| - level)
    active -= stays;
    mass -= excess;
    z = (Vec)((IVec)excess ^ (~bits & sign));
  }
};

// The pull of zero: z becomes z / (1 + level z^2)^4. Sums the wells 1 / (1 + level z^2)^3; counts nothing.
struct Attract {
  template <class S, class T>
  static inline __attribute__((always_inline)) void apply(typename S::Vec &z, T level, typename S::Vec &mass,
                                                          typename S::IVec &) {
    using Vec = typename S::Vec;
    const Vec root = T(1) / (T(1) + level * (z * z)), well = root * root * root;
    mass += well;
    z *= well * root;
  }
};

constexpr Index BLOCK_BYTES = 256 * 1024;  // rows of Y that stay in the second-level cache for all panels of Q
constexpr Index BLOCK_ROWS = 1020;         // and that are summed in T before the sums are carried over to float64

// A panel of Q and the sums that belong to it, all in the scratch memory.
template <class T, int BYTES> struct Panel {
  typename Simd<T, BYTES>::Vec *points, *sums, *mass;
  typename Simd<T, BYTES>::IVec *active;
};

template <class Step, class T, int BYTES, int ROWS, int VECTORS>
inline __attribute__((always_inline)) void tile(const T *y, Index dim, T level, const Panel<T, BYTES> &panel) {
  using Vec = typename Simd<T, BYTES>::Vec;
  using IVec = typename Simd<T, BYTES>::IVec;
  Vec z[ROWS][VECTORS] = {};
  Index k = 0;
  do {
    Vec point[VECTORS];
    UNROLL for (int v = 0; v < VECTORS; ++v) point[v] = panel.points[k * VECTORS + v];
    UNROLL for (int i = 0; i < ROWS; ++i) {
      const T entry = y[i * dim + k];
      UNROLL for (int v = 0; v < VECTORS; ++v) z[i][v] += entry * point[v];
    }
  } while (++k < dim);

  UNROLL for (int v = 0; v < VECTORS; ++v) {
    Vec mass = panel.mass[v];
    IVec active = panel.active[v];
    UNROLL for (int i = 0; i < ROWS; ++i) Step::template apply<Simd<T, BYTES>>(z[i][v], level, mass, active);
    panel.mass[v] = mass;
    panel.active[v] = active;
  }

  k = 0;
  do {
    Vec sum[VECTORS];
    UNROLL for (int v = 0; v < VECTORS; ++v) sum[v] = panel.sums[k * VECTORS + v];
    UNROLL for (int i = 0; i < ROWS; ++i) {
      const T entry = y[i * dim + k];
      UNROLL for (int v = 0; v < VECTORS; ++v) sum[v] += entry * z[i][v];
    }
    UNROLL for (int v = 0; v < VECTORS; ++v) panel.sums[k * VECTORS + v] = sum[v];
  } while (++k < dim);
}

// Sends the rows [first, last) through one panel of exactly VECTORS vectors.
template <class Step, class T, int BYTES, int ROWS, int VECTORS>
void sweep(const Pass<T> &pass, Index first, Index last, const Panel<T, BYTES> &panel) {
  const T *y = pass.rows + first * pass.dim;
  Index left = last - first;
  for (; left >= ROWS; left -= ROWS, y += ROWS * pass.dim)
    tile<Step, T, BYTES, ROWS, VECTORS>(y, pass.dim, pass.level, panel);
  for (; left > 0; --left, y += pass.dim) tile<Step, T, BYTES, 1, VECTORS>(y, pass.dim, pass.level, panel);
}

template <class Step, class T, int BYTES, int ROWS, int VECTORS>
void sweep_narrow(int vectors, const Pass<T> &pass, Index first, Index last, const Panel<T, BYTES> &panel) {
  if constexpr (VECTORS > 1)
    if (vectors < VECTORS) return sweep_narrow<Step, T, BYTES, ROWS, VECTORS - 1>(vectors, pass, first, last, panel);
  sweep<Step, T, BYTES, ROWS, VECTORS>(pass, first, last, panel);
}

// Packs `count` columns of Q from `start` on, padded with zeros to full vectors, and clears the sums.
template <class T, int BYTES>
void open_panel(const Pass<T> &pass, Index start, Index count, Index padded, const Panel<T, BYTES> &panel) {
  T *points = (T *)panel.points, *sums = (T *)panel.sums, *mass = (T *)panel.mass;
  auto *active = (typename Word<T>::type *)panel.active;
  for (Index k = 0; k < pass.dim; ++k) {
    const T *from = pass.points + k * pass.point_stride + start * pass.start_stride;
    if (pass.start_stride == 1)
      for (Index c = 0; c < count; ++c) points[k * padded + c] = from[c];
    else
      for (Index c = 0; c < count; ++c) points[k * padded + c] = from[c * pass.start_stride];
    for (Index c = count; c < padded; ++c) points[k * padded + c] = T(0);
    for (Index c = 0; c < padded; ++c) sums[k * padded + c] = T(0);
  }
  for (Index c = 0; c < padded; ++c) mass[c] = T(0), active[c] = 0;
}

template <class T, int BYTES>
void close_panel(const Pass<T> &pass, Index start, Index count, Index padded, const Panel<T, BYTES> &panel) {
  const T *sums = (const T *)panel.sums, *mass = (const T *)panel.mass;
  const auto *active = (const typename Word<T>::type *)panel.active;
  for (Index k = 0; k < pass.dim; ++k)
    for (Index c = 0; c < count; ++c)
      pass.adjoint[k * pass.adjoint_stride + start + c] += double(sums[k * padded + c]);
  for (Index c = 0; c < count; ++c) {
    pass.mass[start + c] += double(mass[c]);
    pass.active[start + c] += active[c];
  }
}

template <class T, int BYTES, int VECTORS> Index scratch(Index dim) {
  return 2 * (dim + 1) * VECTORS * Simd<T, BYTES>::LANES;
}

template <class Step, class T, int BYTES, int ROWS, int VECTORS> void run(const Pass<T> &pass) {
  using S = Simd<T, BYTES>;
  constexpr Index LANES = S::LANES, WIDTH = VECTORS * LANES;
  const Index fit = BLOCK_BYTES / (pass.dim * Index(sizeof(T)));
  const Index height = ((fit < 8 * ROWS ? 8 * ROWS : fit > BLOCK_ROWS ? BLOCK_ROWS : fit) / ROWS) * ROWS;
  auto *vectors = (typename S::Vec *)pass.scratch;
  const Panel<T, BYTES> panel{vectors, vectors + pass.dim * VECTORS, vectors + 2 * pass.dim * VECTORS,
                              (typename S::IVec *)(vectors + (2 * pass.dim + 1) * VECTORS)};
  for (Index first = 0; first < pass.size; first += height) {
    const Index last = first + height < pass.size ? first + height : pass.size;
    for (Index start = 0; start < pass.starts; start += WIDTH) {
      const Index count = start + WIDTH < pass.starts ? WIDTH : pass.starts - start;
      const int needed = int((count + LANES - 1) / LANES);
      open_panel<T, BYTES>(pass, start, count, needed * LANES, panel);
      sweep_narrow<Step, T, BYTES, ROWS, VECTORS>(needed, pass, first, last, panel);
      close_panel<T, BYTES>(pass, start, count, needed * LANES, panel);
    }
  }
}

}  // namespace

// The table entry of an instruction set: BYTES in a vector, tiles of ROWS by VECTORS that fit its registers.
#define SPARSESPAN_KERNEL(NAME, TITLE, BYTES, ROWS, VECTORS)                                                     \
  const sparsespan::Kernel sparsespan::NAME = {                                                                  \
      TITLE,                                                                                                     \
      {scratch<double, BYTES, VECTORS>,                                                                          \
       {run<Shrink, double, BYTES, ROWS, VECTORS>, run<Attract, double, BYTES, ROWS, VECTORS>}},                 \
      {scratch<float, BYTES, VECTORS>,                                                                           \
       {run<Shrink, float, BYTES, ROWS, VECTORS>, run<Attract, float, BYTES, ROWS, VECTORS>}}};
