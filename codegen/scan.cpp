#include "codegen/scan.h"

#include <isl/ast.h>
#include <isl/ast_build.h>
#include <isl/id.h>
#include <isl/schedule.h>
#include <isl/schedule_node.h>
#include <isl/set.h>

#include "codegen/isl_expr.h"

namespace strata {

namespace {

isl::multi_id tuple_of_one(const isl::set& context, int depth) {
  const isl::space space = context.space().add_unnamed_tuple(1);
  return isl::multi_id(space, isl::id_list(make_id(context.ctx(), iterator_name(depth))));
}

// isl names a second loop inside the first where it does not see that an iteration of its schedule
// is one of ours, as in { [c] -> [t] : 20t <= 19M + 8c < 20t + 20 and .. }.
isl::id_list loop_names(isl::ctx ctx) {
  return isl::id_list(make_id(ctx, "#")).add(make_id(ctx, "#'"));
}

// One band of one member, { [t] -> [t] }.
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

// What "set" says beyond "context", in the fewest constraints: min(8, N - 8i) is N - 8i where the
// context has N < 8i + 8.
isl::set beyond(const isl::set& set, const isl::set& context) {
  const isl::set both = set.intersect(context).coalesce();
  return isl::manage(isl_set_remove_redundancies(both.copy())).gist(context).coalesce();
}

}  // namespace

// isl's own rules for names do not hold for ids that are made, so no author's name is in the way.
std::string iterator_name(int depth) { return "#" + std::to_string(depth); }

isl::multi_id iterator_tuple(const isl::set& times) {
  isl::id_list ids(times.ctx(), 0);
  for (int d = 0; d < int(times.tuple_dim()); ++d)
    ids = ids.add(make_id(times.ctx(), iterator_name(d)));
  return isl::multi_id(times.space(), ids);
}

isl::set bound(const isl::set& times) { return times.bind(iterator_tuple(times)); }

std::string iterator_of(const isl::ast_node_for& loop) {
  return isl::manage(isl_ast_expr_get_id(loop.iterator().get())).name();
}

Scan::Scan(const isl::set& iterations, int depth, const isl::set& context, bool one_piece)
    : context_(context), iterator_(tuple_of_one(context, depth)) {
  const isl::set news = beyond(iterations, context);
  const isl::set known = news.n_basic_set() == 1 ? isl::set::universe(context.space()) : context;
  auto build = isl::manage(isl_ast_build_set_iterators(
      isl::ast_build::from_context(known).release(), loop_names(context.ctx()).release()));
  build = build.set_at_each_domain(
      [this](const isl::ast_node& node, const isl::ast_build& at) { return annotated(node, at); });
  root_ = build.node_from(band(news.unbind_params(iterator_), one_piece));
}

isl::ast_node Scan::annotated(const isl::ast_node& node, const isl::ast_build& build) {
  const isl::set here = build.schedule().domain().as_set();
  const isl::id number = make_id(node.ctx(), std::to_string(contexts_.size()));
  contexts_.push_back(context_.intersect(here.bind(iterator_)));
  return isl::manage(isl_ast_node_set_annotation(node.copy(), number.copy()));
}

// The statement is a call of the (nameless) tuple: its one argument is the iterator.
isl::ast_expr Scan::iterator_at(const isl::ast_node& user) const {
  const isl::ast_expr call = user.as<isl::ast_node_user>().expr();
  return isl::manage(isl_ast_expr_get_op_arg(call.get(), 1));
}

const isl::set& Scan::context_at(const isl::ast_node& user) const {
  const isl::id number = isl::manage(isl_ast_node_get_annotation(user.get()));
  return contexts_[std::size_t(std::stoi(number.name()))];
}

}  // namespace strata
