#include "schedule/commands/launch/resident.h"

#include "layers/text/text.h"
#include "schedule/commands/launch/device_to_host.h"
#include "schedule/commands/launch/host_to_device.h"
#include "schedule/commands/storage/store_in.h"
#include "schedule/table/replay.h"
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

TEST_CASE("what is resident is not copied, whichever command comes second", "[gpu]") {
  for (const auto copy : {host_to_device, device_to_host})
    for (const auto& loop : {std::optional<LoopRef>(), std::optional(LoopRef{"S", "j"})}) {
      const Program copied = copy(grid(), "S", loop, {});
      CHECK(refusal_of([&] { resident(copied, "S"); }).code == Code::E0106_bad_argument);
      CHECK_NOTHROW(resident(copied, "in"));
      const Program here = resident(grid(), "S");
      CHECK(refusal_of([&] { copy(here, "S", loop, {}); }).code == Code::E0106_bad_argument);
      CHECK_NOTHROW(copy(here, "in", loop, {}));
    }
}

TEST_CASE("an array that is copied is not stored in a resident buffer", "[gpu]") {
  const Var i("i"), j("j");
  const Program copied = device_to_host(resident(grid(), "in"), "S");
  CHECK(refusal_of([&] { store_in(copied, "S", "in", {i, j}, {i, j}); }).code ==
        Code::E0106_bad_argument);
}

TEST_CASE("a history that copies what is resident is not replayed", "[gpu]") {
  for (const std::string text :
       {"resident(S)\ndevice_to_host(S)\n", "device_to_host(S, S.i)\nresident(S)\n",
        "host_to_device(S)\nresident(S)\n", "together {\nhost_to_device(S)\nresident(S)\n}\n"})
    CHECK(refusal_of([&] { replayed(grid(), text, {}); }).code == Code::E0106_bad_argument);
  CHECK_NOTHROW(replayed(grid(), "resident(S)\ndevice_to_host(in)\n", {}));
}

}  // namespace strata::test::resident_test
