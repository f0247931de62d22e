#include "tests/gpu/emulator/launch.h"

#include <algorithm>
#include <numeric>

#include "tests/gpu/emulator/exchanges.h"
#include "tests/gpu/emulator/products.h"

namespace strata::emulator {

namespace {

std::string at(const char* what, const std::array<unsigned, 3>& index) {
  return std::string(" ") + what + " " + std::to_string(index[0]) + ", " +
         std::to_string(index[1]) + ", " + std::to_string(index[2]);
}

class Block {
 public:
  Block(BlockState& state, const std::array<unsigned, 3>& index,
        const std::array<unsigned, 3>& grid, std::mt19937_64& random)
      : state_(state), index_(index), random_(random) {
    const auto& [x, y, z] = state.kernel->threads;
    for (unsigned c = 0; c < z; ++c)
      for (unsigned b = 0; b < y; ++b)
        for (unsigned a = 0; a < x; ++a) add({a, b, c}, grid);
    waits_.resize(threads_.size());
    order_.resize(threads_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
  }

  void run() {
    do {
      std::shuffle(order_.begin(), order_.end(), random_);
      for (const std::size_t n : order_) advance(n);
      for (std::size_t first = 0; first < threads_.size(); first += threads_of_warp)
        work_together(first);
      require_one_barrier();
    } while (waits_.front()->way != Way::end);
  }

 private:
  void add(const std::array<unsigned, 3>& thread, const std::array<unsigned, 3>& grid) {
    const Kernel& kernel = *state_.kernel;
    threads_.emplace_back(state_, std::uint8_t(random_()));
    const std::array<unsigned, 3>* const values[] = {&thread, &index_, &kernel.threads, &grid};
    for (std::size_t n = 0; n < kernel.places.size(); ++n)
      if (kernel.places[n]) threads_.back().set(kernel.places[n], (*values[n / 3])[n % 3]);
  }

  void advance(std::size_t n) {
    Thread& thread = threads_[n];
    try {
      waits_[n] = &thread.run();
    } catch (const Fault& fault) {
      throw Fault(std::string(fault.what()) + " in thread " + std::to_string(n) + " at \"" +
                  state_.kernel->code[thread.next - 1].text + "\"");
    }
  }

  // Until no thread of the warp waits for the others of it.
  void work_together(std::size_t first) {
    const std::size_t end = std::min(first + threads_of_warp, threads_.size());
    const auto is_of_warp = [](const Instruction* i) {
      return i->way == Way::product || i->way == Way::exchange;
    };
    const auto begins = waits_.begin() + std::ptrdiff_t(first),
               ends = waits_.begin() + std::ptrdiff_t(end);
    for (;;) {
      const auto waiting = std::find_if(begins, ends, is_of_warp);
      if (waiting == ends) return;
      const Instruction& now = **waiting;
      if (end - first != threads_of_warp ||
          std::any_of(begins, ends, [&](const Instruction* i) { return i != &now; }))
        throw Fault(std::string("not all threads of a warp come to ") +
                    (now.way == Way::product ? "a product" : "an exchange"));
      const auto warp = threads_.begin() + std::ptrdiff_t(first);
      now.way == Way::product ? multiply(now, warp) : exchange(now, warp);
      for (std::size_t n = first; n < end; ++n) advance(n);
    }
  }

  void require_one_barrier() const {
    for (const Instruction* wait : waits_)
      if (wait != waits_.front() &&
          (wait->way == Way::barrier || waits_.front()->way == Way::barrier))
        throw Fault("not all threads of a block come to a barrier");
  }

  BlockState& state_;
  const std::array<unsigned, 3> index_;
  std::mt19937_64& random_;
  std::vector<Thread> threads_;
  std::vector<const Instruction*> waits_;  // what each thread has come to
  std::vector<std::size_t> order_;
};

}  // namespace

void run(const Kernel& kernel, const std::array<unsigned, 3>& grid, std::size_t shared_bytes,
         const std::vector<std::uint8_t>& parameters, const DeviceMemory& memory,
         std::mt19937_64& random) {
  std::vector<std::array<unsigned, 3>> blocks;
  for (unsigned z = 0; z < grid[2]; ++z)
    for (unsigned y = 0; y < grid[1]; ++y)
      for (unsigned x = 0; x < grid[0]; ++x) blocks.push_back({x, y, z});
  std::shuffle(blocks.begin(), blocks.end(), random);
  BlockState state{&kernel, &memory, &parameters, {}};
  for (const auto& block : blocks) {
    state.shared.resize(kernel.shared_bytes + shared_bytes);
    std::fill(state.shared.begin(), state.shared.end(), std::uint8_t(random()));
    try {
      Block(state, block, grid, random).run();
    } catch (const Fault& fault) {
      throw Fault(kernel.name + at("block", block) + ": " + fault.what());
    }
  }
}

}  // namespace strata::emulator
