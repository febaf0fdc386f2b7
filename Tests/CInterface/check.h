/* What the programs of this folder check with: each failure is a line of standard error, and all are counted. */
#include <stdio.h>

static int failures;
#define CHECK(condition) \
  do { \
    if (!(condition)) { \
      fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
      failures++; \
    } \
  } while (0)
