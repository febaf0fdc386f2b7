// The loops over rows for the running processor, and the loops that are the same for all
// processors.
#include <stdlib.h>
#include <string.h>

#include "rows.h"

#ifdef __aarch64__
#define ROWS_SHUFFLE_BYTES
#endif
#define ROWS(name) name##_baseline
#include "rows_body.h"
#include "planes_body.h"

typedef float f32x4 __attribute__((vector_size(16)));
typedef int32_t i32x4 __attribute__((vector_size(16)));
typedef uint8_t u8x4 __attribute__((vector_size(4)));

#ifdef __x86_64__
void carve_premultiply_avx2(
    const uint8_t *source, uint8_t *target, size_t count, struct carve_survey *survey);
bool carve_convert_rows_avx2(const struct carve_rows *job, struct carve_survey *survey);
bool carve_split_colors_avx2(
    const uint8_t *pixels, size_t width, int16_t *channels, uint8_t *alpha);
void carve_size_products_avx2(
    const struct carve_channels *rows, struct carve_product products[5]);
uint8_t carve_likely_predictor_avx2(
    const struct carve_channels *rows, size_t stride, bool is_first);
bool carve_fold_residuals_avx2(
    const struct carve_channels *rows, uint8_t predictor, uint8_t *high, uint8_t *low);
#define CHOICE(name) (__builtin_cpu_supports("avx2") ? name##_avx2 : name##_baseline)
#else
#define CHOICE(name) name##_baseline
#endif

size_t carve_row_bytes(enum carve_source source, size_t width) { return row_bytes(source, width); }

bool carve_convert_rows(const struct carve_rows *job, struct carve_survey *survey) {
  return CHOICE(carve_convert_rows)(job, survey);
}

void carve_premultiply(
    const uint8_t *source, uint8_t *target, size_t count, struct carve_survey *survey) {
  CHOICE(carve_premultiply)(source, target, count, survey);
}

bool carve_split_colors(
    const uint8_t *pixels, size_t width, int16_t *channels, uint8_t *alpha) {
  return CHOICE(carve_split_colors)(pixels, width, channels, alpha);
}

void carve_size_products(const struct carve_channels *rows, struct carve_product products[5]) {
  CHOICE(carve_size_products)(rows, products);
}

uint8_t carve_likely_predictor(const struct carve_channels *rows, size_t stride, bool is_first) {
  return CHOICE(carve_likely_predictor)(rows, stride, is_first);
}

bool carve_fold_residuals(
    const struct carve_channels *rows, uint8_t predictor, uint8_t *high, uint8_t *low) {
  return CHOICE(carve_fold_residuals)(rows, predictor, high, low);
}

void carve_premultiply_rows(
    const uint8_t *source, size_t width, size_t height, uint8_t *target, size_t target_stride,
    struct carve_survey *survey) {
  for (size_t y = 0; y < height; y++) {
    ROWS(carve_premultiply)(source + 4 * width * y, target, width, survey);
    memset(target + 4 * width, 0, target_stride - 4 * width);
    target += target_stride;
  }
}

void carve_compact_gray(
    uint8_t *pixels, size_t width, size_t height, size_t stride, size_t new_stride) {
  uint8_t *target = pixels;
  for (size_t y = 0; y < height; y++) {
    size_t i = 0;
    for (; i + 8 <= width; i += 8) {
      // As signed numbers, because SSE2 can narrow only those.
      i16x8 eight = __builtin_convertvector((i32x8)load8(pixels + 4 * i) >> 16, i16x8);
      memcpy(target + 2 * i, &eight, 16);
    }
    for (; i < width; i++) {
      uint16_t pixel = (uint16_t)(load32(pixels + 4 * i) >> 16);
      memcpy(target + 2 * i, &pixel, 2);
    }
    memset(target + 2 * width, 0, new_stride - 2 * width);
    pixels += stride, target += new_stride;
  }
}

void carve_narrow(void *channels, size_t count) {
  uint8_t *target = channels;
  const uint8_t *source = channels;
  for (size_t i = 0; i < count; i++) {
    uint16_t v;
    memcpy(&v, source + 2 * i, 2);
    target[i] = (uint8_t)((v * 255u + 32895u) >> 16);
  }
}

void carve_store_colors(const float *colors, size_t count, uint8_t *pixels) {
  // A product that is fused with a sum is rounded once, on some processors.
#pragma clang fp contract(off)
  for (size_t i = 0; i < count; i++) {
    f32x4 color;
    memcpy(&color, colors + 4 * i, 16);
    float alpha = color[3] < 1 ? color[3] : 1;
    f32x4 most = {alpha, alpha, alpha, alpha};
    i32x4 is_below = color < most;
    f32x4 upper = (f32x4)(((i32x4)color & is_below) | ((i32x4)most & ~is_below));
    f32x4 value = (f32x4)((i32x4)upper & (upper > 0));
    u8x4 pixel = __builtin_convertvector(__builtin_convertvector(value * 255 + 0.5f, i32x4), u8x4);
    pixel = __builtin_shufflevector(pixel, pixel, 2, 1, 0, 3);
    memcpy(pixels + 4 * i, &pixel, 4);
  }
}

void carve_mix_pixels(
    const uint8_t *row, const struct carve_area_weights *areas, size_t count, float *line) {
#pragma clang fp contract(off)
  for (size_t x = 0; x < count; x++) {
    const uint8_t *pixel = row + 4 * areas->firsts[x];
    f32x4 sum = {0};
    for (intptr_t i = areas->starts[x]; i < areas->starts[x + 1]; i++, pixel += 4) {
      u8x4 channels;
      memcpy(&channels, pixel, 4);
      sum += areas->weights[i] * __builtin_convertvector(channels, f32x4);
    }
    memcpy(line + 4 * x, &sum, 16);
  }
}

void carve_add_row(float *restrict sums, const float *restrict row, float weight, size_t count) {
#pragma clang fp contract(off)
  for (size_t i = 0; i < count; i++) sums[i] += weight * row[i];
}

void carve_round_to_bytes(const float *restrict values, size_t count, uint8_t *restrict bytes) {
  for (size_t i = 0; i < count; i++) {
    float upper = values[i] < 255 ? values[i] : 255;
    float value = upper > 0 ? upper : 0;
    int32_t whole = (int32_t)value;
    bytes[i] = (uint8_t)(value - (float)whole < 0.5f ? whole : whole + 1);
  }
}

bool carve_are_equal(const void *one, const void *other, size_t count) {
  return memcmp(one, other, count) == 0;
}
