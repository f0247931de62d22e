// Remarks: what the compiler sees in a kernel that may make it slow.
//
// Like an error, a remark is data first and text second.
#pragma once

#include <string>
#include <vector>

#include "core/error.h"

namespace strata {

struct Remark {
  std::string kind;         // a name of remark_kinds(), codegen/remarks/remarks.h: "gather"
  std::string computation;  // the author's name of what is computed there
  std::string loop;         // the name of the loop in question; empty if there is none
  std::string seen;         // one sentence, present tense, no full stop
  std::string advice;       // what to do, one sentence
  // The commands that the advice is to give, written as in a history: they are legal now, and the
  // program has no such remark after them. Empty where the author has to think.
  std::vector<std::string> commands = {};
  Where where = {"", 0};  // the command that made the loop so, or the definition
  std::string kernel = "";
};

// The only renderer:
//   remark: gather
//     in computation S, loop j, at stencil.cpp:17
//     <seen>
//     what to do: <advice>
std::string render(const Remark& remark);

// The remarks on a kernel.
class Remarks : public std::vector<Remark> {
 public:
  using std::vector<Remark>::vector;
  // A list in JSON, with an object for each remark: kernel, kind, computation, loop, file, line,
  // seen, advice and commands.
  std::string json() const;
};

}  // namespace strata
