// Buffers in the memory of a device: their descriptions, memory and copies.
//
// The description of buffer b is the halide_buffer_t "device.b.buffer", launches address it by the
// symbol "device.b", and "device.b.host" describes the same elements on the host.  Where
// "device.b.touched" is false nothing of it is touched, and its host pointer may be anything.
#pragma once

#include <string>

#include "codegen/halide/emit/allocation.h"
#include "codegen/halide/emit/scope.h"

namespace strata::halide {

std::string symbol_on_device(const std::string& buffer);
HExpr description_on_device(const std::string& buffer);
std::string touched_on_device(const std::string& buffer);

// Memory for the description, given back by free_on_device, and whenever the kernel returns.
HStmt memory_on_device(const std::string& kernel, const std::string& buffer, Halide::DeviceAPI api);
HStmt free_on_device(const std::string& buffer);
// The copy, where the buffer is touched.
HStmt copy_between(const DeviceCopy& copy, const std::string& kernel, Halide::DeviceAPI api);

// "body" inside a temporary buffer on the device, and on the host if "host" is its view there.  The
// description has its elements in rows of at most 2^30, since extents have 32 bits.
HStmt with_temporary_on_device(const Allocation& allocation, const std::string& buffer,
                               const std::string& kernel, Halide::DeviceAPI api, bool on_host,
                               const HStmt& body);
// What launches see of it.
BufferView view_on_device(const Allocation& allocation, const std::string& buffer);

}  // namespace strata::halide
