// Input, Buffer, Domain and Root.
#include "python/handles.h"

namespace strata::python {

void add_handles(nb::module_& m) {
  nb::class_<Input> input(
      m, "Input",
      "Data passed to the kernel. x[i, j] reads an element: indices count from 0. Function.input\n"
      "makes one.");
  add_elements(input);
  input.def("__repr__", [](const Input& self) { return self.name(); });
  nb::class_<Buffer>(m, "Buffer", "Memory for values: an argument of the kernel, or temporary.")
      .def(nb::init<std::string>(), "name"_a)
      .def_prop_ro("name", [](const Buffer& self) { return self.name(); })
      .def("__repr__", [](const Buffer& self) { return "Buffer('" + self.name() + "')"; })
      .def("set_memory", Command<Memory>::of(&Buffer::set_memory), "memory"_a,
           "Where the buffer is: an input's in constant memory, others in any other (E0106).")
      .def("tag_gpu_global", Command<>::of(&Buffer::tag_gpu_global), "set_memory(Memory.global_).")
      .def("tag_gpu_shared", Command<>::of(&Buffer::tag_gpu_shared), "set_memory(Memory.shared).")
      .def("tag_gpu_local", Command<>::of(&Buffer::tag_gpu_local), "set_memory(Memory.local).")
      .def("tag_gpu_constant", Command<>::of(&Buffer::tag_gpu_constant),
           "set_memory(Memory.constant).");
  nb::class_<Domain>(m, "Domain",
                     "A set of instances in isl's notation:\n"
                     "Domain(\"[N] -> { S[i, j] : 0 <= i <= j < N }\").")
      .def(nb::init<std::string>(), "text"_a)
      .def_ro("text", &Domain::text)
      .def("__repr__", [](const Domain& self) { return "Domain('" + self.text + "')"; });
  nb::class_<Root>(m, "Root", "The type of strata.root: no loop.").def("__repr__", [](const Root&) {
    return "root";
  });
  m.attr("root") = nb::cast(Root());
}

}  // namespace strata::python
