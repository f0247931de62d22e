#include "layers/verify/verify_products.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "layers/flow/reads.h"
#include "layers/mma_shape.h"

namespace strata {

namespace {

// The levels of a branch's loops that make the tile: g, t, ri, rj, k.
struct TileLevels {
  int row_group, column_pair, row, column, step;
};

class ProductBranch {
 public:
  ProductBranch(const Algorithm& algorithm, const Placed& placed, const Request& request)
      : algorithm_(algorithm),
        placed_(placed),
        request_(request),
        definition_(*algorithm.find(placed.branch->definition)) {}

  void verify() const {
    require_contribution();
    const TileLevels levels = require_loops();
    require_ranges(levels);
    require_layout(levels);
  }

  bool has_rows_first() const {
    const TileLevels levels = *find_levels();
    const auto [first, second] = operands();
    return is_function_of_rows(levels, first) && is_function_of_columns(levels, second);
  }

 private:
  Error refused(const std::string& what, const std::string& mend) const {
    return request_.refused(
        Code::E0106_bad_argument,
        name_of(*placed_.branch) + " cannot be a product on tensor cores: " + what, mend);
  }

  const MmaTraits& shape() const { return traits(*placed_.branch->mma); }
  const Loop& loop(int level) const { return *placed_.loops[std::size_t(level)]; }

  // The access of an operand, under a cast to float32; undefined if it is none.
  static Expr read_in(const Expr& operand) {
    const bool cast = operand.op() == Op::cast && operand.type() == f32;
    const Expr& e = cast ? operand.args()[0] : operand;
    return e.op() == Op::access ? e : Expr();
  }

  std::pair<Expr, Expr> operands() const {
    return {read_in(definition_.value.args()[0]), read_in(definition_.value.args()[1])};
  }

  void require_contribution() const {
    const Definition& d = definition_;
    const bool sums = d.reduction && d.reduction->kind == Reduction::sum && d.type == f32 &&
                      d.others.empty() && d.element.empty() && !d.predicate.defined() &&
                      !d.is_atomic;
    const bool product = sums && d.value.op() == Op::mul;
    const auto [a, b] = product ? operands() : std::pair<Expr, Expr>();
    if (!a.defined() || !b.defined())
      throw refused("it is not a float32 sum of products of two array elements",
                    "sum a(..) * b(..), each cast to float32 if it has 16 bits");
    for (const Expr& read : {a, b})
      if (read.type() != shape().operand)
        throw refused(read.name() + " has type " + to_string(read.type()) + ", and " +
                          shape().name + " multiplies " + to_string(shape().operand),
                      "tf32 multiplies float32, bf16 bfloat16, and f16 float16");
  }

  std::optional<TileLevels> find_levels() const {
    const int count = int(placed_.loops.size());
    int threads = count;
    while (threads-- > 0 && loop(threads).processor != Processor::thread) {
    }
    if (threads < 1 || loop(threads - 1).processor != Processor::thread || count - threads < 4)
      return std::nullopt;
    for (int level = count - 3; level < count; ++level)
      if (!in_order(loop(level).processor)) return std::nullopt;
    return TileLevels{threads - 1, threads, count - 3, count - 2, count - 1};
  }

  TileLevels require_loops() const {
    const auto levels = find_levels();
    if (!levels)
      throw refused("it has no three sequential or unrolled loops inside of two loops of threads",
                    "split the rows by 8 and the columns by 2, give the 8 and the 4 that result to "
                    "gpu_threads, and let 2 rows, 2 columns and " +
                        std::to_string(shape().depth) + " steps of the sum be the innermost loops");
    if (definition_.reduction->results >= int(definition_.iterators.size()))
      throw refused("it sums over no iterator", "reduce over one that both operands have");
    return *levels;
  }

  void require_range(int level, long size, const std::string& what) const {
    const isl::set values = one_level(executions(*placed_.branch), unsigned(level))
                                .range()
                                .intersect_params(algorithm_.context);
    const isl::val lowest = values.dim_min_val(0), highest = values.dim_max_val(0);
    if (values.is_empty() || (lowest.ge(0) && highest.lt(size))) return;
    throw refused("its loop " + loop(level).name + ", over " + what + ", runs outside of 0 .. " +
                      std::to_string(size - 1),
                  "split the rows by 16 and 8, the columns by 8 and 2, and the sum by " +
                      std::to_string(shape().depth));
  }

