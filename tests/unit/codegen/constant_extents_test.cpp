// Which buffers have a constant extent where the exact one depends on parameters.
#include "codegen/loops/constant_extents.h"

#include "tests/unit/codegen/trace.h"

namespace strata::test::constant_extents_test {

namespace {

// Is the constant "most" taken as the extent of b(e), of numbers of 8 bytes, which is "exact"?
bool is_taken(std::int64_t most, const std::string& exact) {
  const Session session;
  const isl::pw_aff extent(session.isl(), "[N] -> { [(" + exact + ")] }");
  const LayoutBuffer buffer{"b", i64, 1};
  const std::vector<std::optional<isl::val>> constants{
      std::optional(isl::val(session.isl(), long(most)))};
  return constant_extents(buffer, constants, [&](int) { return extent; }, {"N"}).front();
}

// The extents of a buffer of a(i, j), i < N and j < 5, where N <= most.
std::vector<Expr> allocated(std::int64_t most) {
  Handmade made({"N"});
  const std::string domain = "0 <= i < N and 0 <= j < 5 and N <= " + std::to_string(most);
  const Expr i = variable("i"), j = variable("j");
  made.define("{ A[i, j] : " + domain + " }", i + j);
  made.define("{ B[i, j] : " + domain + " }", access("A", i64, {i, 4 - j}),
              {"{ B[i, j] -> A[i, 4 - j] }"});
  made.store("{ A[i, j] -> a[i, j] }");
  made.store("{ B[i, j] -> b[i, j] }", BufferRole::output);
  const Kernel kernel = lowered(made.program());
  return std::get<Allocate>(*kernel.body).extents;
}

}  // namespace

TEST_CASE("constant extents are at most four times the greatest exact one", "[codegen]") {
  // The least of the usual sizes N <= 1000, 32000, .. for which anything exists counts.
  for (const auto& [exact, greatest] : std::vector<std::pair<std::string, std::int64_t>>{
           {"2N", 2'000}, {"N + 7000", 8'000}, {"N - 1000", 31'000}, {"-N + 5000", 5'000}}) {
    INFO(exact);
    CHECK(is_taken(4 * greatest - 1, exact));
    CHECK(is_taken(4 * greatest, exact));
    CHECK_FALSE(is_taken(4 * greatest + 1, exact));
  }
  CHECK_FALSE(is_taken(std::int64_t{1} << 31, "N"));
}

TEST_CASE("constant extents of what fits a first-level cache are taken whatever is exact",
          "[codegen]") {
  constexpr std::int64_t numbers = 32'768 / 8;
  CHECK(is_taken(numbers - 1, "1"));
  CHECK(is_taken(numbers, "1"));
  CHECK_FALSE(is_taken(numbers + 1, "1"));
}

TEST_CASE("temporaries have constant extents up to four times the usual ones", "[codegen]") {
  const auto is_constant = [](std::int64_t most) {
    const std::vector<Expr> extents = allocated(most);
    CHECK(extents[1].op() == Op::constant);
    return extents[0].op() == Op::constant;
  };
  CHECK(is_constant(3'999));
  CHECK(is_constant(4'000));
  CHECK_FALSE(is_constant(4'001));
}

}  // namespace strata::test::constant_extents_test
