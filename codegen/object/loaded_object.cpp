#include "codegen/object/loaded_object.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "codegen/object/elf_object.h"

// Of the compiler's runtime, for exceptions, backtrace() and profilers.
extern "C" void __register_frame(const void* frames);
extern "C" void __deregister_frame(const void* frames);

namespace strata {

namespace {

// Each symbol has a cell: a jump to its address, and the address. Calls of functions that may be
// far away, and loads of addresses, use it; data is not reached by a jump.
constexpr unsigned char jump[] = {0xff, 0x25, 2, 0, 0, 0, 0x66, 0x90};
constexpr std::size_t cell_size = 16, address_in_cell = sizeof jump;

std::size_t rounded_up(std::size_t number, std::size_t to) { return (number + to - 1) / to * to; }

std::size_t page_size() { return std::size_t(sysconf(_SC_PAGESIZE)); }

constexpr Elf64_Word relative_relocations = 19, compact_relocations = 0x40000014;

// How stacks are unwound: the runtime of C++ reads it up to 4 bytes of zero.
constexpr std::size_t end_of_frames = 4;
bool has_frames(const ElfSection& s) { return s.name == ".eh_frame" && s.head.sh_size > 0; }

bool is_loaded(const ElfSection& s) {
  return (s.head.sh_flags & SHF_ALLOC) != 0 && s.head.sh_type != SHT_NOTE;
}
bool has_bytes(const ElfSection& s) {
  return s.head.sh_type == SHT_PROGBITS || s.head.sh_type == SHT_NOBITS ||
         s.head.sh_type == SHT_X86_64_UNWIND;
}

Error unsupported_section(const ElfSection& s) {
  return unreadable_object("section " + s.name + " is not supported");
}

std::size_t width_of(const Elf64_Rela& r) {
  const auto kind = ELF64_R_TYPE(r.r_info);
  return kind == R_X86_64_64 || kind == R_X86_64_PC64 ? 8 : 4;
}

bool is_written(const ElfSection& s) { return (s.head.sh_flags & SHF_WRITE) != 0; }

}  // namespace

CodePages::CodePages(std::size_t size) : size_(size) {
  void* const memory =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw unreadable_object("there is no memory for it");
  begin_ = static_cast<unsigned char*>(memory);
}

CodePages::~CodePages() {
  for (const void* const frames : frames_) __deregister_frame(frames);
  munmap(begin_, size_);
}

void CodePages::register_frames(std::size_t offset) {
  frames_.push_back(begin_ + offset);
  __register_frame(frames_.back());
}

void CodePages::make_executable(std::size_t size) {
  if (mprotect(begin_, size, PROT_READ | PROT_EXEC) != 0)
    throw unreadable_object("this system does not let memory be executed");
}

// Sections that are only read, the cells, and on further pages the sections that are written.
class Loading {
 public:
  Loading(const std::string& bytes, const Addresses& known)
      : object_(read_object(bytes)), known_(known) {
    if (object_.head.e_machine != EM_X86_64)
      throw unreadable_object("in process, kernels run on x86-64 alone");
    for (std::size_t n = 0; n < object_.sections.size(); ++n)
      if (!is_written(object_.sections[n])) place(n);
    cells_ = rounded_up(size_, cell_size);
    executable_ = size_ = rounded_up(cells_ + cell_size * object_.symbols.size(), page_size());
    for (std::size_t n = 0; n < object_.sections.size(); ++n)
      if (is_written(object_.sections[n])) place(n);
  }

  void load(LoadedObject& to) {
    to.pages_ = std::make_unique<CodePages>(size_ + 1);
    begin_ = to.pages_->begin();
    for (const auto& [n, offset] : places_) {
      const std::string& contents = object_.sections[n].contents;
      std::copy(contents.begin(), contents.end(), begin_ + offset);
    }
    for (const ElfSymbol& symbol : object_.symbols)
      if (is_given(symbol)) to.defined_[symbol.name] = reinterpret_cast<void*>(address_of(symbol));
    for (const ElfSection& section : object_.sections) relocate(section);
    to.pages_->make_executable(executable_);
    for (const auto& [n, offset] : places_)
      if (has_frames(object_.sections[n])) to.pages_->register_frames(offset);
  }

 private:
  void place(std::size_t n) {
    const ElfSection& section = object_.sections[n];
    const Elf64_Shdr& head = section.head;
    if (!is_loaded(section)) return;
    if (!has_bytes(section) || head.sh_flags & SHF_TLS) throw unsupported_section(section);
    size_ = rounded_up(size_, std::max<std::size_t>(head.sh_addralign, 1));
    places_[n] = size_;
    size_ += head.sh_size + (has_frames(section) ? end_of_frames : 0);
  }

