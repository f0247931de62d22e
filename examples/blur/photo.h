// Photographs as bytes, and as arrays for the kernel.
#pragma once

#include <strata/buffer.h>

#include <cstdint>
#include <string>
#include <vector>

namespace blur_example {

// height rows of width pixels of red, green, blue.
struct Photo {
  std::int64_t width = 0, height = 0;
  std::vector<std::uint8_t> bytes;

  double megapixels() const { return double(width) * double(height) / 1e6; }
};

// Reads a JPEG or PNG file. Throws std::runtime_error if it cannot be opened or is neither; a
// damaged JPEG file ends the program (libjpeg's error handler).
Photo read_photo(const std::string& path);
// Throws std::runtime_error if the file cannot be written.
void write_png(const Photo& photo, const std::string& path);

// The photograph with both sides scaled up by one factor, so that it has at least this many
// megapixels; bilinear.
Photo enlarged(const Photo& photo, double megapixels);

// Bytes 0 to 255 as numbers 0 to 1, in an array [height, 3 width], and back; numbers outside are
// clamped.
strata::Array<float> to_floats(const Photo& photo);
Photo to_photo(const strata::Array<float>& floats);

}  // namespace blur_example
