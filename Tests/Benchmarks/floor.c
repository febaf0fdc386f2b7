// The minimal work of every compiler: reading every PNG below a folder, and decoding it with
// libpng's classic interface. If the C library of LZFSE is compiled in (REFERENCE), `compress` also
// premultiplies the pixels, compresses them and writes them to the standard output: the fastest
// open compilers of catalogues do this with every picture. usage: floor read|decode|compress FOLDER
//
// In addition, a starter of commands that itself takes little memory, because the memory of a
// process includes that of its parent: floor run COMMAND prints the wall-clock time and the
// processor time in seconds, and the peak memory in KB.
#define _GNU_SOURCE
#include <ftw.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef REFERENCE
#include "lzfse.h"
#endif

static int decodes, compresses;

// Memory that is used again for the next picture.
struct buffer {
  unsigned char *bytes;
  size_t capacity;
};

static void *room(struct buffer *buffer, size_t size) {
  if (size > buffer->capacity) {
    free(buffer->bytes);
    buffer->bytes = malloc(buffer->capacity = size);
  }
  return buffer->bytes;
}

static struct buffer contents, scratch, stream;

#ifdef REFERENCE
static void premultiply(unsigned char *pixels, size_t count) {
  for (size_t i = 0; i < count; i += 4) {
    unsigned alpha = pixels[i + 3];
    if (alpha == 255) continue;
    for (size_t channel = i; channel < i + 3; channel++) {
      unsigned product = pixels[channel] * alpha + 128;
      pixels[channel] = (product + (product >> 8)) >> 8;
    }
  }
}

static int compress(unsigned char *pixels, size_t count) {
  premultiply(pixels, count);
  size_t limit = count + 4096;
  size_t length = lzfse_encode_buffer(room(&stream, limit), limit, pixels, count,
                                      room(&scratch, lzfse_encode_scratch_size()));
  return length == 0 || fwrite(stream.bytes, 1, length, stdout) != length;
}
#else
static int compress(unsigned char *pixels, size_t count) {
  (void)pixels, (void)count, (void)scratch, (void)stream;
  return 1;
}
#endif

static int decode(FILE *file) {
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct(png);
  if (setjmp(png_jmpbuf(png))) return 1;
  png_init_io(png, file);
  png_read_info(png, info);
  png_set_expand(png);
  png_set_gray_to_rgb(png);
  png_set_filler(png, 255, PNG_FILLER_AFTER);
  png_set_bgr(png);
  png_read_update_info(png, info);
  size_t height = png_get_image_height(png, info), row = png_get_rowbytes(png, info);
  unsigned char *pixels = room(&contents, height * row);
  for (size_t y = 0; y < height; y++) png_read_row(png, pixels + y * row, NULL);
  png_read_end(png, NULL);
  png_destroy_read_struct(&png, &info, NULL);
  return compresses && compress(pixels, height * row);
}

static int visit(const char *path, const struct stat *status, int kind, struct FTW *place) {
  (void)place;
  size_t length = strlen(path);
  if (kind != FTW_F || length < 4 || strcmp(path + length - 4, ".png") != 0) return 0;
  FILE *file = fopen(path, "rb");
  if (!file) return 1;
  int failed = decodes ? decode(file)
                       : fread(room(&contents, status->st_size), 1, status->st_size, file) != (size_t)status->st_size;
  fclose(file);
  return failed;
}

static double seconds(struct timeval time) { return time.tv_sec + time.tv_usec / 1e6; }

static int run(const char *command) {
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  pid_t process = fork();
  if (process == 0) {
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(127);
    execl("/bin/sh", "sh", "-c", command, NULL);
    _exit(127);
  }
  int status;
  struct rusage usage;
  if (process < 0 || wait4(process, &status, 0, &usage) < 0) return 1;
  clock_gettime(CLOCK_MONOTONIC, &end);
  printf("%f %f %ld\n", end.tv_sec - start.tv_sec + (end.tv_nsec - start.tv_nsec) / 1e9,
         seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss);
  return status != 0;
}

int main(int count, char **words) {
  if (count != 3) return 2;
  if (strcmp(words[1], "run") == 0) return run(words[2]);
  compresses = strcmp(words[1], "compress") == 0;
  decodes = compresses || strcmp(words[1], "decode") == 0;
  return nftw(words[2], visit, 16, FTW_PHYS);
}
