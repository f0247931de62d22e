#include "graph/run/match_value.h"

#include <fmt/format.h>

#include "graph/evaluate/element.h"

namespace strata::graph {

namespace {

// The extents of an array, or the numbers of a shape.
const std::vector<std::int64_t>* numbers_of(const VmValue& value) {
  if (const NDArray* array = value.array()) return array->defined() ? &array->extents() : nullptr;
  return value.shape() ? &value.shape()->numbers : nullptr;
}

class TypeCheck {
 public:
  TypeCheck(const SymbolValues& symbols, const ValueOf& value_of, const Request& request)
      : symbols_(symbols), value_of_(value_of), request_(request) {}

  void operator()(const ValueType& type, const VmValue& value, const std::string& what) const {
    using Kind = ValueType::Kind;
    if (type.kind() == Kind::object || type.kind() == Kind::function) return;
    if (type.is_tuple()) return fields(type, value, what);
    const bool fits = type.is_tensor()  ? value.array() && value.array()->defined()
                      : type.is_shape() ? value.shape() != nullptr
                                        : value.is_nothing();
    if (!fits) throw refused(what + " is " + value.kind() + ", and " + type.text() + " is needed");
    if (type.kind() == Kind::nothing) return;
    if (type.element()) element(type, *value.array(), what);
    extents(type, *numbers_of(value), what);
  }

 private:
  Error refused(const std::string& explanation) const {
    return request_.refused(Code::E0602_does_not_fit, explanation, "give values that fit");
  }

  void fields(const ValueType& type, const VmValue& value, const std::string& what) const {
    if (!value.fields() || value.fields()->size() != type.fields().size())
      throw refused(what + " is " + value.kind() + ", and " + type.text() + " is needed");
    for (std::size_t k = 0; k < type.fields().size(); ++k)
      (*this)(type.fields()[k], (*value.fields())[k], fmt::format("field {} of {}", k, what));
  }

  void element(const ValueType& type, const NDArray& array, const std::string& what) const {
    if (!is_same_type(element_type_of(*type.element()), array.type()))
      throw refused(
          fmt::format("{} has elements of another type than {}", what, to_string(*type.element())));
  }

  void extents(const ValueType& type, const std::vector<std::int64_t>& numbers,
               const std::string& what) const {
    if (type.rank() && *type.rank() != int(numbers.size()))
      throw refused(fmt::format("{} has {} dimensions, and {} has {}", what, numbers.size(),
                                type.text(), *type.rank()));
    for (int d = 0; type.dims() && d < *type.rank(); ++d) {
      const Expr& dim = (*type.dims())[d];
      const auto wanted = graph::value_of(dim, symbols_);
      if (wanted && *wanted != numbers[d])
        throw refused(fmt::format("extent {} of {} is {}, and {} is {}", d, what, numbers[d],
                                  dim_text(dim), *wanted));
    }
    if (!type.extents()) return;
    const std::vector<std::int64_t>* stated = numbers_of(value_of_(type.extents().get()));
    if (!stated || *stated != numbers)
      throw refused(fmt::format("{} has the extents ({}), and {} others", what,
                                fmt::join(numbers, ", "), type.text()));
  }

  const SymbolValues& symbols_;
  const ValueOf& value_of_;
  const Request& request_;
};

}  // namespace

void define_symbols(const ValueType& type, const VmValue& value, SymbolValues& symbols) {
  if (type.is_tuple() && value.fields() && value.fields()->size() == type.fields().size())
    for (std::size_t k = 0; k < type.fields().size(); ++k)
      define_symbols(type.fields()[k], (*value.fields())[k], symbols);
  const std::vector<std::int64_t>* numbers = numbers_of(value);
  if (!type.dims() || !numbers || int(numbers->size()) != *type.rank()) return;
  for (int d = 0; d < *type.rank(); ++d)
    if (const Expr& dim = (*type.dims())[d]; dim.op() == Op::parameter)
      symbols.emplace(dim.name(), (*numbers)[d]);
}

void require_type(const ValueType& type, const VmValue& value, const SymbolValues& symbols,
                  const ValueOf& value_of, const std::string& what, const Request& request) {
  TypeCheck(symbols, value_of, request)(type, value, what);
}

}  // namespace strata::graph
