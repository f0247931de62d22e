// Strata for authors: what to compute, and apart from it, how.
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
// A Function holds computations over iteration domains; scheduling commands on a Computation
// transform when, where and in what memory its instances run.  Every command is proved legal when
// it is given, or throws strata::Error (core/error.h) with a counter-example and changes nothing.
//
// core/expr/expr.h has Var, Param and what expressions are made of (operators, select, cast, min, sum,
// sqrt, ..) with their exact meaning; core/type.h the types (f32, i64, ..) and how they mix.
// strata/runtime.h and strata/buffer.h are for programs that call kernels.
//
// Handles are cheap to copy and share their Function.  Functions are independent of each other:
// one thread may build one function while another thread builds another.  What a handle makes (an
// access, a parameter, a buffer) is its Function's, and refused by others (E0101, E0115), also
// where they have something of its name; a name alone (access("x", ..), Buffer("b")) belongs to
// nobody. Var is a name and a range: of any function that has the parameters in it.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/expr/expr.h"
#include "core/expr/tile_size.h"
#include "core/expr/tuple.h"
#include "core/floats.h"
#include "core/stage.h"
#include "core/type.h"
#include "layers/memory.h"

struct halide_buffer_t;

namespace strata {

struct FunctionState;
struct Program;
class CommandOperand;
class Function;

// A set of instances in isl's notation: Domain("[N] -> { S[i, j] : 0 <= i <= j < N }").
// Iterators are named by its dimensions, parameters must be declared on the function.
struct Domain {
  explicit Domain(std::string text) : text(std::move(text)) {}
  std::string text;
};

// The iterators of a definition or copy: {i, j}, or i alone.
struct Iterators : std::vector<Var> {
  Iterators(const Var& one) : vector{one} {}
  Iterators(std::initializer_list<Var> list) : vector(list) {}
  Iterators(std::vector<Var> list) : vector(std::move(list)) {}
};

// Memory that values are stored in: an argument of the kernel, or temporary.  Without extents from
// its author it is as large as the box of the places that the program touches.
class Buffer {
 public:
  explicit Buffer(std::string name, Owner owner = nullptr)
      : name_(std::move(name)), owner_(std::move(owner)) {}
  const std::string& name() const { return name_; }
  const Owner& owner() const { return owner_; }

 private:
  std::string name_;
  Owner owner_;
};

// Where commands that order computations put them side by side, sharing no loop.
struct Root {};
inline constexpr Root root{};

// Data that the kernel is given.  in(i, j) reads an element: indices count from 0, in the order of
// the extents, the last one innermost in memory.  Indices that are affine in iterators and
// parameters stay inside the extents (E0113).  Others, in(idx(i)) or in(i * j), may name any element
// that their type and what is affine around them (clamp, min, max, %) allow; where that could be
// outside, the kernel checks: it touches nothing there and returns
// strata_error_index_out_of_range.
class Input {
 public:
  template <typename... Index>
  Expr operator()(const Index&... index) const {
    return access(name_, type_, {Expr(index)...}, owner_);
  }
  operator Expr() const { return access(name_, type_, {}, owner_); }
  // The whole of it, as an argument of call(..).
  Expr array() const { return array_argument(name_, type_, owner_); }
  Buffer buffer() const { return Buffer(name_, owner_); }
  Type type() const { return type_; }
  const std::string& name() const { return name_; }
  const Owner& owner() const { return owner_; }

