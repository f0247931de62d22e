#include "codegen/halide/product/versions.h"

#include <algorithm>
#include <bit>

#include "codegen/halide/emit/exchange.h"
#include "codegen/halide/entry/entry.h"
#include "codegen/halide/product/cpu_needs.h"
#include "codegen/refusal.h"
#include "core/machine/machine.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;
using hi::Call;
using hi::Variable;

const char* const one_architecture =
    "compile the kernel for each architecture by itself, into an object of its own";

void require_one_system(const Candidate& a, const Candidate& b) {
  if (a.target.arch == b.target.arch && a.target.os == b.target.os) return;
  throw refused(Code::E0501_unknown_target,
                a.name + " and " + b.name + " are targets of different systems", one_architecture);
}

void require_different(const Candidate& a, const Candidate& b) {
  if (a.needs != b.needs) return;
  throw refused(Code::E0501_unknown_target,
                a.name + " and " + b.name + " are the same target: both use the same instructions",
                "leave one of them out");
}

bool same_arguments(const Kernel& a, const Kernel& b) {
  const auto same = [](const ArgumentBuffer& x, const ArgumentBuffer& y) {
    return x.name == y.name && x.type == y.type && x.lowers.size() == y.lowers.size();
  };
  const auto same_scalar = [](const ScalarArgument& x, const ScalarArgument& y) {
    return x.name == y.name && x.type == y.type;
  };
  const auto same_partition = [](const KernelPartition& x, const KernelPartition& y) {
    return x.name == y.name;
  };
  return a.name == b.name && a.parameters == b.parameters &&
         std::equal(a.partitions.begin(), a.partitions.end(), b.partitions.begin(),
                    b.partitions.end(), same_partition) &&
         std::equal(a.scalars.begin(), a.scalars.end(), b.scalars.begin(), b.scalars.end(),
                    same_scalar) &&
         std::equal(a.buffers.begin(), a.buffers.end(), b.buffers.begin(), b.buffers.end(), same);
}

void require_same_arguments(const Candidate& a, const Candidate& b) {
  if (std::equal(a.kernels->begin(), a.kernels->end(), b.kernels->begin(), b.kernels->end(),
                 same_arguments))
    return;
  throw refused(
      Code::E0106_bad_argument,
      "the kernels for " + a.name + " and " + b.name + " differ in their names or arguments",
      "give all versions one name, and the same parameters, scalars and buffers");
}

HExpr choice_of(const Kernel& kernel, const std::vector<Candidate>& candidates) {
  std::string names = kernel.name + "\n";
  std::vector<HExpr> needs;
  for (const Candidate& candidate : candidates) {
    names += candidate.name + "\n";
    needs.push_back(hi::IntImm::make(Halide::Int(64), candidate.needs));
  }
  const HExpr list = Call::make(Halide::Handle(), Call::make_struct, needs, Call::PureIntrinsic);
  return Call::make(Halide::Int(32), "strata_choose_version",
                    {names, list, static_cast<int>(candidates.size())}, Call::Extern);
}

HStmt choosing_body(const Kernel& kernel, const std::vector<Candidate>& candidates) {
  const std::string name = "strata.version";
  const HExpr version = Variable::make(Halide::Int(32), name);
  HStmt calls = hi::Evaluate::make(0);
  for (int n = static_cast<int>(candidates.size()); n-- > 0;) {
    const std::string name_of_version = kernel.name + suffix_of(candidates[std::size_t(n)]);
    const HExpr call =
        Call::make(Halide::Int(32), name_of_version, arguments_in_call(kernel), Call::Extern);
    calls = hi::IfThenElse::make(version == n, returned("strata.result", call), calls);
  }
  const HStmt found = hi::AssertStmt::make(version >= 0, version);
  return hi::LetStmt::make(name, choice_of(kernel, candidates), hi::Block::make(found, calls));
}

// The target of the least CPU of the architecture.
Halide::Target least_target(const Halide::Target& target) {
  return Halide::Target(target.os, target.arch, target.bits)
      .with_feature(Halide::Target::NoRuntime);
}

}  // namespace

std::vector<Candidate> candidates_of(const std::vector<Version>& versions) {
  std::vector<Candidate> candidates;
  for (const Version& version : versions) {
    const Halide::Target target = target_named(version.target);
    candidates.push_back({version.target, target, 0, &version.kernels});
    require_one_system(candidates.front(), candidates.back());
    require_same_arguments(candidates.front(), candidates.back());
    candidates.back().needs = needs_of(target, version.target);
    for (std::size_t n = 0; n + 1 < candidates.size(); ++n)
      require_different(candidates[n], candidates.back());
  }
  const auto features = [](const Candidate& c) { return std::popcount(std::uint64_t(c.needs)); };
  std::stable_sort(
      candidates.begin(), candidates.end(),
      [&](const Candidate& a, const Candidate& b) { return features(a) > features(b); });
  return candidates;
}

std::string suffix_of(const Candidate& candidate) { return "." + candidate.name; }

Halide::Module choosing_module(const std::vector<Candidate>& candidates) {
  const std::vector<Kernel>& kernels = *candidates.front().kernels;
  Halide::Module module(kernels.empty() ? "empty" : kernels.front().name,
                        least_target(candidates.front().target));
  for (const Kernel& kernel : kernels)
    module.append(hi::LoweredFunc(kernel.name, arguments_of(kernel),
                                  choosing_body(kernel, candidates), Halide::LinkageType::External,
                                  Halide::NameMangling::C));
  return module;
}

}  // namespace strata::halide
