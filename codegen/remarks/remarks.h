// Remarks on a kernel: the table of kinds, each found in the loop tree after its passes.
//
// A kind is a row {name, runs, find}. "find" looks at one statement with the loops around it, and
// returns what it sees there, or nothing. Only statements that matter are looked at: those with at
// least a twentieth of the kernel's operations, for typical sizes (estimate.h). So a copy of a loop
// for the border of a picture has no remarks.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "codegen/remarks/sites.h"
#include "core/remark.h"
#include "layers/program.h"

namespace strata {

// A command that may end what was found: as in a history, as in C++, and what to do besides.
struct Candidate {
  std::string command, in_cpp;
  std::string also = "";
};
// method(computation.loop, more)
Candidate on_loop(const std::string& method, const std::string& computation,
                  const std::string& loop, const std::string& more = "");

// What a kind finds at a statement. The first of the candidates that is legal, and after which the
// kind finds nothing there, becomes the advice; if there is none, "advice" is.
struct Finding {
  std::string loop;  // the name of the loop in question; empty if there is none
  std::string seen, advice;
  std::vector<Candidate> candidates = {};
};

// Where a kind looks. "author" is the author's name of what the statement computes: initial values
// of a reduction have the reduction's.
struct Look {
  const Tree& tree;
  const RemarkSite& site;
  const std::string& author;
};

// The statements that a kind looks at.
enum class Runs { on_host, in_launches, anywhere };

struct RemarkKind {
  const char* name;
  Runs runs;
  std::optional<Finding> (*find)(const Look& at);
};

// The rows, in the order in which remarks are listed.
const std::vector<RemarkKind>& remark_kinds();

// The kernel after a command, written as in a history; nothing if the command is refused.
using KernelAfter = std::function<std::optional<Kernel>(const std::string& command)>;

struct RemarkOptions {
  Machine machine = {};
  Values sizes = {};  // of parameters; the others are typical
  KernelAfter after = [](const std::string&) { return std::optional<Kernel>(); };
};

// Kernels that are generated to try commands, at most, for all remarks on one kernel.
constexpr int most_trials = 12;

// One remark for each kind, computation and loop, without places.
Remarks remarks(const Kernel& kernel, const Algorithm& algorithm,
                const RemarkOptions& options = {});

}  // namespace strata
