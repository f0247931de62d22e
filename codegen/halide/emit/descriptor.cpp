#include "codegen/halide/emit/descriptor.h"

namespace strata::halide {

HExpr descriptor(const BufferView& buffer, const HExpr& position,
                 const std::vector<Extent>& shape, const HExpr& host_dirty) {
  const HType address = Halide::UInt(64);
  const HExpr base = Halide::Internal::Variable::make(Halide::Handle(), buffer.symbol);
  const HExpr first = Halide::reinterpret(address, base) +
                      Halide::cast(address, position) * HExpr(std::uint64_t(bytes(buffer.type)));
  const auto narrow = [](const HExpr& e) { return Halide::cast(Halide::Int(32), e); };

  Halide::Internal::BufferBuilder builder;
  builder.host = Halide::reinterpret(Halide::Handle(), first);
  builder.type = type_of_buffer(buffer.type);
  builder.dimensions = static_cast<int>(shape.size());
  for (auto d = shape.rbegin(); d != shape.rend(); ++d) {
    builder.mins.push_back(narrow(d->lower));
    builder.extents.push_back(narrow(d->extent));
    builder.strides.push_back(narrow(d->stride));
  }
  builder.host_dirty = host_dirty;
  return builder.build();
}

}  // namespace strata::halide
