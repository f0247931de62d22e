// Models as C libraries: the C computes the bits of the machine, and says what it refuses.
#include <cmath>

#include "tests/library/model_library.h"

namespace strata::test::library_test {

using namespace strata::graph;

TEST_CASE("a perceptron with a symbolic batch in C", "[library][halide]") {
  const Value x = variable("x", f32_tensor({parameter("batch"), 12}));
  const NDArray w = counted({7, 12}, 5), bias = counted({7}, 3), v = counted({5, 7}, 9);
  const Module module = one_block({x}, [&](GraphBuilder& g) {
    const Value h = g.emit(call("dense", {x, w}));
    const Value r = g.emit(call("relu", {g.emit(call("add", {h, bias}))}));
    return call("dense", {r, v});
  });
  const CompiledModule model = build(module);
  const ModelLibrary library(model);
  INFO(contents(library.folder / "m.c"));
  for (const std::int64_t batch : {3, 1, 17, 0, 17}) {
    const NDArray given = counted({batch, 12}, 11);
    check_as_machine(model, module, library, "main", {batch}, {given});
    NDArray y(strata_float(32), {batch, 5});
    library("m_main", {batch}, {given, y});
    for (std::int64_t n = 0; n < batch; ++n)
      for (std::int64_t j = 0; j < 5; ++j) {
        float sum = 0;
        for (std::int64_t k = 0; k < 7; ++k) {
          float h = bias.data<float>()[k];
          for (std::int64_t i = 0; i < 12; ++i)
            h += given.data<float>()[n * 12 + i] * w.data<float>()[k * 12 + i];
          sum += std::max(h, 0.0f) * v.data<float>()[j * 7 + k];
        }
        CHECK(y.data<float>()[n * 5 + j] == sum);  // small integers
      }
  }
}

const char* const doubled = R"(
def @main(%x: Tensor[(n), float32]) -> Tensor[(n), float32] {
  %y = add(%x, %x)
  %y
}
)";

// The model of a text, its machine and its library.
struct Made {
  explicit Made(const std::string& text)
      : module(parsed(text)), model(build(module)), in_c(model) {}
  void check(const std::vector<std::int64_t>& symbols, const std::vector<VmValue>& given,
             const std::string& name = "main") const {
    INFO(contents(in_c.folder / "m.c"));
    check_as_machine(model, module, in_c, name, symbols, given);
  }
  // The code of a call, and its message.
  std::string refusal(const std::vector<std::int64_t>& symbols,
                      const std::vector<halide_buffer_t*>& buffers) const {
    const int code = in_c.run("m_main", symbols, buffers);
    return std::to_string(code) + " " + in_c.error();
  }

  Module module;
  CompiledModule model;
  ModelLibrary in_c;
};

TEST_CASE("tuples, branches, views and functions in C", "[library][halide]") {
  const Made made(R"(
def @block(%x: Tensor[(n, m), float32], %v: Tensor[(m), float32]) -> (Tensor[(n, m), float32], Tensor[(m * n), float32]) {
  %s = add(%x, %v)
  %e = tanh(%s)
  %f = flatten(%e)
  %t = (%s, %f)
  %t
}
def @main(%t: (Tensor[(a, b), float32], Tensor[(b), float32]), %c: Tensor[(), boolean]) -> Object {
  %x = %t[0]
  %v = %t[1]
  %p: (Tensor[(a, b), float32], Tensor[(a * b), float32]) = @block(%x, %v)
  %s = %p[0]
  %r = if (%c) {
    %f = %p[1]
    %g = multiply(%f, 2.0f32)
    %u = reshape(%g, shape=(a, b))
    %q: (Tensor[(a, b), float32], Tensor[(a * b), float32]) = @block(%u, %v)
    %q
  } else {
    %q: (Tensor[(a, b), float32], Tensor[(a * b), float32]) = @block(%s, %v)
    %q
  }
  %y = %r[0]
  %z = %r[1]
  %w = sum(%y, axes=[0])
  %all = (%y, tuple(%z, %x), %w, %y)
  %all
}
)");
  for (const auto& [a, b] : {std::pair<std::int64_t, std::int64_t>{3, 5}, {1, 1}, {8, 2}, {0, 4}})
    for (const bool side : {true, false}) {
      const VmValue pair = VmValue::tuple({counted({a, b}, 7), counted({b}, 5)});
      made.check({a, b}, {pair, NDArray::scalar(side)});
    }
}

