// Commands on the loops of a GPU: a part of Computation.
#pragma once

#include <cstdint>

#include "core/error.h"
#include "core/expr/expr.h"

namespace strata {

class Computation;

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
