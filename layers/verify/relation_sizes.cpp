#include "layers/verify/relation_sizes.h"

namespace strata {

std::vector<SizedRelation> relation_sizes(const Program& program) {
  std::vector<SizedRelation> all;
  for (const Definition& d : program.algorithm->definitions) {
    all.push_back({"the domain of " + d.name, size_of(isl::set(d.domain))});
    for (const Read& read : d.reads)
      all.push_back(
          {"the reads of " + read.producer + " by " + d.name, size_of(isl::map(read.relation))});
  }
  for (const Placed& placed : branches(program.mapping)) {
    const std::string& name = placed.branch->definition;
    all.push_back({"the times of " + name, size_of(isl::map(placed.branch->time))});
    all.push_back({"the instances of " + name, size_of(isl::set(placed.branch->instances))});
  }
  return all;
}

}  // namespace strata
