// Records: texts that read back, or are seen to be damaged.
#include <catch2/catch.hpp>

#include "core/record.h"

namespace strata::test::record_test {

using Texts = std::vector<std::string>;

TEST_CASE("a record has its texts", "[core]") {
  for (const Texts& texts : {Texts{}, Texts{""}, Texts{"a", "", std::string("b\0c", 3)},
                             Texts{recorded({"inner"}), "outer"}})
    CHECK(find_texts(recorded(texts)) == texts);
}

TEST_CASE("a record with a byte changed, lost or added has none", "[core]") {
  const std::string record = recorded({"first", "", "third"});
  for (std::size_t k = 0; k < record.size(); ++k) {
    std::string changed = record;
    changed[k] ^= 1;
    CHECK_FALSE(find_texts(changed));
    CHECK_FALSE(find_texts(record.substr(0, k)));
  }
  CHECK_FALSE(find_texts(record + '\0'));
}

// FNV-1a's published values.
TEST_CASE("the hash of a text is the same everywhere", "[core]") {
  CHECK(hash_of_text("") == 0xcbf29ce484222325);
  CHECK(hash_of_text("a") == 0xaf63dc4c8601ec8c);
  CHECK(hash_of_text("foobar") == 0x85944171f73967e8);
}

}  // namespace strata::test::record_test
