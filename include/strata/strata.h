// Strata's front end: the algorithm, and separately its schedule.
//
//   #include <strata/strata.h>
//
//   Function f("smooth");
//   Param N = f.param("N");                             // int64_t argument of the kernel
//   Var i("i", 1, N - 1);                               // 1 <= i < N - 1
//   Input in = f.input("in", f32, {N});                 // elements in(0) .. in(N - 1)
//   Computation out = f.computation("out", {i}, (in(i - 1) + in(i) + in(i + 1)) / 3.0f);
//   out.vectorize(i, 8);
//   f.codegen({in.buffer(), out.buffer()}, "smooth.o");  // and smooth.h
//
// A Function holds computations over iteration domains; scheduling commands on a Computation change
// when, where and in what memory its instances run. Each command is either proved legal when it is
// given, or throws strata::Error (core/error.h) with a counter-example and changes nothing.
//
// core/expr/expr.h defines Var, Param and expressions (operators, select, cast, min, sum, sqrt, ..)
// with their exact meaning; core/type.h the types (f32, i64, ..) and how they mix. Programs that
// call kernels include strata/runtime.h and strata/buffer.h.
//
// Handles are cheap to copy and share their Function. Functions are independent of each other:
// different threads may build different functions at the same time. What a handle makes (an
// access, a parameter, a buffer) belongs to its Function; other functions refuse it (E0101, E0115),
// even where they have something of the same name. A bare name (access("x", ..), Buffer("b"))
// belongs to no function. A Var is only a name and a range: it can be used in any function that
// has the parameters of the range.
#pragma once

#include "core/machine/machine.h"
#include "strata/computation.h"
#include "strata/function.h"
#include "strata/input.h"