 private:
  friend class Function;
  Input(std::string name, Type type, Owner owner)
      : name_(std::move(name)), type_(type), owner_(std::move(owner)) {}
  std::string name_;
  Type type_;
  Owner owner_;
};

// One definition of an array of values, and the loops that run it.
//
// Commands name loops by Var: v stands for the loop called v.name() around this computation; a text
// does, too: out.vectorize("i", 8).
// Errors common to all commands: E0102 no such loop (the refusal lists those there are), E0103 the
// name means several loops, E0104 and E0105 a new name is taken or is no identifier, E0107 a loop
// is shared with a computation that the other loops do not have; and the refusals of an illegal
// result, E0201 to E0207, E0301 to E0303, E0305 and E0307, with a witness.  What else a command
// refuses stands in its header, schedule/commands/NAME.h.
class Computation {
 public:
  // X(i, j): the value, for use in expressions, by the indices that define it.
  template <typename... Index>
  Expr operator()(const Index&... index) const {
    return access(array_, type_, {Expr(index)...}, owner());
  }
  operator Expr() const { return access(array_, type_, {}, owner()); }
  // All values, as an argument of call(..): the function is given them by their indices, wherever
  // they are stored; places that are not linear in the indices are refused (E0502), when code is
  // generated.
  Expr array() const { return array_argument(array_, type_, owner()); }

  const std::string& name() const { return name_; }
  Type type() const { return type_; }
  const Owner& owner() const;
  Buffer buffer() const;  // where its values are stored
  // Of a computation of tuples: scalar "number" of its values, to be read.  Commands on it are
  // commands on the computation.  E0106 where there is none.
  Computation component(std::size_t number, const Where& where = Where::here()) const;

  // Gives a declared computation its value, of its type (E0110).
  Computation& define(const Expr& value, const Where& where = Where::here());
  // Redefines the elements X(element(i)) for all "iterators", after all definitions so far.  An
  // element whose indices are not affine (a scatter) is checked like one that is read; the order of
  // its instances is kept.  Bounds of iterators may be read from arrays, as in where(..).
  Computation update(const Iterators& iterators, const std::vector<Expr>& element,
                     const Expr& value, const Where& where = Where::here());

  // Where "condition" is false the instance does nothing: an update keeps the element as it is, a
  // contribution of a reduction adds nothing.  What is affine in the condition cuts the domain; the
  // rest may read arrays, and stands only on updates and reductions (E0106).  Before the first
  // command.
  Computation& where(const Expr& condition, const Where& where = Where::here());

  // The next command through the handle returned is not checked: what it violates is recorded in
  // the program as waived.  Inside f.together it is checked with the group all the same.
  Computation unchecked() const;

  // ---- layer II: loops ----

  // i -> outer = floor(i / size), inner = i mod size.  Without names the outer loop is still called
  // i, the inner one i_in.  A size is a number, or a Param: one kernel for all sizes from 1 on
  // (the kernel checks it like an assumption), legal only if every size is.  The inner loop of a
  // parametric split has the iterations of i that are in the tile.
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
  Computation& interchange(const Var& i, const Var& j, const Where& where = Where::here());
  // i -> i + amount, of this computation alone; amount may use parameters.
  Computation& shift(const Var& i, const Expr& amount, const Where& where = Where::here());
  // i, j -> a*i + b*j, and the smallest second loop that makes the change unimodular.
  Computation& skew(const Var& i, const Var& j, std::int64_t a, std::int64_t b, const Var& ni,
                    const Var& nj, const Where& where = Where::here());
  Computation& skew(const Var& i, const Var& j, std::int64_t a, std::int64_t b,
                    const Where& where = Where::here());
  // i, j -> a*i + b*j, c*i + d*j with a*d - b*c = 1 or -1.
  Computation& skew(const Var& i, const Var& j, std::int64_t a, std::int64_t b, std::int64_t c,
                    std::int64_t d, const Var& ni, const Var& nj,
                    const Where& where = Where::here());
  // i -> -i.
  Computation& reverse(const Var& i, const Where& where = Where::here());
  Computation& unroll(const Var& i, const Where& where = Where::here());  // the whole loop
  Computation& unroll(const Var& i, std::int64_t factor, const Where& where = Where::here());
  Computation& unroll(const Var& i, std::int64_t factor, const Var& outer, const Var& inner,
                      const Where& where = Where::here());
  Computation& vectorize(const Var& i, const Where& where = Where::here());  // the whole loop
  Computation& vectorize(const Var& i, std::int64_t lanes, const Where& where = Where::here());
  Computation& vectorize(const Var& i, std::int64_t lanes, const Var& outer, const Var& inner,
                         const Where& where = Where::here());
  Computation& parallelize(const Var& i, const Where& where = Where::here());

