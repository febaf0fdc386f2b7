// The common part of the programs of this folder: names in random order, the median of seven
// rounds.
#pragma once
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NOINLINE __attribute__((noinline))
enum { ROUNDS = 7 };

typedef struct {
  size_t count, lookups;
  char **names;
  size_t *lengths;
  // The name of each lookup.
  uint32_t *order;
} bench_names;

static inline uint64_t bench_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static inline bench_names bench_read(const char *path, size_t lookups) {
  bench_names names;
  memset(&names, 0, sizeof names);
  names.lookups = lookups;
  FILE *file = fopen(path, "r");
  char line[512];
  size_t room = 0;
  while (file && fgets(line, sizeof line, file)) {
    if (names.count == room) {
      room = room ? room * 2 : 1024;
      names.names = (char **)realloc(names.names, room * sizeof *names.names);
      names.lengths = (size_t *)realloc(names.lengths, room * sizeof *names.lengths);
    }
    line[strcspn(line, "\n")] = 0;
    names.lengths[names.count] = strlen(line);
    names.names[names.count++] = strdup(line);
  }
  if (!names.count) {
    fprintf(stderr, "no names in %s\n", path);
    exit(1);
  }
  fclose(file);
  names.order = (uint32_t *)malloc(lookups * sizeof *names.order);
  uint64_t state = 42;
  for (size_t i = 0; i < lookups; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    names.order[i] = (uint32_t)((state >> 33) % names.count);
  }
  return names;
}

static inline int bench_compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Runs `body` seven times and prints the median for one of `units`, with a label.
static inline double bench_run(const char *label, size_t units, uint64_t (*body)(void *), void *data) {
  double times[ROUNDS];
  volatile uint64_t sink = 0;
  for (int round = 0; round < ROUNDS; round++) {
    uint64_t start = bench_now();
    sink += body(data);
    times[round] = (double)(bench_now() - start) / (double)units;
  }
  qsort(times, ROUNDS, sizeof *times, bench_compare);
  printf("%s %.2f\n", label, times[ROUNDS / 2]);
  return times[ROUNDS / 2];
}
