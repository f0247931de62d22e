// Programs that several tests use.
#pragma once

#include <catch2/catch.hpp>

#include <strata/graph.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <string>

namespace strata::test {

// Small whole numbers around 0, as float32.
inline graph::NDArray counted(std::vector<std::int64_t> extents, int modulus) {
  graph::NDArray array(strata_float(32), std::move(extents));
  for (std::size_t p = 0; p < array.size(); ++p)
    array.data<float>()[p] = float(int(p * 7 % std::size_t(modulus)) - modulus / 2);
  return array;
}

// The module, which verifies, and whose text parses back to the same text.
inline graph::Module checked(const graph::Module& module) {
  graph::verify(module);
  const std::string text = graph::text_of(module);
  INFO(text);
  const graph::Module parsed = graph::parse_module(text, graph::constants_of(module));
  CHECK(graph::text_of(parsed) == text);
  graph::verify(parsed);
  CHECK(graph::is_equal(module, parsed));
  return module;
}

// The module whose main has these parameters and one dataflow block, which results in what "body"
// makes.
inline graph::Module one_block(const graph::Values& parameters,
                               const std::function<graph::Value(graph::GraphBuilder&)>& body) {
  graph::GraphBuilder b;
  b.function("main", parameters, [&] {
    graph::Value result;
    b.dataflow([&] { result = b.emit_output(body(b)); });
    b.emit_function_output(result);
  });
  return b.module();
}

// The module of a text, which verifies.
inline graph::Module parsed(const std::string& text) {
  graph::Module module = graph::parse_module(text);
  graph::verify(module);
  return module;
}

inline graph::ValueType f32_tensor(const graph::Shape& dims) {
  return graph::ValueType::tensor(dims, Type::float32);
}

// Equal but for the rounding of floats.
inline bool is_close(const graph::VmValue& a, const graph::VmValue& b) {
  if (a.fields()) {
    if (!b.fields() || a.fields()->size() != b.fields()->size()) return false;
    for (std::size_t f = 0; f < a.fields()->size(); ++f)
      if (!is_close((*a.fields())[f], (*b.fields())[f])) return false;
    return true;
  }
  if (a.shape()) return b.shape() && *a.shape() == *b.shape();
  if (!a.array() || !b.array()) return a.kind() == std::string(b.kind());
  const graph::NDArray &x = *a.array(), &y = *b.array();
  if (x.extents() != y.extents() || !graph::is_same_type(x.type(), y.type())) return false;
  if (!graph::is_same_type(x.type(), strata_float(32)))
    return x.bytes() == 0 || std::memcmp(x.raw(), y.raw(), x.bytes()) == 0;
  for (std::size_t p = 0; p < x.size(); ++p) {
    const float u = x.data<float>()[p], v = y.data<float>()[p];
    if (u != v && !(std::isnan(u) && std::isnan(v)) && v != Approx(u).margin(1e-6)) return false;
  }
  return true;
}

// What the machine computes of a module, which agrees with the reference, run by the interpreter,
// and also where the machine's kernels are interpreted.
inline graph::VmValue built(const graph::Module& module, const std::string& name,
                            const std::vector<graph::VmValue>& given) {
  const graph::VmValue wanted = graph::run(module, name, given, graph::RunBy::interpreter);
  graph::VmValue result;
  for (const graph::RunBy by : {graph::RunBy::interpreter, graph::RunBy::kernels}) {
    const graph::CompiledModule model = graph::build(module, {by});
    INFO(graph::text_of(model.lowered) << model.executable.astext());
    result = graph::VirtualMachine(model.executable, model.kernels)(name, given);
    CHECK(is_close(result, wanted));
  }
  return result;
}

// The attributes of a call with this text.
inline graph::Attributes attributes_in(const std::string& text) {
  const graph::Module module =
      graph::parse_module("def @f() -> Object { %y: Object = call(" + text + ") %y }");
  const graph::Binding& b = module.function("f")->body.blocks[0].bindings[0];
  return b.as<graph::OperatorCall>()->attributes;
}

// The explanation of the refusal.
template <typename Act>
std::string why(Act act) {
  try {
    act();
  } catch (const Error& e) {
    return to_string(e.code()).substr(0, 5) + " " + e.refusal().explanation;
  }
  return "nothing was refused";
}

}  // namespace strata::test
