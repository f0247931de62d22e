#include "layers/define/step_copy.h"

#include <fmt/format.h>
#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

#include "layers/define/build.h"
#include "layers/define/build_parts.h"
#include "layers/flow/reads.h"

namespace strata {

namespace {

class StepCopy {
 public:
  StepCopy(const Program& program, const std::string& reader, const std::string& name,
           const std::vector<std::string>& iterators, const Request& request)
      : program_(program),
        update_(*program.algorithm->find(reader)),
        name_(name),
        iterators_(iterators),
        rank_(rank_of(*program.algorithm, update_.array)),
        request_(request) {
    const std::size_t most = update_.iterators.size();
    if (iterators.size() <= rank_ || iterators.size() - rank_ > most)
      throw request.refused(
          Code::E0109_wrong_arity,
          fmt::format(
              "{} copies what it reads of {} in each step of its outer loops, 1 to {}, with "
              "{} indices: {} to {} iterators, not {}",
              reader, update_.array, most, rank_, 1 + rank_, most + rank_, iterators.size()),
          fmt::format("name an iterator for {}, and one for each index of {}",
                      update_.iterators.front(), update_.array));
    steps_ = iterators.size() - rank_;
  }

  Program program() const {
    Program result = with_definition(program_, definition(), request_);
    Algorithm algorithm = *result.algorithm;
    algorithm.definitions.move_last_to(place_of(algorithm, update_.name));
    move_into_step(algorithm.reference);
    move_before_nest(result.mapping);
    const bool reads = with_other_reads(algorithm.edit(update_.name));
    if (!reads)
      throw request_.refused(Code::E0106_bad_argument,
                             update_.name + " reads no other element of " + update_.array +
                                 " than the one that it redefines",
                             "leave the command out: there is nothing to copy");
    result = completed(std::move(result), std::move(algorithm), request_);
    require_same_values(result);
    return result;
  }

 private:
  NewDefinition definition() const {
    NewDefinition copy;
    copy.array = name_;
    copy.iterators = {iterators_.begin(), iterators_.end()};
    std::vector<Expr> element;
    for (std::size_t n = steps_; n < iterators_.size(); ++n)
      element.push_back(variable(iterators_[n]));
    copy.value = access(update_.array, update_.type, element);
    return copy;
  }

  // Moves the last root of Theta0, the loops of the copy, to just before U in the loops of a step.
  void move_into_step(Mapping& reference) const {
    const Branch branch = *branches_of(reference, name_).front().branch;
    reference.roots.pop_back();
    Path at = branches_of(reference, update_.name).front().path;
    at.resize(steps_ + 1);
    auto& siblings = siblings_at(reference, at);
    const std::vector<std::string> own(iterators_.begin() + std::ptrdiff_t(steps_),
                                       iterators_.end());
    siblings.insert(siblings.begin() + at.back(), in_loops(sequential_loops(own), branch));
  }

  // Moves the last root of the schedule before the first one with a branch of U.
  void move_before_nest(Mapping& mapping) const {
    const auto nests = branches_of(mapping, update_.name);
    if (nests.empty()) return;
    auto& roots = mapping.roots;
    std::rotate(roots.begin() + nests.front().path.front(), roots.end() - 1, roots.end());
  }

  // Reads the copy of the step instead of X, except at the element that the instance redefines.
  bool with_other_reads(Definition& update) const {
    const std::vector<Expr> others = other_reads();
    edit_expressions(update, [&](const Expr& whole) {
      return rewrite(whole, [&](const Expr& e) -> Expr {
        const auto is_same = [&](const Expr& other) { return same(e, other); };
        if (std::none_of(others.begin(), others.end(), is_same)) return {};
        std::vector<Expr> indices;
        for (std::size_t n = 0; n < steps_; ++n) indices.push_back(variable(update_.iterators[n]));
        indices.insert(indices.end(), e.args().begin(), e.args().end());
        return access(name_, update_.type, indices);
      });
    });
    return !others.empty();
  }

  std::vector<Expr> other_reads() const {
    std::vector<Expr> others;
    for (const AccessUse& use : accesses(update_)) {
      if (use.access.name() != update_.array) continue;
      const Elements elements = named_elements(update_, use, rank_, request_);
      if (elements.may || use.access.op() != Op::access)
        throw request_.refused(
            Code::E0106_bad_argument,
            update_.name + " reads elements of " + update_.array + " that depend on data",
            "copy an array that it reads at affine indices");
      const isl::map named = elements.relation.set_range_tuple(update_.array);
      if (!named.intersect_domain(use.where).is_subset(isl::map(update_.defines)))
        others.push_back(use.access);
    }
    return others;
  }

  // { U[x] -> P[y] } through the copy is what U read before.
  void require_same_values(const Program& result) const {
    const isl::union_map now = all_reads(*result.algorithm->find(update_.name));
    const Definition& copy = *result.algorithm->find(name_);
    const isl::union_map through = now.apply_range(all_reads(copy));
    const isl::union_set copies = isl::set(copy.domain).to_union_set();
    const isl::union_map direct = now.subtract(now.intersect_range(copies));
    if (direct.unite(through).is_equal(all_reads(update_))) return;
    throw request_.refused(
        Code::E0106_bad_argument,
        update_.name + " reads values of " + update_.array +
            " that are defined inside the step, after the copy at its beginning",
        "copy in each iteration of a loop further inside, or leave the command out");
  }

  const Program& program_;
  const Definition& update_;
  const std::string name_;
  const std::vector<std::string> iterators_;
  const std::size_t rank_;
  const Request& request_;
  std::size_t steps_ = 0;
};

}  // namespace

Program with_step_copy(const Program& program, const std::string& reader, const std::string& name,
                       const std::vector<std::string>& iterators, const Request& request) {
  return StepCopy(program, reader, name, iterators, request).program();
}

}  // namespace strata
