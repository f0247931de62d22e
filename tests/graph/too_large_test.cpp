// What is too much for one kernel, or for a schedule, is compiled otherwise, and says so.
#include <set>

#include "tests/graph/programs.h"

namespace strata::test::too_large_test {

using namespace strata::graph;

// t(k + 1)(i) = sum_j |t(k)(j)| / (i + j + 1), of which none can be inlined
std::vector<Tensor> chain(int length) {
  const Param n("n");
  std::vector<Tensor> all{placeholder("x", f32, {n})};
  for (int k = 0; k < length; ++k) {
    const Tensor before = all.back();
    const Axis j = reduce_axis(n, "j");
    all.push_back(compute(
        {n}, [&](Expr i) { return sum(j, abs(before(j)) / cast(f32, i + j + 1)); },
        "stage" + std::to_string(k)));
  }
  return {all.begin() + 1, all.end()};
}

void require_right(const Tensor& last, const CompiledTensors& compiled) {
  for (const std::int64_t size : {0, 1, 5, 33}) {
    const NDArray x = counted({size}, 7);
    const NDArray made = compiled({x})[0];
    const NDArray wanted = evaluate({last}, {{compiled.arguments()[0], x}})[0];
    for (std::size_t p = 0; p < wanted.size(); ++p)
      REQUIRE(made.data<float>()[p] == Approx(wanted.data<float>()[p]).epsilon(1e-4));
  }
}

int count_of(const std::string& text, const std::string& part) {
  int count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// The ways in which a chain is compiled, for limits from the least to the largest.
std::set<std::string> ways_of(const std::function<CompileOptions(std::int64_t)>& limited,
                              std::int64_t least, std::int64_t most, Code refusal) {
  const Tensor last = chain(4).back();
  std::set<std::string> ways;
  for (std::int64_t limit = least; limit < most; limit *= 3) try {
      const CompiledTensors compiled = compile({last}, limited(limit));
      require_right(last, compiled);
      const std::string why = compiled.why();
      CAPTURE(limit, why);
      const int splits = count_of(why, "split before stage");
      CHECK(count_of(why, "kernel of stage") == splits + 1);
      CHECK(count_of(why, to_string(refusal)) >= splits);
      if (splits > 0) ways.insert("split");
      if (count_of(why, "not scheduled: ") > 0) ways.insert("not scheduled");
      if (splits == 0 && count_of(why, "not scheduled: ") == 0) ways.insert("whole");
      if (count_of(why, "not scheduled: ") > 0)
        CHECK(count_of(why, to_string(refusal)) + count_of(why, "exceeds its budget") > 0);
    } catch (const Error& error) {
      CAPTURE(limit, error.what());
      CHECK(error.code() == refusal);
      ways.insert("refused");
    }
  return ways;
}

TEST_CASE("a group that is too much code is several kernels", "[graph]") {
  const auto limited = [](std::int64_t limit) { return CompileOptions{.code_limit = limit}; };
  CHECK(ways_of(limited, 4, 30'000, Code::E0903_too_much_code) ==
        std::set<std::string>{"not scheduled", "refused", "split", "whole"});
}

TEST_CASE("a group whose scheduling takes too long is not scheduled, or split", "[graph]") {
  const auto limited = [](std::int64_t limit) { return CompileOptions{.budget = limit}; };
  const std::set<std::string> ways =
      ways_of(limited, 30'000, 100'000'000, Code::E0901_out_of_budget);
  CHECK(ways.contains("not scheduled"));
  CHECK(ways.contains("whole"));
}

TEST_CASE("a group says that rules were left when its budget was used up", "[graph]") {
  const Param n("n");
  std::vector<Tensor> all{placeholder("x", f32, {n, n})};
  for (int k = 0; k < 5; ++k) all.push_back(softmax(all.back()));
  const CompiledTensors compiled = compile({exp(all.back())});
  const std::string why = compiled.why();
  CAPTURE(why);
  CHECK(count_of(why, "the rules that are left: refused: E0901 out of budget") == 1);
  const NDArray x = counted({9, 9}, 7);
  const NDArray made = compiled({x})[0];
  const NDArray wanted = evaluate({exp(all.back())}, {{compiled.arguments()[0], x}})[0];
  for (std::size_t p = 0; p < wanted.size(); ++p)
    REQUIRE(made.data<float>()[p] == Approx(wanted.data<float>()[p]).epsilon(1e-4));
}

// ---- errors ----

// x(i + shift), which nobody checks
Tensor read_ahead(const Tensor& x, std::int64_t shift) {
  return compute(x.shape(), [&](Expr i) { return x(i + shift) * 2.0f; }, "read_ahead");
}
// x(at(i))
Tensor read_at(const Tensor& x, const Tensor& at) {
  return compute(at.shape(), [&](Expr i) { return x(at(i)); }, "read_at");
}
const Registered ahead("read_ahead_by_3", {"x"}, +[](const Tensor& x) { return read_ahead(x, 3); });
const Registered gathered(
    "read_at", {"x", "at"}, +[](const Tensor& x, const Tensor& at) { return read_at(x, at); });

std::string text_of_error(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& e) {
    return e.what();
  }
  return "nothing was refused";
}

TEST_CASE("an operator that reads out of bounds is refused by its name", "[graph]") {
  const Param n("n");
  const Value x = variable("x", f32_tensor({n}));
  const Module module = one_block(
      {x}, [&](GraphBuilder& b) { return call("exp", {b.emit(call("read_ahead_by_3", {x}))}); });
  const std::string text = text_of_error([&] { run(module, "main", {counted({8}, 3)}); });
  CAPTURE(text);
  CHECK(text.find("E0113") != std::string::npos);
  CHECK(text.find("read_ahead") != std::string::npos);
  CHECK(text.find("too_large_test.cpp") != std::string::npos);
}

TEST_CASE("fusion refuses an operator that reads out of bounds by its name", "[graph]") {
  const Param n("n");
  const Value x = variable("x", f32_tensor({n}));
  const Module module = one_block(
      {x}, [&](GraphBuilder& b) { return call("exp", {b.emit(call("read_ahead_by_3", {x}))}); });
  const std::string text = text_of_error([&] { fuse_ops()(module); });
  CAPTURE(text);
  CHECK(text.find("E0113") != std::string::npos);
  CHECK(text.find("read_ahead[0] reads") != std::string::npos);
  CHECK(text.find("too_large_test.cpp") != std::string::npos);
}

TEST_CASE("a kernel that fails names its group and the member", "[graph]") {
  const Param n("n"), m("m");
  const Value x = variable("x", f32_tensor({n})),
              at = variable("at", ValueType::tensor({m}, Type::int64));
  const Module module = fuse_ops()(one_block(
      {x, at}, [&](GraphBuilder& b) { return call("relu", {b.emit(call("read_at", {x, at}))}); }));
  NDArray places(strata_int(64), {2});
  places.data<std::int64_t>()[1] = 9;
  const std::string text = text_of_error([&] { run(module, "main", {counted({5}, 3), places}); });
  CAPTURE(text);
  CHECK(text.find("E0113") != std::string::npos);
  CHECK(text.find("@fused_read_at_relu") != std::string::npos);
  CHECK(text.find(" in read_at, relu") != std::string::npos);
}

}  // namespace strata::test::too_large_test
