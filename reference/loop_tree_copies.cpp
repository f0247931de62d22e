#include "reference/loop_tree_copies.h"

#include <algorithm>

namespace strata::reference {

std::vector<CopyLog::Copy> CopyLog::done(std::int64_t thread) {
  const auto own = std::stable_partition(begun_.begin(), begun_.end(),
                                         [&](const Copy& copy) { return copy.thread != thread; });
  std::vector<Copy> copies(own, begun_.end());
  begun_.erase(own, begun_.end());
  return copies;
}

std::string CopyLog::find_early(const Place& place, bool writes) const {
  for (const Copy& copy : begun_) {
    if (copy.target == place) return "no thread has waited for the copy to ";
    if (writes && copy.source == place) return "no thread has waited for the copy from ";
  }
  return "";
}

}  // namespace strata::reference
