// The five filters of PNG, undone in place.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// `row` and `prior` hold `count` bytes; 16 bytes after them must be readable. `step` is the number
/// of bytes of a pixel, 1 to 4. False if `filter` has no meaning.
bool carve_unfilter(int filter, uint8_t *row, const uint8_t *prior, size_t count, size_t step);
