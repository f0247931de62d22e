// Refusals of copies between host and device, and of residents.
#include <strata/strata.h>

#include "tests/error/told.h"
#include "tests/execution/march.h"

namespace strata::test::sides_error_test {

namespace {

// The launches v and u in the time loop.
struct Launched : March {
  Launched() {
    launch(1);
    launch(2);
  }
};

}  // namespace

TEST_CASE("E0401: a copy given by hand that comes too late", "[error]") {
  Launched p;
  p.f.device_to_host(*p.u);
  CHECK(told(p.f, [&] { p.f.loops(p.arguments()); }) == R"(error E0401 stale memory
  in codegen(start, source, out) at HERE
  last needs u on the host, but its newest values are only on the GPU (T = 1, N = 1)
  to fix it: device_to_host(u) before it, or leave out the copies given: they are derived
)");
}

TEST_CASE("E0401: a copy of old values over new ones", "[error]") {
  Launched p;
  p.f.host_to_device(*p.u, *p.v, p.t);
  CHECK(told(p.f, [&] { p.f.loops(p.arguments()); }) == R"(error E0401 stale memory
  in codegen(start, source, out) at HERE
  a copy of u to the GPU moves old values: the newest are there already
  to fix it: leave it out
)");
}

TEST_CASE("E0106: copies of what is on one side only", "[error]") {
  Launched p;
  p.f.host_to_device(*p.v);
  CHECK(told(p.f, [&] { p.f.loops(p.arguments()); }) == R"(error E0106 bad argument
  in codegen(start, source, out) at HERE
  v is copied between host and GPU, but is not on both: launches and the host, or the caller, do not both touch it
  to fix it: leave out the copy
)");
}

TEST_CASE("E0106: copies inside a launch", "[error]") {
  Launched p;
  p.f.host_to_device(p.source, *p.v, Var("i"));
  CHECK(told(p.f, [&] { p.f.loops(p.arguments()); }) == R"(error E0106 bad argument
  in codegen(start, source, out) at HERE
  source is copied between host and GPU in the block loop i
  to fix it: copy it in a sequential loop around the launches, or in none
)");
}

TEST_CASE("E0106: a copy in a loop over tiles of a parametric size", "[error]") {
  Launched p;
  p.f.host_to_device(p.source, *p.v, p.t);
  const Param size = p.f.param("size");
  CHECK(told(p.f, [&] { p.v->split(p.t, size); }) == R"(error E0106 bad argument
  in split(v.t, size) at HERE
  host and device touch source in loop t, over tiles whose size is size, a parameter
  to fix it: give split or tile a number
)");
}

TEST_CASE("E0106: a resident buffer that the host touches", "[error]") {
  Launched p;
  p.f.resident(p.first);
  const std::vector<Buffer> arguments{p.start.buffer(), p.source.buffer(), p.first.buffer(),
                                      p.out->buffer()};
  CHECK(told(p.f, [&] { p.f.loops(arguments); }) == R"(error E0106 bad argument
  in codegen(start, source, first, out) at HERE
  first is resident on the GPU, but the host touches it too
  to fix it: compute that in a launch as well, or leave out resident
)");
}

TEST_CASE("E0106: a resident buffer that is not an argument", "[error]") {
  Launched p;
  p.f.resident(*p.u);
  CHECK(told(p.f, [&] { p.f.loops(p.arguments()); }) == R"(error E0106 bad argument
  in codegen(start, source, out) at HERE
  u is resident on the GPU, but is not an argument of the kernel
  to fix it: leave out resident
)");
}

TEST_CASE("E0106: a copy of a resident buffer", "[error]") {
  Launched p;
  p.f.resident(p.start);
  CHECK(told(p.f, [&] { p.f.host_to_device(p.start); }) == R"(error E0106 bad argument
  in host_to_device(start) at HERE
  start is resident on the GPU, so it is not copied between host and GPU
  to fix it: leave out resident, or the copy
)");
  p.f.device_to_host(*p.out);
  CHECK(told(p.f, [&] { p.f.resident(*p.out); }) == R"(error E0106 bad argument
  in resident(out) at HERE
  out is resident on the GPU, so it is not copied between host and GPU
  to fix it: leave out resident, or the copy
)");
}

TEST_CASE("E0101: a resident array of another function", "[error]") {
  Launched p, other;
  CHECK(told(p.f, [&] { p.f.resident(other.start); }) == R"(error E0101 unknown computation
  in resident(start) at HERE
  start belongs to another function
  to fix it: name an array of march
)");
}

}  // namespace strata::test::sides_error_test