  static bool is_outside(const ElfSymbol& symbol) { return symbol.entry.st_shndx == SHN_UNDEF; }
  static bool is_given(const ElfSymbol& symbol) {
    return !is_outside(symbol) && ELF64_ST_BIND(symbol.entry.st_info) != STB_LOCAL;
  }

  std::uintptr_t address_of(const ElfSymbol& symbol) const {
    const std::size_t section = symbol.entry.st_shndx;
    if (section == SHN_ABS) return symbol.entry.st_value;
    if (section == SHN_UNDEF) return symbol.name.empty() ? 0 : outside(symbol.name);
    const auto place = places_.find(section);
    if (place == places_.end()) throw unreadable_object(symbol.name + " is in no loaded section");
    return reinterpret_cast<std::uintptr_t>(begin_ + place->second) + symbol.entry.st_value;
  }

  std::uintptr_t outside(const std::string& name) const {
    const auto found = known_.find(name);
    void* const address = found == known_.end() ? dlsym(RTLD_DEFAULT, name.c_str()) : found->second;
    if (!address) throw unreadable_object("the address of " + name + " is not known");
    return reinterpret_cast<std::uintptr_t>(address);
  }

  // Writes the cell of a symbol that is used.
  std::uintptr_t used(std::size_t symbol) const {
    const std::uintptr_t address = address_of(object_.symbols[symbol]);
    std::memcpy(cell_of(symbol), jump, sizeof jump);
    write(cell_of(symbol) + address_in_cell, address);
    return address;
  }

  unsigned char* cell_of(std::size_t symbol) const { return begin_ + cells_ + cell_size * symbol; }

  void relocate(const ElfSection& table) {
    const Elf64_Word type = table.head.sh_type;
    const bool is_other = type == SHT_REL || type == compact_relocations;
    const bool is_placed = places_.contains(table.head.sh_info);
    if (type == relative_relocations || (is_other && is_placed)) throw unsupported_section(table);
    if (type != SHT_RELA || !is_placed) return;
    unsigned char* const section = begin_ + places_[table.head.sh_info];
    const std::uint64_t size = object_.sections[table.head.sh_info].head.sh_size;
    for (std::size_t at = 0; at < table.contents.size(); at += sizeof(Elf64_Rela)) {
      const auto r = read_at<Elf64_Rela>(table.contents, at);
      const bool fits = r.r_offset <= size && size - r.r_offset >= width_of(r);
      if (!fits || ELF64_R_SYM(r.r_info) >= object_.symbols.size())
        throw unreadable_object("a relocation is outside of its section");
      relocate(section + r.r_offset, r);
    }
  }

  void relocate(unsigned char* place, const Elf64_Rela& r) const {
    const std::size_t symbol = ELF64_R_SYM(r.r_info);
    const auto here = reinterpret_cast<std::uintptr_t>(place);
    const auto cell = reinterpret_cast<std::uintptr_t>(cell_of(symbol));
    const std::uintptr_t address = used(symbol);
    const std::uintptr_t called = is_outside(object_.symbols[symbol]) ? cell : address;
    const auto addend = std::uintptr_t(r.r_addend);
    const std::string& name = object_.symbols[symbol].name;
    switch (ELF64_R_TYPE(r.r_info)) {
      case R_X86_64_NONE: return;
      case R_X86_64_64: return write(place, address + addend);
      case R_X86_64_PC64: return write(place, address + addend - here);
      case R_X86_64_PC32: return write_distance(place, address + addend - here, name);
      case R_X86_64_PLT32: return write_distance(place, called + addend - here, name);
      case R_X86_64_GOTPCREL:
      case R_X86_64_GOTPCRELX:
      case R_X86_64_REX_GOTPCRELX:
        return write_distance(place, cell + address_in_cell + addend - here, name);
      default:
        throw unreadable_object("relocation " + std::to_string(ELF64_R_TYPE(r.r_info)) +
                                " is not supported");
    }
  }

  template <typename T>
  static void write(unsigned char* place, T value) {
    std::memcpy(place, &value, sizeof value);
  }

  static void write_distance(unsigned char* place, std::uintptr_t distance,
                             const std::string& name) {
    const auto value = std::int64_t(distance);
    if (value != std::int32_t(value))
      throw unreadable_object((name.empty() ? "a section" : name) + " is farther away than 2 GB");
    write(place, std::int32_t(value));
  }

  ElfObject object_;
  const Addresses& known_;
  std::map<std::size_t, std::size_t> places_;  // of loaded sections
  std::size_t cells_ = 0, executable_ = 0, size_ = 0;
  unsigned char* begin_ = nullptr;
};

LoadedObject::LoadedObject(const std::string& bytes, const Addresses& known) {
  Loading(bytes, known).load(*this);
}

void* LoadedObject::address_of(const std::string& name) const {
  const auto found = defined_.find(name);
  if (found == defined_.end()) throw unreadable_object("it has no " + name);
  return found->second;
}

}  // namespace strata
