// The budget of isl operations may run out anywhere: the call is refused with E0901, the program is
// unchanged, and with a larger budget the same call succeeds.
#include <strata/strata.h>

#include <iostream>

#include "core/sets/session.h"
#include "tests/error/told.h"

namespace strata::test::budget_test {

namespace {

// in -> s -> t -> r, a sum; h, with updates at data-dependent elements; e, which has no readers.
struct World {
  Function f{"f"};
  Param N = f.param("N"), M = f.param("M"), T = f.param("T");
  Var i{"i", 0, N}, j{"j", 0, M}, k{"k", 0, M};
  Input in = f.input("in", i32, {N, M}), at = f.input("at", i32, {N});
  Computation s = f.computation("s", {i, j}, in(i, j) * 2);
  Computation t = f.computation("t", {i, j}, s(i, j) + select(j > 0, s(i, j - 1), 0));
  Computation r = f.computation("r", {i}, sum(k, t(i, k)));
  Computation h = f.computation("h", {i}, 0);
  Computation u = h.update({i}, {clamp(at(i), 0, N - 1)}, r(i));
  Computation e = f.computation("e", {i, j}, in(i, j));
  std::vector<Buffer> arguments{in.buffer(), at.buffer(), h.buffer(), e.buffer()};
};

struct Call {
  const char* name;
  void (*prepare)(World&);
  void (*make)(World&);
};

void nothing(World&) {}
const Var x("x"), y("y"), z("z"), w("w");

// u, a float32 product in the loops of R215.
void make_product_of_warps(World& p) {
  const Var g("g"), t("t"), ri("ri"), rj("rj"), k0("k0"), k1("k1");
  Computation a = p.f.computation("a", {p.i, p.k}, cast(f32, p.in(p.i, p.k)));
  Computation b = p.f.computation("b", {p.k, p.j}, cast(f32, p.k + p.j));
  p.u = p.f.computation("u", {p.i, p.j}, sum(p.k, a(p.i, p.k) * b(p.k, p.j)));
  p.u.tile(p.i, p.j, 16, 8, x, y, z, w).gpu_blocks(x, y);
  p.u.split(z, 8, ri, g).split(w, 2, t, rj).split(p.k, 8, k0, k1);
  p.u.interchange(ri, g).interchange(ri, t).interchange(rj, k0).interchange(ri, k0);
  p.u.gpu_threads(g, t);
}

const std::vector<Call> calls = {
    {"computation", nothing, [](World& p) { p.f.computation("c", {p.i, p.j}, p.t(p.i, p.j)); }},
    {"domain", nothing,
     [](World& p) { p.f.computation("c", Domain("[N] -> { c[i] : 0 <= i < N }"), p.r(p.i)); }},
    {"update", nothing, [](World& p) { p.e.update({p.i, p.j}, {p.i, p.j}, p.r(p.i)); }},
    {"declare", nothing, [](World& p) { p.f.declare("c", {p.i}, i32); }},
    {"define", [](World& p) { p.u = p.f.declare("c", {p.i}, i32); },
     [](World& p) { p.u.define(select(p.i > 0, p.u(p.i - 1), 0) + 1); }},
    {"where",
     [](World& p) {
       p.f.assume(p.M > 0);
       p.u = p.e.update({p.i}, {p.i, 0 * p.i}, 1);
     },
     [](World& p) { p.u.where(p.at(p.i) > 3); }},
    {"assume", nothing, [](World& p) { p.f.assume(p.N % 4 == 0); }},
    {"split", nothing, [](World& p) { p.e.split(p.i, 4); }},
    {"split by a parameter", nothing, [](World& p) { p.e.split(p.i, p.T); }},
    {"tile", nothing, [](World& p) { p.t.tile(p.i, p.j, 4, 4, x, y, z, w); }},
    {"tile by parameters", nothing, [](World& p) { p.t.tile(p.i, p.j, p.T, p.T, x, y, z, w); }},
    {"interchange", nothing, [](World& p) { p.t.interchange(p.i, p.j); }},
    {"reorder", [](World& p) { p.t.split(p.j, 4, x, y); },
     [](World& p) { p.t.reorder({y, p.i, x}); }},
    {"collapse", [](World& p) { p.t.split(p.j, 4, x, y); }, [](World& p) { p.t.collapse(x, y); }},
    {"shift", nothing, [](World& p) { p.t.shift(p.i, p.N); }},
    {"skew", nothing, [](World& p) { p.t.skew(p.i, p.j, 1, 1); }},
    {"peel", nothing, [](World& p) { p.t.peel(p.i, 2); }},
    {"a piece", [](World& p) { p.t.peel(p.i, 2); },
     [](World& p) { p.t.piece("rest").split(p.i, 4); }},
    {"after a piece", [](World& p) { p.t.peel(p.i, 2); },
     [](World& p) { p.e.after(p.t.piece("head"), p.j); }},
    {"reverse", nothing, [](World& p) { p.t.reverse(p.i); }},
    {"unroll", nothing, [](World& p) { p.t.unroll(p.j, 4); }},
    {"vectorize", nothing, [](World& p) { p.t.vectorize(p.j, 4); }},
    {"parallelize", nothing, [](World& p) { p.t.parallelize(p.i); }},
    {"distribute", [](World& p) { p.f.partition("rows", p.N); },
     [](World& p) { p.t.distribute(p.i, Partition("rows")); }},
    {"gpu_blocks", nothing, [](World& p) { p.t.gpu_blocks(p.i); }},
    {"gpu_threads", [](World& p) { p.e.split(p.j, 4, x, y).gpu_blocks(p.i, x); },
     [](World& p) { p.e.gpu_threads(y); }},
    {"gpu", [](World& p) { p.e.tile(p.i, p.j, 4, 4, x, y, z, w); },
     [](World& p) { p.e.gpu(x, y, z, w); }},
    {"gpu_tile", nothing, [](World& p) { p.e.gpu_tile(p.i, p.j, 4, 4, x, y, z, w); }},
    {"min_blocks", [](World& p) { p.t.gpu_blocks(p.i); }, [](World& p) { p.t.min_blocks(p.i, 2); }},
    {"separate", nothing, [](World& p) { p.t.separate(p.i); }},
    {"guard", nothing, [](World& p) { p.t.guard(p.i); }},
    {"mask", [](World& p) { p.t.vectorize(p.j, 4); }, [](World& p) { p.t.mask(Var("j_lane")); }},
    {"rfactor", [](World& p) { p.r.split(p.k, 4, x, y); },
     [](World& p) { p.r.rfactor(y, "part"); }},
    {"atomic", nothing, [](World& p) { p.r.atomic(); }},
    {"after", nothing, [](World& p) { p.t.after(p.s, p.j); }},
    {"before", nothing, [](World& p) { p.s.before(p.t, p.i); }},
    {"then", nothing, [](World& p) { p.s.then(p.t, p.i); }},
    {"between", nothing, [](World& p) { p.e.between(p.s, p.i, p.t, std::nullopt); }},
    {"fuse", nothing, [](World& p) { p.s.fuse(p.i, p.t, p.i); }},
    {"distribute_loop", [](World& p) { p.t.after(p.s, p.i); },
     [](World& p) { p.t.distribute_loop(p.i); }},
    {"set_schedule", nothing, [](World& p) { p.e.set_schedule("{ e[i, j] -> [9, j, 0, i, 0] }"); }},
    {"set_inline", nothing, [](World& p) { p.s.set_inline(); }},
    {"compute_at", nothing, [](World& p) { p.s.compute_at(p.t, p.i); }},
    {"compute_at root", [](World& p) { p.s.compute_at(p.t, p.i); },
     [](World& p) { p.s.compute_at(root); }},
    {"store_at", [](World& p) { p.s.compute_at(p.t, p.j); },
     [](World& p) { p.s.store_at(p.t, p.i); }},
    {"cache_at", nothing, [](World& p) { p.t.cache_at(p.i, p.s, "c", {x, y}, Memory::heap); }},
    {"cache_shared_at", [](World& p) { p.t.gpu_tile(p.i, p.j, 4, 4, x, y, z, w); },
     [](World& p) { p.s.cache_shared_at(p.t, y); }},
    {"async",
     [](World& p) {
       p.e.gpu_tile(p.i, p.j, 4, 4, x, y, z, w);
       p.u = p.e.cache_shared_at(y, p.in, "c", {Var("a"), Var("b")});
     },
     [](World& p) { p.u.async(); }},
    {"mma", make_product_of_warps, [](World& p) { p.u.mma("tf32"); }},
    {"cache_local_at", nothing, [](World& p) { p.s.cache_local_at(p.t, p.j); }},
    {"deal",
     [](World& p) {
       p.t.gpu_tile(p.i, p.j, 4, 4, x, y, z, w);
       p.s.compute_at(p.t, y);
     },
     [](World& p) { p.s.deal({p.i, p.j}); }},
    {"copy_at", nothing, [](World& p) { p.t.copy_at(p.i, "c", {x, y}, Memory::heap); }},
    {"prefetch", nothing, [](World& p) { p.t.prefetch(p.i, p.s, 2); }},
    {"allocate_at", [](World& p) { p.t.after(p.s, p.i); },
     [](World& p) { p.s.allocate_at(p.t, p.i); }},
    {"store_in", [](World& p) { p.t.after(p.s, p.i); },
     [](World& p) { p.s.store_in({p.i % 2, p.j}); }},
    {"store_in a relation", nothing, [](World& p) { p.s.store_in("{ s[i, j] -> b[j, i] }"); }},
    {"set_size", nothing, [](World& p) { p.s.set_size({2 * p.N, p.M}); }},
    {"host_to_device", nothing, [](World& p) { p.s.host_to_device(p.t, p.i); }},
    {"device_to_host", nothing, [](World& p) { p.s.device_to_host(p.t, p.i); }},
    {"resident", nothing, [](World& p) { p.f.resident(p.t); }},
    {"set_memory", [](World& p) { p.s.store_in({p.i, p.j}); },
     [](World& p) { p.s.set_memory(Memory::heap); }},
    {"together", nothing,
     [](World& p) {
       p.f.together([&] {
         p.s.reverse(p.i);
         p.t.reverse(p.i);
       });
     }},
    {"unchecked", nothing, [](World& p) { p.t.unchecked().before(p.s); }},
    {"replay", nothing,
     [](World& p) { p.f.replay("reverse(s.i)\ntogether { reverse(t.i) split(t.j, 4) }"); }},
    {"loops", nothing, [](World& p) { p.f.loops(p.arguments); }},
    {"loops of tiles", [](World& p) { p.t.tile(p.i, p.j, 4, 4).vectorize(Var("j_in"), 4); },
     [](World& p) { p.f.loops(p.arguments); }},
};

}  // namespace

TEST_CASE("the budget may run out anywhere in a call, and nothing has happened", "[error]") {
  int refused = 0;
  for (const Call& call : calls) {
    World p;
    call.prepare(p);
    const std::string text = p.f.text();
    const std::vector<std::string> history = p.f.history();
    for (double budget = 1;; budget *= 1.35) {
      CAPTURE(call.name, budget);
      REQUIRE(budget < 1e8);
      p.f.set_budget(static_cast<std::int64_t>(budget));
      try {
        call.make(p);
        break;
      } catch (const Error& e) {
        ++refused;
        CAPTURE(e.what());
        REQUIRE(e.code() == Code::E0901_out_of_budget);
        REQUIRE(p.f.text() == text);
        REQUIRE(p.f.history() == history);
      }
    }
    p.f.set_budget(Session::default_budget);
    p.f.computation("last", {p.i}, p.at(p.i));
    CHECK(p.f.text().find("computation last") != std::string::npos);
  }
  std::cout << "calls=" << calls.size() << " refused=" << refused << '\n';
  CHECK(refused > 500);
}

}  // namespace strata::test::budget_test
