#include "codegen/entry/c_header.h"

#include <algorithm>

#include "codegen/entry/c_boxes.h"
#include "codegen/entry/c_literals.h"
#include "codegen/entry/index_range.h"
#include "core/expr/expr_text.h"

namespace strata {

namespace {

std::string guard_of(const std::vector<Kernel>& kernels) {
  std::string guard = "STRATA";
  for (const Kernel& kernel : kernels) guard += "_" + kernel.name;
  return guard + "_H";
}

std::string in_words(Access access) {
  if (access == Access::read) return "read";
  return access == Access::written ? "written" : "read and written";
}

// The type of a scalar in C.
std::string type_in_c(Type type) {
  if (type == Type::boolean) return "bool";
  if (is_float(type)) return type == Type::float64 ? "double" : "float";
  return (is_signed_integer(type) ? "int" : "uint") + std::to_string(bits(type)) + "_t";
}

bool takes_truth(const Kernel& kernel) {
  return std::any_of(kernel.scalars.begin(), kernel.scalars.end(),
                     [](const ScalarArgument& s) { return s.type == Type::boolean; });
}

std::string range(const ArgumentBuffer& b) {
  const bool on_ranks = !b.touched.lowers.empty();
  const std::vector<Expr>& lowers = on_ranks ? b.touched.lowers : b.lowers;
  const std::vector<Expr>& uppers = on_ranks ? b.touched.uppers : b.uppers;
  std::string out;
  for (std::size_t d = 0; d < lowers.size(); ++d)
    out += "[" + to_text(lowers[d]) + ", " + to_text(uppers[d]) + ")";
  return out.empty() ? "one element" : out;
}

std::string comment(const Kernel& kernel) {
  std::string out = "/* " + kernel.name + "\n";
  for (const std::string& p : kernel.parameters) out += " *   " + p + ": int64\n";
  for (const ScalarArgument& s : kernel.scalars)
    out += " *   " + s.name + ": " + to_string(s.type) + "\n";
  for (const KernelPartition& p : kernel.partitions)
    out += " *   " + p.name +
           ": the cuts 0 = c[0] <= c[1] <= .. <= c[ranks] = " + in_comment(to_text(p.size)) +
           ", one number more than there are ranks; or null: even " +
           "blocks.\n *     A rank has [" + p.first + ", " + p.last + ")\n";
  for (const ArgumentBuffer& b : kernel.buffers)
    out += " *   " + b.name + ": " + to_string(b.type) + ", " + in_words(b.access) + ", " +
           in_comment(range(b)) + "\n";
  const auto ranges = find_index_ranges(kernel);
  for (const Assumption& a : assumptions_beyond(ranges, kernel))
    out += " * assumes " + in_comment(a.text) + "\n";
  for (const std::string& waiver : kernel.waivers)
    out += " * not proved legal: " + in_comment(waiver) + "\n";
  for (const auto& [a, b] : kernel.may_overlap)
    out += " * " + a + " and " + b + " may share memory\n";
  return out + " * Returns 0, or a negative code of strata/runtime.h. */\n";
}

std::string prototype(const Kernel& kernel) {
  std::string list;
  const auto add = [&](const std::string& argument) {
    list += (list.empty() ? "" : ", ") + argument;
  };
  if (!kernel.partitions.empty()) add("struct strata_team *team");
  for (const std::string& p : kernel.parameters) add("int64_t " + p);
  for (const ScalarArgument& s : kernel.scalars) add(type_in_c(s.type) + " " + s.name);
  for (const KernelPartition& p : kernel.partitions) add("const int64_t *" + p.name);
  for (const ArgumentBuffer& b : kernel.buffers) add("struct halide_buffer_t *" + b.name);
  return "int " + kernel.name + "(" + (list.empty() ? "void" : list) + ");\n";
}

}  // namespace

std::string c_header(const std::vector<Kernel>& kernels) {
  const std::string guard = guard_of(kernels);
  std::string out =
      "/* Made by Strata.  Link the object beside it with strata_runtime.\n"
      " * Ranges are in the order of the program's indices; dimension 0 of a buffer "
      "is the last. */\n";
  out += "#ifndef " + guard + "\n#define " + guard + "\n\n#include <stdint.h>\n";
  if (std::any_of(kernels.begin(), kernels.end(), takes_truth))
    out += "#ifndef __cplusplus\n#include <stdbool.h>\n#endif\n";
  if (std::any_of(kernels.begin(), kernels.end(),
                  [](const Kernel& kernel) { return !kernel.partitions.empty(); }))
    out += "#include <strata/team.h>\n";
  out += "\n";
  out += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\nstruct halide_buffer_t;\n";
  for (const Kernel& kernel : kernels) {
    out += "\n" + comment(kernel) + prototype(kernel);
    if (!kernel.partitions.empty()) out += "\n" + c_boxes(kernel);
  }
  return out + "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
}

}  // namespace strata