  // What becomes of the iterations that the border of the domain cuts off a tile, a vector or an
  // unrolled loop.  It is never a question of legality.  Without a choice, code generation makes
  // copies for full tiles, full vectors and the rest, a bounded number of them.
  // Where the loop is whole, a copy of the nest without conditions; one copy for the rest, as guard
  // makes it, or of a vector as mask does.
  Computation& separate(const Var& i, const Where& where = Where::here());
  // One copy: an unrolled loop is unrolled whole, with a condition around each iteration; others
  // have bounds.  Not for a vector loop (E0106).
  Computation& guard(const Var& i, const Where& where = Where::here());
  // One copy of a vector loop (E0106 for others): lanes beyond the border are switched off.
  Computation& mask(const Var& i, const Where& where = Where::here());

  // Each iteration u of "loop", which runs over contributions to one result of this reduction, gets
  // a partial result: a computation "part"(i.., u) with the loops of this one, after which this one
  // adds them up.  Tag the loop of "part" then: part.parallelize(loop), part.vectorize(loop). The
  // algorithm is another one afterwards: floats round differently.
  Computation rfactor(const Var& loop, const std::string& part,
                      const Where& where = Where::here());
  // Contributions to one result may run at the same time: each is one indivisible step.  Floats are
  // added in any order then, which the mode exact refuses (E0504).  The same of an update X(e) =
  // X(e) + r, or with -, *, min, max, ||, &&, &, | or ^ (E0106 for others, and where r reads X): its
  // instances commute, as in h.update({i}, {bin(i)}, h(bin(i)) + 1).atomic().parallelize(i).
  Computation& atomic(const Where& where = Where::here());

  // This runs after "other", sharing other's loops down to and including "loop".
  Computation& after(const Computation& other, const Var& loop, const Where& where = Where::here());
  Computation& after(const Computation& other, Root = root, const Where& where = Where::here());
  Computation& before(const Computation& other, const Var& loop,
                      const Where& where = Where::here());
  Computation& before(const Computation& other, Root = root, const Where& where = Where::here());
  // "next" runs after this; returns next, so that chains read in order.
  Computation& then(Computation& next, const Var& loop, const Where& where = Where::here());
  Computation& then(Computation& next, Root = root, const Where& where = Where::here());
  Computation& between(const Computation& first, const std::optional<Var>& first_loop,
                       const Computation& last, const std::optional<Var>& last_loop,
                       const Where& where = Where::here());
  // The loop i of this and the loop j of "other", beside each other, become one: i.
  Computation& fuse(const Var& i, const Computation& other, const Var& j,
                    const Where& where = Where::here());
  // What stands inside the loop i gets loops of its own.
  Computation& distribute_loop(const Var& i, const Where& where = Where::here());
  Computation& fission(const Var& i, const Where& where = Where::here()) {
    return distribute_loop(i, where);
  }
  // The schedule map in isl's notation: "{ S[i, j] -> [0, j, 0, i, 0] }".
  Computation& set_schedule(const std::string& map, const Where& where = Where::here());
  // Every reader computes the value itself; this computation disappears.
  void set_inline(const Where& where = Where::here());

  // Computed inside "loop" of "reader": each iteration first computes what it reads, whether other
  // iterations compute it too or not, and keeps it in a buffer of its own (unless the buffer holds
  // values of others too).  All readers must be inside (E0107).
  Computation& compute_at(const Computation& reader, const Var& loop,
                          const Where& where = Where::here());
  // The same for readers in several loops: compute_at({{by, j0}, {cz, i0}}).
  Computation& compute_at(const std::vector<std::pair<Computation, Var>>& loops,
                          const Where& where = Where::here());
  // All of it once, before its readers, outside of all loops: undoes a compute_at.
  Computation& compute_at(Root, const Where& where = Where::here());

