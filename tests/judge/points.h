// Concrete points of sets and relations: the only thing the judges ask of isl.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/sets/relation.h"
#include "tests/judge/evaluate.h"

namespace strata::judge {

using Parameters = std::map<std::string, std::int64_t>;

// The points of a set at these values of its parameters, in lexicographic order.  Throws
// std::runtime_error if there are infinitely many or a parameter has no value.
std::vector<Point> points(const isl::set& set, const Parameters& parameters);

// While one lives, this thread remembers what it has found of each isl object at each size: most
// relations of a program are the same from one command to the next.  It must not outlive the
// session that they are of.
class RememberedPoints {
 public:
  RememberedPoints();
  ~RememberedPoints();
  RememberedPoints(const RememberedPoints&) = delete;
  RememberedPoints& operator=(const RememberedPoints&) = delete;
};

// The pairs of a relation, or those with the first point in the domain; in lexicographic order.
using Pair = std::pair<Point, Point>;
std::vector<Pair> pairs(const isl::map& relation, const Parameters& parameters);
std::vector<Pair> pairs(const isl::map& relation, const isl::set& domain,
                        const Parameters& parameters);

// { y : x -> y in the relation }, of one x.
std::vector<Point> image(const isl::map& relation, const Point& x, const Parameters& parameters);

// { x -> y : x -> y in the relation, x in the domain }, by x.
std::map<Point, std::vector<Point>> images(const isl::map& relation, const isl::set& domain,
                                           const Parameters& parameters);

// Do these parameters lie in the context?
bool holds(const isl::set& context, const Parameters& parameters);

std::string to_string(const Point& point);                            // "[1, 2]"
std::string to_string(const std::string& tuple, const Point& point);  // "S[1, 2]"
std::string to_string(const Parameters& parameters);                  // "N = 3, M = 4"

}  // namespace strata::judge
