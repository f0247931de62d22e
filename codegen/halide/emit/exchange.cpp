#include "codegen/halide/emit/exchange.h"

#include <map>
#include <utility>

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

HExpr loaded(const std::string& symbol, const HExpr& at) {
  return hi::Load::make(Halide::Int(64), symbol, at, Halide::Buffer<>(), Halide::Parameter(),
                        hi::const_true(), hi::ModulusRemainder());
}

HStmt stored(const std::string& symbol, const HExpr& value) {
  return hi::Store::make(symbol, value, 0, Halide::Parameter(), hi::const_true(),
                         hi::ModulusRemainder());
}

// "body" for each rank of the team. In the scope, the variables of the block are those of that
// rank.
HStmt for_each_rank(const Exchange& s, Scope& scope, const std::string& what,
                    const std::function<HStmt(const HExpr& rank)>& body) {
  const std::string step = part_of(s, what), cuts = symbol_of_cuts(s.block.partition);
  const HExpr rank = Variable::make(Halide::Int(32), step);
  const std::string first = step + ".first", last = step + ".last";
  const auto outside = scope.variables;
  scope.variables[s.block.first] = named(first);
  scope.variables[s.block.last] = named(last);
  HStmt out = body(rank);
  scope.variables = outside;
  out = hi::LetStmt::make(last, loaded(cuts, rank + 1), out);
  out = hi::LetStmt::make(first, loaded(cuts, rank), out);
  return hi::For::make(step, 0, team_call("strata_team_size", {team()}), hi::ForType::Serial,
                       Halide::Partition::Never, Halide::DeviceAPI::None, out);
}

// The loops over elements, with their leaves replaced.
StmtPtr with_elements(const StmtPtr& s, const std::function<StmtPtr(const Execute&)>& replace) {
  if (const auto* element = std::get_if<Execute>(s.get())) return replace(*element);
  return with_insides(*s, [&](const StmtPtr& inside) { return with_elements(inside, replace); });
}

StmtPtr copied(const std::string& buffer, std::vector<Expr> indices, const Expr& value) {
  Execute copy;
  copy.buffer = buffer;
  copy.indices = std::move(indices);
  copy.value = value;
  return make_stmt(copy);
}

// Emits the parts of one exchange.
class ExchangeEmitter {
 public:
  ExchangeEmitter(const Exchange& s, Scope& scope, const std::function<HStmt(const StmtPtr&)>& emit)
      : s_(s), scope_(scope), emit_(emit) {}

  HStmt all() {
    const HExpr tag = s_.tag;
    const HStmt received = for_each_rank(s_, scope_, "receive", [&](const HExpr& rank) {
      return counted(s_.incoming, [&](const HExpr& count) {
        return call("strata_team_receive", {team(), tag, rank, slot("in", rank), bytes_of(count)});
      });
    });
    const HStmt sent = for_each_rank(s_, scope_, "send", [&](const HExpr& rank) {
      return moved(s_.outgoing, "out", rank, [&](const HExpr& count) {
        return call("strata_team_send", {team(), tag, rank, slot("out", rank), bytes_of(count), 0});
      });
    });
    const HStmt waited = call("strata_team_wait", {team(), tag, 3});
    const HStmt unpacked = for_each_rank(s_, scope_, "unpack", [&](const HExpr& rank) {
      return moved(s_.incoming, "in", rank, [](const HExpr&) { return hi::Evaluate::make(0); });
    });
    return hi::Block::make({received, sent, waited, unpacked});
  }

 private:
  static HStmt call(const std::string& function, const std::vector<HExpr>& arguments) {
    return hi::Evaluate::make(team_call(function, arguments));
  }

  HExpr bytes_of(const HExpr& count) const { return count * number(bytes(s_.type)); }
  HExpr room() const { return named(part_of(s_, "room")); }

  HExpr slot(const std::string& side, const HExpr& rank) const {
    const HExpr base =
        Halide::reinterpret(Halide::UInt(64), Variable::make(Halide::Handle(), part_of(s_, side)));
    const HExpr elements = Halide::cast<std::int64_t>(rank) * room();
    const HExpr offset = Halide::cast(Halide::UInt(64), bytes_of(elements));
    return Halide::reinterpret(Halide::Handle(), base + offset);
  }

