#include "tests/fuzz/draw_steps.h"

#include "layers/define/build.h"
#include "tests/fuzz/program_generator.h"
#include "tests/fuzz/size_parameters.h"

namespace strata::fuzz {

namespace {

std::vector<const Definition*> single_reductions(const Program& program) {
  std::vector<const Definition*> all;
  for (const Definition& d : program.algorithm->definitions)
    if (d.reduction && d.reduction->results > 0 && d.others.empty()) all.push_back(&d);
  return all;
}

// atomic(S), often unroll(S.k), gpu_tile(S.i), for a reduction S(i, ..) over k.
Scheduled steps_of_reduction(Random& random) {
  Scheduled all{draw_program(random).program, {}};
  const auto choices = single_reductions(all.program);
  if (choices.empty()) return all;
  const Definition& s = *one_of(random, choices);
  const LoopRef i{s.name, s.iterators.front()}, k{s.name, s.iterators.back()};
  all.give("atomic", {s.name});
  if (chance(random, 40))
    all.give("unroll", {k, between(random, 2, 3)});
  else if (chance(random, 60))
    all.give("unroll", {k});
  all.give("gpu_tile", {i, between(random, 2, 3), "b", "t"});
  return all;
}

Expr draw_constant(Random& random, Type type) {
  const std::int64_t value = one_of(random, std::vector<std::int64_t>{-1, -7, 0, 1, 5, 1 << 20});
  return is_float(type) ? real_constant(type, double(value) / 4) : constant(type, value);
}

Expr draw_step(Random& random, const Expr& old, const Expr& c) {
  switch (between(random, 0, is_float(c.type()) ? 3 : 6)) {
    case 0: return old + c;
    case 1: return old - c;
    case 2: return min(c, old);
    case 3: return max(old, c);
    case 4: return old * c;
    case 5: return old ^ c;
    default: return old | c;
  }
}

// for i < N + 9: h(e) = h(e) (+) c, where e is in(i) mod 3 or i mod 3
Scheduled steps_of_constants(Random& random) {
  const Request request{"steps drawn", {"steps", 0}};
  const Type type = one_of(random, std::vector{i32, u32, f32});
  const Var i("i", 0, n + 9);
  Program program = new_program(std::make_shared<Session>(), "f", request);
  program = with_parameter(program, "N", request);
  program = with_assumption(program, n >= 0, request);
  program = with_input(program, "in", i32, {n + 9}, request);
  NewDefinition first, step;
  first.array = step.array = "h";
  first.iterators = {Var("b", 0, 3)};
  first.value = draw_constant(random, type);
  program = with_definition(program, first, request);
  const Expr bin = (chance(random, 50) ? cast(i64, access("in", i32, {i})) : Expr(i)) % 3;
  step.iterators = {i};
  step.element = {bin};
  step.value = draw_step(random, access("h", type, {bin}), draw_constant(random, type));
  Scheduled all{with_definition(program, step, request), {}};
  all.give("atomic", {"h_1"});
  const std::int64_t threads = chance(random, 50) ? 32 : between(random, 2, 4);
  all.give("gpu_tile", {LoopRef{"h_1", "i"}, threads, "b0", "t0"});
  return all;
}

class Warps {
 public:
  explicit Warps(Random& random) : random_(random) {}

  Scheduled draw() {
    all_.program = new_program(std::make_shared<Session>(), "f", request_);
    all_.program = with_parameter(all_.program, "N", request_);
    all_.program = with_assumption(all_.program, n >= 0, request_);
    all_.program = with_input(all_.program, "in", i32, {n + 9, 2 * n + 80}, request_);
    NewDefinition d;
    d.array = "S";
    d.iterators = {Var("i", 0, n + 9)};
    d.value = reduction();
    all_.program = with_definition(all_.program, d, request_);
    schedule();
    return std::move(all_);
  }

 private:
  Expr reduction() {
    const Expr i = variable("i");
    const Var k("k", 0,
                one_of(random_, std::vector<Expr>{n + 40, i + 30, 70 - i, constant(i64, 64)}));
    const Type type = one_of(random_, std::vector{i32, u32, f32});
    const Expr element = access("in", i32, {i, k});
    Expr value = is_float(type) ? cast(type, element & 15) : cast(type, element);
    if (chance(random_, 30))
      value = select(element % 3 == 0, value, identity_of(Reduction::sum, type));
    switch (between(random_, 0, is_float(type) ? 2 : 3)) {
      case 0: return sum(k, value);
      case 1: return maximum(k, value);
      case 2: return minimum(k, value);
      default: return product(k, value);
    }
  }

  void schedule() {
    const bool in_rows = chance(random_, 60), in_parts = chance(random_, 50);
    const std::string block = in_rows ? "b" : "i", row = in_rows ? "r" : "";
    if (in_rows) all_.give("split", {LoopRef{"S", "i"}, between(random_, 2, 4), block, row});
    const std::int64_t threads = chance(random_, 70) ? 32 : 64;
    all_.give("split", {LoopRef{"S", "k"}, threads, "k0", "k1"});
    if (in_parts) {
      all_.give("rfactor", {LoopRef{"S", "k1"}, "P"});
      all_.give("compute_at", {"P", LoopRef{"S", block}});
      all_.give("interchange", {LoopRef{"P", "k0"}, LoopRef{"P", "k1"}});
    } else if (in_rows) {
      all_.give("interchange", {LoopRef{"S", row}, LoopRef{"S", "k0"}});
    }
    all_.give("atomic", {"S"});
    all_.give("gpu_blocks", {LoopRef{"S", block}});
    give_threads("S", row);
    if (in_parts) give_threads("P", row);
  }

  void give_threads(const std::string& name, const std::string& row) {
    std::vector<CommandOperand> loops;
    if (!row.empty()) loops.emplace_back(LoopRef{name, row});
    loops.emplace_back(LoopRef{name, "k1"});
    all_.give("gpu_threads", loops);
  }

  Random& random_;
  const Request request_{"warps drawn", {"warps", 0}};
  Scheduled all_;
};

}  // namespace

Scheduled draw_steps(Random& random) {
  return chance(random, 60) ? steps_of_reduction(random) : steps_of_constants(random);
}

Scheduled draw_warps(Random& random) { return Warps(random).draw(); }

}  // namespace strata::fuzz
