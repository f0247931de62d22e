#include "graph/text/constants.h"

#include <fmt/format.h>

#include <cctype>
#include <cstring>

#include "core/expr/expr_text.h"
#include "core/record.h"
#include "graph/evaluate/element.h"

namespace strata::graph {

int Constants::number_of(const Value& constant) {
  const auto [found, fresh] = numbers_.emplace(constant.node().get(), int(arrays_.size()));
  if (fresh) arrays_.push_back(constant.node()->as<ArrayConstant>()->array);
  return found->second;
}

std::vector<Expr> elements_of(const NDArray& array, std::size_t count) {
  const Type type = *element_of(array.type());
  std::vector<Expr> elements;
  for (std::size_t k = 0; k < count; ++k) elements.push_back(constant_of(read(array, type, k)));
  return elements;
}

bool is_listed(const NDArray& array) {
  constexpr std::size_t most_listed_elements = 16;
  if (array.size() > most_listed_elements) return false;
  const NDArray again(array.type(), array.extents());
  const std::vector<Expr> elements = elements_of(array, array.size());
  for (std::size_t k = 0; k < elements.size(); ++k)
    write(again, k, element_of(constant_from_text(constant_text(elements[k]))->node()));
  return std::memcmp(array.raw(), again.raw(), array.bytes()) == 0;
}

std::string hash_text(const NDArray& array) {
  return std::to_string(hash_of_text({reinterpret_cast<const char*>(array.raw()), array.bytes()}));
}

std::string scalar_text(const NDArray& scalar, bool is_field) {
  const Expr value = elements_of(scalar, 1)[0];
  const std::string text = constant_text(value);
  const bool begins_a_dim = !std::isdigit(static_cast<unsigned char>(text[0]));
  if (value.type() == i64 || (is_field && begins_a_dim))
    return fmt::format("{}({})", to_string(value.type()), text);
  return text;
}

}  // namespace strata::graph
