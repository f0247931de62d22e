#include "tests/fuzz/program_generator.h"

#include "layers/define/build.h"
#include "schedule/commands/loops/atomic.h"
#include "tests/fuzz/size_parameters.h"
#include "tests/fuzz/values.h"

namespace strata::fuzz {

namespace {

const Request request{"a program drawn", {"random", 0}};

Type draw_type(Random& random) {
  if (chance(random, 65)) return i32;
  return one_of(random, std::vector{f32, f32, f64, i64, i16, u8});
}

class Generator {
 public:
  explicit Generator(Random& random)
      : random_(random),
        drawn_{new_program(std::make_shared<Session>(), "f", request), {}},
        extremes_(random, drawn_.kinds),
        scalars_(Random(random)() ^ 0x6a09e667f3bcc909),
        values_(random, draw_type(random), extremes_, drawn_.kinds) {
    program() = with_parameter(program(), "N", request);
    program() = with_parameter(program(), "M", request);
    if (chance(random_, 80)) {
      program() = with_assumption(program(), n >= 0 && parameter("M") >= 0, request);
      note("assumption");
    }
    if (chance(random_, 35)) {
      note("parametric tiles");
      program() = with_parameter(with_parameter(program(), "T", request), "U", request);
    }
    if (extremes_.with_size()) program() = with_parameter(program(), "S", request);
    program() = with_input(program(), "in", i32, {n, n}, request);
    known_.push_back({"in", &shape_named("square"), i32});
    if (is_float(values_.type())) note("floats");
    if (chance(scalars_, 15)) add_scalar();
  }

  DrawnProgram draw() {
    const std::int64_t count = one_of(random_, std::vector<std::int64_t>{1, 2, 2, 3, 3, 3, 4, 4});
    if (extremes_.in_data()) add_extreme("D");
    for (std::int64_t c = 0; c < count || program().algorithm->definitions.empty(); ++c)
      add_something("S" + std::to_string(c));
    for (const std::string& name : accumulations_) say_atomic(name);
    return drawn_;
  }

 private:
  Program& program() { return drawn_.program; }
  void note(const std::string& kind) { drawn_.kinds.insert(kind); }

  void add_something(const std::string& name) {
    switch (between(random_, 0, 11)) {
      case 0:
      case 1:
      case 2: return add_reduction(name);
      case 3: return add_ragged_sum(name);
      case 4: return add_pair(name);
      case 5: return add_stencil(name);
      default:
        add_plain(name);
        if (chance(random_, 50)) add_update();
    }
  }

