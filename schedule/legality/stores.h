// The writers and readers of a buffer.
#pragma once

#include <optional>
#include <vector>

#include "schedule/legality/program_view.h"

namespace strata {

// A definition whose values are stored in the buffer.
struct Writer {
  const Definition* definition;
  isl::map place;  // { W[w] -> b[e] }
};

// A definition's read of a value in the buffer. A contribution of a reduction also reads the result
// that it adds to, which counts as a read of the initial value.
struct Use {
  std::string source;  // a definition or an input
  const Definition* reader;
  isl::map relation;      // { C[x] -> P[y] }
  isl::map source_place;  // { P[y] -> b[e] }
  // { C[x] -> b[e] : x finds a value of some P[y] there } = R_C . source_place. A scatter P counts
  // as redefining every element that it may; then only elements that C[x] may name or keep.
  isl::map read_place;
};

// Everything that touches one buffer.
struct Stores {
  std::string buffer;
  std::vector<Writer> writers;
  std::vector<Use> uses;
  // The input's values in the buffer: { in[e] -> b[e] }.
  std::optional<isl::map> input_place;
  // The elements { b[..] }, if the author gave extents.
  std::optional<isl::set> box = {};
};

const Stores& stores_of(const ProgramView& view, const std::string& buffer);

// The pairs { P[y] -> W[w] } of source and writer instances in which w writes another value than
// y's: all except w = y and, if y is an initial value, the contributions to its result.
isl::map with_other_value(const isl::map& pairs, const std::string& source,
                          const Definition& writer);

// Do two different values ever share a place of the buffer?
bool places_shared(const ProgramView& view, const std::string& buffer);
// Is some value written more than once (recomputation)?
bool written_again(const ProgramView& view, const std::string& buffer);

}  // namespace strata
