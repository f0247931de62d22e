// The file of an executable: a head of magic and version, the parts, and a hash of all before it.
// Numbers are of 64 bits, the lowest byte first; texts and lists have their length before them.
#include <cstring>
#include <fstream>
#include <sstream>

#include "graph/vm/executable.h"

namespace strata::graph {

namespace {

constexpr char magic[] = "STRATAVM";
constexpr std::int64_t version = 1;
enum class Tag : std::int64_t { array, shape, integer, text };

// FNV-1a
std::int64_t hash_of(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return std::int64_t(hash);
}

class Writer {
 public:
  void number(std::int64_t n) {
    for (int k = 0; k < 8; ++k) bytes_ += char(std::uint64_t(n) >> 8 * k & 0xff);
  }
  void text(std::string_view text) {
    number(std::int64_t(text.size()));
    bytes_ += text;
  }
  void numbers(const std::vector<std::int64_t>& all) {
    number(std::int64_t(all.size()));
    for (const std::int64_t n : all) number(n);
  }
  void constant(const VmValue& value) {
    if (const NDArray* array = value.array()) {
      number(std::int64_t(Tag::array));
      number(array->type().code);
      number(array->type().bits);
      numbers(array->extents());
      text({reinterpret_cast<const char*>(array->raw()), array->bytes()});
    } else if (value.shape()) {
      number(std::int64_t(Tag::shape));
      numbers(value.shape()->numbers);
    } else if (value.integer()) {
      number(std::int64_t(Tag::integer));
      number(*value.integer());
    } else {
      number(std::int64_t(Tag::text));
      text(*value.text());
    }
  }
  std::string take() {
    number(hash_of(bytes_));
    return std::move(bytes_);
  }

 private:
  std::string bytes_ = magic;
};

[[noreturn]] void fail(const std::string& why) {
  throw VmError("vm: this is not an executable that can be read: " + why);
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  std::int64_t number() {
    std::uint64_t n = 0;
    const std::string_view raw = take(8);
    for (int k = 0; k < 8; ++k) n |= std::uint64_t(static_cast<unsigned char>(raw[k])) << 8 * k;
    return std::int64_t(n);
  }
  // The length of a list whose items take at least "least" bytes each.
  std::int64_t count(std::int64_t least = 1) {
    const std::int64_t n = number();
    if (n < 0 || n > std::int64_t(bytes_.size()) / least) fail("it is truncated");
    return n;
  }
  std::string_view text() { return take(std::size_t(count())); }
  std::vector<std::int64_t> numbers() {
    std::vector<std::int64_t> all(std::size_t(count(8)));
    for (std::int64_t& n : all) n = number();
    return all;
  }
  std::string_view take(std::size_t length) {
    if (length > bytes_.size()) fail("it is truncated");
    const std::string_view taken = bytes_.substr(0, length);
    bytes_.remove_prefix(length);
    return taken;
  }
  bool at_end() const { return bytes_.empty(); }

  VmValue constant() {
    switch (Tag(number())) {
      case Tag::array: return array();
      case Tag::shape: return ShapeNumbers{numbers()};
      case Tag::integer: return number();
      case Tag::text: return std::string(text());
    }
    fail("a constant has no kind");
  }

 private:
  VmValue array() {
    const std::int64_t code = number(), bits = number();
    if (code < 0 || code > 4 || (bits != 1 && bits != 8 && bits != 16 && bits != 32 && bits != 64))
      fail("an array has elements of no type");
    std::vector<std::int64_t> extents = numbers();
    const std::string_view raw = text();
    try {
      std::byte none;  // stands for the elements: only the size is used
      const strata_type type = strata_type_of(std::uint8_t(code), std::uint8_t(bits));
      if (NDArray::around(type, extents, &none, nullptr).bytes() != raw.size())
        fail("an array has another number of bytes than its extents say");
      const NDArray made(type, std::move(extents));
      std::memcpy(made.raw(), raw.data(), raw.size());
      return made;
    } catch (const std::length_error&) {
      fail("an array has extents that no array has");
    }
  }

  std::string_view bytes_;
};

}  // namespace

std::string Executable::saved() const {
  Writer w;
  w.number(version);
  w.number(std::int64_t(functions.size()));
  for (const VmFunction& f : functions) {
    w.text(f.name);
    w.numbers({f.start, f.inputs, f.registers});
  }
  w.number(std::int64_t(constants.size()));
  for (const VmValue& value : constants) w.constant(value);
  w.number(std::int64_t(callees.size()));
  for (const std::string& name : callees) w.text(name);
  w.numbers(offsets_);
  w.numbers(words_);
  return w.take();
}

Executable Executable::load(const std::string& bytes) {
  const std::string_view all = bytes;
  const std::size_t head = sizeof magic - 1;
  if (all.substr(0, head) != std::string_view(magic))
    fail("it does not begin with " + std::string(magic));
  if (all.size() < head + 16) fail("it is truncated");
  Reader r(all.substr(head, all.size() - head - 8));
  if (const std::int64_t found = r.number(); found != version)
    fail("it is of version " + std::to_string(found) + ", and this library reads version " +
         std::to_string(version));
  if (Reader(all.substr(all.size() - 8)).number() != hash_of(all.substr(0, all.size() - 8)))
    fail("it is truncated or damaged");
  Executable e;
  for (std::int64_t n = r.count(); n > 0; --n) {
    VmFunction f{std::string(r.text())};
    const std::vector<std::int64_t> numbers = r.numbers();
    if (numbers.size() != 3) fail("a function has other numbers");
    f.start = numbers[0];
    f.inputs = numbers[1];
    f.registers = numbers[2];
    e.functions.push_back(std::move(f));
  }
  for (std::int64_t n = r.count(); n > 0; --n) e.constants.push_back(r.constant());
  for (std::int64_t n = r.count(); n > 0; --n) e.callees.emplace_back(r.text());
  const std::vector<std::int64_t> offsets = r.numbers(), words = r.numbers();
  if (!r.at_end()) fail("something follows");
  e.words_ = words;
  e.offsets_ = offsets;
  if (!e.has_whole_instructions()) fail("its instructions are cut");
  verify(e);
  return e;
}

// Do the words consist of the instructions that begin at the offsets?
bool Executable::has_whole_instructions() const {
  std::int64_t next = 0;
  for (const std::int64_t offset : offsets_) {
    const std::int64_t left = std::int64_t(words_.size()) - next;
    if (offset != next || left < 2) return false;
    const VmWord* w = &words_[std::size_t(next)];
    switch (Opcode(w[0])) {
      case Opcode::call:
        if (left < 4 || w[3] < 0 || w[3] > left - 4) return false;
        next += 4 + w[3];
        break;
      case Opcode::ret:
      case Opcode::go: next += 2; break;
      case Opcode::branch:
        if (left < 3) return false;
        next += 3;
        break;
      default: return false;
    }
  }
  return next == std::int64_t(words_.size());
}

void Executable::save(const std::string& path) const {
  std::ofstream file(path, std::ios::binary);
  const std::string bytes = saved();
  file.write(bytes.data(), std::streamsize(bytes.size()));
  file.close();
  if (!file) throw VmError("vm: " + path + " cannot be written");
}

Executable Executable::load_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  if (file) bytes << file.rdbuf();
  if (!file) throw VmError("vm: " + path + " cannot be read");
  return load(bytes.str());
}

}  // namespace strata::graph
