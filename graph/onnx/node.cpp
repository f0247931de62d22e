#include "graph/onnx/node.h"

#include <fmt/format.h>

#include "graph/evaluate/element.h"

namespace strata::graph::onnx {

Error Node::unsupported(const std::string& what) const {
  return Request{name(), emitter_.where()}.refused(Code::E0603_unknown_operator, what);
}

Error Node::refused(const std::string& what, const std::string& mend) const {
  return Request{name(), emitter_.where()}.refused(Code::E0602_does_not_fit, what, mend);
}

// ---- inputs ----

Value Node::in(int k) const {
  if (!has(k)) throw refused(fmt::format("operand {} is left out", k));
  return context_.inputs[std::size_t(k)];
}

bool Node::wants(int output) const {
  return output < outputs() && !context_.proto.outputs[std::size_t(output)].empty();
}

Type Node::type(const Value& v) const {
  if (!v.type().is_tensor() || !v.type().element())
    throw unsupported("an operand is " + v.type().text() + ", and no tensor of a known type");
  return *v.type().element();
}

int Node::rank(const Value& v) const {
  if (!v.type().is_tensor() || !v.type().rank())
    throw unsupported("the rank of an operand is not known when the model is loaded");
  return *v.type().rank();
}

const Shape& Node::dims(const Value& v) const {
  rank(v);
  if (!v.type().dims()) throw unsupported("the extents of an operand are not known");
  return *v.type().dims();
}

std::int64_t Node::axis(std::int64_t given, int rank) const {
  const std::int64_t axis = given < 0 ? given + rank : given;
  if (axis < 0 || axis >= rank)
    throw refused(fmt::format("there is no axis {} of {}", given, rank));
  return axis;
}

namespace {

KnownRef known_operand(const Node& n, Emitter& emitter, int k) {
  const KnownRef known = emitter.find_known(n.in(k));
  if (!known)
    throw n.unsupported(fmt::format(
        "operand {} is computed when the model runs, and its numbers are needed when it is loaded",
        k));
  return known;
}

std::vector<Element> constants_of(const Node& n, Emitter& emitter, int k) {
  std::vector<Element> values;
  for (const Expr& e : known_operand(n, emitter, k)->elements) {
    if (e.op() != Op::constant)
      throw n.unsupported(fmt::format(
          "operand {} is {}, and a number is needed when the model is loaded", k, dim_text(e)));
    values.push_back(strata::graph::element_of(e.node()));
  }
  return values;
}

}  // namespace

Shape Node::sizes(int k) const {
  const KnownRef known = known_operand(*this, emitter_, k);
  if (!is_integer(known->type)) throw refused(fmt::format("operand {} has no integers", k));
  Shape sizes;
  for (const Expr& e : known->elements)
    sizes.push_back(e.op() == Op::constant ? strata::constant(i64, e.node().integer) : e);
  return sizes;
}

Integers Node::numbers(int k) const {
  Integers values;
  for (const Element& e : constants_of(*this, emitter_, k))
    values.push_back(is_float(e.type) ? std::int64_t(e.real) : e.integer);
  return values;
}

std::vector<double> Node::reals(int k) const {
  std::vector<double> values;
  for (const Element& e : constants_of(*this, emitter_, k))
    values.push_back(cast_element(f64, e).real);
  return values;
}

double Node::number(int k) const {
  const std::vector<double> values = reals(k);
  if (values.size() != 1) throw refused(fmt::format("operand {} is not one number", k));
  return values[0];
}

// ---- attributes ----

const AttributeProto* Node::find(const std::string& attribute) const {
  const AttributeProto* found = context_.proto.find(attribute);
  if (!found || found->reference.empty()) return found;
  if (!context_.given) return nullptr;
  const auto given = context_.given->find(found->reference);
  return given == context_.given->end() ? nullptr : given->second;
}

std::int64_t Node::integer(const std::string& name, std::int64_t absent) const {
  const AttributeProto* found = find(name);
  return found ? found->integer : absent;
}
std::int64_t Node::integer(const std::string& name) const {
  if (!has(name)) throw refused("there is no attribute " + name);
  return integer(name, 0);
}
double Node::real(const std::string& name, double absent) const {
  const AttributeProto* found = find(name);
  return found ? found->real : absent;
}
std::string Node::text(const std::string& name, const std::string& absent) const {
  const AttributeProto* found = find(name);
  return found ? found->text : absent;
}
Integers Node::integers(const std::string& name, const Integers& absent) const {
  const AttributeProto* found = find(name);
  return found ? found->integers : absent;
}
std::vector<double> Node::reals(const std::string& name, const std::vector<double>& absent) const {
  const AttributeProto* found = find(name);
  return found ? found->reals : absent;
}
std::vector<std::string> Node::texts(const std::string& name) const {
  const AttributeProto* found = find(name);
  return found ? found->texts : std::vector<std::string>();
}
const GraphProto& Node::graph(const std::string& name) const {
  const AttributeProto* found = find(name);
  if (!found || !found->graph) throw refused("there is no graph " + name);
  return *found->graph;
}

std::optional<Integers> Node::numbers(const std::string& attribute, int operand) const {
  if (has(attribute)) return integers(attribute);
  if (has(operand)) return numbers(operand);
  return std::nullopt;
}

// ---- results ----

Value Node::scalar(Type type, double value) {
  const NDArray array(element_type_of(type), {});
  write(array, 0,
        is_float(type) ? real_element(type, value) : integer_element(type, __int128(value)));
  return emitter_.constant(array);
}

Value Node::cast(const Value& v, Type to) {
  return type(v) == to ? v : (*this)("cast", {v}, CastAttributes{to});
}

Value Node::matmul(const Value& a, const Value& b, const MatmulAttributes& attributes) {
  const Type given = type(a), wide = is_half(given) ? f32 : given;
  return cast((*this)("matmul", {cast(a, wide), cast(b, wide)}, attributes), given);
}

Value Node::reshape(const Value& v, const Shape& shape) {
  return (*this)("reshape", {v}, ShapeAttributes{shape});
}

Value Node::transpose(const Value& v, const Integers& axes) {
  return (*this)("transpose", {v}, AxesAttributes{axes});
}

}  // namespace strata::graph::onnx
