#include "reference/interpreter.h"

#include <fmt/format.h>

#include <algorithm>

#include "reference/storage.h"

namespace strata::reference {

namespace {

// { S[i] -> X[e] : S[i] defines X(e) }: exactly one element per instance, one or more for a
// scatter.
std::map<Point, std::vector<Point>> elements_of(const Definition& d, const Parameters& parameters) {
  const isl::map defines = d.defines;
  auto elements = images(defines, d.domain, parameters);
  for (const Point& instance : points(d.domain, parameters))
    if (d.element.empty() ? elements[instance].size() != 1 : elements[instance].empty())
      throw Meaningless(to_string(d.name, instance) + " does not define exactly one element");
  return elements;
}

}  // namespace

std::vector<Step> reference_steps(const Algorithm& algorithm, const Parameters& parameters) {
  std::vector<std::map<Point, std::vector<Point>>> elements;
  for (const Definition& d : algorithm.definitions) elements.push_back(elements_of(d, parameters));
  std::size_t instances = 0;
  for (const auto& of_definition : elements) instances += of_definition.size();
  std::vector<Step> steps;
  for (Scheduled& execution : reference_executions(algorithm, parameters)) {
    const auto found = elements[execution.definition].find(execution.instance);
    if (found == elements[execution.definition].end())
      throw Meaningless(name_of(algorithm, execution) + " is twice in the reference order, or no " +
                        "instance");
    const bool scatters = !algorithm.definitions[execution.definition].element.empty();
    steps.push_back({std::move(execution), found->second.front(),
                     scatters ? found->second : std::vector<Point>()});
    elements[steps.back().execution.definition].erase(found);
  }
  if (steps.size() != instances) throw Meaningless("the reference order leaves out an instance");
  return steps;
}

namespace {

using Tuple = std::vector<Scalar>;

std::vector<Expr> scalars_of(const Definition& d) {
  std::vector<Expr> all{d.value};
  for (const Component& c : d.others) all.push_back(c.value);
  return all;
}

// The names by which the scalars of an array's values are read.
std::vector<std::string> names_of(const Definition& d) {
  std::vector<std::string> all{d.array};
  for (const Component& c : d.others) all.push_back(c.name);
  return all;
}

std::vector<Type> types_of(const Definition& d) {
  std::vector<Type> all{d.type};
  for (const Component& c : d.others) all.push_back(c.type);
  return all;
}

// One step of a user-defined reduction: "left_0" names scalar 0 of the value so far.
Tuple stepped(const std::vector<Expr>& steps, const Tuple& before, const Tuple& contribution) {
  struct Operands : Environment {
    Operands(const Tuple& before, const Tuple& contribution)
        : before_(before), contribution_(contribution) {}
    Scalar access(const std::string& name, const Point&) override {
      const auto number = std::size_t(std::stoi(name.substr(name.find('_') + 1)));
      return (name[0] == 'l' ? before_ : contribution_).at(number);
    }
    const Tuple &before_, &contribution_;
  } operands(before, contribution);
  Tuple result;
  for (const Expr& step : steps) result.push_back(evaluate(step, operands));
  return result;
}

class Run : public Environment {
 public:
  Run(const Program& program, const Parameters& parameters, const Externs& externs,
      const OnRead& on_read, Instances* idle)
      : algorithm_(*program.algorithm),
        parameters_(parameters),
        externs_(externs),
        on_read_(on_read),
        idle_(idle),
        steps_(reference_steps(algorithm_, parameters)) {
    if (!holds(algorithm_.context, parameters))
      throw Meaningless("the context does not hold at " + reference::to_string(parameters));
    for (const Definition& d : algorithm_.definitions) {
      evaluators_.emplace_back();
      for (const Expr& scalar : scalars_of(d)) evaluators_.back().emplace_back(scalar);
    }
    make_arrays();
  }

  Arrays run(const Arrays& inputs) {
    for (const InputArray& input : algorithm_.inputs) take(input, inputs);
    for (now_ = 0; now_ < std::int64_t(steps_.size()); ++now_) execute(steps_[std::size_t(now_)]);
    return std::move(store_);
  }

  std::int64_t variable(const std::string& name) override {
    const auto& names = definition(now_).iterators;
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return Environment::variable(name);
    return step(now_).execution.instance[std::size_t(found - names.begin())];
  }

