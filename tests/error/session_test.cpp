// No isl object outlives its session.  isl can report on stderr when a context is freed while it is
// still in use.
#include <isl/options.h>
#include <strata/strata.h>

#include "core/sets/session.h"
#include "layers/program.h"
#include "tests/error/stderr_of.h"
#include "tests/error/told.h"

namespace strata::test::session_test {

namespace {

void tell(const Session& session) {
  isl_options_set_on_error(session.isl().get(), ISL_ON_ERROR_WARN);
}

void schedule(Pair& p) {
  p.t.tile(p.i, p.j, 8, 8);
  p.s.compute_at(p.t, p.i);
  p.t.vectorize(Var("j_in"), 4);
  told(p.f, [&] { p.t.reverse(Var("nowhere")); });
  told(p.f, [&] { p.s.store_in({p.i % 2, 0 * p.j}); });
}

}  // namespace

TEST_CASE("isl complains where an object outlives its session", "[error]") {
  std::optional<isl::set> kept;
  const std::string complaint = stderr_of([&] {
    const Session session;
    tell(session);
    kept = isl::set(session.isl(), "{ [i] : i > 0 }");
  });
  CHECK(complaint.find("isl_ctx not freed") != std::string::npos);
}

TEST_CASE("no isl object outlives a function, its programs, refusals and kernels", "[error]") {
  std::optional<JitFunction> kernel;
  std::optional<Error> refusal;
  std::string text;
  const std::string complaint = stderr_of([&] {
    Pair p;
    schedule(p);
    const Program before = p.f.program();
    for (const std::int64_t budget : {1, 1000, 30000}) {
      p.f.set_budget(budget);
      told(p.f, [&] { p.s.reverse(p.i); });
      told(p.f, [&] { p.f.loops(p.arguments()); });
    }
    p.f.set_budget(Session::default_budget);
    kernel = p.f.jit(p.arguments());
    text = p.f.text() + p.f.loops(p.arguments());
    try {
      p.t.before(p.s);
    } catch (const Error& e) {
      refusal = e;
    }
    tell(*p.f.program().session);
  });
  CHECK(complaint == "");
  CHECK(refusal);
}

}  // namespace strata::test::session_test
