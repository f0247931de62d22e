// The parts of the extension module, each in a file of its name.
#pragma once

#include "python/operands.h"

namespace strata::python {

void add_errors(nb::module_& m);
void add_types(nb::module_& m);
void add_expressions(nb::module_& m);
void add_functions_of_expressions(nb::module_& m);
void add_reductions(nb::module_& m);
void add_handles(nb::module_& m);
void add_computation(nb::module_& m);
void add_function(nb::module_& m);
void add_machine(nb::module_& m);
void add_kernel(nb::module_& m);
void add_array(nb::module_& m);
void add_streams(nb::module_& m);

// Parts of Computation.
using ComputationClass = nb::class_<Computation>;
void add_definitions(ComputationClass& c);
void add_loop_commands(ComputationClass& c);
void add_order_commands(ComputationClass& c);
void add_storage_commands(ComputationClass& c);
void add_launch_commands(ComputationClass& c);
// Parts of Function.
using FunctionClass = nb::class_<Function>;
void add_scopes(nb::module_& m, FunctionClass& f);
void add_code_generation(nb::module_& m, FunctionClass& f);
void add_pages(FunctionClass& f);
void add_automatic(nb::module_& m, FunctionClass& f);
void add_tuning(nb::module_& m, FunctionClass& f);
// The data of a strata.Error; TypeError for anything else.
Refusal refusal_of(nb::handle error);

// Python's operators on expressions, for a class that find_expression knows.
void add_operators(nb::handle type);

}  // namespace strata::python
