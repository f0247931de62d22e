// Computations, and the commands that schedule them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/expr/expr.h"
#include "core/expr/tile_size.h"
#include "core/type.h"
#include "layers/memory.h"
#include "strata/input.h"
#include "strata/kernel_buffer.h"
#include "strata/partition.h"

namespace strata {

struct FunctionState;
class CommandOperand;

// The iterators of a definition or copy: {i, j}, or just i.
struct Iterators : std::vector<Var> {
  Iterators(const Var& one) : vector{one} {}
  Iterators(std::initializer_list<Var> list) : vector(list) {}
  Iterators(std::vector<Var> list) : vector(std::move(list)) {}
};

// For commands that order computations: side by side at the top level, sharing no loop.
struct Root {};
inline constexpr Root root{};

// One definition of an array of values, and the loops that run it.
//
// Commands name loops by Var: v means the loop named v.name() around this computation; a string
// works, too: out.vectorize("i", 8).
// Errors common to all commands: E0102 no such loop (the message lists the existing ones), E0103
// the name means several loops, E0104 and E0105 a new name is taken or is not an identifier, E0107
// a loop is shared with a computation that does not have the other loops; and the errors for an
// illegal result, E0201 to E0207, E0301 to E0303, E0305 and E0307, with a witness. Errors specific
// to a command are documented in its header, schedule/commands/NAME.h.
class Computation {
 public:
  // X(i, j): the value at these indices, for use in expressions.
  template <typename... Index>
  Expr operator()(const Index&... index) const {
    return access(array_, type_, {Expr(index)...}, owner());
  }
  operator Expr() const { return access(array_, type_, {}, owner()); }
  // All values, as an argument of call(..). The called function finds them by their indices,
  // wherever they are stored. codegen refuses places that are not linear in the indices (E0502).
  Expr array() const { return array_argument(array_, type_, owner()); }

  const std::string& name() const { return name_; }
  Type type() const { return type_; }
  const Owner& owner() const;
  Buffer buffer() const;  // where its values are stored
  // For a computation of tuples: a handle for reading scalar "number" of its values. Commands on
  // it apply to the computation. E0106 if there is no such scalar.
  Computation component(std::size_t number, const Where& where = Where::here()) const;

  // A piece of a computation that set_schedule, compute_at or peel has put in several places:
  // commands on loops and on order change this piece alone.  f.text() and E0103 list the names.
  Computation piece(const std::string& name) const;

  // Defines the value of a declared computation; it must have the declared type (E0110).
  Computation& define(const Expr& value, const Where& where = Where::here());
  // Redefines the elements X(element(i)) for all "iterators", after all definitions so far. An
  // element with non-affine indices (a scatter) is checked like a read of it; the order of the
  // instances is kept. Bounds of iterators may be read from arrays, as in where(..).
  Computation update(const Iterators& iterators, const std::vector<Expr>& element,
                     const Expr& value, const Where& where = Where::here());

  // Where "condition" is false the instance does nothing: an update keeps the element as it is, a
  // contribution of a reduction adds nothing. The affine part of the condition cuts the domain;
  // the rest may read arrays, and is allowed only on updates and reductions (E0106). Must precede
  // the first command.
  Computation& where(const Expr& condition, const Where& where = Where::here());

  // The next command through the returned handle is not checked: the program records its violations
  // as waived. Inside f.together the check of the group still covers it.
  Computation unchecked() const;

  // ---- layer II: loops ----

  // i -> outer = floor(i / size), inner = i mod size. Without names the outer loop is still called
  // i, the inner one i_in. A size is a number or a Param. With a Param, one kernel works for all
  // sizes from 1 on, which it checks at entry like an assumption. Then the split is legal only if
  // it is legal for every size, and the inner loop has the iterations of i that are in the tile.
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
  // loop nest of their own before (after) the others, named i_head (i_tail). Each computation
  // inside gets two pieces, "head" ("tail") and "rest"; "name" replaces head in all these names.
  Computation& peel(const Var& i, std::int64_t n, const Where& where = Where::here());
  Computation& peel(const Var& i, std::int64_t n, const std::string& name,
                    const Where& where = Where::here());
  // Exchanges two loops, adjacent or not, with only loops between them.
  Computation& interchange(const Var& i, const Var& j, const Where& where = Where::here());
  // Puts loops of one chain of nested loops into this order, from the outside to the inside.
  Computation& reorder(const std::vector<Var>& loops, const Where& where = Where::here());
  // Two adjacent loops become one loop with n_i * n_j iterations in the same order, named i or
  // "name". The bounds of j are constants, and both have the same tags (E0106).
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
  // i_unroll or i_lane if no names are given. The number of iterations of a tagged loop must have
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