  // After compute_at: each iteration of "loop" of "reader" computes each value once, where it is
  // needed first, and has one buffer for them (a sliding window, if the loops between are
  // sequential); at root the kernel has.
  Computation& store_at(const Computation& reader, const Var& loop,
                        const Where& where = Where::here());
  Computation& store_at(Root, const Where& where = Where::here());

  // This computation reads "array" through a copy: each iteration of "loop" copies what it reads,
  // into a buffer of its own in "memory".  The copy, with loops named "iterators", is a computation
  // like any other: its store_in packs, its set_size pads.
  Computation cache_at(const Var& loop, const Input& array, const std::string& copy,
                       const Iterators& iterators, Memory memory = Memory::automatic,
                       const Where& where = Where::here());
  Computation cache_at(const Var& loop, const Computation& array, const std::string& copy,
                       const Iterators& iterators, Memory memory = Memory::automatic,
                       const Where& where = Where::here());

  // The values of this computation are made in "made", a computation with its loops and tags, and
  // each iteration of "loop" copies what it has made here, over loops named "iterators".  "made" has
  // a buffer of the iteration in "memory": the accumulator of a reduction, say.  "loop" and those
  // around it are loops over results, not contributions (E0106).
  Computation copy_at(const Var& loop, const std::string& made, const Iterators& iterators,
                      Memory memory = Memory::automatic, const Where& where = Where::here());

  // Each iteration of "loop" begins by asking the memory for what this computation reads of "array"
  // in the iteration "distance" steps later (1 to 999,999,999) of the same execution of the loop:
  // for every 64 bytes, from its first element on, of each row of the box around it.  It is a hint,
  // always legal, and changes no result.  Given last: split and tile hand it to the loop inside a
  // tile.  E0101 where nothing of it is read; E0106, also of a later command that makes it so: where
  // the loop is a vector or unrolled, in a vector, or over tiles of a parametric size; where the
  // buffer of "array" is on the stack, or an iteration of the loop or of one further in has it for
  // itself.  And where no read of it is affine.
  Computation& prefetch(const Var& loop, const Input& array, std::int64_t distance,
                        const Where& where = Where::here());
  Computation& prefetch(const Var& loop, const Computation& array, std::int64_t distance,
                        const Where& where = Where::here());

  // A barrier between the threads inside "loop".  CPUs have none that may wait for each other: it is
  // always refused (E0106), with the command to give in its place.
  Computation& barrier_at(const Var& loop, const Where& where = Where::here());

  // ---- layer III: storage ----

  // Each iteration of "loop" of "computation", and of those around it, has the buffer of this
  // computation's values for itself: a value is read in the iteration that makes it (E0307).  At
  // root there is one buffer, which lives as long as the kernel runs.
  Computation& allocate_at(const Computation& computation, const Var& loop,
                           const Where& where = Where::here());
  Computation& allocate_at(Root, const Where& where = Where::here());
  // Value X(i, ..) lives at [places], affine in X's indices with / and % by constants: {i % 2, j}.
  // In a buffer of its own name, or in one given, of X's type (E0110); without places at [i, ..].
  // No value may be overwritten before it was read last (E0301); where a modulus is too small, the
  // refusal names the smallest that is not.
  Computation& store_in(const std::vector<Expr>& places, const Where& where = Where::here());
  Computation& store_in(const Buffer& buffer, const Where& where = Where::here());
  Computation& store_in(const Buffer& buffer, const std::vector<Expr>& places,
                        const Where& where = Where::here());
  // The same as a relation in isl's notation: "{ X[i, j] -> b[j, i] }".
  Computation& store_in(const std::string& relation, const Where& where = Where::here());
  // Lists in braces are places: {0} is no name.
  Computation& store_in(std::initializer_list<Expr> places, const Where& where = Where::here()) {
    return store_in(std::vector<Expr>(places), where);
  }
  Computation& store_in(const Buffer& buffer, std::initializer_list<Expr> places,
                        const Where& where = Where::here()) {
    return store_in(buffer, std::vector<Expr>(places), where);
  }
  // The extents of the buffer of this computation, over parameters (E0111), from 0; no value lies
  // outside (E0302).  Of a buffer that an iteration has for itself they are constants, and count
  // from the least place it touches: a larger extent pads (E0308 a smaller one, when code is
  // generated).
  Computation& set_size(const std::vector<Expr>& extents, const Where& where = Where::here());
  // On the stack, where constant indices live in registers, or in the heap; not of an argument
  // (E0106).  E0308, when code is generated: on the stack without a constant size.
  Computation& set_memory(Memory memory, const Where& where = Where::here());

