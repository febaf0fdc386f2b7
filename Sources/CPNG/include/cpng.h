// libpng behind one function, which catches every longjmp of the library. The callers decide which
// chunks and sizes are allowed and which path decodes a file, and provide buffers that are large
// enough.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The message of libpng when it gave up, and how far it had read.
struct carve_png_failure {
  size_t offset;
  char words[96];
};

/// Reads a whole PNG of `width` × `height` pixels, up to and including IEND, as RGBA rows without
/// gaps: a byte for each channel, or with `wide` 16 bits in the byte order of the machine. It
/// converts no colours. If it returns false, the reason is in `failure`.
bool carve_png_read(
    const void *file, size_t count, uint32_t width, uint32_t height, bool wide, void *pixels,
    struct carve_png_failure *failure);
