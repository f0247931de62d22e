// A kernel called with broken arguments returns the matching code and writes nothing.
#include <catch2/catch.hpp>

#include <climits>
#include <functional>
#include <random>
#include <thread>

#include "tests/unit/entry/kernels.h"
#include "tests/unit/entry/views.h"

namespace strata::test::kernel_entry_test {

namespace {

// z[i, j] = x[i, j] + w[j] for j in [1, M), in parallel rows, for M even.
Kernel sum_kernel() {
  const Expr N = p("N"), M = p("M"), i = v("i"), j = v("j");
  const StmtPtr body =
      loop("i", n(0), N,
           loop("j", n(1), M, store("z", {i, j}, load("x", f32, {i, j}) + load("w", f32, {j}))),
           Processor::parallel);
  Kernel k = kernel("sum", {"N", "M"}, {}, body);
  k.buffers = {ArgumentBuffer{"x", f32, Access::read, {n(0), n(1)}, {N, M}},
               ArgumentBuffer{"w", f32, Access::read, {n(1)}, {M}},
               ArgumentBuffer{"z", f32, Access::written, {n(0), n(1)}, {N, M}}};
  k.assumptions = {{M % n(2) == n(0), "M % 2 == 0"}};
  return k;
}

// Memory and views of the three buffers, with margins before and after.
struct Arguments {
  Arguments(int rows, int columns)
      : memory(3, std::vector<float>((rows + 2) * (columns + 2) + 4096, 1.5f)),
        x(strata_float(32), &memory[0][2048], {{0, rows, columns + 2, 0}, {1, columns - 1, 1, 0}}),
        w(strata_float(32), &memory[1][2048], {{0, columns, 1, 0}}),
        z(strata_float(32), &memory[2][2048], {{-1, rows + 1, columns, 0}, {0, columns, 1, 0}}),
        views{&x, &w, &z},
        scalars{rows, columns} {}

  int call(const JitKernel& k) {
    std::vector<halide_buffer_t*> list;
    for (View* view : views) list.push_back(view ? static_cast<halide_buffer_t*>(*view) : nullptr);
    return k.call(scalars, list);
  }

