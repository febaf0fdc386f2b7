// Converts filtered rows to pixels: each row is unfiltered and converted while it is in the cache,
// and the survey of the pixels (no transparency, no colour) is made at the same time. This file is
// compiled once for each kind of processor; ROWS(name) is the name of a function there.
#pragma once

typedef uint8_t u8x16 __attribute__((vector_size(16)));
typedef uint8_t u8x8 __attribute__((vector_size(8)));
typedef uint16_t u16x8 __attribute__((vector_size(16)));
typedef int16_t i16x8 __attribute__((vector_size(16)));
// Processors with registers of 16 bytes process these in two halves.
typedef uint16_t u16x16 __attribute__((vector_size(32)));
typedef uint32_t u32x8 __attribute__((vector_size(32)));
typedef int32_t i32x8 __attribute__((vector_size(32)));

// Functions that are always inlined have no calling convention that could depend on the processor.
#pragma clang diagnostic ignored "-Wpsabi"
#define inlined static inline __attribute__((always_inline))

#include "unfilter_body.h"

inlined uint32_t load32(const uint8_t *from) {
  uint32_t v;
  memcpy(&v, from, 4);
  return v;
}
inlined void store32(uint8_t *to, uint32_t v) { memcpy(to, &v, 4); }

// MARK: premultiply

/// Returns round(v · a / 255), exact for all bytes: equal to (v · a + 127) div 255.
inlined uint32_t product(uint32_t v, uint32_t a) {
  uint32_t sum = v * a + 128;
  return (sum + (sum >> 8)) >> 8;
}

inlined uint32_t premultiplied(uint32_t rgba) {
  uint32_t a = rgba >> 24;
  uint32_t r = product(rgba & 255, a), g = product(rgba >> 8 & 255, a);
  return product(rgba >> 16 & 255, a) | g << 8 | r << 16 | a << 24;
}

inlined u8x16 premultiplied4(u8x16 rgba) {
  u16x16 v = __builtin_convertvector(rgba, u16x16);
  u16x16 a = __builtin_shufflevector(v, v, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15);
  // Alpha itself is multiplied by 255, so it does not change.
  const u16x16 whole = {0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255};
  v = __builtin_shufflevector(v, v, 2, 1, 0, 3, 6, 5, 4, 7, 10, 9, 8, 11, 14, 13, 12, 15);
  v = v * (a | whole) + 128;
  return __builtin_convertvector((v + (v >> 8)) >> 8, u8x16);
}

inlined u32x8 premultiplied8(u32x8 rgba) {
  u8x16 halves[2];
  memcpy(halves, &rgba, 32);
  halves[0] = premultiplied4(halves[0]), halves[1] = premultiplied4(halves[1]);
  memcpy(&rgba, halves, 32);
  return rgba;
}

inlined u32x8 swapped8(u32x8 v) {
  return (v & 0xff00ff00) | (v << 16 & 0xff0000) | (v >> 16 & 0xff);
}

inlined u32x8 load8(const uint8_t *from) {
  u32x8 v;
  memcpy(&v, from, 32);
  return v;
}
inlined void store8(uint8_t *to, u32x8 v) { memcpy(to, &v, 32); }

/// Collects the properties of a carve_survey, eight pixels at a time.
struct tally {
  u32x8 common, colour;
};
inlined void count8(struct tally *tally, u32x8 bgra) {
  tally->common &= bgra;
  tally->colour |= bgra ^ bgra >> 8;
}
inlined void count1(struct tally *tally, uint32_t bgra) {
  tally->common[0] &= bgra;
  tally->colour[0] |= bgra ^ bgra >> 8;
}
static void report(const struct tally *tally, struct carve_survey *survey) {
  if (__builtin_reduce_and(tally->common) >> 24 != 255) survey->opaque = false;
  if (__builtin_reduce_or(tally->colour) & 0xffff) survey->gray = false;
}
#define EMPTY_TALLY {~(u32x8){0}, {0}}

