// The values of symbols, from the values that a program gets when it runs.
#pragma once

#include <functional>
#include <string>

#include "graph/dim/dim.h"
#include "graph/ir/value_type.h"
#include "graph/vm/value.h"

namespace strata::graph {

// Finds the value of a variable.
using ValueOf = std::function<const VmValue&(const ValueNode*)>;

// If a dim of the type is a symbol without a value, the extent defines the symbol.
void define_symbols(const ValueType& type, const VmValue& value, SymbolValues& symbols);
// E0602 unless the value has the type; "what" names the value. Does not compare dims whose symbols
// have no value.
void require_type(const ValueType& type, const VmValue& value, const SymbolValues& symbols,
                  const ValueOf& value_of, const std::string& what, const Request& request);

}  // namespace strata::graph