TEST_CASE("arguments, views and constants as results in C", "[library][halide]") {
  const Made made(R"(
def @main(%x: Tensor[(n, m), float32], %w: Tensor[(_, _), int32], %s: Shape[(k)]) -> Object {
  %known = match_shape(%w, (n, j))
  %f = flatten(%x)
  %g = broadcast_to(%known, shape=(k, n, j))
  %all = (%x, %f, const[0], const[0], %g)
  %all
}
const[0]: Tensor[(3), float32] = [1.0f32, 2.0f32, -0.5f32]
)");
  const NDArray x = counted({2, 4}, 7), w = NDArray::of<std::int32_t>({2, 1}, {5, -7});
  NDArray y0(strata_float(32), {2, 4}), y1(strata_float(32), {8}), y2(strata_float(32), {3}),
      y3(strata_float(32), {3}), y4(strata_int(32), {3, 2, 1});
  // n, m, the extents of w, k
  made.in_c("m_main", {2, 4, 2, 1, 3}, {x, w, y0, y1, y2, y3, y4});
  for (int p = 0; p < 8; ++p) {
    CHECK(y0.data<float>()[p] == x.data<float>()[p]);
    CHECK(y1.data<float>()[p] == x.data<float>()[p]);
  }
  CHECK(y2.data<float>()[2] == -0.5f);
  CHECK(y3.data<float>()[1] == 2);
  for (int p = 0; p < 6; ++p) CHECK(y4.data<std::int32_t>()[p] == (p % 2 ? -7 : 5));
  const NDArray other = NDArray::of<std::int32_t>({3, 1}, {5, -7, 1});
  CHECK(made.refusal({2, 4, 3, 1, 3}, {x, other, y0, y1, y2, y3, y4}) ==
        "-201 @main: %w, Tensor[(n, j), int32]: dimension 0 is 3, and 2 is expected");
}

TEST_CASE("extents that are computed, and what a caller asks before a call", "[library][halide]") {
  const Made made(R"(
def @main(%x: Tensor[(n), float32], %y: Tensor[(m), float32]) -> Tensor[(m + n), float32] with (bound.n=9) {
  %e = exp(%x)
  %c = concatenate((%e, %y), axis=0)
  %r = relu(%c)
  %r
}
)");
  made.check({3, 4}, {counted({3}, 5), counted({4}, 3)});
  std::int64_t extents[1];
  CHECK(made.in_c.call("m_main_shape", {3, 4, std::int64_t(extents)}) == 0);
  CHECK(extents[0] == 7);
  CHECK(made.in_c.call("m_arena", {3, 4}) % 64 == 0);
  CHECK(int(made.in_c.call("m_arena", {10, 4})) == -201);
  CHECK(made.in_c.error() == "m_main: n: it is 10, and its bound is 9");
  CHECK(int(made.in_c.call("m_main_shape", {-1, 4, std::int64_t(extents)})) == -201);
  CHECK(made.in_c.error() == "m_main: n is -1, and 0 or more is expected");
  CHECK(int(made.in_c.call("m_arena", {1, std::int64_t(1) << 62})) == -201);
  CHECK(made.in_c.error() == "@main: an extent is negative, or beyond 64 bits");
}

