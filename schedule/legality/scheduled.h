// A program as the questions of legality see it: its complete mapping, branch by branch.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "layers/order.h"
#include "layers/program.h"

namespace strata {

class Scheduled {
 public:
  explicit Scheduled(const Program& program);
  Scheduled(const Scheduled&) = delete;

  // What runs in one iteration of the loop at "scope" (a path of mapping()) and of those around it,
  // their iterators being parameters of their own:
  //     { S[i] -> t : t0 = i0, .., tp = ip } for the branches in the loop.
  // Made when it is first asked for; lives as long as this.
  const Scheduled& inside(const Path& scope) const;
  // The same of all that may run in one iteration, whatever the sizes of parametric tiles: those of
  // a loop over such are taken for one tile, number 0.  What is asked of values that meet in an
  // iteration's buffer is asked here; that a value is made in the iteration that reads it is asked
  // of inside(), where t is the tiled value itself: executions with the same t share every tile.
  const Scheduled& in_one_tile(const Path& scope) const;

  const Program& program() const { return program_; }
  const Algorithm& algorithm() const { return *program_.algorithm; }
  // The branches of a definition, initial values included.
  const std::vector<Placed>& of(const std::string& definition) const;
  isl::union_map theta() const;  // for witnesses
  const Mapping& mapping() const { return mapping_; }

 private:
  Scheduled(const Scheduled& whole, const Path& scope, bool tiles_are_one);
  void list_branches();

  const Program& program_;
  Mapping mapping_;
  std::map<std::string, std::vector<Placed>> placed_;
  mutable std::map<Path, std::unique_ptr<const Scheduled>> inside_, in_one_tile_;
};

// Does every instance run at most once, over all these branches?
bool runs_once(const std::vector<Placed>& placed);

// Is this an update whose instances are atomic steps, each run once?  They commute then.  (Of one
// that runs several times, as recomputed values do, every step counts in the order it has.)
bool is_atomic_update(const Scheduled& scheduled, const Definition& update);

// { S[i] -> S[i'] : both may redefine one element, i' = i or i' before i in the reference order }
isl::map steps_until(const Definition& update, const Algorithm& algorithm);

// { S[c] -> S[c'] : two contributions to one result } = rho . rho^-1 - id
isl::map same_result(const Definition& reduction, const Algorithm& algorithm);

// A dependence: every instance of "sink" runs after the instances of "source" it needs.
struct Edge {
  std::string source, sink;
  isl::map relation;  // { P[y] -> C[x] }
  bool may = false;
};

// The dependences of layer I: the reversed reads, and from each initial value to the
// contributions:  union of R_S^-1 and rho^-1.
// The steps U of an atomic update wait for no other one.  Who reads the value after one needs those
// that came before it, and none begins before what one before it adds to, a P[y] of the same array:
//     { U[i'] -> C[x] : U[i] in R_C(C[x]) },  { P[y] -> U[i] : P[y] in R_U(U[i']) },
// each for i' in until(i), until = steps_until(U).
std::vector<Edge> edges(const Scheduled& scheduled);

}  // namespace strata
