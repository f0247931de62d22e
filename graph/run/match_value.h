// The values of symbols from what a program is given when it runs.
#pragma once

#include <functional>
#include <string>

#include "graph/dim/dim.h"
#include "graph/ir/value_type.h"
#include "graph/vm/value.h"

namespace strata::graph {

// The value that a variable has.
using ValueOf = std::function<const VmValue&(const ValueNode*)>;

// A symbol without a value that is a dim of the type by itself gets that of the extent.
void define_symbols(const ValueType& type, const VmValue& value, SymbolValues& symbols);
// E0602 unless the value is one of the type; "what" names it. Dims with symbols that have no value
// are not compared.
void require_type(const ValueType& type, const VmValue& value, const SymbolValues& symbols,
                  const ValueOf& value_of, const std::string& what, const Request& request);

}  // namespace strata::graph
