#include "codegen/halide/streaming.h"

#include <optional>
#include <utility>
#include <vector>

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

const char* const mark = "strata.streamed";
const char* const ask = "strata_streams";
const char* const end = "strata_stream_end";
constexpr int least_bytes = 16;  // that a machine streams at once

std::string choice_name(const std::string& symbol) { return symbol + ".streams"; }
HExpr choice(const std::string& symbol) {
  return hi::Variable::make(Halide::Int(32), choice_name(symbol));
}

HExpr handle(const std::string& name) { return hi::Variable::make(Halide::Handle(), name); }

HExpr call(const char* function, const std::vector<HExpr>& arguments) {
  return hi::Call::make(Halide::Int(32), function, arguments, hi::Call::Extern);
}

bool is_call(const HExpr& e, const char* function) {
  const auto* called = e.as<hi::Call>();
  return called && called->name == function;
}

class WithoutMarks : public hi::IRMutator {
 public:
  using hi::IRMutator::mutate;
  bool found = false;

 private:
  using hi::IRMutator::visit;
  HExpr visit(const hi::Call* op) override {
    if (op->name != mark) return hi::IRMutator::visit(op);
    found = true;
    return mutate(op->args[0]);
  }
};

// A statement without marks, and what it stores where, if it is a marked store of a whole vector.
struct Unmarked {
  HStmt plain;
  bool streams = false;
  std::string symbol = {};
  HExpr value = {}, first = {};
};

class LoadsFrom : public hi::IRVisitor {
 public:
  explicit LoadsFrom(const std::string& symbol) : symbol_(symbol) {}
  bool found = false;

 private:
  using hi::IRVisitor::visit;
  void visit(const hi::Load* op) override {
    found = found || op->name == symbol_;
    hi::IRVisitor::visit(op);
  }
  const std::string& symbol_;
};

bool loads_from(const HExpr& e, const std::string& symbol) {
  LoadsFrom loads(symbol);
  e.accept(&loads);
  return loads.found;
}

HStmt block(const std::vector<HStmt>& statements) { return hi::Block::make(statements); }

// let a.streams = .., b.streams = .. in body: choices side by side.
struct Choices {
  std::vector<const hi::LetStmt*> lets;
  HStmt body;

  explicit Choices(const hi::LetStmt* first) : body(first) {
    const auto* let = first;
    for (; let && is_call(let->value, ask); let = body.as<hi::LetStmt>()) {
      lets.push_back(let);
      body = let->body;
    }
  }
  HStmt around(HStmt s) const {
    for (auto let = lets.rbegin(); let != lets.rend(); ++let)
      s = hi::LetStmt::make((*let)->name, (*let)->value, s);
    return s;
  }
  HExpr any() const {
    HExpr result = hi::const_false();
    for (const hi::LetStmt* let : lets)
      result = result || hi::Variable::make(let->value.type(), let->name) != 0;
    return hi::simplify(result);
  }
};

// The code where no buffer is large is a version of its own: calls would keep it from holding
// values in registers.  In the other one each buffer is asked for, if there are several.  Of stores
// one after the other to one buffer that is not read between them all vectors are complete before
// the first call, which finds the registers empty.
class StreamingStores : public hi::IRMutator {
 public:
  using hi::IRMutator::mutate;

 private:
  using hi::IRMutator::visit;

  HStmt visit(const hi::LetStmt* op) override {
    if (streams_ || !is_call(op->value, ask)) return hi::IRMutator::visit(op);
    const Choices choices(op);
    streams_ = true;
    certain_ = choices.lets.size() == 1 ? op->name : "";
    const HStmt streaming = mutate(choices.body);
    streams_ = false;
    const HStmt plain = mutate(choices.body);
    return choices.around(hi::IfThenElse::make(choices.any(), streaming, plain));
  }

  HStmt visit(const hi::Store* op) override {
    const Unmarked store = unmarked(op);
    return store.streams ? together({store}) : store.plain;
  }

