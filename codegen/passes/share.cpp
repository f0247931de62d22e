#include "codegen/passes/share.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "codegen/tree/operations.h"
#include "codegen/tree/tree_names.h"

namespace strata {

namespace {

using Calls = std::vector<Expr>;

bool contains(const Calls& calls, const Expr& e) {
  return std::any_of(calls.begin(), calls.end(), [&](const Expr& one) { return same(one, e); });
}

// May it be made once for several executions? An index that is checked is reported where it is.
bool is_shareable(const Expr& e) {
  if (!is_c_function(e.op()) || takes_arrays(e)) return false;
  bool plain = true, varies = false;
  visit(e, [&](const Expr& part) {
    plain &= part.op() != Op::checked;
    varies |= part.op() == Op::load || part.op() == Op::variable || part.op() == Op::parameter;
  });
  return plain && varies;
}

// The calls without which an execution has no value, those around others first.
class Needed {
 public:
  static Calls in(const Execute& s) {
    Needed all;
    if (s.mma) return {};
    all.add(s.value);
    for (const Execute::Other& other : s.others) all.add(other.value);
    return all.calls_;
  }

 private:
  void add(const Expr& e) {
    if (!seen_.insert(e.identity()).second) return;
    if (is_shareable(e) && !contains(calls_, e)) calls_.push_back(e);
    const bool first_decides =
        e.op() == Op::select || e.op() == Op::logical_and || e.op() == Op::logical_or;
    for (const Expr& argument : e.args()) {
      add(argument);
      if (first_decides) return;
    }
  }

  Calls calls_;
  std::set<const ExprNode*> seen_;
};

std::set<std::string> buffers_read(const Expr& e) {
  std::set<std::string> buffers;
  visit(e, [&](const Expr& part) {
    if (part.op() == Op::load) buffers.insert(part.name());
  });
  return buffers;
}

// The buffers that a statement writes; none if it does more than to execute and to free.
std::optional<std::set<std::string>> buffers_written(const StmtPtr& s) {
  if (const auto* execute = std::get_if<Execute>(s.get())) {
    std::set<std::string> buffers{execute->buffer};
    for (const Execute::Other& other : execute->others) buffers.insert(other.buffer);
    return buffers;
  }
  if (const auto* freed = std::get_if<Free>(s.get())) return std::set{freed->buffer};
  if (std::holds_alternative<PrefetchBox>(*s)) return std::set<std::string>();
  const bool plain = std::holds_alternative<For>(*s) || std::holds_alternative<If>(*s) ||
                     std::holds_alternative<Block>(*s) || std::holds_alternative<Allocate>(*s);
  if (!plain) return std::nullopt;
  std::optional<std::set<std::string>> all = std::set<std::string>();
  for_each_inside(*s, [&](const StmtPtr& inside) {
    const auto more = buffers_written(inside);
    if (!more || !all) return all.reset();
    all->insert(more->begin(), more->end());
  });
  return all;
}

// The conditions around a call that stands alone, from the outside, and the call; nothing if "s" is
// anything else than that call for its result.
std::optional<Calls> conditions_and_call(const StmtPtr& s, const std::string& result) {
  Calls parts;
  const StmtPtr* at = &s;
  while (const auto* guard = std::get_if<If>(at->get())) {
    if (guard->masks || guard->otherwise) return std::nullopt;
    parts.push_back(guard->condition);
    at = &guard->then;
  }
  const auto* execute = std::get_if<Execute>(at->get());
  if (!execute || execute->buffer != result) return std::nullopt;
  parts.push_back(execute->value);
  return parts;
}

// One execution of a block, alone or under the mask of a vector.
struct Item {
  const Execute* execute = nullptr;
  Expr mask;

  explicit Item(const StmtPtr& s) {
    const auto* guard = std::get_if<If>(s.get());
    execute = std::get_if<Execute>(guard && guard->masks ? guard->then.get() : s.get());
    if (execute && guard) mask = guard->condition;
  }
  bool goes_with(const Item& other) const {
    return mask.defined() ? other.mask.defined() && same(mask, other.mask) : !other.mask.defined();
  }
};

class Share {
 public:
  explicit Share(const Kernel& kernel) : names_(kernel) {
    for (const auto& [one, other] : kernel.may_overlap) {
      overlapping_.insert({one, other});
      overlapping_.insert({other, one});
    }
  }

