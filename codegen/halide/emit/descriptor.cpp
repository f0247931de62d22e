#include "codegen/halide/emit/descriptor.h"

namespace strata::halide {

namespace {

Halide::Internal::BufferBuilder builder_of(Type type, const std::vector<Extent>& shape) {
  const auto narrow = [](const HExpr& e) { return Halide::cast(Halide::Int(32), e); };
  Halide::Internal::BufferBuilder builder;
  builder.type = type_of_buffer(type);
  builder.dimensions = static_cast<int>(shape.size());
  for (auto d = shape.rbegin(); d != shape.rend(); ++d) {
    builder.mins.push_back(narrow(d->lower));
    builder.extents.push_back(narrow(d->extent));
    builder.strides.push_back(narrow(d->stride));
  }
  return builder;
}

HExpr address_of(const BufferView& buffer, const HExpr& position) {
  const HType address = Halide::UInt(64);
  const HExpr base = Halide::Internal::Variable::make(Halide::Handle(), buffer.symbol);
  const HExpr first = Halide::reinterpret(address, base) +
                      Halide::cast(address, position) * HExpr(std::uint64_t(bytes(buffer.type)));
  return Halide::reinterpret(Halide::Handle(), first);
}

}  // namespace

HExpr descriptor(const BufferView& buffer, const HExpr& position,
                 const std::vector<Extent>& shape) {
  Halide::Internal::BufferBuilder builder = builder_of(buffer.type, shape);
  builder.host = address_of(buffer, position);
  return builder.build();
}

HExpr descriptor_of_nothing(Type type, const std::vector<Extent>& shape) {
  return builder_of(type, shape).build();
}

}  // namespace strata::halide
