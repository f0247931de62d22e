#include "codegen/passes/share.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "codegen/passes/calls.h"
#include "codegen/tree/index_math.h"
#include "codegen/tree/tree_names.h"

namespace strata {

namespace {

// A call that each iteration of a loop makes. "over" are the loops inside on whose variables it
// depends, outermost first.
struct Invariant {
  Expr call;
  std::vector<const For*> over;
};

// Each result of such a call is an element of a table.
constexpr std::int64_t most_elements = 1024;

bool fit_in_table(const std::vector<const For*>& loops) {
  std::int64_t elements = 1;
  return std::all_of(loops.begin(), loops.end(), [&](const For* loop) {
    const bool one_by_one = loop->processor == Processor::sequential || is_copied(loop->processor);
    return one_by_one && as_constant(loop->lower) && *loop->extent <= most_elements &&
           (elements *= *loop->extent) <= most_elements;
  });
}

bool are_copied(const std::vector<const For*>& loops) {
  return !loops.empty() && std::all_of(loops.begin(), loops.end(),
                                       [](const For* loop) { return is_copied(loop->processor); });
}

// The conditions and bounds around a call that stands alone, outermost first, and then the call.
// Nothing if "s" does more than to make this call for its result.
std::optional<Calls> conditions_and_call(const StmtPtr& s, const std::string& result) {
  Calls parts;
  const StmtPtr* at = &s;
  while (true) {
    if (const auto* loop = std::get_if<For>(at->get())) {
      parts.insert(parts.end(), {loop->lower, loop->upper});
      at = &loop->body;
      continue;
    }
    const auto* guard = std::get_if<If>(at->get());
    if (!guard) break;
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
  explicit Share(const Kernel& kernel)
      : names_(kernel), folds_constants_(kernel.floats == Floats::fast) {
    for (const auto& [one, other] : kernel.may_overlap) {
      overlapping_.insert({one, other});
      overlapping_.insert({other, one});
    }
  }

  StmtPtr stmt(const StmtPtr& s) {
    if (std::holds_alternative<Launch>(*s) || std::holds_alternative<Exchange>(*s)) return s;
    const auto* loop = std::get_if<For>(s.get());
    if (loop && loop->processor == Processor::sequential) {
      const std::vector<Invariant> all = invariants(*loop);
      if (!all.empty()) return stmt(before_loop(*loop, all.front()));
    }
    if (const auto* block = std::get_if<Block>(s.get()))
      if (const StmtPtr shared = shared_by_two(*block)) return stmt(shared);
    const int lanes_around = lanes_;
    lanes_ += loop && has_lanes(loop->processor);
    const StmtPtr inside = with_insides(*s, [this](const StmtPtr& inner) { return stmt(inner); });
    lanes_ = lanes_around;
    return lifted(inside);
  }

 private:
  bool may_write(const std::set<std::string>& written, const Expr& call) const {
    for (const std::string& read : buffers_read(call))
      for (const std::string& one : written)
        if (one == read || overlapping_.count({one, read})) return true;
    return false;
  }

  // The calls that each iteration of the loop makes with the same arguments.
  std::vector<Invariant> invariants(const For& loop) const {
    std::vector<Invariant> all;
    const auto written = buffers_written(loop.body);
    if (!written) return all;
    add_made_by(loop.body, loop.variable, {}, all);
    std::erase_if(all, [&](const Invariant& one) {
      return may_write(*written, one.call) || !(one.over.empty() || saves(loop, one.over));
    });
    return all;
  }

  // Is a table before the loop less work? Lanes would have one each, and what unrolling makes
  // constants may be computed now.
  bool saves(const For& loop, const std::vector<const For*>& over) const {
    return lanes_ == 0 && loop.extent != 1 && fit_in_table(over) &&
           !(folds_constants_ && are_copied(over));
  }

  // Adds the calls that a statement always makes, and that do not depend on the variable.
  static void add_made_by(const StmtPtr& s, const std::string& variable,
                          std::vector<const For*> inside, std::vector<Invariant>& all) {
    if (const auto* execute = std::get_if<Execute>(s.get())) {
      for (const Expr& call : needed_calls(*execute)) add(call, variable, inside, all);
    } else if (const auto* loop = std::get_if<For>(s.get())) {
      if (!loop->extent || *loop->extent < 1 || is_concurrent(loop->processor)) return;
      inside.push_back(loop);
      add_made_by(loop->body, variable, inside, all);
    } else if (std::holds_alternative<Block>(*s) || std::holds_alternative<Allocate>(*s)) {
      for_each_inside(*s, [&](const StmtPtr& inner) { add_made_by(inner, variable, inside, all); });
    }
  }

  static void add(const Expr& call, const std::string& variable,
                  const std::vector<const For*>& inside, std::vector<Invariant>& all) {
    const std::set<std::string> free = free_variables(call);
    const bool known = std::any_of(all.begin(), all.end(),
                                   [&](const Invariant& one) { return same(one.call, call); });
    if (free.count(variable) || known) return;
    Invariant made{call, {}};
    for (const For* loop : inside)
      if (free.count(loop->variable)) made.over.push_back(loop);
    all.push_back(std::move(made));
  }

  StmtPtr before_loop(const For& loop, const Invariant& one) {
    const Expr result = fresh_result(one);
    before_loops_.insert(result.name());
    return allocated(
        result, one.over,
        {if_it_runs(loop, made_in(result, one)), with_result(make_stmt(loop), one.call, result)});
  }

  static StmtPtr if_it_runs(const For& loop, const StmtPtr& s) {
    const bool runs = loop.extent && *loop.extent > 0;
    return runs ? s : make_stmt(If{loop.lower < loop.upper, s, nullptr});
  }

  // A call before a loop also goes before the loop around it, if that loop changes neither what the
  // call reads nor whether something makes it:
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

  // Takes a call out of the body of a loop, or of a statement in it.
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
      for (const Expr& call : needed_calls(*first.execute)) {
        const std::size_t end = end_of_sharing(block, n, first, call);
        if (end > n + 1) return with_one_call(block, n, end, first.mask, call);
      }
    }
    return nullptr;
  }

