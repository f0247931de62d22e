// Maps and scopes for functions of 100,000 bindings.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace strata::graph {

// A map that only grows. Its entries are in one array, in the order in which their keys came. A
// table of their numbers finds them (open addressing, linear probing). A map with a node per entry
// would miss the caches: with 100,000 bindings, verify then takes four times as long per binding as
// with 1000.
template <typename Key, typename T>
class Table {
 public:
  struct Added {
    T& value;
    bool is_new;
  };

  std::size_t size() const { return entries_.size(); }
  bool contains(const Key& key) const { return find(key) != nullptr; }
  // Null if there is no such key. Adding a key may move the value.
  const T* find(const Key& key) const {
    if (entries_.empty()) return nullptr;
    const Slot& slot = slots_[place_of(key, hash_of(key))];
    return slot.number ? &entries_[slot.number - 1].second : nullptr;
  }
  T* find(const Key& key) { return const_cast<T*>(std::as_const(*this).find(key)); }
  // The value of the key: the old one if there is one, else the given one.
  Added add(const Key& key, T value) {
    if (2 * entries_.size() >= slots_.size()) grow();
    const std::uint32_t hash = hash_of(key);
    Slot& slot = slots_[place_of(key, hash)];
    if (slot.number) return {entries_[slot.number - 1].second, false};
    entries_.emplace_back(key, std::move(value));
    slot = {std::uint32_t(entries_.size()), hash};
    return {entries_.back().second, true};
  }
  void set(const Key& key, T value) {
    T& there = add(key, T()).value;
    there = std::move(value);
  }

 private:
  struct Slot {
    std::uint32_t number = 0;  // of the entry, from 1 on; 0: none
    std::uint32_t hash = 0;
  };

  // Multiplies by 2^64 / golden ratio, so that neighbours in memory get places far from each other.
  static std::uint32_t hash_of(const Key& key) {
    return std::uint32_t(std::hash<Key>()(key) * 0x9E3779B97F4A7C15u >> 32);
  }
  // The slot of the key, or the free slot where it belongs.
  std::size_t place_of(const Key& key, std::uint32_t hash) const {
    std::size_t place = hash >> shift_;
    for (;; place = (place + 1) % slots_.size()) {
      const Slot& slot = slots_[place];
      if (!slot.number || (slot.hash == hash && entries_[slot.number - 1].first == key))
        return place;
    }
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 16 : 2 * slots_.size());
    old.swap(slots_);
    shift_ = old.empty() ? 28 : shift_ - 1;
    for (const Slot& slot : old) {
      if (!slot.number) continue;
      std::size_t place = slot.hash >> shift_;
      while (slots_[place].number) place = (place + 1) % slots_.size();
      slots_[place] = slot;
    }
  }

  int shift_ = 32;
  std::vector<Slot> slots_;
  std::vector<std::pair<Key, T>> entries_;
};

// Nested scopes, by number. What belongs to a scope is seen until the scope ends.
class Scopes {
 public:
  int begin() {
    is_open_.push_back(true);
    return int(is_open_.size()) - 1;
  }
  void end(int scope) { is_open_[scope] = false; }
  bool is_open(int scope) const { return is_open_[scope]; }

 private:
  std::vector<bool> is_open_;
};

// The scope of each key. A key whose scope has ended may be added again.
template <typename Key>
class Scoped {
 public:
  explicit Scoped(const Scopes& scopes) : scopes_(scopes) {}
  bool contains(const Key& key) const {
    const int* scope = of_.find(key);
    return scope && scopes_.is_open(*scope);
  }
  // Was the key in any scope, open or ended?
  bool has_had(const Key& key) const { return of_.contains(key); }
  // False if the key is in an open scope already.
  bool add(const Key& key, int scope) {
    const auto [of, is_new] = of_.add(key, scope);
    if (!is_new && scopes_.is_open(of)) return false;
    of = scope;
    return true;
  }

 private:
  const Scopes& scopes_;
  Table<Key, int> of_;
};

}  // namespace strata::graph
