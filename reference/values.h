// The values of a program, numbered; where each is stored, and which ones an instance reads.
#pragma once

#include <optional>
#include <set>

#include "reference/named.h"

namespace strata::reference {

// One value: an element of an input, what one instance defines, or one result of a reduction (made
// by all its contributions and its initial value together).
struct Value {
  std::string text;
  bool is_input = false;
  bool is_result = false;
  std::size_t contributions = 0;  // for a result: the number of contributions
  std::optional<std::size_t> place;
};

struct PlaceOf {
  std::string buffer;
  std::string text;        // "b[1, 0]"
  bool in_output = false;  // in a buffer that the caller sees
  // Outside the input, or outside the extents that the author gave the buffer.
  bool outside = false;
};

class ValueTable {
 public:
  // Arrays without a layout entry (all arrays if not "with_layout") have no places, except each
  // result of a reduction and each value of an array that some loop allocates: these have a place
  // of their own in the buffer of the array's name.
  ValueTable(const Program& program, const Parameters& parameters, bool with_layout);

  const std::vector<Value>& values() const { return values_; }
  const std::vector<PlaceOf>& places() const { return places_; }

  // The values that an instance makes or contributes to: one, except that a scatter makes one for
  // each element that it may redefine, keeping the old value of the others. Throws if there is no
  // such instance.
  const std::vector<std::size_t>& values_of(std::size_t definition, const Point& instance) const;
  bool exists(std::size_t definition, const Point& instance) const;
  // The values read according to the read relations, one per element; of the values made by a
  // scatter, only those of elements that the instance names or keeps.
  const std::vector<std::size_t>& reads_of(std::size_t definition, const Point& instance) const;

  // For each place, the value made last in the reference order (inputs precede all), if any.
  const std::vector<std::optional<std::size_t>>& last_in_place() const { return last_; }
  // Are both values of one element of one array?
  bool same_element(std::size_t a, std::size_t b) const { return elements_[a] == elements_[b]; }
  // All instances of a definition.
  std::vector<Point> instances_of(std::size_t definition) const;

 private:
  using Key = std::pair<std::string, Point>;
  struct Instance {
    std::vector<std::size_t> values;
    std::int64_t step = 0;  // its position in the reference order
  };

  void add_inputs(const Program& program, const Parameters& parameters);
  void add_instances(const Algorithm& algorithm, std::size_t number, const Parameters& parameters);
  void add_value(const std::string& text, const Key& element, bool is_result);
  bool is_allocated(const std::string& array) const { return allocated_.count(array) != 0; }
  void add_reads(std::size_t number, const Algorithm& algorithm, const Parameters& parameters);
  bool reads_value(std::size_t number, const Algorithm& algorithm, const Point& reader,
                   std::size_t value, const std::vector<Named>& named) const;
  void find_last(const Algorithm& algorithm, const Parameters& parameters);
  std::vector<std::size_t> producer_values(const Algorithm& algorithm, const std::string& producer,
                                           const Point& instance) const;
  void find_places(const Program& program, const Parameters& parameters);
  void find_outside(const Program& program, const Parameters& parameters,
                    const std::map<Key, std::size_t>& numbers);

  const std::set<std::string> allocated_;  // buffers allocated by loops
  std::vector<Value> values_;
  std::vector<Key> elements_;  // by value: its array and element
  std::vector<PlaceOf> places_;
  std::map<Key, std::size_t> place_of_element_;
  std::map<Key, std::size_t> inputs_;
  std::map<Key, std::size_t> results_;                // by the reduction's name
  std::vector<std::map<Point, Instance>> instances_;  // by definition
  std::vector<std::map<Point, std::vector<std::size_t>>> reads_;
  std::vector<std::int64_t> made_at_;  // by value: its last step in the reference order
  std::vector<std::optional<std::size_t>> last_;
};

}  // namespace strata::reference
