#include "codegen/halide/emit/matrix_product.h"

#include "codegen/halide/arithmetic/matrix_products.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

HType word() { return Halide::UInt(32); }

// Two elements of 16 bits, the first in the low half.
HExpr word_of_two(const HExpr& low, const HExpr& high, bool pairs) {
  const auto* first = low.as<hi::Load>();
  const auto* second = high.as<hi::Load>();
  const bool side_by_side = pairs && first && second && first->name == second->name &&
                            hi::is_const_one(first->predicate) &&
                            hi::is_const_one(second->predicate) &&
                            hi::is_const_one(hi::simplify(second->index - first->index));
  if (!side_by_side)
    return Halide::cast(word(), low) | (Halide::cast(word(), high) << Halide::cast(word(), 16));
  return Halide::reinterpret(
      word(),
      hi::Load::make(low.type().with_lanes(2), first->name,
                     hi::Ramp::make(first->index, hi::make_one(first->index.type()), 2),
                     first->image, first->param, hi::const_true(2), hi::ModulusRemainder()));
}

std::vector<HExpr> words_of(const std::vector<Expr>& loads, MmaShape shape,
                            ExpressionEmitter& expressions, bool pairs) {
  std::vector<HExpr> words, stored;
  for (const Expr& load : loads) stored.push_back(expressions.stored(load));
  if (shape == MmaShape::m16n8k8_tf32)
    for (const HExpr& value : stored) words.push_back(as_tf32(value));
  else
    for (std::size_t n = 0; n + 1 < stored.size(); n += 2)
      words.push_back(word_of_two(stored[n], stored[n + 1], pairs));
  return words;
}

// "m16n8k8_tf32"
std::string name_of(MmaShape shape) {
  return (traits(shape).depth == 8 ? "m16n8k8_" : "m16n8k16_") + to_string(shape);
}

}  // namespace

HStmt matrix_product(const Mma& s, const BufferView& sums, ExpressionEmitter& expressions,
                     const std::string& name, bool pairs) {
  std::vector<HExpr> places, before;
  for (const std::vector<Expr>& place : s.places) {
    places.push_back(sums.position(expressions.indices(place)));
    before.push_back(hi::Load::make(type_in_memory(sums.type), sums.symbol, places.back(),
                                    Halide::Buffer<>(), Halide::Parameter(), hi::const_true(),
                                    hi::ModulusRemainder()));
  }
  const HExpr product = matrix_product(name_of(s.shape), words_of(s.a, s.shape, expressions, pairs),
                                       words_of(s.b, s.shape, expressions, pairs), before);
  const HExpr results = hi::Variable::make(product.type(), name);
  std::vector<HStmt> stores;
  for (std::size_t n = 0; n < places.size(); ++n)
    stores.push_back(
        hi::Store::make(sums.symbol, hi::Shuffle::make_extract_element(results, int(n)), places[n],
                        Halide::Parameter(), hi::const_true(), hi::ModulusRemainder()));
  return hi::LetStmt::make(name, product, hi::Block::make(stores));
}

}  // namespace strata::halide
