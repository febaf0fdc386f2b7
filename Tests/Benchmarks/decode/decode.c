// Compares decoding with the library with the codec alone on the same bytes, in turns.
//
//     decode ARCHIVE ASSET FILE LAYOUT SPACE [WIDTH HEIGHT]
//     decode count ARCHIVE ...
//
// The first form prints nanoseconds of processor time for the codec alone, the library, the library
// with a decoder that is kept, and the C decoder of LZFSE (0 unless REFERENCE is defined), and the
// allocations of a call without and with a decoder. The second form calls each function 20 times,
// for callgrind. FILE is the beginning of the name of the picture's file, or of its atlas for a
// picture in an atlas. With a size the library draws instead of decoding.
#include <carve.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "../../CInterface/allocations.h"
#include "../lookup/bench.h"
#ifdef REFERENCE
#include "lzfse.h"
#endif

const void *codec_find(const void *file, size_t size, const char *name, size_t *length,
                       uint32_t facts[4]);
ptrdiff_t codec_decode(uint32_t compression, const void *source, size_t count, void *target,
                       size_t room);
ptrdiff_t codec_decode_runs(const void *source, size_t count, void *target, uint32_t pixel,
                            uint32_t width, uint32_t height, uint32_t stride);
ptrdiff_t codec_decode_map(const void *source, size_t count, void *target, uint32_t pixel,
                           uint32_t width, uint32_t height, uint32_t stride);

enum { RUN_LENGTH = 1, LZFSE = 4, DEEPMAP2 = 11, MOST_CHUNKS = 64 };
typedef struct {
  const char *source;
  size_t count, start, room;
  uint32_t rows;
} chunk;

typedef struct {
  carve_catalog *catalog;
  carve_decoder *decoder;
  carve_rendition found;
  int layout, space;
  // The size for drawing; 0 for decoding.
  uint32_t width, height;
  size_t size, stride;
  char *pixels;
  // The following fields are for the codec alone.
  uint32_t facts[4], pixel;
  int chunk_count;
  chunk chunks[MOST_CHUNKS];
  char *room;
  void *scratch;
} bench;

static void check(int condition, const char *what) {
  if (condition) return;
  fprintf(stderr, "%s\n", what);
  exit(1);
}

NOINLINE void codec_alone(bench *b) {
  ptrdiff_t written = 0;
  if (b->facts[3] == DEEPMAP2) {
    chunk *whole = &b->chunks[0];
    written = codec_decode_map(whole->source, whole->count, b->room, b->pixel, b->facts[0],
                               b->facts[1], b->facts[2]);
    check(written == (ptrdiff_t)whole->room, "the codec does not decode");
    return;
  }
  for (int i = 0; i < b->chunk_count; i++) {
    chunk *c = &b->chunks[i];
    written = b->facts[3] == RUN_LENGTH
                  ? codec_decode_runs(c->source, c->count, b->room + c->start, b->pixel, b->facts[0],
                                      c->rows, b->facts[2])
                  : codec_decode(b->facts[3], c->source, c->count, b->room + c->start, c->room);
    check(written == (ptrdiff_t)c->room, "the codec does not decode");
  }
}

NOINLINE void carve_alone(bench *b) {
  int32_t status =
      b->width ? carve_draw_sliced(b->catalog, &b->found, b->layout, b->space, b->width, b->height,
                                   b->pixels, b->size, b->stride, NULL, NULL)
               : carve_decode(b->catalog, &b->found, b->layout, b->space, b->pixels, b->size,
                              b->stride, NULL, NULL);
  check(status == CARVE_OK, carve_status_text(status));
}

NOINLINE void carve_kept(bench *b) {
  int32_t status =
      b->width ? carve_decoder_draw_sliced(b->decoder, &b->found, b->layout, b->space, b->width,
                                           b->height, b->pixels, b->size, b->stride, NULL, NULL)
               : carve_decoder_decode(b->decoder, &b->found, b->layout, b->space, b->pixels,
                                      b->size, b->stride, NULL, NULL);
  check(status == CARVE_OK, carve_status_text(status));
}

NOINLINE void reference_alone(bench *b) {
#ifdef REFERENCE
  for (int i = 0; i < b->chunk_count; i++) {
    chunk *c = &b->chunks[i];
    // The function reports a full buffer as too small, so it gets one byte more.
    size_t written = lzfse_decode_buffer((uint8_t *)b->room + c->start, c->room + 1,
                                         (const uint8_t *)c->source, c->count, b->scratch);
    check(written == c->room, "the reference does not decode");
  }
#else
  (void)b;
#endif
}

