// Remarks: what the compiler sees in a kernel that may make it slow.
//
// Like an error, a remark is data first and text second.
#pragma once

#include <string>

#include "core/error.h"

namespace strata {

struct Remark {
  std::string kind;         // a name of remark_kinds(), codegen/remarks/remarks.h: "gather"
  std::string computation;  // the author's name of what is computed there
  std::string loop;         // the name of the loop in question; empty if there is none
  std::string seen;         // one sentence, present tense, no full stop
  std::string advice;       // what to do, one sentence
  Where where = {"", 0};    // the command that made the loop so, or the definition
};

// The only renderer:
//   remark: gather
//     in computation S, loop j, at stencil.cpp:17
//     <seen>
//     what to do: <advice>
std::string render(const Remark& remark);

}  // namespace strata
