#include "graph/operator/names.h"

#include <algorithm>
#include <numeric>

namespace strata::graph {

namespace {

// The least number of insertions, deletions and replacements that turn one text into the other
// (Levenshtein).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

// The nearest name; empty if none is near.
std::string nearest_name(std::string_view wrong, const std::vector<std::string>& names) {
  std::string nearest;
  std::size_t least = wrong.size() / 2 + 1;
  for (const std::string& name : names)
    if (const std::size_t d = distance(wrong, name); d < least) {
      least = d;
      nearest = name;
    }
  return nearest;
}

}  // namespace

Error unknown_name(std::string_view wrong, const std::vector<std::string>& names, Code code,
                   const std::string& explanation, const std::string& other_mend,
                   const Request& request) {
  const std::string nearest = nearest_name(wrong, names);
  return request.refused(code, explanation, nearest.empty() ? other_mend : "write " + nearest);
}

}  // namespace strata::graph
