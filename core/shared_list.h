// A list whose copies share their elements, so that copying it is cheap.
//
// edit() replaces a shared element by a private copy first. So two lists share an object only if
// neither has edited it, and missing_in() finds what is new in a list without comparing values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

namespace strata {

template <typename T>
class SharedList {
  using Shared = std::shared_ptr<T>;

 public:
  using value_type = T;

  class const_iterator {
   public:
    using iterator_category = std::bidirectional_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = const T*;
    using reference = const T&;

    const_iterator() = default;
    const T& operator*() const { return **at_; }
    const T* operator->() const { return at_->get(); }
    const_iterator& operator++() { return ++at_, *this; }
    const_iterator operator++(int) { return const_iterator(at_++); }
    const_iterator& operator--() { return --at_, *this; }
    const_iterator operator--(int) { return const_iterator(at_--); }
    bool operator==(const const_iterator&) const = default;

   private:
    friend SharedList;
    explicit const_iterator(typename std::vector<Shared>::const_iterator at) : at_(at) {}
    typename std::vector<Shared>::const_iterator at_;
  };

  const_iterator begin() const { return const_iterator(all_.begin()); }
  const_iterator end() const { return const_iterator(all_.end()); }
  std::size_t size() const { return all_.size(); }
  bool empty() const { return all_.empty(); }
  const T& operator[](std::size_t position) const { return *all_[position]; }
  const T& front() const { return *all_.front(); }
  const T& back() const { return *all_.back(); }

  // The element, for writing. Copies of the list made later share it, so the reference must not be
  // used after the next copy.
  T& edit(std::size_t position) {
    Shared& element = all_[position];
    if (element.use_count() > 1) element = std::make_shared<T>(*element);
    return *element;
  }

  void push_back(T element) { all_.push_back(std::make_shared<T>(std::move(element))); }
  void insert(std::size_t position, T element) {
    all_.insert(all_.begin() + std::ptrdiff_t(position), std::make_shared<T>(std::move(element)));
  }
  void move_last_to(std::size_t position) {
    std::rotate(all_.begin() + std::ptrdiff_t(position), all_.end() - 1, all_.end());
  }
  template <typename Property>
  void erase_if(Property property) {
    std::erase_if(all_, [&](const Shared& element) { return property(*element); });
  }

  // The positions of the elements that the other list does not share.
  std::vector<std::size_t> missing_in(const SharedList& other) const {
    const auto [here, there] =
        std::mismatch(all_.begin(), all_.end(), other.all_.begin(), other.all_.end());
    const std::unordered_set<Shared> known(there, other.all_.end());
    std::vector<std::size_t> missing;
    for (auto rest = here; rest != all_.end(); ++rest)
      if (!known.count(*rest)) missing.push_back(std::size_t(rest - all_.begin()));
    return missing;
  }

 private:
  std::vector<Shared> all_;
};

}  // namespace strata
