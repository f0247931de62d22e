// strata.Error and strata.KernelError (strata/_errors.py has the classes).
#include "core/error.h"
#include "python/bind.h"
#include "python/failures.h"
#include "python/module.h"

namespace strata::python {

namespace {

void add_codes(nb::module_& m) {
  nb::enum_<Code> codes(m, "Code", nb::is_arithmetic(), "Why a command was refused.");
  for (int number = 1; number < 1000; ++number) {
    std::string name = to_string(static_cast<Code>(number));  // "E0201 dependence reversed"
    if (name.find(' ') == std::string::npos) continue;
    for (char& c : name) c = c == ' ' ? '_' : c;
    codes.value(name.c_str(), static_cast<Code>(number));
  }
}

void add_kernel_codes(nb::module_& m) {
  nb::enum_<strata_code> codes(m, "KernelCode", nb::is_arithmetic(),
                               "Why a kernel's call failed (strata/runtime.h).");
#define STRATA_KERNEL_CODE(name) codes.value(#name, strata_error_##name)
  STRATA_KERNEL_CODE(parameter_range);
  STRATA_KERNEL_CODE(assumption);
  STRATA_KERNEL_CODE(loop_too_long);
  STRATA_KERNEL_CODE(grid_too_large);
  STRATA_KERNEL_CODE(null_buffer);
  STRATA_KERNEL_CODE(wrong_type);
  STRATA_KERNEL_CODE(wrong_rank);
  STRATA_KERNEL_CODE(bad_shape);
  STRATA_KERNEL_CODE(too_large);
  STRATA_KERNEL_CODE(out_of_bounds);
  STRATA_KERNEL_CODE(null_host);
  STRATA_KERNEL_CODE(misaligned);
  STRATA_KERNEL_CODE(device_dirty);
  STRATA_KERNEL_CODE(overlap);
  STRATA_KERNEL_CODE(folded);
  STRATA_KERNEL_CODE(out_of_memory);
  STRATA_KERNEL_CODE(index_out_of_range);
  STRATA_KERNEL_CODE(wrong_arguments);
  STRATA_KERNEL_CODE(no_profile);
  STRATA_KERNEL_CODE(cannot_write);
  STRATA_KERNEL_CODE(wrong_cpu);
  STRATA_KERNEL_CODE(no_device);
  STRATA_KERNEL_CODE(device);
  STRATA_KERNEL_CODE(device_memory);
  STRATA_KERNEL_CODE(not_resident);
  STRATA_KERNEL_CODE(null_team);
  STRATA_KERNEL_CODE(freed_team);
  STRATA_KERNEL_CODE(mpi_not_initialized);
  STRATA_KERNEL_CODE(mpi_finalized);
  STRATA_KERNEL_CODE(thread_level);
  STRATA_KERNEL_CODE(bad_cuts);
  STRATA_KERNEL_CODE(team_size);
  STRATA_KERNEL_CODE(ranks_differ);
  STRATA_KERNEL_CODE(other_rank);
  STRATA_KERNEL_CODE(mpi);
  STRATA_KERNEL_CODE(message_size);
#undef STRATA_KERNEL_CODE
}

// A text quotes what is refused, which may end inside a UTF-8 letter.
nb::object text_of(const std::string& bytes) {
  PyObject* const text =
      PyUnicode_DecodeUTF8(bytes.data(), Py_ssize_t(bytes.size()), "backslashreplace");
  if (!text) throw nb::python_error();
  return nb::steal(text);
}

nb::object witness_of(const nb::module_& errors, const Refusal& refusal) {
  if (!refusal.witness) return nb::none();
  nb::list executions;
  for (const Execution& e : refusal.witness->executions)
    executions.append(errors.attr("Execution")(e.instance, e.time));
  return errors.attr("Witness")(refusal.witness->parameters, executions, refusal.witness->place,
                                refusal.witness->story);
}

void raise(const Error& error) {
  const Refusal& r = error.refusal();
  const nb::module_ errors = nb::module_::import_("strata._errors");
  const nb::object type = errors.attr("Error");
  const nb::object value =
      type(text_of(error.what()), r.code, text_of(r.command), text_of(r.explanation),
           witness_of(errors, r), text_of(r.mend), text_of(r.where.file), r.where.line);
  PyErr_SetObject(type.ptr(), value.ptr());
}

void raise(const KernelFailure& failure) {
  const nb::object type = nb::module_::import_("strata._errors").attr("KernelError");
  const nb::object value = type(text_of(failure.what()), static_cast<strata_code>(failure.code()));
  PyErr_SetObject(type.ptr(), value.ptr());
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    raise(error);
  } catch (const KernelFailure& failure) {
    raise(failure);
  }
}

// Translates all exceptions. If Python cannot make an object, as when recursion is too deep, that
// becomes the failure.
void translate_all(const std::exception_ptr& thrown, void* unused) {
  try {
    translate(thrown, unused);
  } catch (nb::python_error& error) {
    error.restore();
  }
}

}  // namespace

Refusal refusal_of(nb::handle error) {
  const nb::module_ errors = nb::module_::import_("strata._errors");
  if (!nb::isinstance(error, errors.attr("Error")))
    throw nb::type_error("the page of a refusal is made from a strata.Error");
  const auto text = [](nb::handle from, const char* name) {
    return nb::cast<std::string>(from.attr(name));
  };
  Refusal refusal{nb::cast<Code>(error.attr("code")),
                  text(error, "command"),
                  text(error, "explanation"),
                  std::nullopt,
                  text(error, "mend"),
                  {text(error, "file"), nb::cast<int>(error.attr("line"))}};
  const nb::object witness = error.attr("witness");
  if (witness.is_none()) return refusal;
  Witness made{text(witness, "parameters"), {}, text(witness, "place"), {}};
  for (const nb::handle one : witness.attr("executions"))
    made.executions.push_back({text(one, "instance"), text(one, "time")});
  for (const nb::handle line : witness.attr("story"))
    made.story.push_back(nb::cast<std::string>(line));
  refusal.witness = made;
  return refusal;
}

void add_errors(nb::module_& m) {
  add_codes(m);
  add_kernel_codes(m);
  nb::register_exception_translator(&translate_all);
}

}  // namespace strata::python
