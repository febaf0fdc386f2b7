// The planes of a deepmap, row by row: pixels become channels that differ little from their
// neighbours, and channels become residuals. This file is compiled once for each kind of processor,
// after rows_body.h.
#pragma once

typedef int16_t i16x16 __attribute__((vector_size(32)));

inlined i16x16 load16(const int16_t *from) {
  i16x16 v;
  memcpy(&v, from, 32);
  return v;
}

// MARK: channels

/// Halves towards zero.
inlined i16x8 half8(i16x8 v) { return (v - (v >> 15)) >> 1; }

/// Stores eight pixels of three channels.
inlined void store_channels(i16x8 first, i16x8 second, i16x8 third, int16_t *to) {
#ifdef ROWS_SHUFFLE_BYTES
  i16x8 part = __builtin_shufflevector(first, second, 0, 8, -1, 1, 9, -1, 2, 10);
  part = __builtin_shufflevector(part, third, 0, 1, 8, 3, 4, 9, 6, 7);
  memcpy(to, &part, 16);
  part = __builtin_shufflevector(first, second, -1, 3, 11, -1, 4, 12, -1, 5);
  part = __builtin_shufflevector(part, third, 10, 1, 2, 11, 4, 5, 12, 7);
  memcpy(to + 8, &part, 16);
  part = __builtin_shufflevector(first, second, 13, -1, 6, 14, -1, 7, 15, -1);
  part = __builtin_shufflevector(part, third, 0, 13, 2, 3, 14, 5, 6, 15);
  memcpy(to + 16, &part, 16);
#else
  for (int i = 0; i < 8; i++, to += 3) to[0] = first[i], to[1] = second[i], to[2] = third[i];
#endif
}

bool ROWS(carve_split_colors)(
    const uint8_t *pixels, size_t width, int16_t *channels, uint8_t *alpha) {
  i16x8 odd = {0};
  size_t x = 0;
  for (; x + 8 <= width; x += 8) {
    u32x8 bgra = load8(pixels + 4 * x);
    i16x8 last = __builtin_convertvector((i32x8)(bgra >> 16 & 255), i16x8);
    i16x8 orange = __builtin_convertvector((i32x8)(bgra & 255), i16x8) - last;
    i16x8 half_orange = half8(orange);
    i16x8 base = last + half_orange;
    i16x8 green = __builtin_convertvector((i32x8)(bgra >> 8 & 255), i16x8) - base;
    i16x8 half_green = half8(green);
    odd |= orange | green;
    store_channels(base + half_green, half_orange, half_green, channels + 3 * x);
    u8x8 opacity = __builtin_convertvector(bgra >> 24, u8x8);
    memcpy(alpha + x, &opacity, 8);
  }
  int lost = __builtin_reduce_or(odd);
  for (; x < width; x++) {
    const uint8_t *bgra = pixels + 4 * x;
    int orange = bgra[0] - bgra[2], base = bgra[2] + orange / 2, green = bgra[1] - base;
    lost |= orange | green;
    channels[3 * x] = (int16_t)(base + green / 2);
    channels[3 * x + 1] = (int16_t)(orange / 2);
    channels[3 * x + 2] = (int16_t)(green / 2);
    alpha[x] = bgra[3];
  }
  return !(lost & 1);
}

// MARK: residuals

/// Returns half of the sum plus one, rounded towards zero. The sum wraps at 16 bits.
inlined i16x16 mean16(i16x16 left, i16x16 up) {
  i16x16 sum = left + up + 1;
  return (sum - (sum >> 15)) >> 1;
}

/// Loads eight values at each of two places.
inlined i16x16 load_two(const int16_t *one, const int16_t *other) {
  i16x16 v;
  memcpy(&v, one, 16);
  memcpy((char *)&v + 16, other, 16);
  return v;
}

inlined uint32_t total16(i16x16 sizes) {
  typedef uint32_t u32x16 __attribute__((vector_size(64)));
  return __builtin_reduce_add(__builtin_convertvector((u16x16)sizes, u32x16));
}

uint8_t ROWS(carve_likely_predictor)(
    const struct carve_channels *rows, size_t stride, bool is_first) {
  static const int16_t zeros[8];
  uint32_t none = 0, left = 0, up = 0, mean = 0;
  const int16_t *row = rows->row, *above = rows->above;
  size_t blocks = rows->count < 8 ? 0 : (rows->count - 8) / stride + 1;
  while (blocks > 0) {
    i16x16 sums[4] = {{0}};
    // A size is below 512, so that the sum of 64 sizes fits into a lane.
    for (int i = 0; i < 64 && blocks > 0; i++) {
      bool is_pair = blocks > 1;
      const int16_t *next = row + stride;
      i16x16 value = load_two(row, is_pair ? next : zeros);
      i16x16 before = load_two(row - rows->step, is_pair ? next - rows->step : zeros);
      i16x16 over = load_two(above, is_pair ? above + stride : zeros);
      sums[0] += __builtin_elementwise_abs(value);
      sums[1] += __builtin_elementwise_abs(value - before);
      sums[2] += __builtin_elementwise_abs(value - over);
      sums[3] += __builtin_elementwise_abs(value - mean16(before, over));
      blocks -= is_pair ? 2 : 1;
      row += 2 * stride, above += 2 * stride;
    }
    none += total16(sums[0]), left += total16(sums[1]);
    up += total16(sums[2]), mean += total16(sums[3]);
  }
  if (is_first) return none <= left ? 0 : 2;
  uint32_t least = none < left ? none : left, other = up < mean ? up : mean;
  if (other < least) return up == other ? 3 : 4;
  return none == least ? 0 : 2;
}

