// Computation: commands on the loops of a GPU.
#include "dsl/author.h"

namespace strata {

Computation& Computation::gpu_blocks(const Var& i, const Where& where) {
  return Author::command(*this, where, "gpu_blocks", {Author::loop(*this, i)});
}

Computation& Computation::gpu_blocks(const Var& i, const Var& j, const Where& where) {
  return Author::command(*this, where, "gpu_blocks",
                         {Author::loop(*this, i), Author::loop(*this, j)});
}

Computation& Computation::gpu_blocks(const Var& i, const Var& j, const Var& k, const Where& where) {
  return Author::command(*this, where, "gpu_blocks",
                         {Author::loop(*this, i), Author::loop(*this, j), Author::loop(*this, k)});
}

Computation& Computation::gpu_threads(const Var& i, const Where& where) {
  return Author::command(*this, where, "gpu_threads", {Author::loop(*this, i)});
}

Computation& Computation::gpu_threads(const Var& i, const Var& j, const Where& where) {
  return Author::command(*this, where, "gpu_threads",
                         {Author::loop(*this, i), Author::loop(*this, j)});
}

Computation& Computation::gpu_threads(const Var& i, const Var& j, const Var& k,
                                      const Where& where) {
  return Author::command(*this, where, "gpu_threads",
                         {Author::loop(*this, i), Author::loop(*this, j), Author::loop(*this, k)});
}

Computation& Computation::gpu(const Var& i0, const Var& i1, const Where& where) {
  return Author::command(*this, where, "gpu", {Author::loop(*this, i0), Author::loop(*this, i1)});
}

Computation& Computation::gpu(const Var& i0, const Var& j0, const Var& i1, const Var& j1,
                              const Where& where) {
  return Author::command(*this, where, "gpu",
                         {Author::loop(*this, i0), Author::loop(*this, j0), Author::loop(*this, i1),
                          Author::loop(*this, j1)});
}

Computation& Computation::gpu(const Var& i0, const Var& j0, const Var& k0, const Var& i1,
                              const Var& j1, const Var& k1, const Where& where) {
  return Author::command(
      *this, where, "gpu",
      {Author::loop(*this, i0), Author::loop(*this, j0), Author::loop(*this, k0),
       Author::loop(*this, i1), Author::loop(*this, j1), Author::loop(*this, k1)});
}

Computation& Computation::gpu_tile(const Var& i, std::int64_t si, const Var& i0, const Var& i1,
                                   const Where& where) {
  return Author::command(*this, where, "gpu_tile",
                         {Author::loop(*this, i), si, i0.name(), i1.name()});
}

Computation& Computation::gpu_tile(const Var& i, std::int64_t si, const Where& where) {
  return Author::command(*this, where, "gpu_tile", {Author::loop(*this, i), si});
}

Computation& Computation::gpu_tile(const Var& i, const Var& j, std::int64_t si, std::int64_t sj,
                                   const Var& i0, const Var& j0, const Var& i1, const Var& j1,
                                   const Where& where) {
  return Author::command(*this, where, "gpu_tile",
                         {Author::loop(*this, i), Author::loop(*this, j), si, sj, i0.name(),
                          j0.name(), i1.name(), j1.name()});
}

Computation& Computation::gpu_tile(const Var& i, const Var& j, std::int64_t si, std::int64_t sj,
                                   const Where& where) {
  return Author::command(*this, where, "gpu_tile",
                         {Author::loop(*this, i), Author::loop(*this, j), si, sj});
}

Computation& Computation::gpu_tile(const Var& i, const Var& j, const Var& k, std::int64_t si,
                                   std::int64_t sj, std::int64_t sk, const Var& i0, const Var& j0,
                                   const Var& k0, const Var& i1, const Var& j1, const Var& k1,
                                   const Where& where) {
  return Author::command(
      *this, where, "gpu_tile",
      {Author::loop(*this, i), Author::loop(*this, j), Author::loop(*this, k), si, sj, sk,
       i0.name(), j0.name(), k0.name(), i1.name(), j1.name(), k1.name()});
}

Computation& Computation::gpu_tile(const Var& i, const Var& j, const Var& k, std::int64_t si,
                                   std::int64_t sj, std::int64_t sk, const Where& where) {
  return Author::command(
      *this, where, "gpu_tile",
      {Author::loop(*this, i), Author::loop(*this, j), Author::loop(*this, k), si, sj, sk});
}

Computation& Computation::min_blocks(const Var& i, std::int64_t blocks, const Where& where) {
  return Author::command(*this, where, "min_blocks", {Author::loop(*this, i), blocks});
}

Computation& Computation::host_to_device(const Where& where) {
  return Author::command(*this, where, "host_to_device", {Author::array(*this)});
}

Computation& Computation::host_to_device(const Computation& reader, const Var& loop,
                                         const Where& where) {
  Author::require_same_function(*this, reader, where);
  return Author::command(*this, where, "host_to_device",
                         {Author::array(*this), Author::loop(reader, loop)});
}

Computation& Computation::device_to_host(const Where& where) {
  return Author::command(*this, where, "device_to_host", {Author::array(*this)});
}

Computation& Computation::device_to_host(const Computation& reader, const Var& loop,
                                         const Where& where) {
  Author::require_same_function(*this, reader, where);
  return Author::command(*this, where, "device_to_host",
                         {Author::array(*this), Author::loop(reader, loop)});
}

Computation& Computation::tile_gpu(const Var& i, std::int64_t si, const Var& i0, const Var& i1,
                                   const Where& where) {
  return gpu_tile(i, si, i0, i1, where);
}

Computation& Computation::tile_gpu(const Var& i, std::int64_t si, const Where& where) {
  return gpu_tile(i, si, where);
}

Computation& Computation::tile_gpu(const Var& i, const Var& j, std::int64_t si, std::int64_t sj,
                                   const Var& i0, const Var& j0, const Var& i1, const Var& j1,
                                   const Where& where) {
  return gpu_tile(i, j, si, sj, i0, j0, i1, j1, where);
}

Computation& Computation::tile_gpu(const Var& i, const Var& j, std::int64_t si, std::int64_t sj,
                                   const Where& where) {
  return gpu_tile(i, j, si, sj, where);
}

Computation& Computation::tile_gpu(const Var& i, const Var& j, const Var& k, std::int64_t si,
                                   std::int64_t sj, std::int64_t sk, const Var& i0, const Var& j0,
                                   const Var& k0, const Var& i1, const Var& j1, const Var& k1,
                                   const Where& where) {
  return gpu_tile(i, j, k, si, sj, sk, i0, j0, k0, i1, j1, k1, where);
}

Computation& Computation::tile_gpu(const Var& i, const Var& j, const Var& k, std::int64_t si,
                                   std::int64_t sj, std::int64_t sk, const Where& where) {
  return gpu_tile(i, j, k, si, sj, sk, where);
}

}  // namespace strata
