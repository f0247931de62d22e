// { a; { b; c } {} }  ~>  { a; b; c },  { a }  ~>  a. Also removes conditions whose truth is known,
// and loops and guards around nothing.
#pragma once

#include "codegen/tree/loop_tree.h"

namespace strata {

Kernel flatten(const Kernel& kernel);

}  // namespace strata
