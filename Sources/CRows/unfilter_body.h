// Undoes the five filters of PNG in place, with clang's portable vectors: one source for SSE2, NEON
// and machines without either. Sub is a prefix sum, so its vectors hold many pixels. Average and
// Paeth depend on the previous pixel, so their vectors hold one pixel, its channels side by side.
// rows_body.h includes this file and is compiled once for each kind of processor.
#pragma once

// MARK: Sub

#define UP(n) 16 - n, 17 - n, 18 - n, 19 - n, 20 - n, 21 - n, 22 - n, 23 - n, 24 - n, 25 - n, \
              26 - n, 27 - n, 28 - n, 29 - n, 30 - n, 31 - n
#define DOWN(n) n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8, n + 9, n + 10, n + 11, \
                n + 12, n + 13, n + 14, n + 15
/// The bytes of `v` moved up by n places, zeros below.
#define shifted_up(v, n) __builtin_shufflevector((u8x16){0}, v, UP(n))
/// The bytes of `v` moved down by n places, zeros above.
#define shifted_down(v, n) __builtin_shufflevector(v, (u8x16){0}, DOWN(n))

// The sum of the previous pixels enters as a summand of the first pixel and leaves as the last
// pixel. `stored` bytes of each vector are used: all 16, but 12 for pixels of three bytes.
#define SUB(step, stored, SUMS)                                                        \
  static size_t sub##step(uint8_t *row, size_t count) {                                \
    u8x16 sum = {0};                                                                   \
    size_t i = 0;                                                                      \
    for (; i + stored <= count; i += stored) {                                         \
      u8x16 v;                                                                         \
      memcpy(&v, row + i, 16);                                                         \
      v += sum;                                                                        \
      SUMS memcpy(row + i, &v, stored);                                                \
      sum = shifted_down(v, (stored - step)) & first##step;                            \
    }                                                                                  \
    return i;                                                                          \
  }

static const u8x16 first1 = {255}, first2 = {255, 255}, first3 = {255, 255, 255},
                   first4 = {255, 255, 255, 255};

SUB(1, 16, v += shifted_up(v, 1); v += shifted_up(v, 2); v += shifted_up(v, 4);
    v += shifted_up(v, 8);)
SUB(2, 16, v += shifted_up(v, 2); v += shifted_up(v, 4); v += shifted_up(v, 8);)
SUB(3, 12, v += shifted_up(v, 3); v += shifted_up(v, 6);)
SUB(4, 16, v += shifted_up(v, 4); v += shifted_up(v, 8);)

static void sub(uint8_t *row, size_t count, size_t step) {
  size_t done = 0;
  switch (step) {
    case 1: done = sub1(row, count); break;
    case 2: done = sub2(row, count); break;
    case 3: done = sub3(row, count); break;
    case 4: done = sub4(row, count); break;
  }
  for (size_t i = done < step ? step : done; i < count; i++) row[i] += row[i - step];
}

// MARK: Up

static void up(uint8_t *restrict row, const uint8_t *restrict prior, size_t count) {
  for (size_t i = 0; i < count; i++) row[i] += prior[i];
}

// MARK: Average and Paeth

// Loads one pixel into the low lanes. It always reads eight bytes; the lanes after the pixel are
// not stored. Pixels of three bytes are stored as four bytes: the fourth byte belongs to the next
// pixel, which was read before and is written afterwards.
inlined u8x8 load_pixel(const uint8_t *from) {
  u8x8 v;
  memcpy(&v, from, 8);
  return v;
}

inlined void store_pixel(uint8_t *to, u8x8 v, bool is_last, size_t step) {
  if (step == 3 && !is_last) {
    memcpy(to, &v, 4);
  } else {
    memcpy(to, &v, step);
  }
}

inlined i16x8 widened(u8x8 v) { return __builtin_convertvector(v, i16x8); }

/// Returns the mean, rounded up. Most processors have an instruction for it.
inlined u8x8 mean(u8x8 a, u8x8 b) {
  u16x8 sum = __builtin_convertvector(a, u16x8) + __builtin_convertvector(b, u16x8) + 1;
  return __builtin_convertvector(sum >> 1, u8x8);
}

// Uses complements, because their mean rounded up is the complement of the mean rounded down.
inlined void average(uint8_t *row, const uint8_t *prior, size_t count, size_t step) {
  u8x8 left = ~(u8x8){0}, raw = load_pixel(row);
// The work on a pixel is so small that counting pixels would be a third of it.
#pragma clang loop unroll_count(4)
  for (size_t i = 0; i < count; i += step) {
    u8x8 above = ~load_pixel(prior + i), next = load_pixel(row + i + step);
    left = mean(left, above) - raw;
    store_pixel(row + i, ~left, i + step == count, step);
    raw = next;
  }
}

