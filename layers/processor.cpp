#include "layers/processor.h"

namespace strata {

std::string to_string(Processor processor) {
  switch (processor) {
    case Processor::sequential:
      return "sequential";
    case Processor::parallel:
      return "parallel";
    case Processor::vector:
      return "vector";
    case Processor::unrolled:
      return "unrolled";
  }
  return "";
}

}  // namespace strata
