// The CPU that a schedule asks about, and the runtime's settings.
#include "core/machine/machine.h"

#include <strata/runtime.h>

#include "python/bind.h"
#include "python/module.h"

namespace strata::python {

namespace {

void add_machine_class(nb::module_& m) {
  nb::class_<Cache>(m, "Cache", "A data cache.")
      .def_ro("bytes", &Cache::bytes)
      .def_ro("sharing", &Cache::sharing);
  nb::class_<Machine>(m, "Machine", "What a schedule needs to know about a CPU.")
      .def_ro("cpu", &Machine::cpu)
      .def_ro("target", &Machine::target)
      .def_ro("vector_bits", &Machine::vector_bits)
      .def_ro("vector_registers", &Machine::vector_registers)
      .def_ro("line", &Machine::line)
      .def_ro("caches", &Machine::caches)
      .def_ro("cores", &Machine::cores)
      .def(
          "lanes", [](const Machine& self, const TypeName& t) { return self.lanes(t.value); },
          "type"_a, "The number of values in a vector.")
      .def(
          "product_tile",
          [](const Machine& self, const TypeName& t, int widest) {
            const RegisterTile tile = self.product_tile(t.value, widest);
            return std::pair(tile.rows, tile.columns);
          },
          "type"_a, "widest"_a = 4,
          nb::sig("def product_tile(self, type: TypeLike, widest: int = 4) -> Pair"),
          "The register tile of a matrix product: rows and columns.")
      .def("sums_in_flight", &Machine::sums_in_flight,
           "The number of vectors of sums that keep the multiply-add units busy.")
      .def("filter_rows", &Machine::filter_rows, "taps"_a, "The rows of a filter's tile.")
      .def("fitting", &Machine::fitting, "level"_a, "bytes"_a,
           "The most elements of so many bytes, a power of two, that fill half a cache.")
      .def("square", &Machine::square, "level"_a, "bytes"_a,
           "The side of a square of elements that fits in half a cache.");
}

}  // namespace

void add_machine(nb::module_& m) {
  add_machine_class(m);
  m.def("machine", &machine, "target"_a = "host",
        "The machine of a target: \"host\", LLVM's name of a CPU, or a Halide target (E0501).");
  m.def(
      "set_number_of_threads", &strata_set_number_of_threads, "number"_a,
      "How many threads run parallel loops; 0: the number of cores. Returns the previous number.");
  m.def("number_of_threads", &strata_number_of_threads, "How many threads run parallel loops.");
  m.def(
      "gpu_available",
      [](const std::string& api) { return strata_gpu_available(api.c_str()) != 0; }, "api"_a,
      "Can kernels run on a GPU through \"opencl\" or \"cuda\"?");
}

}  // namespace strata::python
