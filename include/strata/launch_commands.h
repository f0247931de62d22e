// Commands on the loops of a GPU: a part of Computation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/expr/expr.h"
#include "layers/memory.h"

namespace strata {

class Computation;
class Input;

// The base of Computation; the errors are those of its other commands on loops, and E0106 if the
// loops of a launch do not nest as layers/verify/verify_launches.h says.
class LaunchCommands {
 public:
  // One to three loops become the blocks of a launch, or the threads of a block; the last one named
  // is axis x, neighbouring threads in memory order.  Threads need a constant bound on the number
  // of iterations (E0106).  Sequential loops may stand outside the blocks (a launch for each step),
  // between blocks and threads (all threads of a block pass them together, with the barriers that
  // they need), and inside the threads.
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
  // Asks for so many blocks on a multiprocessor at a time, which bounds the registers of a thread
  // (__launch_bounds__ in CUDA).  A hint; E0106 if i is no block loop.
  Computation& min_blocks(const Var& i, std::int64_t blocks, const Where& where = Where::here());

  // ---- memory of blocks and threads (docs/gpu.md) ----

  // Deals the iterations of neighbouring loops of this computation, inside a block and outside of
  // its threads, out to all threads of the block: neighbouring threads run neighbouring iterations
  // of the loop named last.  The new loops are thread_z, thread_y, thread_x, as far as the block
  // has them, and step.  E0106 if the loops are not sequential neighbours, are in no block or
  // inside its threads, or have no box of constant size around their iterations.
  Computation& deal(const std::vector<Var>& loops, const Where& where = Where::here());
  // Each iteration of "loop" first copies what this computation reads of "array" to the shared
  // memory of its block, all threads together (cache_at, then deal of the copy), or to memory of
  // each thread (cache_at).  The copy is a computation: store_in packs it, set_size pads it.
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
  // in shared memory by all threads of the block together.  The copy's name is that of this
  // computation and of the memory, "s_shared".
  Computation copy_at(const Computation& reader, const Var& loop, Memory memory,
                      const Where& where = Where::here());
  // This copy from global to shared memory is asynchronous (cp.async): its threads go on at once,
  // and wait for it before the barrier in front of its first reader or, where no barrier is
  // between, just before that reader.  An ordinary copy where the device has none, or the elements
  // do not fit.  E0106 if this is no such copy.
  Computation& async(const Where& where = Where::here());
  // This sum of products of float32 is a product of matrices on tensor cores, of shape "tf32" (its
  // float32 operands are rounded to 10 bits of fraction), "bf16" or "f16".  E0106 unless its loops
  // are those of R215: layers/verify/verify_products.h.  Ordinary loops run in partial tiles and
  // where the device has no tensor cores.
  Computation& mma(const std::string& shape, const Where& where = Where::here());
  // set_memory of this computation's buffer.  in.buffer().tag_gpu_constant() is that of an input.
  Computation& tag_gpu_global(const Where& where = Where::here());
  Computation& tag_gpu_shared(const Where& where = Where::here());
  Computation& tag_gpu_local(const Where& where = Where::here());

  // f.host_to_device(*this) and f.device_to_host(*this) (strata/device_commands.h).
  Computation& host_to_device(const Where& where = Where::here());
  Computation& host_to_device(const Computation& reader, const Var& loop,
                              const Where& where = Where::here());
  Computation& device_to_host(const Where& where = Where::here());
  Computation& device_to_host(const Computation& reader, const Var& loop,
                              const Where& where = Where::here());

 private:
  friend class Computation;
  LaunchCommands() = default;
  Computation& self();
};

}  // namespace strata
