// Generators: their command line, and what they write.
#include "strata/generator.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "tests/error/stderr_of.h"
#include "tests/folder.h"

namespace strata::test::generator_test {

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A generator with a parameter of each kind, and what its schedule saw.
struct Called {
  int status = 0;
  std::string said;
  std::int64_t tile = 0;
  double weight = 0;
  bool unrolled = false;
  std::string order;
  std::vector<std::int64_t> lanes;  // of machine() and of the machine given, for each target
};

Scheduled scaled(std::int64_t tile) {
  Function f("scaled");
  Param N = f.param("N");
  Var i("i", 0, N), outer("outer"), inner("inner");
  Input in = f.input("in", f32, {N});
  Computation out = f.computation("out", {i}, in(i) * 2.0f);
  out.split(i, tile, outer, inner);
  return {f, {in.buffer(), out.buffer()}};
}

Called call(std::vector<std::string> arguments) {
  Called called;
  Generator generator;
  const auto tile = generator.parameter("tile", 16, "iterations of a tile");
  const auto weight = generator.parameter("weight", 0.5, "of the middle");
  const auto unrolled = generator.parameter("unrolled", false, "no loop inside");
  const auto order = generator.choice("order", {"rows", "columns"}, "what comes first");
  arguments.insert(arguments.begin(), "a_generator");
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  called.said = stderr_of([&] {
    called.status =
        generator.main(static_cast<int>(argv.size()), argv.data(), [&](const Machine& m) {
          called.tile = *tile;
          called.weight = *weight;
          called.unrolled = *unrolled;
          called.order = *order;
          called.lanes.push_back(m.lanes(f32));
          called.lanes.push_back(machine().lanes(f32));
          return scaled(*tile);
        });
  });
  return called;
}

// Two stages that both have commands; the second is stored in the buffer of an input.
Scheduled two_stages(bool late) {
  Function f("two_stages");
  Param N = f.param("N");
  Var i("i", 0, N);
  Input in = f.input("in", f32, {N}), state = f.input("state", f32, {N});
  Computation half = f.computation("half", {i}, in(i) * 0.5f);
  if (late) half.parallelize(i);
  Computation out = f.computation("out", {i}, half(i) + state(i));
  out.split(i, 3, Var("i0"), Var("i1"));
  out.store_in(state.buffer());
  return {f, {in.buffer(), state.buffer()}, {{"N", 4000}}};
}

Called call_two_stages(const Folder& folder, bool late, const std::string& schedule) {
  Called called;
  std::vector<std::string> words{"two_stages_generator", folder.path, "outputs=loops",
                                 "schedule=" + schedule};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  called.said = stderr_of([&] {
    called.status = Generator().main(int(argv.size()), argv.data(),
                                     [&](const Machine&) { return two_stages(late); });
  });
  return called;
}

TEST_CASE("a generator takes the commands of autoschedule in place of its own", "[generator]") {
  const Folder folder;
  const auto commands = [&](const std::string& schedule) {
    CHECK(call_two_stages(folder, false, schedule).said == "");
    const std::string text = read_file(folder.path / "two_stages.txt");
    return text.substr(0, text.find("loops:"));
  };
  CHECK(commands("author") == "commands:\n  split(out.i, 3, i0, i1)\n  store_in(out, state, i)\n");
  const std::string automatic = commands("automatic");
  CHECK(automatic.find("commands:\n  store_in(out, state, i)\n  together {\n") == 0);
  CHECK(automatic.find("vectorize(out.") != std::string::npos);
  CHECK(automatic.find("split(out.i, 3") == std::string::npos);
}

TEST_CASE("a generator says why it cannot leave out the author's commands", "[generator]") {
  const Folder folder;
  const Called late = call_two_stages(folder, true, "automatic");
  CHECK(late.status == 1);
  CHECK(late.said.find("error E0106") == 0);
  CHECK(late.said.find("out is computed by a definition that follows a command") !=
        std::string::npos);
  const Called wrong = call_two_stages(folder, false, "by hand");
  CHECK(wrong.status == 2);
  CHECK(wrong.said.find("schedule=by hand: schedule is author or automatic\n") == 0);
}

TEST_CASE("a generator has the values of its command line, or its defaults", "[generator]") {
  const Folder folder;
  const Called defaults = call({folder.path});
  CHECK(defaults.said == "");
  CHECK(defaults.status == 0);
  CHECK(defaults.tile == 16);
  CHECK(defaults.weight == 0.5);
  CHECK(!defaults.unrolled);
  CHECK(defaults.order == "rows");
  CHECK(std::filesystem::exists(folder.path / "scaled.o"));
  CHECK(read_file(folder.path / "scaled.h").find("int scaled(") != std::string::npos);
  CHECK(!std::filesystem::exists(folder.path / "scaled.s"));
  CHECK(!std::filesystem::exists(folder.path / "scaled.txt"));

  const Called given = call({folder.path, "order=columns", "tile=-3", "weight=-1e-3",
                             "unrolled=yes", "tile=8", "outputs=loops,assembly,html"});
  CHECK(given.status == 0);
  CHECK(given.tile == 8);
  CHECK(given.weight == -1e-3);
  CHECK(given.unrolled);
  CHECK(given.order == "columns");
  CHECK(read_file(folder.path / "scaled.txt").find("split(out.i, 8, outer, inner)") !=
        std::string::npos);
  CHECK(read_file(folder.path / "scaled.s").find("scaled:") != std::string::npos);
  CHECK(read_file(folder.path / "scaled.html").find("<h1>scaled</h1>") != std::string::npos);
}

TEST_CASE("a generator writes a page for each target of a list", "[generator][halide]") {
  const Folder folder;
  CHECK(call({folder.path, "target=x86-64-v3,x86-64-v4", "outputs=html"}).status == 0);
  CHECK(std::filesystem::exists(folder.path / "scaled.x86-64-v3.html"));
  CHECK(std::filesystem::exists(folder.path / "scaled.x86-64-v4.html"));
}

TEST_CASE("a generator's schedule is made for each target, which machine() is meanwhile",
          "[generator]") {
  const Folder folder;
  CHECK(call({folder.path, "target=x86-64"}).lanes == std::vector<std::int64_t>{4, 4});
  CHECK(call({folder.path, "target=x86-64-v3,x86-64-v4"}).lanes ==
        std::vector<std::int64_t>{8, 8, 16, 16});
  CHECK(machine("host").lanes(f32) == machine().lanes(f32));
}

TEST_CASE("a wrong command line is explained, and nothing is written", "[generator]") {
  const std::string usage = R"(usage: a_generator FOLDER [NAME=VALUE]..
  tile=16              iterations of a tile (an integer)
  weight=0.5           of the middle (a number)
  unrolled=no          no loop inside (yes or no)
  order=rows           what comes first (rows, columns)
  target=host          the machine, or a list of CPUs
  schedule=author      or automatic: the algorithm, scheduled by itself
  outputs=             also assembly, loops, html
)";
  const Folder folder;
  const std::string to = folder.path;
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
      {{}, "the folder to write to is missing"},
      {{"tile=3"}, "the folder to write to is missing"},
      {{to, "tile"}, "'tile' is not NAME=VALUE"},
      {{to, "tiles=3"}, "there is no parameter tiles"},
      {{to, "tile=3.5"}, "tile=3.5: tile is an integer"},
      {{to, "tile="}, "tile=: tile is an integer"},
      {{to, "tile=99999999999999999999"}, "tile=99999999999999999999: tile is an integer"},
      {{to, "tile= 3"}, "tile= 3: tile is an integer"},
      {{to, "weight=heavy"}, "weight=heavy: weight is a number"},
      {{to, "unrolled=1"}, "unrolled=1: unrolled is yes or no"},
      {{to, "order=diagonals"}, "order=diagonals: order is rows, columns"},
      {{to, "outputs=pictures"}, "outputs=pictures: 'pictures' is none of assembly, loops, html"}};
  for (const auto& [arguments, reason] : wrong) {
    const Called called = call(arguments);
    CHECK(called.status == 2);
    CHECK(called.said == reason + "\n" + usage);
    CHECK(called.lanes.empty());
  }
  CHECK(std::filesystem::is_empty(folder.path));
}