  HStmt visit(const hi::Block* op) override {
    std::vector<HStmt> result;
    std::vector<Unmarked> run;
    const auto end_run = [&] {
      if (!run.empty()) result.push_back(together(run));
      run.clear();
    };
    HStmt rest = op;
    while (rest.defined()) {
      const auto* pair = rest.as<hi::Block>();
      const HStmt one = pair ? pair->first : rest;
      rest = pair ? pair->rest : HStmt();
      const auto* store = one.as<hi::Store>();
      const Unmarked next = store ? unmarked(store) : Unmarked{mutate(one)};
      if (!run.empty() && !joins(next, run.front().symbol)) end_run();
      if (next.streams)
        run.push_back(next);
      else
        result.push_back(next.plain);
    }
    end_run();
    return block(result);
  }

  // Without streams there is nothing to end.
  HStmt visit(const hi::Evaluate* op) override {
    return !streams_ && is_call(op->value, end) ? hi::Evaluate::make(0) : HStmt(op);
  }

  static bool joins(const Unmarked& next, const std::string& symbol) {
    return next.streams && next.symbol == symbol && !loads_from(next.value, symbol);
  }

  Unmarked unmarked(const hi::Store* op) const {
    WithoutMarks marks;
    const HExpr value = marks.mutate(op->value);
    if (!marks.found) return {op};
    const HStmt plain =
        hi::Store::make(op->name, value, op->index, op->param, op->predicate, op->alignment);
    const auto* ramp = op->index.as<hi::Ramp>();
    const bool dense = ramp && hi::is_const_one(ramp->stride);
    const bool whole = hi::is_const_one(op->predicate);
    const int bytes = value.type().lanes() * value.type().bytes();
    if (!streams_ || !dense || !whole || bytes % least_bytes != 0) return {plain};
    return {plain, true, op->name, value, ramp->base};
  }

  HStmt together(const std::vector<Unmarked>& run) {
    std::vector<HStmt> plain, stores, calls;
    std::vector<std::pair<std::string, HType>> vectors;
    for (const Unmarked& store : run) {
      plain.push_back(store.plain);
      vectors.emplace_back("streamed." + std::to_string(vectors_++), store.value.type());
      stores.push_back(to_stack(vectors.back().first, store.value));
      calls.push_back(from_stack(vectors.back().first, store));
    }
    HStmt result = hi::Block::make(block(stores), block(calls));
    for (const auto& [name, type] : vectors)
      result = hi::Allocate::make(name, type.element_of(), Halide::MemoryType::Stack,
                                  {type.lanes()}, hi::const_true(), result);
    const std::string& symbol = run.front().symbol;
    if (choice_name(symbol) == certain_) return result;
    return hi::IfThenElse::make(choice(symbol) != 0, result, block(plain));
  }

  static HStmt to_stack(const std::string& vector, const HExpr& value) {
    const int lanes = value.type().lanes();
    return hi::Store::make(vector, value, hi::Ramp::make(0, 1, lanes), Halide::Parameter(),
                           hi::const_true(lanes), hi::ModulusRemainder());
  }

  static HStmt from_stack(const std::string& vector, const Unmarked& store) {
    const HExpr bytes = HExpr(std::int64_t{store.value.type().bytes()});
    return hi::Evaluate::make(
        call("strata_stream",
             {handle(store.symbol), Halide::cast(Halide::Int(64), store.first) * bytes,
              handle(vector), HExpr(std::int64_t{store.value.type().lanes()}) * bytes}));
  }

  bool streams_ = false;
  std::string certain_;  // the choice that is known to be made
  int vectors_ = 0;
};

}  // namespace

bool streams(const StmtPtr& s) {
  if (const auto* execute = std::get_if<Execute>(s.get())) return execute->streams;
  bool found = false;
  for_each_inside(*s, [&](const StmtPtr& inside) { found = found || streams(inside); });
  return found;
}

HExpr streamed(const std::string& symbol, const HExpr& value) {
  return hi::Call::make(value.type(), mark, {value, choice(symbol)}, hi::Call::PureExtern);
}

HStmt with_choice_of_streaming(const std::string& symbol, const HExpr& bytes, const HStmt& body) {
  const std::string name = choice_name(symbol);
  if (!hi::stmt_uses_var(body, name)) return body;
  return hi::LetStmt::make(name, call(ask, {bytes}), body);
}

HStmt end_of_streaming() { return hi::Evaluate::make(call(end, {})); }

HStmt with_streaming_stores(const HStmt& statement) { return StreamingStores().mutate(statement); }

}  // namespace strata::halide