static uint32_t word(const char *bytes) {
  uint32_t value;
  memcpy(&value, bytes, 4);
  return value;
}

static void cut(bench *b, const char *payload, size_t length) {
  uint32_t rows = b->facts[1], row = b->facts[2];
  if (b->facts[3] == DEEPMAP2) {
    b->chunks[b->chunk_count++] = (chunk){payload, length, 0, (size_t)rows * row, rows};
    return;
  }
  if (!(word(payload + 4) & 1)) {
    b->chunks[b->chunk_count++] = (chunk){payload + 16, length - 16, 0, (size_t)rows * row, rows};
    return;
  }
  size_t offset = 16, start = 0;
  for (uint32_t left = word(payload + 12); left; left--) {
    check(b->chunk_count < MOST_CHUNKS, "too many chunks");
    uint32_t count = word(payload + offset + 12), bytes = word(payload + offset + 16);
    b->chunks[b->chunk_count++] =
        (chunk){payload + offset + 20, bytes, start, (size_t)count * row, count};
    offset += 20 + bytes;
    start += (size_t)count * row;
  }
}

static void find(bench *b, char **arguments) {
  int descriptor = open(arguments[0], O_RDONLY);
  struct stat status;
  check(descriptor >= 0 && fstat(descriptor, &status) == 0, "no archive");
  const char *file = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, descriptor, 0);
  size_t length;
  const char *payload = codec_find(file, (size_t)status.st_size, arguments[2], &length, b->facts);
  check(payload != NULL, "no such file in the archive");
  b->pixel = b->facts[2] / b->facts[0];
  cut(b, payload, length);
  b->room = malloc((size_t)b->facts[1] * b->facts[2] + 64);
  b->scratch = malloc(1 << 20);

  carve_traits traits;
  carve_view *view;
  carve_error error;
  carve_traits_init(&traits, sizeof traits);
  traits.gamut = CARVE_GAMUT_P3;
  check(carve_open(arguments[0], &b->catalog, &error) == CARVE_OK, "carve_open fails");
  check(carve_view_for(b->catalog, &traits, &view, &error) == CARVE_OK, "carve_view_for fails");
  b->found.size = sizeof b->found;
  check(carve_find(view, arguments[1], strlen(arguments[1]), CARVE_IMAGE, &b->found) == CARVE_OK,
        "no such asset");
  carve_view_close(view);
  carve_decoder_create(b->catalog, &b->decoder, &error);
  b->layout = atoi(arguments[3]);
  b->space = atoi(arguments[4]);
  if (arguments[5] && arguments[6]) {
    b->width = (uint32_t)atol(arguments[5]);
    b->height = (uint32_t)atol(arguments[6]);
  }
  b->stride = (b->width ? b->width : b->found.pixel_width) * carve_pixel_size(b->layout);
  b->size = b->stride * (b->width ? b->height : b->found.pixel_height);
  b->pixels = malloc(b->size);
}

typedef void work(bench *);
static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double once(work *body, bench *b, int times) {
  double start = now();
  for (int i = 0; i < times; i++) body(b);
  return (now() - start) / times;
}

int main(int argc, char **argv) {
  static bench b;
  int counting = argc > 1 && !strcmp(argv[1], "count");
  check(argc >= 6 + counting, "decode [count] ARCHIVE ASSET FILE LAYOUT SPACE [WIDTH HEIGHT]");
  find(&b, argv + 1 + counting);
  work *bodies[] = {codec_alone, carve_alone, carve_kept, reference_alone};
  enum { BODIES = sizeof bodies / sizeof *bodies };
  if (counting) {
    for (int i = 0; i < 20; i++)
      for (int body = 0; body < BODIES; body++)
        if (body != 3 || b.facts[3] == LZFSE) bodies[body](&b);
    return 0;
  }
  double times[BODIES][15] = {{0}};
  int repeats = 1 + (int)(1e6 / (once(codec_alone, &b, 1) + 1));
  for (int round = 0; round < 15; round++)
    for (int body = 0; body < BODIES; body++)
      if (body != 3 || b.facts[3] == LZFSE) times[body][round] = once(bodies[body], &b, repeats);
  for (int body = 0; body < BODIES; body++) {
    qsort(times[body], 15, sizeof **times, bench_compare);
    // The best of all rounds is printed: other work of the machine only adds time.
    printf("%.0f ", times[body][0]);
  }
  for (int body = 1; body < 3; body++) {
    allocation_count = 0;
    bodies[body](&b);
    printf("%zu ", allocation_count);
  }
  puts("");
  return 0;
}
