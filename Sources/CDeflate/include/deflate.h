// libdeflate behind a few functions: the quick way in and out of deflate where the bytes of the
// stream do not matter. Buffers are the callers'.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Inflates a zlib stream, or a raw one, that must give exactly `size` bytes.
bool carve_inflate(const void *source, size_t count, bool raw, void *target, size_t size);

/// Inflates a zlib stream that gives at most `capacity` bytes; 0 where it is damaged or gives more.
size_t carve_inflate_some(const void *source, size_t count, void *target, size_t capacity);

/// Deflates into a zlib stream. 0 where `capacity` (see the bound) is too small or memory is short.
size_t carve_deflate(const void *source, size_t count, int level, void *target, size_t capacity);
size_t carve_deflate_bound(size_t count);

uint32_t carve_crc32(uint32_t start, const void *bytes, size_t count);

/// How many bytes are left of `count` bytes in a compressed app; 0 where memory is short.
size_t carve_deflated_size(const void *source, size_t count);
