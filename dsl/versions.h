// A program with a schedule for each of several targets.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "strata/codegen_each.h"

namespace strata {

struct ForTarget {
  std::string target;
  Scheduled scheduled;
};

// schedule(machine(target)) for each target of a list; "name" is the kernel's or object's, for
// errors (E0501).
std::vector<ForTarget> scheduled_for(const std::string& list,
                                     const std::function<Scheduled(const Machine&)>& schedule,
                                     const std::string& name, const Where& where);

// One object with all versions, and its header.
StageTimes codegen_versions(const std::vector<ForTarget>& versions, const std::string& object,
                            const CodegenOptions& options, const Where& where);

}  // namespace strata
