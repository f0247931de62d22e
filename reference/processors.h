// How the judges run the iterations of a loop of each processor.
#pragma once

#include "layers/processor.h"

namespace strata::reference {

enum class Iterated {
  in_turn,   // one after the other
  in_any,    // at the same time, in any order
  in_lanes,  // as lanes of vector instructions
};

constexpr Iterated iterated(Processor processor) {
  switch (processor) {
    case Processor::sequential:
    case Processor::unrolled:
    case Processor::node:  // on one rank
      return Iterated::in_turn;
    case Processor::parallel:
    case Processor::block:
    case Processor::thread: return Iterated::in_any;
    case Processor::vector: return Iterated::in_lanes;
  }
  return Iterated::in_any;
}

}  // namespace strata::reference
