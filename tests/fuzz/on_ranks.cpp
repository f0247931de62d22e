#include "tests/fuzz/on_ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <random>

#include "codegen/lower.h"
#include "layers/define/build.h"
#include "reference/inputs.h"
#include "reference/loop_tree_ranks.h"
#include "schedule/commands/launch/distribute.h"
#include "schedule/finish.h"
#include "tests/fuzz/sizes.h"

namespace strata::fuzz {

namespace {

constexpr const char* partition_name = "rows_of_ranks";
constexpr std::int64_t beyond = 8;  // the partition is larger than its parameter by so much

class RanksRunner {
 public:
  RanksRunner(const Program& program, const std::vector<std::string>& arguments, std::uint64_t seed)
      : program_(program), arguments_(arguments), random_(seed) {}

  OnRanks run() {
    OnRanks result;
    const auto kernel = distributed_kernel();
    if (!kernel) return result;
    for (const Parameters& size : sizes_of(program_, Effort::compiled)) {
      if (!size.count(of_size_)) continue;
      for (int ranks = 1; ranks <= 4 && result.fault.empty(); ++ranks) {
        const auto fault = fault_at(*kernel, size, ranks);
        if (!fault) continue;
        ++result.runs;
        result.fault = *fault;
      }
    }
    return result;
  }

 private:
  // A third of the definitions stay on every rank.
  std::optional<Kernel> distributed_kernel() {
    try {
      std::vector<std::string> names = program_.algorithm->parameters;
      std::shuffle(names.begin(), names.end(), random_);
      const auto found = std::find_if(names.begin(), names.end(),
                                      [&](const std::string& name) { return distribute_by(name); });
      if (found == names.end()) return std::nullopt;
      program_ = finished(program_, arguments_, {});
      require_sums_in_order(program_, arguments_, {});
      return lower(program_, {arguments_, Floats::exact, {"lower", {}}});
    } catch (const Error&) {
      return std::nullopt;
    }
  }

  // By a partition whose size follows from this parameter, if any loop can be.
  bool distribute_by(const std::string& name) {
    const Program before = program_;
    of_size_ = name;
    program_ = with_partition(program_, partition_name, parameter(name) + beyond, {});
    bool any = false;
    for (const Definition& d : program_.algorithm->definitions)
      if (!d.is_initial && random_() % 3 != 0) any |= distribute_one(d.name);
    if (!any) program_ = before;
    return any;
  }

  bool distribute_one(const std::string& definition) {
    const auto placed = branches_of(program_.mapping, definition);
    if (placed.size() != 1) return false;
    for (const Loop* loop : placed.front().loops) {
      if (random_() % 2) continue;
      try {
        program_ = distribute(program_, {definition, loop->name}, partition_name);
        return true;
      } catch (const Error&) {
        return false;
      }
    }
    return false;
  }

  // Nothing if the kernel refuses these parameters.
  std::optional<std::string> fault_at(const Kernel& kernel, const Parameters& size, int ranks) {
    std::vector<std::int64_t> cuts{0, std::max<std::int64_t>(size.at(of_size_) + beyond, 0)};
    for (int cut = 1; cut < ranks; ++cut)
      cuts.push_back(std::int64_t(random_() % std::uint64_t(cuts[1] + 1)));
    std::sort(cuts.begin(), cuts.end());
    const auto inputs = reference::random_inputs(program_, size, 5);
    reference::Instances idle;
    const auto values = reference::run(program_, size, inputs, {}, {}, &idle);
    const auto run = reference::run_on_ranks(
        kernel, size, cuts, reference::input_buffers(program_, size, inputs), random_());
    for (const reference::TreeRun& one : run.ranks)
      if (one.refused || one.failed) return std::nullopt;
    const std::string fault = reference::first_fault(
        program_, size, reference::final_contents(program_, size, values), idle, run);
    return fault.empty()
               ? fault
               : fmt::format("{}, on {} ranks with {}", fault, ranks, reference::to_string(cuts));
  }

  Program program_;
  const std::vector<std::string>& arguments_;
  std::mt19937_64 random_;
  std::string of_size_;
};

}  // namespace

OnRanks on_ranks(const Program& program, const std::vector<std::string>& arguments,
                 std::uint64_t seed) {
  return RanksRunner(program, arguments, seed).run();
}

}  // namespace strata::fuzz
