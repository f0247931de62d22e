// The CPU at hand.
#pragma once

#include <istream>
#include <string>

#include "core/machine/machine.h"

namespace strata {

// What /proc/cpuinfo says about the first processor.
struct CpuId {
  std::string vendor;                       // "AuthenticAMD"; on Arm the implementer, "0x41"
  int family = 0, model = 0, stepping = 0;  // on Arm, model is the CPU part
  std::string flags;                        // " avx2 fma ", with a space around each
};
CpuId read_cpu_id(std::istream& cpuinfo);

// The row of the table for a CPU: by its family and model, if it has the features that the row
// needs (a hypervisor may hide some); otherwise the generic row of the highest level that it has.
const Machine& cpu_of(const CpuId& id);

// The machine that runs this process: its row, with the caches and the number of cores that the
// operating system reports.
Machine host_machine();

}  // namespace strata
