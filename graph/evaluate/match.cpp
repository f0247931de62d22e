#include "graph/evaluate/match.h"

#include <fmt/format.h>

#include "core/expr/expr_text.h"
#include "graph/evaluate/element.h"

namespace strata::graph {

namespace {

void require_type_and_rank(const Argument& a, const Request& request) {
  const std::string name = a.tensor.name();
  if (!a.array.defined())
    throw request.refused(Code::E0602_does_not_fit, name + " has no array", "give one");
  if (!is_same_type(element_type_of(a.tensor.type()), a.array.type()))
    throw request.refused(Code::E0602_does_not_fit,
                          fmt::format("{} has elements of type {}, and the array others", name,
                                      to_string(a.tensor.type())),
                          "give an array of " + to_string(a.tensor.type()));
  if (a.tensor.rank() != a.array.rank())
    throw request.refused(Code::E0602_does_not_fit,
                          fmt::format("{} has {} dimensions, and the array {}", name,
                                      a.tensor.rank(), a.array.rank()),
                          "give an array of the tensor's shape");
}

// Why an array cannot have extent d, of this value if it has one.
Error without_extent(const Tensor& tensor, int d, std::optional<std::int64_t> value,
                     const SymbolValues& symbols, const Request& request) {
  const std::string what =
      fmt::format("extent {} of {}, {},", d, tensor.name(), dim_text(tensor.shape(d)));
  for (const std::string& symbol : symbols_of(tensor.shape(d)))
    if (!symbols.contains(symbol))
      return request.refused(
          Code::E0602_does_not_fit, what + " needs " + symbol + ", which nothing gives",
          "pass a value for " + symbol + ", or a tensor that has it as an extent");
  return request.refused(Code::E0602_does_not_fit,
                         what + (value ? fmt::format(" is {}", *value) : " is beyond int64"),
                         "give arrays of other extents");
}

void require_extents(const Argument& a, const SymbolValues& symbols, const Request& request) {
  const std::vector<std::int64_t> wanted = extents_of(a.tensor, symbols, request);
  for (int d = 0; d < a.tensor.rank(); ++d)
    if (wanted[d] != a.array.extents()[d])
      throw request.refused(
          Code::E0602_does_not_fit,
          fmt::format("extent {} of {} is {}, and {} is {}", d, a.tensor.name(),
                      a.array.extents()[d], dim_text(a.tensor.shape(d)), wanted[d]),
          "give arrays whose extents agree");
}

}  // namespace

void match(const std::vector<Argument>& arguments, SymbolValues& symbols, const Request& request) {
  for (const Argument& a : arguments) {
    require_type_and_rank(a, request);
    for (int d = 0; d < a.tensor.rank(); ++d)
      if (const Expr& dim = a.tensor.shape(d); dim.op() == Op::parameter)
        symbols.emplace(dim.name(), a.array.extents()[d]);
  }
  for (const Argument& a : arguments) require_extents(a, symbols, request);
}

std::vector<std::int64_t> extents_of(const Tensor& tensor, const SymbolValues& symbols,
                                     const Request& request) {
  std::vector<std::int64_t> extents;
  for (int d = 0; d < tensor.rank(); ++d) {
    const auto value = value_of(tensor.shape(d), symbols);
    if (!value || *value < 0) throw without_extent(tensor, d, value, symbols, request);
    extents.push_back(*value);
  }
  return extents;
}

void require_assumptions(const Operation& op, const SymbolValues& symbols, const Request& request) {
  for (const Expr& assumption : op.computed()->assumptions)
    if (!holds(assumption, symbols).value_or(false))
      throw request.refused(Code::E0602_does_not_fit,
                            op.name + " assumes " + to_text(assumption) + ", which does not hold",
                            "give arrays of other extents");
}

NDArray view_of(const std::shared_ptr<const Operation>& op, const NDArray& read,
                const SymbolValues& symbols, const Request& request) {
  require_assumptions(*op, symbols, request);
  std::vector<std::int64_t> extents = extents_of(Tensor(op, 0), symbols, request);
  try {
    return read.viewed(std::move(extents));
  } catch (const std::logic_error&) {  // another size, or one beyond all memory
    throw request.refused(Code::E0602_does_not_fit,
                          fmt::format("{} is a view of ({}), and has another number of elements",
                                      op->name, fmt::join(read.extents(), ", ")),
                          "give arrays of other extents");
  }
}

std::vector<NDArray> call_external(const std::shared_ptr<const Operation>& op,
                                   const ArrayOf& array_of, SymbolValues& symbols,
                                   const Request& request) {
  std::vector<NDArray> inputs;
  for (const Tensor& t : op->external()->inputs) inputs.push_back(array_of(t));
  const std::vector<NDArray> results = op->external()->function(inputs);
  if (results.size() != op->outputs().size())
    throw request.refused(Code::E0602_does_not_fit,
                          op->name + " returns " + std::to_string(results.size()) +
                              " arrays, not " + std::to_string(op->outputs().size()));
  std::vector<Argument> made;
  for (int k = 0; k < int(results.size()); ++k) made.push_back({Tensor(op, k), results[k]});
  match(made, symbols, request);
  return results;
}

}  // namespace strata::graph
