// The passes that lower programs: their texts, which storages arrays share, and when these end.
#include <algorithm>
#include <cstdint>
#include <sstream>

#include "graph/vm/arena.h"
#include "graph/vm/error.h"
#include "tests/graph/programs.h"

namespace strata::test::lowering_test {

using namespace strata::graph;

// The module after the first passes of the lowering. Each verifies, its text parses back, and a
// second time it changes nothing.
Module lowered(Module module, std::size_t passes) {
  const std::vector<Pass> all = lowering_passes();
  for (std::size_t k = 0; k < passes; ++k) {
    module = checked(all[k](module));
    CHECK(text_of(all[k](module)) == text_of(module));
  }
  return module;
}

std::string text_of_main(const Module& module) { return text_of(*module.function("main")); }

// The lines of a text that have a word, without what follows " = " and without it.
std::string lines_with(const std::string& text, const std::string& word) {
  std::istringstream lines(text);
  std::string found;
  for (std::string line; std::getline(lines, line);)
    if (line.find(word) != line.npos) found += line + "\n";
  return found;
}

const char* const myfunc = R"(
kernel @exp(x: Tensor[(n, m), float32]) {
  y(i, j): Tensor[(n, m), float32] = exp(x[i, j])
  return y
}
kernel @flatten(x: Tensor[(n, m), float32]) {
  y(i): Tensor[(m * n), float32] = x[i / m, i % m]
  return y
}
def @main(%x: Tensor[(n, m), float32]) -> Tensor[(m * n), float32] {
  dataflow {
    %lv0 = call_kernel((n, m), @exp, (%x))
    %gv0 = call_kernel((m * n), @flatten, (%lv0))
    output %gv0
  }
  %gv0
})";

