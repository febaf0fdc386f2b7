// PNG for Carve: libpng and libdeflate behind a few functions, and the loops over rows of pixels.
// Every longjmp of libpng ends in this module. Which chunks a file has, which sizes are allowed and
// which path decodes it is decided by the callers, who give buffers that are large enough.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The version of the libpng that is linked, e.g. 10639.
uint32_t carve_png_version(void);

// MARK: libpng

/// What libpng said when it gave up, and how far it had read.
struct carve_png_failure {
  size_t offset;
  char words[96];
};

/// Reads a whole PNG of `width` × `height` pixels, up to and with IEND, as RGBA rows without gaps:
/// a byte for each channel, or with `wide` 16 bits in the byte order of the machine. No colour is
/// converted. False leaves the reason in `failure`.
bool carve_png_read(
    const void *file, size_t count, uint32_t width, uint32_t height, bool wide, void *pixels,
    struct carve_png_failure *failure);

// MARK: libdeflate

/// Inflates a zlib stream, or a raw one, that must give exactly `size` bytes.
bool carve_inflate(const void *source, size_t count, bool raw, void *target, size_t size);

/// Inflates a zlib stream that gives at most `capacity` bytes; 0 where it is damaged or gives more.
size_t carve_inflate_some(const void *source, size_t count, void *target, size_t capacity);

/// Deflates into a zlib stream. 0 where `capacity` (see the bound) is too small or memory is short.
size_t carve_deflate(const void *source, size_t count, int level, void *target, size_t capacity);
size_t carve_deflate_bound(size_t count);

uint32_t carve_crc32(uint32_t start, const void *bytes, size_t count);

// MARK: rows

/// What the inflated rows hold.
enum carve_source {
  carve_source_gray,
  carve_source_gray_alpha,
  carve_source_rgb,
  carve_source_rgba,
  /// 1, 2, 4 or 8 bits for each pixel, a place in `table`.
  carve_source_index1,
  carve_source_index2,
  carve_source_index4,
  carve_source_index8,
  /// The rows of Apple's own kind of PNG.
  carve_source_bgr,
  carve_source_bgra_premultiplied,
};

/// What comes out.
enum carve_target {
  /// Grey and alpha, premultiplied; of grey sources only.
  carve_target_ga,
  /// Blue, green, red, alpha, premultiplied. Entries of `table` must be so already.
  carve_target_bgra,
  /// Red, green, blue, alpha, as in the file; entries of `table` must be so.
  carve_target_rgba,
};

/// One rectangle of filtered rows.
struct carve_rows {
  /// Filter byte and pixels, row after row; unfiltered in place. 16 more bytes must be readable.
  uint8_t *rows;
  /// As many zero bytes as a row is long, and 16 more.
  const uint8_t *zeros;
  size_t width, height;
  enum carve_source source;
  enum carve_target target;
  /// 256 entries for indices.
  const uint32_t *table;
  /// The colour that is transparent, red in the lowest byte; used if `has_key` and source is RGB.
  uint32_t key;
  bool has_key;
  uint8_t *out;
  /// The bytes from row to row of `out`; what a row leaves of them becomes zero.
  size_t out_stride;
};

/// What was seen in the pixels. Start with both true and pass it through all rows.
struct carve_survey {
  bool opaque, gray;
};

/// The bytes of one row without its filter byte.
size_t carve_row_bytes(enum carve_source source, size_t width);

/// Unfilters and converts all rows. False if a filter byte has no meaning.
bool carve_convert_rows(const struct carve_rows *job, struct carve_survey *survey);

/// RGBA to premultiplied BGRA; `source` and `target` may be the same.
void carve_premultiply(
    const uint8_t *source, uint8_t *target, size_t count, struct carve_survey *survey);

/// The same for rows without gaps; the rest of each row of the target becomes zero.
void carve_premultiply_rows(
    const uint8_t *source, size_t width, size_t height, uint8_t *target, size_t target_stride,
    struct carve_survey *survey);

/// Grey BGRA to grey and alpha, in place, with a new (not larger) number of bytes in each row.
void carve_compact_gray(
    uint8_t *pixels, size_t width, size_t height, size_t stride, size_t new_stride);

/// Channels of 16 bits to channels of 8, rounded, in place.
void carve_narrow(void *channels, size_t count);

// MARK: colours

/// A colour space as the way from its stored values to sRGB.
struct carve_colors {
  /// The amount of light for each stored value: 256 entries, or 65,536 if `wide`.
  const float *curves[3];
  /// From its primaries to those of sRGB, row after row.
  float matrix[9];
};

double carve_power(double base, double exponent);

/// Straight RGBA, 16 bits each if `wide`, to straight RGBA in bytes of sRGB, in place.
void carve_to_srgb(const struct carve_colors *colors, void *pixels, size_t count, bool wide);

/// Straight RGBA to premultiplied half floats in extended sRGB, rows without gaps.
void carve_to_half(
    const struct carve_colors *colors, const void *pixels, size_t count, bool wide, void *target,
    struct carve_survey *survey);

/// How many bytes are left of `count` bytes in a compressed app; 0 where memory is short.
size_t carve_deflated_size(const void *source, size_t count);
