// The places of loads and stores, and the boxes of the buffers they touch.
#include "reference/inputs.h"
#include "reference/loop_tree_interpreter.h"
#include "tests/unit/codegen/trace.h"

namespace strata::test::storage_test {

namespace {

using Box = std::vector<std::pair<std::int64_t, std::int64_t>>;

class AtParameters : public reference::Environment {
 public:
  explicit AtParameters(const Parameters& parameters) : parameters_(parameters) {}
  std::int64_t parameter(const std::string& name) override { return parameters_.at(name); }

 private:
  const Parameters& parameters_;
};

Box box_at(const std::vector<Expr>& lowers, const std::vector<Expr>& uppers,
           const Parameters& parameters) {
  AtParameters environment(parameters);
  auto value = [&](const Expr& e) {
    return std::int64_t(reference::integer_of(reference::evaluate(e, environment)));
  };
  Box box;
  for (std::size_t d = 0; d < lowers.size(); ++d)
    box.emplace_back(value(lowers[d]), value(uppers[d]));
  return box;
}

const ArgumentBuffer& argument(const Kernel& kernel, const std::string& name) {
  for (const ArgumentBuffer& buffer : kernel.buffers)
    if (buffer.name == name) return buffer;
  throw std::runtime_error("no argument " + name);
}

Box box_of(const Kernel& kernel, const std::string& name, const Parameters& parameters) {
  const ArgumentBuffer& buffer = argument(kernel, name);
  return box_at(buffer.lowers, buffer.uppers, parameters);
}

bool is_empty(const Box& box) {
  for (const auto& [lower, upper] : box)
    if (upper <= lower) return true;
  return false;
}

// Runs the kernel on random inputs over checked memory and compares the final contents of every
// buffer with the layer I interpreter's.
void require_values(const Program& program, const Parameters& parameters) {
  const Kernel kernel = lowered(program);
  INFO(to_c_text(kernel));
  INFO(reference::to_string(parameters));
  const auto inputs = reference::random_inputs(program, parameters);
  const auto before = reference::input_buffers(program, parameters, inputs);
  const auto values = reference::run(program, parameters, inputs);
  const auto after = reference::final_contents(program, parameters, values);
  const auto run = reference::run_tree(kernel, parameters, before);
  for (const std::string& finding : run.findings) FAIL_CHECK(finding);
  for (const ArgumentBuffer& buffer : kernel.buffers)
    if (buffer.access != strata::Access::read && after.contains(buffer.name))
      CHECK(reference::first_difference(after[buffer.name], run.buffers[buffer.name]) == "");
}

const Expr i = variable("i"), j = variable("j");

}  // namespace

TEST_CASE("accesses become loads of their places", "[codegen]") {
  Handmade made({"N"});
  made.input("{ in[i, j] : 0 <= i < N and 0 <= j < N }", i32);
  made.define("{ S[i, j] : 0 <= i < N and 0 < j < N }",
              access("in", i32, {i, j}) - access("in", i32, {j, j - 1}),
              {"{ S[i, j] -> in[i, j] }", "{ S[i, j] -> in[j, j - 1] }"});
  made.store("{ in[i, j] -> a[j, 2i + 1] }", BufferRole::input);
  made.store("{ S[i, j] -> s[i - j, j % 5, (i + 3) % 7] }", BufferRole::output);
  const Kernel kernel = lowered(made.program());
  const std::string text = to_c_text(kernel);
  CHECK(text.find("s[i - j, j % 5, (i + 3) % 7] = load int32 a[j, 2 * i + 1] - "
                  "load int32 a[j - 1, 2 * j + 1];  // S(i, j)") != std::string::npos);
}

TEST_CASE("values go through a rotating buffer", "[codegen]") {
  Handmade made({"N"});
  made.input("{ in[i] : 0 <= i < N }", i32);
  made.define("{ A[i] : 0 <= i < N }", access("in", i32, {i}) + 1, {"{ A[i] -> in[i] }"});
  made.define("{ B[i] : 2 <= i < N }", access("A", i32, {i}) - access("A", i32, {i - 2}),
              {"{ B[i] -> A[i] }", "{ B[i] -> A[i - 2] }"});
  made.store("{ in[i] -> in[i] }", BufferRole::input);
  made.store("{ A[i] -> a[i % 3] }");
  made.store("{ B[i] -> b[i] }", BufferRole::output);
  made.schedule(
      {Handmade::loop("i", {made.branch("{ A[i] -> [i] }"), made.branch("{ B[i] -> [i] }")})});
  for (int n : {0, 1, 2, 3, 10}) require_values(made.program(), {{"N", n}});
}

TEST_CASE("a reduction starts from its initial value and adds in place", "[codegen]") {
  Handmade made({"N", "K"});
  made.input("{ in[i, k] : 0 <= i < N and 0 <= k < K }", i32);
  made.reduce("{ S[i, k] : 0 <= i < N and 0 <= k < K }", "{ S_init[i] : 0 <= i < N }",
              Reduction::sum, access("in", i32, {i, variable("k")}), {"{ S[i, k] -> in[i, k] }"},
              "{ S[i, k] -> S[i] }");
  made.store("{ in[i, k] -> in[i, k] }", BufferRole::input);
  made.store("{ S[i] -> s[i] }", BufferRole::output);
  for (int n : {0, 1, 4})
    for (int k : {0, 1, 5}) require_values(made.program(), {{"N", n}, {"K", k}});
}

TEST_CASE("an update in place reads what stood there", "[codegen]") {
  Handmade made({"N"});
  made.input("{ in[i] : 0 <= i < N }", i32);
  made.define("{ X[i] : 0 <= i < N }", access("in", i32, {i}), {"{ X[i] -> in[i] }"});
  made.define(
      "{ X_1[i] : 1 <= i < N }", access("X", i32, {i - 1}) + access("X", i32, {i}),
      {"{ X_1[i] -> X[i] }", "{ X_1[i] -> X_1[i - 1] : i > 1 }", "{ X_1[i] -> X[i - 1] : i = 1 }"},
      "{ X_1[i] -> X[i] }");
  made.store("{ in[i] -> x[i] }", BufferRole::output);
  made.store("{ X[i] -> x[i] }", BufferRole::output);
  for (int n : {0, 1, 2, 9}) require_values(made.program(), {{"N", n}});
  const Kernel kernel = lowered(made.program());
  CHECK(argument(kernel, "x").access == strata::Access::read_and_written);
}

TEST_CASE("a select between two values in one place is one load", "[codegen]") {
  Handmade made({"N"});
  made.input("{ in[i] : 0 <= i < N }", i32);
  made.define("{ X[i] : 1 <= i < N }",
              select(i > 1, access("X", i32, {i - 1}), access("in", i32, {i - 1})) + 1,
              {"{ X[i] -> X[i - 1] : i > 1 }", "{ X[i] -> in[i - 1] : i = 1 }"});
  made.store("{ in[i] -> x[i] }", BufferRole::output);
  made.store("{ X[i] -> x[i] }", BufferRole::output);
  for (int n : {0, 2, 7}) require_values(made.program(), {{"N", n}});
  const std::string text = to_c_text(lowered(made.program()));
  CHECK(text.find("x[i] = load int32 x[i - 1] + 1i32;") != std::string::npos);
}

TEST_CASE("the access of an argument", "[codegen]") {
  Handmade made({"N"});
  made.input("{ in[i] : 0 <= i < N }", i32);
  made.input("{ spare[i] : 0 <= i < N }", i32);
  made.define("{ A[i] : 0 <= i < N }", access("in", i32, {i}), {"{ A[i] -> in[i] }"});
  made.define("{ B[i] : 0 <= i < N }", access("A", i32, {i}), {"{ B[i] -> A[i] }"});
  made.store("{ in[i] -> in[i] }", BufferRole::input);
  made.store("{ spare[i] -> spare[i] }", BufferRole::input);
  made.store("{ A[i] -> a[i] }", BufferRole::output);
  made.store("{ B[i] -> b[i] }", BufferRole::output);
  const Kernel kernel = lowered(made.program());
  CHECK(argument(kernel, "in").access == strata::Access::read);
  // Read, but only after it was written: its initial contents do not matter.
  CHECK(argument(kernel, "a").access == strata::Access::written);
  CHECK(argument(kernel, "b").access == strata::Access::written);
  CHECK(argument(kernel, "spare").access == strata::Access::read);
  CHECK(is_empty(box_of(kernel, "spare", {{"N", 5}})));
}

TEST_CASE("boxes are the bounds of everything touched", "[codegen]") {
  Handmade made({"N", "M"});
  made.input("{ in[i, j] : 0 <= i < N and 0 <= j < M }", i32);
  made.define("{ S[i, j] : 1 <= i < N - 1 and 2 <= j < M }",
              access("in", i32, {i - 1, j}) + access("in", i32, {i + 1, j - 2}),
              {"{ S[i, j] -> in[i - 1, j] }", "{ S[i, j] -> in[i + 1, j - 2] }"});
  made.store("{ in[i, j] -> a[j, i] }", BufferRole::input);
  made.store("{ S[i, j] -> s[i, j - 10] }", BufferRole::output);
  const Kernel kernel = lowered(made.program());
  for (int n = -1; n < 6; ++n)
    for (int m = -1; m < 6; ++m) {
      const Parameters at{{"N", n}, {"M", m}};
      INFO(reference::to_string(at));
      const bool runs = n >= 3 && m >= 3;
      CHECK(is_empty(box_of(kernel, "a", at)) == !runs);
      CHECK(is_empty(box_of(kernel, "s", at)) == !runs);
      if (!runs) continue;
      CHECK(box_of(kernel, "a", at) == Box{{0, m}, {0, n}});
      CHECK(box_of(kernel, "s", at) == Box{{1, n - 1}, {-8, m - 10}});
    }
}

TEST_CASE("boxes of disjunctive and non-convex places are exact", "[codegen]") {
  Handmade made({"N", "M"});
  made.define("{ S[i] : (0 <= i < N and i % 3 = 1) or (20 <= i < M) }", cast(i32, i));
  made.store("{ S[i] -> s[i] }", BufferRole::output);
  const Kernel kernel = lowered(made.program());
  for (int n : {-2, 0, 1, 2, 4, 5, 30})
    for (int m : {0, 20, 21, 25}) {
      const Parameters at{{"N", n}, {"M", m}};
      std::int64_t least = 1000, most = -1000;
      for (std::int64_t x = 0; x < 100; ++x)
        if ((x < n && x % 3 == 1) || (x >= 20 && x < m)) {
          least = std::min(least, x);
          most = std::max(most, x);
        }
      INFO(reference::to_string(at));
      if (most < least)
        CHECK(is_empty(box_of(kernel, "s", at)));
      else
        CHECK(box_of(kernel, "s", at) == Box{{least, most + 1}});
    }
}

TEST_CASE("a read that a condition cuts off is not touched", "[codegen]") {
  Handmade made({"N"});
  made.input("{ in[i] : 0 <= i < N }", i32);
  made.define("{ S[i] : 0 <= i < N }", select(i > 0, access("in", i32, {i - 1}), constant(i32, 0)),
              {"{ S[i] -> in[i - 1] : i > 0 }"});
  made.store("{ in[i] -> in[i] }", BufferRole::input);
  made.store("{ S[i] -> s[i] }", BufferRole::output);
  const Kernel kernel = lowered(made.program());
  CHECK(box_of(kernel, "in", {{"N", 5}}) == Box{{0, 4}});
  CHECK(is_empty(box_of(kernel, "in", {{"N", 1}})));
  for (int n : {0, 1, 2, 6}) require_values(made.program(), {{"N", n}});
}

TEST_CASE("temporaries are allocated around the body, at the size of what is written",
          "[codegen]") {
  Handmade made({"N"});
  made.define("{ A[i] : 3 <= i < N }", cast(i32, i));
  made.define("{ B[i] : 3 <= i < N }", access("A", i32, {i}), {"{ B[i] -> A[i] }"});
  made.store("{ A[i] -> a[i, i % 2] }");
  made.store("{ B[i] -> b[i] }", BufferRole::output);
  const Kernel kernel = lowered(made.program());
  const auto* allocate = std::get_if<Allocate>(kernel.body.get());
  REQUIRE(allocate != nullptr);
  CHECK(allocate->buffer == "a");
  CHECK(allocate->type == i32);
  CHECK(box_at(allocate->lowers, allocate->extents, {{"N", 9}}) == Box{{3, 6}, {0, 2}});
  // A size that does not depend on parameters is a constant.
  CHECK(allocate->extents[1].op() == Op::constant);
  CHECK(kernel.buffers.size() == 1);
  for (int n : {0, 3, 4, 12}) require_values(made.program(), {{"N", n}});
}

TEST_CASE("an array without a place is refused", "[codegen]") {
  Handmade made({"N"});
  made.define("{ S[i] : 0 <= i < N }", cast(i32, i));
  CHECK_THROWS_WITH(lowered(made.program()),
                    Catch::Contains("E0502") && Catch::Contains("S has no place"));
}

}  // namespace strata::test::storage_test
