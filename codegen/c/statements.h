// The loop tree in C.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "codegen/c/expressions.h"
#include "codegen/c/form.h"
#include "codegen/c/lines.h"
#include "codegen/c/scope.h"
#include "codegen/tree/work.h"

namespace strata::c {

class Statements {
 public:
  Statements(Scope& scope, Lines& out, std::string kernel, const Form& form)
      : scope_(scope), out_(out), kernel_(std::move(kernel)), form_(form) {}

  void write(const StmtPtr& s);

 private:
  void write(const For& loop);
  void write(const If& s);
  void write(const Block& s);
  void write(const Execute& s);
  void write(const Allocate& s);
  void write(const Free& s);
  void write(const PrefetchBox&) {}
  void write(const Launch& s);
  void write(const ThreadGuard&);
  void write(const Barrier&);
  void write(const AwaitCopies&);
  void write(const DeviceCopy&);
  void write(const Mma&);
  void write(const Exchange&);
  void write(const Agree&);

  void count_loops(const For& nest);
  bool is_full() const;
  bool begins_function(const StmtPtr& s) const;
  void outlined(const StmtPtr& s);
  void call_rest(const std::string& call, const std::set<std::string>& freed,
                 const std::map<std::string, std::string>& owners);
  void recorded(const For& loop);
  void write_loop(const For& loop);
  template <typename Inside>
  void loop_over(const std::string& variable, const std::string& lower, const std::string& upper,
                 const Inside& inside);
  void counted(const For& loop, const std::string& directive);
  void counted_from(const For& loop, const std::string& lower, const std::string& upper);
  void parallel(const For& loop);
  void by_openmp(const For& loop);
  void note_what_fails(const For& loop);
  void by_runtime(const For& loop);
  Lines body_of_range(const For& loop, const std::string& first, const std::string& end) const;
  std::string work(const For& loop);
  Expr total(const Work& work);
  Expr repeated(const RepeatedWork& work);
  void copies(const For& loop);
  void lanes(const For& loop);
  std::optional<std::vector<std::string>> in_vectors(const Execute& s);
  void in_lanes(const Execute& s);
  void masked(const If& s);
  void lane_after_lane(const StmtPtr& s);
  void store(const Execute& s);
  void atomic_step(const Execute& s);
  void tuple(const Execute& s);
  void guarded(Expressions& places, const std::vector<Expr>& indices, const std::string& statement);
  void on_stack(const Allocate& s, const View& view);
  void on_heap(const Allocate& s, const View& view);
  View view_of_allocation(const Allocate& s);
  std::string in_memory(Expressions& values, const Expr& value);
  void definitions(Expressions& from);
  // "e" with the values of the iterators that have no variable in C.
  Expr here(const Expr& e) const;
  std::vector<Expr> here(const std::vector<Expr>& list) const;
  Expr simple(const Expr& e) const;
  std::string text_of(const Expr& value);
  std::string bound(const Expr& e);
  Expr first_of(const For& loop);
  Expr named(const std::string& stem, const Expr& value);

  Scope& scope_;
  Lines& out_;
  std::string kernel_;
  const Form& form_;
  std::map<std::string, Expr> values_;  // of iterators whose loops are copies of their bodies
  const For* lanes_ = nullptr;          // the vector loop around
  Expr first_lane_;
  bool in_parallel_ = false;
  int depth_ = 0;  // of loops
  int loops_ = 0;  // of the function so far
};

}  // namespace strata::c
