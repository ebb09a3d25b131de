// Vectors of 16 bytes, which every 64-bit processor in use has: 16 registers on x86, 32 elsewhere.
#include "step.hpp"

#if defined(__x86_64__) || defined(__i386__)
SPARSESPAN_KERNEL(baseline, "baseline", 16, 4, 2)
#else
SPARSESPAN_KERNEL(baseline, "baseline", 16, 6, 4)
#endif
