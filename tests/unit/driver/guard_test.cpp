// The library throws nothing but strata::Error.
#include "driver/guard.h"

#include <catch2/catch.hpp>

#include "core/sets/session.h"

namespace strata::test::guard_test {

TEST_CASE("a failure of the set library becomes an error with the author's line", "[dsl]") {
  const Session session;
  try {
    guarded("interchange(S.i, S.j)", {"author.cpp", 7},
            [&] { return isl::set(session.isl(), "{ not a set"); });
    FAIL("no error was thrown");
  } catch (const Error& e) {
    CHECK(e.code() == Code::E0902_set_library_failed);
    CHECK(e.refusal().where.file == "author.cpp");
    CHECK(e.refusal().where.line == 7);
    CHECK(e.refusal().command == "interchange(S.i, S.j)");
  }
  CHECK(guarded("nothing", {}, [] { return 5; }) == 5);
}

}  // namespace strata::test::guard_test
