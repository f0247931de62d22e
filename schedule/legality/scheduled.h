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

#include "schedule/legality/proved.h"
#include "schedule/legality/violation.h"

namespace strata {

// The order relations between executions (layers/flow/order.h).
enum class Order { not_before, not_before_other, unordered, concurrent, same_instruction };

// The arguments of a question besides the view: names and numbers, which identify the question.
template <typename T>
concept Name = std::same_as<T, std::string> || std::integral<T> || std::same_as<T, Run>;

// A view of one program. It records what each question reads, and keeps the answers for the next
// program (proved.h). So a question is a plain function: all that it uses comes from the view or
// from its arguments.
class Scheduled {
 public:
  // The whole program, with automatic places (automatic_places.h).
  explicit Scheduled(const Program& program);
  ~Scheduled();
  Scheduled(const Scheduled&) = delete;

  // What runs in one iteration of the "number"-th loop that allocates "buffer" and of the loops
  // around it, with their iterators as fresh parameters:
  //     { S[i] -> t : t0 = i0, .., tp = ip } for the branches in the loop.
  // Lives as long as this.
  const Scheduled& inside(const std::string& buffer, int number) const;
  // The same for all that may run in one iteration for some sizes of parametric tiles: a loop over
  // such tiles counts as a single tile, number 0. Conflicts between values in the iteration's
  // buffer are checked here. Whether a value is made in the iteration that reads it is checked in
  // inside(), where t is the tiled value itself: executions with the same t are in the same tile
  // for all sizes.
  const Scheduled& in_one_tile(const std::string& buffer, int number) const;

  // ---- facts ----

  const Algorithm& algorithm() const;
  isl::ctx isl() const;

  std::vector<Run> of(const std::string& definition) const;  // initial values included
  const isl::map& time(const Run& run) const;
  const isl::set& instances(const Run& run) const;
  const isl::set& executed(const Run& run) const;  // dom(executions)
  const isl::map& leading(const Run& run, unsigned levels) const;
  const Standing& standing(const Run& a, const Run& b) const;
  int shared_loops(const Run& a, const Run& b) const { return int(standing(a, b).shared.size()); }
  // Does every instance run at most once, over all branches?
  bool runs_once(const std::string& definition) const;

  std::vector<std::string> buffers() const;
  const std::string& buffer_of(const std::string& array) const;
  const std::vector<std::string>& arrays_in(const std::string& buffer) const;
  const isl::map& place(const std::string& array) const;  // requires that the array is stored
  std::optional<isl::set> box(const std::string& buffer) const;
  bool is_kept(const std::string& buffer) const;
  int allocating_loops(const std::string& buffer) const;
  bool stands_in(const Run& run, const std::string& buffer) const;  // in a loop allocating it?

  // The loops that must have a constant extent, and the branches in a loop, without initial values.
  const std::vector<LoopAt>& tagged_loops() const;
  const std::vector<Run>& owners(const LoopAt& loop) const;

  // ---- not facts: an answer that reads one of these is not reused ----

  isl::union_map theta() const;  // for witnesses
  const Loop& loop(const LoopAt& loop) const;

  // ---- derived from facts ----

  isl::map executions(const Run& run) const;
  // The pairs of { X[x] -> Y[y] } that both branches run.
  isl::map run(const isl::map& pairs, const Run& x, const Run& y) const;
  // { t_x -> t_y } on the leading loops of both.
  isl::map ordered_times(const Run& x, Order order, const Run& y) const;
  // The pairs of { X[x] -> Y[y] } whose execution times are in the given order.
  isl::map pairs_ordered(const isl::map& pairs, const Run& x, Order order, const Run& y) const;
  isl::map pairs_ordered(const isl::map& pairs, const Run& x, const isl::map& order,
                         const Run& y) const;
  // The same for all branches of two definitions.
  isl::map all_ordered(const isl::map& pairs, const std::string& x, Order order,
                       const std::string& y) const;

  // ---- questions ----

  // The result of "ask" on this view, computed once for this program and for later ones in which
  // all that it reads is the same. "name" must be unique to the function.
  template <typename T, Name... Names>
  const T& derived(const char* name, T (*ask)(const Scheduled&, const Names&...),
                   const std::type_identity_t<Names>&... names) const {
    const std::string question = question_of(name, names...);
    const std::any* known = record().known(question);
    if (!known) {
      record().answer(question, [&] { return std::make_any<T>(ask(*this, names...)); });
      known = record().known(question);
    }
    return *std::any_cast<T>(known);
  }

  // Runs "ask" unless it is known to find no violation. Returns false once enough were found.
  template <Name... Names>
  bool asked(const char* name, bool (*ask)(const Scheduled&, const Found&, const Names&...),
             const Found& found, const std::type_identity_t<Names>&... names) const {
    const std::string question = question_of(name, names...);
    if (record().known(question)) return true;
    bool more = true;
    record().answer(question, [&]() -> std::any {
      bool any = false;
      more = ask(*this, [&](Violation v) { any = true; return found(std::move(v)); }, names...);
      return any ? std::any() : std::any(true);
    });
    return more;
  }

  // All facts read and answers found.
  std::shared_ptr<const Proved> proved() const { return record().proved(); }

 private:
  struct Whole;
  Scheduled(Whole* whole, Scope scope);
  const FactValue& read(const Fact& fact) const;
  template <typename T>
  const T& read_as(const Fact& fact) const {
    return std::get<T>(read(fact));
  }
  Record& record() const;

  static std::string text(const std::string& name) { return name; }
  static std::string text(const Run& run) { return fmt::format("{}.{}", run.definition, run.number); }
  static std::string text(std::integral auto number) { return std::to_string(number); }
  template <typename... Names>
  std::string question_of(const char* name, const Names&... names) const {
    std::string all = fmt::format("{}/{}/{}/{}", name, scope_.buffer, scope_.number, scope_.one_tile);
    ((all += "/" + text(names)), ...);
    return all;
  }

  std::unique_ptr<Whole> owned_;  // of the whole program
  Whole* whole_;
  Scope scope_;
};

// Is this an update whose instances are atomic steps and run once each? Then they commute. (If they
// run several times, as recomputed values do, the steps keep their order.)
bool is_atomic_update(const Scheduled& scheduled, const Definition& update);

// { S[i] -> S[i'] : both may redefine one element, i' = i or i' before i in the reference order }
isl::map steps_until(const Scheduled& scheduled, const std::string& update);

// { S[c] -> S[c'] : two contributions to one result } = rho . rho^-1 - id
isl::map same_result(const Scheduled& scheduled, const std::string& reduction);

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
const std::vector<Edge>& edges(const Scheduled& scheduled);

}  // namespace strata
