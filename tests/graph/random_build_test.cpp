// Random programs with symbols, views, tuples, branches and calls: the machine agrees with the
// reference, with memory planned in each way and killed arrays filled with NaNs.
#include <cstdlib>

#include "tests/graph/programs.h"
#include "tests/graph/random_program.h"

namespace strata::test::random_build_test {

using namespace strata::graph;

// The bytes of all storages of a program whose sizes are numbers.
std::int64_t bytes_of_storages(const Body& body) {
  std::int64_t bytes = 0;
  for_each_binding(body, [&](const Binding& b) {
    const auto* call = b.as<PackedCall>();
    if (!call || call->callee != "vm.builtin.alloc_storage") return;
    bytes += constant_dim(call->arguments[0].node()->as<ShapeLiteral>()->dims[0]).value();
  });
  return bytes;
}

Module with_numbers(std::string text, const std::vector<std::int64_t>& extents) {
  for (const auto& [symbol, value] : {std::pair{'n', extents[0]}, {'m', extents[1]}}) {
    std::string made;
    for (std::size_t k = 0; k < text.size(); ++k) {
      const auto is_letter = [&](std::size_t at) {
        return std::isalnum(text[at]) || text[at] == '_';
      };
      const bool is_symbol = text[k] == symbol && !is_letter(k - 1) && !is_letter(k + 1);
      made += is_symbol ? std::to_string(value) : std::string(1, text[k]);
    }
    text = made;
  }
  return parse_module(text);
}

std::int64_t bytes_of_main(const Module& module, bool planned) {
  Module lowered = fuse_ops()(module);
  for (const Pass& pass : lowering_passes())
    if (planned || pass.info().name != "PlanMemory") lowered = pass(lowered);
  return bytes_of_storages(lowered.function("main")->body);
}

void check_program(unsigned seed) {
  const std::string text = ProgramText(seed)();
  INFO(text << "seed " << seed);
  const Module module = parse_module(text);
  verify(module);
  for (const bool whole : {false, true}) {
    CompiledModule model;
    within({.config = {{"PlanMemory.whole", whole}}},
           [&] { model = build(module, {RunBy::interpreter}); });
    INFO(text_of(model.lowered));
    const VirtualMachine vm(model.executable, model.kernels);
    for (const std::vector<std::int64_t>& extents :
         {std::vector<std::int64_t>{2, 3}, {1, 1}, {0, 4}}) {
      const std::vector<VmValue> given{counted(extents, 7), counted(extents, 5),
                                       counted({extents[1]}, 3), NDArray::scalar(extents[0] == 2)};
      const VmValue wanted = run(module, "main", given, RunBy::interpreter);
      CHECK(is_close(vm("main", given), wanted));
    }
  }
  const Module numbers = with_numbers(text, {2, 3});
  CHECK(bytes_of_main(numbers, true) <= bytes_of_main(numbers, false));
}

void check_programs(unsigned first, unsigned end) {
  setenv("STRATA_VERIFY", "1", 1);
  register_packed(
      "test.random_same", [](const std::vector<VmValue>& given) { return given[0]; }, true);
  for (unsigned seed = first; seed < end; ++seed) check_program(seed);
}

TEST_CASE("random programs on the machine", "[graph][build]") { check_programs(0, 150); }

TEST_CASE("many random programs on the machine", "[.][long]") { check_programs(1000, 6000); }

}  // namespace strata::test::random_build_test
