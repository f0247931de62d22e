// Objects of a C compiler in this process.
#include "codegen/halide/product/loaded_object.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "core/error.h"
#include "tests/folder.h"

namespace strata::test::loaded_object_test {

namespace {

std::string object_of(const std::string& text, const std::string& options = "-O1 -fPIC") {
  const Folder folder;
  const std::string source = folder / "source.c", object = folder / "source.o";
  std::ofstream(source) << text;
  REQUIRE(std::system(("cc " + options + " -c " + source + " -o " + object).c_str()) == 0);
  std::ifstream in(object, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

int call(const halide::LoadedObject& object, const std::string& name, int argument) {
  return reinterpret_cast<int (*)(int)>(object.address_of(name))(argument);
}

Refusal refusal_of(const std::string& bytes, const halide::Addresses& known = {}) {
  try {
    halide::LoadedObject(bytes, known);
  } catch (const Error& error) {
    return error.refusal();
  }
  return {};
}

int far_away(int x) { return x + 1000; }

const char* const data = R"(
  #include <string.h>
  int value = 7; static int table[4] = {0, 5, 0, 0}; int empty[3000];
  static const char *const names[] = {"one", "other"};
  int *const place = &table[1];
  static int twice(int x) { return 2 * x; }
  int (*chosen)(int) = twice;
  extern int outside(int);
  int count(int x) { return ++value + table[x % 2] + empty[x]; }
  int length(int x) { return (int)strlen(names[x % 2]) + *place; }
  int through(int x) { return chosen(x) + outside(x); }
  int (*pointer(void))(int) { return outside; }
)";

}  // namespace

TEST_CASE("an object's functions run, with its data and those of the process", "[load]") {
  const halide::LoadedObject object(object_of(data),
                                    {{"outside", reinterpret_cast<void*>(&far_away)}});
  CHECK(call(object, "count", 1) == 8 + 5 + 0);
  CHECK(call(object, "count", 2) == 9);
  CHECK(call(object, "length", 1) == 5 + 5);
  CHECK(call(object, "through", 3) == 6 + 1003);
  CHECK(reinterpret_cast<void* (*)()>(object.address_of("pointer"))() ==
        reinterpret_cast<void*>(&far_away));
  CHECK(*static_cast<int*>(object.address_of("value")) == 9);
}

TEST_CASE("two copies of an object have their own data, and what is moved goes on", "[load]") {
  const std::string bytes = object_of("static int n; int next(int x) { return n += x; }");
  halide::LoadedObject first(bytes, {});
  const halide::LoadedObject second(bytes, {});
  CHECK(call(first, "next", 2) == 2);
  CHECK(call(second, "next", 1) == 1);
  const halide::LoadedObject moved = std::move(first);
  CHECK(call(moved, "next", 2) == 4);
}

TEST_CASE("what is not known is refused by its name", "[load]") {
  const auto told = [](const std::string& text, const std::string& options) {
    const Refusal refusal = refusal_of(object_of(text, options));
    CHECK(refusal.code == Code::E0502_code_generation_failed);
    return refusal.explanation;
  };
  using Catch::Contains;
  CHECK_THAT(told("int nowhere(void); int f(void) { return nowhere(); }", "-fPIC"),
             Contains("the address of nowhere is not known"));
  CHECK_THAT(told("_Thread_local int n; int f(void) { return n++; }", "-fPIC"),
             Contains("section .tbss is not supported"));
  CHECK_THAT(told("int n; __attribute__((constructor)) void f(void) { ++n; }", "-fPIC"),
             Contains("section .init_array is not supported"));
  CHECK_THAT(told("int n[9]; int f(int i) { return n[i]; }", "-O1 -fno-pic -mcmodel=kernel"),
             Contains("relocation 11 is not supported"));
  CHECK_THROWS_AS(halide::LoadedObject(object_of("int f(void) { return 1; }"), {}).address_of("g"),
                  Error);
}

TEST_CASE("an object that is cut off is refused", "[load]") {
  const std::string bytes = object_of(data);
  const halide::Addresses known{{"outside", reinterpret_cast<void*>(&far_away)}};
  for (std::size_t size = 0; size < bytes.size(); size += 7)
    CHECK(refusal_of(bytes.substr(0, size), known).code == Code::E0502_code_generation_failed);
  std::string other = bytes;
  other[18] = 40;  // e_machine: ARM
  CHECK(refusal_of(other, known).explanation.find("x86-64") != std::string::npos);
}

}  // namespace strata::test::loaded_object_test
