// One line of a log: the result of a candidate.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strata::tuning {

// All lines begin with this, and with the version of their format.
inline constexpr std::string_view record_begin = "{\"strata_tuning\": 1, ";

// The times of a kernel that ran in turn with another one.
struct Times {
  std::int64_t minimum = 0, median = 0;  // nanoseconds of a call
};

struct Record {
  // A key of everything that decides which candidates there are and how fast they run: the program
  // with its promises, the machine, the threads, the sizes, the options, and the version of the
  // rules.
  std::string key;
  // Parts of the key, for readers.
  std::string function, cpu, sizes;
  std::int64_t threads = 1;

  std::string text;  // "product of c: tiles of 6 x 32, a panel"
  std::vector<std::string> commands;
  std::string outcome;  // "measured", or the failure: "crashed", "wrong", "refused", ..
  std::string detail;   // of the failure
  Times times = {};     // all zero unless it was measured
  std::string against;  // id() of the candidate that was timed in turn with it; empty: none
  Times other = {};     // the times of that candidate
  std::int64_t samples = 0, repeated = 0;

  bool is_measured() const { return outcome == "measured"; }
  std::string id() const;  // of the commands
};

// The line, with its newline.
std::string to_line(const Record& record);
// Reads a line, without its newline. Nothing if to_line did not write it.
std::optional<Record> find_record(std::string_view line);

}  // namespace strata::tuning
