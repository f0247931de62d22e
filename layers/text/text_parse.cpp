#include <isl/union_map.h>

#include "core/expr/tuple.h"
#include "core/sets/quotients.h"
#include "layers/define/build_parts.h"
#include "layers/flow/atomic_step.h"
#include "layers/text/text.h"
#include "layers/text/text_reader.h"

namespace strata {

Type TextReader::type_name() {
  const Token at = scanner_.peek();
  const auto type = type_named(scanner_.expect_name("a type"));
  require(type.has_value(), at, "expected a type (int32, float32, ..), found '" + at.text + "'");
  return *type;
}

int TextReader::number(std::string_view what, std::size_t digits) {
  const Token at = scanner_.peek();
  const bool is_number = at.kind == Token::Kind::number && at.text.size() <= digits &&
                         at.text.find_first_not_of("0123456789") == std::string::npos;
  if (!is_number) scanner_.fail_expecting(what);
  return std::stoi(scanner_.next().text);
}

std::string TextReader::string(std::string_view what) {
  if (scanner_.peek().kind != Token::Kind::string) scanner_.fail_expecting(what);
  return scanner_.next().text;
}

isl::set TextReader::set_of(const std::string& tuple) {
  const Token at = scanner_.peek();
  const auto set = relation<isl::set>("a set");
  require(tuple_name(set) == tuple, at,
          "the tuple of this set is '" + tuple_name(set) + "' and should be '" + tuple + "'");
  return explicit_quotients(set);
}

isl::map TextReader::map_between(const std::string& domain, const std::string& range) {
  const Token at = scanner_.peek();
  const auto map = relation<isl::map>("a relation");
  const std::string from = tuple_name(map, isl_dim_in), to = tuple_name(map, isl_dim_out);
  require(from == domain && to == range, at,
          "the tuples of this relation are '" + from + "' and '" + to + "' and should be '" +
              domain + "' and '" + range + "'");
  return map;
}

std::optional<Type> TextReader::type_of(const std::string& name) const {
  if (const auto array = arrays_.find(name); array != arrays_.end()) return array->second;
  if (const InputArray* input = algorithm_.find_input(name)) return input->type;
  return std::nullopt;
}

void TextReader::parameters() {
  while (scanner_.accept_keyword("parameter"))
    algorithm_.parameters.push_back(scanner_.expect_name("the name of a parameter"));
  names_.parameters = {algorithm_.parameters.begin(), algorithm_.parameters.end()};
  scanner_.expect_keyword("context");
  algorithm_.context = Context::from(relation<isl::set>("a set"));
  while (scanner_.accept_keyword("assume"))
    algorithm_.assumed.push_back(parse_expr(scanner_, names_));
}

void TextReader::input() {
  const std::string name = scanner_.expect_name("the name of an input");
  const Type type = type_name();
  const bool by_value = scanner_.accept_keyword("by_value");
  scanner_.expect_keyword("elements");
  const Token at = scanner_.peek();
  algorithm_.inputs.push_back({name, type, InstanceSet::from(set_of(name)), by_value});
  require(!by_value || isl::set(algorithm_.inputs.back().domain).tuple_dim() == 0, at,
          "an input that is passed by value has no dimensions");
}

void TextReader::computation() {
  Definition d;
  d.name = scanner_.expect_name("the name of a computation");
  scanner_.expect_keyword("of");
  const Token array = scanner_.peek();
  d.array = scanner_.expect_name("the name of an array");
  require(arrays_.count(d.array), array, "no array line names '" + d.array + "'");
  const Token type = scanner_.peek();
  d.type = type_name();
  require(d.type == arrays_.at(d.array), type,
          d.array + " holds " + to_string(arrays_.at(d.array)) + ", not " + to_string(d.type));
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

bool TextReader::property(Definition& d) {
  if (scanner_.accept_keyword("value"))
    d.value = value_of(d.type);
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
  else if (scanner_.accept_keyword("atomic"))
    d.is_atomic = true;
  else if (scanner_.accept_keyword("ranges"))
    d.given_ranges = set_of(d.name);
  else if (scanner_.is_keyword("may") || scanner_.is_keyword("reads"))
    d.reads.push_back(read(d));
  else
    return false;
  return true;
}

Component TextReader::component() {
  const Token at = scanner_.peek();
  Component c;
  c.name = scanner_.expect_name("the name of a component");
  require(arrays_.count(c.name), at, "no array line names '" + c.name + "'");
  const Token type = scanner_.peek();
  c.type = type_name();
  require(c.type == arrays_.at(c.name), type,
          c.name + " holds " + to_string(arrays_.at(c.name)) + ", not " + to_string(c.type));
  scanner_.expect_keyword("value");
  c.value = value_of(c.type);
  return c;
}

Expr TextReader::value_of(Type type) {
  const Token at = scanner_.peek();
  const Expr value = parse_expr(scanner_, names_);
  require(value.type() == type, at,
          "this value is " + to_string(value.type()) + " and should be " + to_string(type));
  return value;
}

// In a step the operands are names too.
Expr TextReader::step(const Definition& d) {
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

std::vector<Expr> TextReader::element() {
  std::vector<Expr> indices;
  scanner_.expect("(");
  while (!scanner_.accept(")")) {
    if (!indices.empty()) scanner_.expect(",");
    indices.push_back(parse_expr(scanner_, names_));
  }
  return indices;
}

void TextReader::size() {
  const Token at = scanner_.peek();
  const std::string name = scanner_.expect_name("the name of a parameter");
  require(names_.parameters.count(name) > 0, at, "there is no parameter named '" + name + "'");
  algorithm_.sizes.push_back({name, parse_expr(scanner_, names_)});
}

void TextReader::partition() {
  const std::string name = scanner_.expect_name("the name of a partition");
  const Token at = scanner_.peek();
  algorithm_.partitions.push_back({name, parse_expr(scanner_, names_)});
  require(box_of(session_->isl(), name, {algorithm_.partitions.back().size}).has_value(), at,
          "the size of the partition " + name + " is not affine in the parameters");
}

ReductionRule TextReader::reduction() {
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

Read TextReader::read(const Definition& d) {
  const bool may = scanner_.accept_keyword("may");
  scanner_.expect_keyword("reads");
  const std::string producer = scanner_.expect_name("the name of an input or computation");
  return {producer, ReadRelation::from(map_between(d.name, producer)), may};
}

// Names may be used before their definition, so they are looked up after the last one.
void TextReader::verify_names() const {
  const Token& at = scanner_.peek();
  for (const Definition& d : algorithm_.definitions) {
    for (const Read& read : d.reads)
      require(algorithm_.find(read.producer) || algorithm_.find_input(read.producer), at,
              d.name + " reads " + read.producer + ", which is neither an input nor a computation");
    require(!d.is_atomic || has_steps(d), at,
            d.name + " is atomic, but is neither a reduction nor an atomic update");
    if (!d.reduction) continue;
    require(algorithm_.find(d.reduction->initial) != nullptr, at,
            d.name + " starts from " + d.reduction->initial + ", which is not a computation");
    require(d.reduction->results <= int(d.iterators.size()), at,
            d.name + " has fewer iterators than results");
  }
}

Program TextReader::program() {
  Program program;
  program.session = session_;
  scanner_.expect_keyword("program");
  program.name = scanner_.expect_name("the program's name");
  parameters();
  while (scanner_.accept_keyword("input")) input();
  while (scanner_.accept_keyword("partition")) partition();
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
  copies();
  program.scheduled = scanner_.accept_keyword("scheduled");
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

Program parse_program(std::shared_ptr<Session> session, std::string_view text) {
  return TextReader(std::move(session), text).program();
}

Program transfer(const Program& program, std::shared_ptr<Session> session) {
  Program same = parse_program(std::move(session), to_text(program));
  Algorithm algorithm = *same.algorithm;
  algorithm.owner = program.algorithm->owner;
  return with_algorithm(same, std::move(algorithm));
}

}  // namespace strata