typedef float f32x8 __attribute__((vector_size(32)));

inlined i16x8 load_channels(const int16_t *from) {
  i16x8 v;
  memcpy(&v, from, 16);
  return v;
}

/// A product in each lane: a fraction from 1 to 2, and an exponent of two.
struct products {
  f32x8 fractions;
  i32x8 exponents;
};

/// Multiplies by the sizes of residuals, each plus one.
inlined void multiply(struct products *products, i16x8 residuals) {
  i16x8 factors = __builtin_elementwise_abs(residuals) + 1;
  products->fractions *= __builtin_convertvector(__builtin_convertvector(factors, i32x8), f32x8);
}

/// Moves the exponents of the fractions, which have become larger than two, into `exponents`.
inlined void separate(struct products *products) {
  i32x8 bits = (i32x8)products->fractions;
  products->exponents += (bits >> 23) - 127;
  products->fractions = (f32x8)((bits & 0x7FFFFF) | 127 << 23);
}

/// Copies the mask of each pixel's first channel to its other channels.
inlined void spread_masks(i16x8 masks[3]) {
  i16x8 a = masks[0], b = masks[1], c = masks[2];
  masks[0] = __builtin_shufflevector(a, a, 0, 0, 0, 3, 3, 3, 6, 6);
  masks[1] = __builtin_shufflevector(a, b, 6, 9, 9, 9, 12, 12, 12, 15);
  masks[2] = __builtin_shufflevector(b, c, 7, 7, 10, 10, 10, 13, 13, 13);
}

/// Multiplies by the sizes of 24 residuals of each predictor.
inlined void multiply_block(
    struct products products[5], const int16_t *row, const int16_t *above, ptrdiff_t step) {
  i16x8 masks[3];
  for (int i = 0; i < 3; i++) {
    i16x8 corner = load_channels(above + 8 * i - step);
    masks[i] = __builtin_elementwise_abs(load_channels(above + 8 * i) - corner)
        <= __builtin_elementwise_abs(load_channels(row + 8 * i - step) - corner);
  }
  if (step == 3) spread_masks(masks);
  for (int i = 0; i < 3; i++) {
    i16x8 value = load_channels(row + 8 * i), up = load_channels(above + 8 * i);
    i16x8 left = load_channels(row + 8 * i - step);
    multiply(&products[0], value);
    multiply(&products[1], value - ((masks[i] & left) | (~masks[i] & up)));
    multiply(&products[2], value - left);
    multiply(&products[3], value - up);
    multiply(&products[4], value - half8(left + up + 1));
  }
}

/// Multiplies by the sizes of one pixel's residuals.
inlined void multiply_pixel(
    double fractions[5], const int16_t *row, const int16_t *above, ptrdiff_t step, bool is_first) {
  int corner = above[-step];
  bool is_left = !is_first && abs(above[0] - corner) <= abs(row[-step] - corner);
  for (ptrdiff_t k = 0; k < step; k++) {
    int left = row[k - step], up = above[k];
    int mean = is_first ? up : (left + up + 1) / 2;
    int predictions[5] = {0, is_left ? left : up, left, up, mean};
    for (int i = 0; i < 5; i++) fractions[i] *= 1 + abs(row[k] - predictions[i]);
  }
}

inlined void multiply_row(
    const struct carve_channels *rows, ptrdiff_t step, struct carve_product results[5]) {
  const int16_t *row = rows->row, *above = rows->above, *end = row + rows->count;
  double fractions[5] = {1, 1, 1, 1, 1};
  multiply_pixel(fractions, row, above, step, true);
  row += step, above += step;
  struct products products[5];
  for (int i = 0; i < 5; i++) products[i] = (struct products){(f32x8){0} + 1, {0}};
  while (end - row >= 24) {
    // The product of twelve numbers of up to 2^9 and one of up to 2 fits into a float.
    for (int i = 0; i < 4 && end - row >= 24; i++, row += 24, above += 24)
      multiply_block(products, row, above, step);
    for (int i = 0; i < 5; i++) separate(&products[i]);
  }
  for (; row < end; row += step, above += step)
    multiply_pixel(fractions, row, above, step, false);
  for (int i = 0; i < 5; i++) {
    for (int lane = 0; lane < 8; lane++) fractions[i] *= products[i].fractions[lane];
    results[i].fraction = fractions[i];
    results[i].exponent = __builtin_reduce_add(products[i].exponents);
  }
}

