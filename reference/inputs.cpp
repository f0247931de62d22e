#include "reference/inputs.h"

#include "reference/storage.h"

namespace strata::reference {

namespace {

// The mixing step of splitmix64 (Steele, Lea, Flood 2014).
std::uint64_t scrambled(std::uint64_t x) {
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
    std::uint64_t state = scrambled(seed);
    for (char c : input.name) state = scrambled(state ^ std::uint64_t(c));
    const auto elements = points(input.domain, parameters);
    Array& array = result[input.name] = Array(input.type, elements);
    for (const Point& p : elements) array.set(p, drawn(input.type, state = scrambled(state)));
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

Arrays input_buffers(const Program& program, const Parameters& parameters, const Arrays& inputs) {
  std::map<std::string, std::pair<Type, std::map<Point, Scalar>>> contents;
  for (const InputArray& input : program.algorithm->inputs) {
    if (program.layout.store.count(input.name) == 0) continue;
    const Stored at = stored(program, input.name, parameters);
    auto& buffer = contents[at.buffer];
    buffer.first = input.type;
    for (const auto& [element, place] : at.places)
      buffer.second[place] = inputs[input.name][element];
  }
  Arrays result;
  for (const auto& [name, buffer] : contents) {
    std::vector<Point> places;
    for (const auto& [place, value] : buffer.second) places.push_back(place);
    Array& array = result[name] = Array(buffer.first, places);
    for (const auto& [place, value] : buffer.second) array.set(place, value);
  }
  return result;
}

}  // namespace strata::reference
