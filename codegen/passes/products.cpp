#include "codegen/passes/products.h"

#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "codegen/passes/launches.h"
#include "codegen/tree/index_math.h"
#include "codegen/tree/launch_axes.h"
#include "codegen/tree/thread_variable.h"

namespace strata {

namespace {

// The threads of a warp on axes x and y.
constexpr std::int64_t warp_threads[] = {4, 8};

// The three loops and the contribution inside; null if "s" is not that.
struct ProductTile {
  const For *rows = nullptr, *columns = nullptr, *steps = nullptr;
  const Execute* update = nullptr;
};

const For* counted_loop(const StmtPtr& s, std::int64_t extent) {
  const auto* loop = std::get_if<For>(s.get());
  const bool fits = loop && loop->extent == extent && as_constant(loop->lower) == 0 &&
                    in_order(loop->processor) && !loop->section;
  return fits ? loop : nullptr;
}

const Execute* marked_inside(const StmtPtr& s) {
  const Stmt* at = s.get();
  while (const auto* loop = std::get_if<For>(at)) at = loop->body.get();
  const auto* execute = std::get_if<Execute>(at);
  return execute && execute->mma ? execute : nullptr;
}

std::optional<ProductTile> product_tile(const StmtPtr& s) {
  ProductTile tile;
  tile.update = marked_inside(s);
  if (!tile.update) return std::nullopt;
  tile.rows = counted_loop(s, 2);
  if (tile.rows) tile.columns = counted_loop(tile.rows->body, 2);
  if (tile.columns)
    tile.steps = counted_loop(tile.columns->body, traits(tile.update->mma->shape).depth);
  if (!tile.steps || !std::holds_alternative<Execute>(*tile.steps->body)) return std::nullopt;
  return tile;
}

// The load under a cast, if its indices depend on iterators alone; else undefined.
Expr plain_load(Expr e) {
  if (e.op() == Op::cast) e = e.args()[0];
  bool plain = e.op() == Op::load;
  if (!plain) return {};
  for (const Expr& index : e.args())
    visit(index, [&](const Expr& part) {
      plain = plain && part.op() != Op::load && part.op() != Op::checked && part.op() != Op::call;
    });
  return plain ? e : Expr();
}

using AtValues = std::map<std::string, Expr>;

Expr at_values(const Expr& e, const AtValues& values) {
  return simplified(substitute(e, [&](const std::string& name) {
    const auto known = values.find(name);
    return known == values.end() ? Expr() : known->second;
  }));
}

std::vector<Expr> at_values(const std::vector<Expr>& all, const AtValues& values) {
  std::vector<Expr> result;
  for (const Expr& e : all) result.push_back(at_values(e, values));
  return result;
}

Expr load_at(const Expr& e, const AtValues& values) {
  return load(e.name(), e.type(), at_values(e.args(), values));
}

Expr literal(std::int64_t value) { return constant(i64, value); }

// The elements that a thread brings: for each half of the steps, and each of two rows, the adjacent
// steps that belong to t.
Mma fragments(const ProductTile& tile, const Expr& a, const Expr& b, const Expr& g, const Expr& t) {
  const std::int64_t depth = traits(tile.update->mma->shape).depth, beside = depth / 8;
  Mma made{tile.update->mma->shape, tile.update->computation, tile.update->buffer, {}, {}, {}, {}};
  const std::string &row = tile.rows->variable, &column = tile.columns->variable,
                    &step = tile.steps->variable;
  for (std::int64_t n = 0; n < 4; ++n)
    made.places[std::size_t(n)] =
        at_values(tile.update->indices,
                  {{row, literal(n / 2)}, {column, literal(n % 2)}, {step, literal(0)}});
  const auto step_of = [&](std::int64_t half, std::int64_t n) {
    return t * beside + half * depth / 2 + n;
  };
  for (std::int64_t half = 0; half < 2; ++half) {
    for (std::int64_t r = 0; r < 2; ++r)
      for (std::int64_t n = 0; n < beside; ++n)
        made.a.push_back(
            load_at(a, {{row, literal(r)}, {column, literal(0)}, {step, step_of(half, n)}}));
    for (std::int64_t n = 0; n < beside; ++n)
      made.b.push_back(load_at(
          b, {{t.name(), g / 2}, {row, literal(0)}, {column, g % 2}, {step, step_of(half, n)}}));
  }
  return made;
}

class Products {
 public:
  StmtPtr stmt(const StmtPtr& s) {
    if (const auto* loop = std::get_if<For>(s.get())) return in_loop(*loop, s);
    if (const auto* branch = std::get_if<If>(s.get()))
      return inside(s, together_ && !parts_warp(branch->condition));
    if (const auto* buffer = std::get_if<Allocate>(s.get());
        buffer && buffer->memory == Memory::local) {
      of_threads_.insert(buffer->buffer);
      const StmtPtr result = inside(s, together_);
      of_threads_.erase(buffer->buffer);
      return result;
    }
    return inside(s, together_);
  }

