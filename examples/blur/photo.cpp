#include "examples/blur/photo.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>

#include <jpeglib.h>
#include <png.h>

namespace blur_example {

namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

Photo empty_photo(std::int64_t width, std::int64_t height) {
  return {width, height, std::vector<std::uint8_t>(std::size_t(width * height * 3))};
}

// libjpeg's own handler prints the error to standard error and ends the program.
Photo read_jpeg(std::FILE* file) {
  jpeg_decompress_struct info;
  jpeg_error_mgr errors;
  info.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&info);
  jpeg_stdio_src(&info, file);
  jpeg_read_header(&info, TRUE);
  info.out_color_space = JCS_RGB;
  jpeg_start_decompress(&info);
  Photo photo = empty_photo(info.output_width, info.output_height);
  while (info.output_scanline < info.output_height) {
    JSAMPROW row = photo.bytes.data() + std::size_t(info.output_scanline) * info.output_width * 3;
    jpeg_read_scanlines(&info, &row, 1);
  }
  jpeg_finish_decompress(&info);
  jpeg_destroy_decompress(&info);
  return photo;
}

Photo read_png(const std::string& path) {
  png_image image;
  std::memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_file(&image, path.c_str()))
    throw std::runtime_error(path + ": " + image.message);
  image.format = PNG_FORMAT_RGB;
  Photo photo = empty_photo(image.width, image.height);
  if (!png_image_finish_read(&image, nullptr, photo.bytes.data(), 0, nullptr))
    throw std::runtime_error(path + ": " + image.message);
  return photo;
}

// The coordinate in 0 .. from - 1 of index "to" out of "count"; the first and last ones coincide.
double position(std::int64_t to, std::int64_t count, std::int64_t from) {
  return count > 1 ? double(to) * double(from - 1) / double(count - 1) : 0;
}

std::uint8_t to_byte(double value) {
  return std::uint8_t(std::lround(std::fmin(std::fmax(value, 0), 255)));
}

}  // namespace

Photo read_photo(const std::string& path) {
  const File file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) throw std::runtime_error(path + ": cannot be opened");
  const int first = std::fgetc(file.get());
  std::rewind(file.get());
  return first == 0xff ? read_jpeg(file.get()) : read_png(path);
}

void write_png(const Photo& photo, const std::string& path) {
  png_image image;
  std::memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  image.width = png_uint_32(photo.width);
  image.height = png_uint_32(photo.height);
  image.format = PNG_FORMAT_RGB;
  image.flags = PNG_IMAGE_FLAG_FAST;
  if (!png_image_write_to_file(&image, path.c_str(), 0, photo.bytes.data(), 0, nullptr))
    throw std::runtime_error(path + ": " + image.message);
}

Photo enlarged(const Photo& photo, double megapixels) {
  const double factor = std::sqrt(megapixels / photo.megapixels());
  Photo large = empty_photo(std::int64_t(std::ceil(double(photo.width) * factor)),
                            std::int64_t(std::ceil(double(photo.height) * factor)));
  for (std::int64_t i = 0; i < large.height; ++i) {
    const double y = position(i, large.height, photo.height);
    const std::int64_t top = std::int64_t(y), bottom = std::min(top + 1, photo.height - 1);
    for (std::int64_t j = 0; j < large.width; ++j) {
      const double x = position(j, large.width, photo.width);
      const std::int64_t left = std::int64_t(x), right = std::min(left + 1, photo.width - 1);
      for (int c = 0; c < 3; ++c) {
        const auto at = [&](std::int64_t row, std::int64_t column) {
          return double(photo.bytes[std::size_t((row * photo.width + column) * 3 + c)]);
        };
        const double above = std::lerp(at(top, left), at(top, right), x - double(left));
        const double below = std::lerp(at(bottom, left), at(bottom, right), x - double(left));
        large.bytes[std::size_t((i * large.width + j) * 3 + c)] =
            to_byte(std::lerp(above, below, y - double(top)));
      }
    }
  }
  return large;
}

strata::Array<float> to_floats(const Photo& photo) {
  strata::Array<float> floats({photo.height, photo.width * 3});
  for (std::size_t p = 0; p < floats.size(); ++p) floats.data()[p] = float(photo.bytes[p]) / 255.0f;
  return floats;
}

Photo to_photo(const strata::Array<float>& floats) {
  Photo photo = empty_photo(floats.extent(1) / 3, floats.extent(0));
  for (std::size_t p = 0; p < floats.size(); ++p)
    photo.bytes[p] = to_byte(double(floats.data()[p]) * 255);
  return photo;
}

}  // namespace blur_example
