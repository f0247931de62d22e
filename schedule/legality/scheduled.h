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

  const Program& program() const { return program_; }
  const Algorithm& algorithm() const { return *program_.algorithm; }
  // The branches of a definition, initial values included.
  const std::vector<Placed>& of(const std::string& definition) const;
  isl::union_map theta() const;  // for witnesses
  const Mapping& mapping() const { return mapping_; }

 private:
  Scheduled(const Scheduled& whole, const Path& scope);
  void list_branches();

  const Program& program_;
  Mapping mapping_;
  std::map<std::string, std::vector<Placed>> placed_;
  mutable std::map<Path, std::unique_ptr<const Scheduled>> inside_;
};

// Does every instance run at most once, over all these branches?
bool runs_once(const std::vector<Placed>& placed);

// Are the contributions of this reduction atomic?
bool is_atomic(const Program& program, const Definition& reduction);

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
std::vector<Edge> edges(const Algorithm& algorithm);

}  // namespace strata
