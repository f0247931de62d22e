// Tables against maps of the standard library.
#include <catch2/catch.hpp>

#include <map>
#include <random>
#include <string>

#include "graph/ir/table.h"

namespace strata::test::table_test {

using namespace strata::graph;

TEST_CASE("a table is a map that only grows", "[graph]") {
  std::mt19937 random(7);
  for (const int keys : {1, 20, 5000}) {
    Table<std::string, int> table;
    std::map<std::string, int> expected;
    CHECK(!table.contains("k0"));
    for (int step = 0; step < 4 * keys; ++step) {
      const std::string key = "k" + std::to_string(random() % keys);
      if (random() % 2) {
        table.set(key, step);
        expected[key] = step;
      } else {
        const auto [value, is_new] = table.add(key, step);
        CHECK(is_new == expected.emplace(key, step).second);
        CHECK(value == expected.at(key));
      }
    }
    CHECK(table.size() == expected.size());
    for (int k = 0; k < keys; ++k) {
      const auto found = expected.find("k" + std::to_string(k));
      const int* value = table.find("k" + std::to_string(k));
      CHECK((value != nullptr) == (found != expected.end()));
      if (value) CHECK(*value == found->second);
    }
  }
}

TEST_CASE("keys at regular places in memory are found", "[graph]") {
  for (const std::size_t stride : {8, 96, 4096, 65536}) {
    Table<std::size_t, std::size_t> table;
    for (std::size_t k = 0; k < 20000; ++k) table.add(k * stride, k);
    for (std::size_t k = 0; k < 20000; ++k) REQUIRE(*table.find(k * stride) == k);
    CHECK(!table.contains(stride / 2));
  }
}

TEST_CASE("what is in a scope is seen until it ends", "[graph]") {
  Scopes scopes;
  Scoped<std::string> names(scopes);
  const int outer = scopes.begin(), inner = scopes.begin();
  CHECK(names.add("a", outer));
  CHECK(names.add("b", inner));
  CHECK(!names.add("a", inner));
  scopes.end(inner);
  CHECK(names.contains("a"));
  CHECK(!names.contains("b"));
  CHECK(names.has_had("b"));
  CHECK(!names.has_had("c"));
  CHECK(names.add("b", outer));
  CHECK(names.contains("b"));
}

}  // namespace strata::test::table_test
