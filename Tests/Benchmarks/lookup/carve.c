// Compares the run time with a minimal lookup on this machine, for the same names in the same
// order. The minimal lookup does only the necessary steps: hash, probe, compare, and one winner
// that was decided before. It reads no file and returns a number.
#include <carve.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"

typedef struct {
  bench_names names;
  const char *path;
  carve_catalog *catalog;
  carve_view *view;
  // The id of each lookup: in an app an id is a constant in the code.
  uint64_t *ids;
  carve_traits traits, other;
  // The data of the minimal lookup: its own copy of the names, and a record of a cache line for
  // each rendition.
  uint32_t mask, *cells, *tags, *winners, *starts;
  char *pool;
  struct { uint32_t words[16]; } *records;
} bench;

static uint32_t floor_hash(const char *name, size_t length) {
  uint64_t hash = length;
  while (length >= 8) {
    uint64_t word;
    memcpy(&word, name, 8);
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
    name += 8;
    length -= 8;
  }
  while (length--) hash = (hash ^ (unsigned char)*name++) * 0x9E3779B97F4A7C15u;
  return (uint32_t)(hash >> 16);
}

NOINLINE uint64_t floor_name(void *data) {
  bench *b = data;
  uint64_t sum = 0;
  for (size_t i = 0; i < b->names.lookups; i++) {
    const char *name = b->names.names[b->names.order[i]];
    size_t length = b->names.lengths[b->names.order[i]];
    uint32_t hash = floor_hash(name, length), cell = hash & b->mask;
    while (b->tags[cell] != hash || b->names.lengths[b->cells[cell]] != length ||
           memcmp(b->pool + b->starts[b->cells[cell]], name, length) != 0)
      cell = (cell + 1) & b->mask;
    sum += b->winners[b->cells[cell]];
  }
  return sum;
}

NOINLINE uint64_t floor_name_facts(void *data) {
  bench *b = data;
  uint64_t sum = 0;
  for (size_t i = 0; i < b->names.lookups; i++) {
    const char *name = b->names.names[b->names.order[i]];
    size_t length = b->names.lengths[b->names.order[i]];
    uint32_t hash = floor_hash(name, length), cell = hash & b->mask;
    while (b->tags[cell] != hash || b->names.lengths[b->cells[cell]] != length ||
           memcmp(b->pool + b->starts[b->cells[cell]], name, length) != 0)
      cell = (cell + 1) & b->mask;
    __typeof__(*b->records) found = b->records[b->winners[b->cells[cell]]];
    __asm__ volatile("" : : "r"(&found) : "memory");
    sum += found.words[0];
  }
  return sum;
}

NOINLINE uint64_t floor_id(void *data) {
  bench *b = data;
  uint64_t sum = 0;
  for (size_t i = 0; i < b->names.lookups; i++) {
    sum += b->winners[b->names.order[i]];
    // Lookups run one after the other, as in an app; not eight at once.
    __asm__ volatile("" : "+r"(sum));
  }
  return sum;
}

static void floor_build(bench *b) {
  b->mask = 1;
  while (b->mask < 2 * b->names.count) b->mask *= 2;
  b->cells = calloc(b->mask, sizeof *b->cells);
  b->tags = calloc(b->mask, sizeof *b->tags);
  b->winners = calloc(b->names.count, sizeof *b->winners);
  b->mask--;
  // Memory that was never written is one page of zeros, however many records it has.
  b->records = malloc(b->names.count * 4 * sizeof *b->records);
  memset(b->records, 1, b->names.count * 4 * sizeof *b->records);
  b->starts = calloc(b->names.count, sizeof *b->starts);
  size_t total = 0;
  for (uint32_t i = 0; i < b->names.count; i++) total += b->names.lengths[i];
  b->pool = malloc(total);
  total = 0;
  for (uint32_t i = 0; i < b->names.count; i++) {
    uint32_t hash = floor_hash(b->names.names[i], b->names.lengths[i]), cell = hash & b->mask;
    while (b->tags[cell]) cell = (cell + 1) & b->mask;
    b->tags[cell] = hash;
    b->cells[cell] = i;
    b->winners[i] = i * 4;
    b->starts[i] = (uint32_t)total;
    memcpy(b->pool + total, b->names.names[i], b->names.lengths[i]);
    total += b->names.lengths[i];
  }
}

NOINLINE uint64_t floor_open(void *data) {
  bench *b = data;
  uint64_t sum = 0;
  for (int i = 0; i < 100; i++) {
    struct stat status;
    int descriptor = open(b->path, O_RDONLY);
    fstat(descriptor, &status);
    const char *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, descriptor, 0);
    sum += (unsigned char)bytes[0];
    munmap((void *)bytes, (size_t)status.st_size);
    close(descriptor);
  }
  return sum;
}

NOINLINE uint64_t carve_by_name(void *data) {
  bench *b = data;
  uint64_t sum = 0;
  carve_rendition found = {.size = sizeof found};
  for (size_t i = 0; i < b->names.lookups; i++) {
    uint32_t asked = b->names.order[i];
    carve_find(b->view, b->names.names[asked], b->names.lengths[asked], CARVE_COLOR, &found);
    sum += found.number;
  }
  return sum;
}

