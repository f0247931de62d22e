// The layout of C: blocks and broken lines.
#include <catch2/catch.hpp>

#include "codegen/c/lines.h"

namespace strata::test::lines_test {

using c::Lines;

TEST_CASE("a block without a head that fills another one is left out", "[c]") {
  Lines out;
  out.block("for (;;)", [&] { out.block("", [&] { out.block("", [&] { out.line("a;"); }); }); });
  out.block("if (b)", [&] {
    out.block("", [&] { out.line("c;"); });
    out.otherwise();
    out.block("", [&] { out.line("d;"); });
    out.line("e;");
  });
  CHECK(out.text() == R"(for (;;) {
  a;
}
if (b) {
  c;
} else {
  {
    d;
  }
  e;
}
)");
}

TEST_CASE("a block beside other lines stays", "[c]") {
  Lines out;
  out.block("for (;;)", [&] {
    out.line("a;");
    out.block("", [&] { out.line("b;"); });
  });
  out.block("for (;;)", [&] {
    out.block("", [&] { out.line("c;"); });
    out.directive("#pragma omp simd");
  });
  CHECK(out.text() == R"(for (;;) {
  a;
  {
    b;
  }
}
for (;;) {
  {
    c;
  }
#pragma omp simd
}
)");
}

TEST_CASE("a long line is broken inside as few brackets as possible, and not in a string", "[c]") {
  const std::string ten = "0123456789";
  std::string sum = "x[" + ten + " + " + ten + "]";
  for (int n = 0; n < 4; ++n) sum += " + y[" + ten + " + " + ten + "]";
  Lines out(1);
  out.line(sum);
  const std::string string = "f(\"" + ten + " \\\" " + std::string(70, ' ') + "\", ";
  out.line(string + "another);");
  const std::string part = "[" + ten + " + " + ten + "]";
  CHECK(out.text() == "  x" + part + " + y" + part + " + y" + part + " +\n      y" + part + " + y" +
                          part + "\n  " + string.substr(0, string.size() - 1) +
                          "\n      another);\n");
}

TEST_CASE("the brace after a block's head is not alone in a line", "[c]") {
  const std::string name(90, 'n');
  Lines out;
  out.open("if (" + name + " > 0 + x)");
  CHECK(out.text() == "if (" + name + " > 0 +\n    x) {\n");
}

TEST_CASE("a line is broken behind a separator", "[c]") {
  const std::string name(30, 'n');
  Lines out;
  out.line("for (int64_t i = " + name + "; i < " + name + " - " + name + "; ++i) {");
  CHECK(out.text() ==
        "for (int64_t i = " + name + ";\n    i < " + name + " - " + name + "; ++i) {\n");
}

}  // namespace strata::test::lines_test
