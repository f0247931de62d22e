// Rule "product": keeps the sums of a tile in registers.
//
//   s[i, j] += x[i, k] y[k, j]      i = "row", j = "column", in any number of loops
//
//     for column tiles, other results, row tiles (or column tiles inside):
//       for the contributions: for the tile's rows and vectors of columns, unrolled: s
//       for the tile: the reader of s alone, or a copy of s
//
// Products that have one reader share its tiles.
//
// A window is a sum of a constant number of contributions, as a depthwise convolution or a pool. It
// runs in the same tiles, with the contributions unrolled, so that rows share what they read.
//
// "panel" is a copy of what a column of tiles reads of y. "strips" is a copy of x in which the rows
// of a tile are neighbours. "turned" is y, stored with its columns along memory, as a panel is.
#include <algorithm>
#include <map>

#include "automatic/rules/rules.h"

namespace strata::automatic {

namespace {

using Strings = std::vector<std::string>;

struct Shape {
  int rows, columns;
  bool columns_outside = false, panel = false, strips = false;
  bool is_window = false;

  std::string text() const {
    std::string text = std::to_string(rows) + " x " + std::to_string(columns);
    text = (is_window ? "windows in tiles of " : "tiles of ") + text;
    if (columns_outside) text += ", columns outside";
    if (panel) text += ", a panel";
    if (strips) text += ", strips";
    return text;
  }
};

// Tiles of r rows of v vectors, as in Machine::product_tile, the best tile first. In panels they
// are as wide as fits in without crossing a border.
std::vector<RegisterTile> tiles(const Machine& machine, Type type, std::int64_t panel) {
  const int lanes = machine.lanes(type), least = machine.fma_latency * machine.fma_units;
  const RegisterTile best = machine.product_tile(type);
  std::vector<RegisterTile> all;
  for (int v = 1; v <= 4; ++v)
    for (int r = 2; r <= 14; ++r)
      if (r * v + v + 1 <= machine.vector_registers && r * v >= least &&
          (r != best.rows || v * lanes != best.columns))
        all.push_back({r, v * lanes});
  // The fewest instructions for each sum.
  const auto cost = [&](const RegisterTile& t) { return 1.0 / t.rows + double(lanes) / t.columns; };
  std::stable_sort(all.begin(), all.end(),
                   [&](const RegisterTile& a, const RegisterTile& b) { return cost(a) < cost(b); });
  all.insert(all.begin(), best);
  int widest = 0;
  for (const RegisterTile& t : all)
    if (panel > 0 && panel % t.columns == 0) widest = std::max(widest, t.columns);
  if (widest > 0) std::erase_if(all, [&](const RegisterTile& t) { return t.columns != widest; });
  constexpr std::size_t most = 5;
  if (all.size() > most) all.resize(most);
  return all;
}

// A sum of at most so many contributions, in tiles of its last two loops over results.
constexpr std::int64_t largest_window = 25;
std::optional<ProductFacts> window_of(const Member& m) {
  if (!m.is_sum() || !m.is_pure || m.results < 2 || product_of(m)) return std::nullopt;
  if (m.statement.iterations(m.results, m.statement.loops.size()) > largest_window)
    return std::nullopt;
  const std::size_t column = m.results - 1;
  if (!m.statement.write().is_contiguous(column) || m.gathers_along(column)) return std::nullopt;
  for (const Access* read : m.reads())
    if (read->is_contiguous(column)) return ProductFacts{column - 1, column, read, read};
  return std::nullopt;
}

std::optional<ProductFacts> tiled_sum(const Member& m) {
  const auto facts = product_of(m);
  return facts ? facts : window_of(m);
}

// The only reader, if it reads each result once, at the place where it writes.
const Member* pointwise_reader(const Facts& facts, const Member& product) {
  if (product.readers.size() != 1) return nullptr;
  const Member* reader = facts.find(product.readers.front());
  return reader && reader->is_pure && !reader->is_sum() && is_pointwise(product, *reader) ? reader
                                                                                          : nullptr;
}

// Is what is read by column stored across the columns?
bool is_turned(const ProductFacts& facts) {
  return facts.by_column->dense_stride(facts.column) == 0;
}

// Several products of one reader share its tiles.
struct TiledSum {
  const Member* product;
  ProductFacts facts;
};

class Product {
 public:
  Product(Draft& draft, const std::vector<TiledSum>& products, const Member* reader,
          const Shape& shape, int lanes)
      : draft_(draft),
        products_(products),
        reader_(reader),
        shape_(shape),
        lanes_(lanes),
        anchor_(reader ? *reader : *products.front().product) {
    turn_to(products.front());
  }

