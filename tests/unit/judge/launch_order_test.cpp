// The order B of every pair of processors, against the oracle, point by point.
#include <catch2/catch.hpp>

#include "layers/flow/order.h"
#include "reference/executions.h"
#include "reference/time_order.h"
#include "tests/unit/programs.h"

namespace strata::test::launch_order_test {

namespace {

const Processor every[] = {Processor::sequential, Processor::parallel, Processor::vector,
                           Processor::unrolled,   Processor::block,    Processor::thread,
                           Processor::node};

// for i < 3: for j < 3: A(i, j) = i; B(i, j) = j, the loops with the processors.
Program two_branches(Processor outer, Processor inner) {
  const Var i("i", 0, 3), j("j", 0, 3);
  Program program = define(define(empty_program({}), "A", {i, j}, cast(f32, i + 0)), "B", {i, j},
                           cast(f32, j + 0));
  std::vector<Node>& roots = program.mapping.roots;
  std::vector<Node>& body = roots[0].loop().body[0].loop().body;
  body.push_back(roots[1].loop().body[0].loop().body[0]);
  roots.pop_back();
  roots[0].loop().processor = outer;
  roots[0].loop().body[0].loop().processor = inner;
  return program;
}

// Is (a, b), two lists of iterators, in "order", whose tuples are their leading parts?
bool has(const isl::map& order, const reference::Point& a, const reference::Point& b) {
  const auto tuple = [&](const reference::Point& point) {
    std::string text;
    for (unsigned n = 0; n < order.domain_tuple_dim(); ++n)
      text += (n ? ", " : "") + std::to_string(point[n]);
    return "[" + text + "]";
  };
  return isl::map(order.ctx(), "{ " + tuple(a) + " -> " + tuple(b) + " }").is_subset(order);
}

}  // namespace

TEST_CASE("the order of each pair of processors is the oracle's", "[judge][gpu]") {
  for (const Processor outer : every)
    for (const Processor inner : every) {
      const Program program = two_branches(outer, inner);
      const auto placed = branches(program.mapping);
      const auto all = reference::executions(program.mapping, *program.algorithm, {});
      REQUIRE(placed.size() == 2);
      REQUIRE(all.size() == 18);
      for (const Placed& x : placed)
        for (const Placed& y : placed) {
          const isl::map later = not_before(x, y), at_once = concurrent(x, y);
          for (const reference::Scheduled& a : all)
            for (const reference::Scheduled& b : all) {
              if (a.path != x.path || b.path != y.path) continue;
              INFO(to_string(outer) << " around " << to_string(inner) << ": "
                                    << reference::to_string(*program.algorithm, a) << ", "
                                    << reference::to_string(*program.algorithm, b));
              REQUIRE(has(later, a.iterators, b.iterators) == !reference::before(a, b));
              REQUIRE(has(at_once, a.iterators, b.iterators) == reference::concurrent(a, b));
            }
        }
    }
}

}  // namespace strata::test::launch_order_test
