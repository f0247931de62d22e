// The reads that were derived last, by definition.
#pragma once

#include <deque>
#include <vector>

#include "layers/algorithm.h"

namespace strata {

// What a definition S reads follows from S, from the definitions of the arrays that it accesses,
// from the context, and from the order of the parameters (layers/flow/reads.h), if each of these
// arrays has its values defined once: for others the reference order counts, too. Programs that
// descend from one program share what was derived for them, so that schedules of it that are tried
// one after the other derive the reads of the copies that they have in common once.
class RememberedReads {
 public:
  // Those of an equal definition that reads equal definitions; nullptr if they are not known.
  const std::vector<Read>* find(const Algorithm& algorithm, const Definition& reader,
                                const isl::space& order) const;
  void add(const Algorithm& algorithm, const Definition& reader, const isl::space& order,
           const std::vector<Read>& reads);

 private:
  struct Entry {
    Definition reader;
    std::vector<Definition> producers;
    std::vector<isl::set> inputs;  // their domains
    Context context;
    isl::space order;
    std::vector<Read> reads;
  };

  std::deque<Entry> entries_;  // the last one first
};

}  // namespace strata
