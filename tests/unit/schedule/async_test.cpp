#include "schedule/commands/launch/async.h"

#include "layers/text/text.h"
#include "schedule/commands/launch/gpu_tile.h"
#include "schedule/commands/loops/set_schedule.h"
#include "schedule/commands/loops/split.h"
#include "schedule/commands/storage/cache_shared_at.h"
#include "schedule/commands/storage/set_memory.h"
#include "tests/unit/programs.h"

namespace strata::test::async_test {

namespace {

// Q in blocks of 8 threads, which copy what they read of P to shared memory.
Program copied() {
  const Program tiles = gpu_tile(stencil(), {{"Q", "i"}}, {8}, {"b"}, {"t"});
  return cache_shared_at(tiles, {"Q", "b"}, "P", "copy", {"x"});
}

std::vector<bool> marks(const Program& program, const std::string& definition) {
  std::vector<bool> all;
  for (const Placed& placed : branches_of(program.mapping, definition))
    all.push_back(placed.branch->asynchronous);
  return all;
}

}  // namespace

TEST_CASE("async marks the copy, and changes no time", "[gpu][async]") {
  const Program before = copied(), after = async(before, {"copy"});
  CHECK(marks(before, "copy") == std::vector<bool>{false});
  CHECK(marks(after, "copy") == std::vector<bool>{true});
  CHECK(marks(after, "P") == std::vector<bool>{false});
  CHECK(same_schedule(before, after));
  CHECK(to_text(async(after, {"copy"})) == to_text(after));
}

TEST_CASE("other commands keep the mark", "[gpu][async]") {
  const Program marked = async(copied(), {"copy"});
  CHECK(marks(split(marked, {"P", "h"}, 4, "h0", "h1"), "copy") == std::vector<bool>{true});
  const Program halves = set_schedule(marked, "P", "{ P[h] -> [-1, -h, 0] }");
  CHECK(marks(halves, "copy") == std::vector<bool>{true});
  const std::string text = to_text(marked);
  CHECK(text.find(" async\n") != std::string::npos);
  const Program back = parse_program(std::make_shared<Session>(), text);
  CHECK(marks(back, "copy") == std::vector<bool>{true});
  CHECK(to_text(back) == text);
}

TEST_CASE("async is for copies from global to shared memory", "[gpu][async]") {
  const auto why = [](const Program& program, const std::string& name) {
    const Refusal refusal = refusal_of([&] { async(program, {name}); });
    CHECK(refusal.code == Code::E0106_bad_argument);
    CHECK(refusal.command == "async(" + name + ")");
    return refusal.explanation + "; " + refusal.mend;
  };
  CHECK(why(copied(), "Q") ==
        "Q cannot be copied asynchronously: it does not have the values of one other array, as "
        "they are; copy an array with cache_shared_at, and mark the copy");
  const Var n = range("n", "N");
  const Program pair =
      define(define(empty_program({"N"}), "A", {n}, cast(f32, n + 0)), "B", {n}, at("A", {n}));
  CHECK(why(pair, "B") ==
        "B cannot be copied asynchronously: it is made in no block of a launch; place it in a "
        "block first, as cache_shared_at does");
  CHECK(why(set_memory(copied(), "copy", Memory::automatic), "copy") ==
        "copy cannot be copied asynchronously: its buffer is not said to be in shared memory; put "
        "it there first, with set_memory(Memory::shared)");
  const Program twice = cache_shared_at(copied(), {"Q", "b"}, "copy", "again", {"y"});
  CHECK(why(twice, "again") ==
        "again cannot be copied asynchronously: copy, which it reads, is in memory of the block "
        "itself; leave out async: that memory is near");
  // The rule holds after later commands.
  CHECK(refusal_of([] {
          set_memory(async(copied(), {"copy"}), "copy", Memory::automatic);
        }).explanation ==
        "copy cannot be copied asynchronously: its buffer is not said to be in shared memory");
}

TEST_CASE("async names what there is", "[gpu][async]") {
  CHECK(refusal_of([] { async(copied(), {"nobody"}); }).code == Code::E0101_unknown_computation);
  CHECK(refusal_of([] { async(copied(), {"copy", "head"}); }).code ==
        Code::E0101_unknown_computation);
}

}  // namespace strata::test::async_test