  Expr count_of(const std::string& counter) const { return load(counter, i64, {}); }

  // count = 0; the loops, with "element" for each element; then "after", if there were elements.
  HStmt counting(const StmtPtr& loops, const std::string& what,
                 const std::function<StmtPtr(const std::string&, const Execute&)>& element,
                 const std::function<HStmt(const HExpr&)>& after) {
    const std::string counter = part_of(s_, what + ".count");
    scope_.buffers[counter] = BufferView{counter, i64, {}, {}, {}};
    const StmtPtr each = with_elements(loops, [&](const Execute& e) {
      return make_stmt(Block{{element(counter, e), copied(counter, {}, count_of(counter) + 1)}});
    });
    const HStmt body = emit_(each);
    const HExpr count = loaded(counter, 0);
    const HStmt then = hi::IfThenElse::make(count > number(0), after(count));
    scope_.buffers.erase(counter);
    return hi::Allocate::make(counter, Halide::Int(64), Halide::MemoryType::Stack, {1},
                              hi::const_true(),
                              hi::Block::make({stored(counter, number(0)), body, then}));
  }

  HStmt counted(const StmtPtr& loops, const std::function<HStmt(const HExpr&)>& after) {
    const auto nothing = [](const std::string&, const Execute&) { return make_stmt(Block{}); };
    return counting(loops, "size", nothing, after);
  }

  // Copies each element between its place and the slot of a rank.
  HStmt moved(const StmtPtr& loops, const std::string& side, const HExpr& rank,
              const std::function<HStmt(const HExpr&)>& after) {
    const std::string packed = part_of(s_, side);
    BufferView view{packed, s_.type, {}, {number(1)}, Halide::cast<std::int64_t>(rank) * room()};
    scope_.buffers[packed] = view;
    const HStmt out = counting(
        loops, side,
        [&](const std::string& counter, const Execute& e) {
          const std::vector<Expr> at{count_of(counter)};
          if (side == "out") return copied(packed, at, e.value);
          return copied(e.buffer, e.indices, load(packed, s_.type, at));
        },
        after);
    scope_.buffers.erase(packed);
    return out;
  }

  const Exchange& s_;
  Scope& scope_;
  const std::function<HStmt(const StmtPtr&)>& emit_;
};

void add_exchanges(const StmtPtr& s, std::map<int, const Exchange*>& found) {
  if (const auto* exchange = std::get_if<Exchange>(s.get())) found.emplace(exchange->tag, exchange);
  for_each_inside(*s, [&](const StmtPtr& inside) { add_exchanges(inside, found); });
}

HStmt with_memory_of(const Exchange& s, const Scope& outside, const HStmt& body) {
  const std::string room = part_of(s, "room"), most = part_of(s, "most");
  const HExpr ranks = Halide::cast<std::int64_t>(team_call("strata_team_size", {team()}));
  const HExpr size = named(room) * ranks * number(bytes(s.type));
  HStmt out = body;
  for (const std::string side : {"in", "out"})
    out = hi::LetStmt::make(part_of(s, side),
                            hi::Call::make(Halide::Handle(), "strata_team_memory",
                                           {team(), s.name, size}, hi::Call::Extern),
                            out);
  Scope scope = outside;
  const HStmt largest = for_each_rank(s, scope, "rank", [&](const HExpr&) {
    const HExpr here = ExpressionEmitter(scope).value(s.most);
    return stored(most, Halide::max(loaded(most, 0), here));
  });
  out = hi::LetStmt::make(room, loaded(most, 0), out);
  return hi::Allocate::make(most, Halide::Int(64), Halide::MemoryType::Stack, {1}, hi::const_true(),
                            hi::Block::make({stored(most, number(0)), largest, out}));
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

HStmt exchanged(const Exchange& s, Scope& scope, const std::function<HStmt(const StmtPtr&)>& emit) {
  return ExchangeEmitter(s, scope, emit).all();
}

HStmt with_message_memory(const Kernel& kernel, const Scope& scope, const HStmt& body) {
  std::map<int, const Exchange*> exchanges;
  for (const StmtPtr& s : bodies(kernel)) add_exchanges(s, exchanges);
  HStmt out = body;
  for (const auto& [tag, exchange] : exchanges) out = with_memory_of(*exchange, scope, out);
  return out;
}

}  // namespace strata::halide
