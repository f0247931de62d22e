// Every row of the table of questions is checked: for each there is a program that it refuses.
#include "schedule/legality/questions.h"

#include <algorithm>
#include <functional>
#include <map>

#include "layers/verify/verify_mapping.h"
#include "schedule/commands/launch/deal.h"
#include "schedule/commands/launch/gpu_tile.h"
#include "schedule/commands/loops/reverse.h"
#include "schedule/commands/loops/split.h"
#include "schedule/commands/order/after.h"
#include "schedule/commands/order/before.h"
#include "schedule/commands/order/compute_at.h"
#include "schedule/commands/storage/set_memory.h"
#include "schedule/commands/storage/store_in.h"
#include "schedule/edit/verified.h"
#include "schedule/finish.h"
#include "tests/unit/programs.h"

namespace strata::test::questions_test {

namespace {

const Given given{{"test.cpp", 1}, Check::now}, deferred{{"test.cpp", 1}, Check::deferred};
const Var i("i"), j("j"), h("h");

Loop& first_loop(Program& program) { return program.mapping.roots.front().loop(); }

Branch& first_branch(Program& program) {
  Node* node = &program.mapping.roots.front();
  while (node->is_loop()) node = &node->loop().body.front();
  return node->branch();
}

Program edited(Program program, const std::function<void(Program&)>& edit) {
  edit(program);
  return program;
}

// P, local to a thread, is made by the threads of a block together, and read by their neighbours.
Program in_two_threads() {
  Program p = gpu_tile(stencil(), {{"Q", "i"}}, {8}, {"b"}, {"t"});
  p = deal(compute_at(p, "P", {{"Q", "b"}}), {{"P", "h"}});
  return set_memory(p, "P", Memory::local, deferred);
}

// for i < N: A(i) = i;  for i < N: B(i) = 2 i
Program two_arrays() {
  const Var n = range("i", "N");
  return define(define(empty_program({"N"}), "A", {n}, cast(f32, n + 0)), "B", {n},
                cast(f32, n * 2));
}

// for i < N: for j <= i: S(i, j)
Program triangle() {
  const Var rows = range("i", "N");
  return define(empty_program({"N"}), "S", {rows, Var("j", 0, rows + 1)}, cast(f32, rows));
}

Program with_row_skipped() {
  return edited(grid(), [](Program& p) {
    first_branch(p).instances =
        InstanceSet(p.session->isl(), "[N, M] -> { S[i, j] : 0 <= i < N and 0 < j < M }");
  });
}

// Programs that a command could leave, keyed by the one row that refuses each.
std::map<std::string, Program> left_by_commands() {
  std::map<std::string, Program> all;
  all["R201"] = edited(grid(), [](Program& p) { first_branch(p).definition = "nobody"; });
  all["R202"] = edited(grid(), [](Program& p) { first_loop(p).name = "j"; });
  all["R203"] = edited(grid(), [](Program& p) {
    first_branch(p).time = TimeMap(p.session->isl(), "{ S[i, j] -> [i + j, 0] }");
  });
  all["R205"] = edited(grid(), [](Program& p) {
    first_loop(p).allocations = first_loop(p).body.front().loop().allocations = {"b"};
  });
  all["R206"] = edited(grid(), [](Program& p) { first_loop(p).tile_size = "T"; });
  all["R207"] = edited(grid(), [](Program& p) {
    first_loop(p).processor = Processor::vector;
    first_loop(p).prefetches = {{"S", "in", 1}};
  });
  all["R208"] = edited(grid(), [](Program& p) { first_loop(p).tail = TailStrategy::mask; });
  all["R209"] = edited(grid(), [](Program& p) {
    first_branch(p).piece = "head";
    p.mapping.roots.push_back(p.mapping.roots.front());
  });
  all["R210"] = edited(grid(), [](Program& p) {
    first_loop(p).processor = Processor::parallel;
    first_loop(p).body.front().loop().processor = Processor::block;
  });
  const auto all_blocks = [](Program& p) {
    for_each_loop(p.mapping, [](Loop& loop) { loop.processor = Processor::block; });
  };
  all["R211"] = edited(after(three_stages(), "Q", "P", "i", given), all_blocks);
  all["R212"] = edited(triangle(), all_blocks);
  all["R213"] = edited(grid(), [](Program& p) { first_loop(p).barrier = true; });
  all["R214"] = edited(grid(), [](Program& p) { first_branch(p).asynchronous = true; });
  all["R215"] = edited(grid(), [](Program& p) { first_branch(p).mma = MmaShape::m16n8k8_tf32; });
  all["R216"] = edited(grid(), [](Program& p) { first_loop(p).processor = Processor::node; });
  all["R217"] = edited(grid(), [](Program& p) {
    p.layout.buffers.front().resident = true;
    p.layout.copies = {{Transfer::to_device, p.layout.buffers.front().name}};
  });
  const Program steps =
      split(with_parameter(grid(), "T", asked), {"S", "i"}, Param("T"), "", "", deferred);
  all["R218"] = edited(steps, [](Program& p) {
    first_loop(p).copies = {{Transfer::to_device, "in"}};
    first_loop(p).body.front().loop().body.front().loop().processor = Processor::block;
  });
  all["tags"] = edited(grid(), [](Program& p) { first_loop(p).processor = Processor::unrolled; });
  all["blocks"] = gpu_tile(grid(), {{"S", "i"}, {"S", "j"}}, {64, 32}, {}, {}, deferred);
  all["dependences"] = reverse(row_sums(), {"S", "j"}, deferred);
  all["contributions"] = edited(sums(), [](Program& p) {
    first_loop(p).body.front().loop().processor = Processor::parallel;
  });
  all["scopes"] = edited(three_stages(), [](Program& p) { first_loop(p).allocations = {"R"}; });
  all["memories"] = in_two_threads();
  all["storage"] = store_in(stencil(), "P", "b", {h}, {h % 2}, deferred);
  return all;
}

// The same for the rows that are checked before code is generated.
std::map<std::string, std::function<void()>> left_to_kernels() {
  return {
      {"R204", [] { finished(with_row_skipped(), {"in", "S"}, given); }},
      {"outputs",
       [] {
         Program p = store_in(two_arrays(), "A", "b", {i}, {i}, deferred);
         p = store_in(before(p, "B", "A", std::nullopt), "B", "b", {i}, {i}, given);
         finished(p, {"b"}, given);
       }},
      {"finished memories",
       [] {
         // All of P, which the threads of Q read, is made in the first one.
         Program p = gpu_tile(stencil(), {{"Q", "i"}}, {8}, {"b"}, {"t"});
         p = set_memory(compute_at(p, "P", {{"Q", "b"}}), "P", Memory::local);
         finished(p, {"Q"}, given);
       }},
      {"sums",
       [] {
         const Program p = finished(reverse(sums(), {"C", "k"}), {"in", "C"}, given);
         require_sums_in_order(p, {"in", "C"}, given);
       }},
  };
}

Refusal refusal_of_row(const Question& question) {
  const auto kernels = left_to_kernels();
  if (const auto found = kernels.find(question.about); found != kernels.end())
    return refusal_of(found->second);
  const auto commands = left_by_commands();
  const auto found = commands.find(question.about);
  INFO("no program is known that the row refuses: add one, and see that verified() asks the row");
  REQUIRE(found != commands.end());
  return refusal_of([&] { verified(grid(), found->second, {"any", {}, given, ""}); });
}

}  // namespace

TEST_CASE("every row of the table of questions refuses a program", "[questions]") {
  for (const Question& question : questions()) {
    INFO("row " << question.about);
    const Code code = refusal_of_row(question).code;
    INFO("refused with " << to_string(code));
    CHECK(std::count(question.codes.begin(), question.codes.end(), code) == 1);
  }
}

TEST_CASE("rules of the mapping are rows of the table, in their order", "[questions]") {
  REQUIRE(questions().size() > mapping_rules().size());
  for (std::size_t n = 0; n < mapping_rules().size(); ++n) {
    CHECK(questions()[n].about == mapping_rules()[n].name);
    CHECK(questions()[n].verify == mapping_rules()[n].verify);
  }
}

TEST_CASE("commands and verify_mapping refuse a mapping in the same words", "[questions]") {
  const auto programs = left_by_commands();
  for (const MappingRule& rule : mapping_rules()) {
    if (rule.holds == Holds::for_kernels) continue;
    INFO("rule " << rule.name);
    const Program& program = programs.at(rule.name);
    const Refusal asked_alone = refusal_of([&] { verify_mapping(program, asked); });
    const Refusal commanded =
        refusal_of([&] { verified(grid(), program, {"any", {}, given, ""}); });
    CHECK(asked_alone.code == commanded.code);
    CHECK(asked_alone.explanation == commanded.explanation);
  }
}

}  // namespace strata::test::questions_test
