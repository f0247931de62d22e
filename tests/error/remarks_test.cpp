// Remarks as authors see them: places, STRATA_REMARKS, refusals.
#include <strata/strata.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/error/told.h"

namespace strata::test::remarks_test {

namespace {

// Sets STRATA_REMARKS while it lives.
class Asked {
 public:
  explicit Asked(const std::string& value) { setenv("STRATA_REMARKS", value.c_str(), 1); }
  ~Asked() { unsetenv("STRATA_REMARKS"); }
};

std::string content(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("remarks name the line of the definition, or of the command that made the loop",
          "[error][remarks]") {
  Pair p;
  const int line = __LINE__ + 1;
  Computation u = p.f.computation("u", {p.i, p.j}, p.t(p.i, p.j) * p.in(p.i, p.j));
  const std::vector<Buffer> arguments{p.in.buffer(), u.buffer()};
  p.s.set_inline();
  p.t.set_inline();
  std::vector<Remark> all = p.f.remarks(arguments);
  REQUIRE(all.size() == 1);
  CHECK(all[0].kind == "no vector");
  CHECK(all[0].where.file == __FILE__);
  CHECK(all[0].where.line == line);
  u.tile(p.i, p.j, 4, 4, "i0", "j0", "i1", "j1");  // on the third line after the next
  all = p.f.remarks(arguments);
  REQUIRE(all.size() == 1);
  CHECK(all[0].loop == "j1");
  CHECK(all[0].where.line == line + 9);
}

TEST_CASE("remarks: commands of a group that was undone are forgotten", "[error][remarks]") {
  Grid g;
  const int line = __LINE__ + 1;
  Computation s = g.copy("s");
  const auto fails = [&] {
    g.f.together([&] {
      s.interchange(g.i, g.j);
      s.vectorize("nothing", 8);
    });
  };
  CHECK_THROWS_AS(fails(), Error);
  const std::vector<Remark> all = g.f.remarks({g.in.buffer(), s.buffer()});
  REQUIRE(all.size() == 1);
  CHECK(all[0].where.line < line);  // copy(), in told.h
}

TEST_CASE("remarks are given for sizes of the author's choice", "[error][remarks]") {
  Grid g;
  Computation s = g.copy("s");
  s.vectorize(g.j, 8).parallelize(g.i);
  const std::vector<Buffer> arguments{g.in.buffer(), s.buffer()};
  CHECK(g.f.remarks(arguments).empty());
  const std::vector<Remark> small = g.f.remarks(arguments, {{"N", 4}, {"M", 16}});
  REQUIRE(small.size() == 1);
  CHECK(small[0].kind == "little parallel work");
  CHECK(told(g.f, [&] { g.f.remarks(arguments, {{"K", 4}}); }) == R"(error E0106 bad argument
  in remarks(f) at HERE
  f has no parameter K
  to fix it: name the parameters whose values are given
)");
}

TEST_CASE("STRATA_REMARKS writes the remarks of each kernel to a file", "[error][remarks]") {
  Pair p;
  const auto file = std::filesystem::temp_directory_path() / "strata_remarks_test.txt";
  std::filesystem::remove(file);
  std::string expected;
  for (const Remark& remark : p.f.remarks(p.arguments())) expected += render(remark);
  CHECK(!expected.empty());
  CHECK(!std::filesystem::exists(file));
  const Asked asked(file.string());
  p.f.jit(p.arguments());
  CHECK(content(file) == expected);
  p.f.jit(p.arguments());
  CHECK(content(file) == expected + expected);
  std::filesystem::remove(file);
}

TEST_CASE("STRATA_REMARKS=FILE.json is one list in JSON, however many kernels add to it",
          "[error][remarks]") {
  Pair p;
  const auto file = std::filesystem::temp_directory_path() / "strata_remarks_test.json";
  std::filesystem::remove(file);
  const Remarks all = p.f.remarks(p.arguments());
  REQUIRE(!all.empty());
  const Asked asked(file.string());
  p.f.jit(p.arguments());
  CHECK(content(file) == all.json());
  p.f.jit(p.arguments());
  Remarks twice = all;
  twice.insert(twice.end(), all.begin(), all.end());
  CHECK(content(file) == twice.json());
  std::ofstream(file) << "not a list";
  CHECK(told(p.f, [&] { p.f.jit(p.arguments()); }).find("is new or a list of remarks") !=
        std::string::npos);
  CHECK(content(file) == "not a list");
  std::filesystem::remove(file);
}

TEST_CASE("remarks in JSON", "[error][remarks]") {
  Remark remark{"gather", "S", "j", "a \"b\" \\ \n", "none", {"mask(S.j)", "guard(S.i)"}};
  remark.where = {"a.cpp", 7};
  remark.kernel = "f";
  const std::string object =
      R"-({"kernel": "f", "kind": "gather", "computation": "S", "loop": "j", )-"
      R"-("file": "a.cpp", "line": 7, "seen": "a \"b\" \\ \u000a", )-"
      R"-("advice": "none", "commands": ["mask(S.j)", "guard(S.i)"]})-";
  CHECK(Remarks{remark, remark}.json() == "[\n" + object + ",\n" + object + "\n]\n");
  CHECK(Remarks().json() == "[\n]\n");
}

TEST_CASE("STRATA_REMARKS that cannot be written", "[error][remarks]") {
  Pair p;
  const Asked asked("/nowhere/remarks.txt");
  CHECK(told(p.f, [&] { p.f.jit(p.arguments()); }) == R"(error E0503 cannot write file
  in jit(f) at HERE
  cannot write the remarks to /nowhere/remarks.txt, which STRATA_REMARKS names
  to fix it: name a file that can be written, or STRATA_REMARKS=1 for standard error
)");
}

}  // namespace strata::test::remarks_test
