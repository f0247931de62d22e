// Passes, the contexts that they run in, and the rewriter.
#include "graph/pass/context.h"
#include "graph/pass/groups.h"
#include "graph/pass/instruments.h"
#include "graph/pass/passes.h"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/variant.h>

#include "graph/build/passes.h"
#include "graph/builder/rewriter.h"
#include "python/bind.h"
#include "python/graph.h"
#include "python/graph_values.h"
#include "python/turns.h"

namespace strata::python {

namespace {

using graph::Binding;
using graph::Block;
using graph::GraphFunction;
using graph::Instrument;
using graph::Module;
using graph::Pass;
using graph::PassContext;
using graph::PassInfo;
using graph::PassTimes;
using graph::Rewriter;
using graph::TensorKernel;

// The object that an author's pass returns. E0605 if it is of another kind.
template <typename T>
T returned(nb::handle result, const PassInfo& info, const char* kind) {
  if (nb::isinstance<T>(result)) return nb::cast<T>(result);
  throw Request{info.name, python_line()}.refused(
      Code::E0605_pass_broke_contract,
      std::string("it returns ") + nb::cast<std::string>(nb::repr(result)) + ", and no " + kind,
      std::string("return a ") + kind);
}

Pass module_pass(const PassInfo& info, const nb::object& run) {
  return Pass(info, [info, f = held(run)](const Module& module, const PassContext& context) {
    return returned<Module>(nb::handle(f.get())(module, context), info, "Module");
  });
}

// A pass over the parts of one kind in modules. "make" is the C++ function of this name.
template <typename Part, typename Make>
Pass pass_over(const Make& make, const char* kind, const PassInfo& info, const nb::object& run) {
  return make(info, [info, kind, f = held(run)](const Part& part, const Module& module,
                                                const PassContext& context) {
    return returned<Part>(nb::handle(f.get())(part, module, context), info, kind);
  });
}

// ---- contexts ----

// The contexts that "with" has entered in this thread.
std::vector<std::shared_ptr<PassContext>>& entered() {
  thread_local std::vector<std::shared_ptr<PassContext>> all;
  return all;
}

void enter(const std::shared_ptr<PassContext>& context) {
  graph::enter_context(*context, python_line());
  entered().push_back(context);
}

void leave(const std::shared_ptr<PassContext>& context) {
  if (entered().empty() || entered().back() != context)
    throw Request{"PassContext", python_line()}.refused(
        Code::E0606_bad_context, "it is not the innermost context of this thread",
        "enter and leave it with a with statement");
  entered().pop_back();
  graph::leave_context(*context);
}

bool is_true(const nb::object& object) {
  const int truth = PyObject_IsTrue(object.ptr());
  if (truth < 0) throw nb::python_error();
  return truth == 1;
}

// An instrument that calls the methods that "object" has.
std::shared_ptr<Instrument> instrument_of(const nb::object& object) {
  if (nb::isinstance<PassTimes>(object)) return nb::cast<const PassTimes&>(object).instrument();
  if (nb::isinstance<Instrument>(object)) return nb::cast<std::shared_ptr<Instrument>>(object);
  const auto made = std::make_shared<Instrument>();
  made->name = nb::cast<std::string>(nb::str(object.type().attr("__name__")));
  const auto method = [&](const char* name) {
    return nb::hasattr(object, name) ? held(object.attr(name)) : Held();
  };
  const auto called = [](const Held& f, const auto&... given) {
    return nb::handle(f.get())(given...);
  };
  if (const Held f = method("enter_pass_ctx")) made->enter_pass_ctx = [=] { called(f); };
  if (const Held f = method("exit_pass_ctx")) made->exit_pass_ctx = [=] { called(f); };
  if (const Held f = method("should_run"))
    made->should_run = [=](const Module& module, const PassInfo& info) {
      return is_true(called(f, module, info));
    };
  if (const Held f = method("run_before_pass"))
    made->run_before_pass = [=](const Module& module, const PassInfo& info) {
      called(f, module, info);
    };
  if (const Held f = method("run_after_pass"))
    made->run_after_pass = [=](const Module& module, const PassInfo& info) {
      called(f, module, info);
    };
  return made;
}

std::shared_ptr<PassContext> context_of(int opt_level, std::vector<std::string> required,
                                        std::vector<std::string> disabled,
                                        const graph::Config& config,
                                        const std::vector<nb::object>& instruments) {
  const auto made = std::make_shared<PassContext>();
  *made = {opt_level, std::move(required), std::move(disabled), config, {}};
  for (const nb::object& object : instruments) made->instruments.push_back(instrument_of(object));
  return made;
}

void print_in_python(const std::string& text) {
  nb::module_::import_("builtins").attr("print")(text, "end"_a = "");
}

void add_instruments(nb::module_& m) {
  nb::class_<Instrument>(m, "Instrument", "Watches passes.").def_ro("name", &Instrument::name);
  nb::class_<PassTimes>(m, "PassTimes", "Takes the time of passes.")
      .def(nb::init<>())
      .def("render", &PassTimes::render,
           "A line for each pass, below the one that ran it; forgets them.");
  m.def("print_before", [] { return graph::print_before(&print_in_python); });
  m.def("print_after", [] { return graph::print_after(&print_in_python); });
}

void add_contexts(nb::module_& m) {
  nb::class_<PassContext>(m, "PassContext", "What passes run in; see transform.PassContext.")
      .def_ro("opt_level", &PassContext::opt_level)
      .def_ro("required_pass", &PassContext::required_pass)
      .def_ro("disabled_pass", &PassContext::disabled_pass)
      .def_ro("config", &PassContext::config)
      .def_prop_ro("num_instruments",
                   [](const PassContext& self) { return self.instruments.size(); })
      .def("pass_enabled", &PassContext::enabled, "info"_a, "Would a Sequential run the pass here?")
      .def(
          "option",
          [](const PassContext& self, const std::string& key) {
            return self.option(key, python_line());
          },
          "key"_a, "The value of an option, or its default. E0606 for an unknown one.");
  m.def("pass_context", &context_of, "opt_level"_a, "required_pass"_a, "disabled_pass"_a,
        "config"_a, "instruments"_a);
  m.def("enter_context", &enter, "context"_a);
  m.def("leave_context", &leave, "context"_a);
  m.def(
      "override_instruments",
      [](const std::shared_ptr<PassContext>& context, const std::vector<nb::object>& instruments) {
        graph::Instruments others;
        for (const nb::object& object : instruments) others.push_back(instrument_of(object));
        (context ? *context : PassContext::current()).override_instruments(others);
      },
      "context"_a.none(), "instruments"_a);
  m.def("current_context", [] { return PassContext(PassContext::current()); });
  m.def(
      "register_option",
      [](const std::string& key, const graph::ConfigValue& standard) {
        graph::register_option(key, standard, python_line());
      },
      "key"_a, "default"_a,
      "A key of the configuration, with its type and default. E0104 if it is there.");
}

// ---- passes ----

void add_passes_by_kind(nb::module_& m) {
  nb::class_<PassInfo>(m, "PassInfo", "What a pass is called, and when a Sequential runs it.")
      .def_ro("name", &PassInfo::name)
      .def_ro("opt_level", &PassInfo::opt_level)
      .def_ro("required", &PassInfo::required);
  nb::class_<Pass>(m, "Pass", "A function from Module to Module. Called directly, it always runs.")
      .def_prop_ro("info", &Pass::info)
      .def(
          "__call__",
          [](const Pass& self, const Module& module) { return self(module, python_line()); },
          "module"_a)
      .def("__repr__", [](const Pass& self) {
        return "Pass(" + self.info().name + ", opt_level=" + std::to_string(self.info().opt_level) +
               ")";
      });
  const auto info_of = [](const std::string& name, int level, std::vector<std::string> required) {
    return PassInfo{name, level, std::move(required)};
  };
  m.def("pass_info", info_of, "name"_a, "opt_level"_a, "required"_a);
  m.def("module_pass", &module_pass, "info"_a, "run"_a);
  m.def(
      "function_pass",
      [](const PassInfo& info, const nb::object& run) {
        return pass_over<GraphFunction>(&graph::function_pass, "GraphFunction", info, run);
      },
      "info"_a, "run"_a);
  m.def(
      "kernel_pass",
      [](const PassInfo& info, const nb::object& run) {
        return pass_over<TensorKernel>(&graph::kernel_pass, "TensorKernel", info, run);
      },
      "info"_a, "run"_a);
  m.def(
      "dataflow_pass",
      [](const PassInfo& info, const nb::object& run) {
        return pass_over<Block>(&graph::dataflow_pass, "Block", info, run);
      },
      "info"_a, "run"_a);
  m.def("sequential", &graph::sequential, "passes"_a, "info"_a);
  m.def(
      "register_pass", [](const Pass& pass) { graph::register_pass(pass, python_line()); },
      "pass_"_a, "Makes a pass known by its name, to those that require it. E0104 if it is taken.");
  m.def(
      "find_pass", [](const std::string& name) { return graph::find_pass(name, python_line()); },
      "name"_a, "E0603 if there is none, with the nearest name.");
}

// The layouts that an author's function returns: (arguments, results). A single layout may stand
// for a list of one. E0605 for anything else.
std::optional<graph::WantedLayouts> wanted_layouts(nb::handle returned, const std::string& callee) {
  if (returned.is_none()) return std::nullopt;
  const auto texts_of = [](nb::handle object) {
    std::vector<std::string> texts;
    LayoutTexts list;
    if (std::string one; object.is_none())
      list.emplace_back();
    else if (nb::try_cast(object, one))
      list.emplace_back(one);
    else
      list = nb::cast<LayoutTexts>(object);
    for (const auto& text : list) texts.push_back(text.value_or(""));
    return texts;
  };
  try {
    const auto [arguments, results] = nb::cast<std::pair<nb::object, nb::object>>(returned);
    return graph::WantedLayouts{texts_of(arguments), texts_of(results)};
  } catch (const nb::cast_error&) {
    throw Request{"AlterOpLayout(" + callee + ")", python_line()}.refused(
        Code::E0605_pass_broke_contract,
        "the alteration returns " + nb::cast<std::string>(nb::repr(returned)) + ", and no layouts",
        "return (['NCHW16c', None], 'NCHW16c'), or None");
  }
}

graph::Alteration alteration_of(const std::string& callee, const nb::object& function, int level) {
  if (!PyCallable_Check(function.ptr())) throw nb::type_error("alteration: it is not a function");
  return {callee,
          [callee, f = held(function)](const graph::OperatorCall& call,
                                       const graph::ValueType& result) {
            return wanted_layouts(
                nb::handle(f.get())(python_attributes(call.attributes), call.arguments, result),
                callee);
          },
          level};
}

void add_layouts(nb::module_& m) {
  nb::class_<graph::Alteration>(m, "Alteration", "What calls of an operator want; see alteration.")
      .def_ro("callee", &graph::Alteration::callee)
      .def_ro("level", &graph::Alteration::level);
  m.def("alteration_of", &alteration_of, "callee"_a, "function"_a, "level"_a);
  m.def(
      "alter_op_layout",
      [](const std::vector<graph::Alteration>& alterations) {
        return graph::alter_op_layout(alterations, python_line());
      },
      "alterations"_a);
}

void add_passes_of_library(nb::module_& m) {
  m.def("infer_type", &graph::infer_type);
  m.def("to_a_normal_form", &graph::to_a_normal_form);
  m.def("dead_code_elimination", &graph::dead_code_elimination);
  m.def("fold_constant", &graph::fold_constant);
  m.def("fma_rewrite", &graph::fma_rewrite);
  m.def("combine_parallel_products", &graph::combine_parallel_products);
  m.def("choose_layouts", &graph::choose_layouts);
  m.def("fuse_ops", &graph::fuse_ops, "level"_a);
  m.def("fuse_by_bytes", &graph::fuse_by_bytes);
  m.def("to_non_dataflow", &graph::to_non_dataflow);
  m.def("call_kernel_rewrite", &graph::call_kernel_rewrite);
  m.def("plan_memory", &graph::plan_memory);
  m.def("memory_lower", &graph::memory_lower);
  m.def("kill_after_last_use", &graph::kill_after_last_use);
  m.def("shape_lower", &graph::shape_lower);
  m.def(
      "text_of_groups",
      [](const graph::Module& module, int level, bool by_bytes) {
        return graph::text_of_groups(module, {level, by_bytes});
      },
      "module"_a, "level"_a, "by_bytes"_a);
  nb::class_<graph::Group>(m, "Group",
                           "What FuseOps or FuseByBytes makes one kernel; see transform.groups.")
      .def_ro("function", &graph::Group::function, "The primitive function.")
      .def_ro("edges", &graph::Group::edges,
              "A line for each edge inside and at the border: fused or apart, and by which rule.")
      .def(
          "why",
          [](const graph::Group& group) {
            const Where where = python_line();
            const Compilation compilation(std::make_shared<const Maker>("why"));
            return group.why(where);
          },
          "The edges; then, for each kernel, where it computes each member, what was refused, and\n"
          "why it is not scheduled, or not one. Compiles the kernels, unless this process has "
          "them.\n"
          "\n"
          "Errors: as compile.");
  m.def(
      "groups_of",
      [](const graph::Module& module, int level, bool by_bytes) {
        return graph::groups_of(module, {level, by_bytes});
      },
      "module"_a, "level"_a, "by_bytes"_a);
  m.def(
      "eliminate_common_subexpr",
      [](const nb::object& is_exempt) {
        if (is_exempt.is_none()) return graph::eliminate_common_subexpr();
        return graph::eliminate_common_subexpr(
            [f = held(is_exempt)](const Binding& b) { return is_true(nb::handle(f.get())(b)); });
      },
      "is_exempt"_a.none());
  m.def(
      "print_ir",
      [](const std::string& header) { return graph::print_ir(header, &print_in_python); },
      "header"_a);
}

void add_rewriter(nb::module_& m) {
  nb::class_<Rewriter>(m, "Rewriter", "Makes a function of another one; see transform.rewritten.")
      .def_prop_ro("is_dataflow", &Rewriter::is_dataflow, "Is the binding in a dataflow block?")
      .def(
          "sees",
          [](const Rewriter& self, nb::handle leaf) { return self.sees(value_of(leaf, "sees")); },
          "leaf"_a.none(), "Can the next binding use this leaf?")
      .def(
          "lookup",
          [](const Rewriter& self, const graph::Value& variable) -> std::optional<Binding> {
            const Binding* b = self.lookup(variable);
            return b ? std::optional(*b) : std::nullopt;
          },
          "variable"_a, "Its binding in the new function; None for parameters and constants.")
      .def("keep", &Rewriter::keep, "binding"_a)
      .def(
          "replace",
          [](Rewriter& self, const graph::Value& variable, nb::handle leaf) {
            self.replace(variable, value_of(leaf, "replace"));
          },
          "variable"_a, "leaf"_a.none(), "Uses of the variable become uses of the leaf.")
      .def(
          "emit",
          [](Rewriter& self, nb::handle value) { return self.emit(value_of(value, "emit")); },
          "value"_a.none(), "A new variable, bound before what follows.");
  m.def(
      "rewritten",
      [](nb::handle program, const nb::object& f,
         const std::optional<Module>& module) -> nb::object {
        const auto rewrite = [&](Rewriter& r, const Binding& b) {
          f(nb::cast(&r, nb::rv_policy::reference), b);
        };
        if (nb::isinstance<Module>(program))
          return nb::cast(
              graph::rewritten(nb::cast<const Module&>(program), rewrite, python_line()));
        const auto& function = nb::cast<const GraphFunction&>(program);
        return nb::cast(
            graph::rewritten(function, module.value_or(Module()), rewrite, python_line())
                .value_or(function));
      },
      "program"_a, "f"_a, "module"_a = nb::none(),
      nb::sig("def rewritten(program: Program, f: Callable[[Rewriter, Binding], object], module: "
              "Module | None = None) -> Program"));
  m.def(
      "with_function",
      [](Module module, const GraphFunction& f) {
        module.set(f);
        return module;
      },
      "module"_a, "function"_a);
}

}  // namespace

void add_graph_passes(nb::module_& m) {
  add_instruments(m);
  add_contexts(m);
  add_passes_by_kind(m);
  add_passes_of_library(m);
  add_layouts(m);
  add_rewriter(m);
}

}  // namespace strata::python
