// Layers II and III of a program's text.
#include "core/sets/quotients.h"
#include "layers/text/text_reader.h"

namespace strata {

namespace {

std::optional<Border> border_named(const std::string& name) {
  for (Border b : {Border::automatic, Border::separate, Border::guard, Border::mask})
    if (to_string(b) == name) return b;
  return std::nullopt;
}

}  // namespace

Mapping TextReader::forest() {
  scanner_.expect("{");
  return {nodes(0)};
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

void TextReader::tiles_and_border(Loop& loop) {
  if (scanner_.accept_keyword("tiles")) {
    const Token size = scanner_.peek();
    loop.tile_size = scanner_.expect_name("the size of the tiles");
    require(names_.parameters.count(*loop.tile_size) != 0, size,
            "there is no parameter named '" + *loop.tile_size + "'");
  }
  if (scanner_.accept_keyword("border")) {
    const Token chosen = scanner_.peek();
    const auto found = border_named(scanner_.expect_name("a border"));
    require(found.has_value(), chosen,
            "expected automatic, separate, guard or mask, found '" + chosen.text + "'");
    loop.border = *found;
  }
}

Node TextReader::loop(int loops) {
  const Token at = scanner_.peek();
  require(loops < 1000, at, "loops are nested more than 1000 deep");
  Loop loop;
  loop.name = scanner_.expect_name("the name of a loop");
  const Token processor = scanner_.peek();
  const bool bare = scanner_.is_keyword("tiles") || scanner_.is_keyword("border");
  if (processor.kind == Token::Kind::name && !bare) {
    const auto found = processor_named(scanner_.next().text);
    require(found.has_value(), processor,
            "expected sequential, parallel, vector or unrolled, found '" + processor.text + "'");
    loop.processor = *found;
  }
  tiles_and_border(loop);
  scanner_.expect("{");
  while (scanner_.accept_keyword("allocates"))
    loop.allocations.push_back(scanner_.expect_name("the name of a buffer"));
  while (scanner_.accept_keyword("prefetches")) loop.prefetches.push_back(prefetch());
  loop.body = nodes(loops);
  require(!loop.body.empty(), at, "loop " + loop.name + " is empty");
  return Node{std::move(loop)};
}

Prefetch TextReader::prefetch() {
  Prefetch p;
  const Token array_at = scanner_.peek();
  p.array = scanner_.expect_name("the name of an array");
  require(type_of(p.array).has_value(), array_at, "there is no array named '" + p.array + "'");
  scanner_.expect_keyword("for");
  const Token at = scanner_.peek();
  p.definition = scanner_.expect_name("the name of a computation");
  require(algorithm_.find(p.definition), at, "there is no computation '" + p.definition + "'");
  scanner_.expect_keyword("ahead");
  const Token number_at = scanner_.peek();
  p.distance = number("the number of iterations", 9);
  require(p.distance >= 1, number_at, "a loop prefetches one iteration ahead or more");
  return p;
}

Node TextReader::branch(int loops) {
  const Token at = scanner_.peek();
  const std::string name = scanner_.expect_name("the name of a computation");
  const Definition* definition = algorithm_.find(name);
  require(definition != nullptr, at, "there is no computation named '" + name + "'");
  const Token placed_at = scanner_.peek();
  const int reader_loops =
      scanner_.accept_keyword("placed") ? number("the number of its readers' loops") : 0;
  require(reader_loops <= loops, placed_at,
          name + " has only " + std::to_string(loops) + " loops around it");
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
                     reader_loops}};
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
  while (scanner_.accept_keyword("extent")) b.extents.push_back(parse_expr(scanner_, names_));
  require(b.extents.empty() || int(b.extents.size()) == b.dimensions, at,
          b.name + " has " + std::to_string(b.dimensions) + " dimensions and " +
              std::to_string(b.extents.size()) + " extents");
  layout_.buffers.push_back(std::move(b));
}

Memory TextReader::memory() {
  const Token at = scanner_.peek();
  const std::string name = scanner_.expect_name("heap or stack");
  require(name == "heap" || name == "stack", at, "expected heap or stack, found '" + name + "'");
  return name == "heap" ? Memory::heap : Memory::stack;
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

}  // namespace strata
