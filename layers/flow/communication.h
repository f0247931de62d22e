// Layer IV: what a kernel does besides computing values: it allocates and frees memory, and copies
// values between buffers.
//
// On one node all of this follows from the other layers, so it is derived from a finished program,
// and stored only where the author says it: copies between host and device.  Operations have
// executions in the time space of layer II, and so an order.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/error.h"
#include "layers/flow/messages.h"
#include "layers/program.h"

namespace strata {

// How long a temporary buffer lives: in each iteration of a loop, or once in the kernel, from the
// first to the last node of the body (of the roots) under which a definition mentions it.
struct Lifetime {
  std::string buffer;
  Path loop;  // whose iterations have the buffer; empty: the kernel
  int first, last;
};

// The buffers of the arrays that a definition defines or names, even under conditions that never
// hold.
std::set<std::string> mentioned_buffers(const Program& program, const Definition& d);

// The lifetimes of all temporary buffers that are mentioned, in the order of the layout.  "mapping"
// is the program's with the branches of initial values (layers/flow/initial_values.h).
std::vector<Lifetime> lifetimes(const Program& program, const Mapping& mapping);

// { name[t0, .., tp] : an execution inside the loop has these iterators }; at the root { name[] }.
isl::set iterations(const Program& program, const Mapping& mapping, const Path& loop,
                    const std::string& name);

struct Operation {
  enum class Kind {
    allocate,  // of "buffer", by the kernel or by each iteration of a loop
    free,
    copy,       // of values at affine indices, by a computation that does nothing else
    to_device,  // of the whole of "buffer", from the host to the GPU
    to_host,    // and back
  };
  Kind kind;
  std::string name;    // the buffer, or the computation that copies
  std::string buffer;  // allocated or freed; of a copy: the destination
  // With pre = [t0, .., tp] the iterators of the loops down to the one that allocates the buffer,
  // and its lifetime:
  //     allocate  { buffer[pre] -> [b0, t0, .., bp, tp, first] }
  //     free      { buffer[pre] -> [b0, t0, .., bp, tp, last] }
  //     copy      { C[i] -> [b0, t0, .., bd] }
  //     to_device, to_host  { buffer[pre] -> [b0, t0, .., bp, tp, position] }, pre any iterators
  // An allocation or a copy of a whole buffer comes before, and a free after, every execution whose
  // time begins with its own. The iterator of a loop over tiles of a parametric size T represents
  // floor(t / T).
  isl::map time;
  // Of a copy: its source, and { C[i] -> X[e] : C[i] copies X(e) }.
  std::string from;
  std::optional<isl::map> moved;
};

// Rules (verify_communication):
//  R401 an access of a temporary buffer is between an allocation and its free, in the loop that
//       allocates the buffer, and in only one such loop; reads that no instance makes are exempt
//  R402 an execution of a copy moves one value
//  R403 a value is read where it is: on the host, or on the device
//  (layers/verify/verify_coherence.h)
struct Communication {
  std::vector<Message> messages = {};  // between ranks, derived (layers/flow/messages.h)
  // Allocations, copies of values, copies of buffers, frees; each kind in static order.
  std::vector<Operation> operations;
};

// Requires a finished program (schedule/finish.h).  Errors of coherence_copies
// (layers/flow/coherence.h).
Communication communication_of(const Program& program);

// E0307 for R401, E0306 for R402.
void verify_communication(const Program& program, const Request& request);

// One line per operation, in isl's notation.
std::string to_text(const Communication& communication);

}  // namespace strata
