#include "layers/border.h"

namespace strata {

std::string to_string(Border border) {
  switch (border) {
    case Border::automatic: return "automatic";
    case Border::separate: return "separate";
    case Border::guard: return "guard";
    case Border::mask: return "mask";
  }
  return "";
}

std::optional<Border> border_named(const std::string& name) {
  for (Border b : {Border::automatic, Border::separate, Border::guard, Border::mask})
    if (to_string(b) == name) return b;
  return std::nullopt;
}

}  // namespace strata
