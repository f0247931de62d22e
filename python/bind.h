// Commands as Python's methods.
//
//   c.def("shift", command<const Var&, const Expr&>(&Computation::shift), "i"_a, "amount"_a, "..");
//
// Each C++ method takes the author's place as its last argument. The Python method finds it itself.
// The list of types has the other arguments, and chooses the overload.
#pragma once

#include <type_traits>
#include <utility>

#include "python/operands.h"
#include "python/place.h"
#include "python/turns.h"

namespace strata::python {

using namespace nb::literals;

// How Python passes an argument of a C++ type, and its C++ value.
template <typename T>
struct Passed {
  using Type = T;
  static T value(T given) { return std::forward<T>(given); }
};
#define STRATA_PASSED(type, as)                                \
  template <>                                                  \
  struct Passed<type> {                                        \
    using Type = const as&;                                    \
    static auto value(const as& given) { return given.value; } \
  };
STRATA_PASSED(const Expr&, Operand)
STRATA_PASSED(const Var&, LoopName)
STRATA_PASSED(const std::vector<Var>&, LoopNames)
STRATA_PASSED(TileSize, Size)
STRATA_PASSED(std::int64_t, Integer)
STRATA_PASSED(strata::Type, TypeName)
STRATA_PASSED(const Buffer&, BufferName)
#undef STRATA_PASSED
template <>
struct Passed<const Iterators&> {
  using Type = const LoopNames&;
  static Iterators value(const LoopNames& given) { return given.value; }
};
template <>
struct Passed<const std::vector<Expr>&> {
  using Type = const std::vector<Operand>&;
  static std::vector<Expr> value(const std::vector<Operand>& given) {
    std::vector<Expr> values;
    for (const Operand& operand : given) values.push_back(operand.value);
    return values;
  }
};
template <>
struct Passed<const std::vector<Buffer>&> {
  using Type = const std::vector<BufferName>&;
  static std::vector<Buffer> value(const std::vector<BufferName>& given) {
    std::vector<Buffer> values;
    for (const BufferName& name : given) values.push_back(name.value);
    return values;
  }
};
template <>
struct Passed<const std::map<std::string, std::int64_t>&> {
  using Type = const std::map<std::string, Integer>&;
  static std::map<std::string, std::int64_t> value(const std::map<std::string, Integer>& given) {
    std::map<std::string, std::int64_t> values;
    for (const auto& [name, number] : given) values[name] = number.value;
    return values;
  }
};
template <>
struct Passed<const std::optional<Var>&> {
  using Type = const std::optional<LoopName>&;
  static std::optional<Var> value(const std::optional<LoopName>& given) {
    return given ? std::optional(given->value) : std::nullopt;
  }
};

inline std::vector<Expr> values_of(const std::vector<Operand>& operands) {
  return Passed<const std::vector<Expr>&>::value(operands);
}

inline const Owner& owner_of(const Computation& computation) { return computation.owner(); }
inline const Owner& owner_of(const Buffer& buffer) { return buffer.owner(); }
const Owner& owner_of(const Function& function);

template <typename... Args>
struct Command {
  template <typename Result, typename Class>
  static auto of(Result (Class::*method)(Args..., const Where&)) {
    return [method](Class& self, typename Passed<Args>::Type... args) -> Result {
      await_turn(owner_of(self));
      return (self.*method)(Passed<Args>::value(std::forward<typename Passed<Args>::Type>(args))...,
                            python_line());
    };
  }
  template <typename Result, typename Class>
  static auto of(Result (Class::*method)(Args..., const Where&) const) {
    return [method](const Class& self, typename Passed<Args>::Type... args) -> Result {
      await_turn(owner_of(self));
      return (self.*method)(Passed<Args>::value(std::forward<typename Passed<Args>::Type>(args))...,
                            python_line());
    };
  }
};

// A C++ method that returns its handle returns in Python the object that it was called on.
inline constexpr nb::rv_policy itself = nb::rv_policy::reference;

}  // namespace strata::python
