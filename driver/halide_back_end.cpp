#include "codegen/halide/product/compile.h"
#include "codegen/halide/product/machine_code.h"
#include "codegen/halide/product/runtime_symbols.h"
#include "driver/back_end.h"

namespace strata {

BackEnd halide_back_end() {
  return {"halide", compile, halide::machine_code, halide::runtime_symbols, halide::kind_of_code};
}

}  // namespace strata