  void write() {
    tile();
    for (const TiledSum& one : products_) {
      turn_to(one);
      sums();
    }
    if (reader_)
      finish_reader();
    else
      draft_.vectors(product_->name, copied_[facts_->column], lanes_);
    if (shape_.columns_outside) draft_.parallel.push_back({anchor_.name, c0_});
    for (const std::string& loop : others_) draft_.parallel.push_back({anchor_.name, loop});
    draft_.parallel.push_back({anchor_.name, r0_});
  }

 private:
  void turn_to(const TiledSum& one) { product_ = one.product, facts_ = &one.facts; }

  // Computes the product in tiles.
  void sums() {
    if (reader_)
      sums_inside();
    else
      sums_apart();
    copies();
    draft_.vectors(sums_, column_, lanes_, "mask");
    draft_.unroll(sums_, column_, "guard");
    draft_.unroll(sums_, row_, "guard");
    if (shape_.is_window) unroll_contributions();
  }

  // The loops over contributions, from the outermost: later dimensions of x move in inner loops, so
  // that x is read in the order of memory.
  std::vector<std::size_t> contributions() const {
    const auto moved = [&](std::size_t loop) {
      const Point& steps = facts_->by_row->along[loop];
      return std::find_if(steps.rbegin(), steps.rend(), [](auto step) { return step != 0; }) -
             steps.rend();
    };
    std::vector<std::size_t> loops;
    for (std::size_t l = product_->results; l < product_->definition->iterators.size(); ++l)
      loops.push_back(l);
    std::stable_sort(loops.begin(), loops.end(),
                     [&](std::size_t a, std::size_t b) { return moved(a) > moved(b); });
    return loops;
  }

  // others, row, column -> [c0] others r0 [c0] r1 c1
  void tile() {
    const std::string& name = anchor_.name;
    const std::string row = anchor_.iterator(facts_->row),
                      column = anchor_.iterator(facts_->column);
    for (std::size_t l = 0; l < anchor_.results; ++l)
      if (l != facts_->row && l != facts_->column) others_.push_back(anchor_.iterator(l));
    Strings order = others_;
    order.insert(order.end(), {row, column});
    if (!reader_)
      for (const std::size_t k : contributions()) order.push_back(product_->iterator(k));
    draft_.order(name, order);
    r0_ = draft_.fresh(row + "0"), c0_ = draft_.fresh(column + "0");
    r1_ = draft_.fresh(row + "1"), c1_ = draft_.fresh(column + "1");
    draft_.give("tile", {LoopRef{name, row}, LoopRef{name, column}, shape_.rows, shape_.columns,
                         r0_, c0_, r1_, c1_});
    inner_ = c0_;
    if (!shape_.columns_outside) return;
    Strings outside{c0_};
    outside.insert(outside.end(), others_.begin(), others_.end());
    outside.push_back(r0_);
    draft_.order(name, outside);
    inner_ = r0_;
  }

  // Computes the product in the tiles of its reader.
  void sums_inside() {
    sums_ = product_->name;
    draft_.give("compute_at", {sums_, LoopRef{anchor_.name, inner_}});
    const Strings all = draft_.loops(sums_);
    const Strings own(all.end() - std::ptrdiff_t(product_->definition->iterators.size()),
                      all.end());
    row_ = own[facts_->row], column_ = own[facts_->column];
    Strings order;
    for (std::size_t l = 0; l < product_->results; ++l)
      if (l != facts_->row && l != facts_->column) order.push_back(own[l]);
    for (const std::size_t k : contributions()) order.push_back(own[k]);
    order.insert(order.end(), {row_, column_});
    draft_.order(sums_, order);
  }

