// Object files of 64-bit ELF, as LLVM writes them.
#pragma once

#include <elf.h>

#include <cstring>
#include <string>
#include <vector>

#include "core/error.h"

namespace strata {

struct ElfSection {
  Elf64_Shdr head = {};
  std::string name = "", contents = "";
};

struct ElfSymbol {
  Elf64_Sym entry = {};
  std::string name = "";
};

struct ElfObject {
  Elf64_Ehdr head;
  std::vector<ElfSection> sections;
  std::vector<ElfSymbol> symbols;
};

// E0502.
Error unreadable_object(const std::string& what);

// The structure at a place; E0502 if the bytes end before.
template <typename T>
T read_at(const std::string& bytes, std::size_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(T))
    throw unreadable_object("an object is cut off");
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

// E0502 if the bytes are not an object file.
ElfObject read_object(const std::string& bytes);

}  // namespace strata
