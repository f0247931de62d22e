// Function: kernels, and questions about them before they are compiled.
#include <nanobind/stl/bind_vector.h>

#include "core/remark.h"
#include "core/stage.h"
#include "python/bind.h"
#include "python/kernel.h"
#include "python/module.h"
#include "strata/codegen_options.h"

namespace strata::python {

namespace {

using Buffers = std::vector<BufferName>;

std::vector<Buffer> list(const Buffers& buffers) {
  return Passed<const std::vector<Buffer>&>::value(buffers);
}

// The address of an int, of an object with an address (numba's cfunc), or of a ctypes function.
void* address_of(nb::handle function) {
  if (PyUnicode_Check(function.ptr()) || PyBytes_Check(function.ptr()) || function.is_none())
    throw nb::type_error("a C function is an address, a ctypes function or a cfunc of numba");
  nb::object number = nb::borrow(function);
  if (nb::hasattr(function, "address"))
    number = function.attr("address");
  else if (!PyIndex_Check(function.ptr()))
    number = nb::module_::import_("ctypes")
                 .attr("cast")(function, nb::module_::import_("ctypes").attr("c_void_p"))
                 .attr("value");
  std::uintptr_t address = 0;
  if (!nb::try_cast(number, address) || address == 0)
    throw nb::type_error("a C function is an address, a ctypes function or a cfunc of numba");
  return reinterpret_cast<void*>(address);
}

std::map<std::string, void*> addresses_of(const nb::dict& functions) {
  std::map<std::string, void*> addresses;
  for (const auto [key, function] : functions) {
    std::string name;
    if (!nb::try_cast(key, name)) throw nb::type_error("the name of a C function is a str");
    addresses[name] = address_of(function);
  }
  return addresses;
}

PythonKernel jit(Function& self, const Buffers& arguments, const std::string& target, Floats floats,
                 bool profile, bool print_notes, const nb::dict& functions,
                 const std::string& backend) {
  const Where where = python_line();
  const std::vector<Buffer> buffers = list(arguments);
  const auto kept = nb::steal<nb::dict>(PyDict_Copy(functions.ptr()));  // the author's may change
  CodegenOptions options;
  options.target = target;
  options.floats = floats;
  options.profile = profile;
  options.print_notes = print_notes;
  options.functions = addresses_of(kept);
  options.backend = backend;
  StageTimes times;
  KernelFacts facts;
  JitFunction code;
  {
    const Compilation turn(owner_of(self));
    code = self.jit(buffers, options, &times, where);
    facts = facts_of(self, target);
  }
  return PythonKernel(std::move(code), std::move(facts), std::move(times), kept);
}

StageTimes codegen(Function& self, const Buffers& arguments, const std::string& object,
                   const std::string& target, Floats floats, bool profile,
                   const std::string& header, const std::string& assembly, bool print_notes,
                   const std::string& backend) {
  const Where where = python_line();
  const std::vector<Buffer> buffers = list(arguments);
  const CodegenOptions options{target, floats, profile, header, assembly, print_notes, {}, backend};
  const Compilation turn(owner_of(self));
  return self.codegen(buffers, object, options, where);
}

void add_records(nb::module_& m) {
  nb::class_<StageTime>(m, "StageTime", "The CPU time of a stage of code generation.")
      .def_ro("part", &StageTime::part)
      .def_ro("stage", &StageTime::stage)
      .def_ro("seconds", &StageTime::seconds)
      .def("__repr__", [](const StageTime& self) {
        return self.part + ", " + self.stage + ": " + std::to_string(self.seconds) + " s";
      });
  nb::class_<Remark>(m, "Remark", "What may make a kernel slow, and what to do; str() is the text.")
      .def_ro("kind", &Remark::kind)
      .def_ro("computation", &Remark::computation)
      .def_ro("loop", &Remark::loop)
      .def_ro("seen", &Remark::seen)
      .def_ro("advice", &Remark::advice)
      .def_ro("commands", &Remark::commands, "What to give, as replay takes it.")
      .def_ro("kernel", &Remark::kernel)
      .def_prop_ro("file", [](const Remark& self) { return self.where.file; })
      .def_prop_ro("line", [](const Remark& self) { return self.where.line; })
      .def("__repr__", [](const Remark& self) { return render(self); });
  nb::bind_vector<Remarks>(m, "Remarks", "The remarks on a kernel: a list.")
      .def("json", &Remarks::json, "A list of objects in JSON.");
}

}  // namespace

void add_code_generation(nb::module_& m, FunctionClass& f) {
  add_records(m);
  f.def(
      "jit", &jit, "arguments"_a, nb::kw_only(), "target"_a = "host", "floats"_a = Floats::fast,
      "profile"_a = false, "print_notes"_a = true, "functions"_a = nb::dict(), "backend"_a = "",
      nb::sig("def jit(self, arguments: Sequence[BufferLike], *, target: str = 'host', "
              "floats: Floats = ..., profile: bool = False, print_notes: bool = True, "
              "functions: dict[str, Any] = {}, backend: str = '') -> Kernel"),
      "Compiles the kernel in this process. The arguments are every input, and each computation\n"
      "that is an output (E0115, E0116), or their buffers. \"functions\" are the C functions that\n"
      "the program calls, by name: addresses, ctypes functions or numba's cfuncs; others are\n"
      "looked up in the process (E0502). \"backend\" is \"halide\", or \"c\" for the system's C\n"
      "compiler; empty: what STRATA_BACKEND names, else Halide (E0106).");
  f.def(
      "codegen", &codegen, "arguments"_a, "object"_a, nb::kw_only(), "target"_a = "host",
      "floats"_a = Floats::fast, "profile"_a = false, "header"_a = "", "assembly"_a = "",
      "print_notes"_a = true, "backend"_a = "",
      "Writes an object file and a C header (\"object\" with .h) with\n"
      "int NAME(int64_t parameter.., struct halide_buffer_t *buffer..); returns the times of the\n"
      "stages. E0501 the target, E0503 the files.");
  f.def("communication", Command<const std::vector<Buffer>&>::of(&Function::communication),
        "arguments"_a, "What is allocated, copied and freed, and when, as text.");
  f.def("loops", Command<const std::vector<Buffer>&>::of(&Function::loops), "arguments"_a,
        "The generated loops in a C-like text.");
  f.def(
      "to_c",
      [](const Function& self, const Buffers& arguments, const std::string& target, Floats floats) {
        const Where where = python_line();
        CodegenOptions options;
        options.target = target;
        options.floats = floats;
        return self.to_c(list(arguments), options, where);
      },
      "arguments"_a, nb::kw_only(), "target"_a = "host", "floats"_a = Floats::fast,
      "The kernel as a file of C11. E0402, E0501, E0502.");
  f.def("remarks",
        Command<const std::vector<Buffer>&, const std::map<std::string, std::int64_t>&>::of(
            &Function::remarks),
        "arguments"_a, "sizes"_a = nb::dict(),
        "What may make the kernel slow, for these values of parameters, or about 1000.");
}

}  // namespace strata::python
