#include "tests/judge/inputs.h"

namespace strata::judge {

namespace {

// The mixing step of splitmix64 (Steele, Lea, Flood 2014).
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

Scalar drawn(Type type, std::uint64_t random) {
  if (is_float(type)) return real_scalar(type, 4.0 * double(random >> 11) / double(1ULL << 53) - 2);
  return integer_scalar(type, type == Type::boolean ? random & 1 : random);
}

}  // namespace

Arrays random_inputs(const Program& program, const Parameters& parameters, std::uint64_t seed) {
  Arrays result;
  for (const InputArray& input : program.algorithm->inputs) {
    std::uint64_t state = mixed(seed);
    for (char c : input.name) state = mixed(state ^ std::uint64_t(c));
    const auto elements = points(input.domain, parameters);
    Array& array = result[input.name] = Array(input.type, elements);
    for (const Point& p : elements) array.set(p, drawn(input.type, state = mixed(state)));
  }
  return result;
}

Array filled(const Program& program, const Parameters& parameters, const std::string& input,
             const std::function<double(const Point&)>& number) {
  const InputArray* found = program.algorithm->find_input(input);
  if (found == nullptr) throw std::runtime_error("there is no input " + input);
  const auto elements = points(found->domain, parameters);
  Array result(found->type, elements);
  for (const Point& p : elements)
    result.set(p, cast_to(found->type, real_scalar(Type::float64, number(p))));
  return result;
}

}  // namespace strata::judge
