// { a; { b; c } {} }  ~>  { a; b; c },  { a }  ~>  a, and removes loops and guards around nothing.
#pragma once

#include "codegen/tree/loop_tree.h"

namespace strata {

Kernel flatten(const Kernel& kernel);

}  // namespace strata
