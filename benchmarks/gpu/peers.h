// Halide's pipelines (halide.cpp).
#pragma once

struct halide_buffer_t;

extern "C" {
int halide_product(halide_buffer_t* a, halide_buffer_t* b, halide_buffer_t* c);
int halide_product_any(halide_buffer_t* a, halide_buffer_t* b, halide_buffer_t* c);
int halide_copy(halide_buffer_t* in, halide_buffer_t* out);
int halide_transpose(halide_buffer_t* in, halide_buffer_t* out);
int halide_blur(halide_buffer_t* in, halide_buffer_t* out);
int halide_stencil(halide_buffer_t* in, halide_buffer_t* out);
int halide_four_steps(halide_buffer_t* in, halide_buffer_t* out);
int halide_convolution(halide_buffer_t* in, halide_buffer_t* w, halide_buffer_t* out);
int halide_histogram(halide_buffer_t* image, halide_buffer_t* counts);
int halide_batched(halide_buffer_t* a, halide_buffer_t* b, halide_buffer_t* c);
}
