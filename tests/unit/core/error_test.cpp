#include <catch2/catch.hpp>
#include <set>

#include "core/error.h"

namespace strata::test::error_test {

namespace {

Refusal interchange_refused() {
  return {Code::E0201_dependence_reversed,
          "interchange(S.i, S.j)",
          "moving j outside i would read a value before it is computed",
          Witness{"N = 3",
                  {{"S[1, 1]", "[0, 1, 0, 1, 0]"}, {"S[2, 0]", "[0, 0, 0, 2, 0]"}},
                  "",
                  {"{0} computes the value that", "{1} uses"}},
          "",
          {"stencil.cpp", 17}};
}

}  // namespace

TEST_CASE("a refusal reads as in the design") {
  CHECK(render(interchange_refused()) ==
        "error E0201 dependence reversed\n"
        "  in interchange(S.i, S.j) at stencil.cpp:17\n"
        "  moving j outside i would read a value before it is computed\n"
        "  for example, with N = 3:\n"
        "    S[1, 1] at [0, 1, 0, 1, 0] computes the value that\n"
        "    S[2, 0] at [0, 0, 0, 2, 0] uses\n");
}

TEST_CASE("what is not known is left out") {
  Refusal r = interchange_refused();
  r.witness->parameters = "";
  r.witness->executions = {{"in[4]", ""}, {"S[2, 0]", "[0]"}};
  r.mend = "skew first";
  r.where = {};
  CHECK(render(r) ==
        "error E0201 dependence reversed\n"
        "  in interchange(S.i, S.j)\n"
        "  moving j outside i would read a value before it is computed\n"
        "  for example:\n"
        "    in[4] computes the value that\n"
        "    S[2, 0] at [0] uses\n"
        "  to fix it: skew first\n");
  r.witness.reset();
  r.command = "";
  r.explanation = "";
  r.mend = "";
  CHECK(render(r) == "error E0201 dependence reversed\n");
  r.where = {"a.cpp", 3};
  CHECK(render(r) == "error E0201 dependence reversed\n  at a.cpp:3\n");
}

TEST_CASE("the place where executions meet is named") {
  Refusal r = interchange_refused();
  r.witness->place = "b[1, 0]";
  CHECK_THAT(render(r), Catch::EndsWith("    at element: b[1, 0]\n"));
}

TEST_CASE("braces that name no execution stay as they are") {
  Refusal r = interchange_refused();
  r.witness->story = {"{2} and {} and {x} and {0", "{1}{0}", "{99999999999999999999}",
                      "[N] -> { : }"};
  const std::string text = render(r);
  CHECK_THAT(text, Catch::Contains("    {2} and {} and {x} and {0\n"));
  CHECK_THAT(text, Catch::Contains("    S[2, 0] at [0, 0, 0, 2, 0]S[1, 1] at [0, 1, 0, 1, 0]\n"));
  CHECK_THAT(text, Catch::Contains("    {99999999999999999999}\n    [N] -> { : }\n"));
}

TEST_CASE("a code's words begin with its number, and no two are alike") {
  const int numbers[] = {101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112,
                         113, 114, 115, 116, 117, 201, 202, 203, 204, 205, 206, 207,
                         208, 301, 302, 303, 304, 305, 501, 502, 503, 901, 902};
  std::set<std::string> all;
  for (int number : numbers) {
    const std::string words = to_string(static_cast<Code>(number));
    INFO(words);
    CHECK(words.substr(0, 6) == "E0" + std::to_string(number) + " ");
    CHECK(words.find('_') == std::string::npos);
    CHECK(words.size() > 8);
    all.insert(words);
  }
  CHECK(all.size() == std::size(numbers));
  CHECK(to_string(Code::E0110_types_do_not_mix) == "E0110 types do not mix");
  CHECK(to_string(Code::E0303_race) == "E0303 race");
}

TEST_CASE("an error carries its refusal, and its text is the rendered one") {
  const Refusal r = interchange_refused();
  try {
    throw Error(r);
  } catch (const std::exception& e) {
    CHECK(e.what() == render(r));
    const auto* error = dynamic_cast<const Error*>(&e);
    REQUIRE(error != nullptr);
    CHECK(error->code() == Code::E0201_dependence_reversed);
    CHECK(error->refusal().where.line == 17);
  }
}

TEST_CASE("here is the caller's line") {
  const int line = __LINE__ + 1;
  const Where here = Where::here();
  CHECK(here.line == line);
  CHECK_THAT(here.file, Catch::EndsWith("error_test.cpp"));
}

}  // namespace strata::test::error_test
