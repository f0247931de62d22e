// Types, memories and the other enumerations.
#include "core/floats.h"
#include "layers/memory.h"
#include "python/bind.h"
#include "python/module.h"

namespace strata::python {

namespace {

struct ShortName {
  const char* name;
  Type type;
};
constexpr ShortName short_names[] = {
    {"boolean", boolean}, {"i8", i8},   {"i16", i16}, {"i32", i32}, {"i64", i64},
    {"u8", u8},           {"u16", u16}, {"u32", u32}, {"u64", u64}, {"f16", f16},
    {"bf16", bf16},       {"f32", f32}, {"f64", f64},
};

}  // namespace

void add_types(nb::module_& m) {
  nb::enum_<Type> types(m, "Type", "The type of a scalar; strata.f32 is Type.float32.");
  for (const ShortName& t : short_names) types.value(to_string(t.type).c_str(), t.type);
  for (const ShortName& t : short_names) m.attr(t.name) = nb::cast(t.type);
  nb::enum_<Memory> memories(m, "Memory", "Where a temporary buffer is.");
  memories.value("automatic", Memory::automatic, "On the stack if it is small, else on the heap.");
  for (const Memory memory : all_memories()) {
    const std::string name = to_string(memory);
    memories.value((name == "global" ? name + "_" : name).c_str(),
                   memory);  // "global" is a keyword
  }
  nb::enum_<Floats>(m, "Floats", "What code generation may do with floats.")
      .value("fast", Floats::fast,
             "Fused multiply-add, vector math to 4 ulp, sums in the order of their loops.")
      .value("exact", Floats::exact, "Results bit for bit those of naive evaluation.");
}

}  // namespace strata::python
