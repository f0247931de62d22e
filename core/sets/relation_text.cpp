#include "core/sets/relation_text.h"

#include <isl/map.h>
#include <isl/set.h>
#include <isl/union_map.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/sets/quotients.h"

namespace strata {

namespace {

isl::set without_redundancies(const isl::set& set) {
  return isl::manage(isl_set_remove_redundancies(set.copy()));
}
isl::map without_redundancies(const isl::map& map) {
  return isl::manage(isl_map_remove_redundancies(map.copy()));
}
isl::union_map without_redundancies(const isl::union_map& map) {
  return isl::manage(isl_union_map_remove_redundancies(map.copy()));
}

// What the parser of programs makes of a relation.
isl::set as_parsed(const isl::set& set) { return strata::explicit_quotients(set); }
isl::map as_parsed(const isl::map& map) { return strata::explicit_quotients(map); }
isl::union_map as_parsed(const isl::union_map& map) { return map; }

// Parses and prints "text" until a text repeats.
template <typename Relation>
std::string settled(const isl::ctx& ctx, const std::string& text) {
  std::vector<std::string> texts{text};
  while (true) {
    const Relation parsed = as_parsed(Relation(ctx, texts.back()));
    const std::string next = isl_text(without_redundancies(parsed));
    const auto known = std::find(texts.begin(), texts.end(), next);
    if (known != texts.end()) return *std::min_element(known, texts.end());
    texts.push_back(next);
  }
}

// The canonical text is a function of the text alone. isl parses slowly, and a program is printed
// after each of its commands, so each thread caches the last few thousand.
template <typename Relation>
std::string canonical(const Relation& relation) {
  constexpr std::size_t most_kept = 4096;
  thread_local std::unordered_map<std::string, std::string> kept;
  const std::string text = isl_text(relation);
  if (const auto known = kept.find(text); known != kept.end()) return known->second;
  if (kept.size() == most_kept) kept.clear();
  return kept[text] = settled<Relation>(relation.ctx(), text);
}

}  // namespace

std::string canonical_text(const isl::set& set) { return canonical(set); }
std::string canonical_text(const isl::map& map) { return canonical(map); }
std::string canonical_text(const isl::union_map& map) { return canonical(map); }

}  // namespace strata
