#include "codegen/halide/emit/exchange.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "codegen/entry/linear_form.h"
#include "codegen/halide/emit/expression.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;
using hi::Variable;

HExpr number(std::int64_t value) { return HExpr(value); }
HExpr named(const std::string& name) { return Variable::make(Halide::Int(64), name); }

std::string part_of(const Exchange& s, const std::string& what) {
  return "message." + std::to_string(s.tag) + "." + what;
}

HStmt called(const std::string& function, const std::vector<HExpr>& arguments) {
  return hi::Evaluate::make(team_call(function, arguments));
}

// The variables of the block are the bounds of the block of "rank" while "body" is emitted.
HStmt with_block_of(const HExpr& rank, const Exchange& s, Scope& scope, const std::string& prefix,
                    const std::function<HStmt()>& body) {
  const auto loaded = [&](const HExpr& at) {
    return hi::Load::make(Halide::Int(64), symbol_of_cuts(s.block.partition), at,
                          Halide::Buffer<>(), Halide::Parameter(), hi::const_true(),
                          hi::ModulusRemainder());
  };
  const std::string first = prefix + ".first", last = prefix + ".last";
  const auto outside = scope.variables;
  scope.variables[s.block.first] = named(first);
  scope.variables[s.block.last] = named(last);
  HStmt out = body();
  scope.variables = outside;
  out = hi::LetStmt::make(last, loaded(rank + 1), out);
  return hi::LetStmt::make(first, loaded(rank), out);
}

HStmt counted_loop(const std::string& variable, const HExpr& count, const HStmt& body) {
  return hi::For::make(variable, 0, count, hi::ForType::Serial, Halide::Partition::Never,
                       Halide::DeviceAPI::None, body);
}

// Emits the parts of one exchange. A count of bytes says how much of a message is packed.
class ExchangeEmitter {
 public:
  ExchangeEmitter(const Exchange& s, Scope& scope) : s_(s), scope_(scope) {}

  HStmt all() {
    const HExpr tag = s_.tag;
    const HStmt received = for_each_partner("receive", false, Work::count, [&](const HExpr& n) {
      return called("strata_team_receive_from", {team(), tag, n, packed()});
    });
    const HStmt sent = for_each_partner("send", true, Work::pack, [&](const HExpr& n) {
      return called("strata_team_send_to", {team(), tag, n, packed()});
    });
    const HStmt waited = called("strata_team_wait", {team(), tag, 3});
    const HStmt unpacked = for_each_partner("unpack", false, Work::unpack, {});
    return hi::Block::make({received, sent, waited, unpacked});
  }

 private:
  enum class Work { count, pack, unpack };

  // For each partner: packed = 0; the loops over its elements; then "after".
  HStmt for_each_partner(const std::string& what, bool outgoing, Work work,
                         const std::function<HStmt(const HExpr& n)>& after) {
    step_ = part_of(s_, what);
    work_ = work;
    const HExpr n = Variable::make(Halide::Int(32), step_), tag = s_.tag;
    const HExpr rank = team_call("strata_team_partner_rank", {team(), tag, n});
    slot_ = Variable::make(Halide::Handle(), step_ + ".slot");
    const std::string partner = step_ + ".rank";
    HStmt out = with_block_of(Variable::make(Halide::Int(32), partner), s_, scope_, step_, [&] {
      std::vector<HStmt> parts{stored(number(0))};
      for (const Exchange::Elements& one : s_.elements)
        parts.push_back(moved(outgoing ? one.outgoing : one.incoming, one));
      if (after) parts.push_back(after(n));
      return hi::Block::make(parts);
    });
    out = hi::Allocate::make(step_ + ".packed", Halide::Int(64), Halide::MemoryType::Stack, {1},
                             hi::const_true(), out);
    if (work != Work::count)
      out = hi::LetStmt::make(step_ + ".slot",
                              hi::Call::make(Halide::Handle(), "strata_team_slot",
                                             {team(), tag, n, outgoing ? 1 : 2}, hi::Call::Extern),
                              out);
    out = hi::LetStmt::make(partner, rank, out);
    return counted_loop(step_, team_call("strata_team_partners", {team(), tag}), out);
  }

  HExpr packed() const {
    return hi::Load::make(Halide::Int(64), step_ + ".packed", 0, Halide::Buffer<>(),
                          Halide::Parameter(), hi::const_true(), hi::ModulusRemainder());
  }
  HStmt stored(const HExpr& value) const {
    return hi::Store::make(step_ + ".packed", value, 0, Halide::Parameter(), hi::const_true(),
                           hi::ModulusRemainder());
  }

  // The loops, with a run of elements for each innermost one.
  HStmt moved(const StmtPtr& s, const Exchange::Elements& of) {
    if (const auto* element = std::get_if<Execute>(s.get())) return run(*element, of, number(1));
    if (const auto* branch = std::get_if<If>(s.get())) {
      const HExpr condition = ExpressionEmitter(scope_).index(branch->condition);
      const HStmt otherwise = branch->otherwise ? moved(branch->otherwise, of) : HStmt();
      return hi::IfThenElse::make(condition, moved(branch->then, of), otherwise);
    }
    if (const auto* loop = std::get_if<For>(s.get())) return moved(*loop, of);
    std::vector<HStmt> parts{hi::Evaluate::make(0)};
    for (const StmtPtr& part : std::get<Block>(*s).body) parts.push_back(moved(part, of));
    return hi::Block::make(parts);
  }

