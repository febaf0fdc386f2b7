// The loops over rows of pixels: unfiltering, premultiplying, narrowing, rounding, and the planes
// of deepmaps. Plain C with clang's portable vectors; the loops for PNG and for deepmaps are
// compiled a second time for AVX2. The callers provide buffers that are large enough.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The format of the inflated rows.
enum carve_source {
  carve_source_gray,
  carve_source_gray_alpha,
  carve_source_rgb,
  carve_source_rgba,
  /// 1, 2, 4 or 8 bits for each pixel: an index into `table`.
  carve_source_index1,
  carve_source_index2,
  carve_source_index4,
  carve_source_index8,
  /// The rows of Apple's own variant of PNG.
  carve_source_bgr,
  carve_source_bgra_premultiplied,
};

/// The format of the result.
enum carve_target {
  /// Grey and alpha, premultiplied; only for grey sources.
  carve_target_ga,
  /// Blue, green, red, alpha, premultiplied. The entries of `table` must have this format already.
  carve_target_bgra,
  /// Red, green, blue, alpha, as in the file. The entries of `table` must have this format already.
  carve_target_rgba,
};

/// One rectangle of filtered rows.
struct carve_rows {
  /// A filter byte and pixels for each row, unfiltered in place. 16 more bytes must be readable.
  uint8_t *rows;
  /// Zero bytes, 16 more than a row has.
  const uint8_t *zeros;
  size_t width, height;
  enum carve_source source;
  enum carve_target target;
  /// 256 entries, for indices.
  const uint32_t *table;
  /// The colour that is transparent, red in the lowest byte; used if `has_key` is set and the
  /// source is RGB.
  uint32_t key;
  bool has_key;
  uint8_t *out;
  /// The bytes from one row of `out` to the next. The bytes after the pixels become zero.
  size_t out_stride;
};

/// Properties that all pixels have. Start with both true and pass it through all rows.
struct carve_survey {
  bool opaque, gray;
};

/// Returns the bytes of one row without its filter byte.
size_t carve_row_bytes(enum carve_source source, size_t width);

/// Unfilters and converts all rows. Returns false if a filter byte is undefined.
bool carve_convert_rows(const struct carve_rows *job, struct carve_survey *survey);

/// Converts RGBA to premultiplied BGRA; `source` and `target` may be the same.
void carve_premultiply(
    const uint8_t *source, uint8_t *target, size_t count, struct carve_survey *survey);

/// Does the same for rows without gaps. The rest of each row of the target becomes zero.
void carve_premultiply_rows(
    const uint8_t *source, size_t width, size_t height, uint8_t *target, size_t target_stride,
    struct carve_survey *survey);

/// Converts grey BGRA to grey and alpha, in place, with a new (not larger) number of bytes in each
/// row.
void carve_compact_gray(
    uint8_t *pixels, size_t width, size_t height, size_t stride, size_t new_stride);

/// Converts channels of 16 bits to 8 bits, rounded, in place.
void carve_narrow(void *channels, size_t count);

/// Converts premultiplied colours of four floats, red first, to pixels of four bytes, blue first. A
/// byte is 0 for values up to 0, and at most that of the alpha; halves are rounded up.
void carve_store_colors(const float *colors, size_t count, uint8_t *pixels);

/// The pixels of a row that each pixel of a scaled row covers, with their weights. Pixel n covers
/// the pixels from `firsts[n]` on; their weights begin at `starts[n]` and end at `starts[n + 1]`.
struct carve_area_weights {
  const intptr_t *firsts, *starts;
  const float *weights;
};

/// Scales a row of pixels of four bytes to `count` pixels of four floats.
void carve_mix_pixels(
    const uint8_t *row, const struct carve_area_weights *areas, size_t count, float *line);

/// Adds the values of a row to sums, each multiplied by `weight`.
void carve_add_row(float *sums, const float *row, float weight, size_t count);

/// Rounds values to bytes from 0 to 255; halves are rounded up.
void carve_round_to_bytes(const float *values, size_t count, uint8_t *bytes);

/// A row of the channels of a deepmap, and the row above it, each after a pixel of zeros.
struct carve_channels {
  const int16_t *row, *above;
  /// The number of values in the row.
  size_t count;
  /// The number of channels of a pixel, 1 or 3.
  size_t step;
};

/// Splits pixels of blue, green, red and alpha into alpha and three channels: luma and two halved
/// differences. Returns false if halving lost a bit.
bool carve_split_colors(
    const uint8_t *pixels, size_t width, int16_t *channels, uint8_t *alpha);

/// Returns the predictor with the least sum of sizes: 0, 2, 3 or 4. Reads eight values of every
/// `stride`; last values that do not fill eight are ignored. A size is below 512.
uint8_t carve_likely_predictor(const struct carve_channels *rows, size_t stride, bool is_first);

/// A product of many numbers: fraction × 2^exponent.
struct carve_product {
  double fraction;
  int32_t exponent;
};

/// Computes for each of the predictors 0 to 4 the product of the sizes of its residuals, each plus
/// one. A size is below 512. Each factor is multiplied as a float and rounded as one.
void carve_size_products(const struct carve_channels *rows, struct carve_product products[5]);

/// Writes the residuals by a predictor with the sign in the lowest bit, high and low bytes apart.
/// Returns false for the least 16-bit number, whose sign cannot be stored.
bool carve_fold_residuals(
    const struct carve_channels *rows, uint8_t predictor, uint8_t *high, uint8_t *low);

/// Returns whether two runs of bytes are equal.
bool carve_are_equal(const void *one, const void *other, size_t count);