  StmtPtr stmt(const StmtPtr& s) {
    if (std::holds_alternative<Launch>(*s) || std::holds_alternative<Exchange>(*s)) return s;
    const auto* loop = std::get_if<For>(s.get());
    if (loop && loop->processor == Processor::sequential) {
      const Calls calls = invariants(*loop);
      if (!calls.empty()) return stmt(before_loop(*loop, calls.front()));
    }
    if (const auto* block = std::get_if<Block>(s.get()))
      if (const StmtPtr shared = shared_by_two(*block)) return stmt(shared);
    return lifted(with_insides(*s, [this](const StmtPtr& inside) { return stmt(inside); }));
  }

 private:
  bool may_write(const std::set<std::string>& written, const Expr& call) const {
    for (const std::string& read : buffers_read(call))
      for (const std::string& one : written)
        if (one == read || overlapping_.count({one, read})) return true;
    return false;
  }

  // The calls that each iteration of the loop makes, and all alike.
  Calls invariants(const For& loop) const {
    Calls calls;
    const auto written = buffers_written(loop.body);
    if (!written) return calls;
    add_made_by(loop.body, {loop.variable}, calls);
    calls.erase(std::remove_if(calls.begin(), calls.end(),
                               [&](const Expr& call) { return may_write(*written, call); }),
                calls.end());
    return calls;
  }

  // Adds the calls that a statement always makes, and that depend on none of the variables.
  static void add_made_by(const StmtPtr& s, std::set<std::string> variables, Calls& calls) {
    if (const auto* execute = std::get_if<Execute>(s.get())) {
      for (const Expr& call : Needed::in(*execute)) {
        const std::set<std::string> free = free_variables(call);
        const bool varies = std::any_of(free.begin(), free.end(),
                                        [&](const std::string& v) { return variables.count(v); });
        if (!varies && !contains(calls, call)) calls.push_back(call);
      }
    } else if (const auto* loop = std::get_if<For>(s.get())) {
      if (!loop->extent || *loop->extent < 1 || is_concurrent(loop->processor)) return;
      variables.insert(loop->variable);
      add_made_by(loop->body, variables, calls);
    } else if (std::holds_alternative<Block>(*s) || std::holds_alternative<Allocate>(*s)) {
      for_each_inside(*s, [&](const StmtPtr& inside) { add_made_by(inside, variables, calls); });
    }
  }

  StmtPtr before_loop(const For& loop, const Expr& call) {
    const Expr result = fresh_register(call);
    before_loops_.insert(result.name());
    return allocated(result, {if_it_runs(loop, made_in(result, call)),
                              with_result(make_stmt(loop), call, result)});
  }

  static StmtPtr if_it_runs(const For& loop, const StmtPtr& s) {
    const bool runs = loop.extent && *loop.extent > 0;
    return runs ? s : make_stmt(If{loop.lower < loop.upper, s, nullptr});
  }

  // A call before a loop goes before the next one, too, if that loop changes neither what the call
  // reads nor whether it is made:
  //     for i { if (l < u) R = call; for j .. }  ~>  if (the loop i runs) if (l < u) R = call;
  //                                                  for i { for j .. }
  StmtPtr lifted(const StmtPtr& s) const {
    const auto* loop = std::get_if<For>(s.get());
    if (!loop || loop->processor != Processor::sequential) return s;
    const auto written = buffers_written(loop->body);
    const auto taken = written ? taken_from(loop->body, *loop, *written) : std::nullopt;
    if (!taken) return s;
    For rest = *loop;
    rest.body = taken->rest;
    Allocate result = *taken->result;
    result.body =
        make_stmt(Block{{if_it_runs(*loop, taken->made), lifted(make_stmt(std::move(rest)))}});
    return make_stmt(std::move(result));
  }

  struct Taken {
    const Allocate* result;
    StmtPtr made, rest;  // the statement without the call and without its register
  };

