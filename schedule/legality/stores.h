// Who writes and reads one buffer.
#pragma once

#include <optional>
#include <vector>

#include "schedule/legality/scheduled.h"

namespace strata {

// A definition whose values live in the buffer.
struct Writer {
  const Definition* definition;
  isl::map place;  // { W[w] -> b[e] }
};

// A read of a value that lives in the buffer, by a definition (a contribution of a reduction also
// reads what it adds to, which began as its initial value).
struct Use {
  std::string source;      // a definition or an input
  const Definition* reader;
  isl::map relation;       // { C[x] -> P[y] }
  isl::map source_place;   // { P[y] -> b[e] }
  // { C[x] -> b[e] : x finds a value of some P[y] there } = R_C . source_place; where P is a scatter,
  // which makes all elements anew that it may redefine, only of those that C[x] may name or keep.
  isl::map read_place;
};

// Everything that touches one buffer.
struct Stores {
  std::string buffer;
  std::vector<Writer> writers;
  std::vector<Use> uses;
  // Values given from outside that live there: { in[e] -> b[e] }.
  std::optional<isl::map> input_place;
  // { b[..] } that exist, where the author gave extents.
  std::optional<isl::set> box = {};
};

const Stores& stores_of(const Scheduled& scheduled, const std::string& buffer);

// Of pairs { P[y] -> W[w] } of a source's instances and a writer's, those where w puts another value
// than y's into a place: all but y itself, and but the contributions to y where y is their initial
// value.
isl::map with_other_value(const isl::map& pairs, const std::string& source,
                          const Definition& writer);

// Do two different values ever share a place of the buffer?
bool places_shared(const Scheduled& scheduled, const std::string& buffer);
// Is some value written more than once (recomputation)?
bool written_again(const Scheduled& scheduled, const std::string& buffer);

}  // namespace strata
