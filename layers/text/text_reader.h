// Parser for the text of a program: one function per rule of the grammar in layers/text/text.h.
#pragma once

#include <isl/map.h>
#include <isl/set.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/expr/expr_text.h"
#include "core/text_scanner.h"
#include "layers/program.h"

namespace strata {

class TextReader {
 public:
  TextReader(std::shared_ptr<Session> session, std::string_view text)
      : session_(std::move(session)), scanner_(text) {
    names_.type_of = [this](const std::string& name) { return type_of(name); };
  }

  Program program();

  // A mark of a loop: its keyword, the texts that follow the keyword (none: it is not written), and
  // the function that reads one of them.
  struct Mark {
    std::string word;
    std::vector<std::string> (*texts)(const LoopHead& loop);
    void (*read)(TextReader& reader, LoopHead& loop);
  };
  // The marks after the processor, each at most once, and those inside the loop, in the order of
  // the text.
  static const std::vector<Mark>& tags();
  static const std::vector<Mark>& belongings();

 private:
  // ---- words and relations ----

  [[noreturn]] void fail(const Token& at, const std::string& explanation) const {
    scanner_.fail(at, Code::E0108_unreadable_text, explanation);
  }
  void require(bool condition, const Token& at, const std::string& explanation) const {
    if (!condition) fail(at, explanation);
  }

  // "" if the tuple has no name.
  static std::string tuple_name(const isl::set& set) {
    const bool named = isl_set_has_tuple_name(set.get()) == isl_bool_true;
    return named ? isl_set_get_tuple_name(set.get()) : "";
  }
  static std::string tuple_name(const isl::map& map, isl_dim_type side) {
    const bool named = isl_map_has_tuple_name(map.get(), side) == isl_bool_true;
    return named ? isl_map_get_tuple_name(map.get(), side) : "";
  }
  static int rank(const isl::map& map, isl_dim_type side) { return isl_map_dim(map.get(), side); }

  Type type_name();
  int number(std::string_view what, std::size_t digits = 5);
  std::string string(std::string_view what);

  // A set or relation in isl's notation.
  template <typename Relation>
  Relation relation(const std::string& what);
  // A set or map whose tuples have the given names; an empty name means an unnamed tuple.
  isl::set set_of(const std::string& tuple);
  isl::map map_between(const std::string& domain, const std::string& range);

  // ---- layer I ----

  std::optional<Type> type_of(const std::string& name) const;
  Component component();
  Expr value_of(Type type);
  Expr step(const Definition& definition);
  void parameters();
  void input();
  void computation();
  bool property(Definition& definition);
  std::vector<Expr> element();
  void size();
  void partition();
  ReductionRule reduction();
  Read read(const Definition& definition);
  void verify_names() const;

  // ---- layers II and III ----

  Mapping forest();
  std::vector<Node> nodes(int loops);
  Node loop(int loops);
  std::string tile_size();
  std::string partition_named();
  TailStrategy tail_strategy();
  std::int64_t min_blocks();
  MmaShape mma_shape();
  Processor processor();
  Prefetch prefetch();
  std::string array();  // an existing one
  GivenCopy given_copy(Transfer direction);
  Node branch(int loops);
  void buffer();
  Memory memory();
  void store();
  void copies();

  std::shared_ptr<Session> session_;
  TextScanner scanner_;
  ExprNames names_;
  Algorithm algorithm_;
  std::map<std::string, Type> arrays_;
  Layout layout_;
};

template <typename Relation>
Relation TextReader::relation(const std::string& what) {
  const Token at = scanner_.peek();
  const std::string text = scanner_.expect_braced(what + " in isl's notation, in braces");
  try {
    return Relation(session_->isl(), text);
  } catch (const isl::exception&) {
    fail(at, "isl cannot read this as " + what + ": " + text);
  }
}

}  // namespace strata
