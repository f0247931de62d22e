// The kinds of remarks. Each function looks at one statement (remarks.h).
#pragma once

#include <optional>

#include "codegen/remarks/remarks.h"

namespace strata {

// No loop around the statement is a vector, and one with iterations for a whole vector exists.
std::optional<Finding> find_no_vector(const Look& at);
// A vector of elements that are not beside each other in memory: the last index of a load or store
// does not grow by -1, 0 or 1 with the lane, or another index depends on the lane.
std::optional<Finding> find_gather(const Look& at);
// A vector loop whose iterations do not fill a vector, and run one by one.
std::optional<Finding> find_scalar_tail(const Look& at);
// A vector of bytes that are 2 to 4 apart, as the colours of a picture are: it is put together byte
// by byte.
std::optional<Finding> find_interleaved_bytes(const Look& at);
// Lanes of 32 bits or more add products of numbers of 8 bits.
std::optional<Finding> find_products_of_bytes(const Look& at);
// A function of the C library, or of the author's, in a vector: it is called lane by lane. Not one
// that has a vector function (docs/semantics.md, "Math functions").
std::optional<Finding> find_scalar_call(const Look& at);
// A condition, or a choice by indices in a value, that changes with the innermost loop or inside
// it; not one that is decided in each copy of unrolled loops.
std::optional<Finding> find_condition(const Look& at);
// The buffer that the statement writes is taken from the heap in each iteration of a loop.
std::optional<Finding> find_allocation(const Look& at);
// A block of a launch has fewer threads than run together (a warp).
std::optional<Finding> find_few_threads(const Look& at);
// A statement of a launch outside of all thread loops runs in the first thread of the block.
std::optional<Finding> find_one_thread(const Look& at);
// A warp touches many more sectors of 32 bytes of global memory than its elements fill.
std::optional<Finding> find_scattered_threads(const Look& at);
// Threads of a warp touch different words of one bank of shared memory: one after the other.
std::optional<Finding> find_bank_conflicts(const Look& at);
// The temporaries of a thread of a GPU, among them the one that the statement writes, are larger
// than its registers.
std::optional<Finding> find_large_thread(const Look& at);
// All iterations of a parallel loop have too little work for threads (codegen/tree/work.h).
std::optional<Finding> find_little_work(const Look& at);
// An index that the kernel checks, because it depends on data.
std::optional<Finding> find_checked_index(const Look& at);
// x[e] = x[e] + .. in a loop over contributions to x[e] with a loop over e inside, so that each
// iteration loads and stores sums; or with more sums than the machine has registers.
std::optional<Finding> find_sum_in_memory(const Look& at);
// The vectors that do not change in the inner loop, the sums among them, are more than the machine
// has registers, so that some are on the stack.
std::optional<Finding> find_operand_on_stack(const Look& at);
// The inner loop has fewer operations per byte of its loads than the machine, and a load that an
// outer loop repeats.
std::optional<Finding> find_low_intensity(const Look& at);

}  // namespace strata
