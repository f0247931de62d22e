#include "codegen/entry/index_range.h"

namespace strata {

namespace {

class Collector {
 public:
  std::vector<IndexExpression> found;

  void add(const Expr& e) {
    found.push_back({e, loops_});
    add_loads(e);
  }
  void add(const std::vector<Expr>& list) {
    for (const Expr& e : list) add(e);
  }

  void collect(const StmtPtr& s) {
    std::visit([&](const auto& statement) { collect(statement); }, *s);
  }

 private:
  void collect(const For& loop) {
    add(loop.lower);
    add(loop.upper);
    loops_.push_back(&loop);
    collect(loop.body);
    loops_.pop_back();
  }
  void collect(const If& s) {
    add(s.condition);
    collect(s.then);
    if (s.otherwise) collect(s.otherwise);
  }
  void collect(const Block& s) {
    for (const StmtPtr& part : s.body) collect(part);
  }
  void collect(const Allocate& s) {
    add(s.lowers);
    add(s.extents);
    collect(s.body);
  }
  void collect(const Launch& s) { collect(s.body); }
  void collect(const ThreadGuard& s) { collect(s.body); }
  void collect(const Free&) {}
  void collect(const Barrier&) {}
  void collect(const AwaitCopies&) {}
  void collect(const DeviceCopy&) {}
  void collect(const PrefetchBox& s) {
    add(s.lowers);
    add(s.extents);
  }
  // In a value only the indices of loads are index expressions.
  void collect(const Execute& s) {
    add(s.indices);
    add_loads(s.value);
    for (const Execute::Other& other : s.others) add_loads(other.value);
  }
  void collect(const Mma& s) {
    for (const std::vector<Expr>& place : s.places) add(place);
    for (const std::vector<Expr>* values : {&s.a, &s.b})
      for (const Expr& value : *values) add_loads(value);
    collect(s.loops);
  }
  void collect(const Exchange& s) {
    for (const Exchange::Elements& one : s.elements) {
      collect(one.outgoing);
      collect(one.incoming);
    }
  }
  void collect(const Agree&) {}
  void add_loads(const Expr& e) {
    visit(e, [&](const Expr& part) {
      if (part.op() != Op::load && part.op() != Op::array) return;
      for (const Expr& index : part.args())
        if (part.op() == Op::load || index.op() != Op::load) found.push_back({index, loops_});
    });
  }

  std::vector<const For*> loops_;
};

}  // namespace

std::vector<IndexExpression> index_expressions(const Kernel& kernel) {
  Collector collector;
  for (const Assumption& a : kernel.assumptions) collector.add(a.condition);
  for (const ArgumentBuffer& b : kernel.buffers) {
    collector.add(b.lowers);
    collector.add(b.uppers);
  }
  for (const StmtPtr& body : bodies(kernel)) collector.collect(body);
  for (const StmtPtr& body : kernel.before) collector.collect(body);
  return collector.found;
}

}  // namespace strata
