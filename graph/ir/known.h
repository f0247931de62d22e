// A memory of answers about calls.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <unordered_map>

namespace strata::graph {

// Answers by keys. When the memory is full it starts empty again. Threads may ask at the same time;
// two of them may find the same answer.
template <typename Answer>
class Known {
 public:
  // The answer for the key: the known one, or else that of ask(), which may throw.
  template <typename Ask>
  Answer get(const std::string& key, const Ask& ask) {
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = answers_.find(key); found != answers_.end()) return found->second;
    }
    Answer answer = ask();
    const std::lock_guard lock(mutex_);
    if (answers_.size() >= most_entries) answers_.clear();
    answers_.emplace(key, answer);
    return answer;
  }

 private:
  static constexpr std::size_t most_entries = 10000;
  std::mutex mutex_;
  std::unordered_map<std::string, Answer> answers_;
};

}  // namespace strata::graph
