// Programs that several tests use.
#pragma once

#include <catch2/catch.hpp>

#include <strata/graph.h>

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

inline graph::ValueType f32_tensor(const graph::Shape& dims) {
  return graph::ValueType::tensor(dims, Type::float32);
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
