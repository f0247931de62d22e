// How a loop tree is generated (codegen/loops/ast.h).
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "codegen/loops/ast.h"
#include "codegen/loops/lanes.h"
#include "codegen/loops/scan.h"
#include "codegen/loops/set_memo.h"
#include "codegen/loops/whole_range.h"

namespace strata {

// What is known at a position in the tree. Positions inside it get a copy with more facts.
struct Position {
  // { : facts about the parameters and the iterators around }. "here" holds in iterations that run,
  // "anyway" also in lanes that are switched off.
  isl::set here, anyway;
  std::map<std::string, Expr> values = {};  // of isl's names for iterators
  std::vector<int> tiles = {};              // the depths of the loops over parametric tiles around
  std::vector<int> blocks = {};             // and of the block loops of the launch
  bool in_pieces = false;  // do several positions run parts of one nest, one after the other?
};

Position with_value(Position position, const std::string& name, const Expr& value);

// The branch, or what is taken of it if isl has decided the condition: then it is a number, 0 or 1.
StmtPtr conditional(const If& branch);

class Generation {
 public:
  Generation(const TimeSpace& space, std::set<std::string> taken, const TreeParts& parts,
             const Request& request);

  // "loop" is the loop with this body; null for the roots.
  StmtPtr body(const Loop* loop, const std::vector<Nest>& nests, const std::vector<OwnBuffer>& own,
               const Position& position);

 private:
  // ast.cpp: branches, iterations, conditions.
  StmtPtr nest(const std::vector<Nest>& siblings, const Nest& nest, Position position);
  StmtPtr execution(const Nest& leaf, const Position& position);
  StmtPtr masked(const Nest& leaf, const Position& position, const StmtPtr& stmt);
  StmtPtr loop(const Nest& nest, const Position& position);
  StmtPtr piece_by_piece(const Nest& nest, const std::vector<isl::set>& pieces, Position position);
  StmtPtr iteration(const Nest& nest, const Position& position);
  static std::vector<OwnBuffer> with_copies(std::vector<OwnBuffer> own,
                                            const std::vector<CoherenceCopy>& copies);
  void add_copies(std::vector<NodeStmt>& statements, const std::vector<CoherenceCopy>& copies,
                  int first, int last, const Position& position);
  std::vector<OwnBuffer> own_buffers(const Nest& nest, const Position& position) const;
  StmtPtr prefetching(const Nest& nest, const StmtPtr& iteration, const Position& position) const;
  // if (condition) stmt, where "context" is known; "stmt" was generated for "nest".
  StmtPtr under(const isl::set& condition, const isl::set& context, const StmtPtr& stmt,
                const Nest& nest, const Position& position, bool masks = false);

  // scanned_loop.cpp: the loops that isl generates.
  StmtPtr scanned(const isl::ast_node& node, const Scan& scan, const Nest& nest,
                  const Position& position);
  StmtPtr scanned_block(const isl::ast_node_block& node, const Scan& scan, const Nest& nest,
                        Position position);
  StmtPtr scanned_if(const isl::ast_node_if& node, const Scan& scan, const Nest& nest,
                     const Position& position);
  StmtPtr scanned_for(const isl::ast_node_for& node, const Scan& scan, const Nest& nest,
                      const Position& position);
  Position at_user_node(const isl::ast_node& node, const Scan& scan, const Nest& nest,
                        const Position& position);
  Expr set_range(For& loop, const isl::ast_node_for& node, const Position& position) const;
  Expr upper(const isl::ast_node_for& node, const Position& position) const;

  // launch_loop.cpp: the loops of a launch.
  StmtPtr launch_loop(const Nest& nest, const isl::set& iterations, const Position& position);
  isl::set values_in_all_blocks(const Nest& nest, Position position);
  StmtPtr block_loop(const Nest& nest, const isl::set& iterations, const Position& position);

  // whole_loop.cpp: loops over parametric tiles, and loops that always run all steps.
  StmtPtr tile_loop(const Nest& nest, const isl::set& values, const Position& position);
  bool runs_over_results(const Nest& nest);
  bool loses_by_masks(const Nest& nest) const;
  bool has_guards(const Nest& nest, const Position& position);
  isl::set some_runs(const Nest& nest, const isl::set& iterations, const WholeRange& range,
                     const Position& position);
  StmtPtr whole_loop(const Nest& nest, const isl::set& iterations, const WholeRange& range,
                     const Position& position);
  StmtPtr guarded(const Nest& nest, const isl::set& iterations, const Position& position);
  void add_lanes(For& loop, const Nest& nest, const isl::set& iterations, const Position& position);

  For new_loop(const Nest& nest);
  Error failed(const std::string& explanation) const;
  Expr expr(const isl::ast_expr& e, const Position& position) const;
  std::vector<Expr> exprs(const std::vector<isl::pw_aff>& functions, const isl::ast_build& build,
                          const Position& position) const;
  // { : [t0, .., t(n-1)] in times }, with the iterators as parameters. For a loop over
  // parametric tiles, the tile's first and last value take the place of the iterator.
  isl::set points(const isl::set& times, const Position& position);
  // "place" inside a condition. The condition was simplified in the context "here", so it is
  // not added to "anyway" if some lanes are switched off.
  Position knowing(Position position, const isl::set& condition) const;

  const TimeSpace& space_;
  const std::set<std::string> given_;  // names that variables cannot have, parameters among them
  const TreeParts& parts_;
  const Request& request_;
  std::set<std::string> taken_;  // names of variables given so far
  LoopAsts asts_;                // generated so far
  SetMemo<isl::set> without_iterator_{without_iterator};
  SetMemo<std::optional<WholeRange>> whole_range_{whole_range}, thread_range_{thread_range};
  std::map<int, bool> over_results_;  // runs_over_results, by the loop's id
  LanesAround lanes_;                 // records whether the vector loops around stay in lockstep
};

}  // namespace strata
