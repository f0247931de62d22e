#include "tests/fuzz/draw_launch.h"

#include "tests/fuzz/draw.h"

namespace strata::fuzz {

namespace {

class LaunchOf {
 public:
  LaunchOf(Draw& draw, const Site& site) : draw_(draw), site_(site) {}

  std::vector<DrawnCommand> commands() {
    if (site_.loops.size() == 1 || draw_.chance(55))
      tile();
    else
      split();
    if (draw_.chance(80)) cache();
    return std::move(all_);
  }

 private:
  LoopRef loop(const std::string& name) const { return {site_.definition, name, site_.piece}; }
  void give(const std::string& name, std::vector<CommandOperand> operands) {
    all_.push_back({name, {name, std::move(operands)}});
  }

  void tile() {
    const std::size_t count = site_.loops.size() > 1 && draw_.chance(50) ? 2 : 1;
    std::vector<CommandOperand> loops, sizes, blocks, threads;
    for (std::size_t n = 0; n < count; ++n) {
      loops.push_back(loop(site_.loops[n]));
      sizes.push_back(draw_.between(2, 3));
      blocks.push_back("b" + std::to_string(n));
      threads.push_back("t" + std::to_string(n));
    }
    around_ = loop("b" + std::to_string(count - 1));
    for (const auto* more : {&sizes, &blocks, &threads})
      loops.insert(loops.end(), more->begin(), more->end());
    give("gpu_tile", loops);
  }

  void split() {
    give("split", {loop(site_.loops.front()), draw_.between(2, 3), "b0", "u0"});
    give("gpu_blocks", {loop("b0")});
    give("split", {loop(site_.loops.back()), draw_.between(2, 3), "u1", "t0"});
    give("gpu_threads", {loop("t0")});
    around_ = loop(draw_.one_of(std::vector<std::string>{"b0", "u0", "u1"}));
  }

  void cache() {
    const auto producers = draw_.producers(site_.definition, false);
    if (!producers.empty() && draw_.chance(70))
      return give("cache_shared_at", {draw_.one_of(producers), around_});
    if (const auto array = draw_.read_by(site_.definition))
      give("cache_shared_at",
           {around_, *array, draw_.new_array("C"), draw_.new_iterators("c", *array)});
  }

  Draw& draw_;
  const Site& site_;
  LoopRef around_;
  std::vector<DrawnCommand> all_;
};

}  // namespace

std::vector<DrawnCommand> draw_launch(Random& random, const Program& program) {
  Draw draw(random, program);
  const auto site = draw.site();
  if (!site || program.algorithm->find(site->definition)->is_initial) return {};
  return LaunchOf(draw, *site).commands();
}

}  // namespace strata::fuzz
