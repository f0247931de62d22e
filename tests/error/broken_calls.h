// Calls of kernels with arguments of any kind, and an independent rule of what each must return.
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

// What the author of a kernel knows of one of its arguments.
struct ArgumentFacts {
  std::string name;
  strata_type type;
  bool written;
  // The elements that the kernel touches, by the program's indices, if it touches any.
  std::function<std::vector<Interval>(const Numbers& parameters)> touched;
};

class Call;

// A kernel, and its meaning in plain terms.
struct Kind {
  std::string name;
  JitFunction kernel;
  std::vector<ArgumentFacts> arguments;
  // Parameters of a well-made call, those that are read from an argument included.
  std::function<Numbers(std::mt19937&)> draw;
  std::function<bool(const Numbers&)> runs;     // does any instance run?
  std::function<bool(const Numbers&)> assumed;  // what the program assumes of its parameters
  std::size_t output = 0;                       // an argument; and the bits of an element of it
  std::function<std::uint64_t(const Call&, const Numbers& index)> value;
  bool sizes_in_first = false;    // the parameters are the elements of argument 0
  std::int64_t most_element = 0;  // elements drawn are below it, where it is not 0
};

// One set of arguments.  Descriptions lie in memory that may only be read, their lists of
// dimensions before a page that may not even be read.
class Call {
 public:
  Call(const Kind& kind, Fenced& memory, std::mt19937& g);

  const Kind& kind() const { return kind_; }
  strata_buffer& buffer(std::size_t a) { return *buffers_[a]; }
  const strata_buffer& buffer(std::size_t a) const { return *buffers_[a]; }
  // Dimension of an index of the program.
  strata_dimension& dimension(std::size_t a, std::size_t index);

  // The element at an index of the program, and its bits.
  const std::uint8_t* place(std::size_t a, const Numbers& index) const;
  std::uint64_t element(std::size_t a, const Numbers& index) const;

  // The parameters that the kernel goes by.
  Numbers numbers() const;
  // Elements that the kernel touches of an argument; nothing where it touches none.
  std::vector<Interval> touched(std::size_t a) const;
  int make() const;

  Numbers parameters;
  std::vector<strata_buffer*> pointers;  // what is passed

 private:
  void lay_out(std::size_t a, std::mt19937& g);
  void fill(std::size_t a, std::mt19937& g);

  const Kind& kind_;
  Fenced& memory_;
  std::vector<strata_buffer*> buffers_;
};

// The codes of which strata/runtime.h promises one; none where the call is good.  Nothing of a call
// that is good as far as a kernel can see, but touches what is not in "memory".
std::optional<std::set<int>> due(const Call& call, const Fenced& memory);

std::vector<Kind> kinds_of_kernels();

}  // namespace strata::test
