#include "layers/define/build.h"

#include <algorithm>

#include "core/expr/expr_typing.h"
#include "layers/affine/affine.h"
#include "layers/define/build_parts.h"
#include "layers/verify/verify_algorithm.h"

namespace strata {

Program with_algorithm(Program program, Algorithm algorithm) {
  program.algorithm = std::make_shared<const Algorithm>(std::move(algorithm));
  return program;
}

void require_parameters_known(const Algorithm& algorithm, const Expr& e, const std::string& what,
                              const Request& request) {
  if (!e.defined())
    throw request.refused(Code::E0106_bad_argument, what + " is an undefined Expr",
                          "give it an expression");
  if (const ExprNode* mistake = find_invalid(e))
    throw request.refused(mistake->code, mistake->name);
  visit(e, [&](const Expr& node) {
    const auto& known = algorithm.parameters;
    if (node.op() == Op::parameter &&
        std::find(known.begin(), known.end(), node.name()) == known.end())
      throw request.refused(
          Code::E0101_unknown_computation,
          what + " uses " + node.name() + ", which is not a parameter of this function",
          "declare it with param(\"" + node.name() + "\") on this function");
  });
  verify_handles(algorithm, e, what, request);
}

namespace {

void require_no_buffer(const Program& program, const std::string& name, const Request& request) {
  if (program.layout.find(name))
    throw request.refused(Code::E0104_name_taken, "there is a buffer called " + name,
                          "choose another name");
}

}  // namespace

void require_new_array(const Program& program, const std::string& name, const Request& request) {
  require_new_name(*program.algorithm, name, request);
  require_no_buffer(program, name, request);
}

isl::set results_of(const isl::set& instances, unsigned results, const std::string& name) {
  isl_set* set =
      isl_set_project_out(instances.copy(), isl_dim_set, results, instances.tuple_dim() - results);
  return with_tuple_name(isl::manage(set), name);
}

std::vector<Loop> sequential_loops(const std::vector<std::string>& names) {
  std::vector<Loop> loops;
  for (const std::string& name : names) loops.push_back(Loop{LoopHead{{name}}});
  return loops;
}

std::size_t place_of(const Algorithm& algorithm, const std::string& definition) {
  const auto& all = algorithm.definitions;
  std::size_t place = 0;
  while (place < all.size() && all[place].name != definition) ++place;
  return place;
}

void allocate_in(Mapping& mapping, const Path& loop, const std::string& buffer) {
  for (const Loop* around : loops_along(mapping, loop))
    if (has_lanes(around->processor)) return;
  if (!loop.empty()) node_at(mapping, loop).loop().allocations.push_back(buffer);
}

Branch identity_branch(const Definition& d) {
  auto identity = isl::set(d.domain).space().identity_multi_aff_on_domain().as_map();
  isl_map* time = isl_map_reset_tuple_id(identity.release(), isl_dim_out);
  return {d.name, TimeMap::from(isl::manage(time)), d.domain};
}

Program new_program(std::shared_ptr<Session> session, const std::string& name,
                    const Request& request) {
  if (!is_identifier(name))
    throw request.refused(Code::E0105_bad_name, "\"" + name + "\" cannot name a function",
                          "use letters, digits and _, and no keyword");
  Algorithm algorithm;
  algorithm.owner = std::make_shared<const Maker>(Maker{name});
  algorithm.context = Context::from(isl::set(session->isl(), "{ : }"));
  return {session, name, std::make_shared<const Algorithm>(algorithm), {}, {}, {}, {}};
}

Program with_parameter(const Program& program, const std::string& name, const Request& request) {
  Algorithm algorithm = *program.algorithm;
  require_new_name(algorithm, name, request);
  algorithm.parameters.push_back(name);
  return with_algorithm(program, std::move(algorithm));
}

namespace {

// { in[e] : e the indices, over parameters }
isl::set named_element(const InputArray& input, const std::vector<Expr>& indices,
                       const Request& request) {
  isl::set element = isl::set(input.domain).space().universe_set();
  const std::size_t rank = element.tuple_dim();
  if (indices.size() != rank)
    throw request.refused(Code::E0109_wrong_arity,
                          input.name + " takes " + std::to_string(rank) +
                              (rank == 1 ? " index" : " indices") + ", not " +
                              std::to_string(indices.size()),
                          "give one index for each dimension");
  const IteratorScope scope{element.space(), std::vector<std::string>(rank)};
  for (std::size_t d = 0; d < rank; ++d) {
    const auto index = affine(indices[d], scope);
    if (!index)
      throw request.refused(Code::E0111_not_affine,
                            "index " + std::to_string(d) + " of " + input.name +
                                " is not an affine function of the parameters" +
                                why_not_affine(indices[d]),
                            "use sums, products by constants, / and % by constants of parameters");
    const auto own = isl::manage(isl_pw_aff_var_on_domain(
        isl_local_space_from_space(scope.space.copy()), isl_dim_set, unsigned(d)));
    element = element.intersect(own.eq_set(*index));
  }
  return element;
}

}  // namespace

Program with_size(const Program& program, const std::string& name, const Expr& element,
                  const Request& request) {
  require_parameters_known(*program.algorithm, element, "the element", request);
  const InputArray* input =
      element.op() == Op::access ? program.algorithm->find_input(element.name()) : nullptr;
  if (!input || !is_integer(input->type))
    throw request.refused(
        Code::E0106_bad_argument, name + " is not an element of an integer input",
        "write param(\"" + name + "\", in(0)), where in is an input of this function");
  if (input->by_value)
    throw request.refused(Code::E0106_bad_argument,
                          input->name + " is a scalar, which is an argument itself",
                          "declare the parameter as an argument, param(\"" + name + "\")");
  const isl::set read = named_element(*input, element.args(), request);
  if (!read.intersect_params(program.algorithm->context).is_subset(input->domain))
    throw request.refused(Code::E0113_read_outside_domain,
                          name + " is read from an element that may be outside " + input->name,
                          "change the index or the extents of " + input->name +
                              ", or assume that the index is inside");
  Program after = with_parameter(program, name, request);
  Algorithm algorithm = *after.algorithm;
  algorithm.sizes.push_back({name, element});
  return with_algorithm(after, std::move(algorithm));
}

Program with_assumption(const Program& program, const Expr& condition, const Request& request) {
  Algorithm algorithm = *program.algorithm;
  require_parameters_known(algorithm, condition, "the assumption", request);
  const IteratorScope scope = scope_of(program.session->isl(), "", {});
  auto holds = affine_condition(condition, scope);
  if (!holds)
    throw request.refused(
        Code::E0111_not_affine,
        "the assumption is not an affine condition on the parameters" + why_not_affine(condition),
        "compare sums, products by constants and remainders by constants");
  algorithm.context = Context::from(isl::set(algorithm.context).intersect(holds->params()));
  if (isl::set(algorithm.context).is_empty())
    throw request.refused(Code::E0106_bad_argument, "no parameter values satisfy all assumptions",
                          "assume a condition that some parameter values satisfy");
  algorithm.assumed.push_back(condition);
  return with_algorithm(program, std::move(algorithm));
}

namespace {

// The box with these extents; E0101, E0106 or E0111 if an extent is not affine in the parameters.
isl::set box_given(const Program& program, const std::string& name,
                   const std::vector<Expr>& extents, const Request& request) {
  for (std::size_t d = 0; d < extents.size(); ++d) {
    const std::string what = "extent " + std::to_string(d) + " of " + name;
    require_parameters_known(*program.algorithm, extents[d], what, request);
    if (!box_of(program.session->isl(), name, {extents[d]}))
      throw request.refused(
          Code::E0111_not_affine,
          what + " is not an affine function of the parameters" + why_not_affine(extents[d]),
          "use sums, products by constants, / and % by constants of parameters");
  }
  return *box_of(program.session->isl(), name, extents);
}

// Extents given as C++ numbers become int64: 34, not 34i32.
void as_numbers(std::vector<Expr>& extents) {
  for (Expr& extent : extents) extent = fitted(extent, i64).value_or(extent);
}

}  // namespace

Program with_input(const Program& program, const std::string& name, Type type,
                   const std::vector<Expr>& extents, const Request& request) {
  Algorithm algorithm = *program.algorithm;
  require_new_array(program, name, request);
  const isl::set domain = box_given(program, name, extents, request);
  algorithm.inputs.push_back({name, type, InstanceSet::from(domain)});
  Program after = with_algorithm(program, std::move(algorithm));
  after.layout.buffers.push_back({name, type, int(extents.size()), BufferRole::input});
  const auto identity = domain.space().identity_multi_aff_on_domain();
  after.layout.store.emplace(name, AccessRelation::from(identity.as_map()));
  return after;
}

Program with_partition(const Program& program, const std::string& name, const Expr& size,
                       const Request& request) {
  Algorithm algorithm = *program.algorithm;
  require_new_name(algorithm, name, request);
  std::vector<Expr> extents{size};
  box_given(program, name, extents, request);
  as_numbers(extents);
  algorithm.partitions.push_back({name, extents[0]});
  return with_algorithm(program, std::move(algorithm));
}

Program with_scalar(const Program& program, const std::string& name, Type type,
                    const Request& request) {
  Program after = with_input(program, name, type, {}, request);
  Algorithm algorithm = *after.algorithm;
  algorithm.inputs.back().by_value = true;
  return with_algorithm(after, std::move(algorithm));
}

Program with_buffer(const Program& program, const LayoutBuffer& buffer, const Request& request) {
  require_buffer_name(buffer.name, request);
  require_no_buffer(program, buffer.name, request);
  box_given(program, buffer.name, buffer.extents, request);
  Program after = program;
  after.layout.buffers.push_back(buffer);
  as_numbers(after.layout.buffers.back().extents);
  return after;
}

Program with_extents(const Program& program, const std::string& buffer,
                     const std::vector<Expr>& extents, const Request& request) {
  Program after = program;
  for (LayoutBuffer& b : after.layout.buffers) {
    if (b.name != buffer) continue;
    if (extents.size() != std::size_t(b.dimensions))
      throw request.refused(Code::E0109_wrong_arity,
                            buffer + " has " + std::to_string(b.dimensions) + " dimensions, not " +
                                std::to_string(extents.size()),
                            "give one extent for each dimension of the buffer");
    box_given(program, buffer, extents, request);
    b.extents = extents;
    as_numbers(b.extents);
  }
  return after;
}

}  // namespace strata
