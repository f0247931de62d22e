// The machine, and what makes its executables.
#include <nanobind/stl/filesystem.h>

#include "graph/build/build.h"
#include "graph/evaluate/element.h"
#include "graph/vm/element_type.h"
#include "graph/vm/exec_builder.h"
#include "graph/vm/machine.h"
#include "python/bind.h"
#include "python/graph.h"
#include "python/graph_values.h"
#include "python/turns.h"

namespace strata::python {

namespace {

using graph::CompiledModule;
using graph::ExecBuilder;
using graph::Executable;
using graph::Module;
using graph::ValueType;
using graph::VirtualMachine;
using graph::VmClosure;
using graph::VmOperand;
using graph::VmValue;

bool is_element_type(nb::handle object) {
  return nb::isinstance<Type>(object) || PyType_Check(object.ptr()) ||
         nb::isinstance(object, nb::module_::import_("numpy").attr("dtype"));
}

// An operand, or a value that becomes a constant. An int becomes an integer, a tuple of ints a
// shape, and a type of elements its name.
ExecBuilder::Argument argument_of(nb::handle object) {
  if (nb::isinstance<VmOperand>(object)) return nb::cast<VmOperand>(object);
  if (is_element_type(object))
    if (const auto type = find_type(object))
      return VmValue(graph::name_of(graph::element_type_of(*type)));
  return vm_value_of(object, graph::ValueType::shape(std::optional<int>()), "an argument");
}

void emit_call(ExecBuilder& self, const std::string& name, const std::vector<nb::object>& args,
               const std::optional<VmOperand>& dst) {
  std::vector<ExecBuilder::Argument> arguments;
  for (const nb::object& object : args) arguments.push_back(argument_of(object));
  self.emit_call(name, arguments, dst);
}

// A machine that knows the types of parameters, if a module was built for it.
struct Machine : VirtualMachine {
  Machine(const Executable& executable, Functions kernels, const nb::dict& others, Module lowered)
      : VirtualMachine(executable, with(std::move(kernels), others)), module(std::move(lowered)) {}

  Module module;

