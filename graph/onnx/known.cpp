#include "graph/onnx/known.h"

#include <algorithm>
#include <map>

#include "graph/dim/dim.h"
#include "graph/evaluate/element.h"
#include "graph/ir/module.h"

namespace strata::graph::onnx {

namespace {

bool is_constant(const Expr& e) { return e.op() == Op::constant; }

// Is it a dim over parameters alone? Then every part of it has been folded.
bool is_known(const Expr& e) {
  return e.defined() && (is_constant(e) || (e.type() == i64 && why_no_dim(e).empty()));
}

Answer opposite(Answer a) {
  return a == Answer::unknown ? a : a == Answer::yes ? Answer::no : Answer::yes;
}

// a >= b for all symbols, for none, or neither: iff max(a, b) = a.
Answer at_least(const Expr& a, const Expr& b) {
  const Expr difference = a - b;
  return equal(max(a, b), a, facts_of(difference));
}

Answer compared(Op op, const Expr& a, const Expr& b) {
  switch (op) {
    case Op::eq: return equal(a, b, facts_of(a - b));
    case Op::ne: return opposite(equal(a, b, facts_of(a - b)));
    case Op::ge: return at_least(a, b);
    case Op::lt: return opposite(at_least(a, b));
    case Op::le: return at_least(b, a);
    default: return opposite(at_least(b, a));
  }
}

bool is_wide(Type type) { return type == i32 || type == i64; }

bool is_comparison(Op op) { return op >= Op::eq && op <= Op::ge; }

// The elements of tensors that an operator makes of known tensors.
class Folder {
 public:
  void give(const Tensor& input, const KnownRef& known) { known_[input] = known; }

  // The elements of the tensor; null if they are not known.
  KnownRef find(const Tensor& t) {
    const auto found = known_.find(t);
    if (found != known_.end()) return found->second;
    return known_[t] = computed(t);
  }

 private:
  KnownRef computed(const Tensor& t) {
    if (!t.op().computed()) return nullptr;
    Known known{t.type(), {}, {}};
    std::size_t count = 1;
    for (const Expr& extent : t.shape()) {
      const auto value = constant_dim(extent);
      if (!value || std::uint64_t(*value) > most_known) return nullptr;
      known.extents.push_back(*value);
      count *= std::size_t(*value);
      if (count > most_known) return nullptr;
    }
    for (std::size_t k = 0; k < count; ++k) {
      if (work_ > most_work) return nullptr;
      const Expr element = at(t, known.extents, k);
      if (!is_known(element)) return nullptr;
      known.elements.push_back(is_constant(element) ? element : normal(element));
    }
    return std::make_shared<const Known>(std::move(known));
  }

  // The element at a position, the last index innermost.
  Expr at(const Tensor& t, const std::vector<std::int64_t>& extents, std::size_t position) {
    std::map<std::string, Expr> indices;
    for (std::size_t d = extents.size(); d-- > 0;) {
      indices[t.op().axis()[d].name()] =
          constant(i64, std::int64_t(position % std::size_t(extents[d])));
      position /= std::size_t(extents[d]);
    }
    return with_iterators(t.op().body()[std::size_t(t.index())], indices);
  }

  Expr with_iterators(const Expr& e, const std::map<std::string, Expr>& values) {
    return simplified(substitute(e, [&](const std::string& name) {
      const auto found = values.find(name);
      return found == values.end() ? Expr() : found->second;
    }));
  }

  Expr simplified(const Expr& e) {
    return rewrite(e,
                   [&](const Expr& node) { return ++work_ > most_work ? Expr() : folded(node); });
  }

  // The folded node; an undefined Expr if the node stays.
  Expr folded(const Expr& e) {
    if (e.op() == Op::access) return element_of(e);
    if (e.op() == Op::reduce) return reduced(e);
    if (e.op() == Op::select)
      return is_constant(e.args()[0]) ? e.args()[e.args()[0].node().integer != 0 ? 1 : 2] : Expr();
    if (e.op() == Op::named) return e.args()[0];
    if (e.args().empty() || e.op() == Op::call || e.op() == Op::array) return {};
    if (std::all_of(e.args().begin(), e.args().end(), is_constant)) return on_constants(e);
    // Extents are below 2^31.
    if (e.op() == Op::cast && is_wide(e.type()) && is_wide(e.args()[0].type())) return e.args()[0];
    if (is_comparison(e.op()) && is_known(e.args()[0]) && is_known(e.args()[1])) {
      const Answer answer = compared(e.op(), e.args()[0], e.args()[1]);
      if (answer != Answer::unknown) return constant(boolean, answer == Answer::yes);
    }
    return {};
  }

  static Expr on_constants(const Expr& e) {
    const Element a = strata::graph::element_of(e.args()[0].node());
    if (e.op() == Op::cast) return constant_of(cast_element(e.type(), a));
    const bool is_binary = e.args().size() == 2;
    const Element b = is_binary ? strata::graph::element_of(e.args()[1].node()) : a;
    return constant_of(applied(e.op(), e.type(), a, b));
  }

