#include "tests/ranks_oracle/judged.h"

#include <algorithm>
#include <random>

#include "codegen/lower.h"
#include "layers/flow/communication.h"
#include "reference/inputs.h"
#include "schedule/finish.h"

namespace strata::test::ranks_oracle {

Lowered lowered(const Function& f, const std::vector<Buffer>& arguments) {
  std::vector<std::string> names;
  for (const Buffer& b : arguments) names.push_back(b.name());
  Lowered result{finished(f.program(), names, {}), {}};
  const LowerOptions options{names, Floats::exact, {"lower", {}}};
  result.kernel = lower(result.program, options);
  for (const Message& message : communication_of(result.program).messages)
    for (const MessageValues& values : message.values)
      result.at_most = result.at_most || values.at_most;
  return result;
}

Choice chosen(std::int64_t n, std::int64_t steps, int ranks, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Choice choice{{{"N", n}, {"T", steps}}, {0, n}, seed};
  for (int cut = 1; cut < ranks; ++cut)
    choice.cuts.push_back(std::int64_t(random() % std::uint64_t(n + 1)));
  std::sort(choice.cuts.begin(), choice.cuts.end());
  return choice;
}

Verdict judge(const Lowered& lowered, const Kernel& kernel, const Choice& choice) {
  const Program& program = lowered.program;
  const auto inputs = reference::random_inputs(program, choice.parameters, choice.seed);
  reference::Instances idle;
  const auto values = reference::run(program, choice.parameters, inputs, {}, {}, &idle);
  const auto expected = reference::final_contents(program, choice.parameters, values);
  const auto before = reference::input_buffers(program, choice.parameters, inputs);
  const auto run =
      reference::run_on_ranks(kernel, choice.parameters, choice.cuts, before, choice.seed);
  Verdict verdict{reference::first_fault(program, choice.parameters, expected, idle, run),
                  run.values, run.messages, 0};
  if (!verdict.fault.empty()) return verdict;
  verdict.least = reference::least_values(program, choice.parameters, inputs, run);
  if (lowered.at_most ? verdict.values < verdict.least : verdict.values != verdict.least)
    verdict.fault = std::to_string(verdict.values) + " values are sent, the least is " +
                    std::to_string(verdict.least);
  return verdict;
}

namespace {

// Refusals that a legal schedule may meet on ranks.
bool may_refuse(Code code) {
  return code == Code::E0210_message_reversed || code == Code::E0402_not_on_ranks;
}

}  // namespace

std::optional<std::string> fault_in(std::uint64_t seed) {
  const Drawn program = drawn(seed);
  if (!program.accepted) return std::nullopt;
  Lowered judged;
  try {
    judged = lowered(program.f, program.buffers);
  } catch (const Error& error) {
    return may_refuse(error.code()) ? std::nullopt : std::optional<std::string>(error.what());
  }
  for (int ranks = 1; ranks <= 5; ++ranks) {
    const std::uint64_t number = 10 * seed + std::uint64_t(ranks);
    const Choice choice = chosen(std::int64_t(number % 13), std::int64_t(seed % 5), ranks, number);
    const Verdict verdict = judge(judged, judged.kernel, choice);
    if (!verdict.fault.empty())
      return std::to_string(ranks) + " ranks, N = " + std::to_string(choice.parameters.at("N")) +
             ": " + verdict.fault;
  }
  return "";
}

}  // namespace strata::test::ranks_oracle
