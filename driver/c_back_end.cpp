#include <ostream>

#include "codegen/c/compile.h"
#include "codegen/c/source.h"
#include "codegen/entry/c_header.h"
#include "codegen/object/temporary_folder.h"
#include "codegen/refusal.h"
#include "core/machine/host.h"
#include "driver/back_end.h"

namespace strata {

namespace {

c::Form form_of(const std::string& target, c::Threads threads) {
  c::Form form;
  form.machine = machine(target);
  form.vector_bytes = form.machine.vector_bits / 8;
  form.threads = threads;
  return form;
}

// The products of the stages.
struct Made {
  std::string text, object, assembly;
};

void print_made(const Made& made, std::ostream& out) {
  if (made.object.empty() && made.assembly.empty())
    out << made.text;
  else
    out << made.object.size() + made.assembly.size() << " bytes\n";
}

// Makes the object and the assembly, as far as "outputs" names them, for a CPU by its name for
// -march.
Made made_by_c(const std::vector<Kernel>& kernels, const std::string& target,
               const std::string& cpu, const Outputs& outputs, StageRun& stages) {
  const Floats floats = kernels[0].floats;
  const auto product = [&](const Made& made, const std::string& file, c::Product kind) {
    return file.empty() ? "" : c::compiled(made.text, {floats, cpu, kind});
  };
  const std::vector<Stage<Made>> table{
      {"C",
       [&](const Made&) {
         return Made{c::source(kernels, form_of(target, c::Threads::runtime)), "", ""};
       },
       "the compiler reads it"},
      {"C compiler",
       [&](Made made) {
         made.object = product(made, outputs.object, c::Product::object);
         made.assembly = product(made, outputs.assembly, c::Product::assembly);
         return made;
       },
       "the end"}};
  return stages.run("machine code", table, {}, {print_made, nullptr});
}

std::shared_ptr<const MachineCode> load_by_c(const Kernel& kernel, const std::string& target,
                                             const Addresses& known, StageRun& stages) {
  for (const std::string& single : single_targets(target)) machine(single);  // E0501
  const Made made = made_by_c({kernel}, "host", "native", {"in memory", "", "", ""}, stages);
  return loaded(made.object, kernel.name, known);
}

void write_by_c(const std::vector<Version>& versions, const Outputs& outputs, StageRun& stages) {
  const std::vector<std::string> targets = single_targets(versions[0].target);
  if (versions.size() > 1 || targets.size() > 1)
    throw refused(Code::E0501_unknown_target, "the C back end writes an object for one CPU",
                  "name one target, or take the back end of Halide");
  const std::vector<Kernel>& kernels = versions[0].kernels;
  const std::string& target = targets[0];
  const std::string cpu = target == "host" ? "native" : machine(target).cpu;
  for (const std::string& file : {outputs.object, outputs.assembly, outputs.header})
    if (!file.empty()) require_writable(file);
  const Made made = made_by_c(kernels, target, cpu, outputs, stages);
  if (!outputs.object.empty()) write_bytes(outputs.object, made.object);
  if (!outputs.assembly.empty()) write_bytes(outputs.assembly, made.assembly);
  if (!outputs.header.empty()) write_bytes(outputs.header, c_header(kernels));
}

// Kernels in C call no other functions.
Addresses symbols_of_c() { return {}; }

std::string kind_of_c() { return "C, " + host_machine().target; }

}  // namespace

BackEnd c_back_end() { return {"c", write_by_c, load_by_c, symbols_of_c, kind_of_c}; }

std::string c_of(const Kernel& kernel, const std::string& target) {
  return c::source({kernel}, form_of(target, c::Threads::openmp));
}

}  // namespace strata
