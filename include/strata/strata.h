// Strata's front end: the algorithm, and separately its schedule.
//
//   #include <strata/strata.h>
//
//   Function f("smooth");
//   Param N = f.param("N");                             // int64_t argument of the kernel
//   Var i("i", 1, N - 1);                               // 1 <= i < N - 1
//   Input in = f.input("in", f32, {N});                 // elements in(0) .. in(N - 1)
//   Computation out = f.computation("out", {i}, (in(i - 1) + in(i) + in(i + 1)) / 3.0f);
//   out.vectorize(i, 8);
//   f.codegen({in.buffer(), out.buffer()}, "smooth.o");  // and smooth.h
//
// A Function holds computations over iteration domains; scheduling commands on a Computation change
// when, where and in what memory its instances run.  A command is either proved legal when it is
// given, or throws strata::Error (core/error.h) with a counter-example and changes nothing.
//
// core/expr/expr.h defines Var, Param and expressions (operators, select, cast, min, sum, sqrt, ..)
// with their exact meaning; core/type.h the types (f32, i64, ..) and how they mix.  Programs that
// call kernels include strata/runtime.h and strata/buffer.h.
//
// Handles are cheap to copy and share their Function.  Functions are independent of each other:
// different threads may build different functions at the same time.  What a handle makes (an
// access, a parameter, a buffer) belongs to its Function; other functions refuse it (E0101, E0115),
// even where they have something of the same name.  A bare name (access("x", ..), Buffer("b"))
// belongs to no function.  A Var is only a name and a range: it can be used in any function that
// has the parameters of the range.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/expr/expr.h"
#include "core/expr/tile_size.h"
#include "core/expr/tuple.h"
#include "core/machine/machine.h"
#include "core/remark.h"
#include "core/stage.h"
#include "core/type.h"
#include "layers/memory.h"
#include "strata/codegen_options.h"
#include "strata/device_commands.h"
#include "strata/jit_function.h"
#include "strata/kernel_buffer.h"
#include "strata/launch_commands.h"
#include "strata/pages.h"
#include "strata/rank_commands.h"
#include "strata/scalar.h"

namespace strata {

struct FunctionState;
struct Program;
class CommandOperand;
class Function;

// A set of instances in isl's notation: Domain("[N] -> { S[i, j] : 0 <= i <= j < N }").  Its
// dimensions name the iterators; its parameters must be declared on the function.
struct Domain {
  explicit Domain(std::string text) : text(std::move(text)) {}
  std::string text;
};

// The iterators of a definition or copy: {i, j}, or just i.
struct Iterators : std::vector<Var> {
  Iterators(const Var& one) : vector{one} {}
  Iterators(std::initializer_list<Var> list) : vector(list) {}
  Iterators(std::vector<Var> list) : vector(std::move(list)) {}
};

// For commands that order computations: side by side at the top level, sharing no loop.
struct Root {};
inline constexpr Root root{};

// Data passed to the kernel.  in(i, j) reads an element: indices count from 0, in the order of the
// extents, the last one innermost in memory.  Indices that are affine in iterators and parameters
// must be in bounds (E0113).  Other indices, in(idx(i)) or in(i * j), may name any element that
// their type and the affine operations around them (clamp, min, max, %) allow; where that may be
// out of bounds, the kernel checks, makes no access out of bounds, and returns
// strata_error_index_out_of_range.
class Input {
 public:
  template <typename... Index>
  Expr operator()(const Index&... index) const {
    return access(name_, type_, {Expr(index)...}, owner_);
  }
  operator Expr() const { return access(name_, type_, {}, owner_); }
  // The whole array, as an argument of call(..).
  Expr array() const { return array_argument(name_, type_, owner_); }
  Buffer buffer() const;
  Type type() const { return type_; }
  const std::string& name() const { return name_; }
  const Owner& owner() const { return owner_; }

