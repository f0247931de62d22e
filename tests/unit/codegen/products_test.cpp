// Products of warps: where the loop tree has them, and what they compute.
#include "codegen/passes/products.h"

#include <cmath>

#include "codegen/tree/verify_loop_tree.h"
#include "reference/inputs.h"
#include "reference/loop_tree_interpreter.h"
#include "schedule/commands/launch/mma.h"
#include "schedule/commands/storage/cache_local_at.h"
#include "tests/unit/codegen/launch_races.h"
#include "tests/unit/codegen/trace.h"
#include "tests/unit/warp_product.h"

namespace strata::test::products_test {

namespace {

Program marked(const std::string& shape, Program (*further)(Program) = nullptr) {
  const Type type = shape == "tf32" ? f32 : shape == "bf16" ? bf16 : f16;
  Program p = mma(in_warps(plain_product(type), shape == "tf32" ? 8 : 16), {"S"}, shape);
  return finished(further ? further(p) : p, {"a", "b", "C"}, {});
}

void count(const StmtPtr& s, int& products) {
  products += std::holds_alternative<Mma>(*s);
  for_each_inside(*s, [&](const StmtPtr& inside) { count(inside, products); });
}
int products_in(const Kernel& kernel) {
  int products = 0;
  count(kernel.body, products);
  return products;
}

std::vector<reference::Parameters> sizes() {
  std::vector<reference::Parameters> all;
  for (const int n : {32, 33, 70})
    for (const int m : {8, 19})
      for (const int k : {0, 16, 21}) all.push_back({{"N", n}, {"M", m}, {"K", k}});
  all.push_back({{"N", 1}, {"M", 1}, {"K", 1}});
  return all;
}

// Numbers that all shapes represent, with exact sums: multiples of 1/8 below 2.
double simple(const Point& p) { return double((p[0] * 7 + p[1] * 5 + 3) % 31 - 15) / 8; }

// The difference from what the algorithm says, if more than "bound".
std::string wrong_values(const Program& program, const reference::Parameters& size,
                         const reference::Arrays& inputs, double bound) {
  const Kernel kernel = lowered(program);
  const reference::Arrays expected = reference::run(program, size, inputs);
  for (const std::uint64_t seed : {0, 3}) {
    const reference::TreeRun run =
        reference::run_tree(kernel, size, reference::input_buffers(program, size, inputs),
                            {reference::RunOptions::Lanes::outer, seed});
    for (const std::string& finding : run.findings) return finding;
    const reference::Array& results = run.buffers["C"];
    for (const Point& p : results.elements()) {
      const double right = reference::real_of(expected["C"][p]);
      const double found = reference::real_of(results[p]);
      if (!(std::abs(right - found) <= bound))
        return reference::to_string("C", p) + " is " + std::to_string(found) + ", not " +
               std::to_string(right);
    }
  }
  return "";
}

reference::Arrays simple_inputs(const Program& program, const reference::Parameters& size) {
  reference::Arrays inputs;
  for (const char* name : {"a", "b"}) inputs[name] = reference::filled(program, size, name, simple);
  return inputs;
}

}  // namespace

TEST_CASE("a full tile is a product of a warp", "[gpu][mma]") {
  const Kernel kernel = lowered(marked("tf32"));
  CHECK(findings(kernel).empty());
  // In full blocks full steps of k0; the rest of the sum, and other blocks, have loops.
  CHECK(products_in(kernel) == 1);
  CHECK(products_in(lowered(marked("bf16"))) == 1);
  const std::string text = to_c_text(kernel);
  const std::size_t at = text.find("mma_sync");
  REQUIRE(at != std::string::npos);
  CHECK(text.substr(at, text.find('\n', at) - at) ==
        "mma_sync<16, 8, 8, tf32>({S[16 * w_2 + g_2, 8 * j0 + 2 * t_2], "
        "S[16 * w_2 + g_2, 8 * j0 + 2 * t_2 + 1], S[16 * w_2 + g_2 + 8, 8 * j0 + 2 * t_2], "
        "S[16 * w_2 + g_2 + 8, 8 * j0 + 2 * t_2 + 1]}, "
        "{load float32 a[16 * w_2 + g_2, 8 * k0 + t_2], "
        "load float32 a[16 * w_2 + g_2 + 8, 8 * k0 + t_2], "
        "load float32 a[16 * w_2 + g_2, 8 * k0 + t_2 + 4], "
        "load float32 a[16 * w_2 + g_2 + 8, 8 * k0 + t_2 + 4]}, "
        "{load float32 b[8 * k0 + t_2, 8 * j0 + g_2], "
        "load float32 b[8 * k0 + t_2 + 4, 8 * j0 + g_2]});  // S in a warp");
}

TEST_CASE("products of a warp run each instance once, at its time", "[gpu][mma]") {
  require_theta(marked("tf32"),
                {{{"N", 33}, {"M", 9}, {"K", 17}}, {{"N", 32}, {"M", 8}, {"K", 8}}});
}

TEST_CASE("products of a warp are those of the algorithm", "[gpu][mma]") {
  for (const char* shape : {"tf32", "bf16", "f16"}) {
    const Program program = marked(shape);
    for (const reference::Parameters& size : sizes()) {
      INFO(shape << " " << reference::to_string(size));
      CHECK(wrong_values(program, size, simple_inputs(program, size), 0) == "");
    }
  }
}

TEST_CASE("a product of a warp may have b first", "[gpu][mma]") {
  const Program swapped =
      finished(mma(in_warps(plain_product(f32, true)), {"S"}, "tf32"), {"a", "b", "C"}, {});
  CHECK(products_in(lowered(swapped)) == 1);
  const reference::Parameters size{{"N", 33}, {"M", 9}, {"K", 17}};
  CHECK(wrong_values(swapped, size, simple_inputs(swapped, size), 0) == "");
}

// Threads have other columns of b in their own memory.
TEST_CASE("b in local memory makes no product of a warp", "[gpu][mma]") {
  const Program program = marked(
      "tf32", [](Program p) { return cache_local_at(p, {"S", "t"}, "b", "own", {"x", "y"}); });
  CHECK(products_in(lowered(program)) == 0);
  const reference::Parameters size{{"N", 32}, {"M", 8}, {"K", 16}};
  CHECK(wrong_values(program, size, simple_inputs(program, size), 0) == "");
}

// |a| and |b| are at most 2, and each is rounded by at most 2^-11 of itself; the sums are rounded
// as those of the algorithm are.
TEST_CASE("tf32 rounds its operands to 10 bits", "[gpu][mma]") {
  const Program program = marked("tf32");
  const reference::Parameters size{{"N", 32}, {"M", 8}, {"K", 16}};
  const reference::Arrays inputs = reference::random_inputs(program, size, 5);
  const double of_products = 16 * 4 * (std::ldexp(2, -11) + std::ldexp(1, -22));
  CHECK(wrong_values(program, size, inputs, of_products + std::ldexp(16 * 64, -23)) == "");
  CHECK(wrong_values(program, size, inputs, 1e-5) != "");
}

}  // namespace strata::test::products_test
