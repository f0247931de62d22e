#include "schedule/edit/command_operand.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/expr/expr_text.h"
#include "core/expr/expr_typing.h"
#include "core/text_scanner.h"

namespace strata {

namespace {

struct Text {
  std::string operator()(const std::string& name) const {
    return name.empty() || name == "root" ? "`" + name + "`" : name;
  }
  std::string operator()(const BranchRef& branch) const { return to_string(branch); }
  std::string operator()(const LoopRef& loop) const { return to_string(loop); }
  std::string operator()(OutsideLoops) const { return "root"; }
  std::string operator()(const TileSize& size) const { return to_string(size); }
  std::string operator()(const Expr& e) const { return strata::to_text(e); }
  std::string operator()(const IslNotation& relation) const { return quoted_string(relation.text); }
  std::string operator()(Memory memory) const { return to_string(memory); }
  std::string operator()(const CommandOperand::Names& names) const {
    return fmt::format("{{{}}}", fmt::join(names, ", "));
  }
};

// Are two operand values equal? Values of different types are not.
struct Same {
  template <typename A, typename B>
  bool operator()(const A&, const B&) const {
    return false;
  }
  bool operator()(const std::string& a, const std::string& b) const { return a == b; }
  bool operator()(const BranchRef& a, const BranchRef& b) const { return a == b; }
  bool operator()(const LoopRef& a, const LoopRef& b) const { return a == b; }
  bool operator()(OutsideLoops, OutsideLoops) const { return true; }
  bool operator()(const TileSize& a, const TileSize& b) const {
    return a.number() == b.number() && a.parameter() == b.parameter();
  }
  bool operator()(const Expr& a, const Expr& b) const { return strata::same(a, b); }
  bool operator()(const IslNotation& a, const IslNotation& b) const { return a.text == b.text; }
  bool operator()(Memory a, Memory b) const { return a == b; }
  bool operator()(const CommandOperand::Names& a, const CommandOperand::Names& b) const {
    return a == b;
  }
};

}  // namespace

std::string to_string(const BranchRef& branch) {
  return branch.piece.empty() ? branch.definition : branch.definition + "." + branch.piece;
}

std::string handle_text(const BranchRef& branch) {
  return branch.definition + (branch.piece.empty() ? "" : ".piece(\"" + branch.piece + "\")");
}

std::string to_string(const LoopRef& loop) { return to_string(loop.branch()) + "." + loop.loop; }

std::string to_string(const std::optional<LoopRef>& loop) {
  return loop ? to_string(*loop) : "root";
}

CommandOperand::CommandOperand(const BranchRef& branch) : value_(branch) {
  if (branch.piece.empty()) value_ = branch.definition;
}

CommandOperand::CommandOperand(const std::optional<LoopRef>& loop) : value_(OutsideLoops{}) {
  if (loop) value_ = *loop;
}

CommandOperand::CommandOperand(const std::optional<std::string>& loop) : value_(OutsideLoops{}) {
  if (loop) value_ = *loop;
}

CommandOperand::CommandOperand(const Expr& expression)
    : value_(expression.defined() ? fitted(expression, i64).value_or(expression) : expression) {}

std::string to_text(const CommandOperand& operand) { return std::visit(Text(), operand.value()); }

bool same(const CommandOperand& a, const CommandOperand& b) {
  return std::visit(Same(), a.value(), b.value());
}

}  // namespace strata
