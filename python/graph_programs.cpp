// Computing tensors: evaluate, compile, create a Function.
#include "graph/compile/compile.h"
#include "graph/compile/function.h"
#include "graph/evaluate/evaluate.h"
#include "python/bind.h"
#include "python/graph.h"
#include "python/module.h"
#include "python/turns.h"

namespace strata::python {

namespace {

using graph::NDArray;
using graph::Tensor;

std::vector<NDArray> arrays_of(const std::vector<Tensor>& tensors, const nb::args& given) {
  std::vector<NDArray> arrays;
  for (std::size_t k = 0; k < given.size(); ++k)
    arrays.push_back(array_of(given[k], k < tensors.size() ? tensors[k].name() : "an argument"));
  return arrays;
}

nb::list evaluated(const std::vector<Tensor>& tensors, const nb::dict& given,
                   const graph::SymbolValues& symbols) {
  std::vector<graph::Argument> arguments;
  for (const auto& [key, value] : given) {
    const Tensor t = nb::cast<Tensor>(key);
    arguments.push_back({t, array_of(value, t.name())});
  }
  return python_arrays(graph::evaluate(tensors, arguments, symbols, python_line()));
}

graph::CompiledTensors compiled(const std::vector<Tensor>& tensors) {
  const Where where = python_line();
  // A fork waits for this compilation; no other compilation does.
  const Compilation compilation(std::make_shared<const Maker>("compile"));
  return graph::compile(tensors, where);
}

void add_compiled(nb::module_& m) {
  nb::class_<graph::CompiledTensors>(m, "CompiledTensors",
                                     "Kernels that compute tensors from their placeholders, for\n"
                                     "arrays of all extents.")
      .def_prop_ro("arguments", &graph::CompiledTensors::arguments,
                   "The placeholders, in the order of the arguments.")
      .def(
          "__call__",
          [](const graph::CompiledTensors& self, const nb::args& given, const nb::kwargs& symbols) {
            graph::SymbolValues values;
            for (const auto& [name, value] : symbols)
              values[nb::cast<std::string>(name)] = nb::cast<std::int64_t>(value);
            const std::vector<NDArray> arguments = arrays_of(self.arguments(), given);
            const Where where = python_line();
            const auto run = [&] {
              const Unlocked unlocked;
              return self(arguments, values, where);
            };
            return python_arrays(run());
          },
          nb::sig("def __call__(self, *arrays: object, **symbols: int) -> list[Array]"));
  m.def("compile", &compiled, "tensors"_a, "Errors: as create_function, and Function.jit.");
  m.def(
      "kernel_counts",
      [] {
        const graph::KernelCounts counts = graph::kernel_counts();
        nb::dict all;
        all["compiled"] = counts.compiled;
        all["shared"] = counts.shared;
        all["stored"] = counts.stored;
        return all;
      },
      nb::sig("def kernel_counts() -> dict[str, int]"),
      "How often a kernel was compiled in this process, found there, and found on disk.");
}

}  // namespace

void add_tensor_programs(nb::module_& m) {
  add_compiled(m);
  m.def("evaluate", &evaluated, "tensors"_a, "arrays"_a, "symbols"_a = graph::SymbolValues(),
        nb::sig("def evaluate(tensors: Sequence[Tensor], arrays: Mapping[Tensor, object], symbols: "
                "Mapping[str, int] = {}) -> list[Array]"));
  m.def(
      "create_function",
      [](const std::string& name, const std::vector<Tensor>& tensors) {
        graph::TensorFunction made = graph::create_function(name, tensors, python_line());
        return std::pair(made.function, made.arguments);
      },
      "name"_a, "tensors"_a);
}

}  // namespace strata::python
