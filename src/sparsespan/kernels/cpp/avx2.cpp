// 16 registers of 32 bytes: 12 hold the tile.
#include "step.hpp"

SPARSESPAN_KERNEL(avx2, "AVX2", 32, 6, 2)
