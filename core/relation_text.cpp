#include "core/relation_text.h"

#include <algorithm>
#include <vector>

namespace strata {

namespace {

template <typename Relation>
std::string canonical(const Relation& relation) {
  std::vector<std::string> texts{isl_text(relation)};
  while (true) {
    const std::string next = isl_text(Relation(relation.ctx(), texts.back()));
    const auto known = std::find(texts.begin(), texts.end(), next);
    if (known != texts.end()) return *std::min_element(known, texts.end());
    texts.push_back(next);
  }
}

}  // namespace

std::string canonical_text(const isl::set& set) { return canonical(set); }
std::string canonical_text(const isl::map& map) { return canonical(map); }
std::string canonical_text(const isl::union_map& map) { return canonical(map); }

}  // namespace strata
