// Calls a function of the C library, such as exp, only once where several executions call it with
// the same arguments, side by side or in the iterations of a loop:
//     a[i] = exp(x[i]) y[i];  b[i] = exp(x[i])    ~>  R = exp(x[i]);  a[i] = R y[i];  b[i] = R
//     for j { a[i, j] = exp(x[i]) y[j] }          ~>  if the loop runs { R = exp(x[i]) }
//                                                     for j { a[i, j] = R y[j] }
//     for i { for j in 0 .. 5 { a[i] += exp(j) x[i + j] } }
//         ~>  if the loop i runs { for j in 0 .. 5 { T[j] = exp(j) } }
//             for i { for j in 0 .. 5 { a[i] += T[j] x[i + j] } }
// where R is a register and T a small table, nothing in between writes what the call reads, and the
// executions always make the call. So the call reads nothing that they did not read. A call before
// a loop also goes before the loop around it, if the outer loop changes neither the call nor
// whether the inner loop runs. Back ends share arithmetic, but not these calls: they may set errno,
// and those of vectors go through memory. But they do share the calls within one execution.
#pragma once

#include "codegen/tree/loop_tree.h"

namespace strata {

Kernel with_shared_calls(const Kernel& kernel);

}  // namespace strata
