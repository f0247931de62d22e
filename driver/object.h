// Program + arguments + options -> object and header.
#pragma once

#include <string>
#include <vector>

#include "core/stage.h"
#include "driver/compilation_unit.h"
#include "strata/codegen_options.h"

namespace strata {

// A program with the schedule for one target.
struct UnitFor {
  std::string target;
  CompilationUnit& unit;
  std::vector<std::string> arguments;  // names of buffers
};

// Writes one object with all versions, and its header. All versions must have the same name,
// parameters and arguments (E0106). For several versions, the options' target is the list of their
// targets.
StageTimes write_object(const std::vector<UnitFor>& versions, const std::string& object,
                        const CodegenOptions& options, const Where& where);

}  // namespace strata
