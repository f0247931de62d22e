// The machine: texts, checks, runs, files.
#include <catch2/catch.hpp>

#include <strata/vm.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <random>

namespace strata::test::vm_test {

using namespace strata::graph;
using E = ExecBuilder;

NDArray array(const std::vector<float>& values) {
  return NDArray::of<float>({std::int64_t(values.size())}, values);
}
std::vector<float> values(const VmValue& value) {
  const NDArray& a = *value.array();
  return {a.data<float>(), a.data<float>() + a.size()};
}

// vm.op.add and vm.op.mul of arrays, or of an array and an integer.
void register_operators() {
  const auto elementwise = [](float (*f)(float, float)) {
    return [f](const std::vector<VmValue>& given) -> VmValue {
      const NDArray made = given.at(0).array()->copied();
      for (std::size_t k = 0; k < made.size(); ++k) {
        const float other =
            given.at(1).integer() ? float(*given[1].integer()) : given[1].array()->data<float>()[k];
        made.data<float>()[k] = f(made.data<float>()[k], other);
      }
      return made;
    };
  };
  register_packed("vm.op.add", elementwise([](float a, float b) { return a + b; }), true);
  register_packed("vm.op.mul", elementwise([](float a, float b) { return a * b; }), true);
  register_packed("vm.builtin.print", [](const std::vector<VmValue>&) { return VmValue(); }, true);
}

std::string spaces_as_one(const std::string& text) {
  std::string made;
  for (const char c : text)
    if (c != ' ' || made.empty() || (made.back() != ' ' && made.back() != '\n')) made += c;
  return made;
}

Executable func0() {
  E b;
  b.function("func0", 2, [&] {
    b.emit_call("vm.op.add", {E::r(0), E::r(1)}, E::r(2));
    b.emit_call("vm.builtin.move", {E::r(2)}, E::r(3));
    b.emit_call("vm.builtin.print", {E::r(3)});
    b.emit_ret(E::r(3));
  });
  return b.get();
}

// Saved and loaded it has the same text, and so have its constants.
Executable reloaded(const Executable& e) {
  Executable again = Executable::load(e.saved());
  CHECK(again.astext() == e.astext());
  CHECK(again.stats() == e.stats());
  CHECK(again.saved() == e.saved());
  return again;
}

template <typename Act>
std::string why(Act act) {
  try {
    act();
  } catch (const VmError& e) {
    return e.what();
  }
  return "nothing was refused";
}

TEST_CASE("an executable has the texts of Relax", "[vm]") {
  const Executable e = func0();
  CHECK(spaces_as_one(e.stats()) ==
        "Relax VM executable statistics:\n"
        "Constant shapes (# 0): []\n"
        "Globals (#1): [func0]\n"
        "Packed functions (#3): [vm.op.add, vm.builtin.move, vm.builtin.print]\n");
  CHECK(spaces_as_one(e.astext()) ==
        "@func0:\n"
        "call vm.op.add in: %0, %1 dst: %2\n"
        "call vm.builtin.move in: %2 dst: %3\n"
        "call vm.builtin.print in: %3 dst: void\n"
        "ret ret %3\n\n");
  register_operators();
  const VirtualMachine vm(reloaded(e));
  CHECK(values(vm("func0", {array({1, 2}), array({10, 20})})) == std::vector<float>{11, 22});
}

TEST_CASE("constants, immediates and two functions", "[vm]") {
  register_operators();
  E b;
  b.function("main", 1, [&] {
    b.emit_call("vm.builtin.move", {VmValue(array({2, 3}))}, E::r(1));
    b.emit_call("vm.op.add", {E::r(0), E::imm(10)}, E::r(2));
    b.emit_call("vm.op.mul", {E::r(2), E::r(1)}, E::r(3));
    b.emit_ret(E::r(3));
  });
  b.function("twice", 1, [&] {
    b.emit_call("vm.op.add", {E::r(0), VmValue(array({2, 3}))}, E::r(1));
    b.emit_call("main", {E::r(1)}, E::r(2));
    b.emit_ret(E::r(2));
  });
  const Executable e = reloaded(b.get());
  CHECK(e.constants.size() == 1);
  CHECK(e.astext().find("call vm.op.add in: %0, i10 dst: %2") != std::string::npos);
  CHECK(e.astext().find("call vm.builtin.move in: c[0] dst: %1") != std::string::npos);
  const VirtualMachine vm(e);
  CHECK(values(vm("main", {array({1, 2})})) == std::vector<float>{22, 36});
  CHECK(values(vm("twice", {array({1, 2})})) == std::vector<float>{26, 45});
}

TEST_CASE("registers get numbers in the order of their first definition", "[vm]") {
  E b;
  b.function("main", 1, [&] {
    b.emit_call("vm.builtin.move", {E::r(0)}, E::r(100));
    b.emit_call("vm.builtin.move", {E::r(100)}, E::r(50));
    b.emit_if(E::r(50), 2);
    b.emit_ret(E::r(100));
    b.emit_ret(E::r(50));
  });
  b.function("other", 1, [&] {
    b.emit_call("vm.builtin.move", {E::r(0)}, E::r(50));
    b.emit_ret(E::r(50));
  });
  CHECK(spaces_as_one(b.get().astext()) ==
        "@main:\n"
        "call vm.builtin.move in: %0 dst: %1\n"
        "call vm.builtin.move in: %1 dst: %2\n"
        "if %2 2\n"
        "ret ret %1\n"
        "ret ret %2\n\n"
        "@other:\n"
        "call vm.builtin.move in: %0 dst: %1\n"
        "ret ret %1\n\n");
}

TEST_CASE("branches, jumps and recursion", "[vm]") {
  register_operators();
  E b;
  b.function("choose", 3, [&] {  // r0 ? r1 + r2 : r1 * r2
    b.emit_if(E::r(0), 3);
    b.emit_call("vm.op.add", {E::r(1), E::r(2)}, E::r(3));
    b.emit_goto(2);
    b.emit_call("vm.op.mul", {E::r(1), E::r(2)}, E::r(3));
    b.emit_ret(E::r(3));
  });
  register_packed(
      "test.minus_one", [](const std::vector<VmValue>& g) { return VmValue(*g[0].integer() - 1); },
      true);
  b.function("power", 2, [&] {  // r1 2^r0
    b.emit_if(E::r(0), 5);
    b.emit_call("test.minus_one", {E::r(0)}, E::r(2));
    b.emit_call("vm.op.add", {E::r(1), E::r(1)}, E::r(3));
    b.emit_call("power", {E::r(2), E::r(3)}, E::r(4));
    b.emit_ret(E::r(4));
    b.emit_ret(E::r(1));
  });
  const VirtualMachine vm(reloaded(b.get()));
  const VmValue x = array({3}), y = array({5});
  CHECK(values(vm("choose", {VmValue(std::int64_t{1}), x, y})) == std::vector<float>{8});
  CHECK(values(vm("choose", {NDArray::scalar(false), x, y})) == std::vector<float>{15});
  CHECK(values(vm("power", {VmValue(std::int64_t{10}), array({1})})) == std::vector<float>{1024});
}

TEST_CASE("endless recursion is an error, and the machine goes on", "[vm]") {
  E b;
  b.function("again", 1, [&] {
    b.emit_call("again", {E::r(0)}, E::r(1));
    b.emit_ret(E::r(1));
  });
  b.function("closure", 1, [&] {
    b.emit_call("vm.builtin.make_closure", {b.f("closure"), E::r(0)}, E::r(1));
    b.emit_call("vm.builtin.invoke_closure", {E::vm_state(), E::r(1)}, E::r(2));
    b.emit_ret(E::r(2));
  });
  b.function("same", 1, [&] { b.emit_ret(E::r(0)); });
  const VirtualMachine vm(b.get());
  CHECK(why([&] { vm("again", {array({1})}); }) ==
        "vm again: calls are nested more than 100000 deep");
  CHECK(why([&] { vm("closure", {array({1})}); }) == "vm: closures are invoked more than 200 deep");
  CHECK(values(vm("same", {array({7})})) == std::vector<float>{7});
  CHECK(why([&] { vm("same", {}); }) == "vm same takes 1 arguments, and gets 0");
  CHECK(why([&] { vm("none", {}); }) == "vm: the executable has no function none");
}

TEST_CASE("shapes on a heap", "[vm]") {
  E b;
  b.function("shape", 1, [&] {
    b.emit_call("vm.builtin.alloc_shape_heap", {E::vm_state(), E::imm(4)}, E::r(1));
    b.emit_call("vm.builtin.shape_of", {E::r(0)}, E::r(2));
    b.emit_call("vm.builtin.store_shape", {E::r(2), E::r(1), E::imm(0), E::imm(1)});
    b.emit_call("test.next", {E::r(1)});
    b.emit_call("vm.builtin.load_shape", {E::r(1), E::imm(2), E::imm(3)}, E::r(3));
    b.emit_ret(E::r(3));
  });
  register_packed(
      "test.next",
      [](const std::vector<VmValue>& g) {
        std::int64_t* slots = g[0].array()->data<std::int64_t>();
        slots[2] = slots[0] + 1;
        slots[3] = slots[1] + 1;
        return VmValue();
      },
      true);
  const VirtualMachine vm(b.get());
  CHECK(vm("shape", {NDArray(strata_float(32), {32, 16})}).shape()->numbers ==
        std::vector<std::int64_t>{33, 17});
}

TEST_CASE("built-in functions say what does not fit", "[vm]") {
  const auto call = [](const std::string& name, const std::vector<VmValue>& given) {
    return why([&] { (*find_packed(name))(given); });
  };
  const VmValue x = NDArray(strata_float(32), {2, 3}), two = std::int64_t{2};
  CHECK(call("vm.builtin.shape_of", {two}) ==
        "vm.builtin.shape_of: argument 0 is an integer, and not an array");
  CHECK(call("vm.builtin.shape_of", {}) == "vm.builtin.shape_of: it takes 1 arguments, and gets 0");
  CHECK(call("vm.builtin.reshape", {x, ShapeNumbers{{4}}}) ==
        "vm.builtin.reshape: the shape has another number of elements than the array, 6");
  CHECK(call("vm.builtin.check_tensor", {x, std::int64_t{1}, std::string()}) ==
        "vm.builtin.check_tensor: 2 dimensions are given, and 1 are expected");
  const VmValue heap = NDArray(strata_int(64), {1});
  CHECK(call("vm.builtin.match_shape",
             {x, heap, VmValue(std::int64_t{0}), two, VmValue(std::int64_t{0}), two}) ==
        "vm.builtin.match_shape: dimension 1 is 3, and 2 is expected");
  CHECK(call("vm.builtin.alloc_tensor", {NDArray(strata_uint(8), {8}), std::int64_t{4},
                                         ShapeNumbers{{2}}, std::string("float32")}) ==
        "vm.builtin.alloc_tensor: 8 bytes at 4 are not in a storage of 8");
  CHECK(call("vm.binary_broadcast_shape_infer", {ShapeNumbers{{2, 3}}, ShapeNumbers{{2}}}) ==
        "vm.binary_broadcast_shape_infer: extents 3 and 2 differ, and none is 1");
}

TEST_CASE("a function that cannot run is refused when it ends", "[vm]") {
  const auto refusal = [](std::int64_t inputs, const std::function<void(E&)>& body) {
    E b;
    const std::string text = why([&] { b.function("f", inputs, [&] { body(b); }); });
    CHECK(b.get().functions.empty());
    CHECK(b.get().callees.empty());
    return text;
  };
  CHECK(refusal(0, [](E& b) { b.emit_ret(E::r(7)); }) ==
        "vm f, instruction 0: %0 is read before it is written");
  CHECK(refusal(1, [](E& b) {
          b.emit_if(E::r(0), 2);
          b.emit_call("vm.builtin.move", {E::r(0)}, E::r(1));
          b.emit_ret(E::r(1));
        }) == "vm f, instruction 2: %1 is read before it is written");
  CHECK(refusal(1, [](E& b) { b.emit_call("vm.builtin.move", {E::r(0)}); }) ==
        "vm f, instruction 0: the function ends without ret");
  CHECK(refusal(1, [](E& b) { b.emit_goto(0); }) ==
        "vm f, instruction 0: the offset 0 leads to itself");
  CHECK(refusal(1, [](E& b) { b.emit_goto(5); }) ==
        "vm f, instruction 0: the offset 5 leads out of the function");
  CHECK(refusal(1, [](E& b) { b.emit_call("vm.builtin.move", {E::c(3)}, E::r(1)); }) ==
        "vm f, instruction 0: there is no constant 3");
  CHECK(why([] { E::imm(std::int64_t{1} << 55); }).find("56 bits") != std::string::npos);
  CHECK(VmOperand::of(E::imm(-(std::int64_t{1} << 55)).word()).value == -(std::int64_t{1} << 55));
  CHECK(VmOperand::of(E::imm((std::int64_t{1} << 55) - 1).word()).value ==
        (std::int64_t{1} << 55) - 1);
  E b;
  b.function("f", 2, [&] { b.emit_ret(E::r(0)); });
  CHECK(b.warnings() == std::vector<std::string>{"vm f: input %1 is never read"});
  CHECK(why([&] { b.function("f", 0, [] {}); }) == "vm: there is a function f already");
  b.function("g", 0, [&] {
    b.emit_call("test.nowhere", {}, E::r(0));
    b.emit_ret(E::r(0));
  });
  CHECK(why([&] { VirtualMachine vm(b.get()); }) ==
        "vm: no function is called \"test.nowhere\"; give it among the kernels, or "
        "register_packed(\"test.nowhere\", f)");
}

TEST_CASE("a packed function that throws leaves the machine usable", "[vm]") {
  int calls = 0;
  E b;
  b.function("f", 1, [&] {
    b.emit_call("kernel", {E::r(0)}, E::r(1));
    b.emit_ret(E::r(1));
  });
  const VirtualMachine vm(b.get(), {{"kernel", [&](const std::vector<VmValue>& given) -> VmValue {
                                       if (calls++ == 0) throw std::runtime_error("once");
                                       return given[0];
                                     }}});
  CHECK_THROWS_WITH(vm("f", {array({1})}), "once");
  CHECK(values(vm("f", {array({1})})) == std::vector<float>{1});
}

TEST_CASE("what was killed is not read any more, and is poisoned where programs are verified",
          "[vm]") {
  E b;
  b.function("reads", 1, [&] {
    b.emit_call("vm.builtin.copy", {E::r(0)}, E::r(1));
    b.emit_call("vm.builtin.kill", {E::r(1)});
    b.emit_call("vm.op.add", {E::r(0), E::r(1)}, E::r(2));
    b.emit_ret(E::r(2));
  });
  b.function("returns", 1, [&] {
    b.emit_call("vm.builtin.kill", {E::r(0)}, E::r(1));
    b.emit_ret(E::r(0));
  });
  b.function("views", 1, [&] {
    b.emit_call("vm.builtin.move", {E::r(0)}, E::r(1));
    b.emit_call("vm.builtin.kill", {E::r(0)}, E::r(0));
    b.emit_ret(E::r(1));
  });
  register_operators();
  CHECK(why([&] { VirtualMachine(b.get())("reads", {array({1})}); }) ==
        "vm reads: %1 is read after it was killed");
  CHECK(why([&] { VirtualMachine(b.get())("returns", {array({1})}); }) ==
        "vm returns: %0 is read after it was killed");
  const NDArray x = array({1, 2});
  CHECK(values(VirtualMachine(b.get())("views", {x})) == std::vector<float>{1, 2});
  setenv("STRATA_VERIFY", "1", 1);
  const VirtualMachine verifying(b.get());
  unsetenv("STRATA_VERIFY");
  for (const float value : values(verifying("views", {x}))) CHECK(std::isnan(value));
}

TEST_CASE("100,000 damaged files are refused, or are equal executables", "[vm]") {
  E b;
  b.function("main", 1, [&] {
    b.emit_call("vm.builtin.reshape", {E::r(0), VmValue(ShapeNumbers{{2, 3}})}, E::r(1));
    b.emit_call("vm.op.add", {E::r(1), VmValue(array({1, 2, 3}))}, E::r(2));
    b.emit_call("vm.op.add", {E::r(2), VmValue(std::string("text"))}, E::r(3));
    b.emit_ret(E::r(3));
  });
  const Executable e = b.get();
  const std::string bytes = e.saved();
  std::mt19937 random(3);
  int refused = 0;
  for (int round = 0; round < 100000; ++round) {
    std::string damaged = bytes;
    if (round % 4 == 0)
      damaged.resize(random() % bytes.size());
    else
      damaged[random() % bytes.size()] ^= char(1 + random() % 255);
    try {
      if (Executable::load(damaged).saved() != bytes) FAIL("another executable was read");
    } catch (const VmError&) {
      ++refused;
    }
  }
  CHECK(refused == 100000);
  std::string newer = bytes;
  newer[8] = 2;
  CHECK(
      why([&] { Executable::load(newer); }) ==
      "vm: this is not an executable that can be read: it is of version 2, and this library reads "
      "version 1");
  CHECK(why([] { Executable::load("ELF"); }) ==
        "vm: this is not an executable that can be read: it does not begin with STRATAVM");
  CHECK(why([] { Executable::load_file("nowhere/none.vm"); }) ==
        "vm: nowhere/none.vm cannot be read");
}

}  // namespace strata::test::vm_test
