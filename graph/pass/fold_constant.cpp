#include <optional>

#include "graph/builder/rewriter.h"
#include "graph/ir/purity.h"
#include "graph/pass/passes.h"
#include "graph/run/compute.h"

namespace strata::graph {

namespace {

constexpr std::size_t always_folded = 1024;  // elements
constexpr std::size_t most_growth = 2;       // of a larger result, per element of its operands
constexpr std::size_t most_interpreted = 1 << 16;  // elements; a kernel computes more

const NDArray* constant_of(const Value& leaf) {
  const auto* constant = leaf.node()->as<ArrayConstant>();
  return constant ? &constant->array : nullptr;
}

// The arrays of operands, if all are constants or tuples of them.
bool add_constants(const Value& leaf, std::vector<ValueType>& types, std::vector<NDArray>& arrays) {
  if (const auto* tuple = leaf.node()->as<TupleOf>()) {
    for (const Value& field : tuple->fields)
      if (!add_constants(field, types, arrays)) return false;
    return true;
  }
  const NDArray* array = constant_of(leaf);
  if (!array) return false;
  types.push_back(leaf.type());
  arrays.push_back(*array);
  return true;
}

// The number of elements of a value of this type; nothing if it depends on symbols, or is unknown.
std::optional<std::size_t> elements_of(const ValueType& type) {
  std::size_t count = 0;
  for (const ValueType& field : type.fields()) {
    const auto one = elements_of(field);
    if (!one) return std::nullopt;
    count += *one;
  }
  if (type.is_tuple()) return count;
  if (!type.is_tensor() || !type.dims()) return std::nullopt;
  count = 1;
  for (const Expr& dim : *type.dims()) {
    const auto extent = constant_dim(dim);
    if (!extent || *extent < 0 || (*extent > 0 && count > most_interpreted * 1024 / *extent))
      return std::nullopt;
    count *= std::size_t(*extent);
  }
  return count;
}

Value constant_value(const std::vector<NDArray>& results) {
  if (results.size() == 1) return Value(results[0]);
  return tuple_value(Values(results.begin(), results.end()));
}

// Finds the values of definitions that are known before the program runs.
class Folder {
 public:
  std::optional<Value> operator()(const Binding& b, const Rewriter& r) {
    if (const auto* shape = b.as<ShapeOf>())
      return shape->of.type().dims() ? std::optional(shape_value(*shape->of.type().dims()))
                                     : std::nullopt;
    if (const auto* d = b.as<FieldOf>()) {
      const Binding* bound = r.lookup(d->of);
      const auto* alias = bound ? bound->as<Alias>() : nullptr;
      const auto* tuple = (alias ? alias->of : d->of).node()->as<TupleOf>();
      if (!tuple) return std::nullopt;
      const Value& field = tuple->fields.at(std::size_t(d->index));
      return r.sees(field) ? std::optional(field) : std::nullopt;  // unless local to its block
    }
    if (const auto* alias = b.as<Alias>()) return known_leaf(alias->of);
    if (const auto* call = b.as<OperatorCall>())
      return computed(b, call->arguments,
                      [&](Computing& computing, const auto& types, const auto& arrays) {
                        return computing(*call, types, arrays, {}, b.where);
                      });
    return kernel(b, r);
  }

 private:
  std::optional<Value> kernel(const Binding& b, const Rewriter& r) {
    const auto* call = b.as<KernelCall>();
    const TensorKernel* kernel =
        call && !call->is_packed ? r.module().kernel(call->callee) : nullptr;
    if (!kernel) return std::nullopt;
    SymbolValues integers;
    for (std::size_t k = 0; k < kernel->integers.size(); ++k) {
      const auto value = constant_dim(call->integers[k]);
      if (!value) return std::nullopt;
      integers[kernel->integers[k]] = *value;
    }
    return computed(b, call->arguments, [&](Computing& computing, const auto&, const auto& arrays) {
      return computing(*kernel, arrays, integers, b.where);
    });
  }

  // A leaf is known if it is a constant, a shape or a tuple. A variable would only be another name.
  static std::optional<Value> known_leaf(const Value& leaf) {
    std::vector<ValueType> types;
    std::vector<NDArray> arrays;
    const bool is_known = leaf.node()->as<ShapeLiteral>() || add_constants(leaf, types, arrays);
    return is_known ? std::optional(leaf) : std::nullopt;
  }

  template <typename Compute>
  std::optional<Value> computed(const Binding& b, const Values& arguments, const Compute& compute) {
    std::vector<ValueType> types;
    std::vector<NDArray> arrays;
    for (const Value& argument : arguments)
      if (!add_constants(argument, types, arrays)) return std::nullopt;
    const auto size = elements_of(b.value.type());
    std::size_t given = 0;
    for (const NDArray& array : arrays) given += array.size();
    if (!size || (*size > always_folded && *size > most_growth * given)) return std::nullopt;
    try {
      return constant_value(
          compute(given + *size > most_interpreted ? kernels_ : interpreter_, types, arrays));
    } catch (const Error&) {
      return std::nullopt;  // the program fails here when it runs, if it gets here
    }
  }

  Computing interpreter_{RunBy::interpreter}, kernels_{RunBy::kernels};
};

}  // namespace

Pass fold_constant() {
  return Pass({"FoldConstant", 2, {}}, [](const Module& module, const PassContext&) {
    const Effects effects = effects_of(module);
    Folder folder;
    return with_functions(module, [&](const GraphFunction& function) {
      const WrittenMemory written(function, effects);
      return rewritten(function, module, [&](Rewriter& r, const Binding& b) {
        if (const auto* branch = b.as<Branch>())
          if (const NDArray* condition = constant_of(branch->condition)) {
            const auto& taken =
                *condition->raw() != std::byte{0} ? branch->then : branch->otherwise;
            return r.can_splice(*taken) ? r.replace(b.value, r.splice(*taken)) : r.keep(b);
          }
        const bool may_fold = r.is_dataflow() && !written.has(b.value);
        const auto known = may_fold ? folder(b, r) : std::nullopt;
        if (known)
          r.replace(b.value, *known);
        else
          r.keep(b);
      });
    });
  });
}

}  // namespace strata::graph