 private:
  friend class Function;
  Input(std::string name, Type type, Owner owner, std::shared_ptr<FunctionState> state)
      : name_(std::move(name)), type_(type), owner_(std::move(owner)), state_(std::move(state)) {}
  std::string name_;
  Type type_;
  Owner owner_;
  std::shared_ptr<FunctionState> state_;
};

// One definition of an array of values, and the loops that run it.
//
// Commands name loops by Var: v means the loop named v.name() around this computation; a string
// works, too: out.vectorize("i", 8).
// Errors common to all commands: E0102 no such loop (the message lists the existing ones), E0103
// the name means several loops, E0104 and E0105 a new name is taken or is not an identifier, E0107
// a loop is shared with a computation that does not have the other loops; and the errors for an
// illegal result, E0201 to E0207, E0301 to E0303, E0305 and E0307, with a witness.  Errors specific
// to a command are documented in its header, schedule/commands/NAME.h.
class Computation : public LaunchCommands {
 public:
  // X(i, j): the value at these indices, for use in expressions.
  template <typename... Index>
  Expr operator()(const Index&... index) const {
    return access(array_, type_, {Expr(index)...}, owner());
  }
  operator Expr() const { return access(array_, type_, {}, owner()); }
  // All values, as an argument of call(..).  The function is passed them by their indices, wherever
  // they are stored; codegen refuses places that are not linear in the indices (E0502).
  Expr array() const { return array_argument(array_, type_, owner()); }

  const std::string& name() const { return name_; }
  Type type() const { return type_; }
  const Owner& owner() const;
  Buffer buffer() const;  // where its values are stored
  // For a computation of tuples: a handle for reading scalar "number" of its values.  Commands on
  // it apply to the computation.  E0106 if there is no such scalar.
  Computation component(std::size_t number, const Where& where = Where::here()) const;

  // A piece of a computation that set_schedule, compute_at or peel has put in several places:
  // commands on loops and on order change this piece alone.  f.text() and E0103 list the names.
  Computation piece(const std::string& name) const;

  // Defines the value of a declared computation; it must have the declared type (E0110).
  Computation& define(const Expr& value, const Where& where = Where::here());
  // Redefines the elements X(element(i)) for all "iterators", after all definitions so far.  An
  // element with non-affine indices (a scatter) is checked like a read of it; the order of the
  // instances is kept.  Bounds of iterators may be read from arrays, as in where(..).
  Computation update(const Iterators& iterators, const std::vector<Expr>& element,
                     const Expr& value, const Where& where = Where::here());

  // Where "condition" is false the instance does nothing: an update keeps the element as it is, a
  // contribution of a reduction adds nothing.  The affine part of the condition cuts the domain;
  // the rest may read arrays, and is allowed only on updates and reductions (E0106).  Must precede
  // the first command.
  Computation& where(const Expr& condition, const Where& where = Where::here());

  // The next command through the returned handle is not checked: its violations are recorded in the
  // program as waived.  Inside f.together it is still checked with the group.
  Computation unchecked() const;

  // ---- layer II: loops ----

