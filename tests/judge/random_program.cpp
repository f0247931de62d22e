#include "tests/judge/random_program.h"

#include "layers/build.h"

namespace strata::judge {

std::int64_t between(Random& random, std::int64_t lowest, std::int64_t highest) {
  return std::uniform_int_distribution<std::int64_t>(lowest, highest)(random);
}

namespace {

const Expr n = parameter("N");
const Request request{"a random program", {"random", 0}};

// The elements of an array: a square, the triangle j <= i, or a line.
enum class Shape { square, triangle, line };

struct Known {
  std::string name;
  Shape shape;
};

Expr number(std::int64_t value) { return constant(i32, value); }

class Builder {
 public:
  explicit Builder(Random& random)
      : random_(random), program_(new_program(std::make_shared<Session>(), "f", request)) {
    program_ = with_parameter(program_, "N", request);
    program_ = with_input(program_, "in", i32, {n, n}, request);
    known_.push_back({"in", Shape::square});
  }

  Program build() {
    const std::int64_t count = between(random_, 1, 3);
    for (std::int64_t c = 0; c < count; ++c) {
      const std::int64_t kind = between(random_, 0, 9);
      const std::string name = "S" + std::to_string(c);
      if (kind < 2)
        add_reduction(name);
      else if (kind == 2)
        add_pair(name);
      else
        add_plain(name);
      if (kind == 3 || kind == 4) add_update();
    }
    return program_;
  }

 private:
  Expr shifted(const std::string& iterator) { return variable(iterator) + between(random_, -1, 1); }

  // An affine index over the iterators there are.
  Expr index(const std::vector<std::string>& iterators) {
    const std::int64_t kind = between(random_, 0, 7);
    if (kind == 0) return n - 1 - shifted(one_of(random_, iterators));
    if (kind == 1) return Expr(between(random_, 0, 1)) + n * 0;
    return shifted(one_of(random_, iterators));
  }

  // select(the element exists, X(..), 1)
  Expr guarded_read(const Known& known, const std::vector<Expr>& element) {
    Expr inside = element[0] >= 0 && element[0] < n;
    if (known.shape == Shape::square) inside = inside && element[1] >= 0 && element[1] < n;
    if (known.shape == Shape::triangle)
      inside = inside && element[1] >= 0 && element[1] <= element[0];
    const Expr read = select(inside, access(known.name, i32, element), number(1));
    if (between(random_, 0, 7) != 0) return read;
    // Whether it is read hangs on data: the library must count with it.
    return select(access("in", i32, {variable("i"), variable("i")}) > 0, read, number(2));
  }

  Expr read(const Known& known, const std::vector<std::string>& iterators) {
    std::vector<Expr> element;
    const std::size_t rank = known.shape == Shape::line ? 1 : 2;
    const bool plain = iterators.size() >= rank && between(random_, 0, 2) != 0;
    for (std::size_t d = 0; d < rank; ++d)
      element.push_back(plain ? shifted(iterators[d]) : index(iterators));
    return guarded_read(known, element);
  }

  Expr value(const std::vector<std::string>& iterators, std::vector<Known> sources) {
    Expr result = number(between(random_, 1, 9));
    const std::int64_t reads = between(random_, 1, 2);
    for (std::int64_t r = 0; r < reads; ++r)
      result = result * number(3) + read(one_of(random_, sources), iterators);
    return result;
  }

  static std::vector<Var> iterators_of(Shape shape) {
    const Var i("i", 0, n);
    if (shape == Shape::line) return {i};
    return {i, Var("j", 0, shape == Shape::square ? n : Expr(i) + 1)};
  }

  static std::vector<std::string> names_of(const std::vector<Var>& iterators) {
    std::vector<std::string> names;
    for (const Var& v : iterators) names.push_back(v.name());
    return names;
  }

  bool add(const NewDefinition& definition) {
    try {
      program_ = with_definition(program_, definition, request);
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  // Reads itself one time in three.
  NewDefinition plain(const Known& made) {
    NewDefinition d;
    d.array = made.name;
    d.iterators = iterators_of(made.shape);
    std::vector<Known> sources = known_;
    if (between(random_, 0, 2) == 0) sources.assign(1, made);
    d.value = value(names_of(d.iterators), sources);
    return d;
  }

  void add_plain(const std::string& name) {
    const Known made{name, Shape(between(random_, 0, 2))};
    if (add(plain(made))) known_.push_back(made);
  }

  // Two definitions inside one loop i, the second reading the first.
  void add_pair(const std::string& name) {
    const Known first{name, Shape(between(random_, 0, 2))};
    const Known second{name + "b", Shape(between(random_, 0, 2))};
    NewDefinition d = plain(first);
    d.open_loops = {"i"};
    if (!add(d)) return;
    known_.push_back(first);
    NewDefinition e = plain(second);
    e.value = value(names_of(e.iterators), {first});
    e.open_loops = {"i"};
    e.existing_loops = 1;
    if (add(e)) known_.push_back(second);
  }

  // X(i, j) or X(j, i) anew, from itself and others.
  void add_update() {
    const Known updated = known_.back();
    if (updated.name == "in") return;
    NewDefinition d;
    d.array = updated.name;
    d.iterators = iterators_of(updated.shape);
    d.element.emplace();
    for (const Var& v : d.iterators) d.element->push_back(v);
    if (updated.shape == Shape::square && between(random_, 0, 3) == 0)
      std::swap((*d.element)[0], (*d.element)[1]);
    d.value = value(names_of(d.iterators), {updated, one_of(random_, known_)});
    add(d);
  }

  void add_reduction(const std::string& name) {
    const Known made{name, one_of(random_, std::vector{Shape::square, Shape::line})};
    NewDefinition d;
    d.array = name;
    d.iterators = iterators_of(made.shape);
    std::vector<std::string> names = names_of(d.iterators);
    names.push_back("k");
    const Expr upper = between(random_, 0, 1) == 0 ? n : variable("i") + 1;
    const Var k("k", 0, upper);
    const Expr one = value(names, known_);
    const std::vector<Expr> kinds{sum(k, one),     product(k, one), minimum(k, one),
                                  maximum(k, one), any(k, one > 0), all(k, one > 0)};
    const auto kind = std::size_t(between(random_, 0, std::int64_t(kinds.size())));
    if (kind < kinds.size()) {
      d.value = kinds[kind];
    } else {
      d.tuple = between(random_, 0, 1) == 0 ? argmin(k, one) : argmax(k, one);
      d.components = {name + "_at"};
    }
    const bool readable = d.tuple || d.value.type() == i32;
    if (add(d) && readable) known_.push_back(made);
  }

  Random& random_;
  Program program_;
  std::vector<Known> known_;
};

}  // namespace

Program random_program(Random& random) { return Builder(random).build(); }

}  // namespace strata::judge
