// Building blocks of the cases of PolyBench's kernels. All numbers are doubles. Kernels and plain
// C take the sizes and then the arrays, in the order of the case.
#pragma once

#include <functional>
#include <type_traits>
#include <utility>

#include "benchmarks/common/case.h"

namespace polybench {

using Int = std::int64_t;

// The initial contents of an array of at most three dimensions, by its indices.
using Formula = std::function<double(Int i, Int j, Int k)>;

struct Data {
  std::vector<Int> extents;
  Formula first;
  bool is_result = false;   // compared with the reference
  bool only_plain = false;  // not an argument of the kernel
};
using AllData = std::vector<Data>;

inline Data scalar(double value) {
  return {{}, [value](Int, Int, Int) { return value; }};
}
inline Data input(std::vector<Int> extents, Formula first) {
  return {std::move(extents), std::move(first)};
}
// An array that the kernel reads and overwrites.
inline Data result(std::vector<Int> extents, Formula first) {
  return {std::move(extents), std::move(first), true};
}
// A result whose initial contents do not matter.
inline Data output(std::vector<Int> extents) {
  return result(std::move(extents), [](Int, Int, Int) { return 0.0; });
}
// An output whose contents are not compared.
inline Data unchecked(std::vector<Int> extents) {
  Data data = output(std::move(extents));
  data.is_result = false;
  return data;
}
// Scratch memory, passed to plain C only: the kernel allocates its own.
inline Data scratch(std::vector<Int> extents) {
  Data data = unchecked(std::move(extents));
  data.only_plain = true;
  return data;
}

inline double ratio(Int n, Int m) { return double(n) / double(m); }
// (n mod m) / m, as in most initial contents.
inline double fraction(Int n, Int m) { return ratio(n % m, m); }

// L L^T, a positive definite matrix, where L(i, j) = 1 - j / n below a diagonal of ones.
inline double definite(Int i, Int j, Int n) {
  if (i < j) return definite(j, i, n);
  const double a = double(j), m = double(n);
  const double squares = a - a * (a - 1) / m + (a - 1) * a * (2 * a - 1) / (6 * m * m);
  return squares + (i == j ? 1 : 1 - a / m);
}

// That n x n matrix, to be overwritten.
inline Data definite_matrix(Int n) {
  return result({n, n}, [=](Int i, Int j, Int) { return definite(i, j, n); });
}

inline strata::Array<double> filled(const Data& data) {
  strata::Array<double> array(data.extents);
  std::vector<Int> n = data.extents;
  n.resize(3, 1);
  double* next = array.data();
  for (Int i = 0; i < n[0]; ++i)
    for (Int j = 0; j < n[1]; ++j)
      for (Int k = 0; k < n[2]; ++k) *next++ = data.first(i, j, k);
  return array;
}

// A kernel K with P parameters has the case
//
//   struct Case : polybench::Case {
//     static inline const benchmarks::Sizes sizes = {{"medium", {..}}, {"large", {..}}};
//     static inline const std::vector<Int> odd = {..};   // small, for tests
//     explicit Case(const std::vector<Int>& n) : polybench::Case(n, data(n[0], ..)) {}
//     void plain() { call(plain_K); }
//     void strata() { call(K); }
//   };
class Case {
 public:
  static constexpr double tolerance = 1e-12;
  Case(std::vector<Int> sizes, AllData data) : sizes_(std::move(sizes)), data_(std::move(data)) {
    for (const Data& one : data_) first_.push_back(filled(one));
    arrays_ = first_;
  }
  double operations() const { return 0; }
  // Size number n and array number n, for variants that do not call a kernel.
  Int size(std::size_t n) const { return sizes_.at(n); }
  double* operator[](std::size_t n) { return arrays_.at(n).data(); }
  void start() {
    for (std::size_t n = 0; n < data_.size(); ++n)
      std::copy(first_[n].begin(), first_[n].end(), arrays_[n].begin());
  }
  benchmarks::Results results() const {
    benchmarks::Results results;
    for (std::size_t n = 0; n < data_.size(); ++n)
      if (data_[n].is_result) results.push_back(benchmarks::numbers(arrays_[n]));
    return results;
  }

 protected:
  // int K(int64_t size.., halide_buffer_t* array..)
  template <typename... Parameter>
  void call(int (*kernel)(Parameter...)) {
    std::vector<strata::Array<double>*> given;
    for (std::size_t n = 0; n < data_.size(); ++n)
      if (!data_[n].only_plain) given.push_back(&arrays_[n]);
    benchmarks::check(
        applied(kernel, [&](std::size_t n) -> halide_buffer_t* { return *given.at(n); }));
  }
  // void plain_K(int64_t size.., double* array..)
  template <typename... Parameter>
  void call(void (*plain)(Parameter...)) {
    applied(plain, [&](std::size_t n) { return arrays_.at(n).data(); });
  }

 private:
  template <typename Result, typename... Parameter, typename Array>
  Result applied(Result (*function)(Parameter...), const Array& array) {
    constexpr std::size_t sizes = (std::size_t{0} + ... + std::is_integral_v<Parameter>);
    return [&]<std::size_t... s, std::size_t... a>(std::index_sequence<s...>,
                                                   std::index_sequence<a...>) {
      return function(sizes_.at(s)..., array(a)...);
    }(std::make_index_sequence<sizes>{}, std::make_index_sequence<sizeof...(Parameter) - sizes>{});
  }

  std::vector<Int> sizes_;
  AllData data_;
  std::vector<strata::Array<double>> first_, arrays_;
};

}  // namespace polybench