  HStmt moved(const For& loop, const Exchange::Elements& of) {
    const std::string name = step_ + "." + loop.variable, from = name + ".from";
    const HExpr lower = ExpressionEmitter(scope_).index(loop.lower);
    const HExpr upper = ExpressionEmitter(scope_).index(loop.upper);
    const HExpr extent = Halide::max(upper - named(from), number(0));
    const Execute* element = only_element(loop.body);
    HStmt out;
    if (element && (work_ == Work::count || is_run(*element, loop.variable))) {
      out = run_along(*element, of, loop.variable, named(from), extent);
    } else {
      const HExpr step = Variable::make(Halide::Int(32), name);
      scope_.variables[loop.variable] = named(from) + Halide::cast(Halide::Int(64), step);
      out = counted_loop(name, Halide::cast(Halide::Int(32), extent), moved(loop.body, of));
    }
    scope_.variables.erase(loop.variable);
    return hi::LetStmt::make(from, lower, out);
  }

  // The element, if the loop's body has nothing else.
  static const Execute* only_element(const StmtPtr& s) {
    const auto* block = std::get_if<Block>(s.get());
    if (block) return block->body.size() == 1 ? only_element(block->body.front()) : nullptr;
    return std::get_if<Execute>(s.get());
  }

  // True if the element's place is an affine function of the variable.
  static bool is_run(const Execute& element, const std::string& variable) {
    return std::all_of(element.indices.begin(), element.indices.end(), [&](const Expr& index) {
      LinearForm rest = linear_form(index);
      taken_out(rest, variable);
      return !mentions(expression(rest), variable);
    });
  }

  static bool mentions(const Expr& e, const std::string& variable) {
    bool found = false;
    visit(e, [&](const Expr& part) {
      found = found || (part.op() == Op::variable && part.name() == variable);
    });
    return found;
  }

  HExpr position(const Execute& element) const {
    return buffer_named(scope_, element.buffer)
        .position(ExpressionEmitter(scope_).indices(element.indices));
  }

  HStmt run_along(const Execute& element, const Exchange::Elements& of, const std::string& variable,
                  const HExpr& from, const HExpr& count) {
    scope_.variables[variable] = from + number(1);
    const HExpr second = work_ == Work::count ? number(1) : position(element);
    scope_.variables[variable] = from;
    return run(element, of, count, second);
  }

  // Moves "count" elements, whose places are as far apart as the first two.
  HStmt run(const Execute& element, const Exchange::Elements& of, const HExpr& count,
            const HExpr& second = {}) {
    const HExpr size = number(bytes(of.type));
    const HStmt more = stored(packed() + count * size);
    if (work_ == Work::count) return more;
    const BufferView& view = buffer_named(scope_, element.buffer);
    const HExpr first = position(element);
    const HExpr step = second.defined() ? hi::simplify(second - first) : number(1);
    const HExpr base = Variable::make(Halide::Handle(), view.symbol);
    const std::string function = work_ == Work::pack ? "strata_team_pack" : "strata_team_unpack";
    return hi::Block::make(
        called(function, {slot_, packed(), base, first * size, step * size, count, size}), more);
  }

  const Exchange& s_;
  Scope& scope_;
  std::string step_;
  Work work_ = Work::count;
  HExpr slot_;
};

void add_exchanges(const StmtPtr& s, std::map<int, const Exchange*>& found) {
  if (const auto* exchange = std::get_if<Exchange>(s.get())) found.emplace(exchange->tag, exchange);
  for_each_inside(*s, [&](const StmtPtr& inside) { add_exchanges(inside, found); });
}

// Tells the team how many bytes travel to and from each rank in one iteration, at most.
HStmt with_partners_told(const Exchange& s, Scope scope) {
  const std::string step = part_of(s, "partner");
  const HExpr rank = Variable::make(Halide::Int(32), step);
  const HStmt told = with_block_of(rank, s, scope, step, [&] {
    HExpr out = number(0), in = number(0);
    ExpressionEmitter expressions(scope);
    for (const Exchange::Elements& one : s.elements) {
      const HExpr size = number(bytes(one.type));
      out = out + Halide::max(expressions.value(one.most_outgoing), number(0)) * size;
      in = in + Halide::max(expressions.value(one.most_incoming), number(0)) * size;
    }
    return called("strata_team_partner", {team(), s.tag, rank, out, in});
  });
  return counted_loop(step, team_call("strata_team_size", {team()}), told);
}

}  // namespace

HExpr team() { return Variable::make(Halide::Handle(), "team"); }
std::string symbol_of_cuts(const std::string& partition) { return "cuts." + partition; }

HExpr team_call(const std::string& function, const std::vector<HExpr>& arguments) {
  return hi::Call::make(Halide::Int(32), function, arguments, hi::Call::Extern);
}

HStmt returned(const std::string& name, const HExpr& code) {
  const HExpr result = Variable::make(Halide::Int(32), name);
  return hi::LetStmt::make(name, code, hi::AssertStmt::make(result == 0, result));
}

HStmt agreed() { return returned("team.agreed", team_call("strata_team_agree", {team(), 0})); }

HStmt exchanged(const Exchange& s, Scope& scope) { return ExchangeEmitter(s, scope).all(); }

HStmt with_message_memory(const Kernel& kernel, const Scope& scope, const HStmt& body) {
  std::map<int, const Exchange*> exchanges;
  for (const StmtPtr& s : bodies(kernel)) add_exchanges(s, exchanges);
  std::vector<HStmt> parts;
  for (const auto& [tag, exchange] : exchanges)
    parts.push_back(with_partners_told(*exchange, scope));
  if (!parts.empty()) parts.push_back(called("strata_team_slots", {team()}));
  parts.push_back(body);
  return hi::Block::make(parts);
}

}  // namespace strata::halide
