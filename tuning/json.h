// Reads JSON of one level: an object of texts, integers and lists of texts.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace strata::tuning {

class JsonObject {
 public:
  using Value = std::variant<std::string, std::int64_t, std::vector<std::string>>;

  void set(const std::string& name, Value value) { values_[name] = std::move(value); }
  bool has(const std::string& name) const { return values_.contains(name); }
  // Each returns "", 0 or {} if there is no such member of this type.
  std::string text(const std::string& name) const { return of<std::string>(name); }
  std::int64_t number(const std::string& name) const { return of<std::int64_t>(name); }
  std::vector<std::string> texts(const std::string& name) const {
    return of<std::vector<std::string>>(name);
  }

 private:
  template <typename T>
  T of(const std::string& name) const {
    const auto found = values_.find(name);
    const T* const value = found == values_.end() ? nullptr : std::get_if<T>(&found->second);
    return value ? *value : T();
  }

  std::map<std::string, Value> values_;
};

// Nothing if "text" is not such an object.
std::optional<JsonObject> find_json_object(std::string_view text);

}  // namespace strata::tuning