  // Computes the product in an array of its own, which the tile copies.
  void sums_apart() {
    sums_ = draft_.fresh(product_->name + "_sums");
    copied_ = draft_.fresh_iterators(product_->results);
    draft_.give("copy_at", {LoopRef{product_->name, inner_}, sums_, copied_});
    row_ = r1_, column_ = c1_;
    Strings order;
    for (const std::size_t k : contributions()) order.push_back(product_->iterator(k));
    order.insert(order.end(), {row_, column_});
    draft_.order(sums_, order);
  }

  void unroll_contributions() {
    for (const std::size_t k : contributions())
      if (draft_.has_constant_extent(sums_, product_->iterator(k)))
        draft_.unroll(sums_, product_->iterator(k), "");
  }

  void copies() {
    if (shape_.panel) panel();
    if (shape_.strips) strips();
    if (is_turned(*facts_) && !shape_.panel) turned();
  }

  // The outermost loop, from which on copies for the whole kernel are read.
  std::string outermost() const {
    return shape_.columns_outside ? c0_ : others_.empty() ? r0_ : others_.front();
  }

  void panel() {
    const Strings its = draft_.fresh_iterators(facts_->by_column->at.size());
    const std::string copy = draft_.fresh("panel");
    draft_.give("cache_at", {LoopRef{sums_, c0_}, facts_->by_column->array, copy, its});
    if (is_turned(*facts_))
      draft_.store_in_panels(copy, its, *facts_->by_column->dimension_along(facts_->column), 0);
    draft_.vectors(copy, its.back(), lanes_, "mask");
    if (draft_.has_constant_extent(copy, its.back())) draft_.unroll(copy, its.back(), "guard");
  }

  // { strips[.., i, .., k] -> strips[i / rows, .., k, i % rows] }
  void strips() {
    const Strings its = draft_.fresh_iterators(facts_->by_row->at.size());
    const std::size_t q = *facts_->by_row->dimension_along(facts_->row);
    const std::string copy = draft_.fresh("strips"), in = draft_.fresh("r");
    draft_.give("cache_at", {LoopRef{sums_, outermost()}, facts_->by_row->array, copy, its});
    draft_.give("compute_at", {copy, OutsideLoops{}});
    draft_.store_in_panels(copy, its, q, shape_.rows);
    draft_.give("split", {LoopRef{copy, its[q]}, shape_.rows, its[q], in});
    Strings order{its[q]};
    order.insert(order.end(), its.begin() + std::ptrdiff_t(q) + 1, its.end());
    order.push_back(in);
    draft_.order(copy, order);
    draft_.unroll(copy, in, "separate");
    if (q + 1 < its.size()) draft_.vectors(copy, its.back(), lanes_);
    draft_.parallel.push_back({copy, its[q]});
  }

  // { turned[.., j, .., k] -> turned[j / columns, .., k, j % columns] }: what a tile reads is in
  // one piece.
  void turned() {
    const Strings its = draft_.fresh_iterators(facts_->by_column->at.size());
    const std::size_t q = *facts_->by_column->dimension_along(facts_->column);
    draft_.turned_copy({sums_, outermost()}, facts_->by_column->array, its, q, shape_.columns);
  }

  void finish_reader() {
    draft_.vectors(anchor_.name, c1_, lanes_, "separate");
    draft_.unroll(anchor_.name, c1_, "separate");
    draft_.unroll(anchor_.name, r1_, "separate");
  }

