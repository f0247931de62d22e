#include <isl/map.h>
#include <isl/set.h>
#include <isl/union_map.h>

#include <algorithm>
#include <array>

#include "core/expr_text.h"
#include "core/tuple.h"
#include "layers/build_parts.h"
#include "layers/text.h"

namespace strata {

namespace {

std::optional<Processor> processor_named(const std::string& name) {
  for (Processor p :
       {Processor::sequential, Processor::parallel, Processor::vector, Processor::unrolled})
    if (to_string(p) == name) return p;
  return std::nullopt;
}

std::optional<Border> border_named(const std::string& name) {
  for (Border b : {Border::automatic, Border::separate, Border::guard, Border::mask})
    if (to_string(b) == name) return b;
  return std::nullopt;
}

std::string tuple_name(const isl::set& set) {
  return isl_set_has_tuple_name(set.get()) == isl_bool_true ? isl_set_get_tuple_name(set.get())
                                                            : "";
}

std::string tuple_name(const isl::map& map, isl_dim_type side) {
  return isl_map_has_tuple_name(map.get(), side) == isl_bool_true
             ? isl_map_get_tuple_name(map.get(), side)
             : "";
}

int rank(const isl::map& map, isl_dim_type side) { return isl_map_dim(map.get(), side); }

// The reader of one program: one function per rule of the grammar in the header.
class Reader {
 public:
  Reader(std::shared_ptr<Session> session, std::string_view text)
      : session_(std::move(session)), scanner_(text) {
    names_.type_of = [this](const std::string& name) { return type_of(name); };
  }

  Program program();

 private:
  // ---- words and relations ----

  [[noreturn]] void fail(const Token& at, const std::string& explanation) const {
    scanner_.fail(at, Code::E0108_unreadable_text, explanation);
  }
  void require(bool condition, const Token& at, const std::string& explanation) const {
    if (!condition) fail(at, explanation);
  }

  Type type_name();
  int number(std::string_view what);
  std::string string(std::string_view what);

  // A set or relation in isl's notation.
  template <typename Relation>
  Relation relation(const std::string& what);
  // A set or map whose tuples bear the names given; an empty name stands for none.
  isl::set set_of(const std::string& tuple);
  isl::map map_between(const std::string& domain, const std::string& range);

  // ---- layer I ----

  std::optional<Type> type_of(const std::string& name) const;
  Component component();
  Expr step(const Definition& definition);
  void parameters();
  void input();
  void computation();
  bool property(Definition& definition);
  std::vector<Expr> element();
  void size();
  ReductionRule reduction();
  Read read(const Definition& definition);
  void verify_names() const;

  // ---- layers II and III ----

  Mapping forest();
  std::vector<Node> nodes(int loops);
  Node loop(int loops);
  void tiles_and_border(Loop& loop);
  Prefetch prefetch();
  Node branch(int loops);
  void buffer();
  Memory memory();
  void store();
  void atomic();
  void stream();