NOINLINE uint64_t carve_by_id(void *data) {
  bench *b = data;
  uint64_t sum = 0;
  for (size_t i = 0; i < b->names.lookups; i++)
    sum += carve_choice(b->view, b->ids[i]);
  return sum;
}

NOINLINE uint64_t carve_facts_by_id(void *data) {
  bench *b = data;
  uint64_t sum = 0;
  carve_rendition found = {.size = sizeof found};
  for (size_t i = 0; i < b->names.lookups; i++) {
    carve_find_id(b->view, b->ids[i], &found);
    sum += found.number;
  }
  return sum;
}

NOINLINE uint64_t carve_opening(void *data) {
  bench *b = data;
  for (int i = 0; i < 100; i++) {
    carve_catalog *catalog = NULL;
    carve_open(b->path, &catalog, NULL);
    carve_close(catalog);
  }
  return 0;
}

// Each environment is new until the cache of views is full; from then on each is decided again.
NOINLINE uint64_t carve_new_views(void *data) {
  bench *b = data;
  static uint16_t subtype = 1;
  for (int i = 0; i < 1000; i++) {
    carve_traits traits = b->traits;
    carve_view *view;
    traits.subtype = ++subtype;
    carve_view_for(b->catalog, &traits, &view, NULL);
    carve_view_close(view);
  }
  return 0;
}

NOINLINE uint64_t carve_flips(void *data) {
  bench *b = data;
  for (int i = 0; i < 1000; i++) {
    carve_view *view;
    carve_view_for(b->catalog, i & 1 ? &b->traits : &b->other, &view, NULL);
    carve_view_close(view);
  }
  return 0;
}

// Returns the kilobytes of the mapped file that this process has touched, including those that the
// system loads around them.
static long resident(const char *path) {
  const char *name = strrchr(path, '/');
  FILE *maps = fopen("/proc/self/smaps", "r");
  char line[4096];
  long total = 0, pages;
  unsigned long start, end;
  int inside = 0;
  while (maps && fgets(line, sizeof line, maps)) {
    if (sscanf(line, "%lx-%lx ", &start, &end) == 2)
      inside = strstr(line, name ? name : path) != NULL;
    if (inside && sscanf(line, "Rss: %ld", &pages) == 1) total += pages;
  }
  if (maps) fclose(maps);
  return total;
}

static void must_find(bench *b, size_t asked) {
  const char *name = b->names.names[asked];
  size_t length = b->names.lengths[asked];
  carve_rendition found = {.size = sizeof found};
  uint64_t id = carve_id(b->catalog, name, length, CARVE_COLOR);
  // The results must be right before they are fast: every name exists, and both ways find the same
  // rendition.
  if (id && !carve_find(b->view, name, length, CARVE_COLOR, &found) &&
      found.number == carve_choice(b->view, id))
    return;
  fprintf(stderr, "%s is not found\n", name);
  exit(1);
}

static void measure_memory(bench *b) {
  struct stat status;
  if (stat(b->path, &status) == 0) printf("file-kilobytes %ld\n", (long)status.st_size / 1024);
  printf("open-kilobytes %ld\n", resident(b->path));
  must_find(b, b->names.order[0]);
  printf("one-kilobytes %ld\n", resident(b->path));
  for (size_t i = 0; i < b->names.count; i++) must_find(b, i);
  printf("all-kilobytes %ld\n", resident(b->path));
}

int main(int argc, char **argv) {
  bench b = {0};
  if (argc < 4) return 2;
  b.path = argv[1];
  b.names = bench_read(argv[2], (size_t)atol(argv[3]));
  floor_build(&b);
  carve_error error;
  if (carve_open(b.path, &b.catalog, &error)) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  carve_traits_init(&b.traits, sizeof b.traits);
  b.traits.scale = 2;
  b.other = b.traits;
  b.other.style = CARVE_STYLE_DARK;
  carve_view_for(b.catalog, &b.other, &b.view, NULL);
  carve_view_close(b.view);
  carve_view_for(b.catalog, &b.traits, &b.view, NULL);
  printf("index %d\n", carve_uses_index(b.catalog));
  measure_memory(&b);
  b.ids = calloc(b.names.lookups, sizeof *b.ids);
  for (size_t i = 0; i < b.names.lookups; i++) {
    uint32_t asked = b.names.order[i];
    b.ids[i] = carve_id_of_name(b.names.names[asked], b.names.lengths[asked], CARVE_COLOR);
  }
  bench_run("floor-name", b.names.lookups, floor_name, &b);
  bench_run("floor-facts", b.names.lookups, floor_name_facts, &b);
  bench_run("carve-name", b.names.lookups, carve_by_name, &b);
  bench_run("floor-id", b.names.lookups, floor_id, &b);
  bench_run("carve-id", b.names.lookups, carve_by_id, &b);
  bench_run("carve-id-facts", b.names.lookups, carve_facts_by_id, &b);
  bench_run("floor-open", 100, floor_open, &b);
  bench_run("carve-open", 100, carve_opening, &b);
  bench_run("carve-flip", 1000, carve_flips, &b);
  bench_run("carve-view", 1000, carve_new_views, &b);
  carve_view_close(b.view);
  carve_close(b.catalog);
  return 0;
}
