// Several object files as one.
#pragma once

#include <string>
#include <vector>

namespace strata {

// The bytes of one relocatable ELF object with the sections of all "objects", in their order, as
// `ld -r` makes it, except that sections of one name are not merged. Only what the first object
// defines can be seen by other objects: functions and data of the others become local, so that two
// of them may define the same name. What an object uses and does not define is the first object's,
// else that of the first object that defines it; else it stays undefined.
//
// For objects of LLVM for 64-bit little-endian machines (System V ABI, chapters 4 and 5): sections
// keep their alignment, contents and order. E0502 for anything else.
std::string join_objects(const std::vector<std::string>& objects);

}  // namespace strata
