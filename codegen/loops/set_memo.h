// A function of a set and a depth, which remembers its results.
#pragma once

#include <isl/set.h>

#include <cstdint>
#include <map>

#include "core/sets/relation.h"

namespace strata {

// Copies of a tile have many loops in common, with the same iterations.
template <typename Result>
class SetMemo {
 public:
  using Function = Result (*)(const isl::set& set, int depth);
  explicit SetMemo(Function function) : function_(function) {}

  const Result& operator()(const isl::set& set, int depth) {
    const std::uint32_t hash = isl_set_get_hash(set.get());
    const auto [first, last] = known_.equal_range(hash);
    for (auto entry = first; entry != last; ++entry) {
      const Known& known = entry->second;
      if (known.depth == depth &&
          isl_set_plain_is_equal(known.set.get(), set.get()) == isl_bool_true)
        return known.result;
    }
    return known_.emplace(hash, Known{set, depth, function_(set, depth)})->second.result;
  }

 private:
  struct Known {
    isl::set set;
    int depth;
    Result result;
  };
  const Function function_;
  std::multimap<std::uint32_t, Known> known_;  // by the hash of the set
};

}  // namespace strata
