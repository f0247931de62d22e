// Work of LLVM that may crash without ending the process.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace strata::halide {

// Runs "work" in a thread of its own and waits for it. What it throws is thrown here. If LLVM gives
// up in it, by an assertion or a fatal error, this returns LLVM's text, or "" if LLVM has written
// it only to standard error.
//
// The thread then stays where it was, with its stack, memory and locks, and never runs again.
// Unwinding is not possible: in code that was compiled without exceptions it would run no
// destructors, and leave pointers to frames that are gone. Work must hold no lock that other work
// needs.
std::optional<std::string> find_crash(const std::function<void()>& work);

}  // namespace strata::halide
