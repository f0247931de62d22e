// Random programs with symbols, views, tuples, branches and calls.
#pragma once

#include <map>
#include <random>
#include <string>
#include <vector>

namespace strata::test {

class Draw {
 public:
  explicit Draw(unsigned seed) : engine_(seed) {}
  int below(std::size_t count) { return int(engine_() % count); }
  template <typename T>
  const T& one_of(const std::vector<T>& all) {
    return all[std::size_t(below(all.size()))];
  }

 private:
  std::mt19937 engine_;
};

// What else the programs may have.
struct RandomPrograms {
  bool packed = true;  // calls of "test.random_same"
  bool shapes = true;  // shapes as results
};

// The text of a program: arrays of n, m, (n, m), (m, n) and m * n elements.
class ProgramText {
 public:
  explicit ProgramText(unsigned seed, const RandomPrograms& with = {}) : with_(with), draw_(seed) {}

  std::string operator()() {
    arrays_ = {{"(n, m)", {"%x", "%y"}}, {"(m)", {"%v"}}};
    const int blocks = 1 + draw_.below(3);
    for (int k = 0; k < blocks; ++k) draw_.below(3) ? dataflow() : plain();
    const std::string result = results();
    return R"(def @half(%a: Tensor[(k), float32]) -> Tensor[(k), float32] {
  %b = multiply(%a, 0.5f32)
  %d = flatten(%b)
  %e = relu(%d)
  %e
}
def @main(%x: Tensor[(n, m), float32], %y: Tensor[(n, m), float32], %v: Tensor[(m), float32], %c: Tensor[(), boolean]) -> Object {
)" + text_ +
           "  " + result + "\n}\n";
  }

 private:
  using Arrays = std::map<std::string, std::vector<std::string>>;

  std::string fresh() { return "%t" + std::to_string(count_++); }
  void line(const std::string& text) { text_ += indent_ + text + "\n"; }
  std::string any(const std::string& dims) { return draw_.one_of(arrays_.at(dims)); }
  std::string any_dims() {
    std::vector<std::string> all;
    for (const auto& [dims, names] : arrays_) all.push_back(dims);
    return draw_.one_of(all);
  }
  // A variable for a value of these extents.
  std::string bind(const std::string& dims, const std::string& value) {
    const std::string name = fresh();
    line(name + " = " + value);
    arrays_[dims].push_back(name);
    return name;
  }

  void step() {
    const std::string dims = any_dims(), a = any(dims), b = any(dims);
    switch (draw_.below(11)) {
      case 0:
        bind(dims,
             draw_.one_of(std::vector<std::string>{"relu", "tanh", "negative"}) + "(" + a + ")");
        break;
      case 1:
      case 2:
        bind(dims, draw_.one_of(std::vector<std::string>{"add", "maximum", "subtract"}) + "(" + a +
                       ", " + b + ")");
        break;
      case 3: bind("(m * n)", "flatten(" + any("(n, m)") + ")"); break;
      case 4:
        if (arrays_.contains("(m * n)"))
          bind("(n, m)", "reshape(" + any("(m * n)") + ", shape=(n, m))");
        break;
      case 5: bind("(n)", "sum(" + any("(n, m)") + ", axes=[1])"); break;
      case 6: bind("(n, m)", "add(" + any("(n, m)") + ", " + any("(m)") + ")"); break;
      case 7: bind("(m, n)", "transpose(" + any("(n, m)") + ", axes=[1, 0])"); break;
      case 8: tuple(dims, a, b); break;
      case 9:
        bind(dims, draw_.below(2) || in_branch_ ? a : "match_shape(" + a + ", " + dims + ")");
        break;
      default:
        if (dims == "(n)" || dims == "(m)") bind(dims, "@half(" + a + ")");
    }
  }

  void tuple(const std::string& dims, const std::string& a, const std::string& b) {
    const std::string pair = fresh();
    line(pair + " = (" + a + ", " + b + ")");
    bind(dims, pair + "[" + std::to_string(draw_.below(2)) + "]");
  }

  void steps(int most) {
    for (int k = draw_.below(std::size_t(most)); k >= 0; --k) step();
  }

  // Some of what is bound is seen outside.
  void dataflow() {
    const Arrays before = arrays_;
    const int first = count_;
    line("dataflow {");
    indent_ += "  ";
    steps(8);
    Arrays after = before;
    std::string outputs;
    for (const auto& [dims, names] : arrays_)
      for (const std::string& name : names)
        if (name[1] == 't' && std::stoi(name.substr(2)) >= first && draw_.below(3) == 0) {
          outputs += (outputs.empty() ? "" : ", ") + name;
          after[dims].push_back(name);
        }
    if (!outputs.empty()) line("output " + outputs);
    indent_.resize(indent_.size() - 2);
    line("}");
    arrays_ = after;
  }

  void plain() {
    steps(3);
    if (draw_.below(2)) branch();
    if (draw_.below(3) == 0 && with_.packed) {
      const std::string dims = any_dims(), name = fresh();
      line(name + ": Tensor[" + dims + ", float32] = call_packed(\"test.random_same\", (" +
           any(dims) + "))");
      arrays_[dims].push_back(name);
    }
  }

  void branch() {
    const std::string name = fresh(), dims = any_dims();
    line(name + " = if (%c) {");
    side(dims);
    line("} else {");
    side(dims);
    line("}");
    arrays_[dims].push_back(name);
  }
  void side(const std::string& dims) {
    const Arrays before = arrays_;
    in_branch_ = true;  // where a match_shape would hide the symbols
    indent_ += "  ";
    steps(5);
    line(any(dims));
    in_branch_ = false;
    indent_.resize(indent_.size() - 2);
    arrays_ = before;
  }

  // One value, or a tuple, perhaps with a shape and a tuple in it.
  std::string results() {
    const auto one = [this] { return any(any_dims()); };
    switch (draw_.below(3)) {
      case 0: return one();
      case 1: return "(" + one() + ", " + one() + (with_.shapes ? ", shape(n, 2 * m))" : ")");
      default: return "(" + one() + ", tuple(" + one() + ", 1.5f32))";
    }
  }

  RandomPrograms with_;
  Draw draw_;
  Arrays arrays_ = {};
  std::string text_ = {}, indent_ = "  ";
  int count_ = 0;
  bool in_branch_ = false;
};

}  // namespace strata::test