  // How partial tiles, vectors and unrolled bodies at the domain boundary are executed. The choice
  // never affects legality. By default, code generation makes a bounded number of copies for full
  // tiles, full vectors and the rest.
  // separate: an unconditional copy of the nest for full iterations of the loop, and one copy for
  // the rest, executed as by guard, or for a vector loop as by mask.
  Computation& separate(const Var& i, const Where& where = Where::here());
  // One copy: an unrolled loop is fully unrolled, with a guard around each iteration; other loops
  // get exact bounds. Not for a vector loop (E0106).
  Computation& guard(const Var& i, const Where& where = Where::here());
  // One copy of a vector loop (E0106 for others): lanes beyond the boundary are masked off.
  Computation& mask(const Var& i, const Where& where = Where::here());

  // Each iteration u of "loop", which runs over contributions to one result of this reduction, gets
  // a partial result: a computation "part"(i.., u) with the loops of this one; this computation
  // then sums the partial results. Tag the loop of "part" next: part.parallelize(loop),
  // part.vectorize(loop). This changes the algorithm: floats round differently.
  Computation rfactor(const Var& loop, const std::string& part, const Where& where = Where::here());
  // Contributions to one result may run at the same time: each is one indivisible step. Floats are
  // then added in any order, which the mode exact refuses (E0504). The command also works for an
  // update X(e) = X(e) + r, or with -, *, min, max, ||, &&, &, | or ^ in place of +, since its
  // instances commute: h.update({i}, {bin(i)}, h(bin(i)) + 1).atomic().parallelize(i). E0106 for
  // any other update, and if r reads X.
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
  // This runs after "first" and before "last". It shares the loops of each, down to and including
  // the loop named (std::nullopt: no loop). E0106 if there is no such place.
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
  // The schedule map in isl's notation: "{ S[i, j] -> [0, j, 0, i, 0] }". Pieces are named by the
  // tuple that they map to: "{ S[i] -> head[0, i] : i < 8; S[i] -> rest[1, i] : i >= 8 }".
  Computation& set_schedule(const std::string& map, const Where& where = Where::here());
  // Each reader computes the value itself; this computation disappears.
  void set_inline(const Where& where = Where::here());

  // Computed inside "loop" of "reader": each iteration first computes the values that it reads,
  // even if other iterations compute them too. It keeps them in a buffer of its own, unless the
  // buffer also holds values of other arrays. All readers must be inside (E0107).
  Computation& compute_at(const Computation& reader, const Var& loop,
                          const Where& where = Where::here());
  // The same for readers in several loops: compute_at({{by, j0}, {cz, i0}}).
  Computation& compute_at(const std::vector<std::pair<Computation, Var>>& loops,
                          const Where& where = Where::here());
  // Computed once, before its readers, outside all loops: undoes compute_at.
  Computation& compute_at(Root, const Where& where = Where::here());

  // After compute_at: each iteration of "loop" of "reader" computes each value once, where it is
  // first needed, and has one buffer for all of them (a sliding window, if the loops between are
  // sequential). At root the kernel has one buffer.
  Computation& store_at(const Computation& reader, const Var& loop,
                        const Where& where = Where::here());
  Computation& store_at(Root, const Where& where = Where::here());

  // This computation reads "array" through a copy: each iteration of "loop" copies what it reads
  // into a private buffer in "memory". The copy, with loops named "iterators" (for an update's own
  // array its outer loops first), is an ordinary computation: store_in packs, set_size pads.
  Computation cache_at(const Var& loop, const Input& array, const std::string& copy,
                       const Iterators& iterators, Memory memory = Memory::automatic,
                       const Where& where = Where::here());
  Computation cache_at(const Var& loop, const Computation& array, const std::string& copy,
                       const Iterators& iterators, Memory memory = Memory::automatic,
                       const Where& where = Where::here());

  // A new computation "made" computes the values of this one, with its loops and tags. Each
  // iteration of "loop" then copies its results here, over loops named "iterators". "made" has a
  // buffer of its own for each iteration, in "memory": the accumulator of a reduction, for example.
  // "loop" and the loops around it must run over results, not contributions (E0106).
  Computation copy_at(const Var& loop, const std::string& made, const Iterators& iterators,
                      Memory memory = Memory::automatic, const Where& where = Where::here());

  // Each iteration of "loop" first prefetches what this computation will read of "array" "distance"
  // steps later (1 to 999,999,999) in the same execution of the loop. It makes one prefetch per 64
  // bytes of each row of the bounding box of these reads, from the row's first element on. A
  // prefetch is a hint: it is always legal, and changes no result. Give it last: split and tile
  // move it to the loop inside a tile. E0101 if this computation reads nothing of "array". E0106,
  // here or at the later command that causes it, if the loop is a vector or unrolled loop, is
  // inside a vector loop, or runs over tiles of a parametric size; if the buffer of "array" is on
  // the stack, or private to an iteration of this loop or of a loop inside it; or if no read of it
  // is affine.
  Computation& prefetch(const Var& loop, const Input& array, std::int64_t distance,
                        const Where& where = Where::here());
  Computation& prefetch(const Var& loop, const Computation& array, std::int64_t distance,
                        const Where& where = Where::here());

