#include "codegen/loops/scan.h"

#include <isl/ast.h>
#include <isl/ast_build.h>
#include <isl/id.h>
#include <isl/schedule.h>
#include <isl/schedule_node.h>
#include <isl/set.h>

#include <algorithm>

#include "codegen/loops/isl_expr.h"
#include "core/sets/coalesce.h"

namespace strata {

namespace {

isl::multi_id tuple_of_one(const isl::set& context, int depth) {
  const isl::space space = context.space().add_unnamed_tuple(1);
  return isl::multi_id(space, isl::id_list(make_id(context.ctx(), iterator_name(depth))));
}

// There are two names, since isl makes a second loop inside the first if it does not see that an
// iteration of its schedule is one iteration of the nest, as in
// { [c] -> [t] : 20t <= 19M + 8c < 20t + 20 and .. }.
isl::id_list loop_names(isl::ctx ctx) {
  return isl::id_list(make_id(ctx, "#")).add(make_id(ctx, "#'"));
}

// A schedule of one band with one member, { [t] -> [t] }.
isl::schedule band(const isl::set& iterations, bool one_piece) {
  const isl::multi_aff identity = iterations.space().identity_multi_aff_on_domain();
  const isl::multi_union_pw_aff schedule(isl::pw_aff(identity.at(0)).to_union_pw_aff());
  const auto root = isl::schedule::from_domain(iterations.to_union_set()).root();
  auto node = root.first_child().insert_partial_schedule(schedule);
  if (one_piece)
    node = isl::manage(
        isl_schedule_node_band_member_set_ast_loop_type(node.copy(), 0, isl_ast_loop_atomic));
  return node.schedule();
}

// Each user node is annotated with the number of its piece.
LoopAst generated(const isl::set& remaining, const isl::set& context, bool one_piece) {
  LoopAst result;
  const auto annotated = [&](const isl::ast_node& node, const isl::ast_build& at) {
    const isl::id number = make_id(node.ctx(), std::to_string(result.pieces.size()));
    result.pieces.push_back(at.schedule().domain().as_set());
    return isl::manage(isl_ast_node_set_annotation(node.copy(), number.copy()));
  };
  const auto build = isl::manage(isl_ast_build_set_iterators(
      isl::ast_build::from_context(context).release(), loop_names(context.ctx()).release()));
  result.root = build.set_at_each_domain(annotated).node_from(band(remaining, one_piece));
  if (result.pieces.size() == 1) result.pieces[0] = remaining;  // without what isl adds
  return result;
}

// Is each t of "one" less than each of "other", for the same parameters?
bool is_before(const isl::set& one, const isl::set& other) {
  isl_map* pairs = isl_map_from_domain_and_range(one.copy(), other.copy());
  return isl::manage(isl_map_order_ge(pairs, isl_dim_in, 0, isl_dim_out, 0)).is_empty();
}

}  // namespace

// isl does not check the names of ids made directly, so these cannot clash with an author's names.
std::string iterator_name(int depth) { return "#" + std::to_string(depth); }

isl::multi_id iterator_tuple(const isl::set& times) {
  isl::id_list ids(times.ctx(), 0);
  for (int d = 0; d < int(times.tuple_dim()); ++d)
    ids = ids.add(make_id(times.ctx(), iterator_name(d)));
  return isl::multi_id(times.space(), ids);
}

isl::set bound(const isl::set& times) { return times.bind(iterator_tuple(times)); }

isl::set without_iterator(const isl::set& set, int depth) {
  const isl::id iterator = make_id(set.ctx(), iterator_name(depth));
  return coalesced(isl::manage(isl_set_compute_divs(set.project_out_param(iterator).release())));
}

isl::set beyond(const isl::set& set, const isl::set& context) {
  if (set.n_basic_set() == 1) return set.gist(context);
  const isl::set both = coalesced(set.intersect(context));
  return coalesced(isl::manage(isl_set_remove_redundancies(both.copy())).gist(context));
}

std::optional<std::vector<isl::set>> pieces_in_order(const isl::set& iterations, int depth,
                                                     const isl::set& context) {
  const isl::multi_id iterator = tuple_of_one(context, depth);
  std::vector<isl::set> left, ordered;
  for (const isl::basic_set& one : disjuncts(iterations.intersect(context)))
    left.push_back(isl::set(one).unbind_params(iterator));
  while (!left.empty()) {
    const auto first = std::ranges::find_if(left, [&](const isl::set& one) {
      return std::ranges::all_of(
          left, [&](const isl::set& other) { return &one == &other || is_before(one, other); });
    });
    if (first == left.end()) return std::nullopt;
    ordered.push_back(first->bind(iterator));
    left.erase(first);
  }
  return ordered;
}

std::string iterator_of(const isl::ast_node_for& loop) {
  return isl::manage(isl_ast_expr_get_id(loop.iterator().get())).name();
}

Scan::Scan(LoopAsts& asts, const isl::set& iterations, int depth, const isl::set& context,
           bool one_piece)
    : context_(context), iterator_(tuple_of_one(context, depth)) {
  const isl::set remaining = beyond(iterations, context).unbind_params(iterator_);
  ast_ = &asts.of(isl::manage(isl_set_drop_unused_params(remaining.copy())), context, one_piece);
}

// For one basic set isl does not need the context.
const LoopAst& LoopAsts::of(const isl::set& remaining, const isl::set& context, bool one_piece) {
  const bool simple = remaining.n_basic_set() == 1;
  const isl::set known = simple ? isl::set::universe(remaining.params().space()) : context;
  const std::uint32_t hash = isl_set_get_hash(remaining.get());
  const auto [first, last] = known_.equal_range(hash);
  for (auto entry = first; entry != last; ++entry) {
    const Known& other = entry->second;
    if (other.one_piece == one_piece &&
        isl_set_plain_is_equal(other.remaining.get(), remaining.get()) &&
        isl_set_plain_is_equal(other.context.get(), known.get()))
      return other.ast;
  }
  Known made{remaining, known, one_piece, generated(remaining, known, one_piece)};
  made.ast.without_context = simple && made.ast.pieces.size() == 1;
  return known_.emplace(hash, std::move(made))->second.ast;
}

// The statement is a call of the (nameless) tuple: its only argument is the iterator.
isl::ast_expr Scan::iterator_at(const isl::ast_node& user) const {
  const isl::ast_expr call = user.as<isl::ast_node_user>().expr();
  return isl::manage(isl_ast_expr_get_op_arg(call.get(), 1));
}

const isl::set& Scan::piece(const isl::ast_node& user) const {
  const isl::id number = isl::manage(isl_ast_node_get_annotation(user.get()));
  return ast_->pieces[std::size_t(std::stoi(number.name()))];
}

isl::set Scan::checked_at(const isl::ast_node& user) const {
  if (ast_->without_context) return piece(user).bind(iterator_);
  return isl::set::universe(context_.space());
}

isl::set Scan::context_at(const isl::ast_node& user) const {
  return piece(user).bind(iterator_).intersect(context_);  // parameters in the order of the context
}

}  // namespace strata
