#include "codegen/halide/emit/prefetch.h"

#include <limits>
#include <optional>

namespace strata::halide {

namespace {

using Halide::Internal::Call;
using Halide::Internal::Variable;

// One dimension of the box: its first index, the elements per step, and the number of steps.
struct Steps {
  HExpr first;
  std::int64_t size;
  HExpr count;
};

class Prefetcher {
 public:
  Prefetcher(const BufferView& buffer, const std::vector<HExpr>& lowers,
             const std::vector<HExpr>& extents, std::string name)
      : buffer_(buffer), name_(std::move(name)) {
    const std::int64_t in_line = bytes_of_line / bytes(buffer.type);
    for (std::size_t d = 0; d < lowers.size(); ++d) {
      const std::int64_t size = d + 1 == lowers.size() ? in_line : 1;
      steps_.push_back({lowers[d], size, count_of(extents[d], size)});
    }
  }

  HStmt all() {
    const auto lines = constant_lines();
    written_out_ = lines && *lines <= most_prefetches_written_out;
    return from(0, {});
  }

 private:
  // ceil(extent / size), in the 32 bits that Halide's loops count in.
  static HExpr count_of(const HExpr& extent, std::int64_t size) {
    const HExpr most = HExpr(std::int64_t{std::numeric_limits<std::int32_t>::max()});
    const HExpr none = HExpr(std::int64_t{0});
    const HExpr count = size == 1 ? extent : (extent + HExpr(size - 1)) / HExpr(size);
    return Halide::cast(Halide::Int(32), Halide::clamp(count, none, most));
  }

  static std::optional<std::int64_t> constant(const HExpr& count) {
    const auto value = Halide::Internal::as_const_int(Halide::Internal::simplify(count));
    return value ? std::optional<std::int64_t>(*value) : std::nullopt;
  }

  std::optional<std::int64_t> constant_lines() const {
    std::int64_t lines = 1;
    for (const Steps& one : steps_) {
      const auto count = constant(one.count);
      if (!count || __builtin_mul_overflow(lines, *count, &lines)) return std::nullopt;
    }
    return lines;
  }

  // "at": the indices chosen in the first dimensions.
  HStmt from(std::size_t d, const std::vector<HExpr>& at) {
    if (d == steps_.size()) return line(at);
    const auto with = [&](const HExpr& step) {
      auto more = at;
      more.push_back(steps_[d].first + step * HExpr(steps_[d].size));
      return from(d + 1, more);
    };
    if (written_out_) {
      std::vector<HStmt> each;
      for (std::int64_t step = 0; step < *constant(steps_[d].count); ++step)
        each.push_back(with(HExpr(step)));
      return each.empty() ? Halide::Internal::Evaluate::make(0)
                          : Halide::Internal::Block::make(each);
    }
    const std::string variable = name_ + "." + std::to_string(d);
    const HExpr step = Variable::make(Halide::Int(32), variable);
    return Halide::Internal::For::make(
        variable, 0, steps_[d].count, Halide::Internal::ForType::Serial, Halide::Partition::Never,
        Halide::DeviceAPI::None, with(Halide::cast(Halide::Int(64), step)));
  }

  HStmt line(const std::vector<HExpr>& at) const {
    const HExpr base = Variable::make(Halide::Handle(), buffer_.symbol);
    return Halide::Internal::Evaluate::make(
        Call::make(type_in_memory(buffer_.type), Call::prefetch,
                   {base, buffer_.position(at), HExpr(1), HExpr(1)}, Call::Intrinsic));
  }

  const BufferView& buffer_;
  std::string name_;
  std::vector<Steps> steps_;
  bool written_out_ = false;
};

}  // namespace

HStmt prefetch(const BufferView& buffer, const std::vector<HExpr>& lowers,
               const std::vector<HExpr>& extents, const std::string& name) {
  return Prefetcher(buffer, lowers, extents, name).all();
}

}  // namespace strata::halide