inlined i16x8 smaller(i16x8 a, i16x8 b) { return __builtin_elementwise_min(a, b); }
inlined i16x8 larger(i16x8 a, i16x8 b) { return __builtin_elementwise_max(a, b); }
inlined i16x8 chosen(i16x8 mask, i16x8 yes, i16x8 no) { return (mask & yes) | (~mask & no); }

// Adds the neighbour nearest to left + above - corner. The place of 3 corner - left - above
// decides: it is the smaller of left and above if the place is at least the larger one, the larger
// one if the place is at most the smaller one, and otherwise the corner. The sum is computed in
// bytes, so that it wraps and the upper halves stay zero.
inlined i16x8 predicted(i16x8 left, i16x8 above, i16x8 corner, i16x8 raw) {
  i16x8 place = corner + corner + corner - above - left;
  i16x8 low = smaller(left, above), high = larger(left, above);
  i16x8 nearest = chosen(high > place, corner, low);
  nearest = chosen(place > low, nearest, high);
  return (i16x8)((u8x16)nearest + (u8x16)raw);
}

inlined void store_wide(uint8_t *to, i16x8 v, bool is_last, size_t step) {
  store_pixel(to, __builtin_convertvector(v, u8x8), is_last, step);
}

inlined void paeth(uint8_t *row, const uint8_t *prior, size_t count, size_t step) {
  i16x8 left = {0}, corner = {0}, raw = widened(load_pixel(row));
  for (size_t i = 0; i < count; i += step) {
    i16x8 above = widened(load_pixel(prior + i)), next = widened(load_pixel(row + i + step));
    left = predicted(left, above, corner, raw);
    store_wide(row + i, left, i + step == count, step);
    corner = above;
    raw = next;
  }
}

// Undoes two rows at once, the lower one a pixel behind. Each row waits only for its own last
// pixel, so the processor works on both at the same time.
inlined void paeth_pair(
    uint8_t *row, uint8_t *lower, const uint8_t *prior, size_t count, size_t step) {
  i16x8 left = {0}, corner = {0}, raw = widened(load_pixel(row));
  i16x8 lower_left = {0}, lower_corner = {0}, lower_raw = widened(load_pixel(lower));
  for (size_t i = 0; i < count; i += step) {
    i16x8 above = widened(load_pixel(prior + i)), next = widened(load_pixel(row + i + step));
    i16x8 pixel = predicted(left, above, corner, raw);
    store_wide(row + i, pixel, i + step == count, step);
    if (i > 0) {
      i16x8 lower_next = widened(load_pixel(lower + i));
      lower_left = predicted(lower_left, left, lower_corner, lower_raw);
      store_wide(lower + i - step, lower_left, false, step);
      lower_corner = left;
      lower_raw = lower_next;
    }
    corner = above;
    left = pixel;
    raw = next;
  }
  lower_left = predicted(lower_left, left, lower_corner, lower_raw);
  store_wide(lower + count - step, lower_left, true, step);
}

/// Undoes two rows if both use Paeth. Otherwise changes nothing and returns false.
static bool unfilter_pair(uint8_t *row, const uint8_t *prior, size_t count, size_t step) {
  uint8_t *lower = row + count + 1;
  if (row[0] != 4 || lower[0] != 4) return false;
  switch (step) {
    case 3: paeth_pair(row + 1, lower + 1, prior, count, 3); return true;
    case 4: paeth_pair(row + 1, lower + 1, prior, count, 4); return true;
    default: return false;
  }
}

/// Undoes the filter of one row. `row` and `prior` have `count` bytes; 16 bytes after them must be
/// readable. `step` is the number of bytes of a pixel, 1 to 4. Returns false if `filter` is
/// undefined.
static bool unfilter(int filter, uint8_t *row, const uint8_t *prior, size_t count, size_t step) {
  switch (filter << 3 | (int)step) {
    case 3 << 3 | 1: average(row, prior, count, 1); return true;
    case 3 << 3 | 2: average(row, prior, count, 2); return true;
    case 3 << 3 | 3: average(row, prior, count, 3); return true;
    case 3 << 3 | 4: average(row, prior, count, 4); return true;
    case 4 << 3 | 1: paeth(row, prior, count, 1); return true;
    case 4 << 3 | 2: paeth(row, prior, count, 2); return true;
    case 4 << 3 | 3: paeth(row, prior, count, 3); return true;
    case 4 << 3 | 4: paeth(row, prior, count, 4); return true;
  }
  switch (filter) {
    case 0: return true;
    case 1: sub(row, count, step); return true;
    case 2: up(row, prior, count); return true;
    default: return false;
  }
}
