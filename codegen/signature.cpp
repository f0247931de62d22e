#include "codegen/signature.h"

#include <set>

#include "core/expr/expr_text.h"
#include "core/sets/relation_text.h"
#include "layers/flow/exact_reads.h"

namespace strata {

namespace {

void add_parameters(Kernel& kernel, const Algorithm& algorithm) {
  std::set<std::string> read;
  for (const SizeParameter& size : algorithm.sizes) {
    const Expr& in = size.element;
    read.insert(size.name);
    kernel.sizes.push_back({size.name, cast(i64, load(in.name(), in.type(), in.args()))});
  }
  for (const std::string& name : algorithm.parameters)
    if (!read.count(name)) kernel.parameters.push_back(name);
}

void add_assumptions(Kernel& kernel, const Algorithm& algorithm, const Request& request) {
  ExactRange needed;
  for (const Definition& d : algorithm.definitions) {
    const auto range = exact_range(d, algorithm.context);
    if (!range)
      throw request.refused(Code::E0502_code_generation_failed,
                            "the arithmetic of an index or a condition of " + d.name +
                                " wraps for all parameter values");
    note(needed, *range, d.domain);
  }
  std::vector<Expr> all = algorithm.assumed;
  for (const Expr& condition : assumptions_of(needed)) all.push_back(condition);
  for (const Expr& condition : all) kernel.assumptions.push_back({condition, to_text(condition)});
}

}  // namespace

Kernel signature(const Program& program, const Request& request) {
  Kernel kernel;
  kernel.name = program.name;
  add_parameters(kernel, *program.algorithm);
  for (const InputArray& input : program.algorithm->inputs)
    if (input.by_value) kernel.scalars.push_back({input.name, input.type});
  add_assumptions(kernel, *program.algorithm, request);
  for (const Waiver& waiver : program.waivers)
    kernel.waivers.push_back(waiver.command + ": " + isl_text(waiver.violations));
  return kernel;
}

}  // namespace strata
