// Axes of reductions, and their names.
//
// An expression knows its iterators by their names, but two axes of one name differ. So an axis is
// called k'7 until a compute binds it. There it is called k, or k_1 if k is taken.
#include <atomic>
#include <cctype>
#include <map>
#include <set>

#include "core/expr/expr_parts.h"
#include "graph/tensor/checks.h"
#include "graph/tensor/tensor.h"

namespace strata::graph {

Axis reduce_axis(const Expr& lower, const Expr& upper, const std::string& name) {
  static std::atomic<std::int64_t> next{0};
  return Var(name + "'" + std::to_string(next++), lower, upper);
}

namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }
bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

}  // namespace

std::string author_text(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    while (text[at] == '\'' && end < text.size() && is_digit(text[end])) ++end;
    const bool has_number = end > at + 1 && at > 0 && is_of_name(text[at - 1]);
    if (!has_number) {
      result += text[at++];
      continue;
    }
    // Texts put names that are not identifiers in back quotes. The author's name needs none.
    const std::size_t quote = result.rfind('`');
    if (quote != std::string::npos && end < text.size() && text[end] == '`') {
      result.erase(quote, 1);
      ++end;
    }
    at = end;
  }
  return result;
}

namespace {

// A name for a variable that no other variable has.
std::string untaken(const std::string& wanted, std::set<std::string>& taken) {
  std::string name = wanted;
  for (int number = 1; !taken.insert(name).second; ++number)
    name = wanted + "_" + std::to_string(number);
  return name;
}

using Names = std::map<std::string, Var>;

Expr named(const Expr& e, const Names& names) {
  return substitute(e, [&](const std::string& name) {
    const auto found = names.find(name);
    return found == names.end() ? Expr() : Expr(found->second);
  });
}

std::vector<Var> named(const std::vector<Var>& over, const Names& names) {
  std::vector<Var> renamed;
  for (const Var& k : over) {
    const auto found = names.find(k.name());
    renamed.push_back(found == names.end() ? k : found->second);
  }
  return renamed;
}

}  // namespace

Tuple with_named_axes(Tuple value, const std::vector<Var>& iterators) {
  std::vector<Var> over = value.over;
  for (const Expr& scalar : value.values)
    if (scalar.op() == Op::reduce)
      over.insert(over.end(), scalar.node().variables.begin(), scalar.node().variables.end());
  std::set<std::string> taken;
  for (const Var& v : iterators) taken.insert(v.name());
  for (const Var& k : over)
    if (author_text(k.name()) == k.name()) taken.insert(k.name());
  Names names;
  for (const Var& k : over) {
    const std::string name = author_text(k.name());
    if (name != k.name() && !names.contains(k.name()))
      names.emplace(k.name(), Var(untaken(name, taken), k.lower(), k.upper()));
  }
  if (names.empty()) return value;
  value.over = named(value.over, names);
  for (Expr& scalar : value.values)
    scalar = scalar.op() == Op::reduce ? rebuilt(scalar, named(scalar.node().variables, names),
                                                 {named(scalar.args()[0], names)})
                                       : named(scalar, names);
  return value;
}

}  // namespace strata::graph
