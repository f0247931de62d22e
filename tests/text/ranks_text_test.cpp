// The texts of programs that ranks share.
#include <catch2/catch.hpp>

#include <strata/strata.h>

#include "layers/text/text.h"

namespace strata::test::ranks_text_test {

namespace {

struct Steps {
  Function f{"f"};
  Param T = f.param("T"), N = f.param("N");
  Partition rows = f.partition("rows", N);
  Var t{"t", 0, T}, i{"i", 0, N};
  Computation u = f.declare("u", {t, i}, i32);
  Steps() {
    u.define(select(t > 0 && i > 0, u(t - 1, i) + u(t - 1, i - 1), cast(i32, i + 0)));
    u.distribute(i, rows);
  }
};

}  // namespace

TEST_CASE("a program on ranks is printed and parsed back", "[text][ranks]") {
  Steps s;
  const std::string text = s.f.text();
  CHECK(text.find("partition rows N\n") != std::string::npos);
  CHECK(text.find("loop i node by rows {") != std::string::npos);
  const Program back = parse_program(std::make_shared<Session>(), text);
  CHECK(to_text(back) == text);
}

TEST_CASE("a text with an unknown partition is refused", "[text][ranks]") {
  std::string text = Steps().f.text();
  text.replace(text.find("node by rows"), 12, "node by cols");
  CHECK_THROWS_WITH(parse_program(std::make_shared<Session>(), text),
                    Catch::Contains("there is no partition named 'cols'"));
}

TEST_CASE("the messages of a program are listed, with what travels", "[text][ranks]") {
  Steps s;
  const std::string text = s.f.communication({s.u.buffer()});
  const auto has = [&](const std::string& part) { return text.find(part) != std::string::npos; };
  CHECK(has("  message of u before [0, t0, 0] derived, by rows\n"));
  // The last row goes up, to the rank whose first row is the next one.
  CHECK(has("{ [t] -> u[t' = -1 + t, i = -1 + rows.other_first] : rows.last = rows.other_first"));
  CHECK(has("{ [t] -> u[t' = -1 + t, i = -1 + rows.first] : rows.other_last = rows.first"));
  CHECK(text.find("sends") == text.rfind("sends"));
  CHECK(text.find("receives") == text.rfind("receives"));
}

}  // namespace strata::test::ranks_text_test