  // i -> outer = floor(i / size), inner = i mod size.  Without names the outer loop is still called
  // i, the inner one i_in.  A size is a number or a Param.  With a Param, one kernel works for all
  // sizes from 1 on (it checks this at entry, like an assumption), and the split is legal only if
  // it is legal for every size; the inner loop has the iterations of i that are in the tile.
  Computation& split(const Var& i, TileSize size, const Var& outer, const Var& inner,
                     const Where& where = Where::here());
  Computation& split(const Var& i, TileSize size, const Where& where = Where::here());
  // i, j -> i0, j0, i1, j1: tiles of si x sj.
  Computation& tile(const Var& i, const Var& j, TileSize si, TileSize sj, const Var& i0,
                    const Var& j0, const Var& i1, const Var& j1,
                    const Where& where = Where::here());
  Computation& tile(const Var& i, const Var& j, TileSize si, TileSize sj,
                    const Where& where = Where::here());
  Computation& tile(const Var& i, const Var& j, const Var& k, TileSize si, TileSize sj, TileSize sk,
                    const Var& i0, const Var& j0, const Var& k0, const Var& i1, const Var& j1,
                    const Var& k1, const Where& where = Where::here());
  Computation& tile(const Var& i, const Var& j, const Var& k, TileSize si, TileSize sj, TileSize sk,
                    const Where& where = Where::here());
  // Moves the first n iterations of loop i (n < 0: the last -n), with everything inside, into a
  // loop nest of their own before (after) the others, named i_head (i_tail).  Each computation
  // inside gets two pieces, "head" ("tail") and "rest"; "name" replaces head in all these names.
  Computation& peel(const Var& i, std::int64_t n, const Where& where = Where::here());
  Computation& peel(const Var& i, std::int64_t n, const std::string& name,
                    const Where& where = Where::here());
  // Exchanges two loops, adjacent or not, with only loops between them.
  Computation& interchange(const Var& i, const Var& j, const Where& where = Where::here());
  // Loops of a chain take each other's places, in this order from the outside.
  Computation& reorder(const std::vector<Var>& loops, const Where& where = Where::here());
  // Two adjacent loops become one of their n_i * n_j iterations, in the same order, named i or
  // "name".  The bounds of j are constants, and both have the same tags (E0106).
  Computation& collapse(const Var& i, const Var& j, const Where& where = Where::here());
  Computation& collapse(const Var& i, const Var& j, const Var& name,
                        const Where& where = Where::here());
  // i -> i + amount, for this computation only; amount may use parameters.
  Computation& shift(const Var& i, const Expr& amount, const Where& where = Where::here());
  // i, j -> a*i + b*j, c*i + d*j with the smallest c and d that make it unimodular.
  Computation& skew(const Var& i, const Var& j, std::int64_t a, std::int64_t b, const Var& ni,
                    const Var& nj, const Where& where = Where::here());
  Computation& skew(const Var& i, const Var& j, std::int64_t a, std::int64_t b,
                    const Where& where = Where::here());
  // i, j -> a*i + b*j, c*i + d*j with a*d - b*c = 1 or -1.
  Computation& skew(const Var& i, const Var& j, std::int64_t a, std::int64_t b, std::int64_t c,
                    std::int64_t d, const Var& ni, const Var& nj,
                    const Where& where = Where::here());
  Computation& skew(const Var& i, const Var& j, std::int64_t a, std::int64_t b, std::int64_t c,
                    std::int64_t d, const Where& where = Where::here());
  // i -> -i.
  Computation& reverse(const Var& i, const Where& where = Where::here());
  // unroll and vectorize with a number split the loop first and tag its inner loop, which is called
  // i_unroll or i_lane if no names are given.  The number of iterations of a tagged loop must have
  // a constant bound (E0106).
  Computation& unroll(const Var& i, const Where& where = Where::here());  // the whole loop
  Computation& unroll(const Var& i, std::int64_t factor, const Where& where = Where::here());
  Computation& unroll(const Var& i, std::int64_t factor, const Var& outer, const Var& inner,
                      const Where& where = Where::here());
  Computation& vectorize(const Var& i, const Where& where = Where::here());  // the whole loop
  Computation& vectorize(const Var& i, std::int64_t lanes, const Where& where = Where::here());
  Computation& vectorize(const Var& i, std::int64_t lanes, const Var& outer, const Var& inner,
                         const Where& where = Where::here());
  Computation& parallelize(const Var& i, const Where& where = Where::here());
  // Iteration x of the loop runs on the rank that has x (docs/distributed.md).
  Computation& distribute(const Var& i, const Partition& partition,
                          const Where& where = Where::here());

  // How partial tiles, vectors and unrolled bodies at the domain boundary are executed.  The choice
  // never affects legality.  By default, code generation makes a bounded number of copies for full
  // tiles, full vectors and the rest.
  // separate: an unconditional copy of the nest for full iterations of the loop, and one copy for
  // the rest, executed as by guard, or for a vector loop as by mask.
  Computation& separate(const Var& i, const Where& where = Where::here());
  // One copy: an unrolled loop is fully unrolled, with a guard around each iteration; other loops
  // get exact bounds.  Not for a vector loop (E0106).
  Computation& guard(const Var& i, const Where& where = Where::here());
  // One copy of a vector loop (E0106 for others): lanes beyond the boundary are masked off.
  Computation& mask(const Var& i, const Where& where = Where::here());

