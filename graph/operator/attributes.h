// The attributes of operators: what is neither a tensor nor follows from one.
//
//   struct PoolAttributes {
//     Integers window, strides = {1, 1};
//     STRATA_FIELDS(window, strides)
//   };
//
// The list in STRATA_FIELDS serves to print, parse and compare the struct.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/error.h"
#include "core/expr/expr_text.h"
#include "core/text_scanner.h"
#include "core/type.h"
#include "graph/tensor/exprs.h"

namespace strata::graph {

using Integers = std::vector<std::int64_t>;

// Lists of integers are Integers, lists of dims a Shape.
using Attribute = std::variant<bool, std::int64_t, double, std::string, Type, Integers, Shape>;

// Names and values, in the order of the struct's list.
class Attributes {
 public:
  struct Entry {
    std::string name;
    Attribute value;
  };

  Attributes() = default;
  Attributes(std::vector<Entry> entries) : entries_(std::move(entries)) {}

  const std::vector<Entry>& entries() const { return entries_; }
  const Attribute* find(std::string_view name) const;
  void set(const std::string& name, Attribute value);

  // "strides=[1, 1], layout=\"NCHW\"", which parses back in a call (read_attribute).
  std::string text() const;

  // Equal texts: dims are compared by their normal forms.
  friend bool operator==(const Attributes& a, const Attributes& b) { return a.text() == b.text(); }

 private:
  std::vector<Entry> entries_;
};

// Is it the name of a note? A name with a dot, such as "relay.channels", is a note that somebody
// put on a call. It is printed, parsed and compared like an attribute, but no operator sees it.
bool is_note(std::string_view name);
Attributes without_notes(const Attributes& attributes);

// Reads a dim, in normal form, or the value of an attribute, at the scanner's position. E0108 with
// line and column if there is none.
Expr read_dim(TextScanner& scanner, const ExprNames& names);
Shape rest_of_dims(TextScanner& scanner, const ExprNames& names);  // after "(", up to and with ")"
Attribute read_attribute(TextScanner& scanner, const ExprNames& names);

// Reads one or more items with commas between them, up to and with "end".
template <typename Read>
auto read_list(TextScanner& scanner, std::string_view end, const Read& read) {
  std::vector<decltype(read())> items;
  while (!scanner.accept(end)) {
    if (!items.empty()) scanner.expect(",");
    items.push_back(read());
  }
  return items;
}
template <typename Read>
auto read_some(TextScanner& scanner, const Read& read) {
  std::vector<decltype(read())> items;
  do items.push_back(read());
  while (scanner.accept(","));
  return items;
}

// Makes the member fields(f), which calls f(name, value) for each field in the list.
#define STRATA_FIELDS(...)                            \
  template <typename Visitor>                         \
  void fields(const Visitor& visitor) {               \
    visit_fields(visitor, #__VA_ARGS__, __VA_ARGS__); \
  }

// "names" are the names of the fields, as the list of a macro has them: "a, b".
template <typename Visitor, typename First, typename... Others>
void visit_fields(const Visitor& visitor, std::string_view names, First& first, Others&... others) {
  const auto end = names.find(',');
  visitor(std::string(names.substr(0, end)), first);
  if constexpr (sizeof...(others) > 0)
    visit_fields(visitor, names.substr(names.find_first_not_of(", ", end)), others...);
}

// The struct as a list.
template <typename Struct>
Attributes attributes_of(Struct values) {
  Attributes list;
  values.fields([&](const std::string& name, auto& value) { list.set(name, value); });
  return list;
}

// Throws E0602: the attribute is of another kind.
[[noreturn]] void refuse_kind(const std::string& name, const Attribute& given,
                              const Request& request);
// Throws E0603 for an attribute that is not in the list, and names the nearest one that is.
void require_known(const Attributes& given, const Attributes& known, const Request& request);

// The given attribute as a value of the field's type. An integer may be a float, and a list of
// integers a list of dims.
template <typename T>
T converted(const std::string& name, const Attribute& given, const Request& request) {
  if (const T* value = std::get_if<T>(&given)) return *value;
  if (const auto* integer = std::get_if<std::int64_t>(&given)) {
    if constexpr (std::same_as<T, double>) return double(*integer);
    if constexpr (std::same_as<T, bool>)
      if (*integer == 0 || *integer == 1) return *integer == 1;
  }
  if (const auto* integers = std::get_if<Integers>(&given))
    if constexpr (std::same_as<T, Shape>) return Shape(integers->begin(), integers->end());
  refuse_kind(name, given, request);
}

// The struct with the given values, and its own defaults for other fields.
template <typename Struct>
Struct from_attributes(const Attributes& given, const Request& request) {
  Struct values;
  require_known(given, attributes_of(values), request);
  values.fields([&](const std::string& name, auto& value) {
    if (const Attribute* there = given.find(name))
      value = converted<std::remove_reference_t<decltype(value)>>(name, *there, request);
  });
  return values;
}

}  // namespace strata::graph