 private:
  friend class Function;
  Computation(std::shared_ptr<FunctionState> state, std::string name, std::string array, Type type)
      : state_(std::move(state)), name_(std::move(name)), array_(std::move(array)), type_(type) {}

  friend struct Author;  // dsl/author.h

  Computation added(const std::string& name, Type type, const std::string& command,
                    std::vector<CommandOperand> operands, Memory memory, const Where& where);

  std::shared_ptr<FunctionState> state_;
  std::string name_, array_;
  Type type_;
  bool unchecked_ = false;
};

struct CodegenOptions {
  std::string target = "host";  // this machine's CPU, or the text of a Halide target
  Floats floats = Floats::fast;
  std::string header;    // path of the C header; empty: the object's path with .h
  std::string assembly;  // path, or empty for none
  bool print_notes = true;  // Function::notes(), to stderr, once
};

// A kernel in this process.
class JitFunction {
 public:
  // Parameters in order of declaration, then buffers in the order given to jit().  An Array of
  // strata/buffer.h, or any halide_buffer_t*, is a buffer.
  // 0, or a negative code of strata/runtime.h (strata_last_error() has the message).  E0106 where
  // jit() did not make it.
  int operator()(const std::vector<std::int64_t>& parameters,
                 const std::vector<halide_buffer_t*>& buffers,
                 const Where& where = Where::here()) const;

 private:
  friend class Function;
  std::shared_ptr<const void> kernel_;
};

class Function {
 public:
  // The name is that of the kernel, a C identifier (E0105); names of parameters, inputs and
  // computations are identifiers too, each used once in a function (E0104).
  explicit Function(const std::string& name, const Where& where = Where::here());

  Param param(const std::string& name, const Where& where = Where::here());
  // A parameter that is no argument: the kernel reads it from "element" of an input of integers, at
  // indices over the parameters before it.
  Param param(const std::string& name, const Expr& element, const Where& where = Where::here());
  // Elements 0 .. extent - 1 in each dimension; extents are affine in the parameters (E0111).
  Input input(const std::string& name, Type type, const std::vector<Expr>& extents,
              const Where& where = Where::here());

  // S(i, ..) = value for all iterators, of the value's type.  Iterators without a range are
  // inferred from the readers.  What the value reads must be there (E0113, with an instance that is
  // not), and be made before it in the order of definition (E0206).  The range of a reduced iterator
  // may hang on data, sum(Var("k", rows(i), rows(i + 1)), val(k) * x(col(k))): it is cut to the k
  // for which the affine reads, val(k), stay inside (E0112 where none bounds it).
  Computation computation(const std::string& name, const Iterators& iterators, const Expr& value,
                          const Where& where = Where::here());
  Computation computation(const std::string& name, const Domain& domain, const Expr& value,
                          const Where& where = Where::here());
  // Values of several scalars (core/expr/tuple.h), one name for each: names[0] is the computation's, and
  // its handle reads the first scalar.  Each has a buffer of its own name, at the places that
  // store_in gives the first.
  Computation computation(const std::vector<std::string>& names, const Iterators& iterators,
                          const Tuple& values, const Where& where = Where::here());
  Computation computation(const std::vector<std::string>& names, const Domain& domain,
                          const Tuple& values, const Where& where = Where::here());
  // A computation whose value is given later (define), so that it can be read before, by itself
  // too: x.define(b(i) - sum(j, L(i, j) * x(j))).  A reduction inside such a value becomes a
  // computation of its own, x_sum, in the loops of x; to schedule it, declare both in f.loop.
  Computation declare(const std::string& name, const Iterators& iterators, Type type,
                      const Where& where = Where::here());
  Computation declare(const std::string& name, const Domain& domain, Type type,
                      const Where& where = Where::here());
  Buffer buffer(const std::string& name) const;
  // A buffer with extents of its own, affine in the parameters (E0111), for store_in: what is
  // stored there lies inside (E0302), and an argument of the kernel has them at least.
  Buffer buffer(const std::string& name, Type type, const std::vector<Expr>& extents,
                const Where& where = Where::here());

