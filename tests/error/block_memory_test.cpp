// Refusals about the memories of a GPU.
#include "tests/error/told.h"

namespace strata::test::block_memory_test {

namespace {

// s = in, t(i, j) = s(i, j) + s(i, j + 1): blocks b of 8 threads x over a row.
struct Blocks {
  Function f{"f"};
  Param N = f.param("N"), M = f.param("M");
  Var i{"i", 0, N}, j{"j", 0, M}, h{"h", 0, M + 1}, b{"b"}, x{"x"};
  Input in = f.input("in", f32, {N, M + 1});
  Computation s = f.computation("s", {i, h}, in(i, h));
  Computation t = f.computation("t", {i, j}, s(i, j) + s(i, j + 1));
  std::vector<Buffer> arguments{in.buffer(), t.buffer()};
  Blocks() {
    t.gpu_tile(j, 8, b, x);
    t.gpu_blocks(i);
  }
};

}  // namespace

TEST_CASE("E0309: two threads touch one place of local memory", "[error][gpu]") {
  Blocks p;
  p.s.cache_shared_at(p.t, p.b);
  CHECK(told(p.f, [&] { p.s.set_memory(Memory::local); }) == R"(error E0309 several threads
  in set_memory(s, local) at HERE
  two threads would touch the same element of s, of which each thread has its own in local memory
  for example, with N = 1, M = 1, in the iteration i = 0, b = 0:
    s[0, 1] at [0, 0, 0, 0, 0, 1, 0, 0, 0] touches it, and in another thread
    t[0, 0] at [0, 0, 0, 0, 1, 0, 0, 0, 0] touches it
    at element: s[0, 1]
  to fix it: put it in shared memory, or give each thread its own elements
)");
  // One thread computes all of v, and every thread reads a part.
  Computation v = p.f.computation("v", {p.i, p.j}, p.in(p.i, p.j));
  Computation w = p.f.computation("w", {p.i, p.j}, v(p.i, p.j));
  w.gpu_tile(p.j, 8, p.b, p.x).gpu_blocks(p.i);
  v.compute_at(w, p.b).set_memory(Memory::local);
  CHECK(told(p.f, [&] { p.f.loops({p.in.buffer(), w.buffer()}); }) == R"(error E0309 several threads
  in codegen(in, w) at HERE
  two threads would touch the same element of v, of which each thread has its own in local memory
  for example, with N = 1, M = 2, in the iteration i = 0, b = 0:
    v[0, 1] at [1, 0, 0, 0, 0, 0, 0, 1, 0] touches it, and in another thread
    w[0, 1] at [1, 0, 0, 0, 1, 1, 0, 0, 0] touches it
    at element: v[0, 1]
  to fix it: put it in shared memory, or give each thread its own elements
)");
}

TEST_CASE("E0308: memories that a block does not have", "[error][gpu]") {
  for (const Memory memory : {Memory::heap, Memory::stack, Memory::global}) {
    Blocks p;
    p.s.compute_at(p.t, p.b).set_memory(memory);
    const std::string place = memory == Memory::heap    ? "in the heap"
                              : memory == Memory::stack ? "on the stack"
                                                        : "in global memory";
    CHECK(
        told(p.f, [&] { p.f.loops(p.arguments); }) ==
        "error E0308 size does not fit\n  in codegen(f) at HERE\n  s is " + place +
            ", but loop b, which allocates it in each iteration, is in a launch\n  to fix it: put "
            "it in shared or local memory, or leave out set_memory\n");
  }
  Blocks inside;
  inside.s.compute_at(inside.t, inside.x).set_memory(Memory::shared);
  CHECK(told(inside.f, [&] { inside.f.loops(inside.arguments); }) ==
        R"(error E0308 size does not fit
  in codegen(f) at HERE
  s is in shared memory, but loop x, which allocates it, is inside of the threads
  to fix it: allocate it at a loop outside of the threads, or make it local
)");
  Blocks outside;
  outside.s.set_memory(Memory::shared);
  CHECK(told(outside.f, [&] { outside.f.loops(outside.arguments); }) ==
        R"(error E0308 size does not fit
  in codegen(f) at HERE
  s is in shared memory, but no loop of a launch allocates it
  to fix it: place it in a launch with compute_at or allocate_at
)");
}

TEST_CASE("E0308: memory of a thread without a constant size", "[error][gpu]") {
  for (const bool triangle : {false, true}) {
    Function f("f");
    Param N = f.param("N"), M = f.param("M");
    f.assume(M >= N);
    Var i("i", 0, N), j("j", 0, M), k("k", 0, triangle ? i + 1 : Expr(M)), b("b"), x("x"), k0("k0");
    Input in = f.input("in", f32, {N, M});
    Computation s = f.computation("s", {i, j}, in(i, j) * 2.0f);
    Computation t = f.computation("t", {i}, sum(k, s(i, k)));
    t.gpu_tile(i, 8, b, x);
    const std::vector<Buffer> arguments{in.buffer(), t.buffer()};
    s.compute_at(t, x).set_memory(Memory::local);
    CHECK(told(f, [&] { f.loops(arguments); }) ==
          R"(error E0308 size does not fit
  in codegen(f) at HERE
  s is in local memory, where sizes are constant, but how many elements it has along index 1 depends on )" +
              std::string(triangle ? "b, x" : "M") + R"(
  to fix it: split the loops of its readers by numbers, and compute it in a tile
)");
    // The advice, followed.
    t.split(k, 4, k0, k);
    s.compute_at(t, k0);
    f.loops(arguments);
  }
}

