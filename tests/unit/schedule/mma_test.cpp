#include "schedule/commands/launch/mma.h"

#include "layers/text/text.h"
#include "schedule/commands/loops/interchange.h"
#include "schedule/commands/loops/unroll.h"
#include "tests/unit/warp_product.h"

namespace strata::test::mma_test {

namespace {

std::vector<std::string> shapes_of(const Program& program, const std::string& definition) {
  std::vector<std::string> all;
  for (const Placed& placed : branches_of(program.mapping, definition))
    all.push_back(placed.branch->mma ? to_string(*placed.branch->mma) : "");
  return all;
}

std::string why(const std::function<void()>& command) {
  const Refusal refusal = refusal_of(command);
  CHECK(refusal.code == Code::E0106_bad_argument);
  return refusal.explanation + "; " + refusal.mend;
}

}  // namespace

TEST_CASE("mma marks the sum, and changes no time", "[gpu][mma]") {
  const Program before = in_warps(plain_product()), after = mma(before, {"S"}, "tf32");
  CHECK(shapes_of(before, "S") == std::vector<std::string>{""});
  CHECK(shapes_of(after, "S") == std::vector<std::string>{"tf32"});
  CHECK(shapes_of(after, "C") == std::vector<std::string>{""});
  CHECK(same_schedule(before, after));
  CHECK(to_text(mma(after, {"S"}, "tf32")) == to_text(after));
}

TEST_CASE("the text of a program has the mark, and commands keep it", "[gpu][mma]") {
  const Program program = mma(in_warps(plain_product(bf16), 16), {"S"}, "bf16");
  const std::string text = to_text(program);
  CHECK(text.find(" mma bf16\n") != std::string::npos);
  const Program back = parse_program(std::make_shared<Session>(), text);
  CHECK(shapes_of(back, "S") == std::vector<std::string>{"bf16"});
  CHECK(to_text(back) == text);
  const Program unrolled = unroll(program, {"S", "ri"});
  CHECK(shapes_of(unrolled, "S") == std::vector<std::string>{"bf16"});
}

TEST_CASE("mma is for sums of products of two arrays of its type", "[gpu][mma]") {
  const Program floats = in_warps(plain_product());
  CHECK(why([&] { mma(floats, {"S"}, "bf16"); }) ==
        "S cannot be a product on tensor cores: a has type float32, and bf16 multiplies bfloat16; "
        "tf32 multiplies float32, bf16 bfloat16, and f16 float16");
  CHECK(why([&] { mma(floats, {"C"}, "tf32"); }) ==
        "C cannot be a product on tensor cores: it is not a float32 sum of products of two array "
        "elements; sum a(..) * b(..), each cast to float32 if it has 16 bits");
  CHECK(why([&] { mma(floats, {"S"}, "int8"); }) ==
        "tensor cores have no products named int8; name tf32, bf16 or f16");
}

TEST_CASE("mma asks for the loops of a fragment", "[gpu][mma]") {
  CHECK(
      why([] { mma(plain_product(), {"S"}, "tf32"); }) ==
      "S cannot be a product on tensor cores: it has no three sequential or unrolled loops inside "
      "of two loops of threads; split the rows by 8 and the columns by 2, give the 8 and the 4 "
      "that result to gpu_threads, and let 2 rows, 2 columns and 8 steps of the sum be the "
      "innermost loops");
  CHECK(why([] { mma(in_warps(plain_product(), 16), {"S"}, "tf32"); }) ==
        "S cannot be a product on tensor cores: its loop k1, over the steps of the sum, runs "
        "outside of 0 .. 7; split the rows by 16 and 8, the columns by 8 and 2, and the sum by 8");
  const Program rows = interchange(in_warps(plain_product()), {"S", "ri"}, {"S", "rj"});
  CHECK(why([&] { mma(rows, {"S"}, "tf32"); }) ==
        "S cannot be a product on tensor cores: a and b are not read by row 8 rj + g and by column "
        "2 t + ri, each at step k1; split the rows by 8 and the columns by 2, and name the threads "
        "rows first");
  // The rule holds after later commands.
  CHECK(refusal_of([] {
          const Program marked = mma(in_warps(plain_product()), {"S"}, "tf32");
          interchange(marked, {"S", "ri"}, {"S", "rj"});
        }).code == Code::E0106_bad_argument);
}

TEST_CASE("the operands of a product may stand in any order", "[gpu][mma]") {
  CHECK(shapes_of(mma(in_warps(plain_product(f32, true)), {"S"}, "tf32"), "S") ==
        std::vector<std::string>{"tf32"});
}

TEST_CASE("mma names what there is", "[gpu][mma]") {
  const Program program = in_warps(plain_product());
  CHECK(refusal_of([&] { mma(program, {"nobody"}, "tf32"); }).code ==
        Code::E0101_unknown_computation);
  CHECK(refusal_of([&] { mma(program, {"S", "head"}, "tf32"); }).code ==
        Code::E0101_unknown_computation);
}

}  // namespace strata::test::mma_test