  std::shared_ptr<Session> session_;
  TextScanner scanner_;
  ExprNames names_;
  Algorithm algorithm_;
  std::map<std::string, Type> arrays_;
  Layout layout_;
};

Type Reader::type_name() {
  const Token at = scanner_.peek();
  const auto type = type_named(scanner_.expect_name("a type"));
  require(type.has_value(), at, "expected a type (int32, float32, ..), found '" + at.text + "'");
  return *type;
}

int Reader::number(std::string_view what) {
  const Token at = scanner_.peek();
  const bool digits = at.kind == Token::Kind::number && at.text.size() < 6 &&
                      at.text.find_first_not_of("0123456789") == std::string::npos;
  if (!digits) scanner_.fail_expecting(what);
  return std::stoi(scanner_.next().text);
}

std::string Reader::string(std::string_view what) {
  if (scanner_.peek().kind != Token::Kind::string) scanner_.fail_expecting(what);
  return scanner_.next().text;
}

template <typename Relation>
Relation Reader::relation(const std::string& what) {
  const Token at = scanner_.peek();
  const std::string text = scanner_.expect_braced(what + " in isl's notation, in braces");
  try {
    return Relation(session_->isl(), text);
  } catch (const isl::exception&) {
    fail(at, "isl cannot read this as " + what + ": " + text);
  }
}

isl::set Reader::set_of(const std::string& tuple) {
  const Token at = scanner_.peek();
  const auto set = relation<isl::set>("a set");
  require(tuple_name(set) == tuple, at,
          "the tuple of this set is '" + tuple_name(set) + "' and should be '" + tuple + "'");
  return set;
}

isl::map Reader::map_between(const std::string& domain, const std::string& range) {
  const Token at = scanner_.peek();
  const auto map = relation<isl::map>("a relation");
  const std::string from = tuple_name(map, isl_dim_in), to = tuple_name(map, isl_dim_out);
  require(from == domain && to == range, at,
          "the tuples of this relation are '" + from + "' and '" + to + "' and should be '" +
              domain + "' and '" + range + "'");
  return map;
}

std::optional<Type> Reader::type_of(const std::string& name) const {
  if (const auto array = arrays_.find(name); array != arrays_.end()) return array->second;
  if (const InputArray* input = algorithm_.find_input(name)) return input->type;
  return std::nullopt;
}

void Reader::parameters() {
  while (scanner_.accept_keyword("parameter"))
    algorithm_.parameters.push_back(scanner_.expect_name("the name of a parameter"));
  names_.parameters = {algorithm_.parameters.begin(), algorithm_.parameters.end()};
  scanner_.expect_keyword("context");
  algorithm_.context = Context::from(relation<isl::set>("a set"));
  while (scanner_.accept_keyword("assume"))
    algorithm_.assumed.push_back(parse_expr(scanner_, names_));
}

void Reader::input() {
  const std::string name = scanner_.expect_name("the name of an input");
  const Type type = type_name();
  scanner_.expect_keyword("elements");
  algorithm_.inputs.push_back({name, type, InstanceSet::from(set_of(name))});
}

void Reader::computation() {
  Definition d;
  d.name = scanner_.expect_name("the name of a computation");
  scanner_.expect_keyword("of");
  const Token array = scanner_.peek();
  d.array = scanner_.expect_name("the name of an array");
  require(arrays_.count(d.array), array, "no array line names '" + d.array + "'");
  d.type = type_name();
  scanner_.expect("(");
  while (!scanner_.accept(")")) {
    if (!d.iterators.empty()) scanner_.expect(",");
    d.iterators.push_back(scanner_.expect_name("the name of an iterator"));
  }
  const Token at = scanner_.peek();
  scanner_.expect_keyword("instances");
  d.domain = InstanceSet::from(set_of(d.name));
  const std::size_t dimensions = isl::set(d.domain).tuple_dim();
  require(dimensions == d.iterators.size(), at,
          d.name + " has " + std::to_string(d.iterators.size()) + " iterators and instances of " +
              std::to_string(dimensions) + " dimensions");
  d.domain = InstanceSet::from(with_dim_names(d.domain, d.iterators));
  scanner_.expect_keyword("defines");
  d.defines = ValueRelation::from(map_between(d.name, d.array));
  while (property(d)) continue;
  algorithm_.definitions.push_back(std::move(d));
}

bool Reader::property(Definition& d) {
  if (scanner_.accept_keyword("value"))
    d.value = parse_expr(scanner_, names_);
  else if (scanner_.accept_keyword("component"))
    d.others.push_back(component());
  else if (scanner_.accept_keyword("element"))
    d.element = element();
  else if (scanner_.accept_keyword("where"))
    d.predicate = parse_expr(scanner_, names_);
  else if (scanner_.accept_keyword("reduction"))
    d.reduction = reduction();
  else if (d.reduction && scanner_.accept_keyword("step"))
    d.reduction->steps.push_back(step(d));
  else if (scanner_.accept_keyword("inferred"))
    d.inferred = true;
  else if (scanner_.accept_keyword("initial"))
    d.is_initial = true;
  else if (scanner_.accept_keyword("ranges"))
    d.given_ranges = set_of(d.name);
  else if (scanner_.is_keyword("may") || scanner_.is_keyword("reads"))
    d.reads.push_back(read(d));
  else
    return false;
  return true;
}

Component Reader::component() {
  const Token at = scanner_.peek();
  Component c;
  c.name = scanner_.expect_name("the name of a component");
  require(arrays_.count(c.name), at, "no array line names '" + c.name + "'");
  c.type = type_name();
  scanner_.expect_keyword("value");
  c.value = parse_expr(scanner_, names_);
  return c;
}

// In a step the operands are names too.
Expr Reader::step(const Definition& d) {
  ExprNames names = names_;
  names.type_of = [&](const std::string& name) -> std::optional<Type> {
    std::vector<Type> types{d.type};
    for (const Component& c : d.others) types.push_back(c.type);
    for (std::size_t n = 0; n < types.size(); ++n)
      if (name == left_operand(n, types[n]).name() || name == right_operand(n, types[n]).name())
        return types[n];
    return std::nullopt;
  };
  return parse_expr(scanner_, names);
}

std::vector<Expr> Reader::element() {
  std::vector<Expr> indices;
  scanner_.expect("(");
  while (!scanner_.accept(")")) {
    if (!indices.empty()) scanner_.expect(",");
    indices.push_back(parse_expr(scanner_, names_));
  }
  return indices;
}

void Reader::size() {
  const Token at = scanner_.peek();
  const std::string name = scanner_.expect_name("the name of a parameter");
  require(names_.parameters.count(name) > 0, at, "there is no parameter named '" + name + "'");
  algorithm_.sizes.push_back({name, parse_expr(scanner_, names_)});
}

ReductionRule Reader::reduction() {
  const Token at = scanner_.peek();
  const std::string name = scanner_.expect_name("a reduction");
  const auto kind = reduction_named(name);
  require(kind || name == "made", at,
          "expected a reduction (sum, minimum, .., made), found '" + at.text + "'");
  scanner_.expect_keyword("from");
  const std::string initial = scanner_.expect_name("the name of a computation");
  scanner_.expect_keyword("results");
  return {kind, initial, number("the number of the result's iterators")};
}

Read Reader::read(const Definition& d) {
  const bool may = scanner_.accept_keyword("may");
  scanner_.expect_keyword("reads");
  const std::string producer = scanner_.expect_name("the name of an input or computation");
  return {producer, ReadRelation::from(map_between(d.name, producer)), may};
}

// What stands after its use is looked up when all is read.
void Reader::verify_names() const {
  const Token& at = scanner_.peek();
  for (const Definition& d : algorithm_.definitions) {
    for (const Read& read : d.reads)
      require(algorithm_.find(read.producer) || algorithm_.find_input(read.producer), at,
              d.name + " reads " + read.producer + ", which is no input and no computation");
    if (!d.reduction) continue;
    require(algorithm_.find(d.reduction->initial) != nullptr, at,
            d.name + " starts from " + d.reduction->initial + ", which is no computation");
    require(d.reduction->results <= int(d.iterators.size()), at,
            d.name + " has fewer iterators than results");
  }
}

Mapping Reader::forest() {
  scanner_.expect("{");
  return {nodes(0)};
}

std::vector<Node> Reader::nodes(int loops) {
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

void Reader::tiles_and_border(Loop& loop) {
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

Node Reader::loop(int loops) {
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
  require(!loop.body.empty(), at, "loop " + loop.name + " holds nothing");
  return Node{std::move(loop)};
}

Prefetch Reader::prefetch() {
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
  p.distance = number("the number of iterations");
  require(p.distance >= 1, number_at, "a loop prefetches one iteration ahead or more");
  return p;
}

Node Reader::branch(int loops) {
  const Token at = scanner_.peek();
  const std::string name = scanner_.expect_name("the name of a computation");
  const Definition* definition = algorithm_.find(name);
  require(definition != nullptr, at, "there is no computation named '" + name + "'");
  const Token placed_at = scanner_.peek();
  const int placed =
      scanner_.accept_keyword("placed") ? number("the number of its readers' loops") : 0;
  require(placed <= loops, placed_at, name + " stands in " + std::to_string(loops) + " loops only");
  scanner_.expect_keyword("at");
  const Token time_at = scanner_.peek();
  const isl::map time = map_between(name, "");
  require(rank(time, isl_dim_out) == loops, time_at,
          name + " stands in " + std::to_string(loops) + " loops and its time has " +
              std::to_string(rank(time, isl_dim_out)) + " dimensions");
  require(rank(time, isl_dim_in) == int(definition->iterators.size()), time_at,
          name + " has " + std::to_string(definition->iterators.size()) + " iterators, not " +
              std::to_string(rank(time, isl_dim_in)));
  scanner_.expect_keyword("for");
  return Node{Branch{name, TimeMap::from(time), InstanceSet::from(set_of(name)), placed}};
}

void Reader::buffer() {
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

Memory Reader::memory() {
  const Token at = scanner_.peek();
  const std::string name = scanner_.expect_name("heap or stack");
  require(name == "heap" || name == "stack", at, "expected heap or stack, found '" + name + "'");
  return name == "heap" ? Memory::heap : Memory::stack;
}

void Reader::store() {
  const Token at = scanner_.peek();
  const std::string array = scanner_.expect_name("the name of an array");
  require(type_of(array).has_value(), at, "there is no array or input named '" + array + "'");
  const Token relation_at = scanner_.peek();
  const auto map = relation<isl::map>("a relation");
  const LayoutBuffer* buffer = layout_.find(tuple_name(map, isl_dim_out));
  require(tuple_name(map, isl_dim_in) == array && buffer != nullptr, relation_at,
          "this relation should lead from " + array + " to a buffer");
  require(rank(map, isl_dim_out) == buffer->dimensions, relation_at,
          buffer->name + " has " + std::to_string(buffer->dimensions) + " dimensions");
  layout_.store.insert_or_assign(array, AccessRelation::from(map));
}

void Reader::atomic() {
  const Token at = scanner_.peek();
  const std::string name = scanner_.expect_name("the name of a reduction");
  const Definition* definition = algorithm_.find(name);
  require(definition && definition->reduction, at, "there is no reduction named '" + name + "'");
  layout_.atomics.insert(name);
}

void Reader::stream() {
  const Token at = scanner_.peek();
  const std::string name = scanner_.expect_name("the name of a computation");
  const Definition* definition = algorithm_.find(name);
  require(definition && !definition->reduction, at, "nothing named '" + name + "' can be streamed");
  layout_.streamed.insert(name);
}

Program Reader::program() {
  Program program;
  program.session = session_;
  scanner_.expect_keyword("program");
  program.name = scanner_.expect_name("the program's name");
  parameters();
  while (scanner_.accept_keyword("input")) input();
  while (scanner_.accept_keyword("size")) size();
  while (scanner_.accept_keyword("array")) {
    const std::string name = scanner_.expect_name("the name of an array");
    arrays_.insert_or_assign(name, type_name());
  }
  while (scanner_.accept_keyword("computation")) computation();
  verify_names();
  scanner_.expect_keyword("reference");
  algorithm_.reference = forest();
  scanner_.expect_keyword("schedule");
  program.mapping = forest();
  while (scanner_.accept_keyword("buffer")) buffer();
  while (scanner_.accept_keyword("store")) store();
  while (scanner_.accept_keyword("atomic")) atomic();
  while (scanner_.accept_keyword("stream")) stream();
  while (scanner_.accept_keyword("waived")) {
    const std::string command = string("the command, between double quotes");
    program.waivers.push_back(
        {command, Dependences::from(relation<isl::union_map>("a union of relations"))});
  }
  while (scanner_.accept_keyword("command"))
    program.history.push_back(string("a command, between double quotes"));
  scanner_.expect_end();
  program.algorithm = std::make_shared<const Algorithm>(std::move(algorithm_));
  program.layout = std::move(layout_);
  return program;
}

}  // namespace

Program parse_program(std::shared_ptr<Session> session, std::string_view text) {
  return Reader(std::move(session), text).program();
}

Program transfer(const Program& program, std::shared_ptr<Session> session) {
  return parse_program(std::move(session), to_text(program));
}

}  // namespace strata
