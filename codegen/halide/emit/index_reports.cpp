#include "codegen/halide/emit/index_reports.h"

#include <algorithm>

#include "codegen/entry/index_range.h"
#include "codegen/halide/emit/device_buffer.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

// The content of a cell before an index is recorded. An index up to this number is recorded as the
// number after it.
constexpr std::int64_t empty_cell = -(std::int64_t{1} << 62);

HExpr whole_number(std::int64_t value) { return HExpr(value); }

HExpr load(const std::string& cell, const HExpr& lane) {
  return hi::Load::make(Halide::Int(64), cell, lane, Halide::Buffer<>(), Halide::Parameter(),
                        hi::const_true(), hi::ModulusRemainder());
}

HStmt store(const std::string& cell, const HExpr& value, const HExpr& lane) {
  return hi::Store::make(cell, value, lane, Halide::Parameter(), hi::const_true(),
                         hi::ModulusRemainder());
}

HExpr note(const IndexCheck& check) {
  return Halide::max(check.index, whole_number(empty_cell + 1));
}

}  // namespace

std::size_t IndexReports::cell(const IndexCheck& check, int lanes) {
  auto found = std::find_if(cells_.begin(), cells_.end(),
                            [&](const Cell& cell) { return cell.what == check.what; });
  if (found == cells_.end()) found = cells_.insert(found, {check.what, check.lower, check.upper});
  found->lanes = std::max(found->lanes, lanes);
  return std::size_t(found - cells_.begin());
}

HStmt IndexReports::noted(const std::vector<IndexCheck>& checks, const LanePosition& where,
                          const HStmt& statement) {
  std::vector<HStmt> all;
  for (const IndexCheck& check : checks) {
    const std::string own = name(cell(check, where.lanes));
    all.push_back(
        store(own, Halide::select(check.bad, note(check), load(own, where.lane)), where.lane));
  }
  all.push_back(statement);
  return hi::Block::make(all);
}

HStmt IndexReports::around(const HStmt& body, const std::string& kernel) const {
  HStmt out = body;
  for (std::size_t n = 0; n < cells_.size(); ++n) out = around(cells_[n], name(n), out, kernel);
  return out;
}

// The kernel fails if the cell is not empty.
HStmt IndexReports::tested(const Cell& cell, const HExpr& content, const std::string& kernel) {
  const HExpr failed =
      hi::Call::make(Halide::Int(32), "strata_index_out_of_range",
                     {kernel, cell.what, content, cell.lower, cell.upper}, hi::Call::Extern);
  return hi::AssertStmt::make(content == whole_number(empty_cell), failed);
}

HStmt IndexReports::around(const Cell& cell, const std::string& name, const HStmt& body,
                           const std::string& kernel) const {
  std::vector<HStmt> all;
  HExpr worst = load(name, whole_number(0));
  for (int lane = 0; lane < cell.lanes; ++lane) {
    all.push_back(store(name, whole_number(empty_cell), whole_number(lane)));
    if (lane > 0) worst = Halide::max(worst, load(name, whole_number(lane)));
  }
  all.push_back(body);
  all.push_back(tested(cell, worst, kernel));
  return hi::Allocate::make(name, Halide::Int(64), Halide::MemoryType::Stack, {cell.lanes},
                            hi::const_true(), hi::Block::make(all));
}

HStmt IndexReports::noted_in_launch(const std::vector<IndexCheck>& checks, const HStmt& statement) {
  const std::string cells = symbol_on_device(name_);
  std::vector<HStmt> all;
  for (const IndexCheck& check : checks) {
    const HExpr own = whole_number(std::int64_t(cell(check, 1)));
    all.push_back(hi::IfThenElse::make(check.bad, store(cells, note(check), own)));
  }
  all.push_back(statement);
  return hi::Block::make(all);
}

HStmt IndexReports::around_launches(const HStmt& body, const std::string& kernel,
                                    Halide::DeviceAPI device) const {
  if (cells_.empty()) return body;
  const auto count = std::int64_t(cells_.size());
  const Allocate what{
      name_,   Type::int64, {constant(Type::int64, 0)}, {constant(Type::int64, count)},
      nullptr, Memory::heap};
  const Allocation cells(what, {whole_number(0)}, {whole_number(count)});
  std::vector<HStmt> all;
  for (std::int64_t n = 0; n < count; ++n)
    all.push_back(store(cells.symbol(), whole_number(empty_cell), whole_number(n)));
  all.push_back(copy_between({Transfer::to_device, name_}, kernel, device));
  all.push_back(body);
  all.push_back(copy_between({Transfer::to_host, name_}, kernel, device));
  for (std::int64_t n = 0; n < count; ++n)
    all.push_back(tested(cells_[std::size_t(n)], load(cells.symbol(), whole_number(n)), kernel));
  return with_temporary_on_device(cells, name_, kernel, device, true, hi::Block::make(all));
}

HExpr have_elements(const Kernel& kernel, const Scope& scope) {
  HExpr all = hi::const_true();
  ExpressionEmitter expressions(scope);
  for (const IndexExpression& x : index_expressions(kernel))
    visit(x.e, [&](const Expr& e) {
      if (e.op() != Op::checked) return;
      all = all && expressions.index(e.args()[1]) < expressions.index(e.args()[2]);
    });
  return hi::simplify(hi::common_subexpression_elimination(all));
}

}  // namespace strata::halide
