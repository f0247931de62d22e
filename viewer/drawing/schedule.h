// A schedule as a picture.
#pragma once

#include <string>

#include "layers/program.h"

namespace strata {

// Layer II of the program as SVG, with layer III beside it. Each loop is a box around what it
// runs, in order from above, with its name, its processor and other tags, and its range or number
// of iterations where that is short. Each branch is a leaf with its definition, which has
// data-mark="c:NAME" for a computation NAME. Buffers are beside, with their types, sizes and
// memories; lines join them with the leaves that write and read them, and with the loop whose
// iterations have one each.
std::string draw_schedule(const Program& program);

}  // namespace strata
