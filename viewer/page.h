// One HTML file that shows everything about a program: its layers, its schedule, the loops, their
// machine code, and how the commands led there. It needs no other file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codegen/tree/loop_tree.h"
#include "core/error.h"
#include "core/remark.h"
#include "layers/program.h"

namespace strata {

// What a page shows. What is missing is left out, and the page says so.
struct Page {
  Program program;                        // as the author has left it
  std::optional<Program> reference = {};  // before its first command, if it had any
  std::optional<Program> ready = {};      // finished for the arguments of the kernel
  std::optional<Kernel> kernel = {};      // its loops
  std::string assembly = "";              // of the kernel, as LLVM writes it
  std::string why_no_assembly = "";
  Remarks remarks = {};
  std::string profile = "";             // docs/profile.md
  std::optional<Refusal> refusal = {};  // of a command, or of code generation
};

std::string to_html(const Page& page);

// Parts of it for a page of others: the schedule, the layers I and III and the history, without a
// script.
std::string to_html_part(const Page& page);

}  // namespace strata
