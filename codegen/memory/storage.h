// From accesses of layer I, through the layout of layer III, to buffer elements.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "codegen/nests/time_space.h"
#include "codegen/tree/loop_tree.h"
#include "layers/affine/exact.h"
#include "layers/flow/reads.h"
#include "layers/program.h"

namespace strata {

class Storage {
 public:
  // E0502 where an array that "space" reads or writes has no place.
  Storage(const Program& program, const TimeSpace& space, const Request& request);

  // The instance S[instance] of a branch of the space, and nodes of its expressions with the
  // operand that each of them is there (codegen/nests/choices.h).
  struct Executed {
    const TimeBranch& branch;
    const std::vector<Expr>& instance;
    std::map<const ExprNode*, Expr> decided;
  };

  // The execution of an instance: its value is stored in the place of the element that it defines.
  // Each access in the value is a load of the place of the accessed element, with an index that is
  // checked if it may be out of bounds (layers/flow/reads.h). A contribution of a reduction
  // combines the value with the content of the place. An access that the branch never evaluates is
  // 0: its buffer need not exist there.
  Execute execution(const Executed& there) const;
  // The place of the value that the instance defines, as a load of it.
  Expr place_of(const Definition& definition, const std::vector<Expr>& instance) const;
  // The condition under which the instance does anything, its accesses loads; undefined if there is
  // none.
  Expr predicate(const Executed& there) const;

 private:
  // A relation into a buffer as functions of named variables.
  struct Place {
    std::string buffer;
    std::vector<std::string> variables;
    std::vector<Expr> indices;

    std::vector<Expr> at(const std::vector<Expr>& values) const;
  };

  // The elements of an array as a box, over parameters: lower <= index < upper.
  struct IndexBounds {
    std::vector<Expr> lowers, uppers;
  };

  IndexBounds bounds_of(const isl::set& elements) const;
  Place place(const isl::map& relation, const isl::set& domain) const;
  void add_read(const Layout& layout, const Expr& use);
  void require_linear(const isl::map& stored, const std::string& array) const;
  Expr whole_array(const Expr& argument) const;
  void add_writes(const Algorithm& algorithm, const Layout& layout, const TimeBranch& branch);
  void add_reads(const Layout& layout, const Definition& definition);
  void add_checks(const Definition& definition, const std::vector<AccessUse>& uses);
  void add_checks(const Definition& definition, const AccessUse& use, const isl::set& among);
  Expr at(const Executed& there, const Expr& e) const;
  void make_atomic(Execute& result, const Executed& there, const Expr& target) const;
  Expr target_of(const Executed& there) const;
  void add_evaluated(const TimeBranch& branch, const std::vector<AccessUse>& uses);
  // The nodes of the kernel that replace the nodes of an expression.
  struct Replaced {
    const std::map<const ExprNode*, Expr>& decided;
    std::map<const ExprNode*, Expr> nodes = {};
    Wrapping ordinary = {};
  };
  Expr with_loads(const Expr& e, Replaced& replaced) const;
  std::vector<Expr> checked_indices(const Expr& access, std::vector<Expr> indices) const;

  const Algorithm& algorithm_;
  const Request& request_;
  std::map<std::string, Place> writes_;    // by definition: { S[i] -> b[..] } = defines . store
  std::map<std::string, Expr> scattered_;  // by definition, of scatters: an access of the element
  std::map<std::string, Place> reads_;  // by array, component or input: { X[e] -> b[..] } = store
  // Of accesses with an index to check, and of whole arrays.
  std::map<const ExprNode*, IndexBounds> boxes_;
  // By branch: the accesses and whole arrays that some of its instances evaluate.
  std::map<const TimeBranch*, std::set<const ExprNode*>> evaluated_;
  std::map<const ExprNode*, std::vector<bool>> checks_;  // of accesses: which indices to check
};

}  // namespace strata
