// The pass that makes a call once for several executions.
#include "codegen/passes/share.h"

#include <catch2/catch.hpp>

#include "codegen/tree/verify_loop_tree.h"
#include "reference/loop_tree_interpreter.h"

namespace strata::test::share_test {

namespace {

const Expr i = variable("i"), j = variable("j"), n = parameter("N");
const Expr zero = constant(i64, 0), extent = constant(i64, 8);

Expr at(const char* buffer, const Expr& index) { return load(buffer, f64, {index}); }

Execute stored(const char* buffer, const Expr& index, const Expr& value) {
  return {"S", {i}, buffer, {index}, value};
}

StmtPtr loop(const char* name, const StmtPtr& body) {
  return make_stmt(For{{name, Processor::sequential}, name, zero, n, std::nullopt, body});
}

StmtPtr block(const std::vector<Execute>& executions) {
  Block all;
  for (const Execute& s : executions) all.body.push_back(make_stmt(s));
  return make_stmt(all);
}

// f(N, x, y, a, b), each of 8 numbers.
Kernel kernel(const StmtPtr& body) {
  Kernel result;
  result.name = "f";
  result.parameters = {"N"};
  for (const char* read : {"x", "y"})
    result.buffers.push_back({read, f64, Access::read, {zero}, {extent}});
  for (const char* written : {"a", "b"})
    result.buffers.push_back({written, f64, Access::read_and_written, {zero}, {extent}});
  result.body = body;
  return result;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t times = 0;
  for (auto found = text.find(part); found != std::string::npos; found = text.find(part, found + 1))
    ++times;
  return times;
}

reference::TreeRun run(const Kernel& kernel, std::int64_t size) {
  reference::Arrays arguments;
  for (const char* name : {"x", "y", "a", "b"}) {
    arguments[name] = reference::Array::box(f64, {0}, {8});
    for (std::int64_t e = 0; e < 8; ++e)
      arguments[name].set({e}, reference::real_scalar(f64, 0.25 * double(e) + name[0] % 3));
  }
  return reference::run_tree(kernel, {{"N", size}}, arguments);
}

// The calls of exp in the text after the pass, which computes the same.
std::size_t calls_after(const Kernel& before) {
  const Kernel after = with_shared_calls(before);
  CAPTURE(to_c_text(before), to_c_text(after));
  CHECK(findings(after).empty());
  for (const std::int64_t size : {0, 1, 8}) {
    reference::TreeRun expected = run(before, size), found = run(after, size);
    CHECK(found.findings == expected.findings);
    for (const char* name : {"a", "b"})
      for (std::int64_t e = 0; e < 8; ++e)
        CHECK(found.buffers[name].real({e}) == expected.buffers[name].real({e}));
  }
  return count(to_c_text(after), "exp(");
}

// Is exp called before the loop over i?
bool is_before(const Kernel& one) {
  const std::string text = to_c_text(with_shared_calls(one));
  return text.find("exp(") < text.find("for i");
}

// for name in lower .. lower + size
StmtPtr short_loop(const char* name, const Expr& lower, std::int64_t size, const StmtPtr& body,
                   Processor processor = Processor::sequential) {
  return make_stmt(For{{name, processor}, name, lower, lower + size, size, body});
}

}  // namespace

TEST_CASE("executions side by side share a call", "[share]") {
  const Expr e = exp(at("x", i));
  CHECK(calls_after(
            kernel(loop("i", block({stored("a", i, e * at("y", i)), stored("b", i, e)})))) == 1);
  // What is inside another call, and the whole.
  CHECK(calls_after(
            kernel(loop("i", block({stored("a", i, exp(e) + e), stored("b", i, exp(e))})))) == 2);
  // Other arguments.
  CHECK(calls_after(
            kernel(loop("i", block({stored("a", i, e), stored("b", i, exp(at("y", i)))})))) == 2);
}

TEST_CASE("a call whose argument is written in between is made again", "[share]") {
  const Expr e = exp(at("a", i));
  Kernel one =
      kernel(loop("i", block({stored("b", i, e), stored("a", i, e + 1.0), stored("b", i, e)})));
  CHECK(calls_after(one) == 2);
  const Expr other = exp(at("x", i));
  one = kernel(loop("i", block({stored("a", i, other), stored("b", i, other)})));
  one.may_overlap = {{"a", "x"}};
  CHECK(calls_after(one) == 2);
}

TEST_CASE("a call that an execution may do without stays where it is", "[share]") {
  const Expr e = exp(at("x", i));
  const Expr either = select(i > 3, e, at("y", i));
  CHECK(calls_after(kernel(loop("i", block({stored("a", i, either), stored("b", i, either)})))) ==
        2);
  // But it is the same one as a call that is always made.
  CHECK(calls_after(kernel(loop("i", block({stored("a", i, e), stored("b", i, either)})))) == 2);
  CHECK(calls_after(kernel(loop("i", block({stored("a", i, e), stored("b", i, either + e)})))) ==
        1);
}

TEST_CASE("a call that is the same in all iterations is made before the loop", "[share]") {
  const Expr e = exp(at("x", i));
  const auto nest = [](const Execute& s) { return kernel(loop("i", loop("j", make_stmt(s)))); };
  CHECK(calls_after(nest(stored("a", j, e * at("y", j)))) == 1);
  const std::string text = to_c_text(with_shared_calls(nest(stored("a", j, e * at("y", j)))));
  CHECK(text.find("exp(") < text.find("for j"));
  // One that reads what the loop writes is not.
  const std::string own = to_c_text(with_shared_calls(nest(stored("a", j, exp(at("a", i))))));
  CHECK(own.find("exp(") > own.find("for j"));
  // Nor is one in a branch.
  const std::string branch =
      to_c_text(with_shared_calls(nest(stored("a", j, select(j > 0, e, at("y", j))))));
  CHECK(branch.find("exp(") > branch.find("for j"));
}

TEST_CASE("a call that is the same in two loops is made before both", "[share]") {
  const Expr e = exp(at("x", zero)), product = e * at("y", j);
  const auto is_before_both = [](const StmtPtr& body) {
    const std::string text = to_c_text(with_shared_calls(kernel(loop("i", body))));
    return text.find("exp(") < text.find("for i");
  };
  const StmtPtr inner = loop("j", make_stmt(stored("a", j, product)));
  CHECK(calls_after(kernel(loop("i", inner))) == 1);
  CHECK(is_before_both(inner));
  CHECK(is_before_both(make_stmt(Block{{make_stmt(stored("b", i, at("y", i))), inner}})));
  // A loop that some iterations leave out makes no call in them.
  const StmtPtr part = make_stmt(For{{"j", Processor::sequential},
                                     "j",
                                     zero,
                                     i,
                                     std::nullopt,
                                     make_stmt(stored("a", j, product))});
  CHECK(calls_after(kernel(loop("i", part))) == 1);
  CHECK_FALSE(is_before_both(part));
  // What the call reads is written in between.
  const Expr own = exp(at("b", zero));
  CHECK_FALSE(is_before_both(make_stmt(
      Block{{loop("j", make_stmt(stored("a", j, own))), make_stmt(stored("b", i, at("y", i)))}})));
  // Another execution may run where the call is not made.
  const StmtPtr other = make_stmt(stored("b", i, select(i > 3, e, at("y", i))));
  CHECK(calls_after(kernel(loop("i", make_stmt(Block{{other, inner}})))) == 2);
}

TEST_CASE("a call that depends on loops inside is made before the loop around, in a table",
          "[share]") {
  const auto of_size = [](const char* name, std::int64_t size, const StmtPtr& body,
                          Processor processor = Processor::sequential) {
    return short_loop(name, constant(i64, 1), size, body, processor);
  };
  const Expr k = variable("k"), e = exp(cast(f64, j * k));
  const StmtPtr step = make_stmt(stored("a", i, at("a", i) + e * at("y", j) + e));
  const auto nest = [&](std::int64_t size, Processor processor = Processor::sequential) {
    return kernel(loop("i", of_size("j", 3, of_size("k", size, step, processor))));
  };
  CHECK(calls_after(nest(2)) == 1);
  CHECK(is_before(nest(2)));
  // The loop around that changes nothing, too, is behind the table.
  CHECK(calls_after(kernel(loop("i", loop("n", of_size("j", 3, of_size("k", 2, step)))))) == 1);
  CHECK(is_before(kernel(loop("i", loop("n", of_size("j", 3, of_size("k", 2, step)))))));
  // One that is too large for the stack is not made, nor one for loops of unknown length.
  CHECK_FALSE(is_before(nest(1000)));
  CHECK_FALSE(is_before(kernel(loop("i", loop("j", of_size("k", 2, step))))));
  // Lanes of a vector have their call, and so has a loop that runs once.
  CHECK_FALSE(is_before(nest(2, Processor::vector)));
  CHECK_FALSE(is_before(kernel(of_size("i", 1, of_size("j", 3, of_size("k", 2, step))))));
  // What unrolling makes constants is computed at compile time in the mode fast.
  Kernel copied = kernel(
      loop("i", of_size("j", 3, of_size("k", 2, step, Processor::unrolled), Processor::unrolled)));
  CHECK_FALSE(is_before(copied));
  copied.floats = Floats::exact;
  CHECK(is_before(copied));
}

TEST_CASE("a table of calls is read where nothing that it was made of is written", "[share]") {
  const auto three = [](const StmtPtr& body) { return short_loop("j", zero, 3, body); };
  const auto nest = [&](const char* read) {
    return kernel(loop("i", three(make_stmt(stored("a", i, at("a", i) + exp(at(read, j)))))));
  };
  CHECK(calls_after(nest("x")) == 1);
  CHECK(calls_after(nest("a")) == 1);
  CHECK(is_before(nest("x")));
  CHECK_FALSE(is_before(nest("a")));
}

TEST_CASE("a table of calls has the loops that the call depends on", "[share]") {
  const Expr m = variable("m"), e = exp(at("x", j));
  const auto nest = [&](const Expr& lower, Processor processor = Processor::sequential) {
    const StmtPtr step = make_stmt(stored("a", i, at("a", i) + e * at("y", m)));
    return kernel(loop("i", short_loop("m", zero, 3, short_loop("j", lower, 3, step), processor)));
  };
  CHECK(calls_after(nest(zero)) == 1);
  CHECK(count(to_c_text(with_shared_calls(nest(zero))), "shared[j]") == 1);
  // Where it begins is not known before the loop around.
  CHECK(calls_after(nest(m)) == 1);
  CHECK_FALSE(is_before(nest(m)));
  // The calls of threads, and of lanes, are their own.
  CHECK_FALSE(is_before(nest(zero, Processor::parallel)));
  const StmtPtr inside = loop("i", short_loop("j", zero, 3, make_stmt(stored("a", i, e))));
  CHECK(is_before(kernel(short_loop("l", zero, 8, inside))));
  CHECK_FALSE(is_before(kernel(short_loop("l", zero, 8, inside, Processor::vector))));
}

TEST_CASE("a call of constants, or with a checked index, stays where it is", "[share]") {
  const auto nest = [](const Expr& e) {
    return kernel(loop("i", loop("j", make_stmt(stored("a", j, e * at("y", j))))));
  };
  CHECK(is_before(nest(exp(at("x", zero)))));
  CHECK_FALSE(is_before(nest(exp(constant(f64, 1)))));
  CHECK_FALSE(is_before(nest(exp(at("x", checked("x", n, zero, extent))))));
}

TEST_CASE("the scalars of a tuple need calls, and write", "[share]") {
  const auto tuple = [](const Expr& first, const Expr& second) {
    Execute both = stored("a", i, first);
    both.others = {{"b", second}};
    return both;
  };
  const Expr e = exp(at("x", i)), own = exp(at("b", zero));
  CHECK(calls_after(kernel(loop("i", block({tuple(at("y", i), e), stored("b", i, e)})))) == 1);
  CHECK(is_before(kernel(loop("i", make_stmt(tuple(exp(at("x", zero)), at("y", i)))))));
  CHECK_FALSE(is_before(kernel(loop("i", make_stmt(tuple(own, at("y", i)))))));
}

TEST_CASE("a call leaves a loop whose statements leave what it reads alone", "[share]") {
  const Expr e = exp(at("x", zero));
  const auto beside = [&](const Stmt& other) {
    const StmtPtr inner = loop("j", make_stmt(stored("a", j, e * at("y", j))));
    return kernel(loop("i", make_stmt(Block{{make_stmt(other), inner}})));
  };
  CHECK(calls_after(beside(PrefetchBox{"y", {i}, {extent}})) == 1);
  CHECK(is_before(beside(PrefetchBox{"y", {i}, {extent}})));
  CHECK(is_before(beside(Free{"y"})));
  CHECK_FALSE(is_before(beside(Free{"x"})));
  CHECK_FALSE(is_before(beside(AwaitCopies{})));
}

TEST_CASE("masked executions share a call under their mask", "[share]") {
  const Expr e = exp(at("x", i));
  const auto masked = [](const Expr& limit, const Execute& s) {
    return make_stmt(If{i < limit, make_stmt(s), nullptr, true});
  };
  const auto lanes = [&](const Expr& one, const Expr& other) {
    const StmtPtr body =
        make_stmt(Block{{masked(one, stored("a", i, e)), masked(other, stored("b", i, e + 1.0))}});
    return kernel(make_stmt(For{{"i", Processor::vector}, "i", zero, extent, 8, body}));
  };
  CHECK(calls_after(lanes(n, n)) == 1);
  CHECK(calls_after(lanes(n, n - 1)) == 2);
}

}  // namespace strata::test::share_test