void ROWS(carve_premultiply)(
    const uint8_t *source, uint8_t *target, size_t count, struct carve_survey *survey) {
  struct tally tally = EMPTY_TALLY;
  size_t i = 0, whole = count & ~(size_t)7;
  for (; i < whole; i += 8) {
    u32x8 v = load8(source + 4 * i);
    if (__builtin_reduce_and(v >= 0xff000000)) {
      v = swapped8(v);
    } else if (__builtin_reduce_and(v < 0x1000000)) {
      v = (u32x8){0};
    } else {
      v = premultiplied8(v);
    }
    count8(&tally, v);
    store8(target + 4 * i, v);
  }
  for (; i < count; i++) {
    uint32_t pixel = premultiplied(load32(source + 4 * i));
    count1(&tally, pixel);
    store32(target + 4 * i, pixel);
  }
  report(&tally, survey);
}

static void examine(const uint8_t *bgra, size_t count, struct carve_survey *survey) {
  struct tally tally = EMPTY_TALLY;
  size_t i = 0;
  for (; i + 8 <= count; i += 8) count8(&tally, load8(bgra + 4 * i));
  for (; i < count; i++) count1(&tally, load32(bgra + 4 * i));
  report(&tally, survey);
}

// MARK: the sources

static void gray_to_ga(const uint8_t *row, uint8_t *out, size_t width) {
  for (size_t i = 0; i < width; i++) {
    uint16_t pixel = (uint16_t)(row[i] | 0xff00);
    memcpy(out + 2 * i, &pixel, 2);
  }
}

static void gray_alpha_to_ga(
    const uint8_t *row, uint8_t *out, size_t width, struct carve_survey *survey) {
  uint8_t common = 255;
  for (size_t i = 0; i < width; i++) {
    uint16_t alpha = row[2 * i + 1];
    uint16_t sum = (uint16_t)(row[2 * i] * alpha + 128);
    uint16_t pixel = (uint16_t)((uint16_t)(sum + (sum >> 8)) >> 8 | alpha << 8);
    memcpy(out + 2 * i, &pixel, 2);
    common &= (uint8_t)alpha;
  }
  if (common != 255) survey->opaque = false;
}

static void gray_alpha_to_rgba(const uint8_t *row, uint8_t *out, size_t width) {
  for (size_t i = 0; i < width; i++)
    store32(out + 4 * i, row[2 * i] * 0x10101u | (uint32_t)row[2 * i + 1] << 24);
}

static void rgb_to_rgba(const uint8_t *row, uint8_t *out, const struct carve_rows *job) {
  uint32_t key = job->has_key ? job->key & 0xffffff : ~0u;
  for (size_t i = 0; i < job->width; i++) {
    uint32_t pixel = load32(row + 3 * i) & 0xffffff;
    store32(out + 4 * i, pixel == key ? pixel : pixel | 0xff000000);
  }
}

static void rgb_to_bgra(const uint8_t *row, uint8_t *out, size_t width) {
  size_t i = 0;
#ifdef ROWS_SHUFFLE_BYTES
  // 16 bytes are read and 12 of them used; 16 bytes are readable after the row.
  const u8x16 full = {255};
  for (; i + 4 <= width; i += 4) {
    u8x16 v;
    memcpy(&v, row + 3 * i, 16);
    v = __builtin_shufflevector(
        v, full, 2, 1, 0, 16, 5, 4, 3, 16, 8, 7, 6, 16, 11, 10, 9, 16);
    memcpy(out + 4 * i, &v, 16);
  }
#endif
  for (; i < width; i++)
    store32(out + 4 * i, __builtin_bswap32(load32(row + 3 * i)) >> 8 | 0xff000000);
}

static void bgr_to_bgra(const uint8_t *row, uint8_t *out, size_t width) {
  for (size_t i = 0; i < width; i++) store32(out + 4 * i, load32(row + 3 * i) | 0xff000000);
}

