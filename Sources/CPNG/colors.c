// Straight RGBA of some colour space to sRGB in bytes, or to extended sRGB in half floats.
#include <math.h>
#include <string.h>

#include "cpng.h"

// Every machine rounds alike: no products are fused into sums.
#pragma STDC FP_CONTRACT OFF

double carve_power(double base, double exponent) { return pow(base, exponent); }

/// The sRGB value of an amount of light; below 0 and above 1 the curve goes on by symmetry.
static float encoded(float light) {
  float size = fabsf(light);
  float value = size <= 0.0031308f ? size * 12.92f : 1.055f * powf(size, 1 / 2.4f) - 0.055f;
  return copysignf(value, light);
}

// Bytes are found by the amounts of light at which rounding goes from one to the next. A coarse
// table gives a byte that is never too high and at most a few too low.
enum { coarse_count = 4096 };

struct byte_table {
  float steps[256];
  uint8_t coarse[coarse_count + 1];
};

static void make_byte_table(struct byte_table *table) {
  for (int value = 0; value < 255; value++) {
    double x = (value + 0.5) / 255;
    table->steps[value] = (float)(x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4));
  }
  table->steps[255] = 2;
  uint8_t value = 0;
  for (int i = 0; i <= coarse_count; i++) {
    while ((float)i / coarse_count >= table->steps[value]) value++;
    table->coarse[i] = value;
  }
}

static inline uint32_t byte_of(float light, const struct byte_table *table) {
  if (!(light > 0)) return 0;
  if (light >= 1) return 255;
  uint8_t value = table->coarse[(int)(light * coarse_count)];
  while (light >= table->steps[value]) value++;
  return value;
}

static inline void mix(
    const struct carve_colors *colors, unsigned r, unsigned g, unsigned b, float light[3]) {
  const float *m = colors->matrix;
  float x = colors->curves[0][r], y = colors->curves[1][g], z = colors->curves[2][b];
  for (int i = 0; i < 3; i++) light[i] = m[3 * i] * x + m[3 * i + 1] * y + m[3 * i + 2] * z;
}

void carve_to_srgb(const struct carve_colors *colors, void *pixels, size_t count, bool wide) {
  struct byte_table table;
  make_byte_table(&table);
  uint8_t *target = pixels;
  const uint8_t *source = pixels;
  // Neighbours are often equal: the last pixel is remembered.
  uint64_t last = 0;
  uint32_t result = 0;
  bool is_first = true;
  for (size_t i = 0; i < count; i++) {
    uint16_t v[4];
    uint64_t key = 0;
    if (wide) {
      memcpy(v, source + 8 * i, 8);
      memcpy(&key, v, 8);
    } else {
      for (int c = 0; c < 4; c++) v[c] = source[4 * i + c];
      memcpy(&key, source + 4 * i, 4);
    }
    if (is_first || key != last) {
      float light[3];
      mix(colors, v[0], v[1], v[2], light);
      uint32_t alpha = wide ? (v[3] * 255u + 32895u) >> 16 : v[3];
      result = byte_of(light[0], &table) | byte_of(light[1], &table) << 8 |
               byte_of(light[2], &table) << 16 | alpha << 24;
      last = key, is_first = false;
    }
    memcpy(target + 4 * i, &result, 4);
  }
}

/// The nearest half float of a number between -65,504 and 65,504, ties to even.
static uint16_t half(float number) {
  uint32_t bits;
  memcpy(&bits, &number, 4);
  uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
  float size = fabsf(number);
  if (size < 6.103515625e-05f) {
    // Subnormal: adding 0.5 leaves the rounded count of 2^-24 in the lowest bits.
    float shifted = size + 0.5f;
    memcpy(&bits, &shifted, 4);
    return (uint16_t)(sign | (bits - 0x3f000000));
  }
  memcpy(&bits, &size, 4);
  bits += 0xfff + (bits >> 13 & 1) - ((127 - 15) << 23);
  return (uint16_t)(sign | bits >> 13);
}

void carve_to_half(
    const struct carve_colors *colors, const void *pixels, size_t count, bool wide, void *target,
    struct carve_survey *survey) {
  const uint8_t *source = pixels;
  float whole = wide ? 65535 : 255;
  for (size_t i = 0; i < count; i++) {
    uint16_t v[4], out[4];
    if (wide) {
      memcpy(v, source + 8 * i, 8);
    } else {
      for (int c = 0; c < 4; c++) v[c] = source[4 * i + c];
    }
    float light[3], alpha = v[3] / whole;
    mix(colors, v[0], v[1], v[2], light);
    for (int c = 0; c < 3; c++) out[c] = half(encoded(light[c]) * alpha);
    out[3] = half(alpha);
    if (alpha < 1) survey->opaque = false;
    if (out[0] != out[1] || out[1] != out[2]) survey->gray = false;
    memcpy((uint8_t *)target + 8 * i, out, 8);
  }
}
