#include "codegen/halide/product/cpu_needs.h"

#include <utility>
#include <vector>

#include "codegen/refusal.h"
#include "runtime/cpu.h"

namespace strata::halide {

namespace {

template <typename... Features>
constexpr std::int64_t set_of(Features... features) {
  return (std::int64_t{0} | ... | (std::int64_t{1} << features));
}

// LLVM's CPUs. Each has the features of the ones before it, but Sapphire Rapids lacks those that
// only Zen 4 and Zen 5 add.
constexpr std::int64_t penryn =
    set_of(strata_cpu_sse3, strata_cpu_ssse3, strata_cpu_cx16, strata_cpu_sse4_1);
constexpr std::int64_t sandybridge =
    penryn | set_of(strata_cpu_sse4_2, strata_cpu_popcnt, strata_cpu_avx);
constexpr std::int64_t haswell =
    sandybridge | set_of(strata_cpu_f16c, strata_cpu_fma, strata_cpu_movbe, strata_cpu_abm,
                         strata_cpu_bmi1, strata_cpu_bmi2, strata_cpu_avx2);
constexpr std::int64_t foundation = haswell | set_of(strata_cpu_avx512f, strata_cpu_avx512cd);
constexpr std::int64_t skylake =
    foundation | set_of(strata_cpu_avx512bw, strata_cpu_avx512dq, strata_cpu_avx512vl);
constexpr std::int64_t cannonlake = skylake | set_of(strata_cpu_avx512ifma, strata_cpu_avx512vbmi);
constexpr std::int64_t icelake =
    cannonlake | set_of(strata_cpu_avx512_vbmi2, strata_cpu_avx512_vnni, strata_cpu_avx512_bitalg,
                        strata_cpu_avx512_vpopcntdq, strata_cpu_gfni);
constexpr std::int64_t zen4 = icelake | set_of(strata_cpu_avx512_bf16, strata_cpu_sse4a);
constexpr std::int64_t zen5 = zen4 | set_of(strata_cpu_avx_vnni);
constexpr std::int64_t sapphire_rapids =
    icelake | set_of(strata_cpu_avx512_bf16, strata_cpu_avx512_fp16, strata_cpu_avx_vnni);

using Features = std::vector<std::pair<Halide::Target::Feature, std::int64_t>>;

const Features& known_features(Halide::Target::Arch arch) {
  using T = Halide::Target;
  static const Features x86{{T::SSE41, penryn},
                            {T::AVX, sandybridge},
                            {T::F16C, sandybridge | set_of(strata_cpu_f16c)},
                            {T::FMA, sandybridge | set_of(strata_cpu_fma)},
                            {T::AVX2, haswell},
                            {T::AVXVNNI, haswell | set_of(strata_cpu_avx_vnni)},
                            {T::AVX512, foundation},
                            {T::AVX512_Skylake, skylake},
                            {T::AVX512_Cannonlake, cannonlake},
                            {T::AVX512_Zen4, zen4},
                            {T::AVX512_Zen5, zen5},
                            {T::AVX512_SapphireRapids, sapphire_rapids}};
  static const Features arm{{T::ARMDotProd, set_of(strata_cpu_asimddp)},
                            {T::ARMFp16, set_of(strata_cpu_fphp, strata_cpu_asimdhp)}};
  static const Features none;
  return arch == T::X86 ? x86 : arch == T::ARM ? arm : none;
}

Error cannot_be_told(const std::string& name, const std::string& why) {
  return refused(Code::E0501_unknown_target,
                 "'" + name + "' cannot be one of several targets: " + why,
                 "compile for it alone, or leave it out");
}

// The name of a feature of "target" that is neither known nor one of ours; empty if there is none.
std::string other_feature(Halide::Target target) {
  using T = Halide::Target;
  for (const auto& [feature, needs] : known_features(target.arch))
    target = target.without_feature(feature);
  target = target.without_feature(T::StrictFloat).without_feature(T::NoRuntime);
  for (int f = 0; f < T::FeatureEnd; ++f)
    if (target.has_feature(static_cast<T::Feature>(f)))
      return T::feature_to_name(static_cast<T::Feature>(f));
  return "";
}

}  // namespace

std::int64_t needs_of(const Halide::Target& target, const std::string& name) {
  if (target.os != Halide::Target::Linux || target.bits != 64 ||
      known_features(target.arch).empty())
    throw cannot_be_told(name, "kernels choose on Linux only, on x86-64 and AArch64");
  if (const std::string other = other_feature(target); !other.empty())
    throw cannot_be_told(name, "a kernel cannot ask the CPU for " + other);
  std::int64_t needs = 0;
  for (const auto& [feature, needed] : known_features(target.arch))
    if (target.has_feature(feature)) needs |= needed;
  // LLVM's model of Sapphire Rapids comes before that of Zen 4, whose instructions it lacks.
  if (target.has_feature(Halide::Target::AVX512_SapphireRapids)) needs &= ~set_of(strata_cpu_sse4a);
  return needs;
}

}  // namespace strata::halide