  std::int64_t parameter(const std::string& name) override {
    const auto found = parameters_.find(name);
    return found == parameters_.end() ? Environment::parameter(name) : found->second;
  }

  Scalar access(const std::string& name, const Point& element) override {
    if (!store_.contains(name)) return Environment::access(name, element);
    const Array& array = store_[name];
    if (!array.contains(element)) fail("reads an element that does not exist", name, element);
    if (!array.defined(element)) fail("reads a value that is not made yet", name, element);
    const std::int64_t writer = array.step(element);
    if (writer >= 0 && open_.count(key(writer)) != 0 && open_[key(writer)] != 0)
      fail("reads an unfinished reduction", name, element);
    if (on_read_) on_read_(now_, name, element, writer);
    return array[element];
  }

  // The callee may read every element.
  ArrayView array(const std::string& name) override {
    if (!store_.contains(name)) return Environment::array(name);
    ArrayView view{{}, {}, [this, name](const Point& p) { return store_[name][p]; }};
    Point last;
    for (const Point& p : store_[name].elements()) {
      access(name, p);
      if (last.empty()) view.lower = last = p;
      for (std::size_t d = 0; d < p.size(); ++d) {
        view.lower[d] = std::min(view.lower[d], p[d]);
        last[d] = std::max(last[d], p[d]);
      }
    }
    for (std::size_t d = 0; d < last.size(); ++d)
      view.extent.push_back(last[d] - view.lower[d] + 1);
    return view;
  }

  Scalar call(const std::string& name, Type type, const std::vector<Argument>& args) override {
    const auto found = externs_.find(name);
    if (found == externs_.end()) return Environment::call(name, type, args);
    const Scalar result = found->second(args);
    if (result.type != type) throw Meaningless(name + " gives a " + strata::to_string(result.type));
    return result;
  }

 private:
  using Key = std::pair<std::size_t, Point>;  // a definition and an element of its array

  const Step& step(std::int64_t n) const { return steps_[std::size_t(n)]; }
  const Definition& definition(std::int64_t n) const {
    return algorithm_.definitions[step(n).execution.definition];
  }
  Key key(std::int64_t n) const { return {step(n).execution.definition, step(n).element}; }

  void make_arrays() {
    std::map<std::string, std::vector<Point>> elements;
    for (const Definition& d : algorithm_.definitions) elements[d.array];
    for (std::int64_t n = 0; n < std::int64_t(steps_.size()); ++n) {
      auto& all = elements[definition(n).array];
      all.push_back(step(n).element);
      all.insert(all.end(), step(n).all.begin(), step(n).all.end());
      if (definition(n).reduction) ++open_[key(n)];
    }
    for (const Definition& d : algorithm_.definitions)
      for (std::size_t n = 0; n < names_of(d).size(); ++n)
        if (!store_.contains(names_of(d)[n]))
          store_[names_of(d)[n]] = Array(types_of(d)[n], elements[d.array]);
  }

  void take(const InputArray& input, const Arrays& given) {
    Array& array = store_[input.name] = Array(input.type, points(input.domain, parameters_));
    if (!given.contains(input.name)) throw Meaningless("no data for input " + input.name);
    for (const Point& p : array.elements()) array.set(p, given[input.name][p]);
  }

  // Every element that the step may redefine is made again with its old value.
  void keep(const Step& s) {
    const Definition& d = definition(now_);
    for (const Point& element : s.all.empty() ? std::vector<Point>{s.element} : s.all) {
      const Scalar before = access(d.array, element);
      store_[d.array].set(element, before, now_);
    }
  }

  void execute(Step& s) {
    const Definition& d = definition(now_);
    if (d.predicate.defined() && evaluate(d.predicate, *this).bits == 0) {
      if (idle_ != nullptr) idle_->emplace(d.name, s.execution.instance);
      if (d.reduction)
        contribute_nothing(s);
      else
        keep(s);
      return;
    }
    Tuple value;
    for (Evaluator& scalar : evaluators_[s.execution.definition]) value.push_back(scalar(*this));
    for (std::size_t n = 0; n < value.size(); ++n)
      if (value[n].type != types_of(d)[n])
        throw Meaningless(d.name + " has a value of another type");
    if (!d.element.empty()) scatter_to(s, d);
    const bool defined = store_[d.array].defined(s.element);
    if (d.reduction) {
      if (!defined) fail("contributes to nothing", d.array, s.element);
      value = with_contribution(d, s.element, value);
      --open_[key(now_)];
    } else if (defined && is_single_assignment(d.array)) {
      fail("makes a value a second time", d.array, s.element);
    }
    for (std::size_t n = 0; n < value.size(); ++n)
      store_[names_of(d)[n]].set(s.element, value[n], now_);
  }

