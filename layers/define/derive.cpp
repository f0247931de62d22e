#include "layers/define/derive.h"

#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>

#include <algorithm>
#include <map>

#include "core/sets/coalesce.h"
#include "core/sets/naming.h"
#include "core/sets/plainly_equal.h"
#include "core/sets/quotients.h"
#include "layers/flow/reads.h"
#include "layers/verify/verify_algorithm.h"

namespace strata {

namespace {

using Names = std::set<std::string>;

// The arrays and inputs that the definition accesses.
std::vector<std::string> arrays_accessed(const Algorithm& algorithm, const Definition& d) {
  Names names;
  for_each_expression(d, [&](const Expr& whole) {
    visit(whole, [&](const Expr& e) {
      if (names_array(e)) names.insert(algorithm.array_of(e.name()));
    });
  });
  return {names.begin(), names.end()};
}

bool accesses_array(const Definition& d, const std::string& array) {
  return std::find(d.accessed.begin(), d.accessed.end(), array) != d.accessed.end();
}

bool accesses_one_of(const Definition& d, const Names& arrays) {
  return std::any_of(d.accessed.begin(), d.accessed.end(),
                     [&](const std::string& array) { return arrays.count(array) > 0; });
}

// { X[e] : a definition of another array reads X(e) }
isl::set needed_values(const Algorithm& algorithm, const Definition& producer,
                       const Request& request) {
  const unsigned rank = isl::map(producer.defines).range_tuple_dim();
  isl::set needed = isl::set::empty(isl::map(producer.defines).range().space());
  for (const Definition& reader : algorithm.definitions) {
    if (reader.array == producer.array || !accesses_array(reader, producer.array)) continue;
    for (const AccessUse& use : accesses(reader))
      if (algorithm.array_of(use.access.name()) == producer.array)
        needed = needed.unite(named_elements(reader, use, rank, request)
                                  .relation.set_range_tuple(producer.array)
                                  .range());
  }
  return coalesced(needed.intersect_params(algorithm.context));
}

isl::set inferred_domain(const Algorithm& algorithm, const Definition& d, const Request& request) {
  // "defines" does not bound the reduced iterators; given_ranges does.
  const isl::set instances =
      needed_values(algorithm, d, request).apply(isl::map(d.defines).reverse());
  return with_dim_names(explicit_quotients(instances.intersect(*d.given_ranges)), d.iterators);
}

class Derivation {
 public:
  Derivation(Algorithm& algorithm, const Request& request)
      : algorithm_(algorithm),
        all_(algorithm.definitions),
        before_(algorithm.derived),
        request_(request),
        whole_(!before_ || !plainly_equal(before_->context, algorithm.context)),
        changed_(all_.size(), whole_),
        remembered_(before_ ? before_->remembered : std::make_shared<RememberedReads>()) {
    if (!whole_)
      for (const std::size_t n : all_.missing_in(before_->definitions)) changed_[n] = true;
    for (std::size_t n = 0; n < all_.size(); ++n) {
      if (!changed_[n]) continue;
      std::vector<std::string> accessed = arrays_accessed(algorithm, all_[n]);
      if (accessed != all_[n].accessed) all_.edit(n).accessed = std::move(accessed);
      note_change(all_[n]);
    }
    if (!whole_)
      for (const std::size_t n : before_->definitions.missing_in(all_))
        note_change(before_->definitions[n]);
  }

  void verify_expressions() const {
    for (std::size_t n = 0; n < all_.size(); ++n)
      if (all_[n].value.defined() && is_affected(n))
        verify_expression(algorithm_, all_[n], request_);
  }

  void infer_domains(Mapping& mapping) {
    std::map<std::string, InstanceSet> domains;
    for (std::size_t n = all_.size(); n-- > 0;) {
      if (!is_due(n)) continue;
      const isl::set domain = inferred_domain(algorithm_, all_[n], request_);
      if (plainly_equal(domain, all_[n].domain)) continue;
      Definition& d = all_.edit(n);
      d.domain = InstanceSet::from(domain);
      domains.emplace(d.name, d.domain);
      changed_[n] = true;
      note_change(d);
      note_due_after(n);
    }
    if (domains.empty()) return;
    set_instances(algorithm_.reference, domains);
    set_instances(mapping, domains);
  }

