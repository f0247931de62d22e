#include "tests/fuzz/shrink.h"

#include <algorithm>

#include "layers/define/build.h"

namespace strata::fuzz {

namespace {

const Request shrinking{"shrinking", {"shrink", 0}};

// The nodes without the branches of a definition, and without the loops that this leaves empty.
std::vector<Node> without(const std::vector<Node>& nodes, const std::string& definition) {
  std::vector<Node> left;
  for (const Node& node : nodes) {
    if (!node.is_loop()) {
      if (node.branch().definition != definition) left.push_back(node);
      continue;
    }
    Loop loop = node.loop();
    loop.body = without(loop.body, definition);
    if (!loop.body.empty()) left.push_back({std::move(loop)});
  }
  return left;
}

// The constant that replaces a value of this type.
Expr one(Type type) { return is_float(type) ? real_constant(type, 1) : constant(type, 1); }

// The program with the changed algorithm, if it is valid.
std::optional<Program> edited(const Program& program, Algorithm algorithm) {
  try {
    return completed(program, std::move(algorithm), shrinking);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

// Without one definition; its readers read the constant 1 instead.
std::optional<Program> without_definition(const Program& program, const std::string& name) {
  Algorithm algorithm = *program.algorithm;
  const Definition gone = *algorithm.find(name);
  const auto initial = gone.reduction ? gone.reduction->initial : "";
  algorithm.definitions.erase_if(
      [&](const Definition& d) { return d.name == name || d.name == initial; });
  if (algorithm.definitions.empty()) return std::nullopt;
  const bool array_stays = !algorithm.definitions_of(gone.array).empty();
  for (std::size_t n = 0; n < algorithm.definitions.size(); ++n) {
    if (!array_stays)
      edit_expressions(algorithm.definitions.edit(n), [&](const Expr& e) {
        return rewrite(e, [&](const Expr& node) {
          return node.op() == Op::access && node.name() == gone.array ? one(node.type()) : Expr();
        });
      });
  }
  algorithm.reference.roots = without(without(algorithm.reference.roots, name), initial);
  Program left = program;
  left.mapping.roots = without(without(left.mapping.roots, name), initial);
  return edited(left, std::move(algorithm));
}

// The operands that could replace the node.
std::vector<Expr> simpler(const Expr& e) {
  std::vector<Expr> all;
  for (const Expr& arg : e.args())
    if (arg.type() == e.type()) all.push_back(arg);
  return all;
}

// All versions of the value with one node replaced by an operand.
std::vector<Expr> simplified(const Expr& value) {
  std::vector<Expr> all;
  visit(value, [&](const Expr& node) {
    for (const Expr& instead : simpler(node))
      all.push_back(
          rewrite(value, [&](const Expr& e) { return same(e, node) ? instead : Expr(); }));
  });
  return all;
}

class Shrinker {
 public:
  Shrinker(Finding finding, const Compiler& compiler, int attempts)
      : best_(std::move(finding)), compiler_(compiler), attempts_left_(attempts) {}

  Finding run() {
    if (!take(best_)) return best_;
    while (drop_commands() || drop_definitions() || simplify_values()) {
    }
    return best_;
  }

 private:
  bool take(Finding candidate) {
    if (attempts_left_-- <= 0) return false;
    const auto found = replay(candidate, compiler_);
    if (!found) return false;
    best_ = std::move(candidate);
    best_.found = *found;
    return true;
  }

  bool take(std::optional<Program> start) {
    if (!start) return false;
    Finding candidate = best_;
    candidate.start = std::move(*start);
    return take(std::move(candidate));
  }

  bool drop_commands() {
    bool dropped = false;
    for (std::size_t n = best_.commands.size(); n-- > 0;) {
      Finding candidate = best_;
      candidate.commands.erase(candidate.commands.begin() + std::ptrdiff_t(n));
      dropped = take(std::move(candidate)) || dropped;
    }
    return dropped;
  }

  bool drop_definitions() {
    for (const Definition& d : best_.start.algorithm->definitions)
      if (!d.is_initial && take(without_definition(best_.start, d.name))) return true;
    return false;
  }

  bool simplify_values() {
    const Algorithm& all = *best_.start.algorithm;
    for (std::size_t n = 0; n < all.definitions.size(); ++n) {
      const Definition& d = all.definitions[n];
      if (d.is_initial || !d.value.defined() || !d.others.empty()) continue;
      for (const Expr& value : simplified(d.value)) {
        Algorithm algorithm = all;
        algorithm.definitions.edit(n).value = value;
        if (take(edited(best_.start, std::move(algorithm)))) return true;
      }
    }
    return false;
  }

  Finding best_;
  const Compiler& compiler_;
  int attempts_left_;
};

}  // namespace

Finding shrunk(Finding finding, const Compiler& compiler, int attempts) {
  return Shrinker(std::move(finding), compiler, attempts).run();
}

}  // namespace strata::fuzz
