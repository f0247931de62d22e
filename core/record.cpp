#include "core/record.h"

#include <cstring>

namespace strata {

namespace {

using Number = std::uint64_t;

void append(std::string& record, Number number) {
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  record.append(bytes, sizeof number);
}

// The number at the front, which is taken off.
Number taken(std::string_view& record) {
  Number number;
  std::memcpy(&number, record.data(), sizeof number);
  record.remove_prefix(sizeof number);
  return number;
}

}  // namespace

std::uint64_t hash_of_text(std::string_view text) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

// The hash of what follows, then of each text its length and its bytes.
std::string recorded(const std::vector<std::string>& texts) {
  std::string body;
  for (const std::string& text : texts) {
    append(body, text.size());
    body += text;
  }
  std::string record;
  append(record, hash_of_text(body));
  return record + body;
}

std::optional<std::vector<std::string>> find_texts(std::string_view record) {
  if (record.size() < sizeof(Number)) return std::nullopt;
  if (const Number hash = taken(record); hash != hash_of_text(record)) return std::nullopt;
  std::vector<std::string> texts;
  while (!record.empty()) {
    if (record.size() < sizeof(Number)) return std::nullopt;
    const Number size = taken(record);
    if (size > record.size()) return std::nullopt;
    texts.emplace_back(record.substr(0, size));
    record.remove_prefix(size);
  }
  return texts;
}

}  // namespace strata
