// Calls libdeflate. Each function allocates what it needs and frees it again.
#include "deflate.h"

#include <libdeflate.h>
#include <stdlib.h>

bool carve_inflate(const void *source, size_t count, bool raw, void *target, size_t size) {
  struct libdeflate_decompressor *inflater = libdeflate_alloc_decompressor();
  if (!inflater) return false;
  enum libdeflate_result result =
      raw ? libdeflate_deflate_decompress(inflater, source, count, target, size, NULL)
          : libdeflate_zlib_decompress(inflater, source, count, target, size, NULL);
  libdeflate_free_decompressor(inflater);
  return result == LIBDEFLATE_SUCCESS;
}

size_t carve_inflate_some(const void *source, size_t count, void *target, size_t capacity) {
  struct libdeflate_decompressor *inflater = libdeflate_alloc_decompressor();
  if (!inflater) return 0;
  size_t size = 0;
  enum libdeflate_result result =
      libdeflate_zlib_decompress(inflater, source, count, target, capacity, &size);
  libdeflate_free_decompressor(inflater);
  return result == LIBDEFLATE_SUCCESS ? size : 0;
}

size_t carve_deflate_bound(size_t count) { return libdeflate_zlib_compress_bound(NULL, count); }

size_t carve_deflate(const void *source, size_t count, int level, void *target, size_t capacity) {
  struct libdeflate_compressor *deflater = libdeflate_alloc_compressor(level);
  if (!deflater) return 0;
  size_t size = libdeflate_zlib_compress(deflater, source, count, target, capacity);
  libdeflate_free_compressor(deflater);
  return size;
}

uint32_t carve_crc32(uint32_t start, const void *bytes, size_t count) {
  return libdeflate_crc32(start, bytes, count);
}

size_t carve_deflated_size(const void *source, size_t count) {
  // In pieces, so that memory does not grow with the file.
  enum { piece = 1 << 20 };
  struct libdeflate_compressor *deflater = libdeflate_alloc_compressor(6);
  if (!deflater) return 0;
  size_t room = libdeflate_deflate_compress_bound(deflater, piece);
  void *target = malloc(room);
  size_t sum = 0;
  for (size_t done = 0; target && done < count; done += piece) {
    size_t length = count - done < piece ? count - done : piece;
    sum += libdeflate_deflate_compress(
        deflater, (const char *)source + done, length, target, room);
  }
  free(target);
  libdeflate_free_compressor(deflater);
  return sum;
}