  Expr element_of(const Expr& access) {
    const Tensor t = tensor_of(access);
    if (!t.defined()) return {};
    for (const Expr& index : access.args())
      if (!is_constant(index)) return {};
    const KnownRef known = find(t);
    if (!known) return {};
    std::int64_t position = 0;
    for (std::size_t d = 0; d < known->extents.size(); ++d) {
      const std::int64_t index = access.args()[d].node().integer;
      if (index < 0 || index >= known->extents[d]) return {};
      position = position * known->extents[d] + index;
    }
    return known->elements[std::size_t(position)];
  }

  // The reduction, with one contribution after another.
  Expr reduced(const Expr& e) {
    const ExprNode& node = e.node();
    if (node.args.size() != 1) return {};
    Expr total = identity_of(node.reduction, e.type());
    std::vector<std::map<std::string, Expr>> points{{}};
    for (const Var& k : node.variables) {
      const Expr lower = simplified(k.lower()), upper = simplified(k.upper());
      if (!is_constant(lower) || !is_constant(upper)) return {};
      std::vector<std::map<std::string, Expr>> more;
      for (const auto& point : points)
        for (std::int64_t v = lower.node().integer; v < upper.node().integer; ++v) {
          if (more.size() > most_known) return {};
          more.push_back(point);
          more.back()[k.name()] = constant(i64, v);
        }
      points = std::move(more);
    }
    for (const auto& point : points) {
      if (work_ > most_work) return {};
      total = simplified(combine(node.reduction, total, with_iterators(node.args[0], point)));
    }
    return total;
  }

  static constexpr int most_work = 200000;
  int work_ = 0;
  std::map<Tensor, KnownRef> known_;
};

bool has_dims(const KnownRef& known) {
  return !std::all_of(known->elements.begin(), known->elements.end(), is_constant);
}

// The same numbers as constants of another type; dims stay.
KnownRef with_type(const Known& known, Type type) {
  Known result{type, known.extents, known.elements};
  for (Expr& e : result.elements)
    if (is_constant(e)) e = constant_of(cast_element(type, strata::graph::element_of(e.node())));
  return std::make_shared<const Known>(std::move(result));
}

std::vector<Tensor> tensors_of(const std::vector<KnownRef>& inputs, const Where& where) {
  std::vector<Tensor> tensors;
  for (const KnownRef& input : inputs)
    tensors.push_back(placeholder("x" + std::to_string(tensors.size()), input->type,
                                  Shape(input->extents.begin(), input->extents.end()), where));
  return tensors;
}

}  // namespace

std::vector<Expr> facts_of(const Expr& dim) {
  std::vector<Expr> facts;
  for (const std::string& name : symbols_of(dim)) facts.push_back(parameter(name) >= 0);
  return facts;
}

KnownRef known_dims(const Shape& dims) {
  Known known{i64, {std::int64_t(dims.size())}, dims};
  for (Expr& dim : known.elements) dim = normal(dim);
  return std::make_shared<const Known>(std::move(known));
}

KnownRef known_array(const NDArray& array) {
  const auto type = graph::element_of(array.type());
  if (!type || array.size() > most_known) return nullptr;
  Known known{*type, array.extents(), {}};
  for (std::size_t k = 0; k < array.size(); ++k)
    known.elements.push_back(constant_of(read(array, *type, k)));
  return std::make_shared<const Known>(std::move(known));
}

std::optional<NDArray> constant_array(const Known& known) {
  NDArray array(element_type_of(known.type), known.extents);
  for (std::size_t k = 0; k < known.elements.size(); ++k) {
    if (!is_constant(known.elements[k])) return std::nullopt;
    write(array, k, cast_element(known.type, strata::graph::element_of(known.elements[k].node())));
  }
  return array;
}

std::optional<std::vector<KnownRef>> folded(const Operator& op, const std::vector<KnownRef>& inputs,
                                            const Attributes& attributes, const Where& where) {
  std::vector<Tensor> results = op(tensors_of(inputs, where), attributes, where);
  std::vector<Type> types;
  for (const Tensor& t : results) types.push_back(t.type());
  // Dims are int64, even if they stand for an int32.
  std::vector<KnownRef> given = inputs;
  const bool widens = std::any_of(inputs.begin(), inputs.end(), has_dims);
  for (KnownRef& input : given)
    if (widens && input->type == i32) input = with_type(*input, i64);
  const std::vector<Tensor> tensors = tensors_of(given, where);
  Folder folder;
  for (std::size_t k = 0; k < given.size(); ++k) folder.give(tensors[k], given[k]);
  results = op(tensors, attributes, where);
  std::vector<KnownRef> all;
  for (std::size_t k = 0; k < results.size(); ++k) {
    const KnownRef known = folder.find(results[k]);
    if (!known) return std::nullopt;
    all.push_back(known->type == types[k] ? known : with_type(*known, types[k]));
  }
  return all;
}

}  // namespace strata::graph::onnx
