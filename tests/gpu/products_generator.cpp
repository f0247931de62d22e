// products_generator FOLDER TARGET: kernels whose warps multiply matrices on tensor cores, from
// loop trees made by hand. C = A B, with A by rows. B is by rows, too; if the name says so, by
// columns.
#include <cstdio>
#include <functional>
#include <string>

#include "codegen/halide/product/compile.h"
#include "core/error.h"
#include "tests/unit/entry/kernels.h"

namespace {

using namespace strata;
using strata::test::block;
using strata::test::n;
using strata::test::steps;
using strata::test::store;
using strata::test::v;

// An element of a matrix, by row and column.
using Element = std::function<Expr(const Expr& row, const Expr& column)>;

const Expr lane = v("lane"), group = lane / n(4), member = lane % n(4);

Element element(const std::string& buffer, MmaShape shape, bool by_columns = false) {
  return [=](const Expr& row, const Expr& column) {
    const auto place = by_columns ? std::vector{column, row} : std::vector{row, column};
    return load(buffer, traits(shape).operand, place);
  };
}

Element moved(const Element& matrix, const Expr& rows, const Expr& columns) {
  return [=](const Expr& row, const Expr& column) { return matrix(row + rows, column + columns); };
}

StmtPtr unrolled(const std::string& name, std::int64_t extent, const StmtPtr& body) {
  return steps(name, n(0), extent, body, Processor::unrolled);
}

StmtPtr loops(MmaShape shape, const Element& a, const Element& b, const Expr& first) {
  const Expr ri = v("ri"), rj = v("rj"), k = v("k"), sum = first + n(2) * ri + rj;
  const StmtPtr step = store("sums", {sum},
                             load("sums", f32, {sum}) + cast(f32, a(group + n(8) * ri, k)) *
                                                            cast(f32, b(k, member * n(2) + rj)));
  return unrolled("ri", 2, unrolled("rj", 2, unrolled("k", traits(shape).depth, step)));
}

// The product of a tile of A, with the rows of C, and one of B, into sums[first ..].
StmtPtr product(MmaShape shape, const Element& a, const Element& b, const Expr& first) {
  Mma made{shape, "C", "sums", {}, {}, {}, loops(shape, a, b, first)};
  for (std::size_t at = 0; at < made.places.size(); ++at)
    made.places[at] = {first + n(std::int64_t(at))};
  const int width = shape == MmaShape::m16n8k8_tf32 ? 1 : 2;  // elements of a word
  const auto depth = [&](int half, int e) { return member * n(width) + n(4 * width * half + e); };
  for (int half = 0; half < 2; ++half)
    for (int e = 0; e < 2 * width; ++e)
      made.a.push_back(a(group + n(8 * (e / width)), depth(half, e % width)));
  for (int half = 0; half < 2; ++half)
    for (int e = 0; e < width; ++e) made.b.push_back(b(depth(half, e), group));
  return make_stmt(made);
}

// C at a tile's row and column from sums[first ..], or these sums 0.
StmtPtr written(const Expr& row, const Expr& column, const Expr& first) {
  std::vector<StmtPtr> all;
  for (int ri = 0; ri < 2; ++ri)
    for (int rj = 0; rj < 2; ++rj)
      all.push_back(store("C", {row + group + n(8 * ri), column + member * n(2) + n(rj)},
                          load("sums", f32, {first + n(2 * ri + rj)})));
  return block(all);
}

StmtPtr cleared(std::int64_t count) {
  return unrolled("s", count, store("sums", {v("s")}, constant(f32, 0)));
}

StmtPtr threads(std::int64_t warps, const StmtPtr& body) {
  return steps("warp", n(0), warps, steps("lane", n(0), 32, body, Processor::thread),
               Processor::thread);
}

StmtPtr buffer(const std::string& name, Type type, std::vector<std::int64_t> extents, Memory memory,
               const StmtPtr& body) {
  Allocate made{name, type, {}, {}, body, memory};
  for (const std::int64_t extent : extents) {
    made.lowers.push_back(n(0));
    made.extents.push_back(n(extent));
  }
  return make_stmt(made);
}

struct Sizes {
  std::int64_t rows, columns, depth;
};

// A launch of blocks, each with "rows" x "columns" of C.
Kernel launch(const std::string& name, MmaShape shape, bool by_columns, const Sizes& all,
              const Sizes& of_block, std::int64_t warps, const StmtPtr& body) {
  const std::int64_t down = all.rows / of_block.rows, across = all.columns / of_block.columns;
  const StmtPtr blocks =
      steps("bi", n(0), down, steps("bj", n(0), across, body, Processor::block), Processor::block);
  const Type type = traits(shape).operand;
  const std::vector<Expr> b = by_columns ? std::vector{n(all.columns), n(all.depth)}
                                         : std::vector{n(all.depth), n(all.columns)};
  return strata::test::kernel(
      name, {},
      {strata::test::argument("A", type, Access::read, {n(all.rows), n(all.depth)}),
       strata::test::argument("B", type, Access::read, b),
       strata::test::argument("C", f32, Access::written, {n(all.rows), n(all.columns)})},
      block({make_stmt(DeviceCopy{Transfer::to_device, "A"}),
             make_stmt(DeviceCopy{Transfer::to_device, "B"}),
             make_stmt(Launch{"bi", {n(across), n(down)}, {32, warps}, blocks}),
             make_stmt(DeviceCopy{Transfer::to_host, "C"})}),
      Floats::fast);
}

// A tile for each warp, from global memory.
Kernel tiles(const std::string& name, MmaShape shape, bool by_columns) {
  const std::int64_t depth = traits(shape).depth;
  const Expr row = (v("bi") * n(2) + v("warp")) * n(16), column = v("bj") * n(8);
  const Element a = moved(element("A", shape), row, v("k0") * n(depth)),
                b = moved(element("B", shape, by_columns), v("k0") * n(depth), column);
  const StmtPtr body = block(
      {cleared(4), steps("k0", n(0), 3, product(shape, a, b, n(0))), written(row, column, n(0))});
  return launch(name, shape, by_columns, {64, 16, 3 * depth}, {32, 8, 0}, 2,
                threads(2, buffer("sums", f32, {4}, Memory::local, body)));
}

constexpr std::int64_t padding_bytes = 16;

// One of the copies of a block's 128 threads: "rows" rows, vectors of 16 bytes.
StmtPtr copied(const std::string& to, const std::string& from, Type type, std::int64_t rows,
               std::int64_t columns, const Expr& row, const Expr& column) {
  const std::int64_t lanes = 16 / bytes(type), across = columns / lanes, at_once = 128 / across;
  const Expr thread = v("warp") * n(32) + lane;
  const Expr r = thread / n(across) + v("c") * n(at_once),
             c = thread % n(across) * n(lanes) + v("e");
  Execute copy{to, {}, to, {r, c}, load(from, type, {row + r, column + c})};
  copy.asynchronous = true;
  return unrolled("c", rows / at_once, steps("e", n(0), lanes, make_stmt(copy), Processor::vector));
}

// Blocks of 128 x 64 by 4 warps of 64 x 32, from shared memory.
Kernel blocks(const std::string& name, MmaShape shape, const Sizes& all) {
  const Type type = traits(shape).operand;
  const std::int64_t depth = traits(shape).depth, step = 2 * depth;
  const Expr warp = v("warp"), i = v("i"), j = v("j"), kk = v("kk");
  const Expr down = warp / n(2) * n(64) + i * n(16), across = warp % n(2) * n(32) + j * n(8);
  const Expr sums = (i * n(4) + j) * n(4);
  const auto tiles = [&](const StmtPtr& body) { return unrolled("i", 4, unrolled("j", 4, body)); };
  const StmtPtr multiply =
      unrolled("kk", 2,
               tiles(product(shape, moved(element("As", shape), down, kk * n(depth)),
                             moved(element("Bs", shape, true), kk * n(depth), across), sums)));
  const StmtPtr copies =
      block({copied("As", "A", type, 128, step, v("bi") * n(128), v("k0") * n(step)),
             copied("Bs", "B", type, 64, step, v("bj") * n(64), v("k0") * n(step)),
             make_stmt(AwaitCopies{})});
  const StmtPtr barrier = make_stmt(Barrier{Fence::shared});
  const StmtPtr body =
      block({threads(4, cleared(64)),
             steps("k0", n(0), all.depth / step,
                   block({threads(4, copies), barrier, threads(4, multiply), barrier})),
             threads(4, tiles(written(v("bi") * n(128) + down, v("bj") * n(64) + across, sums)))});
  const std::int64_t row = step + padding_bytes / bytes(type);
  return launch(name, shape, true, all, {128, 64, 0}, 4,
                buffer("As", type, {128, row}, Memory::shared,
                       buffer("Bs", type, {64, row}, Memory::shared,
                              buffer("sums", f32, {64}, Memory::local, body))));
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) return 2;
  const auto generate = [&](const Kernel& kernel) {
    const std::string path = std::string(argv[1]) + "/" + kernel.name;
    compile({kernel}, argv[2], {path + ".o", path + ".h", "", ""});
  };
  for (const MmaShape shape :
       {MmaShape::m16n8k8_tf32, MmaShape::m16n8k16_bf16, MmaShape::m16n8k16_f16}) {
    generate(tiles("tile_" + to_string(shape), shape, false));
    generate(tiles("tile_" + to_string(shape) + "_columns", shape, true));
    generate(blocks("block_" + to_string(shape), shape, {256, 64, 4 * traits(shape).depth}));
  }
  return 0;
} catch (const strata::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