TEST_CASE("what a model in C is given must fit", "[library][halide]") {
  const Made made(R"(
def @main(%x: Tensor[(n, 4), float32], %v: Tensor[(n), float32]) -> Tensor[(n, 4), float32] {
  %e = exp(%x)
  %y = multiply(%e, 2.0f32)
  %y
}
)");
  const NDArray x = counted({3, 4}, 5), v = counted({3}, 3), y(strata_float(32), {3, 4});
  const NDArray wide(strata_float(64), {3, 4}), flat = counted({12}, 5), other = counted({3, 5}, 7);
  CHECK(
      made.refusal({3}, {wide, v, y}) ==
      "-112 m_main: x, Tensor[(n, 4), float32]: its elements are float64, and float32 is expected");
  CHECK(made.refusal({3}, {flat, v, y}) ==
        "-113 m_main: x, Tensor[(n, 4), float32]: 1 dimensions are given, and 2 are expected");
  CHECK(made.refusal({3}, {other, v, y}) ==
        "-201 m_main: x, Tensor[(n, 4), float32]: dimension 1 is 5, and 4 is expected");
  CHECK(made.refusal({2}, {x, v, y}) ==
        "-201 m_main: x, Tensor[(n, 4), float32]: dimension 0 is 3, and 2 is expected");
  CHECK(made.refusal({3}, {x, counted({4}, 3), y}) ==
        "-201 m_main: v, Tensor[(n), float32]: dimension 0 is 4, and 3 is expected");
  CHECK(made.refusal({3}, {x, v, counted({2, 4}, 3)}) ==
        "-201 m_main: y, Tensor[(n, 4), float32]: dimension 0 is 2, and 3 is expected");
  CHECK(made.refusal({3}, {x, v, nullptr}) ==
        "-111 m_main: y, Tensor[(n, 4), float32]: it is a null pointer");
  CHECK(made.refusal({3}, {x, v, x}) ==
        "-121 m_main: y, Tensor[(n, 4), float32]: its memory overlaps that of x");
  CHECK(made.refusal({-3}, {x, v, y}) == "-201 m_main: n is -3, and 0 or more is expected");
  auto* const raw = reinterpret_cast<strata_buffer*>(static_cast<halide_buffer_t*>(x));
  std::swap(raw->dim[0].stride, raw->dim[1].stride);
  CHECK(made.refusal({3}, {x, v, y}) ==
        "-202 m_main: x, Tensor[(n, 4), float32]: its elements are not dense");
  std::swap(raw->dim[0].stride, raw->dim[1].stride);
  std::uint8_t* const host = std::exchange(raw->host, nullptr);
  CHECK(made.refusal({3}, {x, v, y}) ==
        "-117 m_main: x, Tensor[(n, 4), float32]: it has no host memory");
  raw->host = host;
  CHECK(int(made.in_c.call("m_main", {0, 3, std::int64_t(&x)})) == -111);
  CHECK(made.in_c.error() == "m_main: the model is a null pointer");
  made.check({3}, {x, v});
}

TEST_CASE("names of symbols and parameters that C or the library uses", "[library][halide]") {
  const Made made(R"(
def @open(%d: Tensor[(error, b), float32], %r1: Tensor[(error, b), float32]) -> Tensor[(error, b), float32] {
  %y = subtract(%d, %r1)
  %y
}
def @main(%self: Tensor[(z, m), float32], %y: Tensor[(z, m), float32]) -> Tensor[(z, m), float32] {
  %r: Tensor[(z, m), float32] = @open(%self, %y)
  %r
}
)");
  made.check({2, 3}, {counted({2, 3}, 7), counted({2, 3}, 5)});
  NDArray r(strata_float(32), {2, 3});
  const NDArray x = counted({2, 3}, 7), y = counted({2, 3}, 5);
  CHECK(made.refusal({2, 3}, {x, y, x}) ==
        "-121 m_main: y_1, Tensor[(z, m), float32]: its memory overlaps that of self_1");
  made.in_c("m_open_1", {2, 3}, {x, y, r});
  for (int p = 0; p < 6; ++p) CHECK(r.data<float>()[p] == x.data<float>()[p] - y.data<float>()[p]);
}

TEST_CASE("a library by the C compiler alone", "[library]") {
  const Module module = parsed(doubled);
  const CompiledModule model = build(module, {RunBy::interpreter});
  const ModelLibrary library(model, {.backend = "c"});
  const NDArray x = counted({9}, 5);
  NDArray y(strata_float(32), {9});
  library("m_main", {9}, {x, y});
  for (int p = 0; p < 9; ++p) CHECK(y.data<float>()[p] == 2 * x.data<float>()[p]);
}

TEST_CASE("operators whose kernels the machine chooses when they run", "[library][halide]") {
  const Made made(R"(
def @main(%x: Tensor[(_, _), float32], %y: Tensor[(n, 3), float32], %z: Tensor[(m, 3), float32]) -> Tensor[(_, _), float32] {
  %e = exp(%x)
  %s = add(%y, %z)
  %c = concatenate((%e, %s), axis=0)
  %r = multiply(%c, 2.0f32)
  %r
}
)");
  made.check({4, 3, 2, 2}, {counted({4, 3}, 5), counted({2, 3}, 7), counted({2, 3}, 9)});
  made.check({1, 3, 3, 3}, {counted({1, 3}, 5), counted({3, 3}, 7), counted({3, 3}, 9)});
  const NDArray x = counted({1, 3}, 5), y = counted({2, 3}, 7), r(strata_float(32), {3, 3});
  CHECK(made.refusal({1, 3, 2, 1}, {x, y, x, r}) ==
        "-201 @main: add: extents 2 and 1 of operands differ");
}

// ---- weights ----

