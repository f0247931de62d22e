#include "tests/fuzz/double_rfactor.h"

namespace strata::fuzz {

namespace {

std::vector<const Definition*> reductions_in_two_loops(const Program& program) {
  std::vector<const Definition*> all;
  for (const Definition& d : program.algorithm->definitions)
    if (d.reduction && d.reduction->results > 0 &&
        std::size_t(d.reduction->results) < d.iterators.size())
      all.push_back(&d);
  return all;
}

DrawnCommand drawn(const std::string& name, std::vector<CommandOperand> operands) {
  return {name, {name, std::move(operands)}};
}

}  // namespace

std::vector<DrawnCommand> draw_double_rfactor(Random& random, const Program& program) {
  const auto reductions = reductions_in_two_loops(program);
  if (reductions.empty()) return {};
  const Definition& s = *one_of(random, reductions);
  const auto results = std::size_t(s.reduction->results);
  const LoopRef i{s.name, s.iterators[results - 1]}, k{s.name, s.iterators[results]};
  const LoopRef row{s.name, "row"}, lane{s.name, "lane"};
  const std::int64_t rows = between(random, 2, 4), lanes = between(random, 3, 6);
  return {drawn("split", {i, rows, "row", "row_in"}),
          drawn("split", {k, lanes, "chunk", "lane"}),
          drawn("rfactor", {lane, "P"}),
          drawn("compute_at", {"P", row}),
          drawn("split", {lane, 2, "high", "low"}),
          drawn("rfactor", {LoopRef{s.name, "low"}, "Q"}),
          drawn("compute_at", {"Q", row})};
}

}  // namespace strata::fuzz
