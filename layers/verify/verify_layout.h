// The rules of layer III (layers/layout.h), each a function that throws the request's refusal.
#pragma once

#include "core/error.h"
#include "layers/program.h"

namespace strata {

// R301 (E0306): what is stored is an array or input, and goes into a buffer of its type and of
// the rank of its access relation.
void verify_stores(const Program& program, const Request& request);

// R302 (E0306): a value that exists has exactly one place:
//     { X[e] -> b[..] } is single-valued and total on the values defined.
void verify_one_place(const Program& program, const Request& request);

// R303 (E0112): the places of every buffer are bounded by the parameters.
void verify_bounded(const Program& program, const Request& request);

// R304 (E0306): a buffer has no extents or one, affine in the parameters, for each dimension.
void verify_extents(const Program& program, const Request& request);

// All of them, in that order.
void verify_layout(const Program& program, const Request& request);

}  // namespace strata