  // The threads of a GPU's block wait for each other at the end of each iteration of "loop", which
  // must be between blocks and threads. Never needed. Elsewhere the command is refused (E0106), and
  // the message names the command to use instead.
  Computation& barrier_at(const Var& loop, const Where& where = Where::here());

  // ---- layer III: storage ----

  // Each iteration of "loop" of "computation" (and of the loops around it) has a private buffer for
  // this computation's values: a value must be read in the iteration that computes it (E0307). At
  // root there is one buffer, live for the whole kernel.
  Computation& allocate_at(const Computation& computation, const Var& loop,
                           const Where& where = Where::here());
  Computation& allocate_at(Root, const Where& where = Where::here());
  // Stores value X(i, ..) at [places], by default [i, ..]; they are affine in X's indices with /
  // and % by constants: {i % 2, j}. The buffer is the one given, which must have X's type (E0110),
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
  // The extents of this computation's buffer, over parameters (E0111), from 0. All values must be
  // inside (E0302). For a buffer private to an iteration the extents are constants, and count from
  // the least place that the iteration accesses. Larger extents pad; code generation refuses
  // smaller ones (E0308).
  Computation& set_size(const std::vector<Expr>& extents, const Where& where = Where::here());
  // Puts the buffer on the stack, where elements at constant indices live in registers, or on the
  // heap. Not for an argument (E0106). Code generation refuses a buffer on the stack without a
  // constant size (E0308). buffer().set_memory(..) is the same, and also for inputs.
  Computation& set_memory(Memory memory, const Where& where = Where::here());

  // ---- GPUs: loops of a launch ----
  // E0106 if the loops of a launch do not nest as layers/verify/verify_launches.h says.

  // One to three loops become the blocks of a launch, or the threads of a block. The last loop
  // named is axis x, on which adjacent threads should use adjacent memory. Threads need a constant
  // bound on the number of iterations (E0106). Sequential loops may stand outside the blocks (a
  // launch for each step), between blocks and threads (all threads of a block pass them together,
  // with the barriers that they need), and inside the threads.
  Computation& gpu_blocks(const Var& i, const Where& where = Where::here());
  Computation& gpu_blocks(const Var& i, const Var& j, const Where& where = Where::here());
  Computation& gpu_blocks(const Var& i, const Var& j, const Var& k,
                          const Where& where = Where::here());
  Computation& gpu_threads(const Var& i, const Where& where = Where::here());
  Computation& gpu_threads(const Var& i, const Var& j, const Where& where = Where::here());
  Computation& gpu_threads(const Var& i, const Var& j, const Var& k,
                           const Where& where = Where::here());
  // The first half of the loops are blocks, the second threads.
  Computation& gpu(const Var& i0, const Var& i1, const Where& where = Where::here());
  Computation& gpu(const Var& i0, const Var& j0, const Var& i1, const Var& j1,
                   const Where& where = Where::here());
  Computation& gpu(const Var& i0, const Var& j0, const Var& k0, const Var& i1, const Var& j1,
                   const Var& k1, const Where& where = Where::here());
  // tile (split for one loop), then gpu.  tile_gpu is another name for it.
  Computation& gpu_tile(const Var& i, std::int64_t si, const Var& i0, const Var& i1,
                        const Where& where = Where::here());
  Computation& gpu_tile(const Var& i, std::int64_t si, const Where& where = Where::here());
  Computation& gpu_tile(const Var& i, const Var& j, std::int64_t si, std::int64_t sj, const Var& i0,
                        const Var& j0, const Var& i1, const Var& j1,
                        const Where& where = Where::here());
  Computation& gpu_tile(const Var& i, const Var& j, std::int64_t si, std::int64_t sj,
                        const Where& where = Where::here());
  Computation& gpu_tile(const Var& i, const Var& j, const Var& k, std::int64_t si, std::int64_t sj,
                        std::int64_t sk, const Var& i0, const Var& j0, const Var& k0, const Var& i1,
                        const Var& j1, const Var& k1, const Where& where = Where::here());
  Computation& gpu_tile(const Var& i, const Var& j, const Var& k, std::int64_t si, std::int64_t sj,
                        std::int64_t sk, const Where& where = Where::here());
  Computation& tile_gpu(const Var& i, std::int64_t si, const Var& i0, const Var& i1,
                        const Where& where = Where::here());
  Computation& tile_gpu(const Var& i, std::int64_t si, const Where& where = Where::here());
  Computation& tile_gpu(const Var& i, const Var& j, std::int64_t si, std::int64_t sj, const Var& i0,
                        const Var& j0, const Var& i1, const Var& j1,
                        const Where& where = Where::here());
  Computation& tile_gpu(const Var& i, const Var& j, std::int64_t si, std::int64_t sj,
                        const Where& where = Where::here());
  Computation& tile_gpu(const Var& i, const Var& j, const Var& k, std::int64_t si, std::int64_t sj,
                        std::int64_t sk, const Var& i0, const Var& j0, const Var& k0, const Var& i1,
                        const Var& j1, const Var& k1, const Where& where = Where::here());
  Computation& tile_gpu(const Var& i, const Var& j, const Var& k, std::int64_t si, std::int64_t sj,
                        std::int64_t sk, const Where& where = Where::here());
  // Asks for this many blocks on a multiprocessor at a time, which bounds the registers of a thread
  // (__launch_bounds__ in CUDA). It is a hint. E0106 if i is not a block loop.
  Computation& min_blocks(const Var& i, std::int64_t blocks, const Where& where = Where::here());

