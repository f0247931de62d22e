#include "codegen/halide/emit/descriptor.h"

namespace strata::halide {

namespace {

HExpr address_of(const BufferView& buffer, const HExpr& position) {
  const HType address = Halide::UInt(64);
  const HExpr base = Halide::Internal::Variable::make(Halide::Handle(), buffer.symbol);
  const HExpr first = Halide::reinterpret(address, base) +
                      Halide::cast(address, position) * HExpr(std::uint64_t(bytes(buffer.type)));
  return Halide::reinterpret(Halide::Handle(), first);
}

}  // namespace

HExpr descriptor(const BufferView& buffer, const HExpr& position,
                 const std::vector<Extent>& shape, bool on_host) {
  const auto narrow = [](const HExpr& e) { return Halide::cast(Halide::Int(32), e); };
  Halide::Internal::BufferBuilder builder;
  if (on_host) builder.host = address_of(buffer, position);
  builder.type = type_of_buffer(buffer.type);
  builder.dimensions = static_cast<int>(shape.size());
  for (auto d = shape.rbegin(); d != shape.rend(); ++d) {
    builder.mins.push_back(narrow(d->lower));
    builder.extents.push_back(narrow(d->extent));
    builder.strides.push_back(narrow(d->stride));
  }
  return builder.build();
}

}  // namespace strata::halide
