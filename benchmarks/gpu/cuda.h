// The CUDA driver, opened when the program runs, as far as measuring needs it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace gpu_benchmark::cuda {

// Makes the context of the first device that the runtime, this program and libraries share. False
// if there is no driver or no device; throws Failed if something else is wrong.
bool start();
// Its name and number of multiprocessors.
std::string device_name();

// Memory that nothing frees before the program ends.
class Memory {
 public:
  explicit Memory(std::size_t bytes);
  std::uint64_t address() const { return address_; }

 private:
  std::uint64_t address_ = 0;
};

// Starts a copy of so many bytes on the default stream.
void copy(std::uint64_t to, std::uint64_t from, std::size_t bytes);

// Seconds between before and after the work that "run" starts.
double seconds(const std::function<void()>& run);

// What the driver's compiler made of the launches since the last call: the most registers a thread,
// bytes of local memory a thread, and bytes of shared memory.
struct Code {
  int launches = 0, registers = 0, local = 0, shared = 0;
};
Code take_code();

}  // namespace gpu_benchmark::cuda