// Sums of rows, with a block's two rows, and all weights, in shared memory.
struct Weighted {
  explicit Weighted(std::int64_t width) {
    Param N = f.param("N");
    Var i("i", 0, N), k("k", 0, width);
    Input in = f.input("in", f32, {N, width}), other = f.input("other", i64, {width});
    Computation t = f.computation("t", {i}, sum(k, in(i, k) * cast(f32, other(k))));
    Var b("b"), x("x");
    t.gpu_tile(i, 2, b, x);
    t.cache_shared_at(b, in, "rows", {Var("r"), Var("c")});
    t.cache_shared_at(b, other, "weights", {Var("w")});
    arguments = {in.buffer(), other.buffer(), t.buffer()};
  }
  Function f{"f"};
  std::vector<Buffer> arguments;
};

TEST_CASE("E0308: more shared memory than a block has", "[error][gpu][halide]") {
  Weighted most(16384);
  CHECK(told(most.f, [&] { most.f.loops(most.arguments); }) == R"(error E0308 size does not fit
  in codegen(f) at HERE
  the launch of loop b needs 262144 bytes of shared memory (rows 131072, weights 131072), but no GPU has more for a block than 232448
  to fix it: make the tiles smaller, or store in fewer places with store_in
)");
  Weighted p(4096);
  const Where here = Where::here();
  CodegenOptions options;
  const auto refusal = [&](const std::string& target) {
    options.target = target;
    return told(p.f, [&] { p.f.codegen(p.arguments, "unwritten.o", options, here); }, here);
  };
  const auto refusal_in_process = [&](const std::string& target) {
    options.target = target;
    return told(p.f, [&] { p.f.jit(p.arguments, options, nullptr, here); }, here);
  };
  const auto text = [](const std::string& target, const std::string& otherwise) {
    return "error E0308 size does not fit\n  in codegen(f) at HERE\n  the launch of loop b needs "
           "65536 bytes of shared memory (rows 32768, weights 32768), but with the target " +
           target +
           " a block has 49152\n  to fix it: make the tiles smaller, or store in fewer places with "
           "store_in" +
           otherwise + "\n";
  };
  const std::string larger = ", or choose a target that has more, such as host-cuda-sm_90";
  CHECK(refusal("host-opencl") == text("host-opencl", ""));
  CHECK(refusal("host-cuda") == text("host-cuda", larger));
  CHECK(refusal_in_process("host-cuda") == text("host-cuda", larger));
  // The advice, followed; 64 KiB is just what capability 7.5 has.
  CHECK(refusal_in_process("host-cuda-sm_90") == "nothing was refused");
  CHECK(refusal_in_process("host-cuda-sm_75") == "nothing was refused");
}

