// The view of a program that legality questions get: its branches, initial values included, and its
// places.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "schedule/legality/proofs.h"
#include "schedule/legality/violation.h"

namespace strata {

// The order relations between executions (layers/flow/order.h).
enum class Order { not_before, not_before_other, unordered, concurrent, same_instruction };

// The arguments of a question besides the view: names and numbers, which identify the question.
template <typename T>
concept Name = std::same_as<T, std::string> || std::integral<T> || std::same_as<T, BranchId>;

// A view of one program. It records what each question reads, and keeps the answers for the next
// program (proofs.h). So a question is a plain function: all that it uses comes from the view or
// from its arguments.
class ProgramView {
 public:
  // The whole program, with automatic places (automatic_places.h).
  explicit ProgramView(const Program& program);
  ~ProgramView();
  ProgramView(const ProgramView&) = delete;

  // What runs in one iteration of the "number"-th loop that allocates "buffer" and of the loops
  // around it, with their iterators as fresh parameters:
  //     { S[i] -> t : t0 = i0, .., tp = ip } for the branches in the loop.
  // Lives as long as this.
  const ProgramView& inside(const std::string& buffer, int number) const;
  // The same for all that may run in one iteration for some sizes of parametric tiles: a loop over
  // such tiles counts as a single tile, number 0. Conflicts between values in the iteration's
  // buffer are checked here. Whether a value is made in the iteration that reads it is checked in
  // inside(), where t is the tiled value itself: executions with the same t are in the same tile
  // for all sizes.
  const ProgramView& in_one_tile(const std::string& buffer, int number) const;

  // ---- facts (facts.h) ----

  const Algorithm& algorithm() const;
  isl::ctx isl() const;

  std::vector<BranchId> of(const std::string& definition) const;  // initial values included
  const isl::map& time(const BranchId& branch) const;             // { S[i] -> [t0, .., t(d-1)] }
  const isl::set& instances(const BranchId& branch) const;
  const isl::set& executed(const BranchId& branch) const;  // dom(executions)
  const isl::map& leading(const BranchId& branch, unsigned levels) const;
  // { [t0, .., t(d-1)] -> [z, y, x] }: layers/flow/thread_ids.h
  const isl::map& thread_ids(const BranchId& branch) const;
  bool is_in_threads(const BranchId& branch) const;  // is a thread loop around it?
  const RelativePosition& relative_position(const BranchId& a, const BranchId& b) const;
  int shared_loops(const BranchId& a, const BranchId& b) const {
    return int(relative_position(a, b).shared.size());
  }
  // Does every instance run at most once, over all branches?
  bool runs_once(const std::string& definition) const;

  std::vector<std::string> buffers() const;
  const std::string& buffer_of(const std::string& array) const;
  const std::vector<std::string>& arrays_in(const std::string& buffer) const;
  const isl::map& place(const std::string& array) const;  // requires that the array is stored
  std::optional<isl::set> box(const std::string& buffer) const;
  const std::string& memory_of(const std::string& buffer) const;  // its name
  bool is_kept(const std::string& buffer) const;
  int allocating_loops(const std::string& buffer) const;
  bool is_in_allocating_loop(const BranchId& branch,
                             const std::string& buffer) const;  // in a loop allocating it?

  // The loops that must have a constant extent, and the branches in a loop, without initial values.
  const std::vector<LoopAt>& tagged_loops() const;
  const std::vector<BranchId>& owners(const LoopAt& loop) const;

  // ---- not facts: an answer that reads one of these is not reused ----

  isl::union_map theta() const;  // for witnesses
  const Loop& loop(const LoopAt& loop) const;

  // ---- derived from facts ----

