#include "schedule/commands/resident.h"

#include "layers/text/text.h"
#include "tests/unit/programs.h"

namespace strata::test::resident_test {

TEST_CASE("resident marks the buffer of an input or a computation", "[gpu]") {
  const Program program = resident(resident(grid(), "in"), "S");
  CHECK(program.layout.find("in")->resident);
  CHECK(program.layout.find("S")->resident);
  CHECK_FALSE(grid().layout.find("in")->resident);
  const std::string text = to_text(program);
  CHECK(text.find("\n  resident\n") != std::string::npos);
  const Program back = parse_program(std::make_shared<Session>(), text);
  CHECK(back.layout.find("S")->resident);
  CHECK(to_text(back) == text);
  CHECK(refusal_of([] { resident(grid(), "X"); }).code == Code::E0101_unknown_computation);
}

}  // namespace strata::test::resident_test
