// Options of LLVM's code generator.
#pragma once

namespace strata::halide {

// Gives LLVM its options while Halide compiles for the first time in this process: Halide then
// reads them from the environment variable HL_LLVM_ARGS. Keep one of these around each compilation,
// in the thread that waits for it (crash_recovery.h). A value that the user has set stays, and
// replaces ours.
//
// -misched-prera-direction=topdown: instructions are scheduled from the first to the last. LLVM's
// default for x86 works from both ends. In the unrolled loop of a matrix product it loads all
// broadcasts before the second column of sums, and spills: for 6 x 2 vectors of sums on Haswell it
// emits 42 instructions instead of 24.
//
// -tail-merge-threshold=32: LLVM compares the tails of blocks that jump to one block, but of at
// most 32 of them. With LLVM's default of 150, the checks of a kernel with a hundred allocations
// take two thirds of its compile time.
//
// -vector-combine-max-scan-instrs=8: if all lanes of a loaded vector are extracted, LLVM loads the
// lanes one by one. Halide extracts them for fused multiply-adds, of which it makes one for each
// lane. To see that no store is between load and use, LLVM reads the code in between, again for
// each lane, up to this limit. With LLVM's default of 30, 64 unrolled vectors of x x + x take 31 s
// instead of 0.2. With 0 it makes no broadcast from a load, and the registers of a product spill.
class LlvmOptions {
 public:
  LlvmOptions();
  ~LlvmOptions();
  LlvmOptions(const LlvmOptions&) = delete;
  LlvmOptions& operator=(const LlvmOptions&) = delete;

 private:
  bool ours_ = false;
};

}  // namespace strata::halide
