#include "layers/define/remembered_reads.h"

#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>

#include <algorithm>

#include "core/sets/plainly_equal.h"
#include "layers/flow/reads.h"

namespace strata {

namespace {

constexpr std::size_t most_entries = 64;

std::vector<Expr> expressions_of(const Definition& d) {
  std::vector<Expr> all = values_of(d);
  all.insert(all.end(), d.element.begin(), d.element.end());
  all.push_back(d.predicate);
  return all;
}

// Is it the same for who reads it?
bool same_producer(const Definition& a, const Definition& b) {
  if (a.name != b.name || a.reduction.has_value() != b.reduction.has_value()) return false;
  if (a.reduction && (a.reduction->initial != b.reduction->initial ||
                      a.reduction->results != b.reduction->results))
    return false;
  return plainly_equal(isl::set(a.domain), isl::set(b.domain)) &&
         plainly_equal(isl::map(a.defines), isl::map(b.defines));
}

bool same_reader(const Definition& a, const Definition& b) {
  const std::vector<Expr> in_a = expressions_of(a), in_b = expressions_of(b);
  return same_producer(a, b) && a.iterators == b.iterators && a.accessed == b.accessed &&
         a.element.size() == b.element.size() &&
         std::equal(in_a.begin(), in_a.end(), in_b.begin(), in_b.end(), same);
}

// Do the arrays that it accesses have their values defined once, and does it define all of its own?
bool is_simple(const Algorithm& algorithm, const Definition& reader) {
  if (may_keep(reader)) return false;
  return std::all_of(reader.accessed.begin(), reader.accessed.end(), [&](const std::string& name) {
    const auto all = algorithm.definitions_of(name);
    return std::count_if(all.begin(), all.end(),
                         [](const Definition* d) { return !d->is_initial; }) <= 1;
  });
}

// Of the inputs that the reader accesses, in order.
std::vector<isl::set> inputs_of(const Algorithm& algorithm, const Definition& reader) {
  std::vector<isl::set> all;
  for (const std::string& name : reader.accessed)
    if (const InputArray* input = algorithm.find_input(name)) all.push_back(input->domain);
  return all;
}

std::vector<const Definition*> producers_of(const Algorithm& algorithm, const Definition& reader) {
  std::vector<const Definition*> all;
  for (const std::string& array : reader.accessed)
    for (const Definition* d : algorithm.definitions_of(array)) all.push_back(d);
  return all;
}

}  // namespace

const std::vector<Read>* RememberedReads::find(const Algorithm& algorithm, const Definition& reader,
                                               const isl::space& order) const {
  if (!is_simple(algorithm, reader)) return nullptr;
  const auto inputs = inputs_of(algorithm, reader);
  const auto producers = producers_of(algorithm, reader);
  const auto is_same = [](const Definition* a, const Definition& b) {
    return same_producer(*a, b);
  };
  const auto same_set = [](const isl::set& a, const isl::set& b) { return plainly_equal(a, b); };
  for (const Entry& entry : entries_)
    if (same_reader(entry.reader, reader) &&
        std::equal(producers.begin(), producers.end(), entry.producers.begin(),
                   entry.producers.end(), is_same) &&
        std::equal(inputs.begin(), inputs.end(), entry.inputs.begin(), entry.inputs.end(),
                   same_set) &&
        plainly_equal(isl::set(entry.context), isl::set(algorithm.context)) &&
        entry.order.is_equal(order))
      return &entry.reads;
  return nullptr;
}

void RememberedReads::add(const Algorithm& algorithm, const Definition& reader,
                          const isl::space& order, const std::vector<Read>& reads) {
  if (!is_simple(algorithm, reader)) return;
  Entry entry{reader, {}, inputs_of(algorithm, reader), algorithm.context, order, reads};
  for (const Definition* d : producers_of(algorithm, reader)) entry.producers.push_back(*d);
  entries_.push_front(std::move(entry));
  if (entries_.size() > most_entries) entries_.pop_back();
}

}  // namespace strata