  void derive_reads() {
    order_ = parameters_of_reductions(algorithm_);
    for (std::size_t n = 0; n < all_.size(); ++n) {
      if (!all_[n].value.defined() || !is_affected(n)) continue;
      std::vector<Read> reads = reads_of(all_[n]);
      Definition& d = all_.edit(n);
      d.reads = std::move(reads);
      unordered_.insert(d.name);
    }
  }

  // Gives all reads of computations the parameters in one order.
  void align_reads() {
    if (before_ && before_->order.is_equal(order_)) return;
    for (std::size_t n = 0; n < all_.size(); ++n) {
      const auto is_other = [&](const Read& read) { return !algorithm_.find_input(read.producer); };
      if (std::none_of(all_[n].reads.begin(), all_[n].reads.end(), is_other)) continue;
      for (Read& read : all_.edit(n).reads)
        if (is_other(read))
          read.relation = ReadRelation::from(
              isl::manage(isl_map_align_params(isl::map(read.relation).release(), order_.copy())));
    }
  }

  void verify_order() {
    if (before_) unordered_.insert(before_->unordered.begin(), before_->unordered.end());
    if (!std::all_of(all_.begin(), all_.end(),
                     [](const Definition& d) { return d.value.defined(); }))
      return;
    verify_reference_order(algorithm_, unordered_, request_);
    unordered_.clear();
  }

  void keep() {
    algorithm_.derived = std::make_shared<const Derived>(Derived{
        all_, algorithm_.context, order_, std::move(due_), std::move(unordered_), remembered_});
  }

 private:
  std::vector<Read> reads_of(const Definition& d) {
    if (const auto* const known = remembered_->find(algorithm_, d, order_)) return *known;
    std::vector<Read> reads = strata::derive_reads(algorithm_, d, request_);
    remembered_->add(algorithm_, d, order_, reads);
    return reads;
  }

  void note_change(const Definition& d) {
    defined_.insert(d.array);
    read_.insert(d.accessed.begin(), d.accessed.end());
  }

  // True if a change may affect what the definition reads.
  bool is_affected(std::size_t n) const {
    const Definition& d = all_[n];
    return changed_[n] || accesses_one_of(d, defined_) ||
           (may_keep(d) && defined_.count(d.array) > 0);
  }

  // True if the definition's domain is inferred and a change may affect it.
  bool is_due(std::size_t n) const {
    const Definition& d = all_[n];
    return d.inferred &&
           (changed_[n] || read_.count(d.array) > 0 || (before_ && before_->due.count(d.name) > 0));
  }

  // The domain of definition "n" has changed: the inferred definitions after it that it reads were
  // inferred from the previous one.
  void note_due_after(std::size_t n) {
    for (std::size_t later = n + 1; later < all_.size(); ++later)
      if (all_[later].inferred && accesses_array(all_[n], all_[later].array))
        due_.insert(all_[later].name);
  }

  Algorithm& algorithm_;
  Definitions& all_;
  const std::shared_ptr<const Derived> before_;
  const Request& request_;
  const bool whole_;           // true if everything is derived again
  std::vector<bool> changed_;  // by definition
  const std::shared_ptr<RememberedReads> remembered_;
  Names defined_, read_;  // the arrays that changed definitions define, and read
  Names due_, unordered_;
  isl::space order_;
};

}  // namespace

void set_instances(Mapping& forest, const std::map<std::string, InstanceSet>& domains) {
  for (Node& root : forest.roots)
    for_each_branch(root, [&](Branch& branch) {
      const auto domain = domains.find(branch.definition);
      if (domain != domains.end()) branch.instances = domain->second;
    });
}

void derive(Algorithm& algorithm, Mapping& mapping, const Request& request) {
  Derivation derivation(algorithm, request);
  derivation.verify_expressions();
  derivation.infer_domains(mapping);
  derivation.derive_reads();
  derivation.align_reads();
  derivation.verify_order();
  derivation.keep();
}

}  // namespace strata
