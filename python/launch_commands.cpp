// Computation: commands on the loops and memories of a GPU.
#include "python/bind.h"
#include "python/module.h"

namespace strata::python {

namespace {

using C = Computation;
using V = const Var&;
using Vars = const std::vector<Var>&;
using Int = std::int64_t;

void add_blocks(ComputationClass& c) {
  c.def("gpu_blocks", Command<V>::of(&C::gpu_blocks), "i"_a, itself,
        "One to three loops become the blocks of a launch; the last one is axis x.");
  c.def("gpu_blocks", Command<V, V>::of(&C::gpu_blocks), "i"_a, "j"_a, itself);
  c.def("gpu_blocks", Command<V, V, V>::of(&C::gpu_blocks), "i"_a, "j"_a, "k"_a, itself);
  c.def("gpu_threads", Command<V>::of(&C::gpu_threads), "i"_a, itself,
        "One to three loops with constant bounds (E0106) become the threads of a block; the last\n"
        "one is axis x, neighbours in memory order.");
  c.def("gpu_threads", Command<V, V>::of(&C::gpu_threads), "i"_a, "j"_a, itself);
  c.def("gpu_threads", Command<V, V, V>::of(&C::gpu_threads), "i"_a, "j"_a, "k"_a, itself);
  c.def("gpu", Command<V, V>::of(&C::gpu), "i0"_a, "i1"_a, itself,
        "The first half of the loops are blocks, the second threads.");
  c.def("gpu", Command<V, V, V, V>::of(&C::gpu), "i0"_a, "j0"_a, "i1"_a, "j1"_a, itself);
  c.def("gpu", Command<V, V, V, V, V, V>::of(&C::gpu), "i0"_a, "j0"_a, "k0"_a, "i1"_a, "j1"_a,
        "k1"_a, itself);
  c.def("min_blocks", Command<V, Int>::of(&C::min_blocks), "i"_a, "blocks"_a, itself,
        "Asks for so many blocks on a multiprocessor at a time. A hint; E0106 if i is not a block "
        "loop.");
}

#define STRATA_GPU_TILE(name)                                                                      \
  c.def(#name, Command<V, Int, V, V>::of(&C::name), "i"_a, "si"_a, "i0"_a, "i1"_a, itself,         \
        "tile (split for one loop), then gpu: blocks of tiles, threads inside them.");             \
  c.def(#name, Command<V, Int>::of(&C::name), "i"_a, "si"_a, itself);                              \
  c.def(#name, Command<V, V, Int, Int, V, V, V, V>::of(&C::name), "i"_a, "j"_a, "si"_a, "sj"_a,    \
        "i0"_a, "j0"_a, "i1"_a, "j1"_a, itself);                                                   \
  c.def(#name, Command<V, V, Int, Int>::of(&C::name), "i"_a, "j"_a, "si"_a, "sj"_a, itself);       \
  c.def(#name, Command<V, V, V, Int, Int, Int, V, V, V, V, V, V>::of(&C::name), "i"_a, "j"_a,      \
        "k"_a, "si"_a, "sj"_a, "sk"_a, "i0"_a, "j0"_a, "k0"_a, "i1"_a, "j1"_a, "k1"_a, itself);    \
  c.def(#name, Command<V, V, V, Int, Int, Int>::of(&C::name), "i"_a, "j"_a, "k"_a, "si"_a, "sj"_a, \
        "sk"_a, itself);

void add_tiles(ComputationClass& c) {
  STRATA_GPU_TILE(gpu_tile)
  STRATA_GPU_TILE(tile_gpu)
}
#undef STRATA_GPU_TILE

#define STRATA_CACHE(name, doc)                                                                   \
  c.def(#name, Command<V, const Input&, const std::string&, Vars>::of(&C::name), "loop"_a,        \
        "array"_a, "copy"_a, "iterators"_a, doc);                                                 \
  c.def(#name, Command<V, const C&, const std::string&, Vars>::of(&C::name), "loop"_a, "array"_a, \
        "copy"_a, "iterators"_a);                                                                 \
  c.def(#name, Command<const C&, V>::of(&C::name), "reader"_a, "loop"_a, itself);

void add_memories(ComputationClass& c) {
  c.def("deal", Command<Vars>::of(&C::deal), "loops"_a, itself,
        "Deals the iterations of neighbouring loops out to all threads of the block.");
  STRATA_CACHE(
      cache_shared_at,
      "Each iteration of \"loop\" copies what this computation reads of \"array\" to shared\n"
      "memory, all threads of the block together; returns the copy. With a reader: this\n"
      "computation is computed there.")
  c.def("cache_shared", Command<const C&, V>::of(&C::cache_shared), "reader"_a, "loop"_a, itself,
        "Another name for cache_shared_at with a reader.");
  STRATA_CACHE(
      cache_local_at,
      "Each iteration of \"loop\" copies what this computation reads of \"array\" to memory\n"
      "of each thread; returns the copy. With a reader: this computation is computed there.")
  c.def("copy_at", Command<const C&, V, Memory>::of(&C::copy_at), "reader"_a, "loop"_a, "memory"_a);
  c.def("tag_gpu_global", Command<>::of(&C::tag_gpu_global), itself, "set_memory(Memory.global_).");
  c.def("tag_gpu_shared", Command<>::of(&C::tag_gpu_shared), itself, "set_memory(Memory.shared).");
  c.def("tag_gpu_local", Command<>::of(&C::tag_gpu_local), itself, "set_memory(Memory.local).");
  // "async" is a keyword of Python.
  c.def("async_", Command<>::of(&C::async), itself,
        "This copy from global to shared memory is asynchronous: its threads go on at once, and\n"
        "wait for it before its first reader. E0106 if this is not such a copy.");
  c.def("mma", Command<const std::string&>::of(&C::mma), "shape"_a, itself,
        "This sum of products is a product of matrices on tensor cores, of shape \"tf32\",\n"
        "\"bf16\" or \"f16\". E0106 unless its loops are those of such a product.");
}
#undef STRATA_CACHE

}  // namespace

void add_launch_commands(ComputationClass& c) {
  add_blocks(c);
  add_tiles(c);
  add_memories(c);
  c.def("host_to_device", Command<>::of(&C::host_to_device), itself,
        "Function.host_to_device of this computation.");
  c.def("host_to_device", Command<const C&, V>::of(&C::host_to_device), "reader"_a, "loop"_a,
        itself);
  c.def("device_to_host", Command<>::of(&C::device_to_host), itself,
        "Function.device_to_host of this computation.");
  c.def("device_to_host", Command<const C&, V>::of(&C::device_to_host), "reader"_a, "loop"_a,
        itself);
}

}  // namespace strata::python
