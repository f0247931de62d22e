// Rule "rows": computes everything that belongs to a row, or to a block of rows, of the last
// computation inside its loop over rows: softmax, attention, layer norm.
//
//   for the loops around rows: for blocks of rows: for each computation C in order:
//     for the rows of the block: C
//
// Sums run in lanes of contributions, and the end of the row adds the lanes (rfactor). Products run
// in register tiles, as in the rule "product", inside their reader, or in an array of their own
// that each tile copies.
#include <algorithm>
#include <set>

#include "automatic/rules/rules.h"

namespace strata::automatic {

namespace {

using Strings = std::vector<std::string>;

bool is_product(const Member& m) { return product_of(m).has_value(); }

// The number of first loops that are the same for all members. The last one of them runs over rows.
// At least one loop of the last member is left for columns, if it has two.
std::size_t depth_of(const Place& place) {
  std::size_t depth = std::max<std::size_t>(place.back()->results - 1, 1);
  for (const Member* m : place)
    for (const Member* other : place)
      if (!m->reads_of(other->array()).empty()) depth = std::min(depth, shared_rows(*other, *m));
  return depth;
}

// Is the place a product and a computation that reads it once? The rule "product" takes these.
bool is_one_product(const Place& place) {
  return place.size() == 2 && is_product(*place[0]) && is_pointwise(*place[0], *place[1]);
}

// Do all reads among the members stay in the same row, and do only members read them, apart from
// the last one, which is a product if it is a sum? And is any of them a sum?
bool shares_rows(const Place& place) {
  if (place.size() < 2 || place.back()->results == 0) return false;
  if (place.back()->is_sum() && !is_product(*place.back())) return false;
  const std::size_t depth = depth_of(place);
  if (depth == 0 || is_one_product(place)) return false;
  std::set<std::string> names;
  for (const Member* m : place) names.insert(m->name);
  bool has_sum = false;
  for (const Member* m : place) {
    if (!m->is_pure || m->results < depth || (is_product(*m) && m->results != depth + 1))
      return false;
    has_sum |= m->is_sum();
    if (m == place.back()) continue;
    if (m->is_output) return false;
    for (const std::string& reader : m->readers)
      if (!names.count(reader)) return false;
  }
  return has_sum;
}

struct RowBlock {
  int rows, columns;  // columns of products' tiles; 0 without products
  int vectors;        // of partial sums

  std::string text() const {
    std::string text = rows == 1 ? "one row" : "blocks of " + std::to_string(rows) + " rows";
    if (columns) text += ", products in tiles of " + std::to_string(columns) + " columns";
    return text + (vectors > 1 ? ", " + std::to_string(vectors) + " vectors of sums" : "");
  }
};

class Rows {
 public:
  Rows(Draft& draft, const Setting& setting, const Place& place, const RowBlock& block)
      : draft_(draft),
        setting_(setting),
        place_(place),
        block_(block),
        last_(*place.back()),
        depth_(depth_of(place)) {}

  void write() {
    for (const Member* m : place_)
      if (m->is_sum() && !is_product(*m)) in_lanes(*m);
    make_block();
    for (std::size_t n = place_.size() - 1; n-- > 0;) put_into_block(*place_[n]);
    for (const Member* m : place_)
      if (is_product(*m)) tile(*m);
    for (const Member* m : place_)
      if (m != &last_ && !m->is_sum() && !tiled_.count(m->name)) along_memory(*m, own_loop(*m, 1));
    along_memory(last_, columns_);
    for (std::size_t l = 0; l + 1 < depth_; ++l)
      draft_.parallel.push_back({last_.name, last_.iterator(l)});
    draft_.parallel.push_back({last_.name, outer_});
  }

 private:
  int lanes_of(const Member& m) const { return setting_.machine.lanes(m.definition->type); }

  std::string own_loop(const Member& m, std::size_t from_end) const {
    const Strings all = draft_.loops(m.name);
    return all[all.size() - from_end];
  }

  const Member* only_reader(const Member& m) const {
    return m.readers.size() == 1 ? setting_.facts.find(m.readers.front()) : nullptr;
  }
  bool is_pointwise_product(const Member& m) const {
    const Member* reader = only_reader(m);
    return is_product(m) && reader && !reader->is_sum() && is_pointwise(m, *reader);
  }

