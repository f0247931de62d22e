#include "viewer/changes.h"

#include <algorithm>
#include <iterator>

namespace strata::viewer {

namespace {

// A table has an entry for each pair of lines. Beyond this all lines count as changed.
constexpr std::size_t most_pairs = 25'000'000;

std::vector<Change> all_changed(const Lines& a, const Lines& b) {
  std::vector<Change> found;
  for (const std::string& line : a) found.push_back({'-', line});
  for (const std::string& line : b) found.push_back({'+', line});
  return found;
}

std::vector<Change> changes_inside(const Lines& a, const Lines& b) {
  if (a.empty() || b.empty() || b.size() > most_pairs / a.size()) return all_changed(a, b);
  const std::size_t n = a.size(), m = b.size();
  // common[i][j] is the length for a[i..] and b[j..].
  std::vector<std::vector<int>> common(n + 1, std::vector<int>(m + 1, 0));
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t j = m; j-- > 0;)
      common[i][j] =
          a[i] == b[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
  std::vector<Change> found;
  for (std::size_t i = 0, j = 0; i < n || j < m;) {
    if (i < n && j < m && a[i] == b[j]) {
      ++i, ++j;
    } else if (i < n && (j == m || common[i + 1][j] >= common[i][j + 1])) {
      found.push_back({'-', a[i++]});
    } else {
      found.push_back({'+', b[j++]});
    }
  }
  return found;
}

}  // namespace

std::vector<Change> changes(const Lines& a, const Lines& b) {
  const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  const auto [u, v] = std::mismatch(a.rbegin(), std::make_reverse_iterator(x), b.rbegin(),
                                    std::make_reverse_iterator(y));
  return changes_inside({x, u.base()}, {y, v.base()});
}

}  // namespace strata::viewer
