#include "graph/ir/value_type.h"

#include <algorithm>

#include "graph/ir/value.h"

namespace strata::graph {

using Kind = ValueType::Kind;

namespace {

constexpr int most_nested_tuples = 100;
constexpr std::int64_t most_fields = 1000000;

// "(_, _)", or "_" of any rank.
std::string unknown_text(std::optional<int> rank) {
  if (!rank) return "_";
  std::string text = "(";
  for (int d = 0; d < *rank; ++d) text += d ? ", _" : "_";
  return text + ")";
}

// "(a, b)", "(a,)", "(,)": a list of one or no field has a comma too.
std::string tuple_text(const std::vector<ValueType>& fields) {
  std::string text = "(";
  for (const ValueType& field : fields) text += (text.size() > 1 ? ", " : "") + field.text();
  return text + (fields.size() < 2 ? ",)" : ")");
}

Shape normalized(Shape dims) {
  for (Expr& dim : dims) dim = normal(dim);
  return dims;
}

}  // namespace

ValueType::ValueType(Node node) {
  std::string extents = node.dims      ? text_of(*node.dims)
                        : node.extents ? "%" + node.extents->variable().name
                                       : unknown_text(node.rank);
  switch (node.kind) {
    case Kind::tensor:
      node.text =
          "Tensor[" + extents + ", " + (node.element ? to_string(*node.element) : "_") + "]";
      break;
    case Kind::shape: node.text = node.rank ? "Shape[" + extents + "]" : "Shape"; break;
    case Kind::tuple: node.text = tuple_text(node.fields); break;
    case Kind::function: node.text = "Function"; break;
    case Kind::object: node.text = "Object"; break;
    case Kind::nothing: node.text = "Nothing";
  }
  node_ = std::make_shared<const Node>(std::move(node));
}

ValueType::ValueType() {
  static const ValueType object{Node{}};
  node_ = object.node_;
}

ValueType ValueType::tensor(Shape dims, std::optional<Type> element) {
  const int rank = dims.rank();
  return ValueType(Node{Kind::tensor, normalized(std::move(dims)), nullptr, rank, element});
}
ValueType ValueType::tensor(const Value& shape, std::optional<int> rank,
                            std::optional<Type> element) {
  if (!shape.is_variable())
    throw Request{"Tensor", Where::here()}.refused(
        Code::E0601_malformed_graph, "what holds the extents is not a variable", "give their dims");
  return ValueType(Node{Kind::tensor, std::nullopt, shape.node(), rank, element});
}
ValueType ValueType::tensor(std::optional<int> rank, std::optional<Type> element) {
  return ValueType(Node{Kind::tensor, std::nullopt, nullptr, rank, element});
}
ValueType ValueType::shape(Shape dims) {
  const int rank = dims.rank();
  return ValueType(Node{Kind::shape, normalized(std::move(dims)), nullptr, rank});
}
ValueType ValueType::shape(std::optional<int> rank) {
  return ValueType(Node{Kind::shape, std::nullopt, nullptr, rank});
}
ValueType ValueType::tuple(std::vector<ValueType> fields, const Where& where) {
  int depth = 0;
  std::int64_t size = 1;
  for (const ValueType& field : fields) {
    depth = std::max(depth, field.node_->depth + 1);
    size += field.node_->size;
  }
  const auto refuse = [&](const std::string& explanation) {
    throw Request{"a tuple", where}.refused(Code::E0601_malformed_graph, explanation,
                                            "put their fields into one tuple");
  };
  if (depth > most_nested_tuples)
    refuse("tuples are nested more than " + std::to_string(most_nested_tuples) + " deep");
  if (size > most_fields)
    refuse("nested tuples have more than " + std::to_string(most_fields) + " fields");
  return ValueType(
      Node{Kind::tuple, std::nullopt, nullptr, {}, {}, std::move(fields), depth, size});
}
ValueType ValueType::function() {
  static const ValueType type{Node{Kind::function}};
  return type;
}
ValueType ValueType::nothing() {
  static const ValueType type{Node{Kind::nothing}};
  return type;
}

namespace {

// No if one answer is no, else unknown if one is unknown.
Answer both_answers(Answer a, Answer b) {
  if (a == Answer::no || b == Answer::no) return Answer::no;
  return a == Answer::unknown || b == Answer::unknown ? Answer::unknown : Answer::yes;
}

template <typename T>
Answer compared(const std::optional<T>& given, const std::optional<T>& wanted) {
  if (!wanted || given == wanted) return Answer::yes;
  return given ? Answer::no : Answer::unknown;
}

Answer compared_extents(const ValueType& given, const ValueType& wanted) {
  Answer answer = compared(given.rank(), wanted.rank());
  if (answer != Answer::yes) return answer;
  if (wanted.extents()) return given.extents() == wanted.extents() ? Answer::yes : Answer::unknown;
  if (!wanted.dims()) return Answer::yes;
  if (!given.dims()) return Answer::unknown;
  for (int d = 0; d < *wanted.rank(); ++d)
    answer = both_answers(answer, equal((*given.dims())[d], (*wanted.dims())[d]));
  return answer;
}

}  // namespace

Answer belongs_to(const ValueType& given, const ValueType& wanted) {
  if (given == wanted || wanted.kind() == Kind::object) return Answer::yes;
  if (given.kind() == Kind::object) return Answer::unknown;
  if (given.kind() != wanted.kind()) return Answer::no;
  if (!given.is_tuple())
    return both_answers(compared_extents(given, wanted),
                        compared(given.element(), wanted.element()));
  if (given.fields().size() != wanted.fields().size()) return Answer::no;
  Answer answer = Answer::yes;
  for (std::size_t k = 0; k < given.fields().size(); ++k)
    answer = both_answers(answer, belongs_to(given.fields()[k], wanted.fields()[k]));
  return answer;
}

ValueType joined(const ValueType& a, const ValueType& b) {
  if (belongs_to(a, b) == Answer::yes) return b;
  if (belongs_to(b, a) == Answer::yes) return a;
  if (a.kind() != b.kind()) return ValueType();
  if (a.is_tuple()) {
    if (a.fields().size() != b.fields().size()) return ValueType();
    std::vector<ValueType> fields;
    for (std::size_t k = 0; k < a.fields().size(); ++k)
      fields.push_back(joined(a.fields()[k], b.fields()[k]));
    return ValueType::tuple(std::move(fields));
  }
  const std::optional<int> rank = a.rank() == b.rank() ? a.rank() : std::nullopt;
  if (a.is_shape()) return ValueType::shape(rank);
  return ValueType::tensor(rank, a.element() == b.element() ? a.element() : std::nullopt);
}

Shape dims_in(const ValueType& type) {
  if (type.dims()) return *type.dims();
  Shape dims;
  for (const ValueType& field : type.fields()) dims = dims.appended(dims_in(field));
  return dims;
}

ValueType with_dims(const ValueType& type, const std::function<Expr(const Expr&)>& f) {
  if (type.is_tuple()) {
    std::vector<ValueType> fields;
    for (const ValueType& field : type.fields()) fields.push_back(with_dims(field, f));
    return ValueType::tuple(std::move(fields));
  }
  if (!type.dims()) return type;
  Shape dims;
  for (const Expr& dim : *type.dims()) dims.push_back(f(dim));
  const bool known =
      std::all_of(dims.begin(), dims.end(), [](const Expr& d) { return d.defined(); });
  if (type.is_shape()) return known ? ValueType::shape(dims) : ValueType::shape(type.rank());
  return known ? ValueType::tensor(dims, type.element())
               : ValueType::tensor(type.rank(), type.element());
}

ValueType without_variables(const ValueType& type) {
  if (type.extents()) return ValueType::tensor(type.rank(), type.element());
  if (!type.is_tuple()) return type;
  std::vector<ValueType> fields;
  for (const ValueType& field : type.fields()) fields.push_back(without_variables(field));
  return ValueType::tuple(std::move(fields));
}

std::vector<Value> extents_in(const ValueType& type) {
  if (type.extents()) return {Value(type.extents())};
  std::vector<Value> all;
  for (const ValueType& field : type.fields())
    for (const Value& extents : extents_in(field)) all.push_back(extents);
  return all;
}

ValueType with_extents(const ValueType& type, const std::function<Value(const Value&)>& f) {
  if (extents_in(type).empty()) return type;
  if (type.is_tuple()) {
    std::vector<ValueType> fields;
    for (const ValueType& field : type.fields()) fields.push_back(with_extents(field, f));
    return ValueType::tuple(std::move(fields));
  }
  const Value extents = f(Value(type.extents()));
  if (extents.is_variable()) return ValueType::tensor(extents, type.rank(), type.element());
  return extents.type().dims() ? ValueType::tensor(*extents.type().dims(), type.element())
                               : ValueType::tensor(type.rank(), type.element());
}

}  // namespace strata::graph