  // The result counts as made by its last contribution, which may be this one.
  void contribute_nothing(const Step& s) {
    const Definition& d = definition(now_);
    if (!store_[d.array].defined(s.element)) fail("contributes to nothing", d.array, s.element);
    for (const std::string& name : names_of(d)) {
      const Scalar before = store_[name][s.element];
      store_[name].set(s.element, before, now_);
    }
    --open_[key(now_)];
  }

  // The element's value after a contribution.
  Tuple with_contribution(const Definition& d, const Point& element, const Tuple& contribution) {
    Tuple before;
    for (const std::string& name : names_of(d)) before.push_back(store_[name][element]);
    if (d.reduction->kind) return {combined(*d.reduction->kind, before[0], contribution[0])};
    return stepped(d.reduction->steps, before, contribution);
  }

  void scatter_to(Step& s, const Definition& d) {
    s.element.clear();
    for (const Expr& index : d.element)
      s.element.push_back(std::int64_t(integer_of(evaluate(index, *this))));
    if (std::find(s.all.begin(), s.all.end(), s.element) == s.all.end())
      fail("redefines an element that does not exist", d.array, s.element);
    keep(s);
  }

  // Does the array have one definition, not counting the initial value of a reduction?
  bool is_single_assignment(const std::string& array) const {
    const auto all = algorithm_.definitions_of(array);
    return std::count_if(all.begin(), all.end(), [](auto* d) { return !d->is_initial; }) == 1;
  }

  [[noreturn]] void fail(const std::string& what, const std::string& array, const Point& element) {
    throw Meaningless(fmt::format("{} {}: {}", name_of(algorithm_, step(now_).execution), what,
                                  reference::to_string(array, element)));
  }

  const Algorithm& algorithm_;
  const Parameters& parameters_;
  const Externs& externs_;
  const OnRead& on_read_;
  Instances* idle_;
  std::vector<Step> steps_;
  std::vector<std::vector<Evaluator>> evaluators_;  // by definition: one per scalar
  std::map<Key, std::int64_t> open_;                // by result: contributions to come
  Arrays store_;
  std::int64_t now_ = 0;
};

}  // namespace

Arrays run(const Program& program, const Parameters& parameters, const Arrays& inputs,
           const Externs& externs, const OnRead& on_read, Instances* idle) {
  return Run(program, parameters, externs, on_read, idle).run(inputs);
}

Arrays final_contents(const Program& program, const Parameters& parameters, const Arrays& values) {
  std::map<std::string, std::map<Point, std::pair<std::int64_t, Scalar>>> places;
  const auto put = [&](const std::string& name, const std::string& buffer, const Stored& at) {
    const Array& array = values[name];
    for (const auto& [element, place] : at.places) {
      if (!array.defined(element)) continue;
      const std::pair made{array.step(element), array[element]};
      const auto [last, first_there] = places[buffer].emplace(place, made);
      if (!first_there && made.first > last->second.first) last->second = made;
    }
  };
  for (const auto& [name, relation] : program.layout.store) {
    const Stored at = stored(program, name, parameters);
    put(name, at.buffer, at);
    for (const Definition& d : program.algorithm->definitions)
      if (d.array == name && !d.is_initial)
        for (const Component& c : d.others) put(c.name, c.name, at);
  }
  Arrays result;
  for (const auto& [buffer, contents] : places) {
    std::vector<Point> elements;
    for (const auto& [place, made] : contents) elements.push_back(place);
    Array& array = result[buffer] = Array(contents.begin()->second.second.type, elements);
    for (const auto& [place, made] : contents) array.set(place, made.second, made.first);
  }
  return result;
}

}  // namespace strata::reference
