// The Python module: chooses the kernel by name, checks shapes once more, and releases the GIL.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <new>
#include <stdexcept>
#include <vector>

#include "pass.hpp"

namespace nb = nanobind;
using sparsespan::Function;
using sparsespan::Index;
using sparsespan::Kernel;
using sparsespan::Pass;

namespace {

// Best first. The processor and the operating system must both support the registers.
std::vector<const Kernel *> find_kernels() {
  std::vector<const Kernel *> found;
#ifdef SPARSESPAN_X86
  __builtin_cpu_init();
  const bool fma = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (fma && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
    found.push_back(&sparsespan::avx512);
  if (fma) found.push_back(&sparsespan::avx2);
#endif
  found.push_back(&sparsespan::baseline);
  return found;
}

const std::vector<const Kernel *> &kernels() {
  static const std::vector<const Kernel *> found = find_kernels();
  return found;
}

struct Release {
  void operator()(void *memory) const { ::operator delete(memory, std::align_val_t(64)); }
};

inline const sparsespan::Runs<double> &runs(const Kernel &kernel, double) { return kernel.in64; }
inline const sparsespan::Runs<float> &runs(const Kernel &kernel, float) { return kernel.in32; }

template <class T> using Rows = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T> using Points = nb::ndarray<const T, nb::ndim<2>, nb::device::cpu>;
using Adjoint = nb::ndarray<double, nb::ndim<2>, nb::device::cpu>;
using Mass = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Active = nb::ndarray<std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <Function FUNCTION, class T>
void add(std::size_t isa, Rows<T> rows, Points<T> points, double level, Adjoint adjoint, Mass mass, Active active) {
  const std::size_t dim = rows.shape(1), starts = points.shape(1);
  if (dim < 1 || points.shape(0) != dim || adjoint.shape(0) != dim || adjoint.shape(1) != starts ||
      mass.shape(0) != starts || active.shape(0) != starts || (starts > 1 && adjoint.stride(1) != 1))
    throw std::invalid_argument("shapes of rows, points and sums do not belong together");
  if (!(level >= 0) || isa >= kernels().size()) throw std::invalid_argument("negative level or unknown kernel");
  const sparsespan::Runs<T> &run = runs(*kernels()[isa], T());
  Pass<T> pass{rows.data(),         Index(rows.shape(0)), Index(dim),       points.data(),
               Index(starts),       points.stride(0),     points.stride(1), T(level) + T(0),
               adjoint.data(),      adjoint.stride(0),    mass.data(),      active.data(),
               nullptr};
  nb::gil_scoped_release release;
  const std::size_t bytes = std::size_t(run.scratch(pass.dim)) * sizeof(T);
  std::unique_ptr<void, Release> memory(::operator new(bytes, std::align_val_t(64)));
  pass.scratch = static_cast<T *>(memory.get());
  run.of[std::size_t(FUNCTION)](pass);
}

nb::tuple names() {
  nb::list found;
  for (const Kernel *kernel : kernels()) found.append(kernel->name);
  return nb::tuple(found);
}

template <Function FUNCTION, class T> void define(nb::module_ &module, const char *name, const char *what) {
  module.def(name, &add<FUNCTION, T>, nb::arg(), nb::arg().noconvert(), nb::arg().noconvert(), nb::arg(),
             nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().noconvert(), what);
}

}  // namespace

NB_MODULE(_fused, module) {
  module.doc() = "The batched step as compiled kernels, one for each instruction set of this processor.";
  module.def("isas", &names, "Names of the kernels that run here, best first.");
  const char *shrink = "Add the sums of one pass of the soft threshold over `rows`; `isa` counts in isas().";
  define<Function::shrink, double>(module, "add_shrunk", shrink);
  define<Function::shrink, float>(module, "add_shrunk", shrink);
  const char *attract = "Add the sums of one pass of the pull of zero over `rows`; `isa` counts in isas().";
  define<Function::attract, double>(module, "add_attracted", attract);
  define<Function::attract, float>(module, "add_attracted", attract);
}