  // What reads the member is in the block already.
  void put_into_block(const Member& m) {
    if (!is_pointwise_product(m))
      draft_.give("compute_at", {m.name, LoopRef{last_.name, outer_}});
    else if (only_reader(m) != &last_)
      tile_reader(m, *product_of(m), *only_reader(m));
  }

  void in_lanes(const Member& m) {
    if (setting_.exact && is_float(m.definition->type)) return;
    if (m.results == 0 || !m.adds_in_parts()) return;
    for (std::size_t l = depth_; l < m.results; ++l)
      if (m.count(l) != 1) return;
    const std::size_t k = m.definition->iterators.size() - 1;
    for (const Access* read : m.reads())
      if (!read->is_contiguous(k) && !read->is_invariant(k)) return;
    const int lanes = lanes_of(m), vectors = block_.vectors;
    const std::string lane = draft_.fresh("lane"), part = draft_.fresh(m.name + "_part");
    draft_.give("split", {LoopRef{m.name, m.iterator(k)}, lanes * vectors, m.iterator(k), lane});
    draft_.give("rfactor", {LoopRef{m.name, lane}, part});
    if (vectors > 1) {
      draft_.give("vectorize", {LoopRef{part, lane}, lanes, lane, draft_.fresh("v")});
      draft_.unroll(part, lane, "");
    } else {
      draft_.give("vectorize", {LoopRef{part, lane}});
    }
    draft_.give("compute_at", {part, LoopRef{m.name, m.iterator(m.results - 1)}});
  }

  void make_block() {
    const std::string row = last_.iterator(depth_ - 1);
    columns_ = last_.definition->iterators.back();
    outer_ = row;
    const auto in_last = [&](const Member* m) {
      return is_pointwise_product(*m) && only_reader(*m) == &last_;
    };
    const auto product = std::find_if(place_.begin(), place_.end(), in_last);
    if (product != place_.end()) {
      const std::string column = last_.iterator((*product)->results - 1);
      outer_ = draft_.fresh(row + "0"), tiles_ = draft_.fresh(column + "0");
      columns_ = draft_.fresh(column + "1");
      draft_.give("tile", {LoopRef{last_.name, row}, LoopRef{last_.name, column}, block_.rows,
                           block_.columns, outer_, tiles_, draft_.fresh(row + "1"), columns_});
      for (const Member* m : place_)
        if (in_last(m)) draft_.give("compute_at", {m->name, LoopRef{last_.name, tiles_}});
    } else if (block_.rows > 1) {
      outer_ = draft_.fresh(row + "0");
      draft_.give("split",
                  {LoopRef{last_.name, row}, block_.rows, outer_, draft_.fresh(row + "1")});
    }
  }

  // Puts a product into registers: in the tiles of its reader, or in tiles that it copies.
  void tile(const Member& m) {
    const ProductFacts facts = *product_of(m);
    const Strings own = own_loops(m, m.name);
    if (is_pointwise_product(m)) {
      in_registers(m, m.name, own[facts.row], own[facts.column]);
      if (!facts.by_column->is_contiguous(facts.column)) turned(m.name, facts);
      return;
    }
    const std::string row = own[facts.row], column = own[facts.column];
    const std::string tiles = draft_.fresh(column + "0"), in = draft_.fresh(column + "1");
    const std::string sums = draft_.fresh(m.name + "_sums");
    draft_.give("split", {LoopRef{m.name, column}, block_.columns, tiles, in});
    draft_.order(m.name, {tiles, row});
    const Strings copied = draft_.fresh_iterators(m.results);
    draft_.give("copy_at", {LoopRef{m.name, tiles}, sums, copied});
    in_registers(m, sums, row, in);
    draft_.vectors(m.name, copied[facts.column], lanes_of(m));
    tiled_.insert(m.name);
    if (!facts.by_column->is_contiguous(facts.column)) turned(sums, facts);
  }

  // The innermost loops of the member or of its sums, as many as it has iterators: those of its own
  // iterators, or of what they were cut into.
  Strings own_loops(const Member& m, const std::string& computation) const {
    const Strings all = draft_.loops(computation);
    return {all.end() - std::ptrdiff_t(m.definition->iterators.size()), all.end()};
  }

