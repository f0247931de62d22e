// Input data, and C++ functions as externs.
#pragma once

#include <type_traits>
#include <utility>

#include "reference/interpreter.h"

namespace strata::reference {

// Random data, the same for the same seed: integers over the whole range of their type, floats
// between -2 and 2 with full significands.
Arrays random_inputs(const Program& program, const Parameters& parameters, std::uint64_t seed = 1);

// An input whose element p is number(p), converted to the input's type.
Array filled(const Program& program, const Parameters& parameters, const std::string& input,
             const std::function<double(const Point&)>& number);

// The buffers that hold inputs, filled according to the layout.
Arrays input_buffers(const Program& program, const Parameters& parameters, const Arrays& inputs);

template <typename T>
constexpr Type type_of() {
  if constexpr (std::is_same_v<T, bool>)
    return Type::boolean;
  else if constexpr (std::is_same_v<T, float>)
    return Type::float32;
  else if constexpr (std::is_same_v<T, double>)
    return Type::float64;
  else if constexpr (sizeof(T) == 1)
    return std::is_signed_v<T> ? Type::int8 : Type::uint8;
  else if constexpr (sizeof(T) == 2)
    return std::is_signed_v<T> ? Type::int16 : Type::uint16;
  else if constexpr (sizeof(T) == 4)
    return std::is_signed_v<T> ? Type::int32 : Type::uint32;
  else
    return std::is_signed_v<T> ? Type::int64 : Type::uint64;
}

template <typename T>
Scalar scalar(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return real_scalar(type_of<T>(), value);
  else
    return integer_scalar(type_of<T>(), value);
}

template <typename T>
T value_of(const Scalar& a) {
  if constexpr (std::is_floating_point_v<T>)
    return T(real_of(a));
  else
    return T(integer_of(a));
}

template <typename R, typename... A, std::size_t... I>
Scalar called(R (*function)(A...), const std::vector<Argument>& args, std::index_sequence<I...>) {
  return scalar<R>(function(value_of<A>(std::get<Scalar>(args.at(I)))...));
}

// Wraps a C++ function on scalars as an extern: as_extern(+[](double x) { return 2 * x; }).
template <typename R, typename... A>
Extern as_extern(R (*function)(A...)) {
  return [function](const std::vector<Argument>& args) {
    return called(function, args, std::index_sequence_for<A...>());
  };
}

}  // namespace strata::reference