  // Each iteration u of "loop", which runs over contributions to one result of this reduction, gets
  // a partial result: a computation "part"(i.., u) with the loops of this one; this computation
  // then sums the partial results.  Tag the loop of "part" next: part.parallelize(loop),
  // part.vectorize(loop).  This changes the algorithm: floats round differently.
  Computation rfactor(const Var& loop, const std::string& part, const Where& where = Where::here());
  // Contributions to one result may run at the same time: each is one indivisible step.  Floats are
  // then added in any order, which the mode exact refuses (E0504).  Also for an update X(e) = X(e)
  // + r, or with -, *, min, max, ||, &&, &, | or ^ (E0106 for others, and where r reads X): its
  // instances commute, as in h.update({i}, {bin(i)}, h(bin(i)) + 1).atomic().parallelize(i).
  Computation& atomic(const Where& where = Where::here());

  // This runs after "other", sharing other's loops down to and including "loop".
  Computation& after(const Computation& other, const Var& loop, const Where& where = Where::here());
  Computation& after(const Computation& other, Root = root, const Where& where = Where::here());
  Computation& before(const Computation& other, const Var& loop,
                      const Where& where = Where::here());
  Computation& before(const Computation& other, Root = root, const Where& where = Where::here());
  // "next" runs after this; returns next, so that chains read in program order.
  Computation& then(Computation& next, const Var& loop, const Where& where = Where::here());
  Computation& then(Computation& next, Root = root, const Where& where = Where::here());
  Computation then(Computation&& next, const Var& loop, const Where& where = Where::here());
  Computation then(Computation&& next, Root = root, const Where& where = Where::here());
  // This runs after "first" and before "last", sharing the loops of each down to and including the
  // one named (std::nullopt: none).  E0106 if there is no such place.
  Computation& between(const Computation& first, const std::optional<Var>& first_loop,
                       const Computation& last, const std::optional<Var>& last_loop,
                       const Where& where = Where::here());
  // Fuses loop i of this with the adjacent loop j of "other"; the result is named i.
  Computation& fuse(const Var& i, const Computation& other, const Var& j,
                    const Where& where = Where::here());
  // Loop fission: each node in the body of loop i gets a loop of its own.
  Computation& distribute_loop(const Var& i, const Where& where = Where::here());
  Computation& fission(const Var& i, const Where& where = Where::here()) {
    return distribute_loop(i, where);
  }
  // The schedule map in isl's notation: "{ S[i, j] -> [0, j, 0, i, 0] }".  Pieces are named by the
  // tuple that they map to: "{ S[i] -> head[0, i] : i < 8; S[i] -> rest[1, i] : i >= 8 }".
  Computation& set_schedule(const std::string& map, const Where& where = Where::here());
  // Each reader computes the value itself; this computation disappears.
  void set_inline(const Where& where = Where::here());

  // Computed inside "loop" of "reader": each iteration first computes the values it reads, even if
  // other iterations compute them too, and keeps them in a buffer private to the iteration (unless
  // the buffer also holds other arrays' values).  All readers must be inside (E0107).
  Computation& compute_at(const Computation& reader, const Var& loop,
                          const Where& where = Where::here());
  // The same for readers in several loops: compute_at({{by, j0}, {cz, i0}}).
  Computation& compute_at(const std::vector<std::pair<Computation, Var>>& loops,
                          const Where& where = Where::here());
  // Computed once, before its readers, outside all loops: undoes compute_at.
  Computation& compute_at(Root, const Where& where = Where::here());