TEST_CASE("a file of weights that does not fit is refused", "[library][halide]") {
  const std::string text = R"(
def @main(%x: Tensor[(3), float32]) -> Tensor[(3), float32] {
  %y = add(%x, const[0])
  %y
}
const[0]: Tensor[(3), float32] = [1.0f32, 2.0f32, )";
  const Made made(text + "-0.5f32]\n"), other(text + "0.5f32]\n");
  const std::string right = made.in_c.folder / "m.weights", bytes = contents(right);
  CHECK(bytes.size() == 128);
  const std::string file = made.in_c.folder / "changed";
  const auto told = [&](const std::string& changed) {
    std::ofstream(file, std::ios::binary) << changed;
    void* const opened = made.in_c.open(file);
    if (opened) made.in_c.close(opened);
    const std::string error = made.in_c.error();
    return opened ? "opened" : error.substr(error.rfind(": ") + 2);
  };
  CHECK(told(bytes) == "opened");
  CHECK(told("") == "it has 0 bytes, and 64 are expected");
  CHECK(told(bytes.substr(0, 127)) == "it has 127 bytes, and 128 are expected");
  CHECK(told(bytes + "x") == "it has 129 bytes, and 128 are expected");
  CHECK(told(std::string(200, 'x')) == "it is not a file of weights");
  CHECK(told(contents(other.in_c.folder / "m.weights")) == "it has the weights of another model");
  for (std::size_t at = 0; at < bytes.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string flipped = bytes;
      flipped[at] = char(flipped[at] ^ 1 << bit);
      CHECK(told(flipped) != "opened");
    }
  CHECK(made.in_c.open(made.in_c.folder / "missing") == nullptr);
  CHECK(made.in_c.error() ==
        "m_open: " + made.in_c.folder / "missing" + ": No such file or directory");
  CHECK(made.in_c.open(made.in_c.folder.path.string()) == nullptr);
  CHECK(made.in_c.error() == "m_open: " + made.in_c.folder.path.string() + ": Is a directory");
  CHECK(made.in_c.call("m_open", {0}) == 0);
  CHECK(made.in_c.error() == "m_open: the path: it is a null pointer");
}

// ---- what C cannot do ----

// The refusal of save_library, after which nothing has been written.
std::string refused(const Module& module, const std::string& name = "m") {
  const Folder folder;
  const CompiledModule model = build(module, {RunBy::interpreter});
  const std::string said =
      why([&] { model.save_library(folder.path / "made", name, {}, Where::here()); });
  CHECK_FALSE(std::filesystem::exists(folder.path / "made"));
  return said;
}

TEST_CASE("names and folders of libraries", "[library]") {
  for (const std::string name : {"", "a b", "1a", "int", "class", "a-b", "\xc3\xa4"})
    CHECK(refused(parsed(doubled), name) == "E0105 \"" + name + "\" is not a name in C");
  const Folder folder;
  std::ofstream(folder / "file") << "text";
  const CompiledModule model = build(parsed(doubled), {RunBy::interpreter});
  for (const std::string path : {"file", "file/in"})
    CHECK(why([&] {
            model.save_library(folder / path, "m");
          }).starts_with("E0503 " + folder / path + " cannot be written: "));
  CHECK(contents(folder / "file") == "text");
}

TEST_CASE("what C cannot do is refused before a file is written", "[library]") {
  register_packed(
      "test.same_in_c", [](const std::vector<VmValue>& given) { return given[0]; }, true);
  CHECK(refused(parsed(R"(
def @main(%x: Tensor[(n), float32]) -> Tensor[(n), float32] {
  %y: Tensor[(n), float32] = call_packed("test.same_in_c", (%x))
  %y
}
)")) == "E0601 @main, call test.same_in_c in: %0 dst: %2: a library has no function "
        "\"test.same_in_c\"");
  CHECK(refused(parsed(R"(
def @main(%x: Tensor[(n), float32], %c: Tensor[(), boolean]) -> Tensor[(n), float32] {
  %r = if (%c) {
    %q: Tensor[(n), float32] = @main(%x, %c)
    %q
  } else {
    %x
  }
  %r
}
)")) == "E0601 @main calls itself");
  CHECK(refused(parsed(R"(
def @main(%x: Tensor[(n), float32]) -> Object {
  %s = shape_of(%x)
  %s
}
)")) == "E0601 @main returns what is neither an array nor a tuple of arrays");
  CHECK(refused(parsed(R"(
def @main(%x: Tensor[(n), int32]) -> Tensor[_, int32] {
  %y = unique(%x)
  %y
}
)")) == "E0601 @main, call unique in: %0 dst: %2: the extents of its result depend on data");
  CHECK(refused(parsed(R"(
def @main(%x: Object) -> Object {
  %x
}
)")) == "E0601 @main, %x: a library has no argument of type Object");
}

}  // namespace strata::test::library_test
