// The same program gives the same bytes, regardless of earlier programs and of addresses.
#include <strata/strata.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

namespace strata::test::determinism_test {

namespace fs = std::filesystem;

namespace {

const Var x("x"), y("y"), z("z"), w("w");

std::string tiled(const std::string& object) {
  Function f("tiled");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), j("j", 0, M);
  Input in = f.input("in", f32, {N, M});
  Computation a = f.computation("a", {i, j}, sqrt(in(i, j)) + select(j > 0, in(i, j - 1), 0.5f));
  Computation b = f.computation("b", {i, j}, a(i, j) * select(i > 0, a(i - 1, j), 1.0f));
  b.tile(i, j, 8, 32, x, y, z, w);
  a.compute_at(b, y);
  b.vectorize(w, 8).parallelize(x).unroll(z, 2);
  f.codegen({in.buffer(), b.buffer()}, object);
  return f.text() + f.loops({in.buffer(), b.buffer()});
}

std::string reduced(const std::string& object) {
  Function f("reduced");
  Param N = f.param("N"), K = f.param("K");
  Var i("i", 0, N), k("k", 0, K);
  Input in = f.input("in", f64, {N, K}), weight = f.input("weight", f64, {K});
  Computation s = f.computation("s", {i}, sum(k, in(i, k) * weight(k)));
  Computation best = f.computation({"best", "place"}, {i}, argmin(k, in(i, k)));
  s.split(k, 16, x, y);
  Computation part = s.rfactor(y, "part");
  part.vectorize(y, 8);
  f.codegen({in.buffer(), weight.buffer(), s.buffer(), best.buffer(), Buffer("place")}, object);
  return f.text() +
         f.loops({in.buffer(), weight.buffer(), s.buffer(), best.buffer(), Buffer("place")});
}

std::string scattered(const std::string& object) {
  Function f("scattered");
  Param N = f.param("N"), T = f.param("T");
  Var i("i", 0, N);
  Input at = f.input("at", i32, {N}), in = f.input("in", i32, {N});
  Computation h = f.computation("h", {i}, 0);
  Computation u = h.update({i}, {at(i)}, h(at(i)) + in(i));
  Computation g = f.computation("g", {i}, in(clamp(at(i), 0, N - 1)));
  g.split(i, T, x, y).parallelize(x);
  const std::vector<Buffer> arguments{at.buffer(), in.buffer(), h.buffer(), g.buffer()};
  f.codegen(arguments, object);
  return f.text() + f.loops(arguments);
}

const std::map<std::string, std::string (*)(const std::string&)> programs = {
    {"tiled", tiled}, {"reduced", reduced}, {"scattered", scattered}};

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Name of a file -> its bytes, for all programs, built in the given order.
std::map<std::string, std::string> build(const fs::path& folder,
                                         const std::vector<std::string>& order) {
  std::map<std::string, std::string> files;
  for (const std::string& name : order) {
    const std::string object = (folder / (name + ".o")).string();
    const std::string text = programs.at(name)(object);
    std::ofstream(folder / (name + ".txt")) << text;
    for (const char* const extension : {".o", ".h", ".txt"})
      files[name + extension] = read(folder / (name + extension));
  }
  return files;
}

class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "strata-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path = pattern;
  }
  ~Folder() { fs::remove_all(path); }
  fs::path path;
};

const char* const folder_of_child = "STRATA_TEST_FOLDER";

void require_same(const std::map<std::string, std::string>& expected, const fs::path& folder) {
  for (const auto& [name, bytes] : expected) {
    CAPTURE(name);
    CHECK(bytes.size() > 100);
    CHECK((read(folder / name) == bytes));
  }
}

// Builds all programs into the folder in another process, with other addresses and an environment
// of another size.
void build_in_another_process(const fs::path& folder, std::size_t length) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    setenv(folder_of_child, folder.c_str(), 1);
    setenv("STRATA_TEST_LENGTH", std::string(length, 'x').c_str(), 1);
    personality(PER_LINUX);
    execl("/proc/self/exe", "strata", "programs are built for another process", nullptr);
    _exit(127);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  REQUIRE(WEXITSTATUS(status) == 0);
}

}  // namespace

TEST_CASE("programs are built for another process", "[.]") {
  const char* const folder = std::getenv(folder_of_child);
  REQUIRE(folder != nullptr);
  build(folder, {"reduced", "tiled", "scattered"});
}

TEST_CASE("the same program gives the same bytes in any order and process", "[execution]") {
  const Folder first, second, third, fourth;
  const auto files = build(first.path, {"tiled", "reduced", "scattered"});
  build(second.path, {"scattered", "tiled", "reduced"});
  require_same(files, second.path);
  build_in_another_process(third.path, 1);
  require_same(files, third.path);
  build_in_another_process(fourth.path, 12345);
  require_same(files, fourth.path);
}

}  // namespace strata::test::determinism_test
