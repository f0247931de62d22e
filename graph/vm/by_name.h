// Tables by name of a process: operators, passes, options, packed functions.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace strata::graph {

// Threads may add and ask at the same time.
template <typename T>
class ByName {
 public:
  // Null if nothing has the name. The result stays valid even if another thing replaces it.
  std::shared_ptr<const T> find(const std::string& name) const {
    const std::lock_guard lock(mutex_);
    const auto found = things_.find(name);
    return found == things_.end() ? nullptr : found->second;
  }
  // Adds the thing. False if the name is taken and "replaces" is false.
  bool add(const std::string& name, T thing, bool replaces = false) {
    const std::lock_guard lock(mutex_);
    auto& place = things_[name];
    if (place && !replaces) return false;
    place = std::make_shared<const T>(std::move(thing));
    return true;
  }
  std::vector<std::string> names() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> names;
    for (const auto& [name, thing] : things_) names.push_back(name);
    return names;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const T>> things_;
};

}  // namespace strata::graph
