// Hand-built kernels, and arrays to call them with.
#pragma once

#include <strata/buffer.h>

#include <string>
#include <vector>

#include "driver/jit_kernel.h"

namespace strata::test {

inline Expr v(const std::string& name) { return variable(name); }
inline Expr p(const std::string& name) { return parameter(name); }
inline Expr n(std::int64_t value) { return constant(i64, value); }

inline StmtPtr loop(const std::string& name, Expr lower, Expr upper, StmtPtr body,
                    Processor processor = Processor::sequential) {
  For out{{name, processor}, name, lower, upper, std::nullopt, std::move(body)};
  if (lower.op() == Op::constant && upper.op() == Op::constant)
    out.extent = upper.node().integer - lower.node().integer;
  return make_stmt(out);
}

// A loop of constant extent, starting at an expression.
inline StmtPtr steps(const std::string& name, Expr lower, std::int64_t extent, StmtPtr body,
                     Processor processor = Processor::sequential) {
  return make_stmt(For{{name, processor}, name, lower, lower + n(extent), extent, std::move(body)});
}

inline StmtPtr store(const std::string& buffer, std::vector<Expr> indices, Expr value) {
  return make_stmt(Execute{"S", {}, buffer, std::move(indices), std::move(value)});
}

inline StmtPtr block(std::vector<StmtPtr> body) { return make_stmt(Block{std::move(body)}); }

inline ArgumentBuffer argument(const std::string& name, Type type, Access access,
                               std::vector<Expr> extents) {
  ArgumentBuffer out{name, type, access, {}, extents};
  for (std::size_t d = 0; d < extents.size(); ++d) out.lowers.push_back(n(0));
  return out;
}

inline Kernel kernel(const std::string& name, std::vector<std::string> parameters,
                     std::vector<ArgumentBuffer> buffers, StmtPtr body,
                     Floats mode = Floats::exact) {
  Kernel out;
  out.name = name;
  out.parameters = std::move(parameters);
  out.buffers = std::move(buffers);
  out.floats = mode;
  out.body = std::move(body);
  return out;
}

}  // namespace strata::test
