// Buffers that every iteration of a loop has for itself (Loop::allocations).
//
// A place is such an iteration together with an element: (pre, b[e]).  Seen from inside one
// iteration, whose iterators are parameters, all questions about a buffer are those about one that
// lives as long as the kernel runs (Scheduled::inside); what remains is that no value is
// read in another iteration than the one that made it, and none is made outside.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schedule/legality/scheduled.h"
#include "schedule/legality/violation.h"

namespace strata {

// Where the values of a buffer meet: one iteration of each loop that allocates it, or, where none
// does, all that runs.
std::vector<const Scheduled*> meeting_places(const Scheduled& whole, const std::string& buffer);

// An execution outside of the loops that allocate its buffer (E0307).
std::optional<Violation> find_writer_outside(const Scheduled& whole, const Definition& writer,
                                             const std::string& buffer);

// A reader of a value in "buffer" outside of the loops that allocate it (E0307).
std::optional<Violation> find_reader_outside(const Scheduled& whole, const Edge& edge,
                                             const std::string& buffer);

// Inside one iteration: a value in the buffer that this iteration does not make (E0307), or makes
// after it is read (E0201, E0202).
std::optional<Violation> find_value_from_elsewhere(const Scheduled& inside, const Edge& edge,
                                                   const std::string& buffer);

}  // namespace strata
