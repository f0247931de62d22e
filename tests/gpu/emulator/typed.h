// Templates of a C++ type for the name of a type in PTX.
#pragma once

#include <cstdint>
#include <string>

#include "tests/gpu/emulator/kernel.h"

namespace strata::emulator {

// "make" instantiated with the integer type of the name, "s32" or "b32"; null for others.
template <typename Make>
Step for_integer(const std::string& type, const Make& make) {
  const bool is_signed = type[0] == 's';
  const std::string bits = type.substr(1);
  if (type[0] == 'f') return nullptr;
  if (bits == "8")
    return is_signed ? make.template operator()<std::int8_t>()
                     : make.template operator()<std::uint8_t>();
  if (bits == "16")
    return is_signed ? make.template operator()<std::int16_t>()
                     : make.template operator()<std::uint16_t>();
  if (bits == "32")
    return is_signed ? make.template operator()<std::int32_t>()
                     : make.template operator()<std::uint32_t>();
  if (bits == "64")
    return is_signed ? make.template operator()<std::int64_t>()
                     : make.template operator()<std::uint64_t>();
  return nullptr;
}

template <typename Make>
Step for_float(const std::string& type, const Make& make) {
  if (type == "f32") return make.template operator()<float>();
  if (type == "f64") return make.template operator()<double>();
  return nullptr;
}

template <typename Make>
Step for_number(const std::string& type, const Make& make) {
  const Step real = for_float(type, make);
  return real ? real : for_integer(type, make);
}

}  // namespace strata::emulator