  // After compute_at: each iteration of "loop" of "reader" computes each value once, where it is
  // first needed, and has one buffer for all of them (a sliding window, if the loops between are
  // sequential).  At root the kernel has one buffer.
  Computation& store_at(const Computation& reader, const Var& loop,
                        const Where& where = Where::here());
  Computation& store_at(Root, const Where& where = Where::here());

  // This computation reads "array" through a copy: each iteration of "loop" copies what it reads
  // into a private buffer in "memory".  The copy, with loops named "iterators", is an ordinary
  // computation: its store_in packs, its set_size pads.
  Computation cache_at(const Var& loop, const Input& array, const std::string& copy,
                       const Iterators& iterators, Memory memory = Memory::automatic,
                       const Where& where = Where::here());
  Computation cache_at(const Var& loop, const Computation& array, const std::string& copy,
                       const Iterators& iterators, Memory memory = Memory::automatic,
                       const Where& where = Where::here());

  // The values of this computation are computed in "made", a computation with its loops and tags,
  // and each iteration of "loop" copies its results here, over loops named "iterators".  "made" has
  // a buffer private to the iteration in "memory", e.g. the accumulator of a reduction.  "loop" and
  // the loops around it must run over results, not contributions (E0106).
  using LaunchCommands::copy_at;
  Computation copy_at(const Var& loop, const std::string& made, const Iterators& iterators,
                      Memory memory = Memory::automatic, const Where& where = Where::here());

  // Each iteration of "loop" starts by prefetching what this computation reads of "array" in the
  // iteration "distance" steps later (1 to 999,999,999) of the same execution of the loop: one
  // prefetch per 64 bytes, from the first element on, of each row of the bounding box of these
  // reads.  It is a hint: always legal, it changes no result.  Give it last: split and tile move it
  // to the loop inside a tile.  E0101 if nothing of "array" is read; E0106, also for a later
  // command that causes it: the loop is a vector or unrolled loop, is inside a vector loop, or runs
  // over tiles of a parametric size; the buffer of "array" is on the stack, or private to an
  // iteration of the loop or of one further in; no read of it is affine.
  Computation& prefetch(const Var& loop, const Input& array, std::int64_t distance,
                        const Where& where = Where::here());
  Computation& prefetch(const Var& loop, const Computation& array, std::int64_t distance,
                        const Where& where = Where::here());

  // The threads of a GPU's block wait for each other at the end of each iteration of "loop",
  // between blocks and threads.  Never needed; refused elsewhere (E0106), with the command to use
  // instead.
  Computation& barrier_at(const Var& loop, const Where& where = Where::here());

  // ---- layer III: storage ----

  // Each iteration of "loop" of "computation" (and of the loops around it) has a private buffer for
  // this computation's values: a value must be read in the iteration that computes it (E0307).  At
  // root there is one buffer, live for the whole kernel.
  Computation& allocate_at(const Computation& computation, const Var& loop,
                           const Where& where = Where::here());
  Computation& allocate_at(Root, const Where& where = Where::here());
  // Stores value X(i, ..) at [places], by default [i, ..]; they are affine in X's indices with /
  // and % by constants: {i % 2, j}.  The buffer is the one given, which must have X's type (E0110),
  // or else one called X.  No value may be overwritten before its last read (E0301); if a modulus
  // is too small, the message names the smallest legal one.
  Computation& store_in(const std::vector<Expr>& places, const Where& where = Where::here());
  Computation& store_in(const Buffer& buffer, const Where& where = Where::here());
  Computation& store_in(const Buffer& buffer, const std::vector<Expr>& places,
                        const Where& where = Where::here());
  // The same as a relation in isl's notation: "{ X[i, j] -> b[j, i] }".
  Computation& store_in(const std::string& relation, const Where& where = Where::here());
  // Lists in braces are places: {0} is not a name.
  Computation& store_in(std::initializer_list<Expr> places, const Where& where = Where::here()) {
    return store_in(std::vector<Expr>(places), where);
  }
  Computation& store_in(const Buffer& buffer, std::initializer_list<Expr> places,
                        const Where& where = Where::here()) {
    return store_in(buffer, std::vector<Expr>(places), where);
  }
  // The extents of this computation's buffer, over parameters (E0111), from 0; all values must be
  // inside (E0302).  For a buffer private to an iteration they are constants and count from the
  // least place that the iteration accesses: larger extents pad; smaller ones are refused when code
  // is generated (E0308).
  Computation& set_size(const std::vector<Expr>& extents, const Where& where = Where::here());
  // On the stack, where elements at constant indices live in registers, or on the heap; not for an
  // argument (E0106).  E0308, when code is generated: on the stack without a constant size.
  // buffer().set_memory(..) is the same, and also for inputs.
  Computation& set_memory(Memory memory, const Where& where = Where::here());

