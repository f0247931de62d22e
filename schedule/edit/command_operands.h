// Typed access to the operands of a command that matches one of its row's forms.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "schedule/edit/command.h"

namespace strata {

// Operand n, counted from 0, must exist and have the type requested.
class CommandOperands {
 public:
  explicit CommandOperands(const Command& command) : command_(command) {}

  std::size_t size() const { return command_.operands.size(); }
  const Given& given() const { return command_.given; }

  template <typename T>
  bool is(std::size_t n) const {
    return std::holds_alternative<T>(command_.operands[n].value());
  }
  const std::string& name(std::size_t n) const { return get<std::string>(n); }
  BranchRef branch(std::size_t n) const { return is<BranchRef>(n) ? get<BranchRef>(n) : name(n); }
  const LoopRef& loop(std::size_t n) const { return get<LoopRef>(n); }
  const TileSize& tile_size(std::size_t n) const { return get<TileSize>(n); }
  std::int64_t number(std::size_t n) const { return tile_size(n).number(); }
  const Expr& index(std::size_t n) const { return get<Expr>(n); }
  const std::string& relation(std::size_t n) const { return get<IslNotation>(n).text; }
  const std::vector<std::string>& iterators(std::size_t n) const {
    return get<CommandOperand::Names>(n);
  }

  // ---- optional operands ----

  std::string name_or_empty(std::size_t n) const { return n < size() ? name(n) : ""; }
  Memory memory_or_automatic(std::size_t n) const {
    return n < size() ? get<Memory>(n) : Memory::automatic;
  }
  std::optional<LoopRef> loop_or_root(std::size_t n) const { return or_root<LoopRef>(n); }
  std::optional<std::string> name_or_root(std::size_t n) const { return or_root<std::string>(n); }

  // ---- consecutive operands of one type, from n on ----

  template <typename T>
  std::vector<T> all(std::size_t n) const {
    std::vector<T> values;
    for (; n < size() && is<T>(n); ++n) values.push_back(get<T>(n));
    return values;
  }

 private:
  template <typename T>
  const T& get(std::size_t n) const {
    return std::get<T>(command_.operands[n].value());
  }
  template <typename T>
  std::optional<T> or_root(std::size_t n) const {
    return n < size() && is<T>(n) ? std::optional(get<T>(n)) : std::nullopt;
  }

  const Command& command_;
};

}  // namespace strata
