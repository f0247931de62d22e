// A CUDA driver without a GPU: it counts and writes down what it is asked, and fails where it is
// told. With STRATA_TEST_CUDA in the environment it executes launches, too
// (emulator/launch.h), and prints to stderr what a launch must not do. A test finds the record by
// the function "recording_of_driver" of the library.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

struct Recording {
  // What fails. Counts are of calls from here on: 1 is the next one, 0 none.
  int devices = 1;
  int allocations_left = -1;  // before all fail; -1: none does
  int failing_copy_to_device = 0, failing_copy_to_host = 0;
  int failing_load = 0, failing_launch = 0, failing_synchronize = 0;
  int failing_question = 0;      // for shared memory
  int most_shared = 227 * 1024;  // bytes of a block, of which more than 48 KiB must be asked for
  void* owner = nullptr;         // the context that any pointer is said to belong to; null: unknown
  // What a launch writes to the memory of its second argument; 0: nothing.
  std::int64_t written = 0;

  // What was asked.
  std::vector<std::string> calls;             // "launch NAME", "to_device BYTES", ..
  std::map<std::string, int> shared;          // bytes asked for, by the function
  std::set<std::uint64_t> memory;             // allocated, and not freed
  std::vector<int> devices_used;              // of contexts made
  std::vector<void*> streams;                 // of launches
  std::vector<int> primary;                   // the device whose primary context each had; or -1
  std::vector<std::uint64_t> last_arguments;  // of the last launch: the first 8 bytes of each
  std::string last_text;                      // loaded
};

extern "C" {
Recording* recording_of_driver();

// The same for tests in Python. "launch NAME" is followed by " device D stream S arguments A B
// ..", D as in "primary", and the rest as unsigned numbers.
const char* recorded_calls();              // one a line, those since the last time
void fail_at(const char* what, int call);  // "launch", "synchronize"; 1 is the next one
void set_devices(int count);
void set_owner(int device);  // the context that pointers are said to belong to; -1: unknown
}
