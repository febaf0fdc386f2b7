// Opens an archive, makes a view and looks 1,000 names up, as often as it is told: ARCHIVE NAMES
// COUNT. Prints the nanoseconds of one such round. python.bench compares it with Python.
#include <carve.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LOOKUPS = 1000 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

int main(int count, char **words) {
  static char names[LOOKUPS][256];
  FILE *list = count == 4 ? fopen(words[2], "r") : NULL;
  if (list == NULL) return 2;
  int known = 0;
  while (known < LOOKUPS && fgets(names[known], sizeof names[known], list)) {
    names[known][strcspn(names[known], "\n")] = 0;
    known += names[known][0] != 0;
  }
  if (known == 0) return 2;
  int rounds = atoi(words[3]);
  double start = now();
  for (int round = 0; round < rounds; round++) {
    carve_catalog *catalog;
    carve_view *view;
    carve_traits traits;
    carve_rendition found = {.size = sizeof found};
    if (carve_open(words[1], &catalog, NULL)) return 1;
    carve_traits_init(&traits, sizeof traits);
    if (carve_view_for(catalog, &traits, &view, NULL)) return 1;
    for (int number = 0; number < LOOKUPS; number++) {
      const char *name = names[number % known];
      if (carve_find(view, name, strlen(name), CARVE_COLOR, &found)) return 1;
    }
    carve_view_close(view);
    carve_close(catalog);
  }
  printf("%.0f\n", (now() - start) / rounds);
  return 0;
}
