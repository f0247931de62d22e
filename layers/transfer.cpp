#include "layers/transfer.h"

namespace strata {

std::string to_string(Transfer direction) {
  return direction == Transfer::to_device ? "to_device" : "to_host";
}

}  // namespace strata
