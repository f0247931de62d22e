// The memories that an author puts buffers in, on a GPU.
//
// Local memory belongs to a thread. With touched = { t -> b[e] } over all executions that touch
// the buffer, inside one iteration of the loop that allocates it, one thread must touch each place:
//
//     touched^-1 . tid   is single-valued,     tid = thread_ids (layers/flow/thread_ids.h)
//
// So each thread can have its part for itself, also across the barriers of sequential loops that
// stand outside of the threads.
// Constant memory holds an input that no execution overwrites.
#pragma once

#include <optional>
#include <string>

#include "schedule/legality/program_view.h"
#include "schedule/legality/violation.h"

namespace strata {

// Two executions, in different threads, that touch one place of a local buffer (E0309); "inside" is
// an iteration of the loop that allocates it. Executions under no thread loop run in the first
// thread of their block. While a schedule is made they may still get threads, and are left out;
// "finished" says that they will not.
std::optional<Violation> find_two_threads(const ProgramView& inside, const std::string& buffer,
                                          bool finished);

// An execution that writes a buffer in constant memory (E0306).
std::optional<Violation> find_constant_written(const ProgramView& whole, const std::string& buffer);

}  // namespace strata