  void require_ranges(const TileLevels& levels) const {
    require_range(levels.row_group, 8, "threads of axis y");
    require_range(levels.column_pair, 4, "threads of axis x");
    require_range(levels.row, 2, "the rows of a thread");
    require_range(levels.column, 2, "the columns of a thread");
    require_range(levels.step, shape().depth, "the steps of the sum");
  }

  // { S[i] -> [pre, images] }: pre are the levels of its time that are not of the tile.
  isl::map seen(const TileLevels& levels, const std::vector<isl::aff>& images) const {
    const isl::multi_aff time = this->time();
    std::vector<isl::aff> all;
    for (int level = 0; level < levels.row; ++level)
      if (level != levels.row_group && level != levels.column_pair) all.push_back(time.at(level));
    all.insert(all.end(), images.begin(), images.end());
    isl::multi_aff change =
        time.space().domain().add_unnamed_tuple(unsigned(all.size())).zero_multi_aff();
    for (std::size_t n = 0; n < all.size(); ++n) change = change.set_at(int(n), all[n]);
    return executions(*placed_.branch)
        .intersect_params(algorithm_.context)
        .apply_range(change.as_map());
  }

  isl::multi_aff time() const {
    return isl::space::unit(algorithm_.context.ctx())
        .add_unnamed_tuple(unsigned(placed_.loops.size()))
        .identity_multi_aff_on_domain();
  }

  bool is_function(const isl::map& seen, const Expr& access) const {
    const AccessUse use{access, isl::set(definition_.domain)};
    const Elements elements =
        named_elements(definition_, use, unsigned(access.args().size()), request_);
    return !elements.may && seen.reverse().apply_range(elements.relation).is_single_valued();
  }

  bool is_function_of_rows(const TileLevels& levels, const Expr& access) const {
    const isl::multi_aff t = time();
    const isl::aff row = t.at(levels.row_group).add(t.at(levels.row).scale(8));
    return is_function(seen(levels, {row, t.at(levels.step)}), access);
  }

  bool is_function_of_columns(const TileLevels& levels, const Expr& access) const {
    const isl::multi_aff t = time();
    const isl::aff column = t.at(levels.column_pair).scale(2).add(t.at(levels.column));
    return is_function(seen(levels, {column, t.at(levels.step)}), access);
  }

  // { [pre, g, t, ri, rj] -> X[e] } is a function that differs in (ri, rj).
  bool has_sums_of_threads(const TileLevels& levels) const {
    const isl::multi_aff t = time();
    const isl::aff g = t.at(levels.row_group), pair = t.at(levels.column_pair);
    const isl::map sums = isl::map(definition_.defines);
    const isl::map tile = seen(levels, {g, pair, t.at(levels.row), t.at(levels.column)});
    const isl::map around = seen(levels, {g, pair});
    return tile.reverse().apply_range(sums).is_single_valued() &&
           around.range_product(sums).reverse().apply_range(tile).is_single_valued();
  }

  void require_layout(const TileLevels& levels) const {
    const auto [first, second] = operands();
    const bool as_written =
        is_function_of_rows(levels, first) && is_function_of_columns(levels, second);
    const bool swapped =
        !as_written && is_function_of_rows(levels, second) && is_function_of_columns(levels, first);
    if (!as_written && !swapped)
      throw refused(first.name() + " and " + second.name() + " are not read by row 8 " +
                        loop(levels.row).name + " + " + loop(levels.row_group).name +
                        " and by column 2 " + loop(levels.column_pair).name + " + " +
                        loop(levels.column).name + ", each at step " + loop(levels.step).name,
                    "split the rows by 8 and the columns by 2, and name the threads rows first");
    if (!has_sums_of_threads(levels))
      throw refused("a thread does not have one result for each of its 2 rows and 2 columns",
                    "let the innermost loop run over " + std::to_string(shape().depth) +
                        " steps of the sum, and ri and rj over results");
  }

  const Algorithm& algorithm_;
  const Placed& placed_;
  const Request& request_;
  const Definition& definition_;
};

}  // namespace

void verify_products(const Program& program, const Request& request) {
  for (const Placed& placed : branches(program.mapping))
    if (placed.branch->mma) ProductBranch(*program.algorithm, placed, request).verify();
}

bool has_rows_first(const Algorithm& algorithm, const Placed& placed) {
  return ProductBranch(algorithm, placed, Request{}).has_rows_first();
}

}  // namespace strata
