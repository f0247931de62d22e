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

// Makes the schedule for a target, whose name machine() knows, and its machine.
using ScheduleFor = std::function<Scheduled(const std::string& target, const Machine&)>;

// schedule(target, machine(target)) for each target of a list; "name" is the kernel's or object's,
// for errors (E0501).
std::vector<ForTarget> scheduled_for(const std::string& list, const ScheduleFor& schedule,
                                     const std::string& name, const Where& where);

// One object with all versions, and its header.
StageTimes codegen_versions(const std::vector<ForTarget>& versions, const std::string& object,
                            const CodegenOptions& options, const Where& where);

}  // namespace strata
