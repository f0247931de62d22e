// Objects of a C compiler, joined and linked.
#include "codegen/object/join_objects.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "core/error.h"
#include "tests/folder.h"

namespace strata::test::join_objects_test {

namespace {

std::string compiled(const Folder& folder, const std::string& name, const std::string& text) {
  const std::string source = folder / (name + ".c"), object = folder / (name + ".o");
  std::ofstream(source) << text;
  REQUIRE(std::system(("cc -O1 -fPIC -c " + source + " -o " + object).c_str()) == 0);
  std::ifstream in(object, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Code code_of_joining(const std::vector<std::string>& objects) {
  try {
    join_objects(objects);
  } catch (const Error& error) {
    return error.code();
  }
  return {};
}

// Both parts have functions and data of the same names: "value", "table", "scaled".
std::string part(const std::string& name, int factor) {
  const std::string f = std::to_string(factor);
  return "#include <string.h>\n"
         "int value = " +
         f + "; static int table[4] = {0, " + f +
         ", 0, 0}; int empty[1000];\n"
         "static const char *const names[] = {\"" +
         name +
         "\", \"other\"};\n"
         "int scaled(int x) { return x * table[x % 2] + value + empty[x]; }\n"
         "int " +
         name + "(int x) { table[1] += 0; return scaled(x) + (int)strlen(names[x % 2]); }\n";
}

}  // namespace

TEST_CASE("joined objects call each other, and only the first can be seen", "[join]") {
  const Folder folder;
  const std::string first = compiled(
      folder, "first",
      "int one(int); int three(int); int both(int x) { return one(x) * 1000 + three(x); }");
  const std::string joined = join_objects({first, compiled(folder, "one", part("one", 1)),
                                           compiled(folder, "three", part("three", 3))});
  std::ofstream(folder / "joined.o", std::ios::binary) << joined;
  // By hand: one(5) = 5 * 1 + 1 + 5, three(5) = 5 * 3 + 3 + 5, with strlen("other") = 5.
  std::ofstream(folder / "main.c") << R"(
int both(int);
int one(int x) { return x; }
int value = 7;
int main(void) { return both(5) == 11 * 1000 + 23 && one(2) == 2 && value == 7 ? 0 : 1; }
)";
  const std::string program = folder / "program";
  REQUIRE(std::system(
              ("cc " + folder / "main.c" + " " + folder / "joined.o" + " -o " + program).c_str()) ==
          0);
  CHECK(std::system(program.c_str()) == 0);
  // grep finds no other line.
  const std::string defined = "nm -g --defined-only " + folder / "joined.o";
  CHECK(std::system((defined + " | grep -q ' T both$'").c_str()) == 0);
  CHECK(std::system((defined + " | grep -qv ' T both$'").c_str()) != 0);
}

TEST_CASE("what is not an object of LLVM for this system is refused", "[join]") {
  const Folder folder;
  const std::string object = compiled(folder, "one", part("one", 1));
  CHECK(code_of_joining({object, object}) == Code{});
  CHECK(code_of_joining({object, ""}) == Code::E0502_code_generation_failed);
  CHECK(code_of_joining({object, std::string(200, 'x')}) == Code::E0502_code_generation_failed);
  for (const double share : {0.1, 0.5, 0.99})
    CHECK(code_of_joining({object.substr(0, std::size_t(double(object.size()) * share))}) ==
          Code::E0502_code_generation_failed);
  std::string other = object;
  other[18] = 7;  // e_machine
  CHECK(code_of_joining({object, other}) == Code::E0502_code_generation_failed);
}

}  // namespace strata::test::join_objects_test
