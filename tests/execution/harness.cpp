#include "tests/execution/harness.h"

#include <fmt/format.h>
#include <strata/strata.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

#include "codegen/lower.h"
#include "reference/initial_values.h"
#include "reference/loop_tree_theta.h"
#include "reference/shadow.h"
#include "schedule/finish.h"

extern "C" {
#include "runtime/threads.h"
}

namespace strata::test {

using reference::Arrays;
using reference::Parameters;
using reference::Point;

namespace {

std::vector<std::string> names_of(const std::vector<Buffer>& buffers) {
  std::vector<std::string> names;
  for (const Buffer& b : buffers) names.push_back(b.name());
  return names;
}

reference::Array contents(const Arrays& arrays, const std::string& name) {
  return arrays.contains(name) ? arrays[name] : reference::Array();
}

// The elements made by the program; the loop tree has given elements only if it touches them.
reference::Array made(const reference::Array& after) {
  reference::Array result(after.type(), after.elements());
  for (const Point& p : after.elements())
    if (after.defined(p) && after.step(p) >= 0) result.set(p, after[p], after.step(p));
  return result;
}

// The number of instances, counting each contribution.
std::size_t count_instances(const Algorithm& algorithm, const Parameters& parameters) {
  std::size_t count = 0;
  for (const Definition& d : algorithm.definitions)
    count += reference::points(d.domain, parameters).size();
  return count;
}

void fail_each(const std::string& what, const std::vector<std::string>& findings) {
  for (const std::string& finding : findings) FAIL_CHECK(what << ": " << finding);
}

}  // namespace

Judged::Judged(const Function& f, const std::vector<Buffer>& arguments, Options options)
    : options_(std::move(options)),
      arguments_(names_of(arguments)),
      program_(finished(f.program(), arguments_, {})) {
  LowerOptions lowering{arguments_, options_.floats, {"lower", {}}};
  lowering.masks = masks_of(machine(options_.target));
  tree_ = lower(program_, lowering);
  CodegenOptions codegen;
  codegen.floats = options_.floats;
  codegen.target = options_.target;
  codegen.backend = options_.backend;
  kernel_ = Function(f).jit(arguments, codegen);
}

Parameters Judged::named(const std::vector<std::int64_t>& parameters) const {
  Parameters result;
  const auto& names = program_.algorithm->parameters;
  for (std::size_t n = 0; n < names.size(); ++n) result[names[n]] = parameters.at(n);
  return result;
}

std::vector<std::int64_t> Judged::arguments_among(
    const std::vector<std::int64_t>& parameters) const {
  std::vector<std::int64_t> scalars;
  const auto &all = program_.algorithm->parameters, &taken = tree_.parameters;
  for (std::size_t n = 0; n < all.size(); ++n)
    if (std::find(taken.begin(), taken.end(), all[n]) != taken.end())
      scalars.push_back(parameters.at(n));
  return scalars;
}

Judged::Expectation Judged::expect(const std::vector<std::int64_t>& parameters,
                                   const Arrays& given) const {
  Expectation e;
  e.parameters = named(parameters);
  Arrays inputs = reference::random_inputs(program_, e.parameters, options_.seed);
  for (const auto& [name, array] : given) inputs[name] = array;
  e.before = reference::input_buffers(program_, e.parameters, inputs);
  const Arrays values =
      reference::run(program_, e.parameters, inputs, options_.externs, {}, &e.idle);
  e.after = reference::final_contents(program_, e.parameters, values);
  e.steps = count_instances(*program_.algorithm, e.parameters);
  return e;
}

std::string Judged::difference(const reference::Array& expected,
                               const reference::Array& actual) const {
  if (options_.floats == Floats::exact || !is_float(expected.type()))
    return reference::first_difference(expected, actual);
  for (const Point& p : expected.elements()) {
    if (!expected.defined(p)) continue;
    const double wanted = expected.real(p), found = actual.real(p);
    const bool same = reference::same(expected[p], actual[p]);
    if (!same && !(std::abs(found - wanted) <= options_.bound * std::max(1.0, std::abs(wanted))))
      return fmt::format("{} is {} and should be {} within {}", reference::to_string(p), found,
                         wanted, options_.bound);
  }
  return "";
}

Arrays Judged::run(const Expectation& expected, const std::vector<std::int64_t>& parameters,
                   Shape shape) const {
  std::vector<std::unique_ptr<Guarded>> memory;
  std::vector<halide_buffer_t*> list;
  for (const std::string& name : arguments_) {
    const LayoutBuffer& buffer = *program_.layout.find(name);
    const auto rank = static_cast<std::size_t>(buffer.dimensions);
    Point lower, extent;
    enclose(contents(expected.before, name), lower, extent);
    enclose(contents(expected.after, name), lower, extent);
    lower.resize(rank);
    extent.resize(rank);
    memory.push_back(std::make_unique<Guarded>(buffer.type, lower, extent, shape,
                                               contents(expected.before, name)));
    list.push_back(memory.back()->argument());
  }
  std::vector<ScalarValue> scalars;
  for (const ScalarArgument& s : tree_.scalars) scalars.push_back(passed(expected.before[s.name]));
  INFO("with " << to_string(shape) << " buffers");
  strata_use_threads_for_all_loops(1);
  const int code = kernel_(arguments_among(parameters), scalars, list);
  strata_use_threads_for_all_loops(0);
  if (code != 0) FAIL_CHECK("the kernel returns " << code << ": " << strata_last_error());
  Arrays result;
  for (std::size_t n = 0; n < arguments_.size(); ++n) {
    const reference::Array wanted = contents(expected.after, arguments_[n]);
    result[arguments_[n]] = memory[n]->values(wanted);
    const std::string wrong = difference(wanted, result[arguments_[n]]);
    if (!wrong.empty()) FAIL_CHECK(arguments_[n] << wrong);
    const std::string damage = memory[n]->damage(wanted);
    if (!damage.empty()) FAIL_CHECK("in the memory of " << arguments_[n] << ", " << damage);
  }
  return result;
}

void Judged::judge_trees(const Expectation& expected) const {
  for (const Kernel& version : reference::versions(tree_)) {
    INFO("in the version " << (version.body == tree_.body ? "with full tiles" : "without tiles"));
    judge_tree(version, expected);
  }
}

void Judged::judge_tree(const Kernel& tree, const Expectation& expected) const {
  const Mapping mapping = reference::with_initial_values(program_);
  using Lanes = reference::RunOptions::Lanes;
  std::uint64_t seed = 0;
  for (const Lanes lanes : {Lanes::outer, Lanes::innermost, Lanes::mixed}) {
    INFO("in the loop tree, lanes in order " << seed);
    const auto run = reference::run_tree(tree, expected.parameters, expected.before,
                                         {lanes, seed++}, options_.externs);
    fail_each("the tree", run.findings);
    if (run.refused) FAIL_CHECK("the tree refuses the parameters");
    for (const auto& [name, found] : run.buffers) {
      const std::string wrong = difference(made(contents(expected.after, name)), found);
      if (!wrong.empty()) FAIL_CHECK(name << wrong);
    }
    if (lanes == Lanes::outer)
      fail_each("the trace",
                reference::differences_from_theta(mapping, *program_.algorithm, expected.parameters,
                                                  run.trace, expected.idle));
    if (run.failed) FAIL_CHECK("an index is out of range in the tree");
  }
}

void Judged::judge_order(const Expectation& expected) const {
  for (const reference::Violation& v : reference::judge_schedule(program_, expected.parameters))
    FAIL_CHECK("the schedule oracle: " << reference::to_string(v));
}

Arrays Judged::check(const std::vector<std::int64_t>& parameters, const Arrays& given) {
  const Expectation expected = expect(parameters, given);
  INFO("at " << reference::to_string(expected.parameters));
  if (expected.steps <= options_.most_for_oracle) judge_order(expected);
  if (expected.steps <= options_.most_for_tree) judge_trees(expected);
  Arrays result;
  for (const Shape shape : all_shapes) {
    Arrays found = run(expected, parameters, shape);
    if (shape == Shape::dense) result = std::move(found);
  }
  return result;
}

std::vector<reference::Executed> Judged::trace(const std::vector<std::int64_t>& parameters) {
  const Expectation expected = expect(parameters, {});
  return reference::run_tree(tree_, expected.parameters, expected.before, {}, options_.externs)
      .trace;
}

}  // namespace strata::test
