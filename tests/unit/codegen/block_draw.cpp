#include "tests/unit/codegen/block_draw.h"

#include <optional>
#include <random>

#include "reference/handmade.h"

namespace strata::test {

namespace {

using reference::Handmade;

struct Steps {
  std::string name, bound;
  Expr end;
  int step = 1;
};

struct Axis {
  std::string name;
  int lower, count;
};

struct Statement {
  std::string name;
  std::vector<Steps> around;
  std::vector<Axis> threads;  // outermost first
};

// An index, as an expression and in isl's notation.
struct Index {
  Expr e;
  std::string text;
};

std::string listed(const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& one : all) text += (text.empty() ? "" : ", ") + one;
  return text;
}

class BlockDraw {
 public:
  explicit BlockDraw(std::uint64_t seed) : random_(seed), made_({"K", "Q"}) {}

  Program program() {
    Node block = Handmade::loop("b", body({}), Processor::block);
    block.loop().allocations = of_block_;
    for (const std::string& buffer : more_of_block_) block.loop().allocations.push_back(buffer);
    made_.schedule({block});
    return made_.program();
  }

 private:
  int draw(int count) { return int(random_() % unsigned(count)); }
  bool likely(int percent) { return draw(100) < percent; }

  std::vector<Node> body(const std::vector<Steps>& around) {
    std::vector<Node> nodes;
    const int count = (around.empty() ? 1 : 2) + draw(2);
    for (int n = 0; n < count; ++n)
      nodes.push_back(around.size() < 2 && likely(around.empty() ? 70 : 25) ? steps(around)
                                                                            : phase(around));
    return nodes;
  }

  Node steps(std::vector<Steps> around) {
    const std::string name = "l" + std::to_string(loops_++);
    const int kind = draw(5);
    if (kind < 2)
      around.push_back({name, "K", parameter("K")});
    else if (kind < 4)
      around.push_back({name, "Q", parameter("Q")});
    else
      around.push_back({name, "2", constant(i64, 2)});
    if (likely(10)) around.back().step = 2;
    own_.emplace_back();
    std::vector<Node> inside = body(around);
    Node loop = Handmade::loop(name, std::move(inside),
                               likely(15) ? Processor::unrolled : Processor::sequential);
    loop.loop().allocations = own_.back();
    own_.pop_back();
    return loop;
  }

  std::vector<Axis> axes() {
    const int kind = draw(10);
    if (kind == 0) return {};
    const Axis x{"x", likely(15) ? 3 : 0, likely(20) ? 2 : 4};
    if (kind < 3) return {{"y", 0, 2}, x};
    return {x};
  }

  Node phase(const std::vector<Steps>& around) {
    Statement s{"S" + std::to_string(statements_.size()), around, axes()};
    std::vector<std::string> reads;
    Expr value = constant(i64, draw(100));
    for (const std::string& name : iterators(s)) value = value * 7 + variable(name);
    Expr sum = cast(f32, value);
    for (int n = draw(3); n > 0 && !statements_.empty(); --n)
      sum = sum + read(s, statements_[std::size_t(draw(int(statements_.size())))], reads);
    if (likely(15)) sum = sum + read(s, s, reads, true);
    made_.define("{ " + instance(s) + " : " + conditions(s) + " }", sum, reads);
    store(s);
    statements_.push_back(s);
    return nested(s);
  }

  static std::vector<std::string> iterators(const Statement& s) {
    std::vector<std::string> all;
    for (const Steps& loop : s.around) all.push_back(loop.name);
    for (const Axis& axis : s.threads) all.push_back(axis.name);
    return all;
  }

  static std::string instance(const Statement& s) {
    return s.name + "[" + listed(iterators(s)) + "]";
  }

  static std::string conditions(const Statement& s) {
    std::string text = "1 = 1";
    for (const Steps& loop : s.around) {
      text += " and 0 <= " + loop.name + " < " + loop.bound;
      if (loop.step > 1) text += " and " + loop.name + " mod 2 = 0";
    }
    for (const Axis& axis : s.threads)
      text += " and " + std::to_string(axis.lower) + " <= " + axis.name + " < " +
              std::to_string(axis.lower + axis.count);
    return text;
  }