  // The end of the executions that may share the call: from "begin" on, under the same mask, and
  // before something writes what the call reads.
  std::size_t end_of_sharing(const Block& block, std::size_t begin, const Item& first,
                             const Expr& call) const {
    std::size_t end = begin + 1;
    for (std::size_t n = begin + 1; n < block.body.size(); ++n) {
      const auto written = buffers_written(block.body[n - 1]);
      const Item item(block.body[n]);
      if (!written || may_write(*written, call) || !item.execute) break;
      if (item.goes_with(first) && contains(needed_calls(*item.execute), call)) end = n + 1;
    }
    return end;
  }

  StmtPtr with_one_call(const Block& block, std::size_t begin, std::size_t end, const Expr& mask,
                        const Expr& call) {
    const Invariant one{call, {}};
    const Expr result = fresh_result(one);
    StmtPtr made = made_in(result, one);
    if (mask.defined()) made = make_stmt(If{mask, made, nullptr, true});
    std::vector<StmtPtr> body(block.body.begin(), block.body.begin() + std::ptrdiff_t(begin));
    body.push_back(std::move(made));
    for (std::size_t n = begin; n < block.body.size(); ++n) {
      const bool shares = n < end && Item(block.body[n]).goes_with(Item(block.body[begin]));
      body.push_back(shares ? with_result(block.body[n], call, result) : block.body[n]);
    }
    return allocated(result, {}, std::move(body));
  }

  // A register, or the element of a table.
  Expr fresh_result(const Invariant& one) {
    std::vector<Expr> indices;
    for (const For* loop : one.over) indices.push_back(strata::variable(loop->variable));
    if (indices.empty()) indices.push_back(constant(i64, 0));
    return load(names_.fresh("shared"), one.call.type(), indices);
  }

  // result = call, in copies of the loops that the call depends on.
  StmtPtr made_in(const Expr& result, const Invariant& one) {
    std::map<std::string, Expr> copies;
    for (const For* loop : one.over)
      copies[loop->variable] = strata::variable(names_.fresh(loop->variable));
    const auto copied = [&](const Expr& e) {
      return rewrite(e, [&](const Expr& part) {
        const auto copy = part.op() == Op::variable ? copies.find(part.name()) : copies.end();
        return copy == copies.end() ? Expr() : copy->second;
      });
    };
    const Expr element = copied(result);
    StmtPtr made = make_stmt(Execute{"", {}, result.name(), element.args(), copied(one.call)});
    for (auto loop = one.over.rbegin(); loop != one.over.rend(); ++loop) {
      const For& original = **loop;
      made = make_stmt(For{{original.name, Processor::sequential},
                           copies.at(original.variable).name(),
                           original.lower,
                           original.upper,
                           original.extent,
                           made});
    }
    return made;
  }

  static StmtPtr allocated(const Expr& result, const std::vector<const For*>& over,
                           std::vector<StmtPtr> body) {
    std::vector<Expr> lowers, extents;
    for (const For* loop : over) {
      lowers.push_back(loop->lower);
      extents.push_back(constant(i64, *loop->extent));
    }
    if (over.empty()) {
      lowers.push_back(constant(i64, 0));
      extents.push_back(constant(i64, 1));
    }
    return make_stmt(Allocate{result.name(), result.type(), lowers, extents,
                              make_stmt(Block{std::move(body)}), Memory::stack});
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
  const bool folds_constants_;          // does the back end call functions of constants?
  int lanes_ = 0;                       // vector loops around
  std::set<std::string> before_loops_;  // the results of calls that are made before loops
  std::set<std::pair<std::string, std::string>> overlapping_;
};

}  // namespace

Kernel with_shared_calls(const Kernel& kernel) {
  Share share(kernel);
  return with_bodies(kernel, [&](const StmtPtr& body) { return share.stmt(body); });
}

}  // namespace strata
