// Values of computations that were declared earlier.
#include <algorithm>

#include "core/sets/coalesce.h"
#include "layers/define/build_parts.h"
#include "layers/define/meaning.h"
#include "layers/flow/reads.h"
#include "layers/verify/verify_algorithm.h"

namespace strata {

namespace {

bool holds_reduction(const Expr& value) {
  bool found = false;
  visit(value, [&](const Expr& e) { found |= e.op() == Op::reduce; });
  return found;
}

// Defines a declared computation with a value that contains reductions:
//
//     for i: x(i)    ~>    for i: { x_init(i); for k: x(i) += e(i, k) }        the value is a sum
//     for i: x(i)    ~>    for i: { x_sum_init(i); for k: x_sum(i) += e(i, k);
//                                   x(i) = v(i, x_sum(i)) }                    it contains sums
//
// So e may read x of earlier iterations of its loops, in the reference order and in the schedule.
class Defining {
 public:
  Defining(const Program& program, const std::string& name, const Request& request)
      : program_(program),
        request_(request),
        algorithm_(*program.algorithm),
        name_(name),
        declared_(*program.algorithm->find(name)) {}

  Program with(const Expr& value) {
    if (value.op() == Op::reduce)
      become_reduction(meaning_of(value));
    else
      algorithm_.edit(name_).value = value_of_results(value);
    return completed(std::move(program_), std::move(algorithm_), request_);
  }

 private:
  void insert_before(const Definition& d) {
    algorithm_.definitions.insert(place_of(algorithm_, name_), d);
  }

  Definition contributions(const Definition& result, const Meaning& meaning) {
    ExactRange needed;
    const Definition whole = contributions_of(program_, result, meaning, needed, request_);
    assume_exact(algorithm_, needed);
    return whole;
  }

  void become_reduction(const Meaning& meaning) {
    const Definition initial = initial_for(declared_, meaning);
    const Definition whole = contributions(declared_, meaning);
    algorithm_.edit(name_) = whole;
    insert_before(initial);
    put_before(algorithm_.reference, Node{identity_branch(initial)});
    replace(algorithm_.reference, nest(whole));
    replace(program_.mapping, nest(whole));
  }

  // "value" with its reductions replaced by reads of their results.
  Expr value_of_results(const Expr& value) {
    if (declared_.inferred)
      throw request_.refused(Code::E0112_unbounded_domain,
                             name_ + " has an inferred domain, but its value contains reductions",
                             "give its iterators ranges");
    visit(value, [&](const Expr& e) {
      if (e.op() == Op::reduce) require_no_reduction_inside(e);
    });
    std::vector<std::pair<std::string, Expr>> reductions;
    const Expr result = rewrite(value, [&](const Expr& e) -> Expr {
      if (e.op() != Op::reduce) return {};
      reductions.emplace_back(new_name(e), e);
      std::vector<Expr> indices;
      for (const std::string& i : declared_.iterators) indices.push_back(variable(i));
      return access(reductions.back().first, e.type(), indices);
    });
    for (const auto& [name, reduction] : reductions) add_reduction(name, reduction, result);
    return result;
  }

  void require_no_reduction_inside(const Expr& reduction) const {
    if (!holds_reduction(reduction.args()[0])) return;
    const std::string kind = to_string(reduction.node().reduction);
    throw request_.refused(Code::E0117_unsupported_expression,
                           "a reduction is nested in a " + kind + " in the value of " + name_,
                           "make the inner one a separate computation, and read that here");
  }

  std::string new_name(const Expr& reduction) {
    const std::string name = name_ + "_" + to_string(reduction.node().reduction);
    names_.push_back(name);
    const auto same = std::count(names_.begin(), names_.end(), name);
    return same == 1 ? name : name + std::to_string(same);
  }

  // The instances of the reduction are the instances of x that read its result.
  void add_reduction(const std::string& name, const Expr& reduction, const Expr& value) {
    require_new_array(program_, name, request_);
    Definition frame = declared_;
    frame.name = frame.array = name;
    frame.type = reduction.type();
    frame.domain = InstanceSet::from(with_tuple_name(instances_reading(name, value), name));
    frame.given_ranges = with_tuple_name(*frame.given_ranges, name);
    frame.defines =
        ValueRelation::from(isl::map(frame.defines).set_domain_tuple(name).set_range_tuple(name));
    const Meaning meaning = meaning_of(reduction);
    const Definition initial = initial_for(frame, meaning);
    const Definition whole = contributions(frame, meaning);
    insert_before(initial);
    insert_before(whole);
    put_before(algorithm_.reference, Node{identity_branch(initial)});
    put_before(algorithm_.reference, nest(whole));
    put_before(program_.mapping, nest(whole));
  }

  Definition initial_for(const Definition& result, const Meaning& meaning) const {
    require_new_name(algorithm_, result.name + "_init", request_);
    return initial_of(result, meaning.identities);
  }

  isl::set instances_reading(const std::string& array, const Expr& value) const {
    Definition reading = declared_;
    reading.value = value;
    isl::set all = isl::set::empty(isl::set(declared_.domain).space());
    for (const AccessUse& use : accesses(reading))
      if (use.access.name() == array) all = all.unite(use.where);
    const isl::set domain = declared_.domain;
    return domain.is_subset(all) ? domain : coalesced(domain.intersect(all));
  }

  // The reduction's branch, inside loops over the reduced iterators.
  Node nest(const Definition& reduction) const {
    const auto& all = reduction.iterators;
    return in_loops(sequential_loops({all.begin() + reduction.reduction->results, all.end()}),
                    identity_branch(reduction));
  }

  Path place(const Mapping& forest) const { return branches_of(forest, name_).front().path; }

  void put_before(Mapping& forest, Node node) const {
    const Path path = place(forest);
    auto& siblings = siblings_at(forest, path);
    siblings.insert(siblings.begin() + path.back(), std::move(node));
  }

  void replace(Mapping& forest, Node node) const {
    node_at(forest, place(forest)) = std::move(node);
  }

  Program program_;
  const Request& request_;
  Algorithm algorithm_;
  const std::string name_;
  const Definition declared_;
  std::vector<std::string> names_;
};

void require_untouched(const Program& program, const std::string& definition,
                       const Request& request) {
  if (program.scheduled)
    throw request.refused(Code::E0106_bad_argument,
                          "a command was given before the reduction in " + definition,
                          "give " + definition + " its value before the first command");
}

}  // namespace

Program with_value(const Program& program, const std::string& definition, const Expr& value,
                   const Request& request) {
  Algorithm algorithm = *program.algorithm;
  const Definition* found = algorithm.find(definition);
  if (!found)
    throw request.refused(Code::E0101_unknown_computation, "there is no computation " + definition,
                          "define a computation that this function declared");
  if (found->value.defined())
    throw request.refused(Code::E0104_name_taken, definition + " has a value already",
                          "use update to redefine its elements");
  const Expr whole = converted(value, found->type, definition, request);
  if (holds_reduction(whole)) {
    require_untouched(program, definition, request);
    return Defining(program, definition, request).with(whole);
  }
  algorithm.edit(definition).value = whole;
  return completed(program, std::move(algorithm), request);
}

}  // namespace strata