inlined void indices_to_pixels(
    const uint8_t *row, uint8_t *out, size_t width, const uint32_t *table, unsigned bits) {
  unsigned mask = (1u << bits) - 1, last = 8 / bits - 1;
  for (size_t i = 0; i < width; i++) {
    unsigned shift = (last - (unsigned)(i & last)) * bits;
    store32(out + 4 * i, table[row[i * bits / 8] >> shift & mask]);
  }
}

static void to_ga(const struct carve_rows *job, const uint8_t *row, uint8_t *out,
                  struct carve_survey *survey) {
  if (job->source == carve_source_gray) {
    gray_to_ga(row, out, job->width);
  } else {
    gray_alpha_to_ga(row, out, job->width, survey);
  }
}

// Converts rows to four bytes for each pixel, and premultiplies pixels of a BGRA target that are
// not premultiplied yet.
static void to_four(
    const struct carve_rows *job, const uint8_t *row, uint8_t *out, struct carve_survey *survey) {
  bool straight = job->target == carve_target_rgba;
  size_t width = job->width;
  switch (job->source) {
    case carve_source_gray: break;
    case carve_source_gray_alpha:
      gray_alpha_to_rgba(row, out, width);
      if (!straight) ROWS(carve_premultiply)(out, out, width, survey);
      return;
    case carve_source_rgb:
      if (straight || job->has_key) {
        rgb_to_rgba(row, out, job);
        if (!straight) ROWS(carve_premultiply)(out, out, width, survey);
        return;
      }
      rgb_to_bgra(row, out, width);
      break;
    case carve_source_rgba:
      if (straight) {
        memcpy(out, row, 4 * width);
      } else {
        ROWS(carve_premultiply)(row, out, width, survey);
      }
      return;
    case carve_source_index1: indices_to_pixels(row, out, width, job->table, 1); break;
    case carve_source_index2: indices_to_pixels(row, out, width, job->table, 2); break;
    case carve_source_index4: indices_to_pixels(row, out, width, job->table, 4); break;
    case carve_source_index8: indices_to_pixels(row, out, width, job->table, 8); break;
    case carve_source_bgr: bgr_to_bgra(row, out, width); break;
    case carve_source_bgra_premultiplied: memcpy(out, row, 4 * width); break;
  }
  if (!straight) examine(out, width, survey);
}

inlined size_t row_bytes(enum carve_source source, size_t width) {
  switch (source) {
    case carve_source_gray:
    case carve_source_index8: return width;
    case carve_source_gray_alpha: return 2 * width;
    case carve_source_rgb:
    case carve_source_bgr: return 3 * width;
    case carve_source_rgba:
    case carve_source_bgra_premultiplied: return 4 * width;
    case carve_source_index1: return (width + 7) / 8;
    case carve_source_index2: return (width + 3) / 4;
    case carve_source_index4: return (width + 1) / 2;
  }
}

bool ROWS(carve_convert_rows)(const struct carve_rows *job, struct carve_survey *survey) {
  size_t bytes = row_bytes(job->source, job->width);
  size_t step = row_bytes(job->source, 1);
  bool gray = job->target == carve_target_ga;
  size_t used = job->width * (gray ? 2 : 4);
  uint8_t *row = job->rows, *out = job->out;
  const uint8_t *prior = job->zeros;
  bool is_ready = false;
  for (size_t y = 0; y < job->height; y++) {
    if (is_ready) {
      is_ready = false;
    } else if (y + 1 < job->height && unfilter_pair(row, prior, bytes, step)) {
      is_ready = true;
    } else if (!unfilter(row[0], row + 1, prior, bytes, step)) {
      return false;
    }
    if (gray) {
      to_ga(job, row + 1, out, survey);
    } else {
      to_four(job, row + 1, out, survey);
    }
    if (job->out_stride > used) memset(out + used, 0, job->out_stride - used);
    prior = row + 1;
    row += bytes + 1;
    out += job->out_stride;
  }
  return true;
}
