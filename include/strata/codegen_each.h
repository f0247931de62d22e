// One kernel with a schedule for each of several CPUs.
//
//   Scheduled blur(const Machine& m) {
//     Function f("blur");
//     ..
//     by.vectorize(j, m.lanes(f32));
//     return {f, {in.buffer(), by.buffer()}};
//   }
//
//   CodegenOptions options;
//   options.target = "x86-64-v3,x86-64-v4";
//   codegen_each(blur, "blur.o", options);
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "strata/strata.h"

namespace strata {

// A function and the arguments of its kernel. "sizes" are usual values of its parameters, by name,
// for the model of autoschedule; others are taken as 1000, or less where assumed.
struct Scheduled {
  Function function;
  std::vector<Buffer> arguments;
  std::map<std::string, std::int64_t> sizes = {};
};

// Calls schedule(machine(target)) for each target in options.target; each call must make a new
// Function. Writes one object and one header, like Function::codegen. The kernel chooses among the
// versions when it is called. All versions must have the same name, parameters and arguments
// (E0106). Other errors: those of Function::codegen.
StageTimes codegen_each(const std::function<Scheduled(const Machine&)>& schedule,
                        const std::string& object, const CodegenOptions& options = {},
                        const Where& where = Where::here());

}  // namespace strata
