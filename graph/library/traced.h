// Functions of an executable as lines of C.
//
// What an instruction makes is known before it runs, but for the numbers: kinds, element types, and
// extents as dims over the function's symbols. So tuples, shapes and aliases need no code, and all
// memory is planned from the symbols.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "graph/build/kernels.h"
#include "graph/library/c_names.h"
#include "graph/vm/executable.h"

namespace strata::graph {

// An array in C.
struct CArray {
  std::string address;  // a strata_buffer *: "&r5", "x"
  std::string memory;   // its elements: "b3", "x->host"; equal exactly for the same memory
  Type element = f32;
  Shape dims = {};
  std::set<std::size_t> blocks = {};  // in which it may lie
};

struct CValue {
  enum class Kind { nothing, array, shape, integer, text, tuple, other };
  Kind kind = Kind::nothing;
  CArray array = {};
  Shape numbers = {};  // of a shape or an integer
  std::string text = {};
  std::vector<CValue> fields = {};
};

// A piece of the arena. It lives between two instructions.
struct CBlock {
  Expr bytes;  // undefined for the arena of a call
  std::int64_t first, last;
  int call = -1;    // the number of the call whose arena it is
  int result = -1;  // the result whose memory it is instead
  std::string comment = {};
};

struct CLine {
  enum class Kind { comment, statement, label, results };
  Kind kind;
  std::string text = {};
};

struct CFunction;

// A call of another function of the executable.
struct CCall {
  const CFunction* callee;
  Shape symbols;  // the values of the callee's
};

// A buffer among the parameters of a function in C, or among its results.
struct CParameter {
  std::string name;
  std::string text;  // for messages: "x, Tensor[(n, 4), float32]"
  CArray array;
};

struct CFunction {
  std::string name;                       // in the executable
  std::string c_name;                     // a part of names
  std::vector<std::string> symbols;       // in the dims
  std::vector<std::string> symbol_names;  // in C
  std::vector<bool> is_extent;            // of each symbol: then it is 0 or more
  std::map<std::string, std::int64_t> bounds;
  std::vector<CParameter> parameters = {};
  CValue result = {};
  std::vector<CParameter> results = {};
  Shape dims = {};  // with a place in the table of dims: d[0], d[1], ..; first the symbols
  std::vector<CBlock> blocks = {};
  std::vector<CCall> calls = {};
  std::vector<std::pair<std::string, std::size_t>> locals = {};  // arrays, with their ranks
  std::vector<CLine> lines = {};

  // The dim in C: a number, or a place of the table, which gets one if it has none.
  std::string c(const Expr& dim);
  // "(const int64_t[]){d[0], 4}"; "NULL" for rank 0.
  std::string extents_in_c(const Shape& shape);
};

// A kernel's function in C.
struct CKernel {
  std::string name;
  const CompiledTensors* tensors;  // the step of these makes the object
  std::size_t step;
  std::vector<std::size_t> order;  // of its parameters among TensorStep::parameters
  std::size_t buffers;
};

// What the lines are of.
struct CModel {
  std::string name;
  std::map<std::string, ModuleKernel> kernels = {};  // of the module
  std::list<ModuleKernel> chosen = {};               // other kernels
  std::vector<CKernel> called = {};                  // in C
  std::vector<NDArray> constants = {};               // "&self->c[k]"
  std::map<std::string, CFunction> functions = {};   // by their names in the executable
  std::vector<std::string> order = {};               // callees first
};

// E0601 for what C cannot do: packed functions, operators whose extents depend on data, closures,
// recursion, unknown types.
CModel traced(const CompiledModule& model, const std::string& name, const Where& where);

}  // namespace strata::graph
