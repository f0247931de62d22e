// Strata for authors: what to compute, and apart from it, how.
//
//   #include <strata/strata.h>
//
// A Function holds computations over iteration domains; scheduling commands on a Computation
// transform when, where and in what memory its instances run.  Every command is proved legal when
// it is given, or throws strata::Error (core/error.h) with a counter-example and changes nothing.
// Handles are cheap to copy and share their Function.  Functions are independent of each other:
// one thread may build one function while another thread builds another.
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
#include "core/expr.h"
#include "core/type.h"

struct halide_buffer_t;

namespace strata {

struct FunctionState;
struct Program;
class Function;

// A set of instances in isl's notation: Domain("[N] -> { S[i, j] : 0 <= i <= j < N }").
// Iterators are named by its dimensions, parameters must be declared on the function.
struct Domain {
  explicit Domain(std::string text) : text(std::move(text)) {}
  std::string text;
};

// Memory that values are stored in: an argument of the kernel, or temporary.
class Buffer {
 public:
  explicit Buffer(std::string name) : name_(std::move(name)) {}
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

// Where commands that order computations put them side by side, sharing no loop.
struct Root {};
inline constexpr Root root{};

// Data that the kernel is given.  in(i, j) reads an element.
class Input {
 public:
  template <typename... Index>
  Expr operator()(const Index&... index) const {
    return access(name_, type_, {Expr(index)...});
  }
  operator Expr() const { return access(name_, type_, {}); }
  Buffer buffer() const { return Buffer(name_); }
  const std::string& name() const { return name_; }

 private:
  friend class Function;
  Input(std::string name, Type type) : name_(std::move(name)), type_(type) {}
  std::string name_;
  Type type_;
};

// One definition of an array of values, and the loops that run it.
//
// Commands name loops by Var: v stands for the loop called v.name() around this computation.
// Errors common to all commands: E0102 no such loop (the refusal lists those there are), E0103 the
// name means several loops, E0104 and E0105 a new name is taken or is no identifier, E0107 a loop
// is shared with a computation that the other loops do not have; and the refusals of an illegal
// result, E0201 to E0207 and E0301 to E0305, with a witness.
class Computation {
 public:
  // X(i, j): the value, for use in expressions.
  template <typename... Index>
  Expr operator()(const Index&... index) const {
    return access(array_, type_, {Expr(index)...});
  }
  operator Expr() const { return access(array_, type_, {}); }

  const std::string& name() const { return name_; }
  Type type() const { return type_; }
  Buffer buffer() const;  // where its values are stored

  // Gives a declared computation its value.
  Computation& define(const Expr& value, const Where& where = Where::here());
  // Redefines the elements X(element(i)) for all "iterators", after all definitions so far.
  Computation update(const std::vector<Var>& iterators, const std::vector<Expr>& element,
                     const Expr& value, const Where& where = Where::here());

  // The next command through the handle returned is not checked: what it violates is recorded in
  // the program as waived.
  Computation unchecked() const;

  // ---- layer II: loops ----

  // i -> outer = floor(i / size), inner = i mod size.
  Computation& split(const Var& i, std::int64_t size, const Var& outer, const Var& inner,
                     const Where& where = Where::here());
  Computation& split(const Var& i, std::int64_t size, const Where& where = Where::here());
  // i, j -> i0, j0, i1, j1: tiles of si x sj.
  Computation& tile(const Var& i, const Var& j, std::int64_t si, std::int64_t sj, const Var& i0,
                    const Var& j0, const Var& i1, const Var& j1,
                    const Where& where = Where::here());
  Computation& tile(const Var& i, const Var& j, std::int64_t si, std::int64_t sj,
                    const Where& where = Where::here());
  Computation& tile(const Var& i, const Var& j, const Var& k, std::int64_t si, std::int64_t sj,
                    std::int64_t sk, const Var& i0, const Var& j0, const Var& k0, const Var& i1,
                    const Var& j1, const Var& k1, const Where& where = Where::here());
  Computation& tile(const Var& i, const Var& j, const Var& k, std::int64_t si, std::int64_t sj,
                    std::int64_t sk, const Where& where = Where::here());
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

  // Computed inside "loop" of "reader", in each iteration what that iteration reads, in a buffer of
  // the iteration's own if no store_in says otherwise.  All readers must be inside.
  Computation& compute_at(const Computation& reader, const Var& loop,
                          const Where& where = Where::here());
  // The same for readers in several loops: compute_at({{by, j0}, {cz, i0}}).
  Computation& compute_at(const std::vector<std::pair<Computation, Var>>& loops,
                          const Where& where = Where::here());

  // ---- layer III: storage ----

