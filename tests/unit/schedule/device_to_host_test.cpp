#include "schedule/commands/launch/device_to_host.h"

#include "layers/text/text.h"
#include "schedule/commands/order/fuse.h"
#include "tests/unit/programs.h"

namespace strata::test::device_to_host_test {

TEST_CASE("device_to_host is a copy of the kernel, or of a loop", "[gpu]") {
  const GivenCopy copy{Transfer::to_host, "S"};
  CHECK(device_to_host(grid(), "S").layout.copies == std::vector<GivenCopy>{copy});
  const Program inside = device_to_host(grid(), "S", LoopRef{"S", "j"});
  CHECK(node_at(inside.mapping, {0, 0}).loop().copies == std::vector<GivenCopy>{copy});
  CHECK(refusal_of([&] { device_to_host(inside, "S", LoopRef{"S", "j"}); }).code ==
        Code::E0106_bad_argument);
}

TEST_CASE("copies to the host are in the text of a program, and parse back", "[gpu]") {
  const Program program = device_to_host(device_to_host(grid(), "S"), "S", LoopRef{"S", "j"});
  const std::string text = to_text(program);
  CHECK(text.find("      to_host S\n") != std::string::npos);
  CHECK(text.find("\nto_host S\n") != std::string::npos);
  CHECK(to_text(parse_program(std::make_shared<Session>(), text)) == text);
}

}  // namespace strata::test::device_to_host_test
