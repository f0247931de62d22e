#include "graph/tensor/checks.h"

#include <algorithm>
#include <cctype>

#include "graph/dim/dim.h"

namespace strata::graph {

namespace {

bool is_name(const std::string& name) {
  const auto fits = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  return !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin(), name.end(), fits);
}

}  // namespace

void require_name(const std::string& name, const std::string& what, const Request& request) {
  if (!is_name(name))
    throw request.refused(Code::E0105_bad_name, "\"" + name + "\" cannot name " + what,
                          "use letters, digits and _, and begin with a letter");
}

Shape checked_shape(const Shape& shape, const Request& request) {
  Shape checked;
  for (int d = 0; d < shape.rank(); ++d) {
    const std::string extent = "extent " + std::to_string(d);
    if (const std::string why = why_no_dim(shape[d]); !why.empty())
      throw request.refused(Code::E0602_does_not_fit, extent + " " + why,
                            "give integers, or symbols and + - * / % of them");
    const auto number = constant_dim(shape[d]);
    if (number && *number < 0)
      throw request.refused(Code::E0602_does_not_fit, extent + " is " + std::to_string(*number),
                            "give an extent of 0 or more");
    checked.push_back(normal(shape[d]));
  }
  return checked;
}

}  // namespace strata::graph