  Draft& draft_;
  const std::vector<TiledSum>& products_;
  const Member* reader_;
  const Shape shape_;
  const int lanes_;
  const Member& anchor_;
  const Member* product_ = nullptr;
  const ProductFacts* facts_ = nullptr;
  Strings others_, copied_;
  std::string r0_, c0_, r1_, c1_, inner_;
  std::string sums_, row_, column_;
};

// Can the copies of this shape be made, and are they enough? A copy takes all reads of its array,
// so x has one copy if it is y, too. If the reader of s replaces x or y by its results, tiles read
// copies. What is in panels already needs no copy in a panel.
bool has_copies(const ProductFacts& facts, const Member* reader, const Shape& shape) {
  const Access &x = *facts.by_row, &y = *facts.by_column;
  const bool turned = is_turned(facts);
  const auto is_replaced = [&](const Access& operand) {
    return reader && operand.buffer == reader->statement.write().buffer;
  };
  if (shape.panel && !shape.columns_outside) return false;
  if (shape.panel && !turned && !y.is_contiguous(facts.column)) return false;
  if (shape.panel && facts.panel > 0 && !is_replaced(y)) return false;
  if (shape.strips && !x.dimension_along(facts.row)) return false;
  if (shape.strips && x.array == y.array && (shape.panel || turned)) return false;
  if (is_replaced(x) && !shape.strips) return false;
  return !is_replaced(y) || turned || shape.panel;
}

// Can these products be computed in the same tiles of their reader?
bool share_tiles(const Member& a, const Member& b) {
  const auto of_a = product_of(a), of_b = product_of(b);
  return of_a && of_b && of_a->row == of_b->row && of_a->column == of_b->column &&
         a.definition->type == b.definition->type && a.adds_in_parts() == b.adds_in_parts();
}

// The products of a place, in the order of definition.
std::vector<TiledSum> products_of(const Place& place) {
  std::vector<TiledSum> products;
  for (const Member* m : place)
    if (m->is_sum()) products.push_back({m, *tiled_sum(*m)});
  return products;
}

// Is what is read by column stored so that it can be loaded, or copied, in vectors of columns?
bool has_vectors_of_columns(const ProductFacts& facts) {
  return !is_turned(facts) || facts.by_column->dimension_along(facts.column);
}

}  // namespace

std::vector<Place> product_places(const Setting& setting, const std::vector<const Member*>& free) {
  std::vector<Place> places;
  std::map<const Member*, std::size_t> readers;  // the place of each
  for (const Member* m : free) {
    if (!tiled_sum(*m) || readers.count(m)) continue;
    const Member* reader = pointwise_reader(setting.facts, *m);
    if (!reader || !std::count(free.begin(), free.end(), reader)) {
      places.push_back({m});
    } else if (const auto [found, is_new] = readers.emplace(reader, places.size()); is_new) {
      places.push_back({m, reader});
    } else {
      Place& shared = places[found->second];
      if (share_tiles(*shared.front(), *m))
        shared.insert(shared.end() - 1, m);
      else
        places.push_back({m});
    }
  }
  return places;
}

std::vector<Candidate> product_candidates(const Setting& setting, const Place& place) {
  const std::vector<TiledSum> products = products_of(place);
  const Member& product = *products.front().product;
  const Member* reader = place.back()->is_sum() ? nullptr : place.back();
  const ProductFacts facts = products.front().facts;
  const int lanes = setting.machine.lanes(product.definition->type);
  std::vector<Candidate> made;
  if (lanes < 2 || !product.adds_in_parts()) return made;
  if (!std::all_of(products.begin(), products.end(),
                   [](const TiledSum& one) { return has_vectors_of_columns(one.facts); }))
    return made;
  const auto add = [&](const Shape& shape) {
    made.push_back({shape.text(), [products, reader, shape, lanes](Draft& draft) {
                      Product(draft, products, reader, shape, lanes).write();
                    }});
  };
  const auto has_all_copies = [&](const Shape& shape) {
    return std::all_of(products.begin(), products.end(),
                       [&](const TiledSum& one) { return has_copies(one.facts, reader, shape); });
  };
  if (!product_of(product)) {
    for (const int rows : {1, 2, 4, 8})
      for (const int vectors : {1, 2})
        add({.rows = rows, .columns = vectors * lanes, .is_window = true});
    return made;
  }
  if (product.count(facts.row) == 1)  // a row alone: memory decides, and vectors side by side
    for (const int vectors : {4, 8}) add({.rows = 1, .columns = vectors * lanes});
  for (const auto& [rows, columns] : tiles(setting.machine, product.definition->type, facts.panel))
    for (const bool outside : {true, false})
      for (const bool panel : {true, false})
        for (const bool strips : {true, false}) {
          const Shape shape{rows, columns, outside, panel, strips};
          if (has_all_copies(shape)) add(shape);
        }
  return made;
}

}  // namespace strata::automatic
