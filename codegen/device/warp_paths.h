// The ways that the threads of a warp take through a kernel in PTX.
#pragma once

#include <string>
#include <vector>

namespace strata::device {

// For each line of a kernel with an instruction a branch (as text) that decides whether it runs,
// and that two threads of one warp may take differently; "" if there is none: then all of them run
// it together, and as often.
//
// A branch decides about what is on the ways from it that do not pass what follows on all ways. It
// is taken differently if its condition *varies* within warps. What varies is found from above:
//
//     the index of the thread, unless it is known to be a warp's: z of blocks with a multiple of 32
//     threads on axes x and y together; y where x has such a multiple, and then x / 32, x < 32 n
//
//     what an instruction makes of what varies, or loads from memory that the kernel may write
//
//     what is set where a branch that is taken differently decides
std::vector<std::string> parting_branches(const std::vector<std::string>& lines);

}  // namespace strata::device
