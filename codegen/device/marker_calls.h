// Calls of marker functions in PTX.
//
// What Halide has no statements for goes through its passes, and LLVM's, as calls of functions that
// nothing defines. In the text instructions take their places:
//
//     strata_cp_async_N(to, word)          a copy of N bytes (asynchronous_copies.h)
//     strata_cp_async_wait_all()
//     strata_mma_SHAPE(a.., b.., c..)      a matrix product (matrix_products.h)
//
// A call is printed as
//
//     { // callseq 3, 0
//     .param .b32 param0;
//     st.param.b32 [param0], %r5;
//     ..
//     .param .b32 retval0;
//     call.uni (retval0), strata_cp_async_4, (param0, param1);
//     ld.param.b32 %r20, [retval0];
//     } // callseq 3
#pragma once

#include <string>
#include <vector>

namespace strata::device {

// The start of the names of marker functions; a size or a shape follows.
inline const char* const copy_marker = "strata_cp_async_";
inline const char* const product_marker = "strata_mma_";

struct MarkerCall {
  std::string function;
  std::vector<std::string> arguments;  // registers and constants
  std::vector<std::string> results;    // registers
  std::size_t first = 0, last = 0;     // its lines
};

// What stands for the call in the lines of its kernel, which may change others; "" if the call has
// another form than expected.
std::string copy_instruction(std::vector<std::string>& lines, const MarkerCall& call);
std::string product_instruction(std::vector<std::string>& lines, const MarkerCall& call);

// PTX with instructions in the place of the calls, which declares no markers. A thread copies for
// itself, and waits for its own copies, so threads may go different ways; the threads of a warp
// multiply together. E0502 if a call has another form than expected, or if a matrix product is
// where threads of a warp may go different ways (warp_paths.h).
std::string with_instructions(const std::string& text, const std::string& kernel);

}  // namespace strata::device
