// Computation: commands on the loops of a GPU.
#include "dsl/author.h"

namespace strata {

Computation& LaunchCommands::self() { return static_cast<Computation&>(*this); }

Computation& LaunchCommands::gpu_blocks(const Var& i, const Where& where) {
  return Author::command(self(), where, "gpu_blocks", {Author::loop(self(), i)});
}

Computation& LaunchCommands::gpu_blocks(const Var& i, const Var& j, const Where& where) {
  return Author::command(self(), where, "gpu_blocks",
                         {Author::loop(self(), i), Author::loop(self(), j)});
}

Computation& LaunchCommands::gpu_blocks(const Var& i, const Var& j, const Var& k,
                                        const Where& where) {
  return Author::command(
      self(), where, "gpu_blocks",
      {Author::loop(self(), i), Author::loop(self(), j), Author::loop(self(), k)});
}

Computation& LaunchCommands::gpu_threads(const Var& i, const Where& where) {
  return Author::command(self(), where, "gpu_threads", {Author::loop(self(), i)});
}

Computation& LaunchCommands::gpu_threads(const Var& i, const Var& j, const Where& where) {
  return Author::command(self(), where, "gpu_threads",
                         {Author::loop(self(), i), Author::loop(self(), j)});
}

Computation& LaunchCommands::gpu_threads(const Var& i, const Var& j, const Var& k,
                                         const Where& where) {
  return Author::command(
      self(), where, "gpu_threads",
      {Author::loop(self(), i), Author::loop(self(), j), Author::loop(self(), k)});
}

Computation& LaunchCommands::gpu(const Var& i0, const Var& i1, const Where& where) {
  return Author::command(self(), where, "gpu",
                         {Author::loop(self(), i0), Author::loop(self(), i1)});
}

Computation& LaunchCommands::gpu(const Var& i0, const Var& j0, const Var& i1, const Var& j1,
                                 const Where& where) {
  return Author::command(self(), where, "gpu",
                         {Author::loop(self(), i0), Author::loop(self(), j0),
                          Author::loop(self(), i1), Author::loop(self(), j1)});
}

Computation& LaunchCommands::gpu(const Var& i0, const Var& j0, const Var& k0, const Var& i1,
                                 const Var& j1, const Var& k1, const Where& where) {
  return Author::command(
      self(), where, "gpu",
      {Author::loop(self(), i0), Author::loop(self(), j0), Author::loop(self(), k0),
       Author::loop(self(), i1), Author::loop(self(), j1), Author::loop(self(), k1)});
}

Computation& LaunchCommands::gpu_tile(const Var& i, std::int64_t si, const Var& i0, const Var& i1,
                                      const Where& where) {
  return Author::command(self(), where, "gpu_tile",
                         {Author::loop(self(), i), si, i0.name(), i1.name()});
}

Computation& LaunchCommands::gpu_tile(const Var& i, std::int64_t si, const Where& where) {
  return Author::command(self(), where, "gpu_tile", {Author::loop(self(), i), si});
}

Computation& LaunchCommands::gpu_tile(const Var& i, const Var& j, std::int64_t si, std::int64_t sj,
                                      const Var& i0, const Var& j0, const Var& i1, const Var& j1,
                                      const Where& where) {
  return Author::command(self(), where, "gpu_tile",
                         {Author::loop(self(), i), Author::loop(self(), j), si, sj, i0.name(),
                          j0.name(), i1.name(), j1.name()});
}

Computation& LaunchCommands::gpu_tile(const Var& i, const Var& j, std::int64_t si, std::int64_t sj,
                                      const Where& where) {
  return Author::command(self(), where, "gpu_tile",
                         {Author::loop(self(), i), Author::loop(self(), j), si, sj});
}

Computation& LaunchCommands::gpu_tile(const Var& i, const Var& j, const Var& k, std::int64_t si,
                                      std::int64_t sj, std::int64_t sk, const Var& i0,
                                      const Var& j0, const Var& k0, const Var& i1, const Var& j1,
                                      const Var& k1, const Where& where) {
  return Author::command(
      self(), where, "gpu_tile",
      {Author::loop(self(), i), Author::loop(self(), j), Author::loop(self(), k), si, sj, sk,
       i0.name(), j0.name(), k0.name(), i1.name(), j1.name(), k1.name()});
}

Computation& LaunchCommands::gpu_tile(const Var& i, const Var& j, const Var& k, std::int64_t si,
                                      std::int64_t sj, std::int64_t sk, const Where& where) {
  return Author::command(
      self(), where, "gpu_tile",
      {Author::loop(self(), i), Author::loop(self(), j), Author::loop(self(), k), si, sj, sk});
}

Computation& LaunchCommands::min_blocks(const Var& i, std::int64_t blocks, const Where& where) {
  return Author::command(self(), where, "min_blocks", {Author::loop(self(), i), blocks});
}

Computation& LaunchCommands::host_to_device(const Where& where) {
  return Author::command(self(), where, "host_to_device", {Author::array(self())});
}

Computation& LaunchCommands::host_to_device(const Computation& reader, const Var& loop,
                                            const Where& where) {
  Author::require_same_function(self(), reader, where);
  return Author::command(self(), where, "host_to_device",
                         {Author::array(self()), Author::loop(reader, loop)});
}

Computation& LaunchCommands::device_to_host(const Where& where) {
  return Author::command(self(), where, "device_to_host", {Author::array(self())});
}

Computation& LaunchCommands::device_to_host(const Computation& reader, const Var& loop,
                                            const Where& where) {
  Author::require_same_function(self(), reader, where);
  return Author::command(self(), where, "device_to_host",
                         {Author::array(self()), Author::loop(reader, loop)});
}

Computation& LaunchCommands::tile_gpu(const Var& i, std::int64_t si, const Var& i0, const Var& i1,
                                      const Where& where) {
  return gpu_tile(i, si, i0, i1, where);
}

Computation& LaunchCommands::tile_gpu(const Var& i, std::int64_t si, const Where& where) {
  return gpu_tile(i, si, where);
}

Computation& LaunchCommands::tile_gpu(const Var& i, const Var& j, std::int64_t si, std::int64_t sj,
                                      const Var& i0, const Var& j0, const Var& i1, const Var& j1,
                                      const Where& where) {
  return gpu_tile(i, j, si, sj, i0, j0, i1, j1, where);
}

Computation& LaunchCommands::tile_gpu(const Var& i, const Var& j, std::int64_t si, std::int64_t sj,
                                      const Where& where) {
  return gpu_tile(i, j, si, sj, where);
}

Computation& LaunchCommands::tile_gpu(const Var& i, const Var& j, const Var& k, std::int64_t si,
                                      std::int64_t sj, std::int64_t sk, const Var& i0,
                                      const Var& j0, const Var& k0, const Var& i1, const Var& j1,
                                      const Var& k1, const Where& where) {
  return gpu_tile(i, j, k, si, sj, sk, i0, j0, k0, i1, j1, k1, where);
}

Computation& LaunchCommands::tile_gpu(const Var& i, const Var& j, const Var& k, std::int64_t si,
                                      std::int64_t sj, std::int64_t sk, const Where& where) {
  return gpu_tile(i, j, k, si, sj, sk, where);
}

}  // namespace strata