 private:
  StmtPtr in_loop(const For& loop, const StmtPtr& s) {
    if (const StmtPtr product = find_product(s)) return product;
    const auto before = std::pair(whole_warps_, warp_);
    if (loop.processor == Processor::block && !whole_warps_) {
      const auto threads = threads_in(loop.body);
      whole_warps_ =
          threads.size() >= 2 && threads[0] == warp_threads[0] && threads[1] == warp_threads[1];
    }
    if (loop.processor == Processor::thread) {
      const std::size_t axis = axis_of(loop);
      if (axis < 2 && loop.extent == warp_threads[axis] && as_constant(loop.lower) == 0)
        warp_[axis] = loop.variable;
    }
    const bool parts =
        has_lanes(loop.processor) || parts_warp(loop.lower) || parts_warp(loop.upper);
    const StmtPtr result = inside(s, together_ && !parts);
    std::tie(whole_warps_, warp_) = before;
    return result;
  }

  StmtPtr inside(const StmtPtr& s, bool together) {
    const bool before = std::exchange(together_, together);
    StmtPtr result = with_insides(*s, [this](const StmtPtr& part) { return stmt(part); });
    together_ = before;
    return result;
  }

  // May "e" differ between the threads of a warp?
  bool parts_warp(const Expr& e) const {
    bool parts = false;
    visit(e, [&](const Expr& part) {
      parts = parts || part.op() == Op::load || part.op() == Op::call ||
              (part.op() == Op::variable &&
               (part.name() == warp_[0] || part.name() == warp_[1] ||
                part.name() == thread_variable(0) || part.name() == thread_variable(1)));
    });
    return parts;
  }

  StmtPtr find_product(const StmtPtr& s) const {
    if (!whole_warps_ || !together_ || warp_[0].empty() || warp_[1].empty()) return nullptr;
    const auto tile = product_tile(s);
    if (!tile) return nullptr;
    const Expr& value = tile->update->value;
    const Expr before = load(tile->update->buffer, f32, tile->update->indices);
    if (value.op() != Op::add || !same(value.args()[0], before)) return nullptr;
    const Expr& product = value.args()[1];
    if (product.op() != Op::mul) return nullptr;
    const bool first = tile->update->mma->a_is_first;
    const Expr a = plain_load(product.args()[first ? 0 : 1]);
    const Expr b = plain_load(product.args()[first ? 1 : 0]);
    if (!a.defined() || !b.defined() || of_threads_.count(b.name())) return nullptr;
    Mma made = fragments(*tile, a, b, variable(warp_[1]), variable(warp_[0]));
    made.loops = s;
    return make_stmt(std::move(made));
  }

  std::array<std::string, 2> warp_;   // the variables of the threads of a warp, axes x and y
  bool whole_warps_ = false;          // has the block exactly these threads on axes x and y?
  bool together_ = true;              // do all threads of a warp come here?
  std::set<std::string> of_threads_;  // the buffers around that each thread has for itself
};

}  // namespace

Kernel with_products(const Kernel& kernel) {
  return with_bodies(kernel, [](const StmtPtr& body) { return Products().stmt(body); });
}

}  // namespace strata
