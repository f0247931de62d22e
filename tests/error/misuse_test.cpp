// For any call of the API, the library either throws strata::Error and changes nothing, or
// succeeds.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <iostream>
#include <map>

#include "layers/algorithm.h"
#include "layers/program.h"
#include "tests/error/misuse.h"

namespace strata::test::misuse_test {

namespace {

unsigned seed() {
  const char* text = std::getenv("STRATA_TEST_SEED");
  return text ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : 1;
}

struct Counts {
  std::map<std::string, int> codes;
  int refused = 0, accepted = 0;
};

// The texts of f and of the other function.
std::string texts(const World& world) {
  std::string out = world.f.text() + world.other.text();
  for (const std::string& line : world.f.history()) out += line + "\n";
  return out;
}

// Checks a refusal: the message must have its code, its place in this file and an explanation, and
// must not report a defect of the library. Returns the fault, or "".
std::string fault_of(const Error& e) {
  const std::string text = e.what();
  if (e.code() == Code::E0902_set_library_failed) return text;
  if (text != render(e.refusal()).c_str()) return "not rendered: " + text;
  if (text.rfind("error " + to_string(e.code()) + "\n  in ", 0) != 0) return "no head: " + text;
  if (e.refusal().where.file.empty() || e.refusal().where.line <= 0) return "no place: " + text;
  if (e.refusal().explanation.empty()) return "nothing said: " + text;
  return "";
}

// Does f contain a node made by a handle of the other function, or an access with a type other than
// its array's?
std::string found_foreign(const World& world) {
  const Algorithm& f = *world.f.program().algorithm;
  std::map<std::string, Type> types;
  for (const InputArray& input : f.inputs) types.emplace(input.name, input.type);
  for (const Definition& d : f.definitions) {
    types.emplace(d.array, d.type);
    for (const Component& c : d.others) types.emplace(c.name, c.type);
  }
  std::string fault;
  const auto look = [&](const Expr& whole) {
    visit(whole, [&](const Expr& e) {
      const bool reads = e.op() == Op::access || e.op() == Op::array;
      const auto type = types.find(e.name());
      if (e.node().owner && e.node().owner != f.owner) fault = "a handle of another function";
      if (reads && type != types.end() && type->second != e.type()) fault = "another type";
    });
  };
  for (const Definition& d : f.definitions)
    if (d.value.defined()) for_each_expression(d, look);
  for (const SizeParameter& size : f.sizes) look(size.element);
  for (const Expr& condition : f.assumed) look(condition);
  for (const LayoutBuffer& buffer : world.f.program().layout.buffers)
    for (const Expr& extent : buffer.extents) look(extent);
  return fault;
}

// Makes the random call of this number in "world"; returns what went wrong.
std::string misuse(World& world, unsigned number, Counts& counts) {
  const std::string before = texts(world);
  try {
    Draw draw(number, world.reads());
    world.act(draw);
    ++counts.accepted;
    return found_foreign(world);
  } catch (const Error& e) {
    ++counts.refused;
    ++counts.codes[to_string(e.code()).substr(0, 5)];
    const std::string fault = fault_of(e);
    if (!fault.empty() || texts(world) == before) return fault;
    return std::string("the program has changed: ") + e.what();
  } catch (const std::exception& e) {
    return std::string("another exception: ") + e.what();
  }
}

}  // namespace

TEST_CASE("ten thousand misuses of the author's API are refused and change nothing", "[halide]") {
  Counts counts;
  std::map<std::string, unsigned> faults;
  for (unsigned round = 0; counts.refused < 10000; ++round) {
    World world;
    for (unsigned n = 0; n < 40; ++n) {
      const unsigned number = seed() * 1000003 + round * 1000 + n;
      CAPTURE(number);
      const std::string fault = misuse(world, number, counts);
      if (!fault.empty()) faults.emplace(fault, number);
    }
  }
  std::cout << "seed=" << seed() << " refused=" << counts.refused
            << " accepted=" << counts.accepted;
  for (const auto& [code, times] : counts.codes) std::cout << ' ' << code << '=' << times;
  std::cout << '\n';
  for (const auto& [fault, number] : faults) FAIL_CHECK("call " << number << ": " << fault);
}

}  // namespace strata::test::misuse_test