  bool add(const NewDefinition& definition) {
    try {
      program() = with_definition(program(), definition, request);
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  // A scalar is drawn from a random stream of its own, so that all other programs stay the same.
  void add_scalar() {
    program() = with_scalar(program(), "alpha", values_.type(), request);
    scalar_ = access("alpha", values_.type(), {});
    note("scalar");
  }

  Expr with_scalar_in(const Expr& value) {
    if (!scalar_.defined() || chance(scalars_, 40)) return value;
    return chance(scalars_, 50) ? value + scalar_ : select(scalar_ > 0, value, scalar_);
  }

  const Shape& draw_shape() { return one_of(random_, shapes()); }

  // The definition without its value; its domain as ranges or as text.
  NewDefinition over(const std::string& name, const Shape& shape, bool as_text) {
    NewDefinition d;
    d.array = name;
    if (as_text || !shape.further.empty())
      d.domain = shape.domain(name);
    else
      d.iterators = shape.iterators;
    return d;
  }

  void know(const Known& made) {
    known_.push_back(made);
    note(made.shape->kind);
  }

  NewDefinition plain(const Known& made) {
    NewDefinition d = over(made.name, *made.shape, chance(random_, 50));
    d.value = chance(random_, 35) ? values_.recurrence(made, made.shape->names(), known_)
                                  : values_.value(made.shape->names(), sources());
    d.value = with_scalar_in(d.value);
    return d;
  }

  // Usually the array made last.
  std::vector<Known> sources() {
    if (chance(random_, 60)) return {known_.back()};
    return known_;
  }

  std::vector<Known> sources_but(const Known& one) const {
    std::vector<Known> all;
    for (const Known& known : known_)
      if (known.name != one.name) all.push_back(known);
    return all;
  }

  void add_plain(const std::string& name) {
    const Known made{name, &draw_shape(), values_.type()};
    if (add(plain(made))) know(made);
  }

  void add_stencil(const std::string& name) {
    const Known made{name, &shape_named("time"), values_.type()};
    NewDefinition d = over(name, *made.shape, chance(random_, 50));
    d.value = values_.step_in_time(made);
    d.type = made.type;
    if (add(d)) know(made);
  }

  // Two definitions in one loop i, where the second reads the first.
  void add_pair(const std::string& name) {
    const Known first{name, &draw_shape(), values_.type()};
    const std::string loop = first.shape->names().front();
    const Shape* other = &draw_shape();
    while (other->names().front() != loop) other = &draw_shape();
    const Known second{name + "b", other, values_.type()};
    NewDefinition d = plain(first);
    d.open_loops = {loop};
    if (!add(d)) return;
    know(first);
    NewDefinition e = over(second.name, *second.shape, false);
    e.value = values_.value(second.shape->names(), {first});
    e.open_loops = {loop};
    e.existing_loops = 1;
    if (!add(e)) return;
    know(second);
    note("shared loop");
  }

  // Redefines X(i, j), X(j, i) or a data-dependent element, from X itself and others.
  void add_update() {
    const Known updated = known_.back();
    if (updated.name == "in") return;
    const std::string name = next_update_name(*program().algorithm, updated.name);
    NewDefinition d = over(name, *updated.shape, false);
    d.array = updated.name;
    d.element.emplace();
    const auto names = updated.shape->names();
    for (const std::string& v : names) d.element->push_back(variable(v));
    if (updated.shape->kind == "square" && chance(random_, 30))
      std::swap((*d.element)[0], (*d.element)[1]);
    const bool whole = updated.shape->kind == "square" || updated.shape->kind == "line";
    const bool scatters = whole && chance(random_, 60);
    if (scatters) d.element->front() = values_.data_index(names.back());
    d.value = values_.value(names, {updated, one_of(random_, known_)});
    const bool adds = scatters && chance(random_, 60);
    if (adds) d.value = values_.step(updated, *d.element, names, sources_but(updated));
    if (!add(d)) return;
    note(scatters ? "scatter" : "update");
    if (adds) accumulations_.push_back(name);
    if (chance(random_, 40)) add_predicate(name, names);
  }

  // Given after all definitions: predicates come before the first command.
  void say_atomic(const std::string& update) {
    if (!chance(random_, 70)) return;
    try {
      program() = atomic(program(), update, {});
      note("atomic steps");
    } catch (const Error&) {
    }
  }

  void add_predicate(const std::string& definition, const std::vector<std::string>& names) {
    const Expr condition =
        variable(names.front()) > 0 && values_.data_condition(one_of(random_, names));
    if (restrict(definition, condition)) note("predicate");
  }

  bool restrict(const std::string& definition, const Expr& condition) {
    try {
      program() = with_predicate(program(), definition, condition, request);
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  // Some bits of in(i, j), as a value.
  Expr part_of_input(const Expr& i, const Expr& j) const {
    return cast(values_.type(), access("in", i32, {i, j}) & constant(i32, 255));
  }

  // Data near the limits of 64 bits decide: elements read, instances of an update, or iterations of
  // a sum, by a condition or by a bound.
  void add_extreme(const std::string& name) {
    const Expr i = variable("i"), j = variable("j");
    const std::int64_t kind = extremes_.between(0, 4);
    const bool sums = kind == 2 || kind == 3;
    const Known made{name, &shape_named(sums ? "line" : "square"), values_.type()};
    NewDefinition d = over(name, *made.shape, false);
    const Expr chosen = extremes_.index("i");
    const Var k("k", 0, kind == 3 ? chosen + 1 : n);
    d.value = sums        ? sum(k, part_of_input(i, k))
              : kind == 4 ? part_of_input(j, i)
                          : part_of_input(chosen, kind == 0 ? extremes_.index("j") : i);
    if (!add(d)) return;
    note("data near limits");
    know(made);
    if (kind == 2) restrict(name, extremes_.condition("i", "k"));
    if (kind == 4) add_extreme_update(made);
  }

  void add_extreme_update(const Known& made) {
    const std::string name = next_update_name(*program().algorithm, made.name);
    NewDefinition d = over(name, *made.shape, false);
    const Expr i = variable("i"), j = variable("j");
    d.array = made.name;
    d.element = {i, j};
    d.value = part_of_input(i, j);
    if (add(d)) restrict(name, extremes_.condition("i", "j"));
  }

  // A shape of one or two loops, to keep programs small.
  const Shape& result_shape() {
    return shape_named(
        one_of(random_, std::vector<std::string>{"line", "square", "box", "triangle", "stride"}));
  }

  static std::vector<std::string> with(std::vector<std::string> names, const std::string& more) {
    names.push_back(more);
    return names;
  }

  void add_reduction(const std::string& name) {
    const Shape& shape = result_shape();
    const Type type = values_.type();
    NewDefinition d = over(name, shape, false);
    const Expr i = variable("i");
    const Var k("k", 0, one_of(random_, std::vector<Expr>{n, i + 1, Expr(std::int64_t{3})}));
    const Expr one = values_.value(with(shape.names(), "k"), sources());
    const std::int64_t kind = between(random_, 0, 7);
    const Expr flag = values_.data_condition("k") && variable("k") > 0;
    const std::vector<std::pair<std::string, Expr>> plain_kinds{
        {"sum", sum(k, one)},     {"sum", sum(k, one)},  {"min", minimum(k, one)},
        {"max", maximum(k, one)}, {"any", any(k, flag)}, {"all", all(k, flag)}};
    if (kind < 6) {
      d.value = plain_kinds[std::size_t(kind)].second;
    } else {
      d.tuple = kind == 6 ? argmin(k, one) : argmax(k, one);
      d.components = {name + "_at"};
    }
    if (!add(d)) return;
    note(kind < 6 ? plain_kinds[std::size_t(kind)].first : "argmin");
    know({name, &shape, kind == 4 || kind == 5 ? boolean : type});
    if (kind < 4 && chance(random_, 25)) add_predicate(name, with(shape.names(), "k"));
  }

  // A sum with a data-dependent range.
  void add_ragged_sum(const std::string& name) {
    const Shape& shape = shape_named(one_of(random_, std::vector<std::string>{"line", "square"}));
    NewDefinition d = over(name, shape, false);
    const Var k("k", values_.data_index("i") % 3, values_.data_index("i") + 1);
    d.value = sum(k, part_of_input(variable("i"), variable("k")));
    if (!add(d)) return;
    note("ragged sum");
    know({name, &shape, values_.type()});
  }

  Random& random_;
  DrawnProgram drawn_;
  Extremes extremes_;
  Random scalars_;
  Expr scalar_;
  Values values_;
  std::vector<Known> known_;
  std::vector<std::string> accumulations_;  // updates X(e) = X(e) (+) r
};

}  // namespace

DrawnProgram draw_program(Random& random) { return Generator(random).draw(); }

}  // namespace strata::fuzz
