// strata_fuzz [--seconds S] [--programs P] [--seed X] [--machine PERCENT] [--cases FOLDER]
//             [--c PERCENT] [--case-timeout S] [--first PROGRAM] [--verbose 1]
//             [--device PERCENT] [--ptx FOLDER] [--autoschedule PERCENT]
//
// Draws programs and commands and compares the library with the judges, for S seconds or P
// programs; for ten seconds if neither is given. Prints each finding, a table of what was drawn,
// and one line of totals. Exit status 0 only if nothing illegal was accepted and nothing computed
// wrongly; 2 if FOLDER, where findings are written, does not exist and cannot be made. Only
// --case-timeout limits the time of a case: after S seconds it is interrupted, and if it has not
// ended after 4 S, the run ends with status 3.
//
// --machine is the share of programs whose kernels run as machine code, --c the share of these
// kernels that the C back end compiles.
//
// --device draws only the programs for a GPU, which are the same without it. A part of the kernels
// with launches runs on the device at hand: OpenCL's, or with STRATA_TEST_CUDA that of CUDA, which
// is a GPU or the emulator.  --ptx draws the same programs, and writes all kernels with launches,
// with their programs, as objects for CUDA into FOLDER.
//
// --autoschedule is the share of programs that schedule themselves (autoscheduled.h), instead of by
// commands that are drawn.
#include <fmt/format.h>

#include <unistd.h>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include "tests/fuzz/fuzz_case.h"
#include "tests/fuzz/machine.h"
#include "tests/fuzz/shrink.h"

using namespace strata;
using namespace strata::fuzz;

namespace {

constexpr double seconds_between_totals = 30;
volatile std::uint64_t current_seed = 0;

volatile std::sig_atomic_t alarms = 0;
volatile unsigned case_timeout = 0;  // seconds; 0: unlimited

extern "C" void out_of_time(int) {
  if (alarms == 0) {
    alarms = 1;
    interrupt_case();
    alarm(3 * case_timeout);
    return;
  }
  char text[64] = "case timed out: program ";
  std::size_t end = std::strlen(text);
  char digits[24];
  std::size_t count = 0;
  for (std::uint64_t left = current_seed; count == 0 || left != 0; left /= 10)
    digits[count++] = char('0' + left % 10);
  while (count != 0) text[end++] = digits[--count];
  text[end++] = '\n';
  (void)!write(2, text, end);
  _exit(3);
}

struct Arguments {
  std::optional<double> seconds;
  std::optional<std::int64_t> programs;
  std::uint64_t seed = 1;
  std::int64_t machine = 15, by_c = 12, autoschedule = 0;
  std::optional<std::int64_t> device;
  std::string cases, ptx;  // folders
  bool verbose = false;
  std::optional<std::uint64_t> first;  // the number of the first program, as printed with findings
};

Arguments arguments_of(int count, char** words) {
  std::map<std::string, std::string> given;
  for (int n = 1; n + 1 < count; n += 2) given[words[n]] = words[n + 1];
  Arguments arguments;
  for (const auto& [name, value] : given) {
    if (name == "--seconds")
      arguments.seconds = std::stod(value);
    else if (name == "--seed")
      arguments.seed = std::stoull(value);
    else if (name == "--programs")
      arguments.programs = std::stoll(value);
    else if (name == "--case-timeout")
      case_timeout = unsigned(std::stoul(value));
    else if (name == "--machine")
      arguments.machine = std::stoll(value);
    else if (name == "--autoschedule")
      arguments.autoschedule = std::stoll(value);
    else if (name == "--c")
      arguments.by_c = std::stoll(value);
    else if (name == "--device")
      arguments.device = std::stoll(value);
    else if (name == "--verbose")
      arguments.verbose = value != "0";
    else if (name == "--first")
      arguments.first = std::stoull(value);
    else if (name == "--cases")
      arguments.cases = value;
    else if (name == "--ptx")
      arguments.ptx = value;
    else
      throw std::runtime_error("unknown option " + name);
  }
  if (!arguments.seconds && !arguments.programs) arguments.seconds = 10;
  return arguments;
}

// Prints the finding, shrinks it, and prints its program or writes it into the folder, if given.
void report(Finding finding, const Arguments& arguments, const Compiler& compiler) {
  fmt::print("{}, program {}, {}: {}\n", to_string(finding.found.kind), finding.seed,
             finding.found.name, finding.found.what);
  std::fflush(stdout);
  if (finding.found.kind == FindingKind::false_refusal && arguments.cases.empty()) return;
  alarms = 1;
  alarm(20 * case_timeout);
  finding = shrunk(std::move(finding), compiler);
  const std::string text = to_text(finding);
  if (arguments.cases.empty()) {
    fmt::print("{}\n", text);
    return;
  }
  const std::string name = fmt::format("{}/{}.strata", arguments.cases, finding.seed);
  std::ofstream file(name);
  file << text << std::flush;
  if (file)
    fmt::print("  written to {}\n", name);
  else
    fmt::print("  cannot be written to {}\n{}\n", name, text);
}

// Makes the folder if needed; false if one is given and cannot be made.
bool has_folder(const std::string& folder) {
  if (folder.empty()) return true;
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (std::filesystem::is_directory(folder, failure)) return true;
  fmt::print(stderr, "the folder {} cannot be made\n", folder);
  return false;
}

// What runs the kernels, and the share of them in percent.
void set_compiler(const Arguments& arguments, Options& options) {
  options.compiler = !arguments.ptx.empty() ? ptx_objects(arguments.ptx)
                     : arguments.device     ? Compiler(device_code)
                                            : machine_code(int(arguments.by_c));
  options.percent_by_machine =
      !arguments.ptx.empty() ? 100 : arguments.device.value_or(arguments.machine);
}

}  // namespace

int main(int count, char** words) {
  const Arguments arguments = arguments_of(count, words);
  if (!has_folder(arguments.cases) || !has_folder(arguments.ptx)) return 2;
  Options options;
  set_compiler(arguments, options);
  options.percent_autoscheduled = arguments.autoschedule;
  const bool only_for_gpu = arguments.device || !arguments.ptx.empty();
  if (arguments.verbose)
    options.on_command = [](const std::string& command) {
      fmt::print("  {}\n", command);
      std::fflush(stdout);
    };
  std::signal(SIGALRM, out_of_time);
  Statistics statistics;
  const auto start = std::chrono::steady_clock::now();
  const auto spent = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  double told = 0;
  const std::uint64_t first = arguments.first ? *arguments.first : arguments.seed << 32;
  const auto is_over = [&] {
    return (arguments.seconds && spent() >= *arguments.seconds) ||
           (arguments.programs && statistics.programs >= *arguments.programs);
  };
  for (std::uint64_t seed = first; !is_over(); ++seed) {
    if (only_for_gpu && hardware_of(seed) != Hardware::gpu) continue;
    current_seed = seed;
    alarms = 0;
    alarm(case_timeout);
    for (const Finding& finding : run_case(seed, options, statistics))
      report(finding, arguments, options.compiler);
    if (spent() - told < seconds_between_totals) continue;
    told = spent();
    fmt::print("so far: {}\n", last_line(statistics, arguments.seed));
    std::fflush(stdout);
  }
  alarm(0);
  fmt::print("{}{}\n", table(statistics), last_line(statistics, arguments.seed));
  return statistics.mismatches == 0 && statistics.illegal_accepted == 0 ? 0 : 1;
}
