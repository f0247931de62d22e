// How tune says how far it is.
#include <catch2/catch.hpp>

#include <fcntl.h>
#include <unistd.h>

#include "tests/automatic/programs.h"
#include "tests/folder.h"
#include "tests/tuning/hooked.h"
#include "tuning/progress.h"

namespace strata::test::progress_test {

using tuning::Progress;

namespace {

// What "act" writes to standard error, which is a file meanwhile.
template <typename Act>
std::string written(Act act) {
  const Folder folder;
  const std::string path = folder / "errors";
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const int before = dup(STDERR_FILENO);
  std::fflush(stderr);
  dup2(file, STDERR_FILENO);
  act();
  std::fflush(stderr);
  dup2(before, STDERR_FILENO);
  close(before);
  close(file);
  std::string text;
  for (const std::string& line : lines_of(path)) text += line + "\n";
  return text;
}

std::string shown(TuneProgress way) {
  return written([&] {
    Progress progress("a \"b\"", way);
    progress.show({Progress::Phase::search, 0, 0, 0, 0, 59.96});
    progress.show({Progress::Phase::measurement, 1, 21, 0.0125, 0, 50});
    progress.show({Progress::Phase::measurement, 2, 21, 0.0125, 0.5, 40});
  });
}

}  // namespace

TEST_CASE("progress is a line of JSON for each candidate where there is no terminal") {
  const std::string lines =
      "{\"strata_progress\": 1, \"function\": \"a \\\"b\\\"\", \"phase\": \"search\", "
      "\"seconds_left\": 60.0}\n"
      "{\"strata_progress\": 1, \"function\": \"a \\\"b\\\"\", \"phase\": \"measurement\", "
      "\"done\": 1, \"planned\": 21, \"best_s\": 0.0125, \"seconds_left\": 50.0}\n"
      "{\"strata_progress\": 1, \"function\": \"a \\\"b\\\"\", \"phase\": \"measurement\", "
      "\"done\": 2, \"planned\": 21, \"best_s\": 0.0125, \"plain_s\": 0.5, \"seconds_left\": "
      "40.0}\n";
  CHECK(shown(TuneProgress::json) == lines);
  CHECK(shown(TuneProgress::automatic) == lines);
  CHECK(shown(TuneProgress::never).empty());
}

TEST_CASE("progress on a terminal is one line") {
  CHECK(shown(TuneProgress::line) ==
        "\r"
        "tuning a \"b\": search, 60 s left\x1b[K"
        "\r"
        "tuning a \"b\": 1 of 21, best 12.5 ms, 50 s left\x1b[K"
        "\r"
        "tuning a \"b\": 2 of 21, best 12.5 ms, 40 times as fast as it stood, 40 s left\x1b[K\n");
}

TEST_CASE("tune says how far it is from the search to the last candidate") {
  const Unscheduled program = product_of_matrices();
  Function f = program.f;
  TuneOptions options = small_product(1);
  options.progress = TuneProgress::json;
  const std::string text = written([&] { tune(f, program.arguments, options); });
  INFO(text);
  CHECK(std::count(text.begin(), text.end(), '\n') == 4);
  CHECK(text.starts_with(
      "{\"strata_progress\": 1, \"function\": \"product\", \"phase\": \"search\""));
  for (const char* const part : {"\"done\": 0, \"planned\": 2, \"seconds_left\": ",
                                 "\"done\": 1, \"planned\": 2, \"best_s\": ", "\"done\": 2"})
    CHECK(text.find(part) != std::string::npos);
}

}  // namespace strata::test::progress_test