  std::vector<std::vector<float>> memory;
  View x, w, z;
  std::vector<View*> views;
  std::vector<std::int64_t> scalars;
};

// A way to break arguments, given a random buffer and dimension, and the code that is due.
struct Corruption {
  const char* name;
  int code;
  std::function<void(Arguments&, std::size_t buffer, std::size_t dimension)> apply;
};

strata_dimension& dimension(Arguments& a, std::size_t b, std::size_t d) {
  return a.views[b]->dimensions[d];
}

const std::vector<Corruption> corruptions = {
    {"null buffer", strata_error_null_buffer,
     [](Arguments& a, std::size_t b, std::size_t) { a.views[b] = nullptr; }},
    {"null host", strata_error_null_host,
     [](Arguments& a, std::size_t b, std::size_t) { a.views[b]->buffer.host = nullptr; }},
    {"host off by one byte", strata_error_misaligned,
     [](Arguments& a, std::size_t b, std::size_t) { a.views[b]->buffer.host += 1; }},
    {"type code", strata_error_wrong_type,
     [](Arguments& a, std::size_t b, std::size_t) { a.views[b]->buffer.type.code = 0; }},
    {"type bits", strata_error_wrong_type,
     [](Arguments& a, std::size_t b, std::size_t) { a.views[b]->buffer.type.bits = 64; }},
    {"type lanes", strata_error_wrong_type,
     [](Arguments& a, std::size_t b, std::size_t) { a.views[b]->buffer.type.lanes = 4; }},
    {"rank", strata_error_wrong_rank,
     [](Arguments& a, std::size_t b, std::size_t) { ++a.views[b]->buffer.dimensions; }},
    {"rank zero", strata_error_wrong_rank,
     [](Arguments& a, std::size_t b, std::size_t) { a.views[b]->buffer.dimensions = 0; }},
    {"no dimensions", strata_error_bad_shape,
     [](Arguments& a, std::size_t b, std::size_t) { a.views[b]->buffer.dim = nullptr; }},
    {"negative extent", strata_error_bad_shape,
     [](Arguments& a, std::size_t b, std::size_t d) { dimension(a, b, d).extent = -1; }},
    {"smallest extent", strata_error_bad_shape,
     [](Arguments& a, std::size_t b, std::size_t d) { dimension(a, b, d).extent = INT_MIN; }},
    {"extent too small", strata_error_out_of_bounds,
     [](Arguments& a, std::size_t b, std::size_t d) { --dimension(a, b, d).extent; }},
    {"extent zero", strata_error_out_of_bounds,
     [](Arguments& a, std::size_t b, std::size_t d) { dimension(a, b, d).extent = 0; }},
    {"min too large", strata_error_out_of_bounds,
     [](Arguments& a, std::size_t b, std::size_t d) {
       dimension(a, b, d).min += 2;
       dimension(a, b, d).extent += 2;
     }},
    {"min far away", strata_error_out_of_bounds,
     [](Arguments& a, std::size_t b, std::size_t d) {
       dimension(a, b, d).min = INT_MAX;
       dimension(a, b, d).extent = INT_MAX;
     }},
    {"contents on a device", strata_error_device_dirty,
     [](Arguments& a, std::size_t b, std::size_t) { a.views[b]->buffer.flags = 2; }},
    {"address space left", strata_error_too_large,
     [](Arguments& a, std::size_t b, std::size_t) {
       a.views[b]->buffer.host = reinterpret_cast<std::uint8_t*>(UINTPTR_MAX - 3);
     }},
    {"odd parameter", strata_error_assumption,
     [](Arguments& a, std::size_t, std::size_t) { --a.scalars[1]; }},
    {"huge parameter", strata_error_parameter_range,
     [](Arguments& a, std::size_t, std::size_t d) { a.scalars[d] = INT64_MAX - 1; }},
    {"hugely negative parameter", strata_error_parameter_range,
     [](Arguments& a, std::size_t, std::size_t d) { a.scalars[d] = INT64_MIN; }},
    {"long loop", strata_error_loop_too_long,
     [](Arguments& a, std::size_t, std::size_t d) { a.scalars[d] = std::int64_t{1} << 32; }},
    {"the output is an input", strata_error_overlap,
     [](Arguments& a, std::size_t, std::size_t d) {
       // z starts one row before its first touched element.
       a.z.buffer.host = (d ? a.x : a.w).buffer.host - 4 * a.scalars[1];
     }},
    {"the output ends in an input", strata_error_overlap,
     [](Arguments& a, std::size_t, std::size_t) {
       const auto rows = a.scalars[0], columns = a.scalars[1];
       a.w.buffer.host = a.z.buffer.host + 4 * ((rows + 1) * columns - columns);
     }},
    {"the output runs backwards into an input", strata_error_overlap,
     [](Arguments& a, std::size_t, std::size_t) {
       strata_dimension& row = dimension(a, 2, 1);
       row.stride = -row.stride;
       a.z.buffer.host = a.x.buffer.host + 4 * a.scalars[1];
     }},
};

bool is_untouched(const Arguments& a) {
  for (const auto& memory : a.memory)
    for (const float e : memory)
      if (e != 1.5f) return false;
  return true;
}

}  // namespace

TEST_CASE("a kernel accepts valid arguments", "[halide]") {
  const JitKernel k(sum_kernel());
  for (const int rows : {1, 4, 9})
    for (const int columns : {2, 6, 30}) {
      Arguments a(rows, columns);
      INFO(strata_last_error());
      REQUIRE(a.call(k) == strata_success);
      CHECK(std::count(a.memory[2].begin(), a.memory[2].end(), 3.0f) == rows * (columns - 1));
    }
}

TEST_CASE("thousands of broken calls each return their code and write nothing", "[halide]") {
  const JitKernel k(sum_kernel());
  std::mt19937 g(3);
  for (int round = 0; round < 200; ++round)
    for (const Corruption& c : corruptions) {
      Arguments a(1 + static_cast<int>(g() % 9), 4 + 2 * static_cast<int>(g() % 9));
      const std::size_t buffer = g() % 3, dimension = buffer == 1 ? 0 : g() % 2;
      c.apply(a, buffer, dimension);
      CAPTURE(c.name, buffer, dimension, strata_last_error());
      REQUIRE(a.call(k) == c.code);
      REQUIRE(is_untouched(a));
    }
}

TEST_CASE("messages name the function, the argument, the dimension, what is and what should be",
          "[halide]") {
  const JitKernel k(sum_kernel());
  const auto message = [&](const std::function<void(Arguments&)>& spoil) {
    Arguments a(5, 8);
    spoil(a);
    a.call(k);
    return std::string(strata_last_error());
  };
  CHECK(message([](Arguments& a) { --a.x.dimensions[0].extent; }) ==
        "sum: buffer x is accessed from 1 to 7 in dimension 1, but has elements 1 to 6 there");
  CHECK(message([](Arguments& a) { a.w.buffer.dimensions = 3; }) ==
        "sum: buffer w has 3 dimensions, but the program's has 1");
  CHECK(message([](Arguments& a) { a.z.buffer.type = strata_int(16); }) ==
        "sum: buffer z has elements of type int16, but the program's are float32");
  CHECK(message([](Arguments& a) { a.z.buffer.type = strata_boolean(); }) ==
        "sum: buffer z has elements of type bool, but the program's are float32");
  CHECK(message([](Arguments& a) { a.z.buffer.type.lanes = 4; }) ==
        "sum: buffer z has elements of type float32 x 4, but the program's are float32");
  CHECK(message([](Arguments& a) { a.z.buffer.type = {9, 8, 65535}; }) ==
        "sum: buffer z has elements of type code 9 of 8 bits x 65535, but the program's are "
        "float32");
  CHECK(message([](Arguments& a) { dimension(a, 2, 1).extent = -4; }) ==
        "sum: the extent of dimension 0 of buffer z is -4");
  CHECK(message([](Arguments& a) { a.views[0] = nullptr; }) == "sum: buffer x is a null pointer");
  CHECK(message([](Arguments& a) { a.scalars[1] = 7; }) ==
        "sum: the assumption M % 2 == 0 does not hold");
  CHECK(message([](Arguments& a) { a.scalars[0] = std::int64_t{5} << 29; }) ==
        "sum: loop i may run 2684354560 iterations, more than 2147483647");
  CHECK(message([](Arguments& a) { dimension(a, 2, 1).stride = 6; }) ==
        "sum: buffer z is written, but its elements may share memory: the stride of dimension 0 is "
        "6, and dimensions of smaller strides span 7 elements");
  CHECK(message([](Arguments& a) {
          a.z.buffer.host = a.x.buffer.host;
        }).find("sum: the memory of x, ") == 0);
}

TEST_CASE("buffers without accesses are not checked", "[halide]") {
  const JitKernel k(sum_kernel());
  for (const auto& [rows, columns] : {std::pair{0, 8}, {3, 0}, {-7, 4}}) {
    Arguments a(1, 8);
    a.scalars = {rows, columns};
    a.x.buffer.host = nullptr;
    a.z.buffer.host = nullptr;
    a.z.dimensions[0].extent = 0;
    CAPTURE(rows, columns);
    CHECK(a.call(k) == strata_success);
    CHECK(is_untouched(a));
  }
}

TEST_CASE("memory may be shared where nothing is written, or the program says so", "[halide]") {
  const JitKernel k(sum_kernel());
  Arguments a(4, 6);
  a.w.buffer.host = a.x.buffer.host;
  CHECK(a.call(k) == strata_success);

  // y[i] = x[i - 1] + x[i], from the end, in the memory of x.
  const Expr N = p("N"), i = v("i"), r = N - n(1) - i;
  Kernel in_place = kernel(
      "in_place", {"N"},
      {argument("x", i32, Access::read, {N}), argument("y", i32, Access::written, {N})},
      loop("i", n(0), N - n(1), store("y", {r}, load("x", i32, {r - n(1)}) + load("x", i32, {r}))));
  Array<std::int32_t> x({10});
  CHECK(JitKernel(in_place).call({10}, {x, x}) == strata_error_overlap);
  in_place.may_overlap = {{"x", "y"}};
  const JitKernel shared(in_place);
  for (int j = 0; j < 10; ++j) x(j) = j;
  REQUIRE(shared.call({10}, {x, x}) == strata_success);
  for (int j = 0; j < 10; ++j) CHECK(x(j) == (j == 0 ? 0 : 2 * j - 1));
  Array<std::int32_t> y({10});
  REQUIRE(shared.call({10}, {x, y}) == strata_success);
  CHECK(y(5) == x(4) + x(5));
}

// Two names for the same memory, also with different types, see each other's writes.
TEST_CASE("arguments that may overlap are not taken for different memory", "[halide]") {
  const Expr N = p("N"), i = v("i");
  Kernel k = kernel("alias", {"N"},
                    {argument("x", i16, Access::read_and_written, {N * n(2)}),
                     argument("y", i32, Access::read_and_written, {N})},
                    loop("i", n(0), N,
                         block({store("x", {i * n(2)}, constant(i16, 7)),
                                store("x", {i * n(2) + n(1)}, constant(i16, 1)),
                                store("y", {i}, load("y", i32, {i}) + 1),
                                store("x", {i * n(2) + n(1)}, load("x", i16, {i * n(2)}))})));
  k.may_overlap = {{"x", "y"}};
  const JitKernel compiled(k);
  Array<std::int32_t> y({8});
  View x(strata_int(16), y.data(), {{0, 16, 1, 0}});
  REQUIRE(compiled.call({8}, {x, y}) == strata_success);
  for (int j = 0; j < 8; ++j) CHECK(y(j) == (8 | 8 << 16));
}

TEST_CASE("the error handler is called, and threads have messages of their own", "[halide]") {
  static int calls = 0, last = 0;
  const JitKernel k(sum_kernel());
  const auto before = strata_set_error_handler([](int code, const char*) {
    ++calls;
    last = code;
  });
  Arguments a(2, 4);
  a.views[1] = nullptr;
  CHECK(a.call(k) == strata_error_null_buffer);
  CHECK(calls == 1);
  CHECK(last == strata_error_null_buffer);
  strata_set_error_handler(before);
  std::string elsewhere = "not asked";
  std::thread([&] { elsewhere = strata_last_error(); }).join();
  CHECK(elsewhere.empty());
}

TEST_CASE("a wrong number of arguments in process", "[halide]") {
  const JitKernel k(sum_kernel());
  Arguments a(2, 4);
  a.scalars.pop_back();
  CHECK(a.call(k) == strata_error_wrong_arguments);
  CHECK(std::string(strata_last_error()) == "sum takes 2 parameters, not 1");
  CHECK(k.call({2, 4}, {}) == strata_error_wrong_arguments);
}

}  // namespace strata::test::kernel_entry_test
