// Buffers in the memory of a device: their descriptions, memory and copies.
//
// The description of buffer b is the halide_buffer_t "device.b.buffer". Launches address the buffer
// by the symbol "device.b". "device.b.host" describes the same elements on the host. If
// "device.b.touched" is false, no element is touched, and the host pointer may be anything.
#pragma once

#include <string>

#include "codegen/halide/emit/allocation.h"
#include "codegen/halide/emit/scope.h"

namespace strata::halide {

std::string symbol_on_device(const std::string& buffer);
HExpr description_on_device(const std::string& buffer);
std::string touched_on_device(const std::string& buffer);

// Allocates memory for the description. It is freed by free_on_device and whenever the kernel
// returns.
HStmt memory_on_device(const std::string& kernel, const std::string& buffer, Halide::DeviceAPI api);
HStmt free_on_device(const std::string& buffer);
// The copy; it happens only if the buffer is touched.
HStmt copy_between(const DeviceCopy& copy, const std::string& kernel, Halide::DeviceAPI api);

// "body" with a temporary buffer on the device around it, and on the host if "on_host". The
// description has the elements in rows of at most 2^30, since extents have 32 bits.
HStmt with_temporary_on_device(const Allocation& allocation, const std::string& buffer,
                               const std::string& kernel, Halide::DeviceAPI api, bool on_host,
                               const HStmt& body);
// The buffer as launches see it.
BufferView view_on_device(const Allocation& allocation, const std::string& buffer);

}  // namespace strata::halide