// As in the first design of Relax, which had
//     ToNonDataflow      the same calls of call_tir, bound to vars
//     CallTIRRewrite     alloc = relax.builtin.alloc_tensor((n, m)); exp(x, alloc); lv0 = alloc
//     VMMemoryLower      storage = relax.vm.builtin.alloc_storage(..), then alloc_tensor(storage,
//     ..) VMShapeLower       sh = alloc_shape_heap; store_shape(shape_of(x), sh, ..), then a
//     function of
//                        TIR that computes the derived dims, and load_shape where they are used
// Here the array is bound to the call's own variable, storages are planned and killed, the
// parameters and the result are checked, and one instruction computes dims.
TEST_CASE("myfunc after each pass", "[graph][build]") {
  const Module module = parse_module(myfunc);
  CHECK(text_of_main(lowered(module, 1)) ==
        R"(def @main(%x: Tensor[(n, m), float32]) -> Tensor[(m * n), float32] {
  %lv0 = call_kernel((n, m), @exp, (%x))
  %gv0 = call_kernel((m * n), @flatten, (%lv0))
  %gv0
}
)");
  CHECK(text_of_main(lowered(module, 2)) ==
        R"(def @main(%x: Tensor[(n, m), float32]) -> Tensor[(m * n), float32] {
  %lv0: Tensor[(n, m), float32] = call_packed("builtin.alloc_tensor", ((n, m), "float32"), pure)
  %void: Nothing = call_packed("exp", (%x, %lv0), pure)
  %gv0: Tensor[(m * n), float32] = call_packed("builtin.alloc_tensor", ((m * n), "float32"), pure)
  %void_1: Nothing = call_packed("flatten", (%lv0, %gv0), pure)
  %gv0
}
)");
  CHECK(text_of_main(lowered(module, 5)) ==
        R"(def @main(%x: Tensor[(n, m), float32]) -> Tensor[(m * n), float32] {
  %storage: Tensor[(4 * m * n), uint8] = call_packed("vm.builtin.alloc_storage", ((4 * m * n), "cpu", "float32"), pure)
  %lv0: Tensor[(n, m), float32] = call_packed("vm.builtin.alloc_tensor", (%storage, (0), (n, m), "float32"), pure)
  %void: Nothing = call_packed("exp", (%x, %lv0), pure)
  %storage_1: Tensor[(4 * m * n), uint8] = call_packed("vm.builtin.alloc_storage", ((4 * m * n), "cpu", "float32"), pure)
  %gv0: Tensor[(m * n), float32] = call_packed("vm.builtin.alloc_tensor", (%storage_1, (0), (m * n), "float32"), pure)
  %void_1: Nothing = call_packed("flatten", (%lv0, %gv0), pure)
  %void_2: Nothing = call_packed("vm.builtin.kill", (%lv0), pure)
  %void_3: Nothing = call_packed("vm.builtin.kill", (%storage), pure)
  %gv0
}
)");
  const Module last = lowered(module, 6);
  CHECK(text_of_main(last).find("with (shape_slots=4)") != std::string::npos);
  CHECK(code_of(last).astext() == R"(@main:
  call vm.builtin.alloc_shape_heap in: %vm, i4 dst: %1
  call vm.builtin.check_tensor in: %0, i2, c[0], c[1] dst: void
  call vm.builtin.match_shape in: %0, %1, i1, i0, i1, i1, c[1] dst: void
  call vm.builtin.compute_shape in: %1, i0, i4, i2, i1, i4, i2, i2, i0, i4, i2, i1, i2 dst: void
  call vm.builtin.make_shape in: %1, i2, i2 dst: %2
  call vm.builtin.alloc_storage in: %vm, %2, c[2], c[0] dst: %3
  call vm.builtin.make_shape in: %1, i2, i0, i2, i1 dst: %4
  call vm.builtin.alloc_tensor in: %3, i0, %4, c[0] dst: %5
  call exp in: %0, %5 dst: void
  call vm.builtin.alloc_storage in: %vm, %2, c[2], c[0] dst: %6
  call vm.builtin.compute_shape in: %1, i2, i1, i2, i0, i4, i2, i1, i3 dst: void
  call vm.builtin.make_shape in: %1, i2, i3 dst: %7
  call vm.builtin.alloc_tensor in: %6, i0, %7, c[0] dst: %8
  call flatten in: %5, %8 dst: void
  call vm.builtin.kill in: %5 dst: void
  call vm.builtin.kill in: %3 dst: void
  call vm.builtin.check_tensor in: %8, i1, c[0], c[3] dst: void
  call vm.builtin.match_shape in: %8, %1, i2, i3, c[3] dst: void
  ret ret %8

)");
  for (const std::vector<std::int64_t>& extents : {std::vector<std::int64_t>{3, 5}, {1, 1}, {0, 4}})
    built(module, "main", {counted(extents, 5)});
}

// A kernel of one loop nest, as a text.
std::string kernel(const std::string& name, const std::string& from, const std::string& to,
                   const std::string& index, const std::string& value) {
  return "kernel @" + name + "(x: Tensor[" + from + "]) {\n  y(" + index + "): Tensor[" + to +
         "] = " + value + "\n  return y\n}\n";
}

// The planning example of TVM's StaticPlanBlockMemory.
Module planning_example() {
  const std::string eight = "(8), float32", ten = "(10), float32", two = "(2, 4), float32";
  return parse_module(kernel("exp", two, two, "i, j", "exp(x[i, j])") +
                      kernel("relu", eight, eight, "i", "max(x[i], 0.0f32)") +
                      kernel("add", eight, eight, "i", "x[i] + 1.0f32") +
                      kernel("pad", eight, ten, "i", "select(i < 8, x[min(i, 7)], 1.0f32)") +
                      kernel("log", ten, ten, "i", "log(x[i])") + R"(
def @main(%x: Tensor[(2, 4), float32]) -> Tensor[(10), float32] {
  %lv = call_kernel((2, 4), @exp, (%x))
  %lv1: Tensor[(8), float32] = call_packed("vm.builtin.reshape", (%lv, (8)), pure)
  %lv2 = call_kernel((8), @relu, (%lv1))
  %lv3 = call_kernel((8), @add, (%lv2))
  %lv4 = call_kernel((10), @pad, (%lv3))
  %gv = call_kernel((10), @log, (%lv4))
  %gv
})");
}

