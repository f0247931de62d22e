// The part of a kernel that does not depend on its loops.
#pragma once

#include "codegen/tree/loop_tree.h"
#include "core/error.h"
#include "layers/program.h"

namespace strata {

// Name, parameters, sizes read from arguments, scalars, assumptions and waivers; no buffers and no
// body. The arithmetic from which reads were derived must be exact (layers/affine/exact.h). Where
// that depends on the parameters, it becomes an assumption; E0502 if no parameters make it exact.
Kernel signature(const Program& program, const Request& request);

}  // namespace strata