TEST_CASE("E0307: shared memory is read in its block only", "[error][gpu]") {
  Blocks p;
  p.s.cache_shared_at(p.t, p.b);
  CHECK(told(p.f, [&] { p.f.computation("u", {p.i, p.j}, p.s(p.i, p.j)); }) ==
        R"(error E0307 out of scope
  in computation(u) at HERE
  a value in s would be read outside of the iteration that the buffer is allocated for
  for example, with N = 1, M = 1:
    s[0, 0] at [0, 0, 0, 0, 0, 0, 0, 0, 0] computes the value that
    u[0, 0] at [1, 0, 0, 0, 0, 0, 0, 0, 0] reads from another iteration's buffer
  to fix it: allocate the buffer at a loop around both, or compute the value inside with compute_at
)");
}

TEST_CASE("E0101: a copy of what is not read", "[error][gpu]") {
  Blocks p;
  const std::vector<Var> xy{Var("x"), Var("y")};
  CHECK(told(p.f, [&] { p.t.cache_shared_at(p.b, p.in, "tile", xy); }) ==
        R"(error E0101 unknown computation
  in cache_shared_at(t.b, in, tile, {x, y}) at HERE
  t does not read in
  to fix it: name a computation and an array that it reads
)");
}

TEST_CASE("E0306: constant memory is for inputs that are not written", "[error][gpu]") {
  Function f("f");
  Var i("i", 0, 8);
  Input in = f.input("in", f32, {8});
  Computation s = f.computation("s", {i}, in(i) + 1.0f);
  CHECK(told(f, [&] { s.set_memory(Memory::constant); }) == R"(error E0306 malformed layout
  in set_memory(s, constant) at HERE
  s is not an input, and only inputs can be in constant memory
  to fix it: put it in shared or local memory
)");
  s.store_in(in.buffer(), {i});
  const std::string written = R"(  in is in constant memory, and would be written
  for example:
    s[0] at [0, 0, 0] writes it
    at element: in[0]
  to fix it: store s in a separate buffer
)";
  const std::string refused = "error E0306 malformed layout\n  in ";
  CHECK(told(f, [&] { in.buffer().tag_gpu_constant(); }) ==
        refused + "set_memory(in, constant) at HERE\n" + written);
  s.store_in(Buffer("s"), {i});
  in.buffer().tag_gpu_constant();
  CHECK(told(f, [&] { s.store_in(in.buffer(), {i}); }) ==
        refused + "store_in(s, in, i) at HERE\n" + written);
}

TEST_CASE("E0106: the memory of an input is the caller's", "[error][gpu]") {
  Blocks p;
  for (const auto tag : {&Buffer::tag_gpu_global, &Buffer::tag_gpu_shared, &Buffer::tag_gpu_local})
    CHECK(told(p.f, [&] { (p.in.buffer().*tag)(Where::here()); })
              .find("  in is an argument of the kernel, so the caller owns its memory\n"
                    "  to fix it: read in through a copy there (cache_at, cache_shared_at, "
                    "cache_local_at)\n") != std::string::npos);
}

TEST_CASE("E0115, E0106: a buffer of no function, or with nothing in it", "[error][gpu]") {
  Blocks p;
  CHECK(told(p.f, [] { Buffer("in").tag_gpu_constant(); }) == R"(error E0115 unknown buffer
  in set_memory(in) at HERE
  in is a bare name, of no function
  to fix it: take the buffer() of an input, a computation or a function
)");
  const Buffer b = p.f.buffer("b", f32, {p.N, p.M + 1});
  CHECK(told(p.f, [&] { b.tag_gpu_shared(); }) == R"(error E0106 bad argument
  in set_memory(b) at HERE
  nothing is stored in b
  to fix it: give the command after store_in
)");
  CHECK(told(p.f, [&] { p.f.buffer("none").tag_gpu_local(); }).find("error E0101") == 0);
}

}  // namespace strata::test::block_memory_test
