// A header of the consumer with the name of an internal header of Strata.
#pragma once

inline double third(double sum) { return sum / 3; }
