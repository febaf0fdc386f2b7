// libdeflate behind a few functions, which are faster than Carve's own if the bytes of the stream
// do not matter. The callers provide the buffers.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Inflates a zlib stream, or a raw one, whose result has exactly `size` bytes.
bool carve_inflate(const void *source, size_t count, bool raw, void *target, size_t size);

/// Inflates a zlib stream whose result has at most `capacity` bytes. Returns 0 if the stream is
/// damaged or its result is longer.
size_t carve_inflate_some(const void *source, size_t count, void *target, size_t capacity);

/// Deflates into a zlib stream. Returns 0 if `capacity` (see the bound) or memory is too small.
size_t carve_deflate(const void *source, size_t count, int level, void *target, size_t capacity);
size_t carve_deflate_bound(size_t count);

uint32_t carve_crc32(uint32_t start, const void *bytes, size_t count);

/// Returns the size of `count` bytes in a compressed app; 0 if memory is too small.
size_t carve_deflated_size(const void *source, size_t count);
