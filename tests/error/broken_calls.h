// Calls of kernels with arbitrary arguments, and an independent rule for the code that each must
// return.
#pragma once

#include <strata/runtime.h>
#include <strata/strata.h>

#include <functional>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/error/fenced.h"

namespace strata::test {

using Numbers = std::vector<std::int64_t>;
struct Interval {
  std::int64_t lower, upper;  // lower <= i < upper
};

// The known facts about one argument of a kernel.
struct ArgumentFacts {
  std::string name;
  strata_type type;
  bool written;
  // The elements that the kernel touches, by the program's indices; empty intervals if none.
  std::function<std::vector<Interval>(const Numbers& parameters)> touched;
};

class Call;

// A kernel with an independent description of its meaning.
struct Kind {
  std::string name;
  JitFunction kernel;
  std::vector<ArgumentFacts> arguments;
  // Parameters of a valid call, including those that are read from an argument.
  std::function<Numbers(std::mt19937&)> draw;
  std::function<bool(const Numbers&)> runs;     // does any instance run?
  std::function<bool(const Numbers&)> assumed;  // the program's assumptions about its parameters
  std::size_t output = 0;                       // an argument number; its elements' bits:
  std::function<std::uint64_t(const Call&, const Numbers& index)> value;
  bool sizes_in_first = false;    // the parameters are the elements of argument 0
  std::int64_t most_element = 0;  // if not 0, random elements are below it
};

// One set of arguments. Buffer descriptions are in read-only memory; their lists of dimensions end
// at an inaccessible page.
class Call {
 public:
  Call(const Kind& kind, Fenced& memory, std::mt19937& g);

  const Kind& kind() const { return kind_; }
  strata_buffer& buffer(std::size_t a) { return *buffers_[a]; }
  const strata_buffer& buffer(std::size_t a) const { return *buffers_[a]; }
  // The dimension for an index of the program.
  strata_dimension& dimension(std::size_t a, std::size_t index);

  // The element at an index of the program, and its bits.
  const std::uint8_t* place(std::size_t a, const Numbers& index) const;
  std::uint64_t element(std::size_t a, const Numbers& index) const;

  // The parameters that the kernel uses.
  Numbers numbers() const;
  // The elements of an argument that the kernel touches.
  std::vector<Interval> touched(std::size_t a) const;
  int make() const;

  Numbers parameters;
  std::vector<strata_buffer*> pointers;  // the arguments passed

 private:
  void lay_out(std::size_t a, std::mt19937& g);
  void fill(std::size_t a, std::mt19937& g);

  const Kind& kind_;
  Fenced& memory_;
  std::vector<strata_buffer*> buffers_;
};

// The codes that strata/runtime.h permits for this call; empty if the call is valid. Nothing if
// the call looks valid to the kernel but touches elements outside "memory".
std::optional<std::set<int>> due(const Call& call, const Fenced& memory);

std::vector<Kind> kinds_of_kernels();

}  // namespace strata::test
