// The rules of layer III (layers/layout.h), each as a function that throws the request's error.
#pragma once

#include "core/error.h"
#include "layers/program.h"

namespace strata {

// R301 (E0306): only arrays and inputs are stored, in a buffer of their type whose rank is that of
// the access relation.
void verify_stores(const Program& program, const Request& request);

// R302 (E0306): every existing value has exactly one place:
//     { X[e] -> b[..] } is single-valued, and total on the values defined.
void verify_one_place(const Program& program, const Request& request);

// R303 (E0112): the places of every buffer are bounded by the parameters.
void verify_bounded(const Program& program, const Request& request);

// R304 (E0306): a buffer has no extents, or one per dimension, affine in the parameters.
void verify_extents(const Program& program, const Request& request);

// R305 (E0306): an input that is passed by value is in a buffer of its own name, with nothing else,
// in no chosen memory and not resident.
void verify_scalars(const Program& program, const Request& request);

// All rules, in this order.
void verify_layout(const Program& program, const Request& request);

}  // namespace strata
