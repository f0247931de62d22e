#include <fmt/format.h>

#include <algorithm>

#include "codegen/entry/c_literals.h"
#include "graph/library/c_text.h"
#include "graph/vm/arena.h"

namespace strata::graph {

namespace {

// A dim computed from the symbols, which are the first places of the table.
std::string computed(const CFunction& f, const Expr& e) {
  if (e.op() == Op::constant) return std::to_string(e.node().integer);
  if (e.op() == Op::parameter) {
    const auto found = std::find(f.symbols.begin(), f.symbols.end(), e.name());
    return fmt::format("d[{}]", found - f.symbols.begin());
  }
  static const std::map<Op, std::string> names = {
      {Op::add, "add"}, {Op::sub, "sub"}, {Op::mul, "mul"}, {Op::div, "div"}, {Op::mod, "mod"}};
  const std::string x = computed(f, e.args()[0]);
  if (e.op() == Op::negate) return fmt::format("strata_dim_sub(0, {}, &beyond)", x);
  if (e.op() == Op::abs)
    return fmt::format("strata_dim_max({0}, strata_dim_sub(0, {0}, &beyond))", x);
  const std::string y = computed(f, e.args()[1]);
  if (e.op() == Op::min) return fmt::format("strata_dim_min({}, {})", x, y);
  if (e.op() == Op::max) return fmt::format("strata_dim_max({}, {})", x, y);
  return fmt::format("strata_dim_{}({}, {}, &beyond)", names.at(e.op()), x, y);
}

std::string struct_of(const CFunction& f, const CPlan& plan) {
  std::string text = fmt::format(
      "/* What follows from the symbols of @{0}: dims, and offsets of blocks in the arena. */\n"
      "struct sizes_{1} {{\n  int64_t d[{2}];\n",
      in_comment(f.name), f.c_name, std::max<std::size_t>(f.dims.size(), 1));
  if (!plan.planned.empty()) text += fmt::format("  int64_t o[{}];\n", plan.planned.size());
  text += "  int64_t arena;\n";
  for (std::size_t k = 0; k < f.calls.size(); ++k)
    text += fmt::format("  struct sizes_{} call{};\n", f.calls[k].callee->c_name, k);
  return text + "};\n\n";
}

std::string dims_of(const CFunction& f) {
  std::string text;
  for (std::size_t k = 0; k < f.dims.size(); ++k) {
    const std::string value = k < f.symbols.size() ? f.symbol_names[k] : computed(f, f.dims[k]);
    text += fmt::format("  z->d[{}] = {}; /* {} */\n", k, value, in_comment(dim_text(f.dims[k])));
  }
  return text;
}

std::string calls_of(const CFunction& f) {
  std::string text;
  for (std::size_t k = 0; k < f.calls.size(); ++k) {
    CFunction own = f;
    std::string list;
    for (const Expr& symbol : f.calls[k].symbols) list += ", " + own.c(symbol);
    text += wrapped(fmt::format("  if ((error = sizes_{}(&z->call{}{})) != 0) return error;",
                                f.calls[k].callee->c_name, k, list),
                    6) +
            "\n";
  }
  return text;
}

// The blocks that are placed when the program runs.
std::string placing(const CFunction& f, const CPlan& plan) {
  CFunction own = f;
  std::string bytes, lives;
  for (const std::size_t k : plan.planned) {
    const CBlock& block = f.blocks[k];
    const std::string comma = bytes.empty() ? "" : ", ";
    bytes +=
        comma + (block.call < 0 ? own.c(block.bytes) : fmt::format("z->call{}.arena", block.call));
    lives += comma + fmt::format("{}, {}", block.first, block.last);
  }
  const std::size_t count = plan.planned.size();
  return wrapped(fmt::format("  const int64_t bytes[] = {{{}}};", bytes), 6) + "\n" +
         wrapped(fmt::format("  static const int64_t lives[] = {{{}}};", lives), 6) + "\n" +
         fmt::format(
             "  int32_t scratch[{}];\n"
             "  z->arena = strata_plan_blocks({}, bytes, lives, z->o, scratch);\n"
             "  return z->arena < 0 ? strata_bad_extents(\"@{}\") : 0;\n",
             2 * count, count, f.c_name);
}

}  // namespace

CPlan plan_of(const CFunction& f) {
  CPlan plan;
  std::vector<ArenaArray> arrays;
  bool is_constant = true;
  for (const CBlock& block : f.blocks) {
    if (block.result >= 0) continue;
    const auto bytes = block.call < 0 ? constant_dim(block.bytes) : std::nullopt;
    is_constant = is_constant && bytes;
    arrays.push_back({bytes.value_or(0), block.first, block.last});
  }
  const Arena arena = is_constant ? arena_of(arrays) : Arena();
  std::size_t next = 0;
  for (std::size_t k = 0; k < f.blocks.size(); ++k) {
    const bool is_in_arena = f.blocks[k].result < 0;
    plan.offsets.push_back(!is_in_arena  ? ""
                           : is_constant ? std::to_string(arena.offsets[next])
                                         : fmt::format("z->o[{}]", next));
    if (is_in_arena && !is_constant) plan.planned.push_back(k);
    next += is_in_arena ? 1 : 0;
  }
  plan.bytes = std::to_string(arena.bytes);
  return plan;
}

std::string sizes_in_c(const CFunction& f) {
  const CPlan plan = plan_of(f);
  std::string text = struct_of(f, plan);
  text += wrapped(fmt::format("static int sizes_{0}(struct sizes_{0}* z{1}{2}) {{", f.c_name,
                              f.symbols.empty() ? "" : ", ", symbol_parameters(f)),
                  4) +
          "\n";
  text += "  const int64_t* const d = z->d;\n  int beyond = 0;\n  (void)d;\n";
  if (!f.calls.empty()) text += "  int error = 0;\n";
  text += dims_of(f) +
          fmt::format("  if (beyond) return strata_bad_extents(\"@{}\");\n", f.c_name) +
          calls_of(f);
  if (plan.planned.empty())
    text += fmt::format("  z->arena = {};\n  return 0;\n", plan.bytes);
  else
    text += placing(f, plan);
  return text + "}\n\n";
}

}  // namespace strata::graph
