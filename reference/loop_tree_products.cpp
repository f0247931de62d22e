// Products of warps in the loop-tree interpreter, by the tables of fragments in the PTX ISA
// ("Matrix fragments for mma.m16n8k8" and "m16n8k16"): what the 32 lanes bring becomes three
// matrices, and the plain product of these goes back to the lanes.
#include <array>
#include <cmath>

#include "reference/loop_tree_machine.h"

namespace strata::reference {

namespace {

struct Cell {
  std::int64_t row, column;
};

std::int64_t steps_of(MmaShape shape) { return shape == MmaShape::m16n8k8_tf32 ? 8 : 16; }

// Where element n of a lane's fragment is, in A (16 x K), B (K x 8), C and D (16 x 8).
Cell in_a(MmaShape shape, std::int64_t lane, std::int64_t n) {
  const std::int64_t group = lane >> 2, thread = lane % 4;
  if (shape == MmaShape::m16n8k8_tf32)
    return {n == 0 || n == 2 ? group : group + 8, n < 2 ? thread : thread + 4};
  const bool upper = n < 2 || (n >= 4 && n < 6);
  return {upper ? group : group + 8, n < 4 ? thread * 2 + (n & 1) : thread * 2 + (n & 1) + 8};
}

Cell in_b(MmaShape shape, std::int64_t lane, std::int64_t n) {
  const std::int64_t group = lane >> 2, thread = lane % 4;
  if (shape == MmaShape::m16n8k8_tf32) return {n == 0 ? thread : thread + 4, group};
  return {n < 2 ? thread * 2 + (n & 1) : thread * 2 + (n & 1) + 8, group};
}

Cell in_c(std::int64_t lane, std::int64_t n) {
  return {n < 2 ? lane >> 2 : (lane >> 2) + 8, lane % 4 * 2 + (n & 1)};
}

// cvt.rna.tf32.f32: to 10 bits of fraction, to nearest, ties away from zero.
double operand_value(MmaShape shape, const Scalar& value) {
  const double x = real_of(value);
  if (shape != MmaShape::m16n8k8_tf32 || !std::isfinite(x)) return x;
  return real_of(Scalar{Type::float32, (value.bits + 0x1000) & 0xffffe000});
}

using Matrix = std::array<std::array<double, 16>, 16>;

double& cell_of(Matrix& matrix, const Cell& cell) {
  return matrix[std::size_t(cell.row)][std::size_t(cell.column)];
}

// A B + C, a sum of exact products, rounded once.
Matrix product(const Matrix& a, const Matrix& b, const Matrix& c, std::int64_t steps) {
  Matrix d = c;
  for (std::size_t i = 0; i < 16; ++i)
    for (std::size_t j = 0; j < 8; ++j)
      for (std::size_t k = 0; k < std::size_t(steps); ++k) d[i][j] += a[i][k] * b[k][j];
  return d;
}

bool are_a_warp(const Lanes& lanes) {
  if (std::int64_t(lanes.size()) != threads_of_warp) return false;
  for (std::size_t n = 0; n < lanes.size(); ++n)
    if (lanes[n].thread != lanes[0].thread + std::int64_t(n)) return false;
  return lanes[0].thread % threads_of_warp == 0;
}

}  // namespace

void TreeInterpreter::execute(const Mma& s, Lanes& lanes) {
  doing_ = s.computation + " in a warp";
  if (!are_a_warp(lanes)) return find("divergent: not all 32 threads of a warp come to a product");
  Matrix a{}, b{}, c{};
  for (Lane& lane : lanes) {
    lane_ = &lane;
    const std::int64_t number = lane.thread % threads_of_warp;
    for (std::size_t n = 0; n < s.a.size(); ++n)
      cell_of(a, in_a(s.shape, number, std::int64_t(n))) = operand_value(s.shape, value(s.a[n]));
    for (std::size_t n = 0; n < s.b.size(); ++n)
      cell_of(b, in_b(s.shape, number, std::int64_t(n))) = operand_value(s.shape, value(s.b[n]));
    for (std::size_t n = 0; n < s.places.size(); ++n)
      cell_of(c, in_c(number, std::int64_t(n))) = real_of(load(s.buffer, integers(s.places[n])));
  }
  Matrix d = product(a, b, c, steps_of(s.shape));
  for (Lane& lane : lanes) {
    lane_ = &lane;
    for (std::size_t n = 0; n < s.places.size(); ++n) {
      const double sum = cell_of(d, in_c(lane.thread % threads_of_warp, std::int64_t(n)));
      store(s.buffer, {&lane, s.buffer, integers(s.places[n]), real_scalar(Type::float32, sum)});
    }
    record(s, lane);
  }
  doing_.clear();
}

// The instances that a thread's part stands for: those of its loops.
void TreeInterpreter::record(const Mma& s, const Lane& lane) {
  Lanes inside{lane};
  const Stmt* stmt = s.loops.get();
  while (const auto* loop = std::get_if<For>(stmt)) {
    Lanes next;
    const std::vector<Range> each = ranges(*loop, inside);
    for (std::size_t n = 0; n < inside.size(); ++n)
      for (std::int64_t v = each[n].lower; v < each[n].upper; ++v)
        next.push_back(at(inside[n], *loop, v));
    inside = std::move(next);
    stmt = loop->body.get();
  }
  const auto& one = std::get<Execute>(*stmt);
  for (Lane& each : inside) {
    lane_ = &each;
    result_.trace.push_back({one.computation, integers(one.instance), each.loops, each.position});
  }
}

}  // namespace strata::reference
