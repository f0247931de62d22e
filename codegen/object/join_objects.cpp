#include "codegen/object/join_objects.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <stdexcept>

#include "codegen/object/elf_object.h"
#include "codegen/refusal.h"

namespace strata {

namespace {

template <typename T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// A table of names: each once, "" first.
class Names {
 public:
  Elf64_Word place_of(const std::string& name) {
    const auto [found, is_new] = places_.emplace(name, Elf64_Word(bytes_.size()));
    if (is_new) bytes_ += name + '\0';
    return found->second;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_ = std::string(1, '\0');
  std::map<std::string, Elf64_Word> places_ = {{"", 0}};
};

bool is_relocation(const ElfSection& s) {
  return s.head.sh_type == SHT_RELA || s.head.sh_type == SHT_REL;
}

// Sections that are hints of LLVM (SHT_LLVM_ADDRSIG and others), with symbols by number.
bool is_hint(const ElfSection& s) {
  return s.head.sh_type >= 0x6fff4c00 && s.head.sh_type <= 0x6fff4cff;
}

bool is_kept(const ElfObject& object, const ElfSection& s) {
  if (is_relocation(s) && s.head.sh_info < object.sections.size()) {
    const ElfSection& relocated = object.sections[s.head.sh_info];
    return !is_relocation(relocated) && is_kept(object, relocated);
  }
  return s.head.sh_type != SHT_NULL && s.head.sh_type != SHT_SYMTAB &&
         s.head.sh_type != SHT_STRTAB && !is_hint(s);
}

unsigned char binding(const ElfSymbol& s) { return ELF64_ST_BIND(s.entry.st_info); }

ElfSymbol bound(ElfSymbol s, unsigned char to) {
  s.entry.st_info = static_cast<unsigned char>(ELF64_ST_INFO(to, ELF64_ST_TYPE(s.entry.st_info)));
  return s;
}

class Joiner {
 public:
  explicit Joiner(const std::vector<std::string>& objects) {
    for (const std::string& bytes : objects) objects_.push_back(read_object(bytes));
    if (objects_.empty()) throw unreadable_object("there are no versions to join");
    for (const ElfObject& object : objects_)
      if (object.head.e_machine != objects_[0].head.e_machine ||
          object.head.e_flags != objects_[0].head.e_flags)
        throw unreadable_object("its versions are for different machines");
  }

  std::string joined() {
    place_sections();
    for (std::size_t n = 0; n < objects_.size(); ++n) place_definitions(n, true);
    const auto first_global = Elf64_Word(symbols_.size());
    place_definitions(0, false);
    for (std::size_t n = 0; n < objects_.size(); ++n) place_uses(n);
    for (std::size_t n = 0; n < objects_.size(); ++n) add_sections(n);
    add_tables(first_global);
    return written();
  }

 private:
  void place_sections() {
    for (const ElfObject& object : objects_) {
      sections_at_.emplace_back(object.sections.size(), 0);
      symbols_at_.emplace_back(object.symbols.size(), 0);
      for (std::size_t i = 0; i < object.sections.size(); ++i)
        if (is_kept(object, object.sections[i])) sections_at_.back()[i] = symbol_table_++;
    }
    if (symbol_table_ + 2 >= SHN_LORESERVE)
      throw unreadable_object("its versions have too many sections together");
  }

  Elf64_Word add(const ElfSymbol& s) {
    symbols_.push_back(s);
    return Elf64_Word(symbols_.size() - 1);
  }

  // What object n defines: the symbols that are local afterwards, or the others.
  void place_definitions(std::size_t n, bool local) {
    for (std::size_t i = 1; i < objects_[n].symbols.size(); ++i) {
      ElfSymbol s = objects_[n].symbols[i];
      const Elf64_Section section = s.entry.st_shndx;
      const bool was_local = binding(s) == STB_LOCAL;
      if (section == SHN_UNDEF || local != (was_local || n > 0)) continue;
      if (section == SHN_COMMON) throw unreadable_object(s.name + " has no section");
      if (section < SHN_LORESERVE) {
        s.entry.st_shndx = Elf64_Section(sections_at_[n].at(section));
        if (s.entry.st_shndx == 0) continue;  // names a section that is not kept
      }
      symbols_at_[n][i] = add(local ? bound(s, STB_LOCAL) : s);
      if (n == 0 && !was_local) definitions_[s.name] = symbols_at_[n][i];
      if (n > 0 && !was_local) definitions_.emplace(s.name, symbols_at_[n][i]);
    }
  }