TEST_CASE("errors of the schedule are told, and the status is 1", "[generator]") {
  const Folder folder;
  const Called called = call({folder.path, "tile=0"});
  CHECK(called.status == 1);
  CHECK(called.said.find("split(") != std::string::npos);
  for (const char* outputs : {"outputs=", "outputs=loops", "outputs=html"}) {
    const Called unwritten = call({"/nowhere", outputs});
    CHECK(unwritten.status == 1);
    CHECK(unwritten.said.find("error E0503 cannot write file") != std::string::npos);
  }
  CHECK(call({"/nowhere", "target=i486"}).said.find("error E0501 unknown target") !=
        std::string::npos);
}

TEST_CASE("machine() has the GPU of a target, and STRATA_MACHINE is restored", "[generator]") {
  const Folder folder;
  std::int64_t shared = 0;
  const auto run = [&](std::string target) {
    std::string name = "a_generator", to = folder.path;
    char* argv[] = {name.data(), to.data(), target.data()};
    return stderr_of([&] {
      Generator().main(3, argv, [&](const Machine&) -> Scheduled {
        shared = machine().device.shared_bytes;
        throw std::runtime_error("no schedule");
      });
    });
  };
  CHECK(run("target=znver4-cuda-sm_90") == "no schedule\n");
  CHECK(shared == 232448);
  CHECK(std::getenv("STRATA_MACHINE") == nullptr);
  run("target=host-cuda-sm_120");
  CHECK(shared == 101376);
  CHECK(std::getenv("STRATA_MACHINE") == nullptr);
  ::setenv("STRATA_MACHINE", "haswell", 1);
  run("target=host-cuda-sm_75");
  CHECK(shared == 65536);
  run("target=znver4-cuda-sm_80");
  CHECK(shared == 166912);
  CHECK(std::string(std::getenv("STRATA_MACHINE")) == "haswell");
  // The GPU of a machine's file, too.
  std::ofstream(folder.path / "server.machine") << to_text(machine("znver4-cuda-sm_75"));
  ::setenv("STRATA_MACHINE", (folder / "server.machine").c_str(), 1);
  run("target=host");
  ::unsetenv("STRATA_MACHINE");
  CHECK(shared == 65536);
}

TEST_CASE("parameters have names of their own, and main tells the first error", "[generator]") {
  const auto said_of = [](const auto& define) {
    Generator generator;
    generator.parameter("tile", 1, "");
    define(generator);
    std::string name = "a_generator";
    char* argv[] = {name.data()};
    return stderr_of([&] { generator.main(1, argv, [](const Machine&) { return scaled(1); }); })
        .substr(0, 11);
  };
  CHECK(said_of([](Generator& g) { g.parameter("tile", 2, ""); }) == "error E0104");
  CHECK(said_of([](Generator& g) { g.parameter("target", 2, ""); }) == "error E0104");
  CHECK(said_of([](Generator& g) { g.parameter("a=b", 2, ""); }) == "error E0105");
  CHECK(said_of([](Generator& g) { g.choice("one", {}, ""); }) == "error E0106");
  CHECK(said_of([](Generator& g) { g.parameter("n", ~0ull, ""); }) == "error E0106");
  CHECK(said_of([](Generator& g) { g.parameter("n", 3u, ""); }) == "the folder ");
}

}  // namespace strata::test::generator_test
