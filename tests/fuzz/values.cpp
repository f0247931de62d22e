#include "tests/fuzz/values.h"

#include "tests/fuzz/size_parameters.h"

namespace strata::fuzz {

Expr Values::number(std::int64_t value) {
  if (is_float(type_)) return real_constant(type_, double(value) / 4);
  return constant(type_, value);
}

// Floats are made of small non-negative numbers.
Expr Values::converted(const Expr& e) {
  if (e.type() == boolean) return select(e, number(3), number(5));
  if (e.type() == type_) return e;
  if (is_float(type_) && e.type() == i32) return cast(type_, e & constant(i32, 1023)) * number(1);
  return cast(type_, e);
}

Expr Values::mixed(const Expr& a, const Expr& b) {
  if (is_float(type_)) {
    switch (between(random_, 0, 3)) {
      case 0: return max(a, b);
      case 1: return min(a, b) + number(1);
      default: return a * number(2) + b * number(1);
    }
  }
  switch (between(random_, 0, 5)) {
    case 0: return a - b;
    case 1: return max(a, b) + number(1);
    case 2: return a ^ (b * number(5));
    default: return a * number(3) + b;
  }
}

// select(the element exists, X(..), 1)
Expr Values::read(const Known& known, const std::vector<Expr>& element) {
  const Expr guarded = extremes_.chosen(
      element, known.shape->holds(element), number(1),
      [&](const std::vector<Expr>& at) { return converted(access(known.name, known.type, at)); });
  if (!chance(random_, 8)) return guarded;
  // A read that depends on data: the library must treat it as a may read.
  kinds_.insert("read under data");
  return select(diagonal(element[0]) > 0, guarded, number(2));
}

Expr Values::data_index(const std::string& iterator) {
  return cast(i64, diagonal(variable(iterator))) % n;
}

Expr Values::data_condition(const std::string& iterator) {
  return diagonal(variable(iterator)) > 0;
}

Expr Values::near(const std::string& iterator) {
  return variable(iterator) + between(random_, -1, 1);
}

// An index over the given iterators, usually affine.
Expr Values::index(const std::vector<std::string>& iterators) {
  const std::int64_t kind = between(random_, 0, 9);
  if (kind < 2) {
    kinds_.insert("gather");
    return data_index(one_of(random_, iterators));
  }
  if (kind == 2) return n - 1 - near(one_of(random_, iterators));
  if (kind == 3) return Expr(between(random_, 0, 1)) + n * 0;
  const Expr next = near(one_of(random_, iterators));
  if (kind > 5) return next;
  kinds_.insert(kind == 4 ? "clamp" : "mirror");
  return kind == 4 ? clamp(next, 0, n - 1) : abs(next);
}

Expr Values::any_read(const Known& known, const std::vector<std::string>& iterators) {
  std::vector<Expr> element;
  const bool plain = chance(random_, 75);
  const bool still = chance(random_, 50);
  for (std::size_t d = 0; d < known.shape->rank(); ++d) {
    if (!plain || d >= iterators.size())
      element.push_back(index(iterators));
    else
      element.push_back(still ? variable(iterators[d]) : near(iterators[d]));
  }
  return read(known, element);
}

Expr Values::value(const std::vector<std::string>& iterators, const std::vector<Known>& sources) {
  Expr result = number(between(random_, 1, 9));
  for (std::int64_t reads = between(random_, 1, 2); reads > 0; --reads)
    result = mixed(result, any_read(one_of(random_, sources), iterators));
  return result;
}

Expr Values::recurrence(const Known& self, const std::vector<std::string>& iterators,
                        const std::vector<Known>& sources) {
  kinds_.insert("recurrence");
  std::vector<Expr> element;
  const std::size_t carried =
      std::size_t(between(random_, 0, std::int64_t(self.shape->rank()) - 1));
  for (std::size_t d = 0; d < self.shape->rank(); ++d) {
    const Expr here = variable(iterators[d]);
    element.push_back(d < carried    ? here
                      : d == carried ? here - between(random_, 1, 2)
                                     : near(iterators[d]));
  }
  // Named, so that every compiler draws them in this order.
  const Expr before = read(self, element), more = value(iterators, sources);
  return mixed(more, before);
}

Expr Values::step(const Known& self, const std::vector<Expr>& element,
                  const std::vector<std::string>& iterators, const std::vector<Known>& sources) {
  const Expr here = access(self.name, self.type, element);
  if (self.type == boolean) return here || data_condition(iterators.front());
  const Expr more = cast(self.type, value(iterators, sources));
  switch (between(random_, 0, 3)) {
    case 0: return max(here, more);
    case 1: return min(more, here);
    default: return here + more;
  }
}

Expr Values::step_in_time(const Known& self) {
  kinds_.insert("stencil in time");
  const Expr t = variable("t"), i = variable("i");
  Expr sum = read(self, {t - 1, i});
  if (chance(random_, 70)) sum = mixed(sum, read(self, {t - 1, i - 1}));
  if (chance(random_, 50)) sum = mixed(sum, read(self, {t - 1, i + 1}));
  if (chance(random_, 20)) sum = mixed(sum, read(self, {t, i - 1}));
  return sum;
}

}  // namespace strata::fuzz