  // Definitions inside "body" share the loop k, in the order they are written.
  void loop(const Var& k, const std::function<void()>& body);
  // The commands inside "body" are checked once, at its end; if that is refused, all are undone.
  void together(const std::function<void()>& body, const Where& where = Where::here());
  // Adds to what is known of the parameters, an affine condition (E0111); the kernel checks it at
  // entry.
  void assume(const Expr& condition, const Where& where = Where::here());
  // How many operations of the integer set library the proof of one command, or the generation of
  // loops, may take before it is refused (E0901): 2 * 10^7 at first, ten times what the hardest
  // benchmark needs; from 2 * 10^5 to 10^7 of them take a second.
  void set_budget(std::int64_t operations, const Where& where = Where::here());
  // How much code a kernel may be, after unrolling, before it is refused (E0903), in operations on
  // registers (docs/benchmarks.md): 25,000 at first, which compile within about 8 s.
  void set_code_limit(std::int64_t size, const Where& where = Where::here());

  // Writes an object file and a C header with
  //     int NAME(int64_t parameter.., struct halide_buffer_t* buffer..);
  // parameters in order of declaration, buffers in the order of "arguments": every input, and every
  // computation's buffer that is an output.  It returns 0 or a negative code (strata/runtime.h).
  // Returns the CPU seconds of each stage (core/stage.h).
  // Errors: E0115, E0116 the arguments; E0112 a domain without bounds; E0204, E0304 an output that
  // is not computed or not kept; E0501 the target; E0503 the files; E0504 a reduction of floats in
  // another order, in the mode exact.
  StageTimes codegen(const std::vector<Buffer>& arguments, const std::string& object,
                     const CodegenOptions& options = {}, const Where& where = Where::here());
  // The same in this process, for this CPU.
  JitFunction jit(const std::vector<Buffer>& arguments, const CodegenOptions& options = {},
                  StageTimes* times = nullptr, const Where& where = Where::here());

  // The program, its layers I to III, in a text that parses back; layer IV, which follows from them:
  // what is allocated, copied and freed, and when; and its loops, in a C-like text.
  std::string text() const;
  std::string communication(const std::vector<Buffer>& arguments,
                            const Where& where = Where::here()) const;
  std::string loops(const std::vector<Buffer>& arguments, const Where& where = Where::here()) const;

  const std::string& name() const;
  const Program& program() const;
  // What is defined, and may not be what its author meant: sums and products of integers below 32 bits
  // that wrap before they are divided, compared or made wider.  A text for each definition with such,
  // with the cast to write; codegen and jit print them once, before the first kernel.
  const std::vector<std::string>& notes() const;
  // The commands given so far, as they were written; nothing is decided by them.
  const std::vector<std::string>& history() const;
  // Gives commands written as history() has them ("split(S.i, 4)", "unchecked reverse(S.i)",
  // "together { .. }": schedule/table/command_text.h), one after the other, or none of them.  A history,
  // replayed on a function with the same definitions, makes the same program.  Refusals name the
  // line; E0108 where a line is not a command.
  void replay(const std::string& commands, const Where& where = Where::here());
  // The history in C++, for handles that are named as their computations are.
  std::string history_source() const;
  // The program before its first command; what was defined after that is not in it.
  const Program& unscheduled() const;

 private:
  std::shared_ptr<FunctionState> state_;
};

}  // namespace strata