 private:
  friend class Function;
  Computation(std::shared_ptr<FunctionState> state, std::string name, std::string array, Type type)
      : state_(std::move(state)), name_(std::move(name)), array_(std::move(array)), type_(type) {}

  friend struct Author;  // dsl/author.h

  Computation added(const std::string& name, Type type, const std::string& command,
                    std::vector<CommandOperand> operands, Memory memory, const Where& where);

  std::shared_ptr<FunctionState> state_;
  std::string name_, array_, piece_ = "";
  Type type_;
  bool unchecked_ = false;
};

class Function : public DeviceCommands, public RankCommands, public Pages {
 public:
  // The name of the kernel, a C identifier (E0105).  Names of parameters, inputs and computations
  // are identifiers too, each used once per function (E0104).
  explicit Function(const std::string& name, const Where& where = Where::here());

  Param param(const std::string& name, const Where& where = Where::here());
  // A parameter that is not an argument: the kernel reads it from "element" of an integer input, at
  // indices over earlier parameters.
  Param param(const std::string& name, const Expr& element, const Where& where = Where::here());
  Scalar scalar(const std::string& name, Type type, const Where& where = Where::here());
  // Elements 0 .. extent - 1 in each dimension; extents are affine in the parameters (E0111).
  Input input(const std::string& name, Type type, const std::vector<Expr>& extents,
              const Where& where = Where::here());

  // S(i, ..) = value for all iterators, of the value's type.  Iterators without a range are
  // inferred from the readers.  Every value read must exist (E0113, with an instance that does not)
  // and be computed earlier in the order of definition (E0206).  The range of a reduced iterator
  // may depend on data, sum(Var("k", rows(i), rows(i + 1)), val(k) * x(col(k))): it is cut to the k
  // for which the affine reads, val(k), are in bounds (E0112 if none bounds it).
  Computation computation(const std::string& name, const Iterators& iterators, const Expr& value,
                          const Where& where = Where::here());
  Computation computation(const std::string& name, const Domain& domain, const Expr& value,
                          const Where& where = Where::here());
  // Values of several scalars (core/expr/tuple.h), with one name for each: names[0] is the
  // computation's name, and its handle reads the first scalar.  Each scalar has a buffer of its own
  // name, with the places that store_in gives the first.
  Computation computation(const std::vector<std::string>& names, const Iterators& iterators,
                          const Tuple& values, const Where& where = Where::here());
  Computation computation(const std::vector<std::string>& names, const Domain& domain,
                          const Tuple& values, const Where& where = Where::here());
  // A computation whose value is given later (define), so that expressions can read it before,
  // including its own: x.define(b(i) - sum(j, L(i, j) * x(j))).  A reduction inside such a value
  // becomes a computation of its own, x_sum, in the loops of x; to schedule it, declare both in
  // f.loop.
  Computation declare(const std::string& name, const Iterators& iterators, Type type,
                      const Where& where = Where::here());
  Computation declare(const std::string& name, const Domain& domain, Type type,
                      const Where& where = Where::here());
  Buffer buffer(const std::string& name) const;
  // A buffer with explicit extents, affine in the parameters (E0111), for store_in.  Values stored
  // there must be in bounds (E0302); if it is an argument of the kernel, it must be at least as
  // large.
  Buffer buffer(const std::string& name, Type type, const std::vector<Expr>& extents,
                const Where& where = Where::here());

