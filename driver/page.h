// Program + arguments -> a page in HTML (docs/page.md).
#pragma once

#include <string>
#include <vector>

#include "driver/compilation_unit.h"

namespace strata {

// The file has the layers, loops, remarks, the profile, and the machine code for a target. Without
// arguments: those of the last kernel, or else each input and each array that no other computation
// reads. If the loops are refused the page has the refusal. E0503 the file.
void write_page(CompilationUnit& unit, std::vector<std::string> arguments,
                const std::string& target, const std::string& path, const Where& where);

// The page of a refused command.
void write_page_of_refusal(const CompilationUnit& unit, const Error& refused,
                           const std::string& path, const Where& where);

// The parts of the page that need no script, for a notebook.
std::string page_part(const CompilationUnit& unit);

}  // namespace strata