  // What object n uses and does not define.
  void place_uses(std::size_t n) {
    for (std::size_t i = 1; i < objects_[n].symbols.size(); ++i) {
      const ElfSymbol& s = objects_[n].symbols[i];
      if (s.entry.st_shndx != SHN_UNDEF) continue;
      const auto [found, is_new] = definitions_.emplace(s.name, 0);
      if (is_new) found->second = add(s);
      symbols_at_[n][i] = found->second;
      ElfSymbol& used = symbols_[found->second];
      if (used.entry.st_shndx == SHN_UNDEF && binding(s) == STB_GLOBAL)
        used = bound(used, STB_GLOBAL);
    }
  }

  template <typename Relocation>
  std::string moved(const std::string& contents, std::size_t n) const {
    std::string out;
    for (std::size_t at = 0; at < contents.size(); at += sizeof(Relocation)) {
      auto r = read_at<Relocation>(contents, at);
      const std::uint64_t symbol = symbols_at_[n].at(ELF64_R_SYM(r.r_info));
      if (symbol == 0 && ELF64_R_SYM(r.r_info) != 0)
        throw unreadable_object("a relocation names a symbol of a section that is not kept");
      r.r_info = ELF64_R_INFO(symbol, ELF64_R_TYPE(r.r_info));
      append(out, r);
    }
    return out;
  }

  void add_sections(std::size_t n) {
    for (ElfSection s : objects_[n].sections) {
      if (!is_kept(objects_[n], s)) continue;
      const std::vector<Elf64_Word>& places = sections_at_[n];
      if (s.head.sh_type == SHT_RELA) s.contents = moved<Elf64_Rela>(s.contents, n);
      if (s.head.sh_type == SHT_REL) s.contents = moved<Elf64_Rel>(s.contents, n);
      s.head.sh_link = is_relocation(s) ? symbol_table_ : places.at(s.head.sh_link);
      if (is_relocation(s) || (s.head.sh_flags & SHF_INFO_LINK))
        s.head.sh_info = places.at(s.head.sh_info);
      sections_.push_back(s);
    }
  }

  void add_table(const std::string& name, Elf64_Word type, const std::string& contents) {
    ElfSection s{{}, name, contents};
    s.head.sh_type = type;
    s.head.sh_addralign = type == SHT_SYMTAB ? alignof(Elf64_Sym) : 1;
    if (type == SHT_SYMTAB) s.head.sh_entsize = sizeof(Elf64_Sym);
    s.head.sh_size = contents.size();
    sections_.push_back(s);
  }

  // The table of symbols, and one of all names.
  void add_tables(Elf64_Word first_global) {
    Names names;
    std::string table;
    for (ElfSymbol& s : symbols_) {
      s.entry.st_name = names.place_of(s.name);
      append(table, s.entry);
    }
    add_table(".symtab", SHT_SYMTAB, table);
    sections_.back().head.sh_link = symbol_table_ + 1;
    sections_.back().head.sh_info = first_global;
    names.place_of(".strtab");
    for (ElfSection& s : sections_) s.head.sh_name = names.place_of(s.name);
    add_table(".strtab", SHT_STRTAB, names.bytes());
    sections_.back().head.sh_name = names.place_of(".strtab");
  }

  std::string written() {
    Elf64_Ehdr head = objects_[0].head;
    std::string bytes(sizeof head, '\0');
    const auto align = [&](std::size_t to) { bytes.resize((bytes.size() + to - 1) / to * to); };
    for (std::size_t n = 1; n < sections_.size(); ++n) {
      align(std::max<std::size_t>(sections_[n].head.sh_addralign, 1));
      sections_[n].head.sh_offset = bytes.size();
      bytes += sections_[n].contents;
    }
    align(alignof(Elf64_Shdr));
    head.e_shoff = bytes.size();
    head.e_shnum = Elf64_Half(sections_.size());
    head.e_shstrndx = Elf64_Half(sections_.size() - 1);
    std::memcpy(bytes.data(), &head, sizeof head);
    for (const ElfSection& s : sections_) append(bytes, s.head);
    return bytes;
  }

  std::vector<ElfObject> objects_;
  std::vector<std::vector<Elf64_Word>> sections_at_, symbols_at_;  // of each object, after joining
  Elf64_Word symbol_table_ = 1;                                    // the section's number
  std::map<std::string, Elf64_Word> definitions_;                  // and uses without one
  std::vector<ElfSymbol> symbols_ = std::vector<ElfSymbol>(1);
  std::vector<ElfSection> sections_ = std::vector<ElfSection>(1);
};

}  // namespace

std::string join_objects(const std::vector<std::string>& objects) {
  try {
    return Joiner(objects).joined();
  } catch (const std::out_of_range&) {
    throw unreadable_object("an object names a section or a symbol that it does not have");
  }
}

}  // namespace strata
