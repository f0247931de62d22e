// The operands of commands as values with a textual form.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/expr/expr.h"
#include "core/expr/tile_size.h"
#include "layers/memory.h"

namespace strata {

// A branch as the author names it: S, the only branch of definition S, or S.head, one of its pieces
// (Branch::piece).
struct BranchRef {
  BranchRef(const char* definition) : definition(definition) {}
  BranchRef(std::string definition, std::string piece = "")
      : definition(std::move(definition)), piece(std::move(piece)) {}
  bool operator==(const BranchRef&) const = default;

  std::string definition;
  std::string piece;
};
std::string to_string(const BranchRef& branch);
std::string handle_text(const BranchRef& branch);  // in C++: S.piece("head")

// A loop as the author names it: S.i, the loop "i" around the definition "S", or S.head.i, the loop
// "i" around its piece "head".
struct LoopRef {
  std::string definition;
  std::string loop;
  std::string piece = {};

  BranchRef branch() const { return {definition, piece}; }
  bool operator==(const LoopRef&) const = default;
};
std::string to_string(const LoopRef& loop);
// For an optional loop: std::nullopt is "root", outside all loops.
std::string to_string(const std::optional<LoopRef>& loop);

// Outside all loops: "root".
struct OutsideLoops {};

// A set or relation in isl's notation, as the author wrote it.
struct IslNotation {
  std::string text;
};

class CommandOperand {
 public:
  using Names = std::vector<std::string>;
  using Value = std::variant<std::string, BranchRef, LoopRef, OutsideLoops, TileSize, Expr,
                             IslNotation, Memory, Names>;

  CommandOperand(std::string name) : value_(std::move(name)) {}
  CommandOperand(const char* name) : value_(std::string(name)) {}
  // A name if the branch is not a piece.
  CommandOperand(const BranchRef& branch);
  CommandOperand(LoopRef loop) : value_(std::move(loop)) {}
  CommandOperand(const std::optional<LoopRef>& loop);
  CommandOperand(const std::optional<std::string>& loop);
  CommandOperand(OutsideLoops root) : value_(root) {}
  template <std::integral Number>
  CommandOperand(Number number) : value_(TileSize(number)) {}
  CommandOperand(TileSize size) : value_(std::move(size)) {}
  CommandOperand(const Param& size) : value_(TileSize(size)) {}
  // Converted to int64 if that preserves all values: a C++ number is an index like any other.
  CommandOperand(const Expr& expression);
  CommandOperand(IslNotation relation) : value_(std::move(relation)) {}
  CommandOperand(Memory memory) : value_(memory) {}
  CommandOperand(Names names) : value_(std::move(names)) {}

  const Value& value() const { return value_; }

 private:
  Value value_;
};

// "S.i", "root", "4", "i % 2", "{x, y}", "heap", "\"{ S[i] -> [i] }\"". Names are printed as they
// are, except the empty name and the name root, which get backquotes.
std::string to_text(const CommandOperand& operand);

// Same kind and content; owners of expressions are not compared.
bool same(const CommandOperand& a, const CommandOperand& b);

}  // namespace strata
