// Small programs for the tests of layers and commands, and functions that compare them.
#pragma once

#include <catch2/catch.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/expr/expr.h"
#include "layers/define/build.h"

namespace strata::test {

inline const Request asked{"a test", {"test.cpp", 1}};

inline Program empty_program(const std::vector<std::string>& parameters) {
  Program program = new_program(std::make_shared<Session>(), "f", asked);
  for (const auto& name : parameters) program = with_parameter(program, name, asked);
  return program;
}

inline Var range(const std::string& name, const std::string& upper) {
  return Var(name, 0, parameter(upper));
}

inline Expr at(const std::string& array, std::vector<Expr> indices) {
  return access(array, f32, std::move(indices));
}

inline Program define(const Program& program, const std::string& name, std::vector<Var> iterators,
                      const Expr& value) {
  NewDefinition definition;
  definition.array = name;
  definition.iterators = std::move(iterators);
  definition.value = value;
  definition.type = f32;
  return with_definition(program, definition, asked);
}

// for i < N: for j < M: S(i, j) = in(i, j) + 1
inline Program grid() {
  Var i = range("i", "N"), j = range("j", "M");
  auto program =
      with_input(empty_program({"N", "M"}), "in", f32, {parameter("N"), parameter("M")}, asked);
  return define(program, "S", {i, j}, at("in", {i, j}) + 1.0f);
}

// for i, j < N: S(i, j) = S(i - 1, j + 1) + 1, if that exists: a dependence (1, -1).
inline Program antidiagonal() {
  Var i = range("i", "N"), j = range("j", "N");
  return define(empty_program({"N"}), "S", {i, j},
                select(i > 0 && j < parameter("N") - 1, at("S", {i - 1, j + 1}), 0.0f) + 1.0f);
}

// for i, j < N: S(i, j) = S(i - 1, j) + S(i, j - 1), if those exist: (1, 0) and (0, 1).
inline Program sums_of_neighbours() {
  Var i = range("i", "N"), j = range("j", "N");
  return define(
      empty_program({"N"}), "S", {i, j},
      select(i > 0, at("S", {i - 1, j}), 1.0f) + select(j > 0, at("S", {i, j - 1}), 1.0f));
}

// for i, j < N: S(i, j) = S(i, j - 1) + 1, if that exists: (0, 1).
inline Program row_sums() {
  Var i = range("i", "N"), j = range("j", "N");
  return define(empty_program({"N"}), "S", {i, j}, select(j > 0, at("S", {i, j - 1}), 0.0f) + 1.0f);
}

// P(i, j) = 2 i;  Q(i, j) = P(i, j) + 1;  R(i, j) = P(i, j) + Q(i, j), each in a nest of its own.
inline Program three_stages() {
  Var i = range("i", "N"), j = range("j", "N");
  auto program = define(empty_program({"N"}), "P", {i, j}, cast(f32, i * 2));
  program = define(program, "Q", {i, j}, at("P", {i, j}) + 1.0f);
  return define(program, "R", {i, j}, at("P", {i, j}) + at("Q", {i, j}));
}

// for h <= N: P(h) = h;  for i < N: Q(i) = P(i) + P(i + 1)
inline Program stencil() {
  Var i = range("i", "N"), h("h", 0, parameter("N") + 1);
  auto program = define(empty_program({"N"}), "P", {h}, cast(f32, h + 0));
  return define(program, "Q", {i}, at("P", {i}) + at("P", {i + 1}));
}

// for i < N: C(i) = sum of in(i, k) over k < M
inline Program sums() {
  Var i = range("i", "N"), k = range("k", "M");
  auto program =
      with_input(empty_program({"N", "M"}), "in", f32, {parameter("N"), parameter("M")}, asked);
  return define(program, "C", {i}, sum(k, at("in", {i, k})));
}

// The program with "is_atomic" set or cleared for the definition, without a legality check.
inline Program with_atomic(Program program, const std::string& definition, bool atomic) {
  auto algorithm = std::make_shared<Algorithm>(*program.algorithm);
  algorithm->edit(definition).is_atomic = atomic;
  program.algorithm = std::move(algorithm);
  return program;
}

// ---- the schedule of a program ----

// Theta of one definition, not padded.
inline isl::union_map theta_of(const Program& program, const std::string& definition) {
  isl::union_map all = isl::union_map::empty(program.session->isl());
  for (const Placed& placed : branches_of(program.mapping, definition))
    all = all.unite(isl::map(theta(placed)).to_union_map());
  return all;
}

// Does the definition have the schedule given by the text, on its whole domain?
inline bool runs(const Program& program, const std::string& definition, const std::string& map) {
  const isl::union_map expected(program.session->isl(), map);
  const Definition& d = *program.algorithm->find(definition);
  return theta_of(program, definition)
      .is_equal(expected.intersect_domain(isl::union_set(d.domain)));
}

inline std::string loops_around(const Placed& placed) {
  std::string text;
  for (const Loop* loop : placed.loops) {
    text += (text.empty() ? "" : " ") + loop->name;
    if (loop->processor != Processor::sequential) text += ":" + to_string(loop->processor);
  }
  return text;
}

// "i j_in:vector": the loops around the definition's first branch.
inline std::string loops_of(const Program& program, const std::string& definition) {
  const auto placed = branches_of(program.mapping, definition);
  return placed.empty() ? "not scheduled" : loops_around(placed.front());
}

// Do both programs, of one session, have the same schedule and loops?
inline bool same_schedule(const Program& a, const Program& b) {
  REQUIRE(a.session == b.session);
  const auto all = branches(a.mapping), others = branches(b.mapping);
  if (all.size() != others.size()) return false;
  for (std::size_t n = 0; n < all.size(); ++n) {
    if (all[n].branch->definition != others[n].branch->definition) return false;
    if (loops_around(all[n]) != loops_around(others[n])) return false;
    if (!isl::map(theta(all[n])).is_equal(theta(others[n]))) return false;
  }
  return true;
}

// The refusal that the command throws.
inline Refusal refusal_of(const std::function<void()>& command) {
  try {
    command();
  } catch (const Error& error) {
    return error.refusal();
  }
  FAIL("the command was accepted");
  throw;
}

// "N = 2: S[0, 1] at [0, 1, 0, 0, 0]; S[1, 0] at [0, 0, 0, 1, 0]"
inline std::string witness_text(const Refusal& refusal) {
  if (!refusal.witness) return "none";
  std::string text = refusal.witness->parameters, separator = ": ";
  for (const Execution& e : refusal.witness->executions) {
    text += separator + e.instance + (e.time.empty() ? "" : " at " + e.time);
    separator = "; ";
  }
  return text;
}

}  // namespace strata::test
