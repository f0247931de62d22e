// The rule of layer IV with two memories.
//
//  R403 (E0401) a value is read on a side, host or device, where it is: with the events and the
//       notation of layers/flow/coherence.h, for each buffer and side m
//         exists no n in N_m + sources_m, w in W_other:  w < n,  no f in W_m + copies_m: w < f < n
//       where copies_m are the copies to m, and sources_m those from m to the other side.
//       Copies that the author gives are of buffers that launches touch, in sequential loops of the
//       host (E0106), inside the loop that allocates the buffer (E0307). A buffer that is resident
//       is an argument that only launches touch (E0106).
//  R217 (E0106) no copy that the author gives is of a buffer that is resident: it stays on the GPU.
//  R218 (E0106) in a loop over tiles of a parametric size stands no copy: host and device do not
//       both touch a buffer there, and the author gives none. (The number of a tile is not an
//       affine function, so no relation says at which times the copies are made.) R217 and R218 are
//       rules of the mapping, so they hold after each command.
#pragma once

#include <vector>

#include "core/error.h"
#include "layers/flow/coherence.h"

namespace strata {

// Verifies any list of copies of a finished program (schedule/finish.h).
void verify_coherence(const Program& program, const std::vector<CoherenceCopy>& copies,
                      const Request& request);
// Those of coherence_copies.
void verify_coherence(const Program& program, const Request& request);

// R217.
void verify_resident_copies(const Program& program, const Request& request);

}  // namespace strata
