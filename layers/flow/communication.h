// Layer IV is what a kernel does besides computing values: it allocates and frees memory, and
// copies values between buffers.
//
// All of this follows from the other layers, so it is derived from a finished program. Only the
// copies between host and device that the author gave are stored. The executions of these
// operations have times in the space of layer II, and so an order.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/error.h"
#include "layers/flow/messages.h"
#include "layers/program.h"

namespace strata {

// How long a temporary buffer lives: in each iteration of a loop, or once in the kernel. It lives
// from node "first" to node "last" of the body (of the roots): the first and the last node under
// which a definition mentions it.
struct Lifetime {
  std::string buffer;
  Path loop;  // each of its iterations has the buffer; empty: the kernel
  int first, last;
};

// The buffers of the arrays that a definition defines or names, even under conditions that never
// hold.
std::set<std::string> mentioned_buffers(const Program& program, const Definition& d);

// The lifetimes of all temporary buffers that are mentioned, in the order of the layout. "mapping"
// is the program's mapping with the branches of initial values (layers/flow/initial_values.h).
std::vector<Lifetime> lifetimes(const Program& program, const Mapping& mapping);

// { name[t0, .., tp] : the iterators have these values in an execution inside the loop }; for the
// roots { name[] }.
isl::set iterations(const Program& program, const Mapping& mapping, const Path& loop,
                    const std::string& name);

struct Operation {
  enum class Kind {
    allocate,  // of "buffer", by the kernel or by each iteration of a loop
    free,
    copy,       // of values at affine indices, by a computation that does nothing else
    to_device,  // of the whole of "buffer", from the host to the GPU
    to_host,    // the same, from the GPU to the host
  };
  Kind kind;
  std::string name;    // the buffer, or the computation that copies
  std::string buffer;  // the buffer; for a copy of values, the destination
  // The times of the executions. pre = [t0, .., tp] are the iterators of the loops down to the one
  // that allocates the buffer; first and last are from its lifetime:
  //     allocate  { buffer[pre] -> [b0, t0, .., bp, tp, first] }
  //     free      { buffer[pre] -> [b0, t0, .., bp, tp, last] }
  //     copy      { C[i] -> [b0, t0, .., bd] }
  //     to_device, to_host  { buffer[pre] -> [b0, t0, .., bp, tp, position] }, pre any iterators
  // An allocation, or a copy of a whole buffer, comes before every execution whose time begins with
  // its own; a free comes after them. The iterator of a loop over tiles of a parametric size T
  // represents floor(t / T).
  isl::map time;
  // For a copy of values: its source, and { C[i] -> X[e] : C[i] copies X(e) }.
  std::string from;
  std::optional<isl::map> moved;
};

// Rules (verify_communication checks R401 and R402, layers/verify/verify_coherence.h R403):
//  R401 an access of a temporary buffer is between an allocation and its free, in the loop that
//       allocates the buffer, and in only one such loop; reads that no instance makes are exempt
//  R402 an execution of a copy moves one value
//  R403 a value is read where it is: on the host, or on the device
struct Communication {
  std::vector<Message> messages = {};  // between ranks, derived (layers/flow/messages.h)
  // Allocations, copies of values, copies of buffers, frees; each kind in static order.
  std::vector<Operation> operations;
};

// Requires a finished program (schedule/finish.h). Throws what coherence_copies throws
// (layers/flow/coherence.h).
Communication communication_of(const Program& program);

// Throws E0307 if R401 is broken, E0306 if R402 is.
void verify_communication(const Program& program, const Request& request);

// Each message and each operation, with its relations in isl's notation.
std::string to_text(const Communication& communication);

}  // namespace strata
