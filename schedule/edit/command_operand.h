// The operands of commands as values, each with one text.
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

// A loop as the author names it: S.i, the loop "i" around the definition "S".
struct LoopRef {
  std::string definition;
  std::string loop;
};
std::string to_string(const LoopRef& loop);
// Where a loop may be left out: "root" stands for outside of all.
std::string to_string(const std::optional<LoopRef>& loop);

// Outside of all loops: "root".
struct OutsideLoops {};

// A set or relation in isl's notation, as it was written.
struct IslNotation {
  std::string text;
};

class CommandOperand {
 public:
  using Names = std::vector<std::string>;
  using Value =
      std::variant<std::string, LoopRef, OutsideLoops, TileSize, Expr, IslNotation, Memory, Names>;

  CommandOperand(std::string name) : value_(std::move(name)) {}
  CommandOperand(const char* name) : value_(std::string(name)) {}
  CommandOperand(LoopRef loop) : value_(std::move(loop)) {}
  CommandOperand(const std::optional<LoopRef>& loop);
  CommandOperand(const std::optional<std::string>& loop);
  CommandOperand(OutsideLoops root) : value_(root) {}
  template <std::integral Number>
  CommandOperand(Number number) : value_(TileSize(number)) {}
  CommandOperand(TileSize size) : value_(std::move(size)) {}
  CommandOperand(const Param& size) : value_(TileSize(size)) {}
  // Taken as an int64, where that changes no value: a C++ number is an index like any other.
  CommandOperand(const Expr& expression);
  CommandOperand(IslNotation relation) : value_(std::move(relation)) {}
  CommandOperand(Memory memory) : value_(memory) {}
  CommandOperand(Names names) : value_(std::move(names)) {}

  const Value& value() const { return value_; }

 private:
  Value value_;
};

// "S.i", "root", "4", "i % 2", "{x, y}", "heap", "\"{ S[i] -> [i] }\"".  A name stands as it is,
// but for "" and for one that would read as root: between backquotes.
std::string to_text(const CommandOperand& operand);

// Equal kind and content; the owner of an expression is not compared.
bool same(const CommandOperand& a, const CommandOperand& b);

}  // namespace strata