  // ---- GPUs: memory of blocks and threads (docs/gpu.md) ----

  // Deals the iterations of neighbouring loops of this computation out to all threads of the block.
  // The loops are inside the block and outside of its threads. Neighbouring threads run
  // neighbouring iterations of the loop named last. The new loops are step, and thread_z, thread_y
  // and thread_x as far as the block has them. E0106 if the loops are not sequential neighbours,
  // are outside of any block or inside its threads, or have no box of constant size around their
  // iterations.
  Computation& deal(const std::vector<Var>& loops, const Where& where = Where::here());
  // Each iteration of "loop" first copies what this computation reads of "array" to the shared
  // memory of its block, all threads together (cache_at, then deal of the copy), or to memory of
  // each thread (cache_at). The copy is a computation: store_in packs it, set_size pads it.
  Computation cache_shared_at(const Var& loop, const Input& array, const std::string& copy,
                              const std::vector<Var>& iterators,
                              const Where& where = Where::here());
  Computation cache_shared_at(const Var& loop, const Computation& array, const std::string& copy,
                              const std::vector<Var>& iterators,
                              const Where& where = Where::here());
  Computation cache_local_at(const Var& loop, const Input& array, const std::string& copy,
                             const std::vector<Var>& iterators, const Where& where = Where::here());
  Computation cache_local_at(const Var& loop, const Computation& array, const std::string& copy,
                             const std::vector<Var>& iterators, const Where& where = Where::here());
  // This computation is computed in the loop of a reader (compute_at), in shared memory by all
  // threads of the block together (deal of its loops), or in memory of each thread.
  Computation& cache_shared_at(const Computation& reader, const Var& loop,
                               const Where& where = Where::here());
  Computation& cache_local_at(const Computation& reader, const Var& loop,
                              const Where& where = Where::here());
  // Another name for cache_shared_at with a reader.
  Computation& cache_shared(const Computation& reader, const Var& loop,
                            const Where& where = Where::here());
  // "reader" reads this computation through a copy in "memory" that each iteration of "loop" makes,
  // in shared memory by all threads of the block together. The copy's name is that of this
  // computation and of the memory, "s_shared".
  Computation copy_at(const Computation& reader, const Var& loop, Memory memory,
                      const Where& where = Where::here());
  // This copy from global to shared memory is asynchronous (cp.async): its threads go on at once,
  // and wait for it before the barrier in front of its first reader or, where no barrier is
  // between, just before that reader. It is an ordinary copy where the device has no asynchronous
  // ones, or the elements do not fit them. E0106 if this computation is not a copy from global to
  // shared memory.
  Computation& async(const Where& where = Where::here());
  // This sum of products of float32 is a product of matrices on tensor cores, of shape "tf32" (its
  // float32 operands are rounded to 10 bits of fraction), "bf16" or "f16". E0106 unless its loops
  // are those of R215: layers/verify/verify_products.h. Ordinary loops run in partial tiles and
  // where the device has no tensor cores.
  Computation& mma(const std::string& shape, const Where& where = Where::here());
  // These are set_memory of this computation's buffer. For an input, write
  // in.buffer().tag_gpu_constant().
  Computation& tag_gpu_global(const Where& where = Where::here());
  Computation& tag_gpu_shared(const Where& where = Where::here());
  Computation& tag_gpu_local(const Where& where = Where::here());

  // f.host_to_device(*this) and f.device_to_host(*this).
  Computation& host_to_device(const Where& where = Where::here());
  Computation& host_to_device(const Computation& reader, const Var& loop,
                              const Where& where = Where::here());
  Computation& device_to_host(const Where& where = Where::here());
  Computation& device_to_host(const Computation& reader, const Var& loop,
                              const Where& where = Where::here());

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

}  // namespace strata
