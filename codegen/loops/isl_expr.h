// From isl's expressions to Strata's.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/expr/expr.h"
#include "core/sets/relation.h"

namespace strata {

// Accepts any text as a name, unlike isl::id's own constructor, which parses.
isl::id make_id(isl::ctx ctx, const std::string& name);
// The tuple [name].
isl::multi_id tuple_of_one(isl::ctx ctx, const std::string& name);
// { : -> name }, a parameter, in the space of "set".
isl::pw_aff parameter_named(const isl::set& set, const std::string& name);
std::string tuple_name(const isl::set& set);
std::string range_tuple_name(const isl::map& map);

// The expression for a name in an isl expression: a parameter, an iterator.
using Names = std::function<Expr(const std::string&)>;

// Conditions become booleans, everything else int64. isl's kinds of division (exact, of a
// non-negative dividend, towards minus infinity, remainder compared with zero) are all special
// cases of Strata's division, which rounds towards minus infinity.
Expr to_expr(const isl::ast_expr& e, const Names& names);

// The functions f of a single-valued relation { S[i] -> b[f(i)] }, over variables of the given
// names, one per dimension of S. "domain" = { S[i] : the arguments that occur }; if it is empty,
// each f is zero.
std::vector<Expr> functions(const isl::map& relation, const isl::set& domain,
                            const std::vector<std::string>& iterators);

// "f", a function of the parameters, extended by zero to all of "context".
isl::pw_aff or_zero(const isl::pw_aff& f, const isl::set& context);

// A function of the parameters, { [] -> f : context }.
Expr parametric(const isl::pw_aff& f, const isl::set& context);

}  // namespace strata
