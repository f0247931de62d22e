// Where values are: from accesses of layer I, through the layout of layer III, to buffer elements.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "codegen/loop_tree.h"
#include "codegen/time_space.h"
#include "layers/program.h"

namespace strata {

class Storage {
 public:
  // E0502 where an array that "space" reads or writes has no place.
  Storage(const Program& program, const TimeSpace& space, const Request& request);

  // The execution of instance S[instance]: its value, each access a load of the accessed array's
  // place, stored in the place of the element that it defines.  A contribution of a reduction
  // combines what stands there with the value.
  Execute execution(const Definition& definition, const std::vector<Expr>& instance) const;

 private:
  // A relation into a buffer as functions of named variables.
  struct Place {
    std::string buffer;
    std::vector<std::string> variables;
    std::vector<Expr> indices;

    std::vector<Expr> at(const std::vector<Expr>& values) const;
  };

  Place place(const isl::map& relation, const isl::set& domain) const;
  void add_writes(const Algorithm& algorithm, const Layout& layout, const TimeBranch& branch);
  void add_reads(const Algorithm& algorithm, const Layout& layout, const Definition& definition);
  Expr with_loads(const Expr& value) const;

  const Request& request_;
  const std::set<std::string> atomics_;
  std::map<std::string, Place> writes_;  // by definition: { S[i] -> b[..] } = defines . store
  // By array, component or input: { X[e] -> b[..] } = store.
  std::map<std::string, Place> reads_;
};

}  // namespace strata
