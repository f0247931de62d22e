// Values of programs, from Python objects.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "graph/ir/module.h"
#include "graph/vm/registry.h"
#include "graph/vm/value.h"
#include "python/operands.h"

namespace strata::python {

// A Python object that C++ keeps. Threads without Python's lock may release it, even after Python
// has ended.
using Held = std::shared_ptr<PyObject>;
Held held(nb::handle object);

// The value of a Python int; OverflowError if it needs more than 64 bits.
std::int64_t int64_of(nb::handle object);

// An array of rank 0: boolean for a Python bool, int64 for an int, float32 for a float. Nothing for
// other objects. OverflowError as above.
std::optional<graph::NDArray> find_number(nb::handle object);

// The value of a Python object: a Value; a number or an array, which becomes a constant with a copy
// of the elements; or a tuple or list of these, which becomes a tuple. TypeError for anything else,
// with "what" as its name.
graph::Value value_of(nb::handle object, const std::string& what);
// The value of each item of a list or a tuple.
graph::Values values_of(nb::handle list, const std::string& what);

// Layouts as authors write them; None leaves a tensor as it is.
using LayoutTexts = std::vector<std::optional<std::string>>;

// The value that a program gets from a Python object, for the type that it wants. An Object may be
// anything.
graph::VmValue vm_value_of(nb::handle object, const graph::ValueType& wanted,
                           const std::string& what);
std::vector<graph::VmValue> vm_values_of(const nb::args& given);
// The same, for the parameters of a function.
std::vector<graph::VmValue> vm_values_of(const nb::args& given, const graph::GraphFunction& f);
nb::object python_value(const graph::VmValue& value);
// A Python function as a packed function. Errors about its result use the name.
graph::PackedFunction packed_function(const std::string& name, const nb::object& function);

// The definition of a variable, as a call without a variable.
graph::Value call_of(const std::shared_ptr<const graph::Definition>& definition);

// The call of an operator without a variable.
graph::Value operator_call(const std::string& name, nb::handle arguments, const nb::dict& given);

}  // namespace strata::python
