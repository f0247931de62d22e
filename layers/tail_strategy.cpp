#include "layers/tail_strategy.h"

namespace strata {

std::string to_string(TailStrategy tail) {
  switch (tail) {
    case TailStrategy::automatic: return "automatic";
    case TailStrategy::separate: return "separate";
    case TailStrategy::guard: return "guard";
    case TailStrategy::mask: return "mask";
  }
  return "";
}

std::optional<TailStrategy> tail_strategy_named(const std::string& name) {
  for (TailStrategy b :
       {TailStrategy::automatic, TailStrategy::separate, TailStrategy::guard, TailStrategy::mask})
    if (to_string(b) == name) return b;
  return std::nullopt;
}

}  // namespace strata
