#include "tests/fuzz/double_rfactor.h"

#include "schedule/commands/compute_at.h"
#include "schedule/commands/rfactor.h"
#include "schedule/commands/split.h"

namespace strata::fuzz {

namespace {

using Given = strata::Given;

std::vector<const Definition*> reductions_in_two_loops(const Program& program) {
  std::vector<const Definition*> all;
  for (const Definition& d : program.algorithm->definitions)
    if (d.reduction && d.reduction->results > 0 &&
        std::size_t(d.reduction->results) < d.iterators.size())
      all.push_back(&d);
  return all;
}

DrawnCommand draw_split(const LoopRef& loop, std::int64_t size, const std::string& outer,
                        const std::string& inner) {
  return {"split", [=](const Program& p, const Given& given) {
            return split(p, loop, size, outer, inner, given);
          }};
}

DrawnCommand partial(const LoopRef& loop, const std::string& part) {
  return {"rfactor", [=](const Program& p, const Given& given) {
            return rfactor(p, loop, part, given);
          }};
}

DrawnCommand computed_at(const std::string& part, const LoopRef& loop) {
  return {"compute_at", [=](const Program& p, const Given& given) {
            return compute_at(p, part, {loop}, given);
          }};
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
  return {draw_split(i, rows, "row", "row_in"),
          draw_split(k, lanes, "chunk", "lane"),
          partial(lane, "P"),
          computed_at("P", row),
          draw_split(lane, 2, "high", "low"),
          partial({s.name, "low"}, "Q"),
          computed_at("Q", row)};
}

}  // namespace strata::fuzz
