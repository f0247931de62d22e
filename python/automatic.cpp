// Function: automatic schedules.
#include <algorithm>

#include "python/bind.h"
#include "python/module.h"
#include "python/turns.h"

namespace strata::python {

namespace {

void add_report(nb::module_& m) {
  nb::class_<Report> report(m, "Report", "What autoschedule did, and why; str() is the text.");
  nb::class_<Report::Tried>(report, "Tried", "A candidate of autoschedule.")
      .def_ro("text", &Report::Tried::text)
      .def_ro("cycles", &Report::Tried::cycles, "By the model.")
      .def_ro("largest", &Report::Tried::largest, "The term that takes most of them.")
      .def_ro("outcome", &Report::Tried::outcome);
  nb::class_<Report::Member>(report, "Member", "What became of a computation.")
      .def_ro("computation", &Report::Member::computation)
      .def_ro("where", &Report::Member::where);
  report.def_ro("changed", &Report::changed)
      .def_ro("commands", &Report::commands, "What was given, as replay takes it.")
      .def_ro("cycles_before", &Report::cycles_before)
      .def_ro("cycles", &Report::cycles)
      .def_ro("why_unchanged", &Report::why_unchanged)
      .def_ro("sizes", &Report::sizes)
      .def_ro("tried", &Report::tried, "The fastest first, by the model.")
      .def_ro("refused", &Report::refused, "The number of candidates that were illegal.")
      .def_ro("members", &Report::members)
      .def("text", &Report::text)
      .def("__repr__", &Report::text);
}

}  // namespace

void add_automatic(nb::module_& m, FunctionClass& f) {
  add_report(m);
  f.def(
      "autoschedule",
      [](Function& self, const std::optional<Machine>& given, const std::vector<Computation>& leave,
         const std::vector<BufferName>& arguments, const std::map<std::string, Integer>& sizes,
         const Integer& threads, Floats floats) {
        const Where where = python_line();
        const Machine machine = given ? *given : strata::machine();
        AutoscheduleOptions options{leave, {}, {}, 0, floats};
        options.arguments = Passed<const std::vector<Buffer>&>::value(arguments);
        options.sizes = Passed<const std::map<std::string, std::int64_t>&>::value(sizes);
        options.threads = int(std::clamp<std::int64_t>(threads.value, -1, 1 << 20));
        const Compilation turn(owner_of(self));
        return self.autoschedule(machine, options, where);
      },
      "machine"_a = nb::none(), nb::kw_only(), "leave"_a = nb::list(), "arguments"_a = nb::list(),
      "sizes"_a = nb::dict(), "threads"_a = 0, "floats"_a = Floats::fast,
      "Gives the commands, as one group, that make this function fast by a model of the machine.\n"
      "\"leave\" are computations that stay as they are, \"arguments\" buffers whose values are "
      "kept,\n"
      "\"sizes\" values of parameters, by name,\n"
      "\"threads\" 0 for the cores of the machine. E0101, E0106.");
}

}  // namespace strata::python