  // The branch, its thread loops around it; some run the next iteration's part.
  Node nested(const Statement& s) {
    std::vector<std::string> time{"0"};
    const bool early = !s.around.empty() && s.around[0].step == 1 && likely(15);
    for (const Steps& loop : s.around)
      time.push_back(loop.name + (early && time.size() == 1 ? " - 1" : ""));
    for (const Axis& axis : s.threads) time.push_back(axis.name);
    Node node = made_.branch("{ " + instance(s) + " -> [" + listed(time) + "] }");
    for (auto axis = s.threads.rbegin(); axis != s.threads.rend(); ++axis)
      node = Handmade::loop(axis->name, {node}, Processor::thread);
    return node;
  }

  // The index of the value read on one axis of its maker: of a thread so many further.
  Index on_axis(const Statement& reader, const Axis& axis) {
    const Axis* own = nullptr;
    for (const Axis& one : reader.threads)
      if (one.name == axis.name) own = &one;
    const int shift = likely(50) ? 0 : draw(4);
    if (!own) {
      const int fixed = axis.lower + shift % axis.count;
      return {constant(i64, fixed), std::to_string(fixed)};
    }
    const int added = shift - own->lower + 8 * axis.count;
    return {axis.lower + (variable(own->name) + added) % axis.count,
            std::to_string(axis.lower) + " + (" + own->name + " + " + std::to_string(added) +
                ") mod " + std::to_string(axis.count)};
  }

  Expr read(const Statement& s, const Statement& from, std::vector<std::string>& reads,
            bool before = false) {
    std::vector<Expr> indices;
    std::vector<std::string> texts;
    std::optional<Expr> exists;
    std::string when = conditions(s);
    const auto require = [&](const Expr& e, const std::string& text) {
      exists = exists ? *exists && e : e;
      when += " and " + text;
    };
    if (before && from.around.empty()) return Expr(0.0f);
    for (std::size_t d = 0; d < from.around.size(); ++d) {
      const Steps& loop = from.around[d];
      const bool shared = d < s.around.size() && s.around[d].name == loop.name;
      const bool previous = shared && (before ? d == 0 : likely(20));
      if (!shared) require(loop.end > 0, loop.bound + " > 0");
      if (previous)
        require(variable(loop.name) >= loop.step, loop.name + " >= " + std::to_string(loop.step));
      const Expr at = variable(loop.name);
      indices.push_back(!shared ? constant(i64, 0) : previous ? at - loop.step : at);
      texts.push_back(!shared    ? "0"
                      : previous ? loop.name + " - " + std::to_string(loop.step)
                                 : loop.name);
    }
    for (const Axis& axis : from.threads) {
      const Index index = on_axis(s, axis);
      indices.push_back(index.e);
      texts.push_back(index.text);
    }
    reads.push_back("{ " + instance(s) + " -> " + from.name + "[" + listed(texts) + "] : " + when +
                    " }");
    const Expr value = access(from.name, f32, indices);
    return exists ? select(*exists, value, Expr(1.0f)) : value;
  }

  void store(const Statement& s) {
    if (likely(25))
      return void(
          made_.store("{ " + instance(s) + " -> out_" + instance(s) + " }", BufferRole::output));
    std::vector<std::string> place;
    const int kind = draw(4);
    if (!s.around.empty() && kind == 0) place.push_back(s.around[0].name + " mod 2");
    for (const Axis& axis : s.threads) place.push_back(axis.name);
    if (place.empty()) place.push_back("0");
    if (!s.around.empty() && kind == 1) place.back() += " + 4 " + s.around.back().name;
    std::string buffer = "c" + s.name;
    const bool others = place.size() == 1 && kind > 1 && !of_block_.empty() && likely(40);
    if (others)
      buffer = of_block_[std::size_t(draw(int(of_block_.size())))];
    else if (!own_.empty() && kind != 0 && likely(50))
      own_.back().push_back(buffer);
    else if (place.size() == 1 && kind != 1)
      of_block_.push_back(buffer);
    else
      more_of_block_.push_back(buffer);
    made_.store("{ " + instance(s) + " -> " + buffer + "[" + listed(place) + "] }");
  }

  std::mt19937_64 random_;
  Handmade made_;
  int loops_ = 0;
  std::vector<Statement> statements_;
  std::vector<std::string> of_block_, more_of_block_;  // with one index, and others
  std::vector<std::vector<std::string>> own_;          // buffers of the loops around
};

}  // namespace

Program draw_block(std::uint64_t seed) { return BlockDraw(seed).program(); }

}  // namespace strata::test
