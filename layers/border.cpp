#include "layers/border.h"

namespace strata {

std::string to_string(Border border) {
  switch (border) {
    case Border::automatic:
      return "automatic";
    case Border::separate:
      return "separate";
    case Border::guard:
      return "guard";
    case Border::mask:
      return "mask";
  }
  return "";
}

}  // namespace strata
