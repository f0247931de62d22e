// Function: schedules by measurement.
#include <strata/tune.h>

#include <algorithm>

#include "python/arrays.h"
#include "python/bind.h"
#include "python/module.h"
#include "python/turns.h"

namespace strata::python {

namespace {

void add_progress(nb::module_& m) {
  nb::enum_<TuneProgress>(m, "TuneProgress", "How tune says on standard error how far it is.")
      .value("automatic", TuneProgress::automatic, "line if that is a terminal, else json.")
      .value("line", TuneProgress::line, "One line, written over and over.")
      .value("json", TuneProgress::json, "An object of JSON on a line for each candidate.")
      .value("never", TuneProgress::never);
}

void add_tuning_report(nb::module_& m) {
  nb::class_<Tuning> tuning(m, "Tuning", "What tune measured and chose; str() is the text.");
  nb::class_<Tuning::Candidate>(tuning, "Candidate", "A candidate of tune.")
      .def_ro("text", &Tuning::Candidate::text)
      .def_ro("commands", &Tuning::Candidate::commands, "Their number.")
      .def_ro("outcome", &Tuning::Candidate::outcome)
      .def_ro("seconds", &Tuning::Candidate::seconds, "The fastest run; 0 if it was not measured.")
      .def_ro("median", &Tuning::Candidate::median)
      .def_ro("score", &Tuning::Candidate::score,
              "Seconds, by the ratio to what it was measured beside.")
      .def_ro("logged", &Tuning::Candidate::logged, "By the log: not measured now.")
      .def_ro("id", &Tuning::Candidate::id);
  tuning.def_ro("changed", &Tuning::changed)
      .def_ro("chosen", &Tuning::chosen)
      .def_ro("commands", &Tuning::commands, "What was given, as replay takes it.")
      .def_ro("seconds", &Tuning::seconds, "Of the chosen one; 0 if nothing was measured.")
      .def_ro("seconds_before", &Tuning::seconds_before)
      .def_ro("interrupted", &Tuning::interrupted)
      .def_ro("stopped", &Tuning::stopped, "Why not all candidates were measured.")
      .def_ro("sizes", &Tuning::sizes)
      .def_ro("threads", &Tuning::threads)
      .def_ro("candidates", &Tuning::candidates)
      .def_ro("planned", &Tuning::planned)
      .def_ro("repeated", &Tuning::repeated)
      .def_ro("torn", &Tuning::torn)
      .def_ro("others", &Tuning::others)
      .def_ro("unreplayable", &Tuning::unreplayable)
      .def("text", &Tuning::text)
      .def("__repr__", &Tuning::text);
}

int small_number(const Integer& number) {
  return int(std::clamp<std::int64_t>(number.value, -1, 1 << 20));
}

// Views of the arrays, which live as long as "views".
std::vector<halide_buffer_t*> viewed(const std::vector<nb::object>& arrays,
                                     std::vector<ArrayView>& views) {
  std::vector<halide_buffer_t*> list;
  for (std::size_t n = 0; n < views.size(); ++n) {
    views[n].take(arrays[n], "tune: array " + std::to_string(n));
    list.push_back(views[n].argument());
  }
  return list;
}

// Raises KeyboardInterrupt if tuning was interrupted: Python's own handler has not seen the Ctrl-C.
Tuning raised_if_interrupted(Tuning tuning) {
  if (!tuning.interrupted) return tuning;
  PyErr_SetString(PyExc_KeyboardInterrupt, tuning.text().c_str());
  throw nb::python_error();
}

Tuning tuned(Function& self, const std::vector<BufferName>& arguments,
             const std::map<std::string, Integer>& sizes, double seconds, const Integer& threads,
             const std::string& log, const Integer& candidates, bool replay,
             const std::vector<Computation>& leave, Floats floats,
             const std::vector<nb::object>& arrays, TuneProgress progress) {
  const Where where = python_line();
  TuneOptions options;
  options.sizes = Passed<const std::map<std::string, std::int64_t>&>::value(sizes);
  options.seconds = seconds;
  options.threads = small_number(threads);
  options.log = log;
  options.candidates = std::size_t(std::max(small_number(candidates), 0));
  options.replay = replay;
  options.leave = leave;
  options.floats = floats;
  options.progress = progress;
  std::vector<ArrayView> views(arrays.size());
  options.arrays = viewed(arrays, views);
  const auto buffers = Passed<const std::vector<Buffer>&>::value(arguments);
  return raised_if_interrupted([&] {
    const Compilation turn(owner_of(self), true);
    return tune(self, buffers, options, where);
  }());
}

}  // namespace

void add_tuning(nb::module_& m, FunctionClass& f) {
  add_progress(m);
  add_tuning_report(m);
  f.def("tune", &tuned, "arguments"_a, nb::kw_only(), "sizes"_a = nb::dict(), "seconds"_a = 60.0,
        "threads"_a = 0, "log"_a = "", "candidates"_a = 20, "replay"_a = false,
        "leave"_a = nb::list(), "floats"_a = Floats::fast, "arrays"_a = nb::list(),
        "progress"_a = TuneProgress::automatic,
        "Gives the commands, as one group, that make this function fast on this machine, of those\n"
        "that autoschedule would choose among: candidates are compiled, compared with the program\n"
        "as it stands, and measured, each in a process of its own, for \"seconds\". \"log\" is a\n"
        "file that is resumed; with \"replay\" its best commands are given, and nothing is\n"
        "measured. \"arrays\" are what the kernel is called with; they are not changed. Ctrl-C\n"
        "gives the best so far and raises KeyboardInterrupt. E0101, E0106, E0115, E0116, E0502, "
        "E0503.");
}

}  // namespace strata::python
