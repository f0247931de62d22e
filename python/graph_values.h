// Values of programs, as a Python program gives them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "graph/ir/module.h"
#include "graph/vm/registry.h"
#include "graph/vm/value.h"
#include "python/operands.h"

namespace strata::python {

// An object that C++ keeps: threads without Python's lock may let it go, also when Python has
// ended.
using Held = std::shared_ptr<PyObject>;
Held held(nb::handle object);

// The value of a Python int; OverflowError if it needs more than 64 bits.
std::int64_t int64_of(nb::handle object);

// A Python bool is a boolean, an int an int64, a float a float32, each of rank 0; nothing for other
// objects. OverflowError as above.
std::optional<graph::NDArray> find_number(nb::handle object);

// A Value; a number or an array, which becomes a constant with a copy of the elements; a tuple or a
// list of them, which becomes a tuple. A TypeError says what "what" is instead.
graph::Value value_of(nb::handle object, const std::string& what);
// Each item of a list or a tuple.
graph::Values values_of(nb::handle list, const std::string& what);

// Layouts as authors write them; None leaves a tensor as it is.
using LayoutTexts = std::vector<std::optional<std::string>>;

// What Python gives for a value of the type that a program wants; an Object may be anything.
graph::VmValue vm_value_of(nb::handle object, const graph::ValueType& wanted,
                           const std::string& what);
std::vector<graph::VmValue> vm_values_of(const nb::args& given);
// The same, for the parameters of a function.
std::vector<graph::VmValue> vm_values_of(const nb::args& given, const graph::GraphFunction& f);
nb::object python_value(const graph::VmValue& value);
// A Python function as programs call it; errors call its result by the name.
graph::PackedFunction packed_function(const std::string& name, const nb::object& function);

// What a variable is bound to, as a call without one.
graph::Value call_of(const std::shared_ptr<const graph::Definition>& definition);

// The call of an operator without a variable.
graph::Value operator_call(const std::string& name, nb::handle arguments, const nb::dict& given);

}  // namespace strata::python
