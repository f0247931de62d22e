#include "schedule/commands/stream_stores.h"

#include "codegen/lower.h"
#include "schedule/commands/copy_at.h"
#include "schedule/commands/inline_computation.h"
#include "schedule/finish.h"
#include "tests/unit/programs.h"

using namespace strata;
using namespace strata::test;

TEST_CASE("stream_stores marks the stores of a computation", "[stream_stores]") {
  const Program before = grid(), program = stream_stores(before, "S");
  CHECK(same_schedule(program, before));
  const auto text = to_c_text(lower(finished(program, {"in", "S"}, {}), {{"in", "S"}}));
  CHECK(text.find("stream S[") != std::string::npos);
}

TEST_CASE("stream_stores a second time changes nothing", "[stream_stores]") {
  const Program once = stream_stores(grid(), "S"), twice = stream_stores(once, "S");
  CHECK(once.layout.streamed == std::set<std::string>{"S"});
  CHECK(once.layout.streamed == twice.layout.streamed);
}

TEST_CASE("stream_stores goes with a computation that disappears", "[stream_stores]") {
  CHECK(inline_computation(stream_stores(three_stages(), "P"), "P").layout.streamed.empty());
}

TEST_CASE("stream_stores is refused of a reduction, and taken of its copy", "[stream_stores]") {
  const auto refusal = refusal_of([] { stream_stores(sums(), "C"); });
  CHECK(refusal.code == Code::E0106_bad_argument);
  CHECK(refusal.explanation ==
        "C is a reduction: the next contribution to a result reads what this one stores");
  CHECK(refusal.mend ==
        "give copy_at first, which makes the results elsewhere; what is then copied can be "
        "streamed");
  const Program copied = copy_at(sums(), {"C", "i"}, "made", {"c"});
  CHECK(stream_stores(copied, "C").layout.streamed == std::set<std::string>{"C"});
}

TEST_CASE("stream_stores names the computations there are", "[stream_stores]") {
  const auto refusal = refusal_of([] { stream_stores(sums(), "X"); });
  CHECK(refusal.code == Code::E0101_unknown_computation);
  CHECK(refusal.explanation == "the program has no computation X; it has C");
}
