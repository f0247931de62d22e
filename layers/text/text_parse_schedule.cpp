// Layers II and III of a program's text.
#include "core/sets/quotients.h"
#include "layers/text/text_reader.h"

namespace strata {

Mapping TextReader::forest() {
  scanner_.expect("{");
  Mapping forest{nodes(0)};
  name_pieces(forest);
  return forest;
}

std::vector<Node> TextReader::nodes(int loops) {
  std::vector<Node> list;
  while (!scanner_.accept("}")) {
    if (scanner_.accept_keyword("loop"))
      list.push_back(loop(loops + 1));
    else if (scanner_.accept_keyword("run"))
      list.push_back(branch(loops));
    else
      scanner_.fail_expecting("'loop', 'run' or '}'");
  }
  return list;
}

Node TextReader::branch(int loops) {
  const Token at = scanner_.peek();
  const std::string name = scanner_.expect_name("the name of a computation");
  const Definition* definition = algorithm_.find(name);
  require(definition != nullptr, at, "there is no computation named '" + name + "'");
  const std::string piece =
      scanner_.accept_keyword("piece") ? scanner_.expect_name("the name of a piece") : "";
  const Token placed_at = scanner_.peek();
  const int reader_loops =
      scanner_.accept_keyword("placed") ? number("the number of its readers' loops") : 0;
  require(reader_loops <= loops, placed_at,
          name + " has only " + std::to_string(loops) + " loops around it");
  const bool asynchronous = scanner_.accept_keyword("async");
  const auto mma = scanner_.accept_keyword("mma") ? std::optional(mma_shape()) : std::nullopt;
  scanner_.expect_keyword("at");
  const Token time_at = scanner_.peek();
  const isl::map time = map_between(name, "");
  require(rank(time, isl_dim_out) == loops, time_at,
          name + " has " + std::to_string(loops) + " loops around it, but its time has " +
              std::to_string(rank(time, isl_dim_out)) + " dimensions");
  require(rank(time, isl_dim_in) == int(definition->iterators.size()), time_at,
          name + " has " + std::to_string(definition->iterators.size()) + " iterators, not " +
              std::to_string(rank(time, isl_dim_in)));
  scanner_.expect_keyword("for");
  return Node{Branch{name, TimeMap::from(explicit_quotients(time)), InstanceSet::from(set_of(name)),
                     reader_loops, piece, asynchronous, mma}};
}

MmaShape TextReader::mma_shape() {
  const Token at = scanner_.peek();
  const auto found = mma_shape_named(scanner_.expect_name("a shape of products"));
  require(found.has_value(), at, "expected " + names_of_mma_shapes() + ", found '" + at.text + "'");
  return *found;
}

void TextReader::buffer() {
  LayoutBuffer b;
  b.name = scanner_.expect_name("the name of a buffer");
  b.type = type_name();
  b.dimensions = number("the number of dimensions");
  const Token at = scanner_.peek();
  const std::string role = scanner_.expect_name("input, output or temporary");
  if (role == "input")
    b.role = BufferRole::input;
  else if (role == "output")
    b.role = BufferRole::output;
  else
    require(role == "temporary", at, "expected input, output or temporary, found '" + role + "'");
  if (scanner_.accept_keyword("on")) b.memory = memory();
  b.resident = scanner_.accept_keyword("resident");
  while (scanner_.accept_keyword("extent")) b.extents.push_back(parse_expr(scanner_, names_));
  require(b.extents.empty() || int(b.extents.size()) == b.dimensions, at,
          b.name + " has " + std::to_string(b.dimensions) + " dimensions and " +
              std::to_string(b.extents.size()) + " extents");
  layout_.buffers.push_back(std::move(b));
}

Memory TextReader::memory() {
  const Token at = scanner_.peek();
  const std::string name = scanner_.expect_name(names_of_memories());
  const auto found = memory_named(name);
  require(found.has_value(), at, "expected " + names_of_memories() + ", found '" + name + "'");
  return *found;
}

void TextReader::store() {
  const Token at = scanner_.peek();
  const std::string array = scanner_.expect_name("the name of an array");
  require(type_of(array).has_value(), at, "there is no array or input named '" + array + "'");
  const Token relation_at = scanner_.peek();
  const auto map = relation<isl::map>("a relation");
  const LayoutBuffer* buffer = layout_.find(tuple_name(map, isl_dim_out));
  require(tuple_name(map, isl_dim_in) == array && buffer != nullptr, relation_at,
          "this relation should map " + array + " to a buffer");
  require(rank(map, isl_dim_out) == buffer->dimensions, relation_at,
          buffer->name + " has " + std::to_string(buffer->dimensions) + " dimensions");
  layout_.store.insert_or_assign(array, AccessRelation::from(map));
}

void TextReader::copies() {
  for (;;) {
    if (scanner_.accept_keyword("to_device"))
      layout_.copies.push_back(given_copy(Transfer::to_device));
    else if (scanner_.accept_keyword("to_host"))
      layout_.copies.push_back(given_copy(Transfer::to_host));
    else
      return;
  }
}

}  // namespace strata
