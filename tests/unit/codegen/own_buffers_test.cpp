// Allocations and frees around the statements of a body.
#include "codegen/loops/own_buffers.h"

#include <catch2/catch.hpp>

#include "codegen/tree/verify_loop_tree.h"

namespace strata::test::own_buffers_test {

namespace {

const Expr zero = constant(i64, 0), one = constant(i32, 1);

// to[0] = value
StmtPtr put(const std::string& to, const Expr& value) {
  return make_stmt(Execute{to, {}, to, {zero}, value});
}
Expr from(const std::string& buffer) { return load(buffer, i32, {zero}); }

OwnBuffer own(const std::string& name, int first, int last) {
  return {name, first, last, [name](const StmtPtr& body) {
            return make_stmt(Allocate{name, i32, {zero}, {constant(i64, 1)}, body});
          }};
}

std::string text_of(const StmtPtr& stmt) {
  Kernel kernel;
  kernel.name = "f";
  kernel.buffers = {{"out", i32, Access::written, {zero}, {constant(i64, 1)}}};
  kernel.body = stmt;
  CHECK(findings(kernel).empty());
  return to_c_text(kernel);
}

// Where the words are found in the text, one after the other.
bool in_order(const std::string& text, const std::vector<std::string>& words) {
  std::size_t at = 0;
  for (const std::string& word : words) {
    at = text.find(word, at);
    if (at == std::string::npos) return false;
    at += word.size();
  }
  return true;
}

}  // namespace

TEST_CASE("a buffer is allocated before its first node and freed after its last", "[codegen]") {
  const std::vector<NodeStmt> chain{{0, put("a", one)},
                                    {1, put("b", from("a"))},
                                    {2, put("c", from("b"))},
                                    {3, put("out", from("c"))}};
  const std::string text =
      text_of(with_own_buffers(chain, {own("a", 0, 1), own("b", 1, 2), own("c", 2, 3)}));
  CHECK(in_order(text, {"allocate int32 a", "a[0] =", "allocate int32 b", "b[0] =", "free a;",
                        "allocate int32 c", "c[0] =", "free b;", "out[0] ="}));
  CHECK(text.find("free c;") == std::string::npos);  // its allocation ends there
}

TEST_CASE("all copies of a node are in the life of its buffers", "[codegen]") {
  const std::vector<NodeStmt> copies{
      {0, put("out", one)}, {1, put("a", one)}, {1, put("out", from("a"))}, {2, put("out", one)}};
  const std::string text = text_of(with_own_buffers(copies, {own("a", 1, 1)}));
  CHECK(in_order(text, {"out[0] =", "allocate int32 a", "a[0] =", "out[0] = load int32 a[0]",
                        "free a;", "out[0] ="}));
}

TEST_CASE("a buffer of nodes that are left out is not allocated", "[codegen]") {
  const std::string text = text_of(with_own_buffers({{0, put("out", one)}}, {own("a", 1, 2)}));
  CHECK(text.find("allocate") == std::string::npos);
}

TEST_CASE("what is used after its free breaks a rule", "[codegen]") {
  Kernel kernel;
  kernel.name = "f";
  kernel.buffers = {{"out", i32, Access::written, {zero}, {constant(i64, 1)}}};
  const auto body = [&](std::vector<StmtPtr> all) {
    return own("a", 0, 0).allocated(make_stmt(Block{std::move(all)}));
  };
  kernel.body = body({put("a", one), make_stmt(Free{"a"}), put("out", from("a"))});
  REQUIRE_FALSE(findings(kernel).empty());
  CHECK(findings(kernel)[0].substr(0, 4) == "R604");
  kernel.body = body({put("a", one), make_stmt(Free{"a"}), make_stmt(Free{"a"})});
  REQUIRE_FALSE(findings(kernel).empty());
  kernel.body = make_stmt(Free{"out"});
  REQUIRE_FALSE(findings(kernel).empty());
}

}  // namespace strata::test::own_buffers_test
