// Calls libpng's classic interface. The simplified interface cannot be used: it accepts files that
// are cut inside IEND, and it changes pixels if the file has a gAMA chunk.
#include "cpng.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

struct reader {
  const uint8_t *bytes;
  size_t count, offset;
  struct carve_png_failure *failure;
};

static void read_bytes(png_structp png, png_bytep target, size_t count) {
  struct reader *reader = png_get_io_ptr(png);
  if (reader->count - reader->offset < count) png_error(png, "the file ends too early");
  memcpy(target, reader->bytes + reader->offset, count);
  reader->offset += count;
}

static void fail(png_structp png, png_const_charp words) {
  struct reader *reader = png_get_error_ptr(png);
  reader->failure->offset = reader->offset;
  strncpy(reader->failure->words, words, sizeof reader->failure->words - 1);
  png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp words) { (void)png, (void)words; }

// All variables between setjmp and its return are in this function or in memory that outlives it.
static bool read_picture(
    png_structp png, png_infop info, uint32_t width, uint32_t height, bool wide, uint8_t *pixels,
    png_bytep *rows) {
  if (setjmp(png_jmpbuf(png))) return false;
  // The callers have their own limit and know the size already.
  png_set_user_limits(png, width, height);
  // Texts, profiles and all that changes no sample: libpng would decompress each of them.
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
  png_read_info(png, info);
  if (png_get_image_width(png, info) != width || png_get_image_height(png, info) != height)
    png_error(png, "the size changed");
  png_set_expand(png);
  png_set_gray_to_rgb(png);
  if (wide) {
    png_set_add_alpha(png, 0xffff, PNG_FILLER_AFTER);
    png_set_swap(png);
  } else {
    png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER);
  }
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  size_t stride = (size_t)width * (wide ? 8 : 4);
  if (png_get_rowbytes(png, info) != stride) png_error(png, "the depth is not the announced one");
  for (uint32_t y = 0; y < height; y++) rows[y] = pixels + y * stride;
  png_read_image(png, rows);
  png_read_end(png, NULL);
  return true;
}

bool carve_png_read(
    const void *file, size_t count, uint32_t width, uint32_t height, bool wide, void *pixels,
    struct carve_png_failure *failure) {
  memset(failure, 0, sizeof *failure);
  struct reader reader = {file, count, 0, failure};
  png_bytep *rows = malloc(sizeof *rows * height);
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reader, fail, ignore);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  bool done = false;
  if (rows && info) {
    png_set_read_fn(png, &reader, read_bytes);
    done = read_picture(png, info, width, height, wide, pixels, rows);
  } else {
    strncpy(failure->words, "out of memory", sizeof failure->words - 1);
  }
  png_destroy_read_struct(&png, &info, NULL);
  free(rows);
  return done;
}
