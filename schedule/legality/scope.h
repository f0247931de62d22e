// Buffers allocated for each iteration of a loop (Loop::allocations).
//
// A place is such an iteration together with an element: (pre, b[e]). Inside one iteration, with
// pre as parameters, all questions about the buffer are those about one that lives as long as the
// kernel runs (ProgramView::inside). In addition, no value may be read in another iteration than
// the one that makes it, and none may be made outside.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schedule/legality/program_view.h"
#include "schedule/legality/violation.h"

namespace strata {

// The views in which values of a buffer can share a place: one iteration of each loop that
// allocates it or, if none does, the whole program.
std::vector<const ProgramView*> meeting_places(const ProgramView& whole, const std::string& buffer);

// An execution of "writer" outside the loops that allocate its buffer (E0307).
std::optional<Violation> find_writer_outside(const ProgramView& whole, const Definition& writer,
                                             const std::string& buffer);

// A reader of a value in "buffer" outside the loops that allocate it (E0307).
std::optional<Violation> find_reader_outside(const ProgramView& whole, const Edge& edge,
                                             const std::string& buffer);

// Inside one iteration: a value read from the buffer that this iteration does not make (E0307), or
// makes after the read (E0201, E0202).
std::optional<Violation> find_value_from_elsewhere(const ProgramView& inside, const Edge& edge,
                                                   const std::string& buffer);

}  // namespace strata
