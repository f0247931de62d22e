// Concrete points of sets and relations: the only thing the judges use isl for.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/sets/relation.h"
#include "reference/evaluate.h"

namespace strata::reference {

using Parameters = std::map<std::string, std::int64_t>;

// The points of a set at these values of its parameters, in lexicographic order. Throws
// std::runtime_error if there are infinitely many or a parameter has no value.
std::vector<Point> points(const isl::set& set, const Parameters& parameters);

// While an object of this class lives, its thread caches the points of each isl object at each
// size: most relations of a program stay the same from one command to the next. It must not
// outlive their session.
class RememberedPoints {
 public:
  RememberedPoints();
  ~RememberedPoints();
  RememberedPoints(const RememberedPoints&) = delete;
  RememberedPoints& operator=(const RememberedPoints&) = delete;
};

// The pairs of a relation, or those whose first point is in the domain; in lexicographic order.
using Pair = std::pair<Point, Point>;
std::vector<Pair> pairs(const isl::map& relation, const Parameters& parameters);
std::vector<Pair> pairs(const isl::map& relation, const isl::set& domain,
                        const Parameters& parameters);

// { y : x -> y in the relation }, for one x.
std::vector<Point> image(const isl::map& relation, const Point& x, const Parameters& parameters);

// { x -> y : x -> y in the relation, x in the domain }, keyed by x.
std::map<Point, std::vector<Point>> images(const isl::map& relation, const isl::set& domain,
                                           const Parameters& parameters);

// Do the parameters satisfy the context?
bool holds(const isl::set& context, const Parameters& parameters);

std::string to_string(const Point& point);                            // "[1, 2]"
std::string to_string(const std::string& tuple, const Point& point);  // "S[1, 2]"
std::string to_string(const Parameters& parameters);                  // "N = 3, M = 4"

}  // namespace strata::reference
