// Texts of programs that are wrong, and programs that are long.
#include <malloc.h>

#include <ctime>
#include <random>

#include "tests/graph/programs.h"

namespace strata::test::program_text_test {

using namespace strata::graph;

const Param n("n"), m("m");

// Something of everything that a text can hold.
const char* const everything = R"(kernel @te_func(A: Tensor[(n, m), float32]; k) {
  B(i0, i1): Tensor[(n, m), float32] = A[i0, i1] * cast(float32, k)
  C(i0): Tensor[(n), float32] = sum(j in [0, m) : B[i0, j])
  D(i0): (Tensor[(n), float32], Tensor[(n), int64]) = (C[i0], i0)
  E(i0): (Tensor[(n), float32], Tensor[(n), float32]) = reduce "both" (j in [0, m)) (B[i0, j], A[i0, j]) from (0.0f32, 1.0f32) by (left_0[] + right_0[], left_1[] * right_1[])
  V(i0, i1): Tensor[(n, m), float32] = view A[i0, i1] assuming n <= m
  return D_0, E_1, V
}
def @main(%x: Tensor[(n, m), float32], %w: Tensor[_, _], %s: Shape[(k)]) -> Tensor[(n), float32] with (level=2) {
  dataflow {
    %lv = exp(%x)
    %lv1 = call_kernel([(n), (n), (n, m)], @te_func, (%lv), integers=(k))
    %gv = %lv1[0]
    output %gv
  }
  %w2 = match_shape(%w, (n, 2 * m))
  %shape = shape_of(%w2)
  %y = call_kernel(%shape, "kernel", (%x, 2.5f32), types=[float64])
  %z: Tensor[_, float32] = call_packed("f", (%gv, (%x, const[0]), shape(3, n), @other), pure)
  %c = less(1.0f32, 2.0f32)
  %b = if (%c) {
    %t = softmax(%x, axis=-1)
    %t
  } else {
    %u = @other(%x)
    %u
  }
  %f = concatenate(tuple(%b, %x), axis=0)
  %p = abs(const[0]) layouts (_) -> (N2n)
  %q = add(%p, const[0]) layouts (N2n, _) -> ()
  %gv
}
def @other(%x: Tensor[(n, m), float32]) -> Tensor[(n, m), float32] {
  %x
}
const[0]: Tensor[(2), int32] = [1i32, -2i32]
)";

TEST_CASE("a text with everything parses back", "[graph]") {
  std::string text = everything;
  const Module module = parse_module(text);
  verify(module);
  const std::string printed = text_of(module);
  CHECK(text_of(parse_module(printed)) == printed);
  CHECK(is_equal(module, parse_module(printed)));
  CHECK(printed.size() > 1000);
}

TEST_CASE("a text with any byte changed is refused at a place, or is a program", "[graph]") {
  const std::string text = everything;
  std::mt19937 random(7);
  const auto below = [&](std::size_t bound) { return std::size_t(random() % bound); };
  const std::string bytes = "%@(){}[]:;,=+-*/\"` _.0123456789abnmxw\n\x01\xff";
  int refused = 0, verified = 0;
  for (int mutation = 0; mutation < 100000; ++mutation) {
    std::string changed = text;
    const std::size_t at = below(changed.size());
    switch (below(3)) {
      case 0: changed[at] = bytes[below(bytes.size())]; break;
      case 1: changed.erase(at, 1 + below(4)); break;
      default: changed.insert(at, 1, bytes[below(bytes.size())]);
    }
    try {
      const Module module = parse_module(changed);
      try {
        verify(module);
        ++verified;
      } catch (const Error& error) {
        CHECK(error.code() == Code::E0601_malformed_graph);
      }
    } catch (const Error& error) {
      ++refused;
      if (!error.refusal().explanation.starts_with("line ")) FAIL(error.what());
    }
  }
  CHECK(refused > 50000);
  CHECK(verified > 1000);
}

TEST_CASE("names that are not identifiers, and equal ones", "[graph]") {
  const Module module =
      parse_module(R"(def @`a b`(%`x y`: Tensor[(`n n`), float32]) -> Tensor[(`n n`), float32] {
    %0 = exp(%`x y`); %1 = exp(%0)
    %1
  })");
  const std::string printed = text_of(module);
  CHECK(text_of(parse_module(printed)) == printed);
  const char* const renamed = R"(def @`a b`(%a: Tensor[(n), float32]) -> Tensor[(n), float32] {
    %b = exp(%a) %c = exp(%b) %c })";
  CHECK(is_equal(module, parse_module(renamed)));
  CHECK(!is_equal(module,
                  parse_module(R"(def @`a b`(%a: Tensor[(n), float32]) -> Tensor[(n), float32] {
    %b = exp(%a) %c = exp(%a) %c })")));
}

// x, exp(x), exp(exp(x)), .. : alternately two operators.
Module chain(int length) {
  GraphBuilder b;
  const Value x = variable("x", f32_tensor({n, m}));
  b.function("main", {x}, [&] {
    Value last = x;
    b.dataflow([&] {
      for (int k = 0; k + 1 < length; ++k)
        last = b.emit(k % 2 ? call("exp", {last}) : call("add", {last, x}));
      last = b.emit_output(call("exp", {last}));
    });
    b.emit_function_output(last);
  });
  return b.module();
}

TEST_CASE("long programs take linear time, and operators run once", "[graph]") {
  std::map<std::string, std::map<int, double>> seconds;
  for (const int length : {1000, 10000, 100000}) {
    const auto timed = [&](const std::string& what, auto act) {
      const std::clock_t start = std::clock();  // of the processor, since others are busy, too
      auto result = act();
      seconds[what][length] = double(std::clock() - start) / CLOCKS_PER_SEC + 1e-6;
      return result;
    };
    const Module module = timed("build", [&] { return chain(length); });
    const std::uint64_t before = derivations();
    timed("verify", [&] {
      verify(module);
      return 0;
    });
    const std::string text = timed("print", [&] { return text_of(module); });
    const Module parsed = timed("parse", [&] { return parse_module(text); });
    CHECK(derivations() == before);
    CHECK(timed("compare", [&] { return is_equal(module, parsed); }));
    for (const Pass& pass : {infer_type(), dead_code_elimination(), fold_constant(),
                             eliminate_common_subexpr(), fma_rewrite()})
      timed(pass.info().name, [&] { return pass(module); });
  }
  for (const auto& [what, times] : seconds) {
    std::string line = what;
    for (const auto& [length, time] : times)
      line += " " + std::to_string(int(length / time)) + "/s";
    INFO(line);
    // A bound that only another complexity misses on a busy machine.
    CHECK(times.at(100000) < 25 * times.at(10000) + 0.1);
  }
}

#ifndef __SANITIZE_ADDRESS__  // its malloc does not report sizes
TEST_CASE("a binding takes as much memory in a long program as in a short one", "[graph]") {
  const auto allocated = [] {
    const struct mallinfo2 all = mallinfo2();
    return double(all.uordblks + all.hblkhd);
  };
  for (const int length : {10000, 100000}) {
    const std::string text = text_of(chain(length));
    const double before = allocated();
    const Module module = parse_module(text);
    const double bytes = (allocated() - before) / length;
    INFO(length << " bindings of " << bytes << " bytes");
    CHECK(bytes < 450);
    // What changes nothing adds nothing.
    const double parsed = allocated();
    const Module same =
        sequential({fold_constant(), dead_code_elimination(), fma_rewrite()})(module);
    CHECK((allocated() - parsed) / length < 5);
  }
}
#endif

}  // namespace strata::test::program_text_test