  // Each iteration of "loop" of "computation", and of those around it, has the buffer of this
  // computation's values for itself.  At root it lives as long as the kernel runs.
  Computation& allocate_at(const Computation& computation, const Var& loop,
                           const Where& where = Where::here());
  Computation& allocate_at(Root, const Where& where = Where::here());
  // Value X(i, ..) lives at [places]; in a buffer of its own name, or in one given.
  Computation& store_in(const std::vector<Expr>& places, const Where& where = Where::here());
  Computation& store_in(const Buffer& buffer, const Where& where = Where::here());
  Computation& store_in(const Buffer& buffer, const std::vector<Expr>& places,
                        const Where& where = Where::here());
  // Lists in braces are places: {0} is no name.
  Computation& store_in(std::initializer_list<Expr> places, const Where& where = Where::here()) {
    return store_in(std::vector<Expr>(places), where);
  }
  Computation& store_in(const Buffer& buffer, std::initializer_list<Expr> places,
                        const Where& where = Where::here()) {
    return store_in(buffer, std::vector<Expr>(places), where);
  }

 private:
  friend class Function;
  Computation(std::shared_ptr<FunctionState> state, std::string name, std::string array, Type type)
      : state_(std::move(state)), name_(std::move(name)), array_(std::move(array)), type_(type) {}

  friend struct Author;  // dsl/author.h

  std::shared_ptr<FunctionState> state_;
  std::string name_, array_;
  Type type_;
  bool unchecked_ = false;
};

// How floats are computed: fast may use fused multiply-add and reassociates declared reductions
// where their loops do; exact does neither, and is bit for bit the naive evaluation.
enum class Floats { fast, exact };

struct CodegenOptions {
  std::string target = "host";  // this machine's CPU, or the text of a Halide target
  Floats floats = Floats::fast;
  std::string header;    // path of the C header; empty: the object's path with .h
  std::string assembly;  // path, or empty for none
};

// Seconds that each stage of code generation took.
struct StageSeconds {
  double legality = 0, ast = 0, halide = 0;
};

// A kernel in this process.
class JitFunction {
 public:
  // Scalars in order of declaration, then buffers in the order given to jit().
  // 0, or a negative code of strata/runtime.h (strata_last_error() has the message).
  int operator()(const std::vector<std::int64_t>& parameters,
                 const std::vector<halide_buffer_t*>& buffers) const;

 private:
  friend class Function;
  std::shared_ptr<const void> kernel_;
};

class Function {
 public:
  explicit Function(const std::string& name, const Where& where = Where::here());

  Param param(const std::string& name, const Where& where = Where::here());
  Input input(const std::string& name, Type type, const std::vector<Expr>& extents,
              const Where& where = Where::here());

  // S(i, ..) = value for all iterators.  Iterators without a range are inferred from the readers.
  Computation computation(const std::string& name, const std::vector<Var>& iterators,
                          const Expr& value, const Where& where = Where::here());
  Computation computation(const std::string& name, const Domain& domain, const Expr& value,
                          const Where& where = Where::here());
  // A computation whose value is given later (define), so that it can be read before, by itself
  // too.
  Computation declare(const std::string& name, const std::vector<Var>& iterators, Type type,
                      const Where& where = Where::here());
  Computation declare(const std::string& name, const Domain& domain, Type type,
                      const Where& where = Where::here());
  Buffer buffer(const std::string& name) const { return Buffer(name); }

  // Definitions inside "body" share the loop k, in the order they are written.
  void loop(const Var& k, const std::function<void()>& body);
  // The commands inside "body" are checked once, at its end; if that is refused, all are undone.
  void together(const std::function<void()>& body, const Where& where = Where::here());
  // Adds to what is known of the parameters; the kernel checks it at entry.
  void assume(const Expr& condition, const Where& where = Where::here());

  // Writes an object file and a C header with
  //     int NAME(int64_t parameter.., struct halide_buffer_t* buffer..);
  // Arguments that the program writes are its outputs.  Returns where the time went.
  StageSeconds codegen(const std::vector<Buffer>& arguments, const std::string& object,
                       const CodegenOptions& options = {}, const Where& where = Where::here());
  // The same in this process, for this CPU.
  JitFunction jit(const std::vector<Buffer>& arguments, const CodegenOptions& options = {},
                  StageSeconds* seconds = nullptr, const Where& where = Where::here());

  // The program layer by layer, in a text that parses back; and its loops, in a C-like text.
  std::string text() const;
  std::string loops(const std::vector<Buffer>& arguments, const Where& where = Where::here()) const;

  const std::string& name() const;
  const Program& program() const;
  // The commands given so far, as they were written.
  const std::vector<std::string>& history() const;

 private:
  std::shared_ptr<FunctionState> state_;
};

}  // namespace strata
