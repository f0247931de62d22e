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

// What a kind finds at a statement.
struct Finding {
  std::string loop;  // the name of the loop in question; empty if there is none
  std::string seen, advice;
};

// Would this command, written as in a history, be legal now?
using IsLegal = std::function<bool(const std::string& command)>;

// Where a kind looks. "author" is the author's name of what the statement computes: initial values
// of a reduction have the reduction's.
struct Look {
  const Tree& tree;
  const RemarkSite& site;
  const std::string& author;
  const IsLegal& is_legal;
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

struct RemarkOptions {
  Machine machine = {};
  Values sizes = {};  // of parameters; the others are typical
  IsLegal is_legal = [](const std::string&) { return true; };
};

// One remark for each kind, computation and loop, without places.
std::vector<Remark> remarks(const Kernel& kernel, const Algorithm& algorithm,
                            const RemarkOptions& options = {});

}  // namespace strata
