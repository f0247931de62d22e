// { a; { b; c } {} }  ~>  { a; b; c },  { a }  ~>  a,  and loops and guards around nothing go.
#pragma once

#include "codegen/tree/loop_tree.h"

namespace strata {

Kernel flatten(const Kernel& kernel);

}  // namespace strata
