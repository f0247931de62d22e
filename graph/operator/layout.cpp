#include "graph/operator/layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text_scanner.h"
#include "graph/dim/dim.h"

namespace strata::graph {

namespace {

// The sort key of an axis among the logical indices.
std::pair<std::size_t, char> place_of(char axis) {
  return {std::string_view("NOIGCDHW").find(axis), axis};
}

constexpr std::int64_t most_block = 1'000'000;

Expr number(std::int64_t value) { return constant(i64, value); }

}  // namespace

Layout Layout::parsed(const std::string& text, const Request& request) {
  const auto refused = [&](const std::string& why) {
    return request.refused(Code::E0602_does_not_fit,
                           fmt::format("\"{}\" is not a layout: {}", text, why),
                           "write axes in capitals, and 16c for blocks");
  };
  Layout made;
  if (text == made.text_) return made;
  made.text_ = text;
  std::int64_t block = 0;
  for (const char c : text) {
    const bool is_inner = c >= 'a' && c <= 'z', is_outer = c >= 'A' && c <= 'Z';
    if (c >= '0' && c <= '9' && block < most_block) {
      block = 10 * block + (c - '0');
      continue;
    }
    if (!(is_inner && block > 0) && !(is_outer && block == 0))
      throw refused(fmt::format("'{}' is not expected there", c));
    const Part part{is_inner ? char(c - 'a' + 'A') : c, block};
    for (const Part& other : made.parts_)
      if (other.axis == part.axis && (other.block > 0) == is_inner)
        throw refused(fmt::format("'{}' occurs twice", c));
    made.parts_.push_back(part);
    if (is_outer) made.axes_ += c;
    block = 0;
  }
  if (block > 0 || made.axes_.empty()) throw refused("an axis is missing at the end");
  for (const Part& part : made.parts_)
    if (made.dim_of(part.axis) == std::string::npos)
      throw refused(fmt::format("{} has no outer part", part.axis));
  std::sort(made.axes_.begin(), made.axes_.end(),
            [](char a, char b) { return place_of(a) < place_of(b); });
  return made;
}

Layout Layout::plain() const {
  Layout made;
  if (axes_.empty()) return made;
  made.text_ = made.axes_ = axes_;
  for (const char axis : axes_) made.parts_.push_back({axis, 0});
  return made;
}

bool Layout::is_identity() const {
  return std::equal(parts_.begin(), parts_.end(), axes_.begin(), axes_.end(),
                    [](const Part& p, char axis) { return p.block == 0 && p.axis == axis; });
}

std::int64_t Layout::block_of(char axis) const {
  for (const Part& part : parts_)
    if (part.axis == axis && part.block > 0) return part.block;
  return 0;
}

bool Layout::moves(char axis) const {
  std::size_t place = 0;
  for (const Part& part : parts_) {
    if (part.block > 0) continue;
    if (part.axis == axis) return place != dim_of(axis);
    ++place;
  }
  return false;
}

bool Layout::divides(char axis, const Shape& logical) const {
  const Expr& extent = logical[dim_of(axis)];
  const std::int64_t block = block_of(axis);
  return block == 0 || equal(extent / block * block, extent) == Answer::yes;
}

bool Layout::fits(const Shape& logical) const {
  return logical.size() == axes_.size() &&
         std::all_of(axes_.begin(), axes_.end(), [&](char axis) { return divides(axis, logical); });
}

std::optional<Layout> Layout::fitted(const Shape& logical) const {
  if (logical.size() != axes_.size()) return std::nullopt;
  Layout made = *this;
  made.text_.clear();
  for (Part& part : made.parts_) {
    if (part.block > 0 && constant_dim(logical[dim_of(part.axis)]) == 1) part.block = 1;
    made.text_ += part.block > 0 ? std::to_string(part.block) + char(part.axis - 'A' + 'a')
                                 : std::string(1, part.axis);
  }
  return made.fits(logical) ? std::optional(made) : std::nullopt;
}

Indices Layout::packed(const Indices& logical) const {
  Indices packed;
  for (const Part& part : parts_) {
    const Expr& index = logical[dim_of(part.axis)];
    const std::int64_t block = block_of(part.axis);
    packed.push_back(part.block > 0 ? index % block : block > 0 ? index / block : index);
  }
  return packed;
}

Expr Layout::whole(char axis, const Exprs& packed, bool is_extent) const {
  Expr outer, inner;
  for (std::size_t k = 0; k < parts_.size(); ++k)
    if (parts_[k].axis == axis) (parts_[k].block > 0 ? inner : outer) = packed[k];
  if (!inner.defined()) return outer;
  const Expr begin = outer * block_of(axis);
  return is_extent ? begin : begin + inner;
}

Indices Layout::logical(const Indices& packed) const {
  Indices logical;
  for (const char axis : axes_) logical.push_back(whole(axis, packed, false));
  return logical;
}

void Layout::require_rank(const Shape& shape, std::size_t rank, const Request& request) const {
  if (shape.size() != rank)
    throw request.refused(
        Code::E0602_does_not_fit,
        fmt::format("{} needs {} dimensions, and the shape is {}", text_, rank, text_of(shape)),
        "give a layout with an axis for each dimension");
}

Shape Layout::packed_shape(const Shape& logical, const Request& request) const {
  require_rank(logical, axes_.size(), request);
  for (const char axis : axes_)
    if (!divides(axis, logical))
      throw request.refused(Code::E0602_does_not_fit,
                            fmt::format("{} does not provably divide the extent {} of {}",
                                        block_of(axis), dim_text(logical[dim_of(axis)]), axis),
                            "pad x, or take another block");
  Shape packed = this->packed(logical);
  for (std::size_t k = 0; k < parts_.size(); ++k)
    if (parts_[k].block > 0) packed[k] = number(parts_[k].block);
  return packed;
}

Shape Layout::logical_shape(const Shape& packed, const Request& request) const {
  require_rank(packed, parts_.size(), request);
  for (std::size_t k = 0; k < parts_.size(); ++k)
    if (parts_[k].block > 0 && equal(packed[k], number(parts_[k].block)) != Answer::yes)
      throw request.refused(Code::E0602_does_not_fit,
                            fmt::format("the inner part of {} is {} in {}, and the shape is {}",
                                        parts_[k].axis, parts_[k].block, text_, text_of(packed)),
                            "give the layout that x has");
  Shape logical;
  for (const char axis : axes_) logical.push_back(normal(whole(axis, packed, true)));
  return logical;
}

Tensor transformed(const Tensor& x, const Layout& from, const Layout& to, const Request& request) {
  if (from.axes() != to.axes())
    throw request.refused(Code::E0602_does_not_fit,
                          fmt::format("{} has the axes {}, and {} has {}", from.text(), from.axes(),
                                      to.text(), to.axes()),
                          "name the same axes in both");
  const Shape shape = to.packed_shape(from.logical_shape(x.shape(), request), request);
  return compute(
      shape, [&](const Indices& i) { return x(from.packed(to.logical(i))); }, "layout_transform",
      request.where);
}

namespace {

std::string text_of(const std::vector<Layout>& layouts) {
  std::string text;
  for (const Layout& layout : layouts)
    text += (text.empty() ? "" : ", ") + quoted_name(layout.text());
  return "(" + text + ")";
}

const Layout& identity() {
  static const Layout layout;
  return layout;
}

}  // namespace

Layouts::Layouts(std::vector<Layout> arguments, std::vector<Layout> results) {
  bool all_identities = true;
  for (std::vector<Layout>* list : {&arguments, &results})
    for (Layout& layout : *list) {
      if (layout.is_identity()) layout = Layout();
      all_identities &= layout.is_identity();
    }
  if (all_identities) return;
  const std::string text = text_of(arguments) + " -> " + text_of(results);
  lists_ = std::make_shared<const Lists>(Lists{std::move(arguments), std::move(results), text});
}

const Layout& Layouts::argument(std::size_t k) const {
  return k < arguments() ? lists_->arguments[k] : identity();
}
const Layout& Layouts::result(std::size_t k) const {
  return k < results() ? lists_->results[k] : identity();
}
const std::string& Layouts::text() const {
  static const std::string none;
  return lists_ ? lists_->text : none;
}

}  // namespace strata::graph
