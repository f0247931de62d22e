// Pages in HTML about a program: a part of Function (docs/page.md).
#pragma once

#include <string>
#include <vector>

#include "core/error.h"
#include "strata/kernel_buffer.h"

namespace strata {

class Function;

// The base of Function.
class Pages {
 public:
  // Writes one HTML file, which needs no other: the layers, the schedule, the loops, the machine
  // code of inner loops for this CPU, what each command changed, remarks, and the profile of the
  // kernel if it was called with one.  Without arguments: those of the last kernel, or else each
  // input and each array that no other computation reads.  If the loops are refused the page has
  // the refusal.  E0115 the arguments; E0503 the file.
  void html(const std::string& path, const std::vector<Buffer>& arguments = {},
            const Where& where = Where::here()) const;
  // The page of a refused command, with the layers of the program that it was given for.
  void html(const Error& refused, const std::string& path,
            const Where& where = Where::here()) const;
  // Parts of the page, for a notebook: the schedule, the algorithm, buffers and the history,
  // without a script.
  std::string html() const;

 private:
  friend class Function;
  Pages() = default;
};

}  // namespace strata
