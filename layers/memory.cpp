#include "layers/memory.h"

namespace strata {

std::string to_string(Memory memory) {
  switch (memory) {
    case Memory::automatic:
      return "automatic";
    case Memory::heap:
      return "heap";
    case Memory::stack:
      return "stack";
  }
  return "";
}

}  // namespace strata
