// Reports indices that were computed from data and are out of bounds.
//
// Each thread records them in memory of its own, in one cell for each check and lane. So in a
// vector loop a record costs a comparison and a blend, and no branch. The cells are read once:
// after the kernel's body, or at the end of an iteration of a parallel loop.
//
// The threads of launches share one cell for each check. These cells are in a buffer on the device,
// which the host reads after the kernel's body. A thread writes there only what it has to report.
#pragma once

#include <string>
#include <vector>

#include "codegen/halide/emit/expression.h"
#include "codegen/tree/loop_tree.h"

namespace strata::halide {

// The position of a statement in the vector loop around it, if there is one.
struct LanePosition {
  HExpr lane = HExpr(std::int64_t{0});
  int lanes = 1;
};

class IndexReports {
 public:
  // The name distinguishes nested reports.
  explicit IndexReports(std::string name) : name_(std::move(name)) {}

  // Records which checks fail, then runs "statement".
  HStmt noted(const std::vector<IndexCheck>& checks, const LanePosition& where,
              const HStmt& statement);
  // "body", then the failure of the kernel if a check has failed.
  HStmt around(const HStmt& body, const std::string& kernel) const;
  // The same for the threads of launches, and for the body around the launches.
  HStmt noted_in_launch(const std::vector<IndexCheck>& checks, const HStmt& statement);
  HStmt around_launches(const HStmt& body, const std::string& kernel,
                        Halide::DeviceAPI device) const;

 private:
  struct Cell {
    std::string what;
    HExpr lower, upper;
    int lanes = 1;
  };

  // The number of the check's cell.
  std::size_t cell(const IndexCheck& check, int lanes);
  static HStmt tested(const Cell& cell, const HExpr& content, const std::string& kernel);
  std::string name(std::size_t cell) const { return name_ + "." + std::to_string(cell); }
  HStmt around(const Cell& cell, const std::string& name, const HStmt& body,
               const std::string& kernel) const;

  std::string name_;
  std::vector<Cell> cells_;
};

// True if every array with a checked index has an element. Only then may an index that fails its
// check be replaced by another.
HExpr have_elements(const Kernel& kernel, const Scope& scope);

}  // namespace strata::halide
