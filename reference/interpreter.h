// The layer I interpreter: what a program means, computed point by point.
//
// All instances are executed in the reference order over a store keyed by array and element; the
// last writer wins. Contributions of a reduction are therefore combined in the reference order
// (lexicographic in k), which for floats is one of the permitted results.
#pragma once

#include <functional>
#include <set>
#include <stdexcept>

#include "reference/array.h"
#include "reference/executions.h"

namespace strata::reference {

using Extern = std::function<Scalar(const std::vector<Argument>&)>;
using Externs = std::map<std::string, Extern>;

// The program has no meaning at these parameters: a value is read before it is made (the recursion
// is not well founded in the reference order), made twice, or never made.
class Meaningless : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What one instance does: it makes, or contributes to, an element of its definition's array. A
// scatter makes one of several elements, known when it runs, and remakes the others with their old
// values.
struct Step {
  Scheduled execution;
  Point element;
  std::vector<Point> all;  // for a scatter: all elements that it may redefine
};
// The steps in the reference order; throws Meaningless if an instance of a definition occurs twice.
std::vector<Step> reference_steps(const Algorithm& algorithm, const Parameters& parameters);

// Called at each read with the reading step, the name read, and the last step that wrote the
// element (-1 for an input).
using OnRead = std::function<void(std::int64_t reader, const std::string& name,
                                  const Point& element, std::int64_t writer)>;

// Instances of definitions.
using Instances = std::set<std::pair<std::string, Point>>;

// Every array of the program with the last value of every element; inputs included. "idle"
// receives the instances whose condition is false: such an update remakes the element with its old
// value, such a contribution does nothing. Sizes read from inputs must be among the parameters:
// they are not looked up.
Arrays run(const Program& program, const Parameters& parameters, const Arrays& inputs,
           const Externs& externs = {}, const OnRead& on_read = {}, Instances* idle = nullptr);

// The contents of the buffers after the program ran: each place to which the layout maps elements
// holds the one of their values made last in the reference order.
Arrays final_contents(const Program& program, const Parameters& parameters, const Arrays& values);

}  // namespace strata::reference
