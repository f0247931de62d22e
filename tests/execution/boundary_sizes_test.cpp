// Each command and each pair of commands, at sizes around those that the commands name, on a box, a
// triangle and a domain with strides: the loop tree computes what layer I means, and so does the
// compiled kernel of some of the programs.
#include <strata/strata.h>
#include <catch2/catch.hpp>

#include <array>
#include <cstdlib>
#include <iostream>
#include <memory>

#include "codegen/lower.h"
#include "reference/interpreter.h"
#include "schedule/finish.h"
#include "tests/execution/harness.h"

namespace strata::test::boundary_sizes_test {

namespace {

constexpr std::int64_t lanes = 4, tile = 6;
// 0, 1, v - 1, v, v + 1, 2 v + 1, tile - 1, tile + 1
const std::vector<std::int64_t> sizes = {
    0, 1, lanes - 1, lanes, lanes + 1, 2 * lanes + 1, tile - 1, tile + 1};
constexpr int one_in = 40;  // one program in this many is compiled

enum class Domains { box, triangle, strides };

const Var i("i"), j("j");

// in -> s -> t, and r, the row sums of t.
struct Case {
  explicit Case(Domains shape) {
    const std::string where = shape == Domains::box        ? "0 <= i < N and 0 <= j < M"
                              : shape == Domains::triangle ? "0 <= i < N and 0 <= j <= i and j < M"
                                                           : "0 <= i < N and 0 <= j < M and "
                                                             "(i + j) mod 2 = 0";
    const auto domain = [&](const std::string& name) {
      return Domain("[N, M] -> { " + name + "[i, j] : " + where + " }");
    };
    s = std::make_unique<Computation>(f.computation("s", domain("s"), in(i, j) * 3 + i));
    t = std::make_unique<Computation>(f.computation("t", domain("t"), (*s)(i, j) - j));
  }

  std::vector<Buffer> arguments() const { return {in.buffer(), t->buffer()}; }

