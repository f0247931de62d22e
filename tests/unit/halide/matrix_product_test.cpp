// Products of warps: on tensor cores where the device has them, and all threads of a warp come.
#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>

#include "codegen/halide/product/compile.h"
#include "core/error.h"
#include "tests/folder.h"
#include "tests/unit/entry/kernels.h"

namespace strata::test::matrix_product_test {

namespace {

const Expr lane = v("lane");

// sums = A B + 0 for a tile, and C = sums.
StmtPtr product(const StmtPtr& loops) {
  Mma made{MmaShape::m16n8k8_tf32, "C", "sums", {}, {}, {}, loops};
  for (int place = 0; place < 4; ++place) made.places[std::size_t(place)] = {n(place)};
  for (int word = 0; word < 4; ++word)
    made.a.push_back(load("A", f32, {lane / n(4) + n(8 * (word % 2)), lane % n(4)}));
  for (int word = 0; word < 2; ++word)
    made.b.push_back(load("A", f32, {lane % n(4) + n(4 * word), lane / n(4)}));
  return make_stmt(made);
}

Kernel with_product(const Expr& condition) {
  std::vector<StmtPtr> body, ends;
  for (int place = 0; place < 4; ++place) {
    body.push_back(store("sums", {n(place)}, constant(f32, 0)));
    ends.push_back(store("C", {lane, n(place)}, load("sums", f32, {n(place)})));
  }
  const StmtPtr loops = store("sums", {n(0)}, load("A", f32, {lane / n(4), lane % n(4)}));
  body.push_back(make_stmt(If{condition, product(loops), nullptr}));
  body.insert(body.end(), ends.begin(), ends.end());
  const StmtPtr own = make_stmt(Allocate{"sums", f32, {n(0)}, {n(4)}, block(body), Memory::local});
  const StmtPtr blocks =
      steps("b", n(0), 1, steps("lane", n(0), 32, own, Processor::thread), Processor::block);
  return kernel("f", {"N"},
                {argument("A", f32, Access::read, {n(16), n(8)}),
                 argument("C", f32, Access::written, {n(32), n(4)})},
                make_stmt(Launch{"b", {n(1)}, {32}, blocks}), Floats::fast);
}

// How many instructions mma.sync, and calls, has the object?
int products_in(const Kernel& kernel, const std::string& target) {
  const Folder folder;
  const std::string path = folder / "f.o";
  compile({kernel}, target, {path, "", "", ""});
  std::ifstream file(path, std::ios::binary);
  const std::string object{std::istreambuf_iterator<char>(file), {}};
  CHECK(object.find("strata_mma") == std::string::npos);
  int count = 0;
  for (std::size_t at = object.find("mma.sync"); at != std::string::npos;
       at = object.find("mma.sync", at + 1))
    ++count;
  return count;
}

}  // namespace

TEST_CASE("devices without tensor cores run the loops of a product", "[halide][gpu]") {
  const Kernel kernel = with_product(p("N") < n(5));
  CHECK(products_in(kernel, "x86-64-linux-cuda") == 1);
  CHECK(products_in(kernel, "x86-64-linux-opencl") == 0);
}

TEST_CASE("a product that not all threads of a warp come to is refused", "[halide][gpu]") {
  CHECK(products_in(with_product(lane < n(32)), "x86-64-linux-cuda") == 1);
  try {
    products_in(with_product(lane < n(31)), "x86-64-linux-cuda");
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.code() == Code::E0502_code_generation_failed);
    const std::string& text = error.refusal().explanation;
    CHECK(text.find("the text of the launches of f has a matrix product behind a branch that "
                    "threads of a warp may take differently: @%p") == 0);
  }
}

}  // namespace strata::test::matrix_product_test