  // From the body of a loop, or of what stands in it.
  std::optional<Taken> taken_from(const StmtPtr& s, const For& loop,
                                  const std::set<std::string>& written) const {
    const auto* allocate = std::get_if<Allocate>(s.get());
    if (!allocate && !std::holds_alternative<Block>(*s)) return std::nullopt;
    if (allocate && before_loops_.count(allocate->buffer)) {
      const auto* block = std::get_if<Block>(allocate->body.get());
      if (block && is_same_throughout(loop, written, block->body.front(), allocate->buffer))
        return Taken{allocate, block->body.front(),
                     make_stmt(Block{{block->body.begin() + 1, block->body.end()}})};
    }
    std::optional<Taken> taken;
    const StmtPtr rest = with_insides(*s, [&](const StmtPtr& inside) {
      if (taken) return inside;
      taken = taken_from(inside, loop, written);
      return taken ? taken->rest : inside;
    });
    if (taken) taken->rest = rest;
    return taken;
  }

  bool is_same_throughout(const For& loop, const std::set<std::string>& written,
                          const StmtPtr& made, const std::string& result) const {
    const auto parts = conditions_and_call(made, result);
    return parts && std::none_of(parts->begin(), parts->end(), [&](const Expr& part) {
             return free_variables(part).count(loop.variable) || may_write(written, part);
           });
  }

  // The block with one call made once; null if no two executions share one.
  StmtPtr shared_by_two(const Block& block) {
    for (std::size_t n = 0; n < block.body.size(); ++n) {
      const Item first(block.body[n]);
      if (!first.execute) continue;
      for (const Expr& call : Needed::in(*first.execute)) {
        const std::size_t end = end_of_sharing(block, n, first, call);
        if (end > n + 1) return with_one_call(block, n, end, first.mask, call);
      }
    }
    return nullptr;
  }

  // Behind the last of the executions from "begin" on that make the call under the same mask,
  // before what the call reads is written.
  std::size_t end_of_sharing(const Block& block, std::size_t begin, const Item& first,
                             const Expr& call) const {
    std::size_t end = begin + 1;
    for (std::size_t n = begin + 1; n < block.body.size(); ++n) {
      const auto written = buffers_written(block.body[n - 1]);
      const Item item(block.body[n]);
      if (!written || may_write(*written, call) || !item.execute) break;
      if (item.goes_with(first) && contains(Needed::in(*item.execute), call)) end = n + 1;
    }
    return end;
  }

  StmtPtr with_one_call(const Block& block, std::size_t begin, std::size_t end, const Expr& mask,
                        const Expr& call) {
    const Expr result = fresh_register(call);
    StmtPtr made = made_in(result, call);
    if (mask.defined()) made = make_stmt(If{mask, made, nullptr, true});
    std::vector<StmtPtr> body(block.body.begin(), block.body.begin() + std::ptrdiff_t(begin));
    body.push_back(std::move(made));
    for (std::size_t n = begin; n < block.body.size(); ++n) {
      const bool shares = n < end && Item(block.body[n]).goes_with(Item(block.body[begin]));
      body.push_back(shares ? with_result(block.body[n], call, result) : block.body[n]);
    }
    return allocated(result, std::move(body));
  }

  Expr fresh_register(const Expr& call) {
    return load(names_.fresh("shared"), call.type(), {constant(i64, 0)});
  }

  static StmtPtr made_in(const Expr& result, const Expr& call) {
    return make_stmt(Execute{"", {}, result.name(), result.args(), call});
  }

  static StmtPtr allocated(const Expr& result, std::vector<StmtPtr> body) {
    return make_stmt(Allocate{result.name(),
                              result.type(),
                              {constant(i64, 0)},
                              {constant(i64, 1)},
                              make_stmt(Block{std::move(body)}),
                              Memory::stack});
  }

  static StmtPtr with_result(const StmtPtr& s, const Expr& call, const Expr& result) {
    if (const auto* execute = std::get_if<Execute>(s.get())) {
      const auto edit = [&](const Expr& e) { return same(e, call) ? result : Expr(); };
      Execute edited = *execute;
      edited.value = rewrite(execute->value, edit);
      for (Execute::Other& other : edited.others) other.value = rewrite(other.value, edit);
      return make_stmt(std::move(edited));
    }
    return with_insides(*s,
                        [&](const StmtPtr& inside) { return with_result(inside, call, result); });
  }

  TreeNames names_;
  std::set<std::string> before_loops_;  // the registers of calls that are made before loops
  std::set<std::pair<std::string, std::string>> overlapping_;
};

}  // namespace

Kernel with_shared_calls(const Kernel& kernel) {
  Share share(kernel);
  return with_bodies(kernel, [&](const StmtPtr& body) { return share.stmt(body); });
}

}  // namespace strata