TEST_CASE("arrays that do not live at once share storages", "[graph][build]") {
  const Module module = planning_example();
  const std::string text = text_of_main(lowered(module, 5));
  INFO(text);
  CHECK(lines_with(text, "alloc_storage") == lines_with(R"(
  %storage: Tensor[(32), uint8] = call_packed("vm.builtin.alloc_storage", ((32), "cpu", "float32"), pure)
  %storage_1: Tensor[(40), uint8] = call_packed("vm.builtin.alloc_storage", ((40), "cpu", "float32"), pure)
  %storage_2: Tensor[(40), uint8] = call_packed("vm.builtin.alloc_storage", ((40), "cpu", "float32"), pure)
)",
                                                        "alloc_storage"));
  const auto storage_of = [&](const std::string& array) {
    const std::string line = lines_with(text, "%" + array + ": Tensor");
    const std::size_t at = line.find("(%storage");
    return at == line.npos ? "none" : line.substr(at + 1, line.find(',', at) - at - 1);
  };
  CHECK(storage_of("lv") == "%storage");
  CHECK(storage_of("lv2") == "%storage_1");
  CHECK(storage_of("lv3") == "%storage");
  CHECK(storage_of("lv4") == "%storage_1");
  CHECK(storage_of("gv") == "%storage_2");
  std::string order;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t packed = line.find("call_packed(\"");
    if (packed == line.npos) continue;
    const std::string callee = line.substr(packed + 13, line.find('"', packed + 13) - packed - 13);
    const std::size_t given = line.find(", (") + 3;
    if (callee == "vm.builtin.kill")
      order += " kill " + line.substr(given, line.find(')', given) - given);
    else if (!callee.starts_with("vm."))
      order += " " + callee;
  }
  CHECK(order ==
        " exp relu kill %lv kill %lv1 add kill %lv2 pad kill %lv3 kill %storage log kill %lv4"
        " kill %storage_1");
  built(module, "main", {counted({2, 4}, 5)});
}

// The sizes of the storages of arrays that do not escape, each once.
std::string planned_sizes(const std::string& program) {
  const Module module = parse_module(program);
  verify(module);
  std::istringstream lines(text_of_main(lowered(module, 3)));
  std::string sizes;
  for (std::string line; std::getline(lines, line);)
    if (const std::size_t at = line.find("alloc_storage\", (("); at != line.npos)
      sizes += (sizes.empty() ? "" : "; ") + line.substr(at + 18, line.find("),", at) - at - 18);
  return sizes;
}

// A chain of kernels, each of the extents and type that its line gives.
std::string chain(const std::vector<std::pair<std::string, std::string>>& types) {
  std::string text =
      "def @main(%v0: Tensor[" + types[0].first + ", " + types[0].second + "]) -> Object {\n";
  for (std::size_t k = 1; k < types.size(); ++k)
    text += "  %v" + std::to_string(k) + " = call_kernel(" + types[k].first +
            ", \"test.none\", (%v" + std::to_string(k - 1) + "), types=[" + types[k].second +
            "])\n";
  return text + "  %v" + std::to_string(types.size() - 1) + "\n}";
}

TEST_CASE("what shares a storage, and what does not", "[graph][build]") {
  using Types = std::vector<std::pair<std::string, std::string>>;
  const auto sizes = [](const Types& types) { return planned_sizes(chain(types)); };
  const std::string f = "float32";
  CHECK(sizes(Types(6, {"(8)", f})) == "32; 32");
  CHECK(
      sizes({{"(8)", f}, {"(8)", f}, {"(8)", "int32"}, {"(8)", f}, {"(8)", "int32"}, {"(8)", f}}) ==
      "32; 32");
  CHECK(sizes({{"(8)", f}, {"(2, 3)", "boolean"}, {"(8)", f}}) == "6");
  // A symbolic size is that of a storage with the same one, and of no other.
  CHECK(sizes({{"(n, m)", f}, {"(n, 2)", f}, {"(m)", f}, {"(2 * n)", f}, {"(n)", f}, {"(1)", f}}) ==
        "8 * n; 4 * m; 4 * n");
  // Not more than 16 times as large.
  CHECK(sizes({{"(1)", f}, {"(100)", f}, {"(1)", f}, {"(6)", f}, {"(1)", f}}) == "400; 4; 24");
}

