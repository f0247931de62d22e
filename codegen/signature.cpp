#include "codegen/signature.h"

#include <algorithm>
#include <set>

#include "core/expr/expr_text.h"
#include "core/sets/relation_text.h"
#include "layers/flow/exact_reads.h"
#include "layers/flow/ranks.h"

namespace strata {

namespace {

// Is it the bound of a block?
bool is_bound(const Kernel& kernel, const std::string& parameter) {
  return std::any_of(
      kernel.partitions.begin(), kernel.partitions.end(),
      [&](const KernelPartition& p) { return p.first == parameter || p.last == parameter; });
}

// The partitions whose blocks have bounds among the parameters (with_block_bounds). Their cuts are
// checked before anything is read from an input.
void add_partitions(Kernel& kernel, const Algorithm& algorithm, const std::set<std::string>& read,
                    const Request& request) {
  const std::set<std::string> known(algorithm.parameters.begin(), algorithm.parameters.end());
  for (const RankPartition& p : algorithm.partitions) {
    const BlockNames block = own_block(p.name);
    if (!known.count(block.first)) continue;
    visit(p.size, [&](const Expr& e) {
      if (e.op() == Op::parameter && read.count(e.name()))
        throw request.refused(Code::E0402_not_on_ranks,
                              "the size of the partition " + p.name + " depends on " + e.name() +
                                  ", which the kernel reads from an input",
                              "make it an argument with f.param(name)");
    });
    kernel.partitions.push_back({p.name, p.size, block.first, block.last});
  }
}

void add_parameters(Kernel& kernel, const Algorithm& algorithm, const Request& request) {
  std::set<std::string> read;
  for (const SizeParameter& size : algorithm.sizes) {
    const Expr& in = size.element;
    read.insert(size.name);
    kernel.sizes.push_back({size.name, cast(i64, load(in.name(), in.type(), in.args()))});
  }
  add_partitions(kernel, algorithm, read, request);
  for (const std::string& name : algorithm.parameters)
    if (!read.count(name) && !is_bound(kernel, name)) kernel.parameters.push_back(name);
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
  add_parameters(kernel, *program.algorithm, request);
  for (const InputArray& input : program.algorithm->inputs)
    if (input.by_value) kernel.scalars.push_back({input.name, input.type});
  add_assumptions(kernel, *program.algorithm, request);
  for (const Waiver& waiver : program.waivers)
    kernel.waivers.push_back(waiver.command + ": " + isl_text(waiver.violations));
  return kernel;
}

}  // namespace strata
