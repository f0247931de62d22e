// The buffers of blocks and threads in the text of the loops: memory, origin and size.
#include <strata/strata.h>

#include <catch2/catch.hpp>
#include <sstream>

#include "layers/text/text.h"

namespace strata::test::block_memory_text_test {

namespace {

using Lines = std::vector<std::string>;

Lines allocations(const Function& f, const std::vector<Buffer>& arguments) {
  std::istringstream text(f.loops(arguments));
  Lines found;
  for (std::string line; std::getline(text, line);)
    for (const char* word : {"allocate ", "__shared__ "})
      if (const auto start = line.find(word); start != std::string::npos)
        found.push_back(line.substr(start));
  return found;
}

struct Image {
  Function f{"f"};
  Param N = f.param("N"), M = f.param("M");
  Var i{"i", 0, N}, j{"j", 0, M}, i0{"i0"}, j0{"j0"}, i1{"i1"}, j1{"j1"}, y{"y"}, x{"x"};
  Input in = f.input("in", f32, {N, M});
  Expr near(int a, int b) { return in(clamp(i + a, 0, N - 1), clamp(j + b, 0, M - 1)); }
};

}  // namespace

TEST_CASE("a halo makes the box larger, at any size", "[gpu][text]") {
  for (const int R : {1, 3}) {
    Image p;
    Computation out =
        p.f.computation("out", {p.i, p.j}, p.near(-R, 0) + p.near(R, R) + p.near(0, -R));
    out.gpu_tile(p.i, p.j, 16, 32, p.i0, p.j0, p.i1, p.j1);
    out.cache_shared_at(p.j0, p.in, "tile", {p.y, p.x});
    const std::string r = std::to_string(R), end = std::to_string(16 + R),
                      wide = std::to_string(32 + R);
    CHECK(allocations(p.f, {p.in.buffer(), out.buffer()}) ==
          Lines{"__shared__ float32 tile[16 * i0 - " + r + " : 16 * i0 + " + end + ", 32 * j0 - " +
                r + " : 32 * j0 + " + wide + "];"});
  }
}

TEST_CASE("a transposed tile, padded and rotated", "[gpu][text]") {
  Image p;
  Input back = p.f.input("back", f32, {p.M, p.N});
  Computation out = p.f.computation("out", {p.i, p.j}, back(p.j, p.i));
  out.gpu_tile(p.i, p.j, 16, 16, p.i0, p.j0, p.i1, p.j1);
  Computation tile = out.cache_shared_at(p.j0, back, "tile", {p.y, p.x});
  const std::vector<Buffer> arguments{p.in.buffer(), back.buffer(), out.buffer()};
  CHECK(allocations(p.f, arguments) ==
        Lines{"__shared__ float32 tile[16 * j0 : 16 * j0 + 16, 16 * i0 : 16 * i0 + 16];"});
  tile.store_in({p.y, (p.y + p.x) % 16});
  CHECK(allocations(p.f, arguments) ==
        Lines{"__shared__ float32 tile[16 * j0 : 16 * j0 + 16, 0 : 16];"});
  tile.store_in({p.y, p.x}).set_size({16, 17});
  CHECK(allocations(p.f, arguments) ==
        Lines{"__shared__ float32 tile[16 * j0 : 16 * j0 + 16, 16 * i0 : 16 * i0 + 17];"});
}

TEST_CASE("the author's choice or none: local if one thread touches each place", "[gpu][text]") {
  Image p;
  Var k("k", 0, p.M);
  Computation acc = p.f.computation("acc", {p.i}, sum(k, p.in(p.i, k)));
  Computation out = p.f.computation("out", {p.i}, acc(p.i) * 2.0f);
  out.gpu_tile(p.i, 8, p.i0, p.i1);
  acc.compute_at(out, p.i0);
  const std::vector<Buffer> arguments{p.in.buffer(), out.buffer()};
  // One thread computes what all read.
  CHECK(allocations(p.f, arguments) == Lines{"__shared__ float32 acc[8 * i0 : 8 * i0 + 8];"});
  acc.interchange(p.i, k).gpu_threads(p.i);
  const Lines own{"allocate float32 acc[8 * i0 + thread.x : 8 * i0 + thread.x + 1] on local;"};
  CHECK(allocations(p.f, arguments) == own);
  acc.tag_gpu_local();
  CHECK(allocations(p.f, arguments) == own);
  acc.tag_gpu_shared();
  CHECK(allocations(p.f, arguments) == Lines{"__shared__ float32 acc[8 * i0 : 8 * i0 + 8];"});
}

TEST_CASE("local memory has no gaps between the places of a thread", "[gpu][text]") {
  Image p;
  Var r("r"), c("c"), t("t"), b("b"), u("u");
  Computation own = p.f.computation("own", {p.i, p.j}, p.in(p.i, p.j) * 3.0f);
  Computation out = p.f.computation("out", {p.i, p.j}, own(p.i, p.j) + 1.0f);
  const auto in_threads = [&](Computation& s) {
    s.split(p.i, 8, r, t).split(p.j, 16, b, p.j).split(p.j, 2, u, c).interchange(r, t);
    s.interchange(r, u).gpu_threads(t, u);
  };
  out.tile(p.i, p.j, 32, 32, p.i0, p.j0, p.i, p.j).gpu_blocks(p.i0, p.j0);
  in_threads(out);
  own.compute_at(out, p.j0).tag_gpu_local();
  in_threads(own);
  CHECK(allocations(p.f, {p.in.buffer(), out.buffer()}) ==
        Lines{"allocate float32 own[32 * i0 + thread.y : 32 * i0 + thread.y + 25, 32 * j0 + 2 * "
              "thread.x : 32 * j0 + 2 * thread.x + 18] /* 1 of 8, 2 of 16 */ on local;"});
}

TEST_CASE("cache_shared is another name for cache_shared_at", "[gpu][text]") {
  Image p;
  Computation own = p.f.computation("own", {p.i, p.j}, p.in(p.i, p.j) * 3.0f);
  Computation out = p.f.computation("out", {p.i, p.j}, own(p.i, p.j) + 1.0f);
  out.gpu_tile(p.i, p.j, 8, 8, p.i0, p.j0, p.i1, p.j1);
  own.cache_shared(out, p.j0);
  CHECK(p.f.history().back() == "cache_shared_at(own, out.j0)");
}

TEST_CASE("the tags of buffers are set_memory, as text and as C++", "[gpu][text]") {
  Image p;
  Computation acc = p.f.computation("acc", {p.i, p.j}, p.in(p.i, p.j) * 3.0f);
  Computation out = p.f.computation("out", {p.i, p.j}, acc(p.i, p.j));
  out.gpu_tile(p.i, p.j, 8, 8, p.i0, p.j0, p.i1, p.j1);
  acc.compute_at(out, p.j0);
  acc.store_in(p.f.buffer("b", f32, {p.N, p.M}));
  const std::size_t before = p.f.history().size();
  p.in.buffer().tag_gpu_constant();
  p.f.buffer("b").tag_gpu_global();
  acc.buffer().tag_gpu_shared();
  acc.buffer().tag_gpu_local();
  p.f.together([&] { acc.buffer().set_memory(Memory::automatic); });
  const Lines lines(p.f.history().begin() + std::ptrdiff_t(before), p.f.history().end());
  CHECK(lines == Lines{"set_memory(in, constant)", "set_memory(acc, global)",
                       "set_memory(acc, shared)", "set_memory(acc, local)", "together {",
                       "set_memory(acc, automatic)", "}"});
  const std::string source = p.f.history_source();
  CHECK(source.find("in.buffer().set_memory(Memory::constant);\n"
                    "acc.set_memory(Memory::global);\n") != std::string::npos);
  const std::string text = p.f.text();
  CHECK(text.find("on constant") != std::string::npos);
  CHECK(to_text(parse_program(std::make_shared<Session>(), text)) == text);
  CHECK(p.f.loops({p.in.buffer(), out.buffer()}).find("in[0 : N, 0 : M], in constant memory\n") !=
        std::string::npos);
}

}  // namespace strata::test::block_memory_text_test
