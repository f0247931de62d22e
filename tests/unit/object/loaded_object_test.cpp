// Objects of a C compiler in this process.
#include "codegen/object/loaded_object.h"

#include <elf.h>
#include <execinfo.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>
#include <vector>

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

int call(const LoadedObject& object, const std::string& name, int argument) {
  return reinterpret_cast<int (*)(int)>(object.address_of(name))(argument);
}

Refusal refusal_of(const std::string& bytes, const Addresses& known = {}) {
  try {
    LoadedObject(bytes, known);
  } catch (const Error& error) {
    return error.refusal();
  }
  return {};
}

int far_away(int x) { return x + 1000; }

std::vector<void*> frames;
int keep_frames(int x) {
  frames.resize(64);
  frames.resize(std::size_t(backtrace(frames.data(), 64)));
  return x;
}

// The kind of memory at an address: "r-xp".
std::string protection_of(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream in(line);
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    std::string protection;
    in >> std::hex >> begin >> dash >> end >> protection;
    if (begin <= at && at < end) return protection;
  }
  return "";
}

// The object with its sections of one type said to be of another.
std::string retyped(std::string bytes, Elf64_Word from, Elf64_Word to) {
  Elf64_Ehdr head;
  std::memcpy(&head, bytes.data(), sizeof head);
  for (std::size_t n = 0; n < head.e_shnum; ++n) {
    char* const type =
        bytes.data() + head.e_shoff + n * sizeof(Elf64_Shdr) + offsetof(Elf64_Shdr, sh_type);
    if (std::memcmp(type, &from, sizeof from) == 0) std::memcpy(type, &to, sizeof to);
  }
  return bytes;
}

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
  const LoadedObject object(object_of(data), {{"outside", reinterpret_cast<void*>(&far_away)}});
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
  LoadedObject first(bytes, {});
  const LoadedObject second(bytes, {});
  CHECK(call(first, "next", 2) == 2);
  CHECK(call(second, "next", 1) == 1);
  const LoadedObject moved = std::move(first);
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
  CHECK_THROWS_AS(LoadedObject(object_of("int f(void) { return 1; }"), {}).address_of("g"), Error);
}

TEST_CASE("constants are aligned, and no memory is both written and executed", "[load]") {
  const LoadedObject object(
      object_of("const int aligned[16] __attribute__((aligned(64))) = {1}; const char odd = 2;"
                "int written = 3; int f(int x) { return x + written; }"),
      {});
  CHECK(reinterpret_cast<std::uintptr_t>(object.address_of("aligned")) % 64 == 0);
  CHECK(*static_cast<const int*>(object.address_of("aligned")) == 1);
  CHECK(protection_of(object.address_of("f")) == "r-xp");
  CHECK(protection_of(object.address_of("aligned")) == "r-xp");
  CHECK(protection_of(object.address_of("written")) == "rw-p");
}

TEST_CASE("data of others is not taken from a jump", "[load]") {
  const std::string relative = object_of(
      "extern int there __attribute__((visibility(\"hidden\")));"
      "int f(int x) { return x + there; }");
  // Nothing of the process is within 2 GB of the least addresses.
  const Addresses far{{"there", reinterpret_cast<void*>(std::uintptr_t{4096})}};
  CHECK(refusal_of(relative, far).explanation.find("there is farther away than 2 GB") !=
        std::string::npos);
  const LoadedObject near(object_of("int place[4] = {40, 41};"), {});
  int* const there = static_cast<int*>(near.address_of("place"));
  const LoadedObject object(relative, {{"there", there + 1}});
  CHECK(call(object, "f", 1) == 42);
}

TEST_CASE("tables of relocations that are not read are refused", "[load]") {
  const std::string bytes = object_of("int g(int); int f(int x) { return g(x) + 1; }");
  const Addresses known{{"g", reinterpret_cast<void*>(&far_away)}};
  CHECK(call(LoadedObject(bytes, known), "f", 1) == 1002);
  for (const Elf64_Word type : {Elf64_Word{SHT_REL}, Elf64_Word{19}, Elf64_Word{0x40000014}}) {
    const std::string text = refusal_of(retyped(bytes, SHT_RELA, type), known).explanation;
    CHECK(text.find("section .rela.text is not supported") != std::string::npos);
  }
}

TEST_CASE("stacks are unwound through an object's functions", "[load]") {
  const std::string options = "-O1 -fPIC -fomit-frame-pointer -fasynchronous-unwind-tables";
  const std::string text =
      "int keep(int); int f(int x) { volatile char room[200]; room[x] = 1; return keep(x) + 1; }";
  const Addresses known{{"keep", reinterpret_cast<void*>(&keep_frames)}};
  {
    const LoadedObject object(object_of(text, options), known);
    CHECK(call(object, "f", 4) == 5);
    const auto begin = reinterpret_cast<std::uintptr_t>(object.address_of("f"));
    const auto found = std::find_if(frames.begin(), frames.end(), [&](void* frame) {
      return reinterpret_cast<std::uintptr_t>(frame) - begin < 200;
    });
    REQUIRE(found != frames.end());
    CHECK(frames.end() - found > 2);  // "call", and what calls it
  }
  keep_frames(0);  // what was registered is gone
  LoadedObject first(object_of(text, options), known);
  first = LoadedObject(object_of(text, options), known);
  CHECK(call(first, "f", 4) == 5);
}

TEST_CASE("an object that is cut off is refused", "[load]") {
  const std::string bytes = object_of(data);
  const Addresses known{{"outside", reinterpret_cast<void*>(&far_away)}};
  for (std::size_t size = 0; size < bytes.size(); size += 7)
    CHECK(refusal_of(bytes.substr(0, size), known).code == Code::E0502_code_generation_failed);
  std::string other = bytes;
  other[18] = 40;  // e_machine: ARM
  CHECK(refusal_of(other, known).explanation.find("x86-64") != std::string::npos);
}

}  // namespace strata::test::loaded_object_test
