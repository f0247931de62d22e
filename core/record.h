// Texts as one text, for files: what has been damaged does not read back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strata {

// FNV-1a, the same in every process.
std::uint64_t hash_of_text(std::string_view text);

std::string recorded(const std::vector<std::string>& texts);
// The texts; nothing if "record" is not what recorded() returned.
std::optional<std::vector<std::string>> find_texts(std::string_view record);

}  // namespace strata
