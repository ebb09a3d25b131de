// 32 registers of 64 bytes: 24 hold the tile.
#include "step.hpp"

SPARSESPAN_KERNEL(avx512, "AVX-512", 64, 6, 4)
