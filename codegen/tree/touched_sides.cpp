#include "codegen/tree/touched_sides.h"

#include <algorithm>

namespace strata {

namespace {

using Names = std::set<std::string>;

void add_loads(const Expr& whole, Names& names) {
  if (!whole.defined()) return;
  visit(whole, [&](const Expr& e) {
    if (e.op() == Op::load || e.op() == Op::array) names.insert(e.name());
  });
}

void add(const std::vector<Expr>& all, Names& names) {
  for (const Expr& e : all) add_loads(e, names);
}

class DirectlyIn {
 public:
  explicit DirectlyIn(Names& found) : names(found) {}

  void operator()(const For& s) const { add({s.lower, s.upper}, names); }
  void operator()(const If& s) const { add_loads(s.condition, names); }
  void operator()(const Block&) const {}
  void operator()(const Execute& s) const {
    names.insert(s.buffer);
    add(s.indices, names);
    add_loads(s.value, names);
    for (const Execute::Other& other : s.others) {
      names.insert(other.buffer);
      add_loads(other.value, names);
    }
  }
  void operator()(const Allocate& s) const {
    add(s.lowers, names);
    add(s.extents, names);
  }
  void operator()(const Free&) const {}
  void operator()(const PrefetchBox& s) const { names.insert(s.buffer); }
  void operator()(const Launch&) const {}
  void operator()(const ThreadGuard&) const {}
  void operator()(const Barrier&) const {}
  void operator()(const AwaitCopies&) const {}
  void operator()(const DeviceCopy&) const {}
  void operator()(const Mma&) const {}  // what its loops touch
  void operator()(const Exchange& s) const {
    for (const Exchange::Elements& one : s.elements) {
      add_insides(one.outgoing);
      add_insides(one.incoming);
    }
  }
  void operator()(const Agree&) const {}

 private:
  void add_insides(const StmtPtr& s) const {
    std::visit(*this, *s);
    for_each_inside(*s, [&](const StmtPtr& inside) { add_insides(inside); });
  }

  Names& names;
};

void add(const StmtPtr& s, TouchedSides& sides, bool in_launch) {
  std::visit(DirectlyIn{in_launch ? sides.device : sides.host}, *s);
  if (const auto* launch = std::get_if<Launch>(s.get())) {
    add(launch->grid, sides.host);
    in_launch = true;
  }
  const auto* loop = std::get_if<For>(s.get());
  if (loop && loop->processor == Processor::block) in_launch = true;
  for_each_inside(*s, [&](const StmtPtr& inside) { add(inside, sides, in_launch); });
}

}  // namespace

TouchedSides touched_sides(const StmtPtr& s) {
  TouchedSides sides;
  add(s, sides, false);
  return sides;
}

bool is_dense_on_device(const Kernel& kernel) {
  const TouchedSides sides = touched_sides(kernel.body);
  return !sides.device.empty() && sides.host.empty() &&
         std::none_of(kernel.buffers.begin(), kernel.buffers.end(),
                      [](const ArgumentBuffer& b) { return b.resident; });
}

}  // namespace strata
