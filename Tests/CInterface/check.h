/* The checks of the programs of this folder: each failure is a line on standard error, and the
 * failures are counted. */
#include <stdio.h>

static int failures;
#define CHECK(condition) \
  do { \
    if (!(condition)) { \
      fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
      failures++; \
    } \
  } while (0)
