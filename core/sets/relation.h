// The relations of all layers, each with the kinds of its two tuples. Comments write relations as
// iscc does: "r . s" is first r, then s.
//
//   Instance   S[i, j]          one instance of a computation, or an element of an input (layer I)
//   Value      X[i, j]          an element of an array of values, as named by readers
//   Time       [b0,t0,b1,...]   a point of the time-space domain (layer II)
//   Place      b[x, y]          one element of a buffer (layer III)
//
// The kinds are part of the C++ type, so composing an access relation where a schedule map is
// required does not compile.
#pragma once

#include <isl/options.h>

#include <string>

#include "core/sets/metered.h"

namespace strata {

struct Instance;
struct Value;
struct Time;
struct Place;

using Context = isl::typed::set<>;
using InstanceSet = isl::typed::set<Instance>;
using ValueSet = isl::typed::set<Value>;
using ReadRelation = isl::typed::map<Instance, Instance>;
using ValueRelation = isl::typed::map<Instance, Value>;
using TimeMap = isl::typed::map<Instance, Time>;
using AccessRelation = isl::typed::map<Value, Place>;
using TimeOrder = isl::typed::map<Time, Time>;

using TimeMaps = isl::typed::union_map<Instance, Time>;
using Dependences = isl::typed::union_map<Instance, Instance>;

}  // namespace strata
