#include "tests/unit/codegen/launch_races.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "codegen/memory/launch_barriers.h"
#include "layers/flow/initial_values.h"
#include "reference/inputs.h"
#include "reference/loop_tree_interpreter.h"
#include "tests/unit/codegen/trace.h"

namespace strata::test {

namespace {

std::string shape(const StmtPtr& s) {
  std::string inside;
  for_each_inside(*s, [&](const StmtPtr& part) {
    const std::string one = shape(part);
    inside += (inside.empty() || one.empty() ? "" : " ") + one;
  });
  if (std::holds_alternative<Barrier>(*s)) return "|";
  if (std::holds_alternative<AwaitCopies>(*s)) return "~";
  const auto* loop = std::get_if<For>(s.get());
  return loop ? loop->name + (inside.empty() ? "" : "(" + inside + ")") : inside;
}

template <typename Kind>
int count_in(const StmtPtr& s) {
  int count = std::holds_alternative<Kind>(*s) ? 1 : 0;
  for_each_inside(*s, [&](const StmtPtr& part) { count += count_in<Kind>(part); });
  return count;
}

template <typename Kind>
StmtPtr without(const StmtPtr& s, int& n) {
  if (std::holds_alternative<Kind>(*s) && n-- == 0) return make_stmt(Block{});
  return with_insides(*s, [&](const StmtPtr& inside) { return without<Kind>(inside, n); });
}

}  // namespace

std::string shape(const Kernel& kernel) { return shape(kernel.body); }
int count_barriers(const Kernel& kernel) { return count_in<Barrier>(kernel.body); }
int count_waits(const Kernel& kernel) { return count_in<AwaitCopies>(kernel.body); }

int count_gaps(const Program& program) {
  const Request request{"a test", {}};
  const Mapping mapping = complete_mapping(program);
  const TimeSpace space = time_space(*program.algorithm, mapping, request);
  int count = 0;
  FoundBoxes boxes;
  for (const auto& [loop, after] : launch_barriers(program, mapping, space, nests(space, mapping),
                                                   lifetimes(program, mapping), request, boxes))
    count += int(after.size());
  return count;
}

Kernel without_barrier(const Kernel& kernel, int n) {
  Kernel result = kernel;
  result.body = without<Barrier>(kernel.body, n);
  return result;
}

Kernel without_wait(const Kernel& kernel, int n) {
  Kernel result = kernel;
  result.body = without<AwaitCopies>(kernel.body, n);
  return result;
}

std::string wrong_in_runs(const Kernel& kernel, const Program& program,
                          const reference::Parameters& size) {
  const reference::Arrays inputs = reference::random_inputs(program, size, 5);
  const reference::Arrays before = reference::input_buffers(program, size, inputs);
  const reference::Arrays expected =
      reference::final_contents(program, size, reference::run(program, size, inputs));
  for (const std::uint64_t seed : {0, 3, 11}) {
    const reference::TreeRun run =
        reference::run_tree(kernel, size, before, {reference::RunOptions::Lanes::outer, seed});
    std::string findings;
    for (const std::string& one : run.findings) findings += one + "\n";
    if (!findings.empty()) return findings;
    const std::string place = reference::first_wrong_place(expected, run);
    if (!place.empty()) return place;
  }
  return "";
}

void require_fewest_barriers(const Program& program,
                             const std::vector<reference::Parameters>& sizes) {
  const Kernel kernel = lowered(program);
  INFO(to_c_text(kernel));
  for (const reference::Parameters& size : sizes) {
    INFO(reference::to_string(size));
    CHECK(wrong_in_runs(kernel, program, size) == "");
  }
  for (int n = 0; n < count_barriers(kernel); ++n) {
    INFO("without barrier " << n);
    const Kernel less = without_barrier(kernel, n);
    CHECK(std::any_of(sizes.begin(), sizes.end(), [&](const reference::Parameters& size) {
      return wrong_in_runs(less, program, size).find("race: ") != std::string::npos;
    }));
  }
}

void require_fewest_waits(const Program& program, const std::vector<reference::Parameters>& sizes) {
  const Kernel kernel = lowered(program);
  for (int n = 0; n < count_waits(kernel); ++n) {
    INFO(to_c_text(kernel));
    INFO("without wait " << n);
    const Kernel less = without_wait(kernel, n);
    CHECK(std::any_of(sizes.begin(), sizes.end(), [&](const reference::Parameters& size) {
      return wrong_in_runs(less, program, size).find("no thread has waited") != std::string::npos;
    }));
  }
}

}  // namespace strata::test
