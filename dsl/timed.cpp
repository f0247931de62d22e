#include "dsl/timed.h"

#include <ctime>
#include <iostream>

#include "codegen/passes/passes.h"

namespace strata {

namespace {

double milliseconds() { return 1e3 * double(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

CpuTimer::CpuTimer() : start_(milliseconds()) {}

void CpuTimer::report(const std::string& function, const std::string& what) const {
  if (asked_for("STRATA_TIME"))
    std::cerr << function << ": CPU " << milliseconds() - start_ << " ms: " << what << "\n";
}

}  // namespace strata
