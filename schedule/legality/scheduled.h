// A program as the questions of legality see it: its complete mapping, branch by branch.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "layers/order.h"
#include "layers/program.h"

namespace strata {

class Scheduled {
 public:
  explicit Scheduled(const Program& program);
  Scheduled(const Scheduled&) = delete;

  const Program& program() const { return program_; }
  const Mapping& mapping() const { return mapping_; }
  const Algorithm& algorithm() const { return *program_.algorithm; }
  // The branches of a definition, initial values included.
  const std::vector<Placed>& of(const std::string& definition) const;
  isl::union_map theta() const;  // for witnesses

 private:
  const Program& program_;
  Mapping mapping_;
  std::map<std::string, std::vector<Placed>> placed_;
};

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
