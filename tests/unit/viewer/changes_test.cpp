// Differences between texts.
#include <catch2/catch.hpp>

#include "viewer/changes.h"

namespace strata::test::changes_test {

using viewer::Lines;

std::string text_of(const std::vector<viewer::Change>& all) {
  std::string text;
  for (const viewer::Change& change : all) text += change.kind + change.line + " ";
  return text;
}

TEST_CASE("changes are the lines outside of a longest common subsequence", "[page]") {
  CHECK(text_of(viewer::changes({"a", "b", "c"}, {"a", "b", "c"})) == "");
  CHECK(text_of(viewer::changes({"a", "b", "c"}, {"a", "c", "d"})) == "-b +d ");
  CHECK(text_of(viewer::changes({"a", "x", "y", "b"}, {"a", "y", "z", "x", "y", "b"})) == "+y +z ");
  CHECK(text_of(viewer::changes({}, {"a"})) == "+a ");
  CHECK(text_of(viewer::changes({"a", "a"}, {"a"})) == "-a ");
}

TEST_CASE("long texts have a few changes, or too many to look for what they share", "[page]") {
  Lines a, b, c;
  for (int n = 0; n < 10'000; ++n) {
    a.push_back(std::to_string(n));
    if (n != 5000) b.push_back(std::to_string(n));
    c.push_back(std::to_string(n + 1));
  }
  CHECK(text_of(viewer::changes(a, b)) == "-5000 ");
  CHECK(viewer::changes(a, c).size() == 20'000);
}

}  // namespace strata::test::changes_test
