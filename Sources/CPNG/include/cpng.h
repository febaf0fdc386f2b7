// libpng behind one function, in which every longjmp of it ends. Which chunks a file has, which sizes are
// allowed and which path decodes it is decided by the callers, who give buffers that are large enough.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The version of the libpng that is linked, e.g. 10639.
uint32_t carve_png_version(void);

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