  Function f{"f"};
  Param N = f.param("N"), M = f.param("M"), T = f.param("T");
  Input in = f.input("in", i32, {N, M});
  std::unique_ptr<Computation> s, t;
};

struct Step {
  const char* name;
  void (*give)(Case&);
};

// Commands on the loops i and j of t, and on s. The loops around t keep the names i and j.
const std::vector<Step> commands = {
    {"split i", [](Case& p) { p.t->split(i, tile); }},
    {"split j", [](Case& p) { p.t->split(j, tile); }},
    {"split by T", [](Case& p) { p.t->split(i, p.T); }},
    {"tile", [](Case& p) { p.t->tile(i, j, tile, tile); }},
    {"interchange", [](Case& p) { p.t->interchange(i, j); }},
    {"shift", [](Case& p) { p.t->shift(j, p.N - 3); }},
    {"skew", [](Case& p) { p.t->skew(i, j, 1, 1); }},
    {"reverse", [](Case& p) { p.t->reverse(j); }},
    {"unroll", [](Case& p) { p.t->unroll(j, lanes); }},
    {"vectorize", [](Case& p) { p.t->vectorize(j, lanes); }},
    {"vectorize s", [](Case& p) { p.s->vectorize(j, lanes); }},
    {"parallelize", [](Case& p) { p.t->parallelize(i); }},
    {"separate", [](Case& p) { p.t->separate(j); }},
    {"guard", [](Case& p) { p.t->guard(i); }},
    {"mask", [](Case& p) { p.t->mask(Var("j_lane")); }},
    {"after", [](Case& p) { p.t->after(*p.s, i); }},
    {"fuse", [](Case& p) { p.s->fuse(i, *p.t, i); }},
    {"set_inline", [](Case& p) { p.s->set_inline(); }},
    {"compute_at i", [](Case& p) { p.s->compute_at(*p.t, i); }},
    {"compute_at j", [](Case& p) { p.s->compute_at(*p.t, j); }},
    {"store_at", [](Case& p) { p.s->store_at(*p.t, i); }},
    {"cache_at", [](Case& p) { p.t->cache_at(i, p.in, "c", {Var("a"), Var("b")}); }},
    {"store_in turned", [](Case& p) { p.t->store_in({j, i}); }},
    {"store_in place", [](Case& p) { p.t->store_in(p.in.buffer()); }},
    {"contract", [](Case& p) { p.s->store_in({i % 2, j}); }},
    {"set_size", [](Case& p) { p.s->store_in({i, j}).set_size({p.N, p.M + lanes}); }},
};

struct Counts {
  int programs = 0, refused = 0, trees = 0, compiled = 0;
};

// Compares the kernel's loop tree with layer I at these sizes.
void judge_tree(const Program& ready, const Kernel& tree, const reference::Parameters& parameters) {
  const reference::Arrays inputs = reference::random_inputs(ready, parameters, 7);
  const reference::Arrays before = reference::input_buffers(ready, parameters, inputs);
  const auto values = reference::run(ready, parameters, inputs);
  const auto run = reference::run_tree(tree, parameters, before);
  CAPTURE(reference::to_string(parameters));
  for (const std::string& finding : run.findings) FAIL_CHECK(finding);
  const auto wrong =
      reference::first_wrong_place(reference::final_contents(ready, parameters, values), run);
  if (!wrong.empty() || run.refused || run.failed) FAIL_CHECK("wrong: " << wrong);
}

constexpr std::array all_masks{Masks::none, Masks::loads, Masks::all};

// Programs take turns with the masks of the target.
void judge_at_all_sizes(const Case& p, Counts& counts) {
  std::vector<std::string> names;
  for (const Buffer& b : p.arguments()) {
    if (std::find(names.begin(), names.end(), b.name()) == names.end()) names.push_back(b.name());
  }
  const Program ready = finished(p.f.program(), names, {});
  ++counts.programs;
  LowerOptions lowering{names, Floats::exact, {"lower", {}}};
  lowering.masks = all_masks[std::size_t(counts.programs) % all_masks.size()];
  const Kernel tree = lower(ready, lowering);
  for (std::size_t n = 0; n < sizes.size(); ++n)
    for (const std::size_t m : {n, (n * 3 + 1) % sizes.size()}) {
      judge_tree(ready, tree, {{"N", sizes[n]}, {"M", sizes[m]}, {"T", 1 + sizes[m]}});
      ++counts.trees;
    }
  if (counts.programs % one_in != 0) return;
  std::vector<Buffer> arguments;
  for (const std::string& name : names) arguments.emplace_back(name);
  Options options;
  options.most_for_tree = options.most_for_oracle = 0;
  Judged judged(p.f, arguments, options);
  ++counts.compiled;
  for (const std::int64_t n : sizes)
    for (const std::int64_t m : sizes) judged.check({n, m, 1 + m});
}

void judge_program(Domains shape, const std::vector<Step>& given, Counts& counts) {
  Case p(shape);
  std::string list = std::to_string(int(shape));
  try {
    for (const Step& c : given) {
      list += std::string("; ") + c.name;
      c.give(p);
    }
    INFO(list);
    judge_at_all_sizes(p, counts);
  } catch (const Error&) {
    ++counts.refused;
  }
}

void judge_pairs(Domains shape) {
  Counts counts;
  judge_program(shape, {}, counts);
  for (const Step& first : commands) {
    judge_program(shape, {first}, counts);
    for (const Step& second : commands) judge_program(shape, {first, second}, counts);
  }
  std::cout << "programs=" << counts.programs << " refused=" << counts.refused
            << " trees=" << counts.trees << " compiled=" << counts.compiled << '\n';
  CHECK(counts.programs > 300);
}

}  // namespace

TEST_CASE("pairs of commands on a box, at sizes around theirs", "[execution]") {
  judge_pairs(Domains::box);
}

TEST_CASE("pairs of commands on a triangle, at sizes around theirs", "[execution]") {
  judge_pairs(Domains::triangle);
}

TEST_CASE("pairs of commands on points apart, at sizes around theirs", "[execution]") {
  judge_pairs(Domains::strides);
}

}  // namespace strata::test::boundary_sizes_test
