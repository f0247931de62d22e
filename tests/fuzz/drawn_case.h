// Programs that are drawn together with their commands.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/floats.h"
#include "layers/define/build.h"
#include "tests/fuzz/scheduled.h"

namespace strata::fuzz {

struct DrawnCase : Scheduled {      // some of its commands may be refused
  std::set<std::string> kinds;      // as statistics count them
  std::optional<Floats> mode = {};  // else drawn
};

// A loop "o.i" in 2 to 33 lanes, over values of any type that are converted to any other:
//
//     o(i) = select(in(i) > 0, cast(B, a(i)), 1)
//
// or over a producer with fewer elements than there are lanes, under a guard:
//
//     o(i) = select(c <= i < c + K, cast(B, s(i - c)), 1)
DrawnCase draw_lanes(Random random);

// A gather through data of a narrow or wide type, whose index is clamped, reduced by %, or checked
// when the kernel runs; what it reads is computed, or copied, in each iteration:
//
//     o(j) = s(clamp(at(j), 0, N - 1))     compute_at(s, o.j)  or  cache_at(o.j, s, C, {x})
DrawnCase draw_gather(Random random);

// One to three definitions, one of them perhaps a tuple or a sum, that call a function of the C
// library with arguments that are alike: side by side in one nest, for all iterations of one or two
// loops, under the same conditions or others, in vectors, or around a write of the argument:
//
//     o(i, j) = exp(x(i)) y(j) + 1     u(i, j) = exp(x(i)) + exp(x(j))     after(u, o, j)
DrawnCase draw_calls(Random random);

// Threads that begin at different iterations in each block:
//
//     S(i, j) over first(i) <= j < first(i) + c,  and T(i, j), which reads S(i, j), beside it
//
// where "first" is a maximum, a minimum or a choice of functions of i and N, so that no bound of j
// follows from all iterations. The iterations of j are threads; one or a few i are a block.
DrawnCase draw_threads(Random random);

// What such drawings have in common.
class CaseDrawing {
 protected:
  explicit CaseDrawing(Random random);

  std::int64_t draw(std::int64_t a, std::int64_t b) { return between(random_, a, b); }
  bool chance(std::int64_t percent) { return fuzz::chance(random_, percent); }
  template <typename T>
  const T& one_of(const std::vector<T>& choices) {
    return fuzz::one_of(random_, choices);
  }
  Type any_type();

  void note(const std::string& kind) { drawn_.kinds.insert(kind); }
  void add_parameter(const std::string& name, const Expr& assumption);
  void add_input(const std::string& name, Type type, const Expr& size);
  void define(const std::string& name, const std::vector<Var>& over, const Expr& value);
  void define(const NewDefinition& definition);
  void give(const std::string& name, std::vector<CommandOperand> operands) {
    drawn_.give(name, std::move(operands));
  }
  void vectorize(const std::string& name, const std::string& loop, std::int64_t lanes) {
    give("vectorize", {LoopRef{name, loop}, lanes});
  }

  DrawnCase drawn_;

 private:
  Random random_;
};

}  // namespace strata::fuzz
