#include "driver/kernel.h"

#include <cstdio>
#include <ostream>

#include "driver/guard.h"
#include "layers/text/text.h"
#include "schedule/finish.h"

namespace strata {

namespace {

// For an unknown target, none: its refusal comes when the kernel is compiled.
Masks masks_for(const std::string& target) {
  try {
    return masks_of(machine(target));
  } catch (const Error&) {
    return Masks::none;
  }
}

Kernel new_kernel(const CompilationUnit& unit, const std::vector<std::string>& arguments,
                  const CodegenOptions& options, Masks masks, StageRun& stages,
                  const Where& where) {
  const Request request{"codegen(" + unit.program.name + ")", where};
  const Given given{where, Check::now};
  return guarded(request.text, where, [&] {
    const Stage<Program> finish{"finish",
                                [&](const Program& program) {
                                  Program ready = finished(program, arguments, given);
                                  if (options.floats == Floats::exact)
                                    require_sums_in_order(ready, arguments, given);
                                  return ready;
                                },
                                "loops are generated for arguments that are known"};
    const Watch<Program> watch{
        [](const Program& program, std::ostream& out) { out << to_text(program); }, nullptr};
    const Program ready = stages.run("program", finish, unit.program, watch);
    return lower(ready,
                 {arguments, options.floats, request, unit.code_limit, options.profile, masks},
                 stages);
  });
}

}  // namespace

const Kernel& kernel_of(CompilationUnit& unit, const std::vector<std::string>& arguments,
                        const CodegenOptions& options, StageRun& stages, const Where& where) {
  const Masks masks = masks_for(options.target);
  const std::optional<MadeKernel>& last = unit.last;
  if (!last || last->arguments != arguments || last->floats != options.floats ||
      last->masks != masks || last->kernel.profiled != options.profile)
    unit.last = MadeKernel{arguments, options.floats, masks,
                           new_kernel(unit, arguments, options, masks, stages, where)};
  return unit.last->kernel;
}

void print_notes(CompilationUnit& unit, const CodegenOptions& options) {
  if (!options.print_notes || unit.notes_printed) return;
  unit.notes_printed = true;
  for (const std::string& note : unit.notes) std::fprintf(stderr, "%s\n", note.c_str());
}

}  // namespace strata
