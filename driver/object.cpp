#include "driver/object.h"

#include "driver/back_end.h"
#include "driver/guard.h"
#include "driver/kernel.h"
#include "driver/remarks.h"

namespace strata {

namespace {

std::string header_beside(const std::string& object) {
  const auto dot = object.rfind('.');
  const bool extension = dot != std::string::npos && object.find('/', dot) == std::string::npos;
  return (extension ? object.substr(0, dot) : object) + ".h";
}

Outputs outputs_of(const std::string& object, const CodegenOptions& options) {
  return {object, options.header.empty() ? header_beside(object) : options.header, options.assembly,
          ""};
}

}  // namespace

StageTimes write_object(const std::vector<UnitFor>& versions, const std::string& object,
                        const CodegenOptions& options, const Where& where) {
  const std::string name = versions[0].unit.program.name;
  print_notes(versions[0].unit, options);
  StageRun stages(name);
  std::vector<Version> made;
  for (const auto& [target, unit, arguments] : versions) {
    CodegenOptions single = options;
    if (versions.size() > 1) single.target = target;  // a single target may be a machine's file
    made.push_back({target, {kernel_of(unit, arguments, single, stages, where)}});
    print_remarks(unit, made.back().kernels[0], arguments, single.target,
                  {"codegen(" + unit.program.name + ")", where});
  }
  const BackEnd& back_end = back_end_of(options, {"codegen(" + name + ")", where});
  at_authors_line(name, where, [&] { back_end.write(made, outputs_of(object, options), stages); });
  return stages.times();
}

}  // namespace strata
