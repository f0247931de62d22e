#include "codegen/halide/product/llvm_options.h"

#include <cstdlib>
#include <mutex>

namespace strata::halide {

namespace {

const char* const variable = "HL_LLVM_ARGS";
const char* const arguments =
    "-misched-prera-direction=topdown -tail-merge-threshold=32 -vector-combine-max-scan-instrs=8";

std::mutex first_compilation;
bool options_read = false;  // guarded by the mutex

}  // namespace

LlvmOptions::LlvmOptions() {
  std::unique_lock lock(first_compilation);
  if (options_read) return;
  if (std::getenv(variable)) {
    options_read = true;
    return;
  }
  ::setenv(variable, arguments, 1);
  ours_ = true;
  lock.release();  // other threads wait for the end of the first compilation
}

LlvmOptions::~LlvmOptions() {
  if (!ours_) return;
  ::unsetenv(variable);
  options_read = true;
  first_compilation.unlock();
}

}  // namespace strata::halide
