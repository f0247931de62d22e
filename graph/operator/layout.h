// Layouts: where the elements of a tensor are in the array that stores them.
//
// A layout is a map from logical indices to packed ones. Its texts are those of the literature:
//     NCHW16c     { [n, c, h, w] -> [n, floor(c / 16), h, w, c mod 16] }
//     OIHW16i16o  { [o, i, h, w] -> [floor(o / 16), floor(i / 16), h, w, i mod 16, o mod 16] }
//     NHWC        { [n, c, h, w] -> [n, h, w, c] }
// A capital is an axis, or the outer part of an axis whose inner part is 16c. Among the logical
// indices, N, O, I, G, C, D, H, W come in this order, and then other letters by the alphabet.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "graph/tensor/tensor.h"

namespace strata::graph {

class Layout {
 public:
  Layout() = default;  // the identity, of any rank; its text is "_"
  // E0602 for any other text, and for an axis with no outer part or with two.
  static Layout parsed(const std::string& text, const Request& request);

  const std::string& text() const { return text_; }
  bool is_identity() const;
  // The axes in the order of the logical indices, and the layout that keeps this order.
  const std::string& axes() const { return axes_; }
  Layout plain() const;
  // The extent of the inner part of an axis; 0 if there is none.
  std::int64_t block_of(char axis) const;
  // Is the outer part of the axis at another place than its logical index?
  bool moves(char axis) const;

  // Is there an axis for each dimension of the shape, and does each block provably divide its
  // extent?
  bool fits(const Shape& logical) const;
  // The layout with blocks of 1 where the extent is 1; nothing if that does not fit.
  std::optional<Layout> fitted(const Shape& logical) const;

  // The packed index of a logical one, and back.
  Indices packed(const Indices& logical) const;
  Indices logical(const Indices& packed) const;
  // The packed shape of a logical one, and back. E0602 if the rank differs, or if a block does not
  // provably divide its extent.
  Shape packed_shape(const Shape& logical, const Request& request) const;
  Shape logical_shape(const Shape& packed, const Request& request) const;

 private:
  struct Part {
    char axis;
    std::int64_t block;  // 0: the outer part
    friend bool operator==(const Part&, const Part&) = default;
  };
  std::size_t dim_of(char axis) const { return axes_.find(axis); }
  bool divides(char axis, const Shape& logical) const;
  // The index or extent of an axis, from the indices or extents of its parts.
  Expr whole(char axis, const Exprs& packed, bool is_extent) const;
  void require_rank(const Shape& shape, std::size_t rank, const Request& request) const;

  std::string text_ = "_", axes_ = {};
  std::vector<Part> parts_ = {};
};

// Stores x, which is stored by one layout, by another layout of the same axes.
Tensor transformed(const Tensor& x, const Layout& from, const Layout& to, const Request& request);

// The layouts of a call: of its tensors, and of its results. An immutable handle.
class Layouts {
 public:
  Layouts() = default;  // all identities
  // Missing layouts are identities. Identities lose their axes here.
  Layouts(std::vector<Layout> arguments, std::vector<Layout> results);

  bool empty() const { return lists_ == nullptr; }
  const Layout& argument(std::size_t k) const;
  const Layout& result(std::size_t k) const;
  std::size_t arguments() const { return lists_ ? lists_->arguments.size() : 0; }
  std::size_t results() const { return lists_ ? lists_->results.size() : 0; }
  // "(NCHW16c, _) -> (NCHW16c)", or nothing.
  const std::string& text() const;
  friend bool operator==(const Layouts& a, const Layouts& b) { return a.text() == b.text(); }

 private:
  struct Lists {
    std::vector<Layout> arguments, results;
    std::string text;
  };
  std::shared_ptr<const Lists> lists_ = {};
};

}  // namespace strata::graph
