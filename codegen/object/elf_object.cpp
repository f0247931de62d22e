#include "codegen/object/elf_object.h"

#include "codegen/refusal.h"

namespace strata {

namespace {

std::string part(const std::string& bytes, std::size_t at, std::size_t size) {
  if (at > bytes.size() || bytes.size() - at < size)
    throw unreadable_object("an object is cut off");
  return bytes.substr(at, size);
}

std::string text_at(const std::string& table, std::size_t at) {
  return at < table.size() ? std::string(table.c_str() + at) : "";
}

void read_symbols(ElfObject& object) {
  for (const ElfSection& s : object.sections) {
    if (s.head.sh_type == SHT_GROUP || s.head.sh_type == SHT_SYMTAB_SHNDX)
      throw unreadable_object("section " + s.name + " is of a kind that is not supported");
    if (s.head.sh_type != SHT_SYMTAB) continue;
    if (s.head.sh_link >= object.sections.size())
      throw unreadable_object("a symbol table has no names");
    const std::string& names = object.sections[s.head.sh_link].contents;
    for (std::size_t at = 0; at < s.contents.size(); at += sizeof(Elf64_Sym)) {
      const auto entry = read_at<Elf64_Sym>(s.contents, at);
      object.symbols.push_back({entry, text_at(names, entry.st_name)});
    }
  }
}

}  // namespace

Error unreadable_object(const std::string& what) {
  return cannot_generate("the object of a kernel cannot be used: " + what);
}

ElfObject read_object(const std::string& bytes) {
  ElfObject object;
  object.head = read_at<Elf64_Ehdr>(bytes, 0);
  const unsigned char* const id = object.head.e_ident;
  if (std::memcmp(id, ELFMAG, SELFMAG) != 0 || id[EI_CLASS] != ELFCLASS64 ||
      id[EI_DATA] != ELFDATA2LSB || object.head.e_type != ET_REL)
    throw unreadable_object("an object is not a 64-bit ELF file");
  for (std::size_t n = 0; n < object.head.e_shnum; ++n) {
    const auto head = read_at<Elf64_Shdr>(bytes, object.head.e_shoff + n * sizeof(Elf64_Shdr));
    const bool stored = head.sh_type != SHT_NOBITS && head.sh_type != SHT_NULL;
    object.sections.push_back({head, "", stored ? part(bytes, head.sh_offset, head.sh_size) : ""});
  }
  if (object.head.e_shstrndx >= object.sections.size())
    throw unreadable_object("sections have no names");
  const std::string names = object.sections[object.head.e_shstrndx].contents;
  for (ElfSection& s : object.sections) s.name = text_at(names, s.head.sh_name);
  read_symbols(object);
  return object;
}

}  // namespace strata