  static Functions with(Functions kernels, const nb::dict& others) {
    for (const auto& [name, function] : others) {
      const std::string text = nb::cast<std::string>(name);
      kernels[text] = packed_function(text, nb::borrow(function));
    }
    return kernels;
  }
};

nb::object called(const Machine& self, const std::string& name, const nb::args& given) {
  const graph::GraphFunction* f = self.module.function(name);
  const std::vector<VmValue> arguments = f ? vm_values_of(given, *f) : vm_values_of(given);
  const auto result = [&] {
    // Some operators are compiled when they run; a fork waits, but not for packed functions.
    const Compilation compilation(std::make_shared<const Maker>("a call of a machine"));
    return self(name, arguments);
  };
  return python_value(result());
}

nb::object invoked(const Machine& self, const VmClosure& closure, const nb::args& given) {
  const std::vector<VmValue> arguments = vm_values_of(given);
  const auto result = [&] {
    const Compilation compilation(std::make_shared<const Maker>("a call of a machine"));
    return self.invoke(VmValue::object(closure), arguments);
  };
  return python_value(result());
}

void add_builder(nb::module_& m) {
  nb::class_<VmOperand>(m, "VmOperand", "A register, an immediate, a constant or a function.")
      .def_ro("value", &VmOperand::value, "Its number.");
  nb::class_<ExecBuilder>(m, "ExecBuilder", "Makes executables; see strata.vm.")
      .def(nb::init<>())
      .def("begin_function", &ExecBuilder::begin_function, "name"_a, "num_inputs"_a)
      .def("end_function", &ExecBuilder::end_function)
      .def("abandon_function", &ExecBuilder::abandon_function)
      .def_static("r", &ExecBuilder::r, "number"_a, "A register.")
      .def_static("c", &ExecBuilder::c, "number"_a, "A constant of the pool.")
      .def_static("imm", &ExecBuilder::imm, "value"_a, "A number of 56 bits.")
      .def_static("vm_state", &ExecBuilder::vm_state, "The machine itself.")
      .def_static("void_register", &ExecBuilder::void_register, "No destination.")
      .def("f", &ExecBuilder::f, "name"_a, "A function, as a value.")
      .def(
          "constant",
          [](ExecBuilder& self, nb::handle value) {
            const ExecBuilder::Argument argument = argument_of(value);
            const auto* operand = std::get_if<VmOperand>(&argument);
            return operand ? *operand : self.constant(std::get<VmValue>(argument));
          },
          "value"_a,
          "An array, an int, a text, a shape or a type of elements in the pool; equal ones are "
          "one.")
      .def("emit_call", &emit_call, "name"_a, "args"_a = nb::list(), "dst"_a.none() = nb::none())
      .def("emit_ret", &ExecBuilder::emit_ret, "result"_a)
      .def("emit_goto", &ExecBuilder::emit_goto, "pc_offset"_a)
      .def("emit_if", &ExecBuilder::emit_if, "cond"_a, "false_offset"_a)
      .def("get", &ExecBuilder::get, "What has been built.")
      .def_prop_ro("warnings", &ExecBuilder::warnings, "Inputs that nobody reads.");
}

CompiledModule built(const Module& module, bool interpreted) {
  const Where where = python_line();
  const Compilation compilation(std::make_shared<const Maker>("build"));
  return graph::build(module, {interpreted ? graph::RunBy::interpreter : graph::RunBy::kernels},
                      where);
}

void add_build(nb::module_& m) {
  nb::class_<CompiledModule>(m, "CompiledModule", "A module that was built for machines.")
      .def_ro("executable", &CompiledModule::executable, "Its code.")
      .def_ro("lowered", &CompiledModule::lowered, "The module that the code is of.")
      .def_prop_ro(
          "kernels",
          [](const CompiledModule& self) {
            std::vector<std::string> names;
            for (const auto& [name, function] : self.kernels) names.push_back(name);
            return names;
          },
          "The names of its kernels.")
      .def(
          "save_library",
          [](const CompiledModule& self, const std::filesystem::path& folder,
             const std::string& name, const std::string& target, const std::string& backend) {
            const Where where = python_line();
            const Compilation compilation(std::make_shared<const Maker>("save_library"));
            self.save_library(folder, name, {target, backend}, where);
          },
          "folder"_a, "name"_a, nb::kw_only(), "target"_a = "host", "backend"_a = "",
          nb::sig("def save_library(self, folder: str | os.PathLike[str], name: str, *, "
                  "target: str = 'host', backend: str = '') -> None"),
          "Writes the model as a C library: NAME.h, NAME.c, NAME_kernels.a and NAME.weights.\n"
          "\n"
          "Errors, before a file is written: E0105 the name, E0503 the folder, E0601 what C "
          "cannot\n"
          "do: packed functions, recursion, extents that depend on data.");
  m.def("build", &built, "module"_a, nb::kw_only(), "interpreted"_a = false,
        "The module for a vm.VirtualMachine: fused by the passes that the current context enables\n"
        "of FoldConstant, EliminateCommonSubexpr, CombineParallelProducts, ChooseLayouts and\n"
        "FuseByBytes, lowered, and compiled, or with kernels that the interpreter evaluates.\n"
        "\n"
        "Errors: E0601 the module breaks a rule, or calls a packed function that has the name of\n"
        "a global; those of the passes, and those of compile.");
}

}  // namespace

void add_graph_machine(nb::module_& m) {
  nb::exception<graph::VmError>(m, "VmError", PyExc_RuntimeError);
  add_builder(m);
  nb::class_<Executable>(m, "Executable", "What a machine runs.")
      .def("stats", &Executable::stats, "How many constants, functions and callees there are.")
      .def("astext", &Executable::astext, "An instruction a line.")
      .def("aspython", &Executable::aspython, "A Python program that makes an equal executable.")
      .def("save", &Executable::save, "path"_a)
      .def_static("load", &Executable::load_file, "path"_a)
      .def_prop_ro("functions",
                   [](const Executable& self) {
                     std::vector<std::string> names;
                     for (const auto& f : self.functions) names.push_back(f.name);
                     return names;
                   })
      .def("__str__", &Executable::astext);
  add_build(m);
  nb::class_<VmClosure>(m, "Closure",
                        "A function as a value, with the arguments that it has already.")
      .def_ro("function", &VmClosure::function, "Its name.")
      .def_prop_ro(
          "num_captured", [](const VmClosure& self) { return self.captured.size(); },
          "How many arguments it has.");
  nb::class_<Machine>(m, "VirtualMachine", "Runs an executable; see strata.vm.")
      .def(
          "__init__",
          [](Machine* self, const Executable& executable, const nb::dict& kernels) {
            new (self) Machine(executable, {}, kernels, {});
          },
          "executable"_a, "kernels"_a = nb::dict(),
          nb::sig("def __init__(self, executable: Executable, kernels: Mapping[str, "
                  "Callable[..., object]] = {}) -> None"))
      .def(
          "__init__",
          [](Machine* self, const CompiledModule& built, const nb::dict& kernels) {
            new (self) Machine(built.executable, built.kernels, kernels, built.lowered);
          },
          "executable"_a, "kernels"_a = nb::dict(),
          nb::sig("def __init__(self, executable: CompiledModule, kernels: Mapping[str, "
                  "Callable[..., object]] = {}) -> None"))
      .def("call", &called, "name"_a, "arguments"_a,
           nb::sig("def call(self, name: str, /, *arguments: object) -> Any"))
      .def("invoke", &invoked, "closure"_a, "arguments"_a,
           nb::sig("def invoke(self, closure: Closure, /, *arguments: object) -> Any"),
           "The result of a function as a value.");
}

}  // namespace strata::python