void ROWS(carve_size_products)(
    const struct carve_channels *rows, struct carve_product products[5]) {
  if (rows->step == 3) multiply_row(rows, 3, products);
  else multiply_row(rows, 1, products);
}

/// Writes a residual with the sign in the lowest bit. Returns the size.
inlined uint16_t fold1(int16_t residual, uint8_t *high, uint8_t *low) {
  uint16_t size = (uint16_t)(residual < 0 ? -residual : residual);
  uint16_t folded = (uint16_t)(size << 1 | (residual < 0));
  *high = (uint8_t)(folded >> 8), *low = (uint8_t)folded;
  return size;
}

inlined u16x16 fold16(i16x16 residual, uint8_t *high, uint8_t *low) {
  u16x16 size = (u16x16)__builtin_elementwise_abs(residual);
  u16x16 folded = size << 1 | (u16x16)residual >> 15;
  u8x16 part = __builtin_convertvector(folded >> 8, u8x16);
  memcpy(high, &part, 16);
  part = __builtin_convertvector(folded & 255, u8x16);
  memcpy(low, &part, 16);
  return size;
}

/// The predictions of predictors 0, 2, 3 and 4.
inlined i16x16 predicted16(
    uint8_t predictor, const int16_t *row, const int16_t *above, size_t step) {
  switch (predictor) {
  case 0: return (i16x16){0};
  case 2: return load16(row - step);
  case 3: return load16(above);
  default: return mean16(load16(row - step), load16(above));
  }
}

inlined int16_t predicted1(
    uint8_t predictor, const int16_t *row, const int16_t *above, size_t step) {
  switch (predictor) {
  case 0: return 0;
  case 2: return row[-(ptrdiff_t)step];
  case 3: return above[0];
  default: {
    int16_t sum = (int16_t)(row[-(ptrdiff_t)step] + above[0] + 1);
    return (int16_t)(sum / 2);
  }
  }
}

inlined uint16_t fold_row(
    uint8_t predictor, const struct carve_channels *rows, uint8_t *high, uint8_t *low) {
  const int16_t *row = rows->row, *above = rows->above;
  size_t count = rows->count, step = rows->step, i = 0;
  uint16_t widest = 0;
  if (predictor == 4) {
    // The first pixel has no left neighbour.
    for (; i < step; i++) widest |= fold1((int16_t)(row[i] - above[i]), high + i, low + i);
  }
  if (i + 16 <= count) {
    u16x16 sizes = {0};
    while (i < count) {
      // The last vector may overlap the one before.
      if (i + 16 > count) i = count - 16;
      i16x16 residual = load16(row + i) - predicted16(predictor, row + i, above + i, step);
      sizes |= fold16(residual, high + i, low + i);
      i += 16;
    }
    widest |= __builtin_reduce_or(sizes);
  }
  for (; i < count; i++) {
    int16_t residual = (int16_t)(row[i] - predicted1(predictor, row + i, above + i, step));
    widest |= fold1(residual, high + i, low + i);
  }
  return widest;
}

/// Predictor 1: the left pixel if the corner pixel differs from it at least as much as from the
/// upper one.
inlined uint16_t fold_choice(
    const struct carve_channels *rows, ptrdiff_t step, uint8_t *high, uint8_t *low) {
  const int16_t *row = rows->row, *above = rows->above;
  ptrdiff_t count = (ptrdiff_t)rows->count;
  uint16_t widest = 0;
  for (ptrdiff_t i = 0; i < count; i += step) {
    int corner = above[i - step];
    bool is_left = i > 0 && abs(above[i] - corner) <= abs(row[i - step] - corner);
    const int16_t *neighbour = is_left ? row + i - step : above + i;
    for (ptrdiff_t k = 0; k < step; k++)
      widest |= fold1((int16_t)(row[i + k] - neighbour[k]), high + i + k, low + i + k);
  }
  return widest;
}

bool ROWS(carve_fold_residuals)(
    const struct carve_channels *rows, uint8_t predictor, uint8_t *high, uint8_t *low) {
  uint16_t widest;
  switch (predictor) {
  case 0: widest = fold_row(0, rows, high, low); break;
  case 1:
    widest = rows->step == 3 ? fold_choice(rows, 3, high, low) : fold_choice(rows, 1, high, low);
    break;
  case 2: widest = fold_row(2, rows, high, low); break;
  case 3: widest = fold_row(3, rows, high, low); break;
  default: widest = fold_row(4, rows, high, low);
  }
  return widest < 1 << 15;
}
