#include "schedule/commands/launch/host_to_device.h"

#include "layers/text/text.h"
#include "schedule/commands/loops/split.h"
#include "tests/unit/programs.h"

namespace strata::test::host_to_device_test {

TEST_CASE("host_to_device is a copy of the kernel, or of a loop", "[gpu]") {
  const GivenCopy copy{Transfer::to_device, "S"};
  CHECK(host_to_device(grid(), "S").layout.copies == std::vector<GivenCopy>{copy});
  const Program inside = host_to_device(grid(), "S", LoopRef{"S", "i"});
  CHECK(node_at(inside.mapping, {0}).loop().copies == std::vector<GivenCopy>{copy});
  CHECK(inside.layout.copies.empty());
}

TEST_CASE("a copy stays with its loop, and with the outer one of a split", "[gpu]") {
  const Program inside = host_to_device(grid(), "S", LoopRef{"S", "i"});
  const Program strips = split(inside, {"S", "i"}, 4, "i0", "i1");
  CHECK(node_at(strips.mapping, {0}).loop().copies.size() == 1);
  CHECK(node_at(strips.mapping, {0, 0}).loop().copies.empty());
}

TEST_CASE("copies are in the text of a program, and parse back", "[gpu]") {
  Program program = host_to_device(grid(), "S", LoopRef{"S", "i"});
  program = host_to_device(program, "S");
  const std::string text = to_text(program);
  CHECK(text.find("    to_device S\n") != std::string::npos);
  CHECK(text.find("\nto_device S\n") != std::string::npos);
  const Program back = parse_program(std::make_shared<Session>(), text);
  CHECK(to_text(back) == text);
  CHECK(back.layout.copies == program.layout.copies);
}

TEST_CASE("host_to_device is refused twice, and of what is not there", "[gpu]") {
  const Program once = host_to_device(grid(), "S");
  CHECK(refusal_of([&] { host_to_device(once, "S"); }).code == Code::E0106_bad_argument);
  CHECK(refusal_of([] { host_to_device(grid(), "X"); }).code == Code::E0101_unknown_computation);
  CHECK(refusal_of([] { host_to_device(grid(), "S", LoopRef{"S", "k"}); }).code ==
        Code::E0102_unknown_loop);
}

}  // namespace strata::test::host_to_device_test