TEST_CASE("bounds of symbols make sizes numbers", "[graph][build]") {
  const std::string text = R"(
def @main(%x: Tensor[(n), float32], %y: Tensor[(m), float32]) -> Object with (bound.n=20, bound.m=5) {
  dataflow {
    %lv = exp(%x)
    %lv1 = relu(%lv)
    %lv2 = stop_fusion(%lv1)
    %lv3 = exp(%lv2)
    output %lv3
  }
  %s = call_kernel((max(n - m, 1)), "test.count", (%y), types=[float32])
  %t = call_kernel((1), "test.count", (%s), types=[float32])
  %all = (%lv3, %t)
  %all
})";
  CHECK(planned_sizes(text) == "80");  // max(n - m, 1) <= 20
  register_packed(
      "test.count",
      [](const std::vector<VmValue>& given) {
        const NDArray& to = *given[1].array();
        std::fill_n(to.data<float>(), to.size(), float(given[0].array()->size()));
        return VmValue();
      },
      true);
  const Module module = parse_module(text);
  built(module, "main", {counted({20}, 5), counted({3}, 5)});
  const CompiledModule model = build(module, {RunBy::interpreter});
  const VirtualMachine vm(model.executable, model.kernels);
  CHECK_THROWS_WITH(vm("main", {counted({21}, 5), counted({3}, 5)}),
                    "@main: n: it is 21, and its bound is 20");
  const auto with = [&](const std::string& bound) {
    std::string other = text;
    return why([&] { build(parse_module(other.replace(other.find("bound.n=20"), 10, bound))); });
  };
  CHECK(with("bound.n=-1") == "E0601 bound.n is not an integer of 0 or more");
  CHECK(with("bound.k=20") == "E0601 bound.k: no extent of a parameter is the symbol k");
}

TEST_CASE("an arena is little more than what lives at once", "[graph][build]") {
  // Lives overlap as those of a chain: each array with the next one.
  std::vector<ArenaArray> chain_of_arrays;
  std::int64_t most = 0;
  for (std::int64_t k = 0; k < 40; ++k)
    chain_of_arrays.push_back({64 * (1 + k * 7 % 11), k, k + 1});
  for (std::size_t k = 1; k < chain_of_arrays.size(); ++k)
    most = std::max(most, chain_of_arrays[k - 1].bytes + chain_of_arrays[k].bytes);
  const Arena arena = arena_of(chain_of_arrays);
  CHECK(double(arena.bytes) <= 1.2 * double(most));
  for (std::size_t k = 1; k < chain_of_arrays.size(); ++k) {
    const std::int64_t a = arena.offsets[k - 1], b = arena.offsets[k];
    CHECK((a + chain_of_arrays[k - 1].bytes <= b || b + chain_of_arrays[k].bytes <= a));
  }
  CHECK(arena_of({}).bytes == 0);
  CHECK_THROWS_AS(arena_of({{-1, 0, 1}}), VmError);
  CHECK_THROWS_AS(arena_of({{INT64_MAX - 100, 0, 1}, {INT64_MAX - 100, 0, 1}}), VmError);
}

TEST_CASE("shapes have one slot for each dim", "[graph][build]") {
  const auto slots = [](const std::string& program) {
    const Module module = parse_module(program);
    verify(module);
    const Module made = checked(shape_lower()(module));
    return std::get<std::int64_t>(*made.function("main")->attributes.find("shape_slots"));
  };
  CHECK(slots(R"(
def @main(%x: Tensor[(_, _), float32]) -> Shape[(2 * n, 3 * m)] {
  %y = match_shape(%x, (n, m))
  (n * 2, m * 3)
})") == 4);
  CHECK(slots(R"(
def @main(%x: Tensor[(m, n), float32], %y: Tensor[(n, k), float32]) -> Object {
  %z: Tensor[(m, k), float32] = call_packed("builtin.alloc_tensor", ((m, k), "float32"), pure)
  %z
})") == 3);
  CHECK(slots(R"(
def @main(%x: Tensor[(2, 4), float32]) -> Tensor[(2, 4), float32] {
  %x
})") == 0);
}

}  // namespace strata::test::lowering_test