  // Definitions inside "body" share the loop k, in the order they are written.
  void loop(const Var& k, const std::function<void()>& body);
  // The commands inside "body" are checked once, at its end; if the check fails, all are undone.
  void together(const std::function<void()>& body, const Where& where = Where::here());
  // Adds an affine condition on the parameters to the context (E0111); the kernel checks it at
  // entry.
  void assume(const Expr& condition, const Where& where = Where::here());
  // The maximum work on integer sets for one command, or for loop generation (E0901), in units of
  // about 0.1 us (docs/semantics.md, section 4).  Default: 4 * 10^7, which take about 2 s, and more
  // than all benchmarks need.
  void set_budget(std::int64_t work, const Where& where = Where::here());
  // The maximum size of a kernel after unrolling, in register operations (E0903;
  // docs/benchmarks.md).  Default: 25,000, which compile within about 8 s.
  void set_code_limit(std::int64_t size, const Where& where = Where::here());

  // Writes an object file and a C header with
  //     int NAME(int64_t parameter.., TYPE scalar.., struct halide_buffer_t* buffer..);
  // Parameters and scalars are in order of declaration, buffers in the order of "arguments": every
  // input, and the buffer of every computation that is an output.  NAME returns 0 or a negative
  // code (strata/runtime.h); codegen returns the CPU seconds of each stage (core/stage.h). Errors:
  // E0115, E0116 the arguments; E0112 an unbounded domain; E0204, E0304 an output that is not
  // computed or not kept; E0501 the target; E0503 the files; E0504 a reassociated float reduction
  // in the mode exact.
  StageTimes codegen(const std::vector<Buffer>& arguments, const std::string& object,
                     const CodegenOptions& options = {}, const Where& where = Where::here());
  // The same in this process, for this CPU.
  JitFunction jit(const std::vector<Buffer>& arguments, const CodegenOptions& options = {},
                  StageTimes* times = nullptr, const Where& where = Where::here());

  // text: layers I to III as text that parses back; communication: layer IV, derived from them
  // (what is allocated, copied and freed, and when); loops: the generated loops in a C-like text.
  std::string text() const;
  std::string communication(const std::vector<Buffer>& arguments,
                            const Where& where = Where::here()) const;
  std::string loops(const std::vector<Buffer>& arguments, const Where& where = Where::here()) const;
  // The kernel as a file of C11, for the CPU of options.target (docs/c.md).  E0402, E0501, E0502.
  std::string to_c(const std::vector<Buffer>& arguments, const CodegenOptions& options = {},
                   const Where& where = Where::here()) const;

  // What may make the kernel slow, and what to do (core/remark.h; docs/remarks.md lists the kinds).
  // "sizes" are of parameters, by name; the others are taken as 1000, or less where assumed.
  Remarks remarks(const std::vector<Buffer>& arguments,
                  const std::map<std::string, std::int64_t>& sizes = {},
                  const Where& where = Where::here()) const;

  const std::string& name() const;
  const Program& program() const;
  // Definitions that may not do what the author meant: sums and products of integers below 32 bits
  // that wrap before they are divided, compared or widened.  One text per such definition, with the
  // cast to write; codegen and jit print them once, before the first kernel.
  const std::vector<std::string>& notes() const;
  // A log of the commands so far, as they were given; nothing depends on it.
  const std::vector<std::string>& history() const;
  // Applies commands written as in history() ("split(S.i, 4)", "unchecked reverse(S.i)", "together
  // { .. }": schedule/table/command_text.h) in order, all or none.  Replaying a history on a
  // function with the same definitions makes the same program.  Errors name the line; E0108 if a
  // line is not a command.
  void replay(const std::string& commands, const Where& where = Where::here());
  // The history as C++ source, for handles named like their computations.
  std::string history_source() const;
  // The program before its first command, without definitions made after that.
  const Program& unscheduled() const;

 private:
  friend struct Author;  // dsl/author.h

  std::shared_ptr<FunctionState> state_;
};

}  // namespace strata
