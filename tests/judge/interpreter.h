// The layer I interpreter: what a program means, computed point by point.
//
// All instances are executed in the reference order over a store that is keyed by array and
// element, the last writer wins.  Contributions of a reduction are therefore combined in the
// reference order (lexicographic in k), which for floats is one of the permitted results.
#pragma once

#include <functional>
#include <set>
#include <stdexcept>

#include "tests/judge/array.h"
#include "tests/judge/executions.h"

namespace strata::judge {

using Extern = std::function<Scalar(const std::vector<Argument>&)>;
using Externs = std::map<std::string, Extern>;

// The program has no meaning at these parameters: a value is read before it is made (the recursion
// is not well founded in the reference order), or twice made, or never.
class Meaningless : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What one instance does: it makes, or contributes to, an element of its definition's array.  A
// scatter makes one of several, which one is known when it runs, and the others anew as they were.
struct Step {
  Scheduled execution;
  Point element;
  std::vector<Point> all;  // of a scatter
};
// The steps of the reference order; each instance of a definition once, or Meaningless.
std::vector<Step> reference_steps(const Algorithm& algorithm, const Parameters& parameters);

// Called at each read: the reading step, what it names, and the last step that wrote the element
// (-1 for an input).
using OnRead = std::function<void(std::int64_t reader, const std::string& name,
                                  const Point& element, std::int64_t writer)>;

// Instances of definitions.
using Instances = std::set<std::pair<std::string, Point>>;

// Every array of the program with the last value of every element; inputs included.
// "idle" gets the instances whose condition is false: an update then makes the element anew as it
// was, a contribution does nothing.  Sizes that are read from inputs are not looked up there: they
// are among the parameters.
Arrays run(const Program& program, const Parameters& parameters, const Arrays& inputs,
           const Externs& externs = {}, const OnRead& on_read = {}, Instances* idle = nullptr);

// What the buffers hold after the program ran: in every place that the layout gives an element,
// the value made last in the reference order among all those that are stored there.
Arrays final_contents(const Program& program, const Parameters& parameters, const Arrays& values);

}  // namespace strata::judge
