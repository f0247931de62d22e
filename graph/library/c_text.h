// The texts of a model in C.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/library/traced.h"

namespace strata::graph {

// Where the constants lie in the file of weights, and its key.
struct WeightsLayout {
  std::vector<std::int64_t> offsets = {};
  std::int64_t bytes = 0;
  std::uint64_t key = 0;
};

// NAME.h and NAME.c.
std::string header_in_c(const CModel& model);
std::string source_in_c(const CModel& model, const WeightsLayout& weights);

// ---- their parts ----

// Can other programs call it? Its results are arrays and tuples of them.
bool is_public(const CFunction& f);
// "int64_t n, int64_t m"; empty without symbols.
std::string symbol_parameters(const CFunction& f);
// The declarations without a semicolon: the function itself, what gives the extents of its results,
// and what gives the bytes of its arena.
std::string prototype(const CModel& model, const CFunction& f);
std::string prototype_of_shape(const CModel& model, const CFunction& f);
std::string prototype_of_arena(const CModel& model, const CFunction& f);
// Has a result an extent?
bool has_shape(const CFunction& f);
// "strata_type_of(2, 32)"
std::string type_in_c(Type element);

// struct sizes_f and sizes_f(), which computes the dims and places blocks from the symbols.
std::string sizes_in_c(const CFunction& f);
// body_f(), the instructions.
std::string body_in_c(const CModel& model, const CFunction& f);
// What other programs call.
std::string entries_in_c(const CModel& model, const CFunction& f);

// The offset of a block in C, and the size of all of them.
struct CPlan {
  std::vector<std::string> offsets = {};  // empty for a block in the memory of a result
  std::vector<std::size_t> planned = {};  // blocks that are placed when the program runs
  std::string bytes = "0";
};
CPlan plan_of(const CFunction& f);

// The line, broken after commas where it would have more than 100 columns.
std::string wrapped(const std::string& line, std::size_t indent);

}  // namespace strata::graph