  isl::map executions(const BranchId& branch) const;
  // The pairs of { X[x] -> Y[y] } that both branches run.
  isl::map run(const isl::map& pairs, const BranchId& x, const BranchId& y) const;
  // { t_x -> t_y } on the leading loops of both.
  isl::map ordered_times(const BranchId& x, Order order, const BranchId& y) const;
  // The pairs of { X[x] -> Y[y] } whose execution times are in the given order.
  isl::map pairs_ordered(const isl::map& pairs, const BranchId& x, Order order,
                         const BranchId& y) const;
  isl::map pairs_ordered(const isl::map& pairs, const BranchId& x, const isl::map& order,
                         const BranchId& y) const;
  // The same for all branches of two definitions.
  isl::map all_ordered(const isl::map& pairs, const std::string& x, Order order,
                       const std::string& y) const;

  // ---- questions ----

  // The result of "derive" on this view, computed once for this program and for later ones in which
  // all that it reads is the same. "name" must be unique to the function.
  template <typename T, Name... Names>
  const T& derived(const char* name, T (*derive)(const ProgramView&, const Names&...),
                   const std::type_identity_t<Names>&... names) const {
    const std::string question = question_of(name, names...);
    const std::any* known = record().known(question);
    if (!known) {
      record().answer(question, [&] { return std::make_any<T>(derive(*this, names...)); });
      known = record().known(question);
    }
    return *std::any_cast<T>(known);
  }

  // Runs "find_violations" unless it is known to find none. Returns false if "found" stopped it.
  template <Name... Names>
  bool check(const char* name,
             bool (*find_violations)(const ProgramView&, const Found&, const Names&...),
             const Found& found, const std::type_identity_t<Names>&... names) const {
    const std::string question = question_of(name, names...);
    if (record().known(question)) return true;
    bool more = true;
    record().answer(question, [&]() -> std::any {
      bool any = false;
      more = find_violations(
          *this,
          [&](Violation v) {
            any = true;
            return found(std::move(v));
          },
          names...);
      return any ? std::any() : std::any(true);
    });
    return more;
  }

  // All facts read and answers found.
  std::shared_ptr<const Proofs> proofs() const { return record().proofs(); }

 private:
  struct Whole;
  ProgramView(Whole* whole, FactScope scope);
  const FactValue& read(const Fact& fact) const;
  template <typename T>
  const T& read_as(const Fact& fact) const {
    return std::get<T>(read(fact));
  }
  Record& record() const;

  static std::string text(const std::string& name) { return name; }
  static std::string text(const BranchId& branch) {
    return fmt::format("{}.{}", branch.definition, branch.number);
  }
  static std::string text(std::integral auto number) { return std::to_string(number); }
  template <typename... Names>
  std::string question_of(const char* name, const Names&... names) const {
    std::string all =
        fmt::format("{}/{}/{}/{}", name, scope_.buffer, scope_.number, scope_.one_tile);
    ((all += "/" + text(names)), ...);
    return all;
  }

  std::unique_ptr<Whole> owned_;  // of the whole program
  Whole* whole_;
  FactScope scope_;
};

// Is this an update whose instances are atomic steps and run once each? Then they commute. (If they
// run several times, as recomputed values do, the steps keep their order.)
bool is_atomic_update(const ProgramView& view, const Definition& update);

// { S[i] -> S[i'] : both may redefine one element, i' = i or i' before i in the reference order }
isl::map steps_until(const ProgramView& view, const std::string& update);

// { S[c] -> S[c'] : two contributions to one result } = rho . rho^-1 - id
isl::map same_result(const ProgramView& view, const std::string& reduction);

// A dependence: every instance of "sink" runs after the instances of "source" that it needs.
struct Edge {
  std::string source, sink;
  isl::map relation;  // { P[y] -> C[x] }
  bool may = false;
};

// The dependences of layer I: the reversed reads, and those from each initial value to its
// contributions: union of R_S^-1 and rho^-1.
//
// The steps of an atomic update U do not wait for each other. A reader of the value after one step
// needs all steps up to it; and a step starts only after each value P[y] of the array that it or an
// earlier step reads:
//     { U[i'] -> C[x] : U[i] in R_C(C[x]) },  { P[y] -> U[i] : P[y] in R_U(U[i']) },
// each for i' in until(i), until = steps_until(U).
const std::vector<Edge>& edges(const ProgramView& view);

}  // namespace strata
