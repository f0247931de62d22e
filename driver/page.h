// Program + arguments -> a page in HTML (docs/page.md).
#pragma once

#include <string>
#include <vector>

#include "driver/compilation_unit.h"
#include "viewer/page.h"

namespace strata {

// Writes a file with the layers, loops, remarks, profile, and machine code for a target. Without
// arguments, takes those of the last kernel, or else each input and each array that no other
// computation reads. If loops are refused, the page has the refusal. E0503 if the file cannot be
// written.
void write_page(CompilationUnit& unit, std::vector<std::string> arguments,
                const std::string& target, const std::string& path, const Where& where);

// The same as a value, without machine code.
Page page_of(CompilationUnit& unit, const std::vector<std::string>& arguments, const Where& where);

// Writes the page of a refused command.
void write_page_of_refusal(const CompilationUnit& unit, const Error& refused,
                           const std::string& path, const Where& where);

// The parts of the page that need no script, for a notebook.
std::string page_part(const CompilationUnit& unit);

}  // namespace strata
