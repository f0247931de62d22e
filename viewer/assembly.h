// The inner loops of machine code, and which loops of the tree they are.
//
// Halide calls the block in which a loop over v begins "N_for_step.v", N being another number for
// each loop, and LLVM keeps that name, with suffixes where it copies a block; comments say which
// blocks an inner loop has. So it is in PTX, which is a text in the data of the host's code.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace strata::viewer {

struct AssemblyLoop {
  std::string function;  // the label of the function that it is in
  std::string block;     // the name of its first block, or the label of a block without a name
  std::vector<std::string> lines;
  // The variable of its loop in the tree, as the block says; empty if it does not.
  std::string variable;
};

// In the order of the text.
std::vector<AssemblyLoop> inner_loops(const std::string& assembly);

}  // namespace strata::viewer
