// What a kernel says of itself before its loops are known.
#pragma once

#include "codegen/tree/loop_tree.h"
#include "core/error.h"
#include "layers/program.h"

namespace strata {

// Name, parameters, sizes read from arguments, assumptions and waivers; no buffers and no body.
// What reads were derived from must be exact (layers/affine/exact.h): a further assumption where
// that depends on the parameters.  E0502 where no parameters make it exact.
Kernel signature(const Program& program, const Request& request);

}  // namespace strata
