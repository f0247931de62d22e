#include "codegen/halide/passes/passes.h"

#include <algorithm>
#include <vector>

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

// Native vectors of CPUs have multiples of 128 bits, those of CUDA 64 bits.
constexpr int bits_on_cpu = 128, bits_in_cuda = 64;

class LastLanes : public hi::IRMutator {
 private:
  using IRMutator::visit;

  HStmt visit(const hi::For* op) override {
    const int around = native_bits_;
    if (op->device_api == Halide::DeviceAPI::CUDA) native_bits_ = bits_in_cuda;
    const HStmt loop = IRMutator::visit(op);
    native_bits_ = around;
    return loop;
  }

  HExpr visit(const hi::Load* op) override {
    const HExpr loaded = IRMutator::visit(op);
    const auto* load = loaded.as<hi::Load>();
    if (!is_split(load->type, load->index, load->predicate)) return loaded;
    const std::string mask = hi::unique_name('t');
    const HExpr named = hi::Variable::make(load->predicate.type(), mask);
    const auto part = [&](const Part& lanes) {
      return hi::Load::make(load->type.with_lanes(lanes.count), load->name,
                            places(load->index, lanes), load->image, load->param,
                            values(named, lanes), hi::ModulusRemainder());
    };
    std::vector<HExpr> all;
    for (const Part& lanes : parts(load->type)) all.push_back(part(lanes));
    return hi::Let::make(mask, load->predicate, hi::Shuffle::make_concat(all));
  }

  HStmt visit(const hi::Store* op) override {
    const HStmt stored = IRMutator::visit(op);
    const auto* store = stored.as<hi::Store>();
    const HType type = store->value.type();
    if (!is_split(type, store->index, store->predicate)) return stored;
    const std::string mask = hi::unique_name('t'), value = hi::unique_name('t');
    const HExpr named = hi::Variable::make(store->predicate.type(), mask);
    const HExpr all = hi::Variable::make(type, value);
    const auto part = [&](const Part& lanes) {
      return hi::Store::make(store->name, values(all, lanes), places(store->index, lanes),
                             store->param, values(named, lanes), hi::ModulusRemainder());
    };
    std::vector<HStmt> stores;
    for (const Part& lanes : parts(type)) stores.push_back(part(lanes));
    return hi::LetStmt::make(mask, store->predicate,
                             hi::LetStmt::make(value, store->value, hi::Block::make(stores)));
  }

  struct Part {
    int begin, count;
  };
  int native_lanes(const HType& type) const { return std::max(native_bits_ / type.bits(), 1); }

  // True if these lanes are some native vectors and one lane.
  bool leaves_one_lane(const HType& type) const {
    const int native = native_lanes(type);
    return type.lanes() > native && (type.lanes() - 1) % native == 0;
  }

  // All lanes but the last, and the last one; or each lane alone, if native vectors have one lane.
  std::vector<Part> parts(const HType& type) const {
    const int last = type.lanes() - 1;
    if (native_lanes(type) > 1) return {{0, last}, {last, 1}};
    std::vector<Part> all;
    for (int lane = 0; lane <= last; ++lane) all.push_back({lane, 1});
    return all;
  }

  bool is_split(const HType& type, const HExpr& index, const HExpr& predicate) const {
    return leaves_one_lane(type) && index.as<hi::Ramp>() && !hi::is_const_one(predicate);
  }

  static HExpr values(const HExpr& vector, const Part& lanes) {
    return lanes.count == 1 ? hi::Shuffle::make_extract_element(vector, lanes.begin)
                            : hi::Shuffle::make_slice(vector, lanes.begin, 1, lanes.count);
  }
  static HExpr places(const HExpr& index, const Part& lanes) {
    const auto* ramp = index.as<hi::Ramp>();
    const HExpr first = hi::simplify(ramp->base + ramp->stride * lanes.begin);
    return lanes.count == 1 ? first : hi::Ramp::make(first, ramp->stride, lanes.count);
  }

  int native_bits_ = bits_on_cpu;
};

}  // namespace

HStmt with_last_lanes_apart(const HStmt& statement) { return LastLanes().mutate(statement); }

}  // namespace strata::halide