  // For the contributions: for the rows, for vectors of columns, unrolled: the sums.
  void in_registers(const Member& m, const std::string& sums, const std::string& row,
                    const std::string& column) {
    Strings order = own_loops(m, sums);
    std::erase_if(order, [&](const std::string& loop) { return loop == row || loop == column; });
    order.insert(order.end(), {row, column});
    draft_.order(sums, order);
    draft_.vectors(sums, column, lanes_of(m), "mask");
    draft_.unroll(sums, column, "guard");
    draft_.unroll(sums, row, "guard");
  }
  void tile_reader(const Member& m, const ProductFacts& facts, const Member& reader) {
    const Strings all = draft_.loops(reader.name);
    const std::size_t own = all.size() - reader.definition->iterators.size();
    const std::string row = all[own + facts.row], column = all[own + facts.column];
    const std::string tiles = draft_.fresh(column + "0"), in = draft_.fresh(column + "1");
    draft_.give("split", {LoopRef{reader.name, column}, block_.columns, tiles, in});
    draft_.order(reader.name, {tiles, row});
    draft_.give("compute_at", {m.name, LoopRef{reader.name, tiles}});
    along_memory(reader, in);
  }

  // { turned[j, d] -> turned[d, j] }, once for the kernel.
  void turned(const std::string& sums, const ProductFacts& facts) {
    const Access& read = *facts.by_column;
    const Strings its = draft_.fresh_iterators(read.at.size());
    std::size_t q = 0;
    while (q + 1 < its.size() && read.along[facts.column][q] != 1) ++q;
    draft_.turned_copy({sums, draft_.loops(sums).front()}, read.array, its, q);
  }

  void along_memory(const Member& m, const std::string& loop) {
    if (m.definition->iterators.size() < 2 || !tiled_.insert(m.name).second) return;
    if (!m.statement.write().is_contiguous(m.results - 1)) return;
    draft_.vectors(m.name, loop, lanes_of(m));
  }

  Draft& draft_;
  const Setting& setting_;
  const Place& place_;
  const RowBlock block_;
  const Member& last_;
  const std::size_t depth_;
  std::string outer_, tiles_, columns_;
  std::set<std::string> tiled_;
};

// The tile of products is the machine's, or a narrow one if a product has few columns.
std::vector<RegisterTile> tiles_for(const Setting& setting, const Place& place) {
  const Type type = place.back()->definition->type;
  const int lanes = setting.machine.lanes(type);
  const RegisterTile best = setting.machine.product_tile(type);
  bool is_narrow = false;
  for (const Member* m : place)
    if (const auto facts = product_of(*m)) is_narrow |= m->count(facts->column) < best.columns;
  if (!is_narrow) return {best};
  return {best, {best.rows, lanes}, {4, lanes}, {8, 2 * lanes}};
}

std::vector<RowBlock> blocks_for(const Setting& setting, const Place& place) {
  const bool has_product =
      std::any_of(place.begin(), place.end(), [](const Member* m) { return is_product(*m); });
  std::vector<RowBlock> blocks;
  for (const int vectors : {4, 1}) {
    if (has_product)
      for (const RegisterTile& t : tiles_for(setting, place))
        blocks.push_back({t.rows, t.columns, vectors});
    else
      for (const int rows : {1, 4}) blocks.push_back({rows, 0, vectors});
  }
  return blocks;
}

}  // namespace

std::vector<Place> rows_places(const Setting&, const std::vector<const Member*>& free) {
  std::vector<Place> places;
  for (auto& set : connected(free))
    if (shares_rows(set)) places.push_back(std::move(set));
  return places;
}

std::vector<Candidate> rows_candidates(const Setting& setting, const Place& place) {
  if (setting.machine.lanes(place.back()->definition->type) < 2) return {};
  std::vector<Candidate> made;
  for (const RowBlock& block : blocks_for(setting, place))
    made.push_back({block.text(), [&setting, place, block](Draft& draft) {
                      Rows(draft, setting, place, block).write();
                    }});
  return made;
}

}  // namespace strata::automatic
